//! `check --remove`: whether a removal would be allowed, why, from when, and what still names the element.
//!
//! A removal is judged by trial: the model is evaluated with it and without it, and only findings that it adds count.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Folded, Severity, folded};
use crate::document::RULE;
use crate::grammar::rest_within;
use crate::model::{ElementId, EventKind, Model, in_shell, known_releases};
use crate::policy::Law;
use crate::release::Release;
use crate::report::{NamedByReport, ProposalReport, Report, StepBeforeReport};
use crate::source::Sources;

use super::added::added;
use super::charged::Charges;
use super::planning::Planned;
use super::trial::{KindSchedule, Removal, RemovalTrial, withdrawn};
use super::{Evaluation, Supposition};

/// Why a removal cannot be proposed, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRemoval {
    /// Why not.
    pub message: String,
    /// The next step.
    pub help: String,
}

/// Proposed removals with their findings.
#[derive(Debug)]
pub struct JudgedRemovals {
    removals: Vec<Removal>,
    /// The model without the removals.
    before: Evaluation,
    /// The model with the deprecations and the removals; its findings count against the removals.
    supposed: Evaluation,
    /// The removals that cause the findings about none of them.
    charges: Charges,
    /// The plans with the other removals, for the elements of removals that wait for these.
    beside: BTreeMap<ElementId, Planned>,
    /// How the kinds of a version are removed with it.
    kinds: KindSchedule,
}

/// Judges removals together, without changing anything. `evaluate` reads the model with suppositions.
///
/// Declared removals of these elements are ignored. A deprecation that is needed and not declared is supposed in the
/// release of the plan, or else in the next release, and judged with the removal; those of the kinds of a version in
/// one release, or with their ends apart, if that is what does not break a rule. What the model has without both does
/// not count against them, and neither do the words that go with them. A removal that the declarations rule out is
/// refused without a trial.
///
/// # Errors
///
/// If the model has errors.
pub fn judge_removals(
    removals: &[Removal],
    evaluate: impl Fn(&[Supposition]) -> Result<Evaluation, Vec<Diagnostic>>,
) -> Result<JudgedRemovals, Vec<Diagnostic>> {
    let before = evaluate(&withdrawn(removals).collect::<Vec<_>>())?;
    let ruled_out: Vec<Diagnostic> = removals
        .iter()
        .filter_map(|removal| before.ruled_out(*removal))
        .collect();
    let possible = removals
        .iter()
        .filter(|removal| !ruled_out.iter().any(|finding| before.is_about(finding, **removal)));
    let possible: Vec<Removal> = possible.copied().collect();
    let mut kinds = KindSchedule::DeprecatedApart;
    let apart = evaluate(&before.suppositions(removals, &possible, kinds))?;
    let (mut supposed, mut all) = tried(&before, apart);
    for other in [KindSchedule::Together, KindSchedule::Apart] {
        if errors(&supposed) == 0 || !before.is_worth_trying(&possible, other) {
            continue;
        }
        let trial = evaluate(&before.suppositions(removals, &possible, other))?;
        let trial = tried(&before, trial);
        if errors(&trial.0) < errors(&supposed) {
            (supposed, all) = trial;
            kinds = other;
        }
    }
    let trial = RemovalTrial {
        removals: &possible,
        all: &all,
        added: &supposed.findings,
        reasoning: supposed.reasoning(),
    };
    let hidden = possible
        .iter()
        .filter_map(|removal| before.hidden_bound(*removal, &trial));
    let hidden: Vec<Diagnostic> = hidden.collect();
    supposed.findings.extend(hidden);
    supposed.findings.extend(ruled_out);
    supposed.findings.sort_by(Diagnostic::listing_order);
    let unclaimed = supposed.findings.iter();
    let unclaimed = unclaimed.filter(|finding| !removals.iter().any(|removal| before.is_about(finding, *removal)));
    let elements: Vec<ElementId> = possible.iter().map(|removal| removal.element).collect();
    let charges = Charges::of(unclaimed, &elements, |half| {
        evaluate(&before.suppositions(removals, &possible[half], kinds)).map(|trial| added(trial.findings, &before))
    })?;
    Ok(JudgedRemovals {
        removals: removals.to_vec(),
        kinds,
        beside: before.beside(&possible, kinds).map_err(|error| vec![*error])?,
        before,
        supposed,
        charges,
    })
}

/// A model with removals, with the findings that it adds to another one, and all that it has.
fn tried(before: &Evaluation, mut supposed: Evaluation) -> (Evaluation, Vec<Diagnostic>) {
    let all = std::mem::take(&mut supposed.findings);
    supposed.findings = added(all.clone(), before);
    supposed.findings.retain(|finding| !finding.lacks_words());
    (supposed, all)
}

