//! Whether one pattern matches all texts that another one matches, by the sets of states that both reach (subset
//! construction).

use std::collections::{BTreeMap, BTreeSet};

use super::automaton::{Automaton, FOUND};

/// Two patterns, and one character of each kind that they distinguish.
pub(super) struct Texts<'t> {
    one: &'t Automaton,
    other: &'t Automaton,
    signs: Vec<char>,
}

impl<'t> Texts<'t> {
    pub(super) fn new(one: &'t Automaton, other: &'t Automaton) -> Self {
        let signs = std::iter::once('\0').chain(one.borders()).chain(other.borders());
        let signs: BTreeSet<char> = signs.collect();
        Self {
            one,
            other,
            signs: signs.into_iter().collect(),
        }
    }

    /// Whether the other pattern matches all texts of the first one; `None` if that takes too many steps.
    pub(super) fn are_within(&self, left: &mut usize) -> Option<bool> {
        let [mut own, mut others] = [Reached::by(self.one, left)?, Reached::by(self.other, left)?];
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(FIRST, FIRST)];
        while let Some((at, other)) = waiting.pop() {
            if others.sets[other].is_found {
                continue;
            }
            if own.sets[at].is_found_at_end && !others.sets[other].is_found_at_end {
                return Some(false);
            }
            for sign in &self.signs {
                let next = (own.after(at, *sign, left)?, others.after(other, *sign, left)?);
                *left = left.checked_sub(1)?;
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Some(true)
    }
}

/// The number of the states before the first character.
const FIRST: usize = 0;

/// The sets of states that a pattern reaches, each worked out once.
struct Reached<'t> {
    automaton: &'t Automaton,
    sets: Vec<Set>,
    /// Those after the first character, by their states.
    numbers: BTreeMap<BTreeSet<usize>, usize>,
}

struct Set {
    states: BTreeSet<usize>,
    /// Whether the pattern is found, whatever follows.
    is_found: bool,
    is_found_at_end: bool,
    /// The set after one more character.
    next: BTreeMap<char, usize>,
}

impl<'t> Reached<'t> {
    fn by(automaton: &'t Automaton, left: &mut usize) -> Option<Self> {
        let mut reached = Self {
            automaton,
            sets: Vec::new(),
            numbers: BTreeMap::new(),
        };
        reached.add(automaton.begin(left)?, true, left)?;
        Some(reached)
    }

    fn add(&mut self, states: BTreeSet<usize>, at_start: bool, left: &mut usize) -> Option<usize> {
        let is_found = Automaton::is_found(&states);
        self.sets.push(Set {
            is_found,
            is_found_at_end: is_found || self.automaton.is_found_at_end(&states, at_start, left)?,
            next: BTreeMap::new(),
            states,
        });
        Some(self.sets.len() - 1)
    }

    /// The number of the set that a character leads to.
    fn after(&mut self, at: usize, sign: char, left: &mut usize) -> Option<usize> {
        let set = &self.sets[at];
        // What is found stays so.
        if set.is_found {
            return Some(at);
        }
        if let Some(known) = set.next.get(&sign) {
            return Some(*known);
        }
        let mut states = self.automaton.step(&set.states, sign, left)?;
        if Automaton::is_found(&states) {
            // Whatever else it has reached.
            states = BTreeSet::from([FOUND]);
        }
        let number = match self.numbers.get(&states) {
            Some(known) => *known,
            None => {
                let number = self.add(states.clone(), false, left)?;
                self.numbers.insert(states, number);
                number
            }
        };
        self.sets[at].next.insert(sign, number);
        Some(number)
    }
}
