//! Where two sources disagree, and why, where that is evident.
//!
//! A source is a model, a list of deprecated API versions, a list of feature gates, or a calendar. Each becomes
//! [`Claims`]: what it states about each element, with lines; [`compare()`] compares two of these. Sources cover
//! different things (`Scope`): what one of them cannot have is no disagreement. A reason follows from the statements of
//! both sources, is the same from either side, and is left out where nothing suggests one. Which source is right is not
//! judged.

mod claims;
mod model;
mod reason;
mod side;
mod source;

use std::collections::BTreeSet;

use crate::grammar::{ElementPath, EventKind};
use crate::report::{
    ComparedFact, ComparisonCounts, ComparisonReport, DisagreementReport, ReasonReport, SCHEMA_VERSION,
    StatementReport, titles,
};

pub use claims::Claims;
pub(crate) use claims::{Claim, Scope, SourceLine, Statement, Subject};
pub use source::{SourceFormat, of_product};

use reason::Case;
use side::Side;

/// Compares two sources, element by element, in the order of their ids. `compare(b, a)` has the answer of `compare(a,
/// b)` with the sides exchanged.
pub fn compare(here: &Claims, there: &Claims) -> ComparisonReport {
    let [of_here, of_there] = titles(&here.name, &there.name);
    let mut comparer = Comparer {
        sides: [Side::of(here, of_here), Side::of(there, of_there)],
        scope: Scope::Product,
        counts: ComparisonCounts::default(),
        differences: Vec::new(),
        left_out: Vec::new(),
    };
    let mut left_out: Vec<String> = here.left_out.iter().chain(&there.left_out).cloned().collect();
    match common(here.scope, there.scope) {
        Some(scope) => {
            comparer.scope = scope;
            let ids: BTreeSet<&String> = here.elements.keys().chain(there.elements.keys()).collect();
            for id in ids {
                comparer.element(id);
            }
        }
        None => left_out.push(format!(
            "{} and {} cover different things: nothing can be compared",
            here.name, there.name
        )),
    }
    left_out.append(&mut comparer.left_out);
    ComparisonReport {
        schema_version: SCHEMA_VERSION,
        here: here.name.clone(),
        there: there.name.clone(),
        counts: comparer.counts,
        differences: comparer.differences,
        left_out,
    }
}

fn common(here: Scope, there: Scope) -> Option<Scope> {
    match (here, there) {
        (Scope::Product, scope) | (scope, Scope::Product) => Some(scope),
        (here, there) => (here == there).then_some(here),
    }
}

struct Comparer<'c> {
    sides: [Side<'c>; 2],
    scope: Scope,
    counts: ComparisonCounts,
    differences: Vec<DisagreementReport>,
    left_out: Vec<String>,
}

impl<'c> Comparer<'c> {
    fn element(&mut self, id: &str) {
        let [here, there] = &self.sides;
        let [here, there] = [here.claim(id), there.claim(id)];
        match (here, there) {
            (Some(here), Some(there)) => {
                if self.covers(here) || self.covers(there) {
                    self.both(id, here, there);
                }
            }
            (Some(here), None) if self.should_be(here, 1) => {
                self.counts.only_here += 1;
                self.alone(id, here, 0);
            }
            (None, Some(there)) if self.should_be(there, 0) => {
                self.counts.only_there += 1;
                self.alone(id, there, 1);
            }
            (Some(version), None) => self.bare_version(id, version, 1),
            (None, Some(version)) => self.bare_version(id, version, 0),
            (None, None) => {}
        }
    }

    /// A list has kinds only: a version without named kinds cannot be found there.
    fn bare_version(&mut self, id: &str, version: &Claim, other: usize) {
        let side = &self.sides[other];
        let is_unlisted = side.claims.scope == Scope::Deprecations
            && matches!(ElementPath::parse(id), Ok(ElementPath::Version(version)) if !side.has_kinds_of(&version));
        if version.subject == Subject::BareVersion && version.end().is_some() && is_unlisted {
            let text = format!("{id}: the model names none of its kinds, and lists have kinds only");
            self.left_out.push(text);
        }
    }

    fn covers(&self, claim: &Claim) -> bool {
        match self.scope {
            Scope::Product => true,
            Scope::Deprecations => claim.subject == Subject::Kind,
            Scope::Gates => claim.subject == Subject::Gate,
            Scope::Calendar => claim.subject == Subject::Release,
        }
    }

    /// Whether an element that one side has should be found on the other, if the other is right and complete.
    fn should_be(&self, claim: &Claim, other: usize) -> bool {
        let side = &self.sides[other];
        // Where the whole is missing too, that is reported instead. Calendars may end anywhere.
        let whole_is_missing = claim.part_of.as_ref().is_some_and(|whole| side.claim(whole).is_none());
        let in_a_list = side.claims.scope == Scope::Deprecations;
        if claim.subject == Subject::Release || (whole_is_missing && !in_a_list) {
            return false;
        }
        match (self.scope, side.claims.scope) {
            (Scope::Deprecations, Scope::Deprecations) => claim.subject == Subject::Kind && claim.end().is_some(),
            (Scope::Gates, Scope::Gates) => self.covers(claim) && claim.when(EventKind::Removed).is_none(),
            _ => self.covers(claim),
        }
    }