fn errors(supposed: &Evaluation) -> usize {
    let findings = supposed.findings.iter();
    findings.filter(|finding| finding.severity == Severity::Error).count()
}

impl JudgedRemovals {
    /// The report: whether each removal is allowed, why, from when, and what still names its element. Its diagnostics
    /// are the findings against the removals.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        let removals = self.removals.iter();
        Report {
            proposals: removals.map(|removal| self.answer(*removal, sources)).collect(),
            ..self.supposed.report(sources)
        }
    }

    fn answer<'a>(&'a self, removal: Removal, sources: &Sources<'_>) -> ProposalReport<'a> {
        let before = &self.before;
        let findings = &self.supposed.findings;
        let against: Vec<&Diagnostic> = self.against(findings, &removal).collect();
        let beside = self.beside.get(&removal.element);
        let reasoning = beside.map_or_else(|| before.reasoning(), Planned::reasoning);
        let soonest = reasoning.soonest_end(removal.element);
        let refused = against.iter().find(|finding| finding.severity == Severity::Error);
        let place = refused.and_then(|finding| sources.locate(finding.primary.as_ref()?.span));
        ProposalReport {
            element: before.model.id(removal.element),
            release: before.names.moment(removal.release),
            allowed: refused.is_none(),
            misses: removal
                .misses(&before.model.calendar)
                .and_then(|release| before.names.moment(release)),
            file: place.map(|(file, _)| file.to_owned()),
            line: place.map(|(_, place)| place.line),
            help: refused.map(|finding| before.next_step(removal, &soonest, finding)),
            soonest: before.material().soonest(&soonest),
            never_before_major: reasoning.major_awaited(&soonest),
            if_deprecated: before
                .announcement_supposed(removal, refused.map(|_| soonest.release), self.kinds)
                .and_then(|release| before.names.moment(release)),
            steps: before.steps_needed(removal, refused.is_none()),
            reasons: reasons(&against, refused.is_some()),
            named_by: before.named_by(removal, &self.removals, sources),
        }
    }

    /// The findings that count against one removal: about its element or a part of it, or caused by one of these,
    /// except those about a part only that is proposed to be removed earlier; and those about none of the removals that
    /// it causes.
    fn against<'f>(&'f self, findings: &'f [Diagnostic], removal: &'f Removal) -> impl Iterator<Item = &'f Diagnostic> {
        let before = &self.before;
        findings.iter().filter(move |finding| {
            if before.is_about(finding, *removal) {
                return !self.is_about_a_part(finding, *removal);
            }
            !self.removals.iter().any(|other| before.is_about(finding, *other))
                && self.charges.is_against(finding, removal.element)
        })
    }

    /// Whether a finding about a removal is one about a part only that is proposed to be removed earlier.
    fn is_about_a_part(&self, finding: &Diagnostic, removal: Removal) -> bool {
        let before = &self.before;
        let mut others = self.removals.iter().filter(|other| other.release < removal.release);
        others.any(|part| {
            let ids = [finding.element.as_deref(), finding.caused_by.as_deref()];
            let mut ids = ids.into_iter().flatten().filter(|id| before.is_within(id, removal));
            before.is_within(before.model.id(part.element), removal) && ids.all(|id| before.is_within(id, *part))
        })
    }

    /// The law that judged.
    pub fn law(&self) -> &Law {
        &self.supposed.law
    }
}

impl Evaluation {
    /// The removal that a user proposes by the element's position and the release's name.
    ///
    /// # Errors
    ///
    /// If the release is unknown or has shipped, or the element was removed already.
    pub fn removal(&self, element: ElementId, release: &str) -> Result<Removal, NoRemoval> {
        let calendar = &self.model.calendar;
        let at = calendar.find_typed(release).map_err(|problem| NoRemoval {
            help: known_releases(calendar, &problem),
            message: problem.to_string(),
        })?;
        let no_removal = self.shipped(element, at).or_else(|| self.never_there(element));
        let removal = Removal {
            element,
            release: at,
            declared: self.model.declared_end(element),
        };
        no_removal.map_or(Ok(removal), Err)
    }

