//! The search for conditions under which rules hold and another one does not.

use super::atoms::{Atom, AtomKind, Atoms, Quantifier};
use super::common::shortened;
use super::formula::{Formula, Truth};
use super::steps::take;
use crate::cel::canonical::is_within;
use crate::cel::looped::Word;
use crate::cel::tree::Literal;
use crate::pattern::Pattern;

/// Conditions of all rules together.
pub(crate) const MOST_ATOMS: usize = 16;

/// Parts of formulas that are evaluated as one step of the search.
const PARTS_OF_A_STEP: usize = 32;

/// The most steps for formulas that are shortened, where few show what follows.
const MOST_OF_SHORTENED: usize = 20_000;

/// Of the steps that are left, one in so many is for these.
const SHARE_OF_SHORTENED: usize = 4;

/// How deep quantifiers within each other are compared.
const DEEPEST: usize = 3;

#[derive(Debug, Clone, Copy)]
enum Relation {
    /// Both fail, or none.
    FailTogether,
    /// They are not both true.
    Exclude,
    /// Where the first is the one, the second is the other.
    Says(bool, bool),
    /// Where the first does not fail, the second is true.
    IsRead,
    /// Where the first does not fail, the second does not.
    ReadsAll,
}

/// What is known of conditions, each with those before it: it stays when others are added.
#[derive(Debug, Default)]
pub(super) struct Relations(Vec<Known>);

#[derive(Debug)]
struct Known {
    never_fails: bool,
    never_false: bool,
    relations: Vec<(usize, usize, Relation)>,
}

impl Relations {
    /// Adds what is known of the conditions that were added since.
    fn extend(&mut self, atoms: &Atoms<'_>, depth: usize, left: &mut usize) {
        let all = atoms.all();
        for (at, one) in all.iter().enumerate().skip(self.0.len()) {
            let mut known = Known {
                never_fails: matches!(one.kind, AtomKind::Presence { is_variable: true, .. }),
                never_false: matches!(one.kind, AtomKind::Itself),
                relations: Vec::new(),
            };
            for (other_at, other) in all.iter().enumerate().take(at) {
                let after = between(one, other, atoms, depth, left).into_iter();
                known.relations.extend(after.map(|relation| (at, other_at, relation)));
                let before = between(other, one, atoms, depth, left).into_iter();
                known.relations.extend(before.map(|relation| (other_at, at, relation)));
            }
            self.0.push(known);
        }
    }

    /// What is known of some of the conditions, in another order, and nothing of others.
    fn of(&self, conditions: &[Option<usize>]) -> Self {
        let mut numbers = vec![None; self.0.len()];
        for (number, before) in conditions.iter().enumerate() {
            if let Some(of) = before.and_then(|before| numbers.get_mut(before)) {
                *of = Some(number);
            }
        }
        let known = conditions.iter().map(|before| {
            let known = before.and_then(|before| self.0.get(before));
            Known {
                never_fails: known.is_some_and(|known| known.never_fails),
                never_false: known.is_some_and(|known| known.never_false),
                relations: Vec::new(),
            }
        });
        let mut known: Vec<Known> = known.collect();
        for (one, other, relation) in self.0.iter().flat_map(|known| &known.relations) {
            if let (Some(one), Some(other)) = (numbers[*one], numbers[*other]) {
                known[one.max(other)].relations.push((one, other, *relation));
            }
        }
        Self(known)
    }

    /// Whether the last of some conditions can be what it is beside the others.
    fn allow(&self, set: &[Truth]) -> bool {
        let (Some(last), Some(known)) = (set.last(), set.len().checked_sub(1).and_then(|last| self.0.get(last))) else {
            return true;
        };
        let may_be = match last {
            None => !known.never_fails,
            Some(false) => !known.never_false,
            Some(true) => true,
        };
        may_be
            && known.relations.iter().all(|(one, other, relation)| {
                let [one, other] = [*one, *other].map(|at| set.get(at).copied().flatten());
                match relation {
                    Relation::FailTogether => one.is_none() == other.is_none(),
                    Relation::Exclude => one != Some(true) || other != Some(true),
                    Relation::Says(truth, then) => one != Some(*truth) || other == Some(*then),
                    Relation::IsRead => one.is_none() || other == Some(true),
                    Relation::ReadsAll => one.is_none() || other.is_some(),
                }
            })
    }
}

