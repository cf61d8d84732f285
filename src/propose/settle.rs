//! Steps moved to the releases that the rules permit.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::derivation::Decisive;
use crate::diagnostic::{Change, Diagnostic, Severity};
use crate::document::{Document, Edit, apply, edit};
use crate::evaluate::{Evaluation, KindSchedule};
use crate::import::update::{Inserted, Piece, insert};
use crate::model::{ElementId, Event, EventKind, Model};
use crate::release::Release;
use crate::source::FileId;

use super::draft::{Draft, Path, Step};
use super::{Proposal, Request, Unproposable, begin, element, go_on};

/// The most rounds: each but the last moves at least one step, and windows chain no deeper than steps do.
const MOST_ROUNDS: usize = 64;

/// The model with a draft inserted, evaluated.
pub(super) struct Trial {
    pub(crate) inserted: Inserted,
    pub(crate) evaluation: Evaluation,
}

/// Evaluates these texts in place of those of the model.
pub(super) type Evaluate<'w> = dyn Fn(&[String]) -> Result<Evaluation, Vec<Diagnostic>> + 'w;

/// What proposals are computed from.
pub(super) struct Inputs<'w> {
    pub(crate) request: &'w Request<'w>,
    pub(crate) base: &'w Evaluation,
    pub texts: &'w [String],
    pub(crate) documents: Vec<Document<'w>>,
    evaluate: &'w Evaluate<'w>,
    /// The release of the first step.
    pub(crate) from: Release,
    /// Releases that are set, by the step's name.
    pub at: Vec<(&'w str, Release)>,
}

impl<'w> Inputs<'w> {
    pub(crate) fn new(
        request: &'w Request<'w>,
        base: &'w Evaluation,
        texts: &'w [String],
        evaluate: &'w Evaluate<'w>,
    ) -> Result<Self, Unproposable> {
        let model = base.model();
        set_once(request.at)?;
        let at = request.at.iter();
        let at = at.map(|(step, release)| Ok((step.as_str(), to_come(model, release)?)));
        let from = request.from.map(|from| to_come(model, from)).transpose()?;
        let documents = (0..=u16::MAX).map(FileId).zip(texts);
        Ok(Self {
            request,
            base,
            texts,
            documents: documents.map(|(id, text)| Document::parse(id, text)).collect(),
            evaluate,
            from: from.unwrap_or_else(|| model.calendar.next()),
            at: at.collect::<Result<_, _>>()?,
        })
    }

    /// The steps of the proposal, settled; `as_asked`: with the releases that were set.
    ///
    /// The kinds of a version are removed together, unless that breaks something which the deprecation of each as
    /// planned, or its removal as well, does not: another version may be waiting for one of them.
    pub(crate) fn work_out(&self, as_asked: bool) -> Result<(Draft, Trial), Unproposable> {
        let together = self.settled_draft(as_asked, KindSchedule::Together);
        let reason = match &together {
            Ok(together) => self.reason_against(together),
            Err(problem) => Some(problem.message.clone()),
        };
        let Some(reason) = reason else { return together };
        for kinds in [KindSchedule::DeprecatedApart, KindSchedule::Apart] {
            let how = match kinds {
                KindSchedule::DeprecatedApart if self.has_kinds_apart() => "deprecated",
                KindSchedule::Apart if self.has_kinds_ending_first() => "removed",
                _ => continue,
            };
            if let Ok(mut apart) = self.settled_draft(as_asked, kinds)
                && self.reason_against(&apart).is_none()
            {
                let remark = format!("its kinds are {how} one by one; in one release, {reason}");
                apart.0.remarks.push(remark);
                return Ok(apart);
            }
        }
        // The reasons of the first answer count.
        together
    }

    /// The element that the proposal removes, if it does.
    fn removed(&self) -> Option<ElementId> {
        let is_removal = self.request.proposal == Proposal::Removal;
        self.base.model().find(self.request.element).filter(|_| is_removal)
    }

