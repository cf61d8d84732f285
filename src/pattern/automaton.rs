//! The states in which a pattern is searched in a text.

use std::collections::BTreeSet;

use super::parser::Part;
use super::ranges::{self, Ranges};

/// States of one pattern.
const MOST_STATES: usize = 3_000;

#[derive(Debug, Clone)]
enum State {
    /// Takes one character of a set.
    Takes(Ranges, usize),
    Either(Vec<usize>),
    /// Only at the start of the text.
    Start(usize),
    /// Only at its end.
    End(usize),
    Found,
}

/// A pattern as states that lead to others.
#[derive(Debug, Clone)]
pub(super) struct Automaton {
    states: Vec<State>,
    first: usize,
}

impl Automaton {
    /// `None` if it has too many states.
    pub(super) fn of(part: &Part) -> Option<Self> {
        let mut built = Self {
            states: vec![State::Found],
            first: 0,
        };
        built.first = built.add(part, 0)?;
        Some(built)
    }

    pub(super) fn size(&self) -> usize {
        self.states.len()
    }

    fn push(&mut self, state: State) -> Option<usize> {
        if self.states.len() >= MOST_STATES {
            return None;
        }
        self.states.push(state);
        Some(self.states.len() - 1)
    }

    /// The state in which a part begins that leads to another one.
    fn add(&mut self, part: &Part, next: usize) -> Option<usize> {
        match part {
            Part::One(set) => self.push(State::Takes(set.clone(), next)),
            Part::Start => self.push(State::Start(next)),
            Part::End => self.push(State::End(next)),
            Part::Sequence(parts) => parts.iter().rev().try_fold(next, |next, part| self.add(part, next)),
            Part::Either(parts) => {
                let begins = parts
                    .iter()
                    .map(|part| self.add(part, next))
                    .collect::<Option<Vec<_>>>()?;
                self.push(State::Either(begins))
            }
            Part::Repeated(part, least, most) => {
                let mut begin = match most {
                    Some(most) => {
                        let mut begin = next;
                        for _ in *least..*most {
                            let once = self.add(part, begin)?;
                            begin = self.push(State::Either(vec![once, next]))?;
                        }
                        begin
                    }
                    None => {
                        let again = self.push(State::Either(vec![next]))?;
                        let once = self.add(part, again)?;
                        self.states[again] = State::Either(vec![once, next]);
                        again
                    }
                };
                for _ in 0..*least {
                    begin = self.add(part, begin)?;
                }
                Some(begin)
            }
        }
    }

    /// Adds the states that can be reached from one without a character.
    fn reach(
        &self,
        from: usize,
        (at_start, at_end): (bool, bool),
        found: &mut BTreeSet<usize>,
        left: &mut usize,
    ) -> Option<()> {
        let mut waiting = vec![from];
        while let Some(id) = waiting.pop() {
            *left = left.checked_sub(1)?;
            if !found.insert(id) {
                continue;
            }
            match &self.states[id] {
                State::Either(all) => waiting.extend(all),
                State::Start(next) if at_start => waiting.push(*next),
                State::End(next) if at_end => waiting.push(*next),
                State::Start(_) | State::End(_) | State::Takes(..) | State::Found => {}
            }
        }
        Some(())
    }

    /// The states before the first character.
    fn begin(&self, left: &mut usize) -> Option<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        self.reach(self.first, (true, false), &mut found, left)?;
        Some(found)
    }

    /// The states after one more character.
    fn step(&self, states: &BTreeSet<usize>, sign: char, left: &mut usize) -> Option<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        *left = left.checked_sub(states.len())?;
        self.reach(self.first, (false, false), &mut found, left)?;
        for id in states {
            if let State::Takes(set, next) = &self.states[*id]
                && ranges::contains(set, sign)
            {
                self.reach(*next, (false, false), &mut found, left)?;
            }
        }
        Some(found)
    }

    /// Whether it is found, whatever follows.
    fn is_found(states: &BTreeSet<usize>) -> bool {
        states.contains(&0)
    }

    /// Whether it is found if the text ends here.
    fn is_found_at_end(&self, states: &BTreeSet<usize>, at_start: bool, left: &mut usize) -> Option<bool> {
        let mut found = BTreeSet::new();
        for id in states {
            self.reach(*id, (at_start, true), &mut found, left)?;
        }
        Some(Self::is_found(&found))
    }

    /// Whether it matches a text; `None` if that takes too many steps.
    pub(super) fn matches(&self, text: &str, left: &mut usize) -> Option<bool> {
        let mut states = self.begin(left)?;
        for sign in text.chars() {
            if Self::is_found(&states) {
                return Some(true);
            }
            states = self.step(&states, sign, left)?;
        }
        self.is_found_at_end(&states, text.is_empty(), left)
    }

    /// The first characters of ranges within which no set of it begins or ends.
    fn borders(&self) -> impl Iterator<Item = char> {
        let sets = self.states.iter().filter_map(|state| match state {
            State::Takes(set, _) => Some(set),
            _ => None,
        });
        let borders = sets.flatten().flat_map(|(from, to)| [Some(*from), ranges::after(*to)]);
        borders.flatten()
    }
}

/// The texts that one pattern matches, beside another pattern.
pub(super) struct Texts<'t> {
    one: &'t Automaton,
    other: &'t Automaton,
    /// One character of each kind that the patterns distinguish.
    signs: BTreeSet<char>,
}

impl<'t> Texts<'t> {
    pub(super) fn new(one: &'t Automaton, other: &'t Automaton) -> Self {
        let signs = std::iter::once('\0').chain(one.borders()).chain(other.borders());
        Self {
            one,
            other,
            signs: signs.collect(),
        }
    }

    /// Whether the other pattern matches all of them; `None` if that takes too many steps.
    pub(super) fn are_within(&self, left: &mut usize) -> Option<bool> {
        let begin = (self.one.begin(left)?, self.other.begin(left)?);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(begin, true)];
        while let Some(((own, others), at_start)) = waiting.pop() {
            if Automaton::is_found(&others) {
                continue;
            }
            let is_found = Automaton::is_found(&own) || self.one.is_found_at_end(&own, at_start, left)?;
            if is_found && !self.other.is_found_at_end(&others, at_start, left)? {
                return Some(false);
            }
            for sign in &self.signs {
                // What is found stays so.
                let next = if Automaton::is_found(&own) {
                    BTreeSet::from([0])
                } else {
                    self.one.step(&own, *sign, left)?
                };
                let next = (next, self.other.step(&others, *sign, left)?);
                *left = left.checked_sub(next.0.len() + next.1.len())?;
                if seen.insert(next.clone()) {
                    waiting.push((next, false));
                }
            }
        }
        Some(true)
    }
}
