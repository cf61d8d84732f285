//! A model planned under a law: what the law states, what is planned, and what depends on the plan.

use std::collections::BTreeSet;

use crate::answer::ReleaseNames;
use crate::check;
use crate::derivation::{self, Reasoning, Replanned};
use crate::diagnostic::Diagnostic;
use crate::document::RULE;
use crate::model::{ElementId, Event, EventKind, Model, Portion};
use crate::obligation::{Obligation, Obligations, Steps};
use crate::plan::{self, Assignment};
use crate::policy::Law;
use crate::release::Release;
use crate::rules;
use crate::source::Span;

use super::replanned::{ends_before_promotions, replanned_ends};
use super::{Evaluation, Loaded, Supposition};

/// The most plans of a portion for each kind of end that is planned again; of more ends, several share a plan.
const MOST_PLANS: usize = 16;

/// The most elements of all plans of a portion together, unless one plan has more.
const MOST_PLANNED: usize = 100_000;

/// The obligations of a model, which releases of its events are open, and the plan that meets them.
type Plan = (Obligations, plan::Intentions, Assignment);

/// A model and its plan, which nothing was checked of.
#[derive(Debug)]
pub(super) struct Planned {
    model: Model,
    obligations: Obligations,
    intentions: plan::Intentions,
    assignment: Assignment,
}

impl Planned {
    /// The plan of a model; the error of one whose plan takes too many steps.
    fn of(model: Model, law: &Law) -> Result<Self, Box<Diagnostic>> {
        let steps = Steps::of(model.elements().len());
        let Some((obligations, intentions, assignment)) = plan_within(&model, law, &steps) else {
            return Err(Box::new(too_many_steps(&model, &steps)));
        };
        Ok(Self {
            model,
            obligations,
            intentions,
            assignment,
        })
    }

    pub(super) fn reasoning(&self) -> Reasoning<'_> {
        Reasoning {
            model: &self.model,
            obligations: &self.obligations,
            assignment: &self.assignment,
            supposed: None,
            replanned: None,
        }
    }

    /// When ends may come that are planned again. Where such a plan takes too many steps, the answer is that of this
    /// plan.
    fn replanned(&self, law: &Law, findings: &[Diagnostic]) -> Replanned {
        let mut replanned = self.announced_before_promotions(law, ends_before_promotions(self.reasoning()));
        for ends in self.sharing_a_plan(replanned_ends(&self.model, findings), |element| *element) {
            let withdrawn = ends.iter().map(|element| (*element, EventKind::Removed, None));
            if let Ok(without) = self.supposing(law, withdrawn) {
                let parts = ends.iter().flat_map(|element| without.model.served_by(*element));
                let parts: BTreeSet<ElementId> = parts.collect();
                let mut before = ends_before_promotions(without.reasoning());
                before.retain(|(end, _)| parts.contains(&end.element));
                let before = without.announced_before_promotions(law, before);
                let reasoning = Reasoning {
                    replanned: Some(&before),
                    ..without.reasoning()
                };
                for element in ends {
                    replanned.add(reasoning, element);
                }
            }
        }
        replanned
    }

    /// When these ends may come that are sooner if they are announced before a gate makes a life more stable.
    fn announced_before_promotions(&self, law: &Law, ends: Vec<(Event, Release)>) -> Replanned {
        let mut replanned = Replanned::default();
        for ends in self.sharing_a_plan(ends, |(end, _)| end.element) {
            let announced = ends.iter();
            let announced = announced.map(|(end, release)| (end.element, EventKind::Deprecated, Some(*release)));
            if let Ok(again) = self.supposing(law, announced) {
                for end in ends {
                    replanned.add_announced(self.reasoning(), again.reasoning(), end);
                }
            }
        }
        replanned
    }

    /// The ends that one plan each is made for: some of each portion, because what is planned of one does not depend on
    /// another.
    fn sharing_a_plan<T: Copy>(&self, ends: Vec<T>, element: fn(&T) -> ElementId) -> Vec<Vec<T>> {
        let mut plans: Vec<Vec<T>> = Vec::new();
        for (size, own) in self.model.by_portion(ends, element) {
            let most = (MOST_PLANNED / size.max(1)).clamp(1, MOST_PLANS);
            for (at, some) in own.chunks(own.len().div_ceil(most)).enumerate() {
                if plans.len() == at {
                    plans.push(Vec::new());
                }
                plans[at].extend(some);
            }
        }
        plans
    }

    /// The plan of the portion around some elements as if more, or less, were declared of them.
    fn supposing(
        &self,
        law: &Law,
        suppositions: impl Iterator<Item = Supposition> + Clone,
    ) -> Result<Self, Box<Diagnostic>> {
        let portion = self
            .model
            .portion_around(suppositions.clone().map(|(element, ..)| element));
        Self::of(supposing(&self.model, suppositions).only(portion), law)
    }
}