    fn alone(&mut self, id: &str, claim: &Claim, side: usize) {
        let mut stated = [StatementReport::default(), StatementReport::default()];
        let (mut claims, mut says) = ([None; 2], [None; 2]);
        stated[side] = statement(Some(summary(claim)), claim.line.as_ref());
        claims[side] = Some(claim);
        says[side] = Some("");
        let case = Case {
            id,
            fact: ComparedFact::Present,
            sides: &self.sides,
            claims,
            says,
        };
        let reason = case.explain();
        self.add(id, ComparedFact::Present, stated, reason);
    }

    fn both(&mut self, id: &str, here: &'c Claim, there: &'c Claim) {
        self.counts.compared += 1;
        let before = self.differences.len();
        let [left, right] = [here, there].map(|claim| match self.scope {
            Scope::Deprecations => &claim.last,
            _ => &claim.facts,
        });
        let all: BTreeSet<ComparedFact> = left.keys().chain(right.keys()).copied().collect();
        // A version with kinds leaves its life to them; one without speaks for all.
        let is_mixed = (here.subject == Subject::Version) != (there.subject == Subject::Version);
        for fact in all {
            if !is_mixed || fact == ComparedFact::Event(EventKind::Preferred) {
                self.fact(id, fact, [left.get(&fact), right.get(&fact)], [here, there]);
            }
        }
        if self.differences.len() == before {
            self.counts.agree += 1;
        } else {
            self.counts.differ += 1;
        }
    }

    fn fact(&mut self, id: &str, fact: ComparedFact, stated: [Option<&Statement>; 2], claims: [&Claim; 2]) {
        let says = stated.map(|stated| stated.map(|stated| stated.value.as_str()));
        let both = says.iter().all(Option::is_some);
        if !both && self.needs_both(fact) {
            return;
        }
        let is_date = !matches!(fact, ComparedFact::Replacement | ComparedFact::Present);
        let agree = says[0] == says[1] || (fact == ComparedFact::Replacement && self.same_version(says));
        self.counts.dates += usize::from(both && is_date);
        self.counts.dates_differ += usize::from(both && is_date && !agree);
        if agree {
            return;
        }
        let case = Case {
            id,
            fact,
            sides: &self.sides,
            claims: claims.map(Some),
            says,
        };
        let reason = case.explain();
        let [here, there] = claims;
        let [of_here, of_there] = stated;
        let stated = [(of_here, here), (of_there, there)].map(|(stated, claim)| {
            let line = stated.and_then(|stated| stated.line.as_ref()).or(claim.line.as_ref());
            statement(stated.map(|stated| stated.value.clone()), line)
        });
        self.add(id, fact, stated, reason);
    }

    /// Whether both name one version, where one of them can name no more than that.
    fn same_version(&self, says: [Option<&str>; 2]) -> bool {
        let [Some(Ok(left)), Some(Ok(right))] = says.map(|says| says.map(ElementPath::parse)) else {
            return false;
        };
        let only_versions = self.sides.iter().any(|side| side.claims.replaced_by_versions);
        (only_versions || left.kind().is_none() != right.kind().is_none()) && left.version() == right.version()
    }

    /// Whether the silence of one side is no disagreement: a list cannot state everything.
    fn needs_both(&self, fact: ComparedFact) -> bool {
        let optional = [ComparedFact::Replacement, ComparedFact::Event(EventKind::Introduced)].contains(&fact);
        fact == ComparedFact::Day
            || (self.scope == Scope::Deprecations && optional)
            || (self.scope == Scope::Gates && !matches!(fact, ComparedFact::Stage(_)))
    }

    fn add(&mut self, id: &str, fact: ComparedFact, stated: [StatementReport; 2], reason: Option<ReasonReport>) {
        let [here, there] = stated;
        self.differences.push(DisagreementReport {
            element: id.to_owned(),
            what: fact,
            here,
            there,
            reason,
        });
    }
}

fn statement(says: Option<String>, line: Option<&SourceLine>) -> StatementReport {
    StatementReport {
        says,
        file: line.map(|line| line.file.clone()),
        line: line.map(|line| line.line),
    }
}

/// What is stated about an element that only one side has.
fn summary(claim: &Claim) -> String {
    let ends = [EventKind::Deprecated, EventKind::Removed].into_iter();
    let stated = ends.filter_map(|event| Some(format!("{event} {}", claim.when(event)?)));
    match stated.collect::<Vec<String>>().join(", ") {
        stated if stated.is_empty() => "there".to_owned(),
        stated => stated,
    }
}
