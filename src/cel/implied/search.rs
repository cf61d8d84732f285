//! The search for conditions under which rules hold and another one does not.

use std::collections::BTreeSet;

use super::atom::{Atom, AtomKind, Quantifier};
use super::atoms::Atoms;
use super::common::{Shortened, shortened};
use super::formula::{Formula, Truth};
use super::order::{Compared, Orders};
use super::relation::{Relation, others_of_texts, said};
use super::steps::take;
use crate::cel::looped::Word;

/// Conditions of all rules together.
pub(crate) const MOST_ATOMS: usize = 16;

/// Parts of formulas that are evaluated as one step of the search.
const PARTS_OF_A_STEP: usize = 32;

/// The most steps for formulas that are shortened, where few show what follows.
const MOST_OF_SHORTENED: usize = 20_000;

/// Of the steps that are left, one in so many is for these.
const SHARE_OF_SHORTENED: usize = 4;

/// What a condition can be.
const TRUTHS: [Truth; 3] = [Some(true), Some(false), None];

/// How deep quantifiers within each other are compared.
const DEEPEST: usize = 3;

/// What is known of conditions.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// Of each with those before it: it stays when others are added.
    known: Vec<Known>,
    /// The presence of each field that they read, by its position among the bits of what each reads.
    fields: Vec<String>,
    orders: Orders,
}

#[derive(Debug, Default)]
struct Known {
    /// What it is for no value.
    never: Vec<Truth>,
    relations: Vec<(usize, usize, Relation)>,
    /// Others that are not all false beside it: those of a value with a few texts.
    or_others: Option<Vec<usize>>,
    compared: Option<Compared>,
    /// The fields that it reads, a bit each; without those that have no bit left.
    reads: u64,
    /// Whether it fails only where one of these is not there.
    fails_by_reads_only: bool,
}

impl Relations {
    /// The conditions of which something is known.
    fn len(&self) -> usize {
        self.known.len()
    }

    /// Adds what is known of the conditions that were added since.
    fn extend(&mut self, atoms: &Atoms<'_>, depth: usize, left: &mut usize) {
        let all = atoms.all();
        if self.known.len() == all.len() {
            return;
        }
        for (at, one) in all.iter().enumerate().skip(self.known.len()) {
            let mut relations = Vec::new();
            for (other_at, other) in all.iter().enumerate().take(at) {
                let [after, before] = between([one, other], atoms, depth, left);
                relations.extend(after.into_iter().map(|relation| (at, other_at, relation)));
                relations.extend(before.into_iter().map(|relation| (other_at, at, relation)));
            }
            let (reads, are_all) = self.bits(&one.reads);
            self.known.push(Known {
                reads,
                fails_by_reads_only: one.fails_by_reads_only && are_all,
                never: TRUTHS.into_iter().filter(|truth| one.never_is(*truth)).collect(),
                relations,
                or_others: others_of_texts(one, &all[..at]),
                compared: one.compared.clone(),
            });
        }
        self.orders = Orders::of(self.known.iter().map(|known| known.compared.as_ref()));
    }