fn between(one: &Atom<'_>, other: &Atom<'_>, atoms: &Atoms<'_>, depth: usize, left: &mut usize) -> Vec<Relation> {
    let mut found = Vec::new();
    if one.reads.contains(&other.text) {
        found.push(Relation::IsRead);
    }
    if other.fails_by_reads_only && other.reads.is_subset(&one.reads) {
        found.push(Relation::ReadsAll);
    }
    match (&one.kind, &other.kind) {
        (AtomKind::Presence { of, .. }, AtomKind::Presence { of: same, .. }) if of == same => {
            found.push(Relation::FailTogether);
        }
        (
            AtomKind::Equals { value, literal },
            AtomKind::Equals {
                value: same,
                literal: second,
            },
        ) if value == same => {
            found.push(Relation::FailTogether);
            if matches!((literal, second), (Literal::Text(one), Literal::Text(other)) if one != other) {
                found.push(Relation::Exclude);
            }
        }
        (_, AtomKind::Text { value, pattern }) => found.extend(of_texts(&one.kind, value, pattern, left)),
        (
            AtomKind::Equals {
                value,
                literal: Literal::Int(number),
            },
            AtomKind::Bound,
        ) => {
            let bounds = [format!("(<= {number} {value})"), format!("(<= {value} {number})")];
            if bounds.iter().any(|bound| is_within(bound, &other.text)) {
                found.push(Relation::Says(true, true));
            }
        }
        (AtomKind::Bound, AtomKind::Bound) if is_within(&one.text, &other.text) => {
            found.push(Relation::Says(true, true));
        }
        (AtomKind::Quantifier(one), AtomKind::Quantifier(other)) if one.is_like(other) && depth < DEEPEST => {
            found.extend(quantified(one, other, atoms, depth, left));
        }
        _ => {}
    }
    found
}