    /// Whether the kinds of the version are planned to be deprecated in several releases.
    fn has_kinds_apart(&self) -> bool {
        let (model, reasoning) = (self.base.model(), self.base.reasoning());
        let version = self.removed();
        let kinds = version.map_or_else(Vec::new, |version| model.served_by(version));
        let ends = kinds.iter().map(|kind| model.last_event(*kind, EventKind::Removed));
        let announced = ends.filter_map(|removed| reasoning.announcement(removed, Release::NEVER));
        announced.collect::<BTreeSet<Release>>().len() > 1
    }

    /// Whether some kinds of the version are planned to be removed while others keep it.
    fn has_kinds_ending_first(&self) -> bool {
        let version = self.removed();
        version.is_some_and(|version| {
            let first = self.base.reasoning().kinds_ending_first(version, Release::NEVER);
            !first.is_empty()
        })
    }

    /// The first error that a draft adds, or that one of its steps has no known release.
    fn reason_against(&self, (draft, trial): &(Draft, Trial)) -> Option<String> {
        let mut added = trial.evaluation.findings_added_to(self.base).into_iter();
        let error = added.find(|finding| finding.severity == Severity::Error);
        let waiting = draft.waiting().0.into_iter().next();
        let waiting = waiting.map(|step| format!("`{}` has no known release", step.name));
        error.map(|error| error.message).or(waiting)
    }

    fn settled_draft(&self, as_asked: bool, kinds: KindSchedule) -> Result<(Draft, Trial), Unproposable> {
        let mut draft = begin(self, kinds)?;
        let mut trial = self.settle(&mut draft, as_asked)?;
        let before = draft.steps.len();
        go_on(self, &mut draft, &trial);
        if draft.steps.len() > before {
            trial = self.settle(&mut draft, as_asked)?;
        }
        if self.apply_fixes(&mut draft, &trial) {
            trial = self.settle(&mut draft, as_asked)?;
        }
        trial = self.reworded(&draft, trial);
        if as_asked {
            self.all_known(&draft)?;
        }
        Ok((draft, trial))
    }

    /// The earliest releases of steps that were set too early.
    pub(crate) fn soonest(&self, asked: &Draft) -> Result<Vec<(Cow<'static, str>, Release)>, Unproposable> {
        let (free, _) = self.settled_draft(false, asked.kinds)?;
        let mut soonest: Vec<(Cow<'static, str>, Release)> = Vec::new();
        for step in free.steps.iter().filter(|step| !step.waits) {
            let mut before = asked.steps.iter();
            let was = before.find(|known| known.elements == step.elements && known.declaration == step.declaration);
            let is_late = was.is_some_and(|was| was.asked && was.release < step.release);
            match soonest.iter_mut().find(|(name, _)| *name == step.name) {
                // One release is set for all steps of a name: the last of them decides.
                Some((_, release)) => *release = (*release).max(step.release),
                None if is_late => soonest.push((step.name.clone(), step.release)),
                None => {}
            }
        }
        Ok(soonest)
    }

    /// The steps that were set before their releases in a draft without set releases.
    pub(crate) fn set_too_soon(&self, free: &Draft) -> Vec<(Cow<'static, str>, Release)> {
        let found = self.at.iter().filter_map(|&(name, asked)| {
            let own = free.steps.iter().filter(|step| step.name == name && !step.waits);
            let last = own.max_by_key(|step| step.release)?;
            (asked < last.release).then(|| (last.name.clone(), last.release))
        });
        found.collect()
    }

    /// Moves steps to later releases until the rules and the step before each permit them.
    fn settle(&self, draft: &mut Draft, as_asked: bool) -> Result<Trial, Unproposable> {
        for step in draft.steps.iter_mut().filter(|_| as_asked) {
            if let Some((_, release)) = self.at.iter().find(|(name, _)| *name == step.name) {
                step.release = *release;
                (step.asked, step.waits) = (true, false);
            }
        }
        for _ in 0..MOST_ROUNDS {
            in_order(&mut draft.steps);
            let trial = self.attempt(draft)?;
            if !advance(&mut draft.steps, &trial.evaluation) {
                return Ok(trial);
            }
        }
        Err(Unproposable::new(
            format!("the steps of {} wait for each other in a cycle", draft.element),
            format!(
                "`{}` shows the contradictions of the model",
                self.base.model().command_line("check")
            ),
        ))
    }

    fn attempt(&self, draft: &Draft) -> Result<Trial, Unproposable> {
        let entries = draft.entries(&self.base.model().calendar, &self.earlier_lives(draft));
        let documents: Vec<(&str, &Document<'_>)> =
            self.texts.iter().map(String::as_str).zip(&self.documents).collect();
        let inserted = insert(&documents, &entries);
        if let Some(disagreement) = inserted.updated.disagreements.first() {
            return Err(Unproposable::new(
                format!("{} cannot be proposed: {}", draft.element, disagreement.message),
                "remove the contradiction from the model, or change the proposal",
            ));
        }
        match (self.evaluate)(&inserted.updated.texts) {
            Ok(evaluation) => Ok(Trial { inserted, evaluation }),
            Err(diagnostics) => Err(unreadable(&draft.element, &diagnostics)),
        }
    }

    /// The entries of a draft that have to say which life they are about, with the number of lives before that one.
    fn earlier_lives<'d>(&self, draft: &'d Draft) -> BTreeMap<&'d Path, usize> {
        let model = self.base.model();
        let entries = draft.entries_of_elements();
        let entries = entries.filter_map(|(id, path)| {
            let earlier = element::earlier_lives(&self.documents, model, model.find(id)?, path)?;
            Some((path, earlier))
        });
        entries.collect()
    }

