//! The states in which a pattern is searched in a text.

use std::collections::BTreeSet;

use super::parser::Part;
use super::ranges::{self, Ranges};

/// The state in which a pattern is found.
pub(super) const FOUND: usize = 0;

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
        built.first = built.add(part, FOUND)?;
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
    pub(super) fn begin(&self, left: &mut usize) -> Option<BTreeSet<usize>> {
        let mut found = BTreeSet::new();
        self.reach(self.first, (true, false), &mut found, left)?;
        Some(found)
    }

    /// The states after one more character.
    pub(super) fn step(&self, states: &BTreeSet<usize>, sign: char, left: &mut usize) -> Option<BTreeSet<usize>> {
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
    pub(super) fn is_found(states: &BTreeSet<usize>) -> bool {
        states.contains(&FOUND)
    }

    /// Whether it is found if the text ends here.
    pub(super) fn is_found_at_end(&self, states: &BTreeSet<usize>, at_start: bool, left: &mut usize) -> Option<bool> {
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
    pub(super) fn borders(&self) -> impl Iterator<Item = char> {
        let sets = self.states.iter().filter_map(|state| match state {
            State::Takes(set, _) => Some(set),
            _ => None,
        });
        let borders = sets.flatten().flat_map(|(from, to)| [Some(*from), ranges::after(*to)]);
        borders.flatten()
    }
}