/// What a condition says about whether a text matches a pattern.
fn of_texts(one: &AtomKind<'_>, value: &str, pattern: &Pattern, left: &mut usize) -> Vec<Relation> {
    match one {
        AtomKind::Text {
            value: same,
            pattern: own,
        } if same == value => {
            let mut found = vec![Relation::FailTogether];
            if pattern.contains(own, left) == Some(true) {
                found.push(Relation::Says(true, true));
            }
            if own.contains(pattern, left) == Some(true) {
                found.push(Relation::Says(false, false));
            }
            found
        }
        AtomKind::Equals {
            value: same,
            literal: Literal::Text(text),
        } if same == value => {
            let own = Pattern::of_text(text, true, true);
            let is_within = own.and_then(|own| pattern.contains(&own, left));
            is_within
                .map(|is_within| Relation::Says(true, is_within))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What one quantifier says about another one over the same values.
fn quantified(
    one: &Quantifier<'_>,
    other: &Quantifier<'_>,
    atoms: &Atoms<'_>,
    depth: usize,
    left: &mut usize,
) -> Vec<Relation> {
    let mut inner = Atoms::new(atoms.integers);
    inner.of_each = (!one.has_two).then_some((&one.range, one.variable));
    let body = [inner.formula(one.tree, one.body)];
    let within = inner.formula(other.tree, other.body);
    if inner.len() > MOST_ATOMS {
        return Vec::new();
    }
    let mut truths = vec![true, false];
    truths.retain(|truth| implies(&body, &within, *truth, (&inner, depth + 1), left));
    if one.word == Word::ExistsOne && truths.len() < 2 {
        // It counts the values, and fails where its condition fails for one.
        let is_met = truths == [false] && is_met_by_each(one, other, atoms, depth, left);
        return is_met.then_some(Relation::Says(true, true)).into_iter().collect();
    }
    truths.into_iter().map(|truth| Relation::Says(truth, truth)).collect()
}

/// Whether each value of the list around two quantifiers, over the same list, meets the second one for itself, where
/// the first one does not fail. If no more values meet it than meet the first one, that value is the only one again.
fn is_met_by_each(
    one: &Quantifier<'_>,
    other: &Quantifier<'_>,
    atoms: &Atoms<'_>,
    depth: usize,
    left: &mut usize,
) -> bool {
    let Some((_, each)) = atoms.of_each.filter(|(range, _)| *range == one.range) else {
        return false;
    };
    let [tree, second] = [one, other].map(|quantifier| quantifier.tree.renamed(quantifier.variable, each));
    let mut own = Atoms::new(atoms.integers);
    let [holds, not] = [(), ()].map(|()| own.formula(&tree, one.body));
    let met = own.formula(&second, other.body);
    let does_not_fail = [Formula::Or(vec![holds, Formula::Not(Box::new(not))])];
    own.len() <= MOST_ATOMS && implies(&does_not_fail, &met, true, (&own, depth + 1), left)
}

/// Whether a formula is true, or false, wherever others are all so. `depth`: the quantifiers around them.
fn implies(
    held: &[Formula],
    wanted: &Formula,
    truth: bool,
    (atoms, depth): (&Atoms<'_>, usize),
    left: &mut usize,
) -> bool {
    let mut relations = Relations::default();
    relations.extend(atoms, depth, left);
    search((held, wanted), truth, atoms, &relations, left)
}

/// Whether a formula is true wherever others are all so. `relations`: what is known of the first conditions, or of all.
pub(super) fn is_implied(
    held: &[Formula],
    wanted: &Formula,
    (atoms, relations): (&Atoms<'_>, &mut Relations),
    left: &mut usize,
) -> bool {
    relations.extend(atoms, 0, left);
    search((held, wanted), true, atoms, relations, left)
}

fn search(
    (held, wanted): (&[Formula], &Formula),
    truth: bool,
    atoms: &Atoms<'_>,
    relations: &Relations,
    left: &mut usize,
) -> bool {
    if let Some(shortened) = shortened(held, wanted, left) {
        let relations = relations.of(&shortened.conditions);
        let given = MOST_OF_SHORTENED.min(*left / SHARE_OF_SHORTENED);
        let mut own = given;
        let (held, wanted) = (&*shortened.held, &shortened.wanted);
        let is_met = search_all((held, wanted), truth, shortened.conditions.len(), &relations, &mut own);
        *left -= given - own;
        if is_met {
            return true;
        }
    }
    search_all((held, wanted), truth, atoms.len(), relations, left)
}

fn search_all(
    (held, wanted): (&[Formula], &Formula),
    truth: bool,
    conditions: usize,
    relations: &Relations,
    left: &mut usize,
) -> bool {
    let parts = held.iter().map(Formula::size).sum::<usize>() + wanted.size();
    let mentions: Vec<Mentions<'_>> = (0..conditions).map(|at| Mentions::by(at, held, wanted)).collect();
    let mut search = Search {
        relations,
        mentions: &mentions,
        decided: Vec::new(),
        step: 1 + parts / PARTS_OF_A_STEP,
        left,
        truth,
    };
    let all = Mentions {
        held: held.iter().collect(),
        wanted: Some(wanted),
    };
    search.is_met_where(&all)
}

/// The formulas that mention a condition.
struct Mentions<'s> {
    held: Vec<&'s Formula>,
    wanted: Option<&'s Formula>,
}

impl<'s> Mentions<'s> {
    fn by(at: usize, held: &'s [Formula], wanted: &'s Formula) -> Self {
        Self {
            held: held.iter().filter(|held| held.mentions(at)).collect(),
            wanted: Some(wanted).filter(|wanted| wanted.mentions(at)),
        }
    }
}

struct Search<'s> {
    truth: bool,
    relations: &'s Relations,
    /// By condition: deciding it changes nothing about the others.
    mentions: &'s [Mentions<'s>],
    /// The conditions that are decided.
    decided: Vec<Truth>,
    /// What one step costs.
    step: usize,
    left: &'s mut usize,
}

impl<'s> Search<'s> {
    /// Whether the wanted formula is met, or one that holds is not, however the other conditions are decided: after the
    /// last one, only some formulas can have changed.
    fn is_met_where(&mut self, changed: &Mentions<'s>) -> bool {
        // Where the steps do not suffice, none are left: that tells this answer from a search that has ended.
        if !take(self.step, self.left) {
            return false;
        }
        let truth = Some(Some(self.truth));
        let mut held = changed.held.iter().map(|held| held.truth(&self.decided));
        // What is open says nothing yet.
        let is_refuted = held.any(|held| held.is_some() && held != truth);
        if is_refuted
            || changed
                .wanted
                .is_some_and(|wanted| wanted.truth(&self.decided) == truth)
        {
            return true;
        }
        let Some(mentions) = self.mentions.get(self.decided.len()) else {
            return false;
        };
        [Some(true), Some(false), None].into_iter().all(|truth| {
            self.decided.push(truth);
            let is_met = !self.relations.allow(&self.decided) || self.is_met_where(mentions);
            self.decided.pop();
            is_met
        })
    }
}