    /// A bit for each of some fields, and whether all have one.
    fn bits(&mut self, fields: &BTreeSet<String>) -> (u64, bool) {
        let mut bits = 0;
        for field in fields {
            let known = self.fields.iter().position(|known| known == field);
            let at = known.unwrap_or_else(|| {
                self.fields.push(field.clone());
                self.fields.len() - 1
            });
            bits |= u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0);
        }
        (bits, u32::try_from(fields.len()) == Ok(bits.count_ones()))
    }

    /// Whether each condition that fails reads a field that no other one reads without failing, or may fail otherwise.
    fn allow_failures(&self, set: &[Truth]) -> bool {
        let decided = self.known.iter().zip(set);
        let there = decided.clone().filter(|(_, truth)| truth.is_some());
        let there = there.fold(0, |there, (known, _)| there | known.reads);
        let mut failing = decided.filter(|(known, truth)| truth.is_none() && known.fails_by_reads_only);
        failing.all(|(known, _)| known.reads & !there != 0)
    }

    /// What is known of some of the conditions, in another order, and nothing of others.
    fn of(&self, conditions: &[Option<usize>]) -> Self {
        let mut numbers = vec![None; self.known.len()];
        for (number, before) in conditions.iter().enumerate() {
            if let Some(of) = before.and_then(|before| numbers.get_mut(before)) {
                *of = Some(number);
            }
        }
        let known = conditions.iter().map(|before| {
            let known = before.and_then(|before| self.known.get(before));
            known.map_or_else(Known::default, |known| Known {
                never: known.never.clone(),
                compared: known.compared.clone(),
                reads: known.reads,
                fails_by_reads_only: known.fails_by_reads_only,
                ..Known::default()
            })
        });
        let mut own: Vec<Known> = known.collect();
        for (one, other, relation) in self.known.iter().flat_map(|known| &known.relations) {
            if let (Some(one), Some(other)) = (numbers[*one], numbers[*other]) {
                own[one.max(other)].relations.push((one, other, *relation));
            }
        }
        for (at, known) in self.known.iter().enumerate() {
            let all = known.or_others.iter().flatten().chain([&at]);
            let all = known
                .or_others
                .as_ref()
                .and_then(|_| all.map(|at| numbers[*at]).collect());
            let all: Option<BTreeSet<usize>> = all;
            if let Some((last, others)) = all.and_then(|mut all| Some((all.pop_last()?, all))) {
                own[last].or_others = Some(others.into_iter().collect());
            }
        }
        Self {
            orders: Orders::of(own.iter().map(|known| known.compared.as_ref())),
            known: own,
            fields: self.fields.clone(),
        }
    }

    /// Whether the last of some conditions can be what it is beside the others.
    fn allow(&self, set: &[Truth]) -> bool {
        let known = set.len().checked_sub(1).and_then(|last| self.known.get(last));
        let (Some(last), Some(known)) = (set.last(), known) else {
            return true;
        };
        let mut others = known.or_others.iter().flatten();
        let is_false = *last == Some(false) && known.or_others.is_some();
        let is_none = is_false && others.all(|at| set.get(*at) == Some(&Some(false)));
        !is_none
            && !known.never.contains(last)
            && known.relations.iter().all(|(one, other, relation)| {
                let [one, other] = [*one, *other].map(|at| set.get(at).copied().flatten());
                match relation {
                    Relation::FailTogether => one.is_none() == other.is_none(),
                    Relation::Exclude => one != Some(true) || other != Some(true),
                    Relation::Says(truth, then) => one != Some(*truth) || other == Some(*then),
                    Relation::IsRead => one.is_none() || other == Some(true),
                    Relation::ReadsAll => one.is_none() || other.is_some(),
                    Relation::ReadsWhereTrue => one != Some(true) || other.is_some(),
                }
            })
            && self.allow_failures(set)
            && self.orders.allow(set)
    }
}

