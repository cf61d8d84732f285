//! Where two sources disagree, and why, where that is evident.
//!
//! A source is anything that tells of elements: a model, a list of deprecated API versions, a list of feature gates, a
//! calendar. Each is put into [`Claims`]; [`compare`] holds two of these against each other. Different sources can
//! speak of different things ([`Scope`]): what one of them cannot know is no disagreement.

mod claims;
mod reason;

use std::collections::BTreeSet;

use crate::grammar::ElementPath;
use crate::model::EventKind;
use crate::report::{
    ComparisonCounts, ComparisonReport, DisagreementReport, ReasonReport, SCHEMA_VERSION, SaidReport, titles,
};

pub use claims::{Claim, Claims, Fact, Place, Scope, Sort, What, of_product};

use reason::{Case, Side};

/// Holds two sources against each other, element by element, in the order of their ids. `compare(a, b)` says what
/// `compare(b, a)` says, with the sides exchanged.
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
            "{} and {} tell of different things: nothing can be compared",
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

/// What both can speak of.
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
        let [here, there] = [0, 1].map(|side: usize| self.sides.get(side).and_then(|side| side.speaks_of(id)));
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

    /// A list has kinds only: a version of which none is named cannot be looked for there.
    fn bare_version(&mut self, id: &str, version: &Claim, other: usize) {
        let path = ElementPath::parse(id).ok();
        let of_version = path.as_ref().and_then(ElementPath::version);
        let lists = |side: &Side<'_>| {
            let has_kinds = of_version.is_some_and(|version| side.has_kinds_of(version));
            side.claims.scope == Scope::Deprecations && !has_kinds
        };
        let ends = [EventKind::Deprecated, EventKind::Removed];
        let ending = version.sort == Sort::BareVersion && ends.iter().any(|what| version.when(*what).is_some());
        if ending && self.sides.get(other).is_some_and(lists) {
            self.left_out
                .push(format!("{id}: none of its kinds is named, and lists tell of kinds"));
        }
    }

    fn covers(&self, claim: &Claim) -> bool {
        match self.scope {
            Scope::Product => true,
            Scope::Deprecations => claim.sort == Sort::Kind,
            Scope::Gates => claim.sort == Sort::Gate,
            Scope::Calendar => claim.sort == Sort::Release,
        }
    }

    /// Whether an element that one side has should be found on the other, if the other is right and complete.
    fn should_be(&self, claim: &Claim, other: usize) -> bool {
        let Some(side) = self.sides.get(other) else {
            return false;
        };
        // What lacks with all that it is part of is told there. Calendars may reach as far as they like.
        let whole_lacks = claim
            .part_of
            .as_ref()
            .is_some_and(|whole| side.speaks_of(whole).is_none());
        let in_a_list = side.claims.scope == Scope::Deprecations;
        if claim.sort == Sort::Release || (whole_lacks && !in_a_list) {
            return false;
        }
        let ends = [EventKind::Deprecated, EventKind::Removed];
        match (self.scope, side.claims.scope) {
            (Scope::Deprecations, Scope::Deprecations) => {
                claim.sort == Sort::Kind && ends.iter().any(|what| claim.when(*what).is_some())
            }
            (Scope::Gates, Scope::Gates) => self.covers(claim) && !is_removed(claim),
            _ => self.covers(claim),
        }
    }

    /// An element that one side alone has.
    fn alone(&mut self, id: &str, claim: &Claim, side: usize) {
        let mut said = [SaidReport::default(), SaidReport::default()];
        if let Some(said) = said.get_mut(side) {
            *said = report(Some(summary(claim)), claim.place.as_ref());
        }
        let case = Case {
            id,
            what: &What::Present,
            sides: &self.sides,
            claims: if side == 0 {
                [Some(claim), None]
            } else {
                [None, Some(claim)]
            },
            says: if side == 0 { [Some(""), None] } else { [None, Some("")] },
        };
        let reason = case.explain();
        self.add(id, &What::Present, said, reason);
    }

    fn both(&mut self, id: &str, here: &'c Claim, there: &'c Claim) {
        self.counts.compared += 1;
        let before = self.differences.len();
        let of = |claim: &'c Claim| match self.scope {
            Scope::Deprecations => &claim.last,
            _ => &claim.facts,
        };
        let (left, right) = (of(here), of(there));
        let all: BTreeSet<&What> = left.keys().chain(right.keys()).collect();
        // A version with kinds leaves its life to them; one without speaks for all.
        let is_mixed = (here.sort == Sort::Version) != (there.sort == Sort::Version);
        for what in all {
            let facts = [left.get(what), right.get(what)];
            if is_mixed && *what != What::Event(EventKind::Preferred) {
                continue;
            }
            self.fact(id, what, facts, [here, there]);
        }
        if self.differences.len() == before {
            self.counts.agree += 1;
        } else {
            self.counts.differ += 1;
        }
    }

    fn fact(&mut self, id: &str, what: &What, facts: [Option<&Fact>; 2], claims: [&Claim; 2]) {
        let says = facts.map(|fact| fact.map(|fact| fact.value.as_str()));
        let both = says.iter().all(Option::is_some);
        if !both && self.needs_both(what) {
            return;
        }
        let is_date = !matches!(what, What::Replacement | What::Present);
        let agree = says[0] == says[1] || (*what == What::Replacement && self.same_version(says));
        self.counts.dates += usize::from(both && is_date);
        self.counts.dates_differ += usize::from(both && is_date && !agree);
        if agree {
            return;
        }
        let case = Case {
            id,
            what,
            sides: &self.sides,
            claims: claims.map(Some),
            says,
        };
        let reason = case.explain();
        let [here, there] = claims;
        let [of_here, of_there] = facts;
        let said = [(of_here, here), (of_there, there)].map(|(fact, claim)| {
            let place = fact.and_then(|fact| fact.place.as_ref()).or(claim.place.as_ref());
            report(fact.map(|fact| fact.value.clone()), place)
        });
        self.add(id, what, said, reason);
    }

    /// Whether both name one version, where one of them can name no more than that.
    fn same_version(&self, says: [Option<&str>; 2]) -> bool {
        let [Some(left), Some(right)] = says else {
            return false;
        };
        let version = |id: &str| id.split(' ').next().map(str::to_owned);
        let is_version = |id: &str| !id.contains(' ');
        let only_versions = self.sides.iter().any(|side| side.claims.replaced_by_versions);
        (only_versions || is_version(left) != is_version(right)) && version(left) == version(right)
    }

    /// Whether silence of one side is no disagreement: a list need not say what it has no room for.
    fn needs_both(&self, what: &What) -> bool {
        let optional = matches!(what, What::Replacement | What::Event(EventKind::Introduced));
        *what == What::Day
            || (self.scope == Scope::Deprecations && optional)
            || (self.scope == Scope::Gates && !matches!(what, What::Stage(_)))
    }

    fn add(&mut self, id: &str, what: &What, said: [SaidReport; 2], reason: Option<ReasonReport>) {
        let [here, there] = said;
        self.differences.push(DisagreementReport {
            element: id.to_owned(),
            what: what.to_string(),
            here,
            there,
            reason,
        });
    }
}

fn is_removed(claim: &Claim) -> bool {
    claim.when(EventKind::Removed).is_some()
}

fn report(says: Option<String>, place: Option<&Place>) -> SaidReport {
    SaidReport {
        says,
        file: place.map(|place| place.file.clone()),
        line: place.map(|place| place.line),
    }
}

/// What is said of an element that one side alone has.
fn summary(claim: &Claim) -> String {
    let ends = [EventKind::Deprecated, EventKind::Removed].into_iter();
    let said: Vec<String> = ends
        .filter_map(|what| Some(format!("{} {}", what.as_str(), claim.when(what)?)))
        .collect();
    if said.is_empty() {
        return "there".to_owned();
    }
    said.join(", ")
}
