//! Quantifiers, `map` and `filter`.

use std::rc::Rc;

use super::found::{Found, Outcomes};
use super::reader::Reader;
use super::scope::Scope;
use super::values::{ANY_SIZE, Known, Texts};
use crate::cel::looped::{Word, listed, quantifier};
use crate::cel::tree::{Id, Loop};

/// Items of a list that a rule writes: of more, only what all may be is known.
const MOST_ITEMS: usize = 32;

impl Reader<'_> {
    pub(super) fn repeated(&mut self, of: &Loop, scope: &Scope) -> Found {
        let range = self.found(of.range, scope);
        let Some(list) = range.value else { return range };
        let (items, sizes) = match &list {
            Known::Map { sizes, .. } | Known::List { sizes, .. } => (None, *sizes),
            Known::Each(items) if items.len() <= MOST_ITEMS => (Some(Rc::clone(items)), [0; 2]),
            _ => return Found::unknown(),
        };
        let scopes: Vec<Scope> = match &items {
            Some(items) => items.iter().map(|item| named(of, &list, item.clone(), scope)).collect(),
            None if sizes[1] == 0 => Vec::new(),
            None => vec![named(of, &list, list.items().unwrap_or(Known::Any), scope)],
        };
        let sizes = items.is_none().then_some(sizes);
        let found = match (quantifier(self.tree, of), listed(self.tree, of)) {
            (Some((word, body)), _) => {
                let met: Vec<Outcomes> = scopes.iter().map(|scope| self.truth(body, scope)).collect();
                quantified(word, &met, sizes)
            }
            (_, Some((filter, value))) if of.second.is_none() => self.listed((filter, value), &scopes, sizes),
            _ => Found::unknown(),
        };
        found.where_fails(range.fails)
    }

    /// The list of the values of some items.
    fn listed(&mut self, (filter, value): (Option<Id>, Id), scopes: &[Scope], sizes: Option<[i64; 2]>) -> Found {
        let (mut values, mut fails) = (Vec::new(), false);
        let met = scopes
            .iter()
            .map(|scope| filter.map_or(Outcomes::HOLDS, |filter| self.truth(filter, scope)));
        let met: Vec<Outcomes> = met.collect();
        for (scope, is_met) in scopes.iter().zip(&met) {
            fails |= is_met.fails;
            if !is_met.holds {
                continue;
            }
            let scope = filter.map_or_else(|| scope.clone(), |filter| self.where_it(filter, true, scope));
            let found = self.found(value, &scope);
            fails |= found.fails;
            values.extend(found.value);
        }
        let sizes = counted(&met, sizes);
        let items = values
            .into_iter()
            .reduce(|one, other| one.or(&other))
            .unwrap_or(Known::Any);
        Found::new(Known::List {
            items: Rc::new(items),
            sizes,
        })
        .where_fails(fails)
    }
}

/// The scope of one item of a list, or of one entry of a map.
fn named(of: &Loop, list: &Known, item: Known, scope: &Scope) -> Scope {
    let place = match list {
        Known::Map { .. } => Known::Text(Texts {
            of: None,
            sizes: ANY_SIZE,
        }),
        _ => Known::Int(ANY_SIZE),
    };
    let value = match list {
        Known::Map { values, .. } => (**values).clone(),
        _ => item,
    };
    match (&of.second, list) {
        (Some(second), _) => scope.with(&of.variable, place).with(second, value),
        (None, Known::Map { .. }) => scope.with(&of.variable, place),
        (None, _) => scope.with(&of.variable, value),
    }
}

/// What a quantifier is, by what its condition is for each item. `sizes`: those of a list whose items are alike.
fn quantified(word: Word, met: &[Outcomes], sizes: Option<[i64; 2]>) -> Found {
    let fails = met.iter().any(|met| met.fails);
    let any_not = met.iter().any(|met| met.not);
    // Whether there is an item at all that decides.
    let is_there = sizes.is_none_or(|[least, _]| least > 0);
    let [least, most] = counted(met, sizes);
    let may_be = match word {
        Word::All => [any_not, !(is_there && met.iter().any(|met| !met.holds && !met.fails))],
        Word::Exists => [least == 0, most > 0],
        Word::ExistsOne => [[least, most] != [1; 2], least <= 1 && most >= 1],
    };
    Found::new(Known::Bool(may_be)).where_fails(fails)
}

/// How many items meet a condition, at least and at most.
fn counted(met: &[Outcomes], sizes: Option<[i64; 2]>) -> [i64; 2] {
    let surely = met.iter().map(|met| i64::from(*met == Outcomes::HOLDS)).sum::<i64>();
    let maybe = met.iter().map(|met| i64::from(met.holds)).sum::<i64>();
    match sizes {
        None => [surely, maybe],
        Some([fewest, largest]) => [surely * fewest, maybe * largest],
    }
}