    /// Why a removal of an element in a release is no question: what has shipped does not change.
    fn shipped(&self, element: ElementId, at: Release) -> Option<NoRemoval> {
        let model = &self.model;
        let calendar = &model.calendar;
        if calendar.current().is_some_and(|current| at <= current) {
            return Some(NoRemoval {
                message: format!("{} has shipped", calendar.name(at)),
                help: format!("propose a removal for {} or later", calendar.name(calendar.next())),
            });
        }
        let reasoning = self.reasoning();
        let parts = model.served_by(element).into_iter();
        if !parts.clone().all(|part| reasoning.has_ended(part)) {
            return None;
        }
        let ends = parts.filter_map(|part| reasoning.release(model.last_event(part, EventKind::Removed)));
        ends.max().map(|removed| NoRemoval {
            message: format!(
                "{} was already removed in {}",
                model.id(element),
                calendar.name(removed)
            ),
            help: format!(
                "`{}` shows its life",
                model.command_line(&format!("why {}", in_shell(model.id(element))))
            ),
        })
    }

    /// The steps that a removal needs: of the trial which permits it, or else of the soonest one.
    fn steps_needed(&self, removal: Removal, is_allowed: bool) -> Vec<StepBeforeReport<'_>> {
        let last = if is_allowed { removal.release } else { Release::NEVER };
        let steps = self.reasoning().steps_of_all(&self.model.served_by(removal.element));
        let steps = steps.into_iter().map(|(what, release)| StepBeforeReport {
            what: self.model.event_word(what).verb().to_string(),
            release: self.names.moment(release.min(last)),
        });
        steps.collect()
    }

    /// The release of the last deprecation that a removal needs: that of the trial which permits it, or else of the
    /// `soonest` one.
    fn announcement_supposed(
        &self,
        removal: Removal,
        soonest: Option<Release>,
        kinds: KindSchedule,
    ) -> Option<Release> {
        let release = soonest.unwrap_or(removal.release);
        if kinds == KindSchedule::Together && self.has_kinds_apart(removal) {
            let parts = self.model.served_by(removal.element);
            return self.reasoning().announced_together(&parts, release);
        }
        let announced = self.unannounced(Removal { release, ..removal }).into_iter();
        let last = announced.map(|(_, release)| release).max()?;
        Some(last.min(release))
    }

    /// Whether a finding is about the element of a removal or a part of it, or is caused by one of these.
    fn is_about(&self, finding: &Diagnostic, removal: Removal) -> bool {
        let ids = [finding.element.as_deref(), finding.caused_by.as_deref()];
        ids.into_iter().flatten().any(|id| self.is_within(id, removal))
    }

    /// Whether an id is that of the element of a removal, or of a part of it.
    pub(super) fn is_within(&self, id: &str, removal: Removal) -> bool {
        rest_within(id, self.model.id(removal.element)).is_some()
    }

    fn named_by<'a>(&'a self, removal: Removal, all: &[Removal], sources: &Sources<'_>) -> Vec<NamedByReport<'a>> {
        let model = &self.model;
        let named = model.named_by(removal.element).into_iter();
        named
            .filter(|named| !is_removed(model, named.element, removal.release))
            // What is part of a removed element goes with it.
            .filter(|named| !model.with_wholes(named.element).any(|id| is_proposed(id, all)))
            .map(|named| {
                let place = sources.locate(named.span);
                NamedByReport {
                    element: model.id(named.element),
                    how: named.how,
                    file: place.map(|(file, _)| file.to_owned()),
                    line: place.map(|(_, place)| place.line),
                }
            })
            .collect()
    }
}

/// Whether an element, or one that it is part of, is removed by a release.
fn is_removed(model: &Model, id: ElementId, by: Release) -> bool {
    model.with_wholes(id).any(|id| {
        let removed = model.declared_release(model.last_event(id, EventKind::Removed));
        removed.is_some_and(|removed| removed <= by)
    })
}

fn is_proposed(id: ElementId, removals: &[Removal]) -> bool {
    removals.iter().any(|removal| removal.element == id)
}

/// Why a removal is refused, by its errors; or what to review of one that is not.
fn reasons(against: &[&Diagnostic], is_refused: bool) -> Vec<String> {
    let shown = against
        .iter()
        .filter(|finding| !is_refused || finding.severity == Severity::Error);
    folded(shown.copied()).iter().map(reason).collect()
}

/// A finding as the reason of a refusal.
fn reason(folded: &Folded<'_>) -> String {
    let (finding, also) = (folded.finding, folded.also());
    let rule = match &finding.number {
        Some(number) => format!("#{number} {}", finding.rule),
        None if finding.rule == RULE => return finding.message.clone(),
        None => finding.rule.to_owned(),
    };
    let because: Vec<&str> = finding.because.iter().map(|fact| fact.text.as_str()).collect();
    match because.join("; ").as_str() {
        "" => format!("{rule}: {}{also}", finding.message),
        because => format!("{rule}: {}{also} ({because})", finding.message),
    }
}