    /// Adds what rules require of the new entries, as the fixes of their findings have it: a warning, a tombstone.
    fn apply_fixes(&self, draft: &mut Draft, trial: &Trial) -> bool {
        let model = trial.evaluation.model();
        let mut added = Vec::new();
        for finding in trial.evaluation.findings_added_to(self.base) {
            let mut own = draft.steps.iter().flat_map(|step| &step.elements);
            let Some(id) = own.find(|id| finding.element.as_ref() == Some(*id)) else {
                continue;
            };
            let Some(element) = model.find(id) else { continue };
            let path = draft.path_of(id);
            let path = path.unwrap_or_else(|| element::path(&self.documents, model, element));
            added.extend(element::additions(&path, &finding));
        }
        added.retain(|(path, key, _)| draft.keys.iter().all(|known| (&known.0, &known.1) != (path, key)));
        let any = !added.is_empty();
        draft.keys.extend(added);
        any
    }

    /// The trial with the help texts of metrics rewritten as rules want them.
    fn reworded(&self, draft: &Draft, mut trial: Trial) -> Trial {
        let steps: Vec<&String> = draft.steps.iter().flat_map(|step| &step.elements).collect();
        let mut news = trial.evaluation.findings_added_to(self.base);
        news.retain(|finding| finding.lacks_words() && steps.iter().any(|id| finding.element.as_ref() == Some(*id)));
        let changes = news.iter().flat_map(|finding| &finding.fix);
        let changes: Vec<&Change> = changes.filter(|change| matches!(change, Change::Set { .. })).collect();
        let mut texts = trial.inserted.updated.texts.clone();
        for (at, text) in texts.iter_mut().enumerate() {
            let own = changes.iter().filter(|change| usize::from(change.span().file.0) == at);
            let edits: Vec<Edit> = own.filter_map(|change| edit(text, change)).collect();
            *text = apply(text, &edits);
        }
        if let Some(Ok(evaluation)) = (!changes.is_empty()).then(|| (self.evaluate)(&texts)) {
            trial.inserted.updated.texts = texts;
            trial.evaluation = evaluation;
            for piece in &mut trial.inserted.pieces {
                if let Piece::Within { lines, .. } = piece {
                    lines.extend(changes.iter().filter_map(|change| element::help_line(change)));
                }
            }
        }
        trial
    }

    /// Refuses releases set for unknown steps.
    fn all_known(&self, draft: &Draft) -> Result<(), Unproposable> {
        let mut names: Vec<&str> = draft.steps.iter().map(|step| &*step.name).collect();
        let Some((name, _)) = self.at.iter().find(|(name, _)| !names.contains(name)) else {
            return Ok(());
        };
        names.dedup();
        Err(Unproposable::new(
            format!("the proposal has no step `{name}`"),
            format!("its steps are {}", names.join(", ")),
        ))
    }
}