/// What the first of two conditions says about the second one, and the other way round.
fn between(pair: [&Atom<'_>; 2], atoms: &Atoms<'_>, depth: usize, left: &mut usize) -> [Vec<Relation>; 2] {
    let [one, other] = pair;
    match (&one.kind, &other.kind) {
        (AtomKind::Quantifier(one), AtomKind::Quantifier(other)) if one.is_like(other) && depth < DEEPEST => {
            let quantified = quantified([one, other], atoms, depth, left);
            let mut said = [said(pair, left), said([pair[1], pair[0]], left)];
            for (said, more) in said.iter_mut().zip(quantified) {
                said.extend(more);
            }
            said
        }
        _ => [said([one, other], left), said([other, one], left)],
    }
}

/// What the first of two quantifiers over the same values says about the second one, and the other way round.
fn quantified(pair: [&Quantifier<'_>; 2], atoms: &Atoms<'_>, depth: usize, left: &mut usize) -> [Vec<Relation>; 2] {
    let mut inner = atoms.within(pair[0]);
    let asked = pair.map(|quantifier| inner.asked(quantifier));
    if inner.len() > MOST_ATOMS {
        return Default::default();
    }
    let mut relations = Relations::default();
    relations.extend(&inner, depth + 1, left);
    let one = Question::of(std::slice::from_ref(&asked[0]), &asked[1], &relations);
    let shortened = one.shortened(left);
    [[0, 1], [1, 0]].map(|[from, to]| {
        let question = Question::of(std::slice::from_ref(&asked[from]), &asked[to], &relations);
        let short = shortened.as_ref().map(|(short, relations)| {
            let sides = [&short.held[0], &short.wanted];
            Question::of(std::slice::from_ref(sides[from]), sides[to], relations)
        });
        let mut truths = vec![true, false];
        truths.retain(|truth| question.is_met_or(short, *truth, left));
        if pair[0].word == Word::ExistsOne && truths.len() < 2 {
            // It counts the values, and fails where its condition fails for one.
            let is_met = truths == [false] && is_met_by_each(pair[from], pair[to], atoms, depth, left);
            return is_met.then_some(Relation::Says(true, true)).into_iter().collect();
        }
        truths.into_iter().map(|truth| Relation::Says(truth, truth)).collect()
    })
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
    let mut own = atoms.emptied();
    let [holds, not] = [(), ()].map(|()| own.formula(&tree, one.body));
    let met = own.formula(&second, other.body);
    let does_not_fail = [Formula::Or(vec![holds, Formula::Not(Box::new(not))])];
    own.len() <= MOST_ATOMS && implies(&does_not_fail, &met, (&own, depth + 1), left)
}

/// Whether a formula is true wherever others are all so. `depth`: the quantifiers around them.
fn implies(held: &[Formula], wanted: &Formula, (atoms, depth): (&Atoms<'_>, usize), left: &mut usize) -> bool {
    let mut relations = Relations::default();
    relations.extend(atoms, depth, left);
    Question::of(held, wanted, &relations).is_met(true, left)
}

/// Whether a formula is true wherever others are all so. `relations`: what is known of the first conditions, or of all.
pub(super) fn is_implied(
    held: &[Formula],
    wanted: &Formula,
    (atoms, relations): (&Atoms<'_>, &mut Relations),
    left: &mut usize,
) -> bool {
    relations.extend(atoms, 0, left);
    Question::of(held, wanted, relations).is_met(true, left)
}

/// Whether a formula is true, or false, wherever others are all so, with what is known of their conditions.
#[derive(Clone, Copy)]
struct Question<'q> {
    held: &'q [Formula],
    wanted: &'q Formula,
    relations: &'q Relations,
}

impl<'q> Question<'q> {
    fn of(held: &'q [Formula], wanted: &'q Formula, relations: &'q Relations) -> Self {
        Self {
            held,
            wanted,
            relations,
        }
    }

    /// The formulas with one condition for each part that they have in common, and what is known of these.
    fn shortened(self, left: &mut usize) -> Option<(Shortened, Relations)> {
        let shortened = shortened(self.held, self.wanted, left)?;
        let relations = self.relations.of(&shortened.conditions);
        Some((shortened, relations))
    }

    fn is_met(self, truth: bool, left: &mut usize) -> bool {
        let shortened = self.shortened(left);
        let shortened = shortened.as_ref();
        let shortened = shortened.map(|(short, relations)| Question::of(&short.held, &short.wanted, relations));
        self.is_met_or(shortened, truth, left)
    }

    /// The same, where a shortened form is tried first.
    fn is_met_or(self, shortened: Option<Question<'_>>, truth: bool, left: &mut usize) -> bool {
        if let Some(shortened) = shortened {
            let given = MOST_OF_SHORTENED.min(*left / SHARE_OF_SHORTENED);
            let mut own = given;
            let is_met = shortened.search(truth, &mut own);
            *left -= given - own;
            if is_met {
                return true;
            }
        }
        self.search(truth, left)
    }

    fn search(self, truth: bool, left: &mut usize) -> bool {
        let Self {
            held,
            wanted,
            relations,
        } = self;
        let parts = held.iter().map(Formula::size).sum::<usize>() + wanted.size();
        let mentions: Vec<Mentions<'_>> = (0..relations.len()).map(|at| Mentions::by(at, held, wanted)).collect();
        let mut search = Search {
            relations,
            mentions: &mentions,
            decided: Vec::new(),
            step: 1 + parts / PARTS_OF_A_STEP + relations.orders.cost(),
            left,
            truth,
        };
        let all = Mentions {
            held: held.iter().collect(),
            wanted: Some(wanted),
        };
        search.is_met_where(&all)
    }
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
        TRUTHS.into_iter().all(|truth| {
            self.decided.push(truth);
            let is_met = !self.relations.allow(&self.decided) || self.is_met_where(mentions);
            self.decided.pop();
            is_met
        })
    }
}
