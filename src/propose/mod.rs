//! Staged rollouts: an addition or a removal as steps, each with its release and its entry in the model.
//!
//! This module has no windows of its own: it finds releases by trial. Each step begins as soon as the step before it
//! permits; the model is evaluated with that, and each step moves to the lower bound that a rule sets for it, until no
//! step moves. Where one release for the deprecations of all kinds of a version breaks something, these come one by
//! one, and then the removals too. What the plan derives from a new version (deprecations, moves, removals) is read
//! from the trial and declared; errors that the trial adds are the reasons of a refusal. So a proposal and `check`
//! cannot disagree. The announcements of a proposal are those that the notes have with it and not without.

mod answer;
mod deprecation;
mod draft;
mod element;
mod feature;
mod judge;
mod name;
mod removal;
mod settle;
mod version;

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::evaluate::{Evaluation, KindSchedule};
use crate::grammar::ElementPath;
use crate::import::path_text;
use crate::import::update::Piece;
use crate::release::Release;
use crate::report::ProposalKind;

use draft::{Draft, Step};
use judge::Judged;
use settle::{Inputs, Trial};

/// A kind of proposal.
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
    /// A feature gate, new or existing: `Frobber2D`.
    Gate,
    /// The deprecation of any element.
    Deprecation,
    /// The removal of any element.
    Removal,
}

impl Proposal {
    /// As reports write it.
    pub(crate) fn kind(&self) -> ProposalKind {
        match self {
            Self::Field { .. } => ProposalKind::Field,
            Self::EnumValue { .. } => ProposalKind::EnumValue,
            Self::ApiVersion { .. } => ProposalKind::ApiVersion,
            Self::Gate => ProposalKind::Gate,
            Self::Deprecation => ProposalKind::Deprecation,
            Self::Removal => ProposalKind::Removal,
        }
    }
}

/// A proposal as the user makes it.
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

/// Why a proposal cannot be computed.
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

/// A computed proposal, allowed or not.
#[derive(Debug)]
pub struct Rollout {
    proposal: Proposal,
    element: String,
    steps: Vec<Step>,
    /// The texts of the model with the proposal.
    pub texts: Vec<String>,
    pieces: Vec<Piece>,
    evaluation: Evaluation,
    /// The reasons of its refusal.
    against: Vec<String>,
    /// What to do about them.
    next_steps: Vec<String>,
    /// New findings below errors.
    remarks: Vec<String>,
    /// The earliest releases of steps that were set too early, by name.
    soonest: Vec<(Cow<'static, str>, Release)>,
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

/// The table of a model that declares an element: `[group.apps.kind.Deployment.field."spec.replicas"]`. `None` if the
/// text is no id.
pub fn declaration(id: &str) -> Option<String> {
    let keys = ElementPath::parse(id.trim()).ok()?.keys();
    Some(format!("[{}]", path_text(&keys)))
}

/// Computes a proposal, without changing anything.
///
/// `base` is the model as it is, `texts` are its files, the main one first; `evaluate` reads others in their place, as
/// `base` was read.
///
/// # Errors
///
/// If the proposal does not fit the model: it names an element that is not declared, or already is, or a release that
/// has shipped.
pub fn propose(
    request: &Request<'_>,
    base: &Evaluation,
    texts: &[String],
    evaluate: impl Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<Rollout, Unproposable> {
    let inputs = Inputs::new(request, base, texts, &evaluate)?;
    let (draft, trial) = match inputs.work_out(true) {
        Ok(worked_out) => worked_out,
        Err(problem) => return too_soon(&inputs, problem),
    };
    let Judged {
        against,
        next_steps,
        mut remarks,
    } = judge::judged(&draft, &trial, base);
    remarks.extend(draft.remarks.iter().cloned());
    if matches!(request.proposal, Proposal::ApiVersion { .. }) {
        remarks.extend(lacked_as_before(&trial.evaluation, base));
    }
    if request.proposal == Proposal::Deprecation {
        remarks.extend(deprecation::outlook(&trial.evaluation, &draft.element));
    }
    let soonest = if against.is_empty() || request.at.is_empty() {
        Vec::new()
    } else {
        inputs.soonest(&draft)?
    };
    Ok(Rollout {
        proposal: request.proposal.clone(),
        element: draft.element.clone(),
        remarks,
        steps: draft.steps,
        texts: trial.inserted.updated.texts,
        pieces: trial.inserted.pieces,
        evaluation: trial.evaluation,
        against,
        next_steps,
        soonest,
    })
}

/// What lacks counterparts beside a new version, or in it, as it did before: nothing against it, but `check` finds it.
fn lacked_as_before(trial: &Evaluation, base: &Evaluation) -> Option<String> {
    let count = trial.count_lacked_as_before(base);
    let lack = if count == 1 {
        "member lacks a counterpart"
    } else {
        "members lack counterparts"
    };
    let record = base.model().command_line("check --write-baseline");
    (count > 0).then(|| {
        format!("{count} {lack} in another version, as before: `{record}` records the new findings in the baseline")
    })
}

/// The refusal of steps that were set so early that the model cannot be read; `problem` if that is not the reason.
fn too_soon(inputs: &Inputs<'_>, problem: Unproposable) -> Result<Rollout, Unproposable> {
    let Ok((mut draft, trial)) = inputs.work_out(false) else {
        return Err(problem);
    };
    let soonest = inputs.set_too_soon(&draft);
    if soonest.is_empty() {
        return Err(problem);
    }
    let calendar = &inputs.base.model().calendar;
    let mut against = Vec::new();
    let late = inputs
        .at
        .iter()
        .filter(|(name, _)| soonest.iter().any(|(late, _)| late == name));
    for &(name, release) in late {
        against.push(format!("`{name}` cannot come in {}", calendar.name(release)));
        for step in draft.steps.iter_mut().filter(|step| step.name == name) {
            (step.release, step.asked) = (release, true);
        }
    }
    Ok(Rollout {
        proposal: inputs.request.proposal.clone(),
        element: draft.element,
        steps: draft.steps,
        texts: inputs.texts.to_vec(),
        pieces: Vec::new(),
        evaluation: trial.evaluation,
        against,
        next_steps: Vec::new(),
        remarks: Vec::new(),
        soonest,
    })
}

/// The steps of a proposal, before rules move them.
fn begin(inputs: &Inputs<'_>, kinds: KindSchedule) -> Result<Draft, Unproposable> {
    match &inputs.request.proposal {
        Proposal::Field { gate } => feature::field(inputs, gate.as_deref()),
        Proposal::EnumValue { gate } => feature::value(inputs, gate.as_deref()),
        Proposal::ApiVersion { kinds } => version::version(inputs, kinds),
        Proposal::Gate => feature::gate(inputs),
        Proposal::Deprecation => deprecation::deprecation(inputs),
        Proposal::Removal => removal::removal(inputs, kinds),
    }
}

/// Adds the steps that follow from the settled ones.
fn go_on(inputs: &Inputs<'_>, draft: &mut Draft, trial: &Trial) {
    match inputs.request.proposal {
        Proposal::ApiVersion { .. } => version::successions(inputs, draft, trial),
        Proposal::Removal => removal::storage(inputs, draft, trial),
        Proposal::Field { .. } | Proposal::EnumValue { .. } | Proposal::Gate | Proposal::Deprecation => {}
    }
}
