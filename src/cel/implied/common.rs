//! Parts that rules have in common, with conditions that are nowhere else: each is taken for one condition. What
//! follows whatever value that has also follows for the part.

use std::collections::{BTreeMap, HashMap};

use super::formula::Formula;
use super::steps::take;

/// The most conditions and operators of formulas that are shortened, all together: the parts of each are looked up.
const MOST_PARTS: usize = 1_000;

/// Parts that are looked up as one step of the search.
const PARTS_LOOKED_UP_IN_A_STEP: usize = 4;

/// Formulas with one condition for each part that they have in common.
pub(super) struct Shortened {
    pub(super) held: Vec<Formula>,
    pub(super) wanted: Formula,
    /// What each of their conditions was before; `None` for what is in common.
    pub(super) conditions: Vec<Option<usize>>,
}

/// The formulas shortened; `None` if they have no such part in common, too many parts, or no steps are left for that.
pub(super) fn shortened(held: &[Formula], wanted: &Formula, left: &mut usize) -> Option<Shortened> {
    let parts = held.iter().map(Formula::size).sum::<usize>() + wanted.size();
    if parts > MOST_PARTS || *left == 0 || !take(parts / PARTS_LOOKED_UP_IN_A_STEP, left) {
        return None;
    }
    let mut of_wanted = Occurrences::default();
    of_wanted.add(wanted);
    let mut of_all = Occurrences::default();
    for held in held {
        of_all.add(held);
    }
    let mut common: Vec<&Formula> = of_wanted
        .parts
        .into_keys()
        .filter(|part| of_all.parts.contains_key(part))
        .collect();
    of_all.add(wanted);
    common.retain(|part| of_all.are_all_of_its_conditions_in(part));
    if common.is_empty() {
        return None;
    }
    let mut numbers = Numbers {
        parts: common.into_iter().map(|part| (part, None)).collect(),
        kept: BTreeMap::new(),
        conditions: Vec::new(),
    };
    Some(Shortened {
        wanted: numbers.formula(wanted),
        held: held.iter().map(|held| numbers.formula(held)).collect(),
        conditions: numbers.conditions,
    })
}

/// How often formulas have each condition, and each part with more than one.
#[derive(Default)]
struct Occurrences<'f> {
    conditions: BTreeMap<usize, usize>,
    parts: HashMap<&'f Formula, usize>,
}

impl<'f> Occurrences<'f> {
    fn add(&mut self, formula: &'f Formula) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Atom(at) => *self.conditions.entry(*at).or_default() += 1,
            _ => {
                *self.parts.entry(formula).or_default() += 1;
                for part in formula.parts() {
                    self.add(part);
                }
            }
        }
    }

    fn are_all_of_its_conditions_in(&self, part: &Formula) -> bool {
        let count = self.parts.get(part).copied().unwrap_or_default();
        let mut own = BTreeMap::new();
        count_conditions(part, &mut own);
        let mut conditions = own.iter();
        conditions.all(|(at, times)| self.conditions.get(at) == Some(&(times * count)))
    }
}

fn count_conditions(formula: &Formula, conditions: &mut BTreeMap<usize, usize>) {
    if let Formula::Atom(at) = formula {
        *conditions.entry(*at).or_default() += 1;
    }
    for part in formula.parts() {
        count_conditions(part, conditions);
    }
}

/// The numbers of the conditions of shortened formulas, in the order in which these have them.
struct Numbers<'f> {
    /// Those of the parts in common.
    parts: HashMap<&'f Formula, Option<usize>>,
    /// Those of other conditions.
    kept: BTreeMap<usize, usize>,
    conditions: Vec<Option<usize>>,
}

impl Numbers<'_> {
    fn formula(&mut self, formula: &Formula) -> Formula {
        let next = self.conditions.len();
        let (number, before) = match formula {
            Formula::Constant(_) => return formula.clone(),
            Formula::Atom(at) => (*self.kept.entry(*at).or_insert(next), Some(*at)),
            _ => match self.parts.get_mut(formula) {
                Some(number) => (*number.get_or_insert(next), None),
                None => return formula.with_parts(|part| self.formula(part)),
            },
        };
        if number == next {
            self.conditions.push(before);
        }
        Formula::Atom(number)
    }
}
