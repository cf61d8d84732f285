//! Staged rollouts: what somebody wants to add or to take away, as releases, steps, and entries of the model.
//!
//! No release is worked out here. The first trial has every step as soon as it may come after the one before it; the
//! model is evaluated with that, and a step that the law bounds from below moves there, until nothing moves any more.
//! So a proposal and `check` cannot disagree: the law is asked, not written again.

mod answer;
mod draft;
mod element;
mod feature;
mod name;
mod removal;
mod settle;
mod version;

use crate::diagnostic::Diagnostic;
use crate::evaluate::Evaluation;
use crate::import::update::Piece;
use crate::release::Release;

use draft::{Draft, Step};
use settle::{Trial, Workshop};

/// What somebody wants to do with an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposal {
    /// A new field, behind a gate: `apps/v1 Deployment .spec.foo`.
    Field {
        /// The gate's name; made from the field's if `None`.
        gate: Option<String>,
    },
    /// A new value of an enumeration, tolerated first: `apps/v1 Deployment .spec.policy=OnMonday`.
    EnumValue {
        /// The gate's name; made from the value's if `None`.
        gate: Option<String>,
    },
    /// A new version: `apps/v2`.
    ApiVersion {
        /// The kinds in it; those of the highest version there is if empty.
        kinds: Vec<String>,
    },
    /// A feature gate, new or carried on: `Frobber2D`.
    Gate,
    /// The end of anything that is there.
    Removal,
}

impl Proposal {
    /// As the command line and reports write it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Field { .. } => "field",
            Self::EnumValue { .. } => "enum-value",
            Self::ApiVersion { .. } => "api-version",
            Self::Gate => "gate",
            Self::Removal => "removal",
        }
    }
}

/// A proposal as somebody makes it.
#[derive(Debug, Clone)]
pub struct Request<'r> {
    /// What to do.
    pub proposal: Proposal,
    /// The element's id.
    pub element: &'r str,
    /// The release of the first step; the next one if `None`.
    pub from: Option<&'r str>,
    /// Releases of steps that are set: the step's name, the release.
    pub at: &'r [(String, String)],
}

/// Why there is nothing to work out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unproposable {
    /// The reason.
    pub message: String,
    /// The next step.
    pub help: String,
}

impl Unproposable {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

/// A proposal worked out, allowed or not.
#[derive(Debug)]
pub struct Rollout {
    proposal: Proposal,
    element: String,
    steps: Vec<Step>,
    /// The texts of the model with the proposal.
    pub texts: Vec<String>,
    pieces: Vec<Piece>,
    evaluation: Evaluation,
    /// What speaks against it.
    against: Vec<String>,
    /// What else comes up because of it: no error.
    remarks: Vec<String>,
    /// Where steps that were asked for too soon may be, by name.
    soonest: Vec<(&'static str, Release)>,
}

impl Rollout {
    /// Whether nothing forbids it.
    pub fn is_allowed(&self) -> bool {
        self.against.is_empty()
    }

    /// The model with the proposal.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }
}

/// Works out a proposal, without changing anything.
///
/// `base` is the model as it is, `texts` are its files, the main one first; `evaluate` reads others in their place, as
/// `base` was read.
///
/// # Errors
///
/// If the proposal fits the model in no way: it names what is not there, or what is there already, or a release that
/// has shipped.
pub fn propose(
    request: &Request<'_>,
    base: &Evaluation,
    texts: &[String],
    evaluate: impl Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<Rollout, Unproposable> {
    let workshop = Workshop::new(request, base, texts, &evaluate)?;
    let (draft, trial) = match workshop.work_out(true) {
        Ok(worked_out) => worked_out,
        Err(problem) => return too_soon(&workshop, problem),
    };
    let against = settle::against(&draft, &trial, base);
    let soonest = if against.is_empty() || request.at.is_empty() {
        Vec::new()
    } else {
        workshop.soonest(&draft)?
    };
    Ok(Rollout {
        proposal: request.proposal.clone(),
        element: draft.element.clone(),
        remarks: settle::remarks(&trial, base),
        steps: draft.steps,
        texts: trial.inserted.updated.texts,
        pieces: trial.inserted.pieces,
        evaluation: trial.evaluation,
        against,
        soonest,
    })
}

/// The refusal of steps that were set so early that no model can say it; `problem` where that is not the reason.
fn too_soon(workshop: &Workshop<'_>, problem: Unproposable) -> Result<Rollout, Unproposable> {
    let Ok((mut draft, trial)) = workshop.work_out(false) else {
        return Err(problem);
    };
    let soonest = workshop.set_too_soon(&draft);
    if soonest.is_empty() {
        return Err(problem);
    }
    let calendar = &workshop.base.model().calendar;
    let mut against = Vec::new();
    for (name, release) in workshop
        .set()
        .filter(|(name, _)| soonest.iter().any(|(late, _)| late == name))
    {
        against.push(format!("`{name}` cannot come in {}", calendar.name(release)));
        for step in draft.steps.iter_mut().filter(|step| step.name == name) {
            (step.release, step.asked) = (release, true);
        }
    }
    Ok(Rollout {
        proposal: workshop.request.proposal.clone(),
        element: draft.element,
        steps: draft.steps,
        texts: workshop.texts().to_vec(),
        pieces: Vec::new(),
        evaluation: trial.evaluation,
        against,
        remarks: Vec::new(),
        soonest,
    })
}

/// The steps of a proposal, before the law has been asked.
fn begin(workshop: &Workshop<'_>) -> Result<Draft, Unproposable> {
    match &workshop.request.proposal {
        Proposal::Field { gate } => feature::field(workshop, gate.as_deref()),
        Proposal::EnumValue { gate } => feature::value(workshop, gate.as_deref()),
        Proposal::ApiVersion { kinds } => version::version(workshop, kinds),
        Proposal::Gate => feature::gate(workshop),
        Proposal::Removal => removal::removal(workshop),
    }
}

/// What follows from the steps there are, once they have settled: further steps, if any.
fn go_on(workshop: &Workshop<'_>, draft: &mut Draft, trial: &Trial) {
    match workshop.request.proposal {
        Proposal::ApiVersion { .. } => version::successions(draft, trial),
        Proposal::Removal => removal::storage(workshop, draft, trial),
        Proposal::Field { .. } | Proposal::EnumValue { .. } | Proposal::Gate => {}
    }
}