/// The model as if more, or less, were declared.
fn supposing(model: &Model, suppositions: impl Iterator<Item = Supposition>) -> Model {
    let mut model = model.clone();
    for (element, what, release) in suppositions {
        let life = model.last_life(element);
        model.suppose(Event::new(element, life, what), release);
    }
    model
}

fn plan_within(model: &Model, law: &Law, steps: &Steps) -> Option<Plan> {
    let elements = model.elements().len();
    let stated = rules::state(model, law);
    let (mut obligations, intentions) = plan::intend(model, law, stated);
    let mut assignment = plan::solve(model, &obligations, &intentions.open);
    let planned = rules::state_planned(model, law, &|event| assignment.release(model, event), steps);
    if !planned.is_empty() {
        let may_change = assignment.may_change(model, &planned);
        obligations = obligations.and(planned, elements);
        if may_change {
            assignment = plan::solve(model, &obligations, &intentions.open);
        }
    }
    let assignment = assignment.resolved(model);
    let served = rules::state_served(model, law, &|event| assignment.release(model, event));
    if !served.is_empty() {
        obligations = obligations.and(served, elements);
    }
    let more = depending_on_ends(model, law, (&obligations, &assignment), steps);
    if !more.is_empty() {
        obligations = obligations.and(more, elements);
    }
    (!steps.are_spent()).then_some((obligations, intentions, assignment))
}

/// The obligations that depend on the first release in which a life may end.
fn depending_on_ends(
    model: &Model,
    law: &Law,
    (obligations, assignment): (&Obligations, &Assignment),
    steps: &Steps,
) -> Vec<Obligation> {
    let reasoning = Reasoning {
        model,
        obligations,
        assignment,
        supposed: None,
        replanned: None,
    };
    let mut more = derivation::open_ends(reasoning, law, steps);
    let lasting = rules::state_lasting(
        model,
        law,
        (&|removed| reasoning.soonest_removal(removed).release, &|event| {
            reasoning.release(event)
        }),
    );
    more.extend(lasting);
    more
}

fn too_many_steps(model: &Model, steps: &Steps) -> Diagnostic {
    let message = format!(
        "the versions of the model overlap in too many ways: it takes more than {} steps to plan their ends",
        steps.most()
    );
    let help = "leave out versions that were removed long ago, or split the model";
    let error = Diagnostic::error(RULE, "too-many", message).help(help);
    // The group with the most versions and kinds has the most to work out.
    let groups = model.groups.iter();
    let largest = groups.max_by_key(|group| group.versions.len().saturating_mul(group.kinds.len() + 1));
    match largest.and_then(|group| group.versions.first()) {
        Some(version) => error.at(
            model.element(version.element).span,
            "the group with the most versions and kinds",
        ),
        None => error,
    }
}

impl Loaded {
    /// Whether an element ever begins: by the plan, what it is part of may end before that. If that takes too many
    /// steps to plan, it is taken to begin.
    pub(crate) fn ever_begins(&self, element: ElementId) -> bool {
        let portion = self.model.portion_around([element]);
        let planned = Planned::of(self.model.clone().only(portion), &self.law);
        planned.map_or(true, |planned| planned.reasoning().ever_begins(element))
    }
}