/// Refuses a step that is set twice.
fn set_once(at: &[(String, String)]) -> Result<(), Unproposable> {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for (step, release) in at {
        if let Some(other) = known.insert(step, release) {
            return Err(Unproposable::new(
                format!("`{step}` is set twice: to {other} and to {release}"),
                "set each step once",
            ));
        }
    }
    Ok(())
}

/// A release that has not shipped.
fn to_come(model: &Model, text: &str) -> Result<Release, Unproposable> {
    let calendar = &model.calendar;
    let next = calendar.name(calendar.next());
    let later = calendar.name(calendar.next().plus(2));
    let help = format!("name {next} or a later release, such as \"{later}\"");
    let release = calendar
        .find_typed(text)
        .map_err(|problem| Unproposable::new(problem.to_string(), help.as_str()))?;
    if release < calendar.next() {
        return Err(Unproposable::new(
            format!("{} has shipped", calendar.name(release)),
            help,
        ));
    }
    Ok(release)
}

fn unreadable(element: &str, diagnostics: &[Diagnostic]) -> Unproposable {
    let first = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == Severity::Error);
    let message = first.map_or("it cannot be read", |diagnostic| diagnostic.message.as_str());
    let help = first.and_then(|diagnostic| diagnostic.help.clone());
    Unproposable::new(
        format!("the model with {element} cannot be read: {message}"),
        help.unwrap_or_else(|| "`lifecycle explain model` documents every key".to_owned()),
    )
}

/// Moves each step behind those before it, unless it was set.
fn in_order(steps: &mut [Step]) {
    for at in 0..steps.len() {
        for (before, releases) in steps[at].after.clone() {
            let (release, waits) = (steps[before].release.plus(releases), steps[before].waits);
            let step = &mut steps[at];
            if !step.asked {
                step.release = step.release.max(release);
                step.waits |= waits;
            }
        }
    }
}

/// Moves steps to their lower bounds; answers whether any moved.
fn advance(steps: &mut [Step], evaluation: &Evaluation) -> bool {
    let mut moved = false;
    for step in steps.iter_mut().filter(|step| !step.waits) {
        let bound = bound(step, evaluation);
        if bound.is_never() && !step.asked {
            step.waits = true;
            moved = true;
        } else if bound > step.release && !step.asked {
            step.release = bound;
            moved = true;
        }
    }
    moved
}

/// The lower bound that rules set for a step.
fn bound(step: &Step, evaluation: &Evaluation) -> Release {
    let reasoning = evaluation.reasoning();
    let bounds = events(step, evaluation.model())
        .into_iter()
        .filter_map(|event| reasoning.lower(event))
        .filter(|found| binds(found, step.release, evaluation))
        .map(|found| found.worked.release());
    bounds.max().unwrap_or(Release(0))
}

/// Whether a step waits for a bound: the removal of a part of an alpha before the alpha is only warned of.
pub(super) fn binds(found: &Decisive<'_>, release: Release, evaluation: &Evaluation) -> bool {
    let (model, obligation) = (evaluation.model(), found.obligation);
    let element = obligation.event.element;
    let severity = obligation.rule().and_then(|rule| {
        let track = model.track_at(element, release);
        evaluation.law().severity(rule, obligation.code, track, release)
    });
    !model.element(element).kind.is_member() || severity >= Some(Severity::Error)
}

/// The events of a step, in a model that declares it: those of the kinds of a version, which may have to stay longer as
/// a whole. A kind whose own entry declares the event has no part in it.
pub(super) fn events(step: &Step, model: &Model) -> Vec<Event> {
    let found = step.elements.iter().filter_map(|id| model.find(id));
    let mut elements: Vec<ElementId> = found
        .flat_map(|id| model.served_by(id).into_iter().chain([id]))
        .collect();
    elements.dedup();
    let events = elements.into_iter().map(|id| Event {
        step: step.nth,
        ..model.last_event(id, step.what)
    });
    let events = events.filter(|event| {
        let is_named = step.elements.iter().any(|id| model.id(event.element) == id);
        is_named || !model.declares_itself(*event)
    });
    events.collect()
}