impl Evaluation {
    /// Plans and checks a model under a law. `warnings` were found while reading it.
    ///
    /// # Errors
    ///
    /// If it takes too many steps to plan.
    pub(crate) fn new(model: Model, law: Law, warnings: Vec<Diagnostic>) -> Result<Self, Box<Diagnostic>> {
        Ok(Self::checked(Planned::of(model, &law)?, law, warnings))
    }

    fn checked(planned: Planned, law: Law, warnings: Vec<Diagnostic>) -> Self {
        let mut findings = check::check(planned.reasoning(), &law, &planned.intentions);
        let replanned = planned.replanned(&law, &findings);
        if !replanned.is_empty() {
            let reasoning = Reasoning {
                replanned: Some(&replanned),
                ..planned.reasoning()
            };
            findings = check::check(reasoning, &law, &planned.intentions);
        }
        // A rule may report an unknown reference too.
        let mut warnings = warnings;
        let unknown = findings.iter().filter(|finding| finding.code == "unknown");
        let unknown: BTreeSet<Option<Span>> = unknown.map(Diagnostic::span).collect();
        warnings.retain(|warning| !unknown.contains(&warning.span()));
        findings.extend(warnings);
        findings.sort_by(Diagnostic::listing_order);
        let Planned {
            model,
            obligations,
            assignment,
            ..
        } = planned;
        Self {
            names: ReleaseNames::of(&model.calendar),
            current: model.calendar.current(),
            model,
            law,
            obligations,
            assignment,
            findings,
            replanned,
            base: None,
            baseline: None,
            partly_compared: Vec::new(),
            as_of: None,
            usage: None,
            selection: None,
        }
    }

    /// The plan of the model as if more, or less, were declared.
    ///
    /// # Errors
    ///
    /// If it takes too many steps to plan.
    pub(super) fn planned_supposing(&self, suppositions: &[Supposition]) -> Result<Planned, Box<Diagnostic>> {
        Planned::of(supposing(&self.model, suppositions.iter().copied()), &self.law)
    }

    /// The plan of a portion of the model as if more, or less, were declared of it.
    ///
    /// # Errors
    ///
    /// If it takes too many steps to plan.
    pub(super) fn planned_within(
        &self,
        portion: &Portion,
        suppositions: &[Supposition],
    ) -> Result<Planned, Box<Diagnostic>> {
        let model = supposing(&self.model, suppositions.iter().copied());
        Planned::of(model.only(portion.clone()), &self.law)
    }

    /// The same, checked. What was found while the files were read is left out.
    ///
    /// # Errors
    ///
    /// If it takes too many steps to plan.
    pub(super) fn within(&self, portion: &Portion, suppositions: &[Supposition]) -> Result<Self, Box<Diagnostic>> {
        let planned = self.planned_within(portion, suppositions)?;
        let mut with = Self::checked(planned, self.law.clone(), Vec::new());
        with.current = self.current;
        with.as_of = self.as_of;
        with.judge_usage(self.usage.as_ref());
        Ok(with)
    }

    /// How many steps it took to work out which versions overlap.
    #[cfg(test)]
    pub(crate) fn steps_taken(&self) -> usize {
        let steps = Steps::of(self.model.elements().len());
        let planned = plan_within(&self.model, &self.law, &steps);
        assert!(planned.is_some(), "the model could be planned");
        steps.taken()
    }

    /// The error where it takes more steps than these to work out which versions overlap.
    #[cfg(test)]
    pub(crate) fn refused_within(&self, most: usize) -> Option<Diagnostic> {
        let steps = Steps::at_most(most);
        let planned = plan_within(&self.model, &self.law, &steps);
        planned.is_none().then(|| too_many_steps(&self.model, &steps))
    }
}
