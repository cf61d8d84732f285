//! `check --remove`: whether a removal would be allowed, why, from when, and what still names the element.
//!
//! A removal is judged by trial: the model is evaluated with it and without it, and only findings that it adds count.

use std::collections::HashMap;

use crate::baseline::mark_no_worse;
use crate::diagnostic::{Diagnostic, Missed, RuleId, Severity, Violation};
use crate::document::RULE;
use crate::grammar::rest_within;
use crate::model::{ElementId, EventKind, Model, known_releases};
use crate::policy::Law;
use crate::release::Release;
use crate::report::{NamedByReport, ProposalReport, Report};
use crate::source::Sources;

use super::{Evaluation, Supposition};

/// A proposed removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The element.
    pub element: ElementId,
    /// The release in which it would be removed.
    pub(crate) release: Release,
}

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
}

/// Judges removals together, without changing anything. `evaluate` reads the model with suppositions.
///
/// Declared removals of these elements are ignored. A deprecation that is needed and not declared is supposed in the
/// release of the plan, or else in the next release, and judged with the removal. What the model has without both does
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
    let before = evaluate(&withdrawn(removals))?;
    let ruled_out: Vec<Diagnostic> = removals
        .iter()
        .filter_map(|removal| before.ruled_out(*removal))
        .collect();
    let possible = removals
        .iter()
        .filter(|removal| !ruled_out.iter().any(|finding| before.is_about(finding, **removal)));
    let possible: Vec<Removal> = possible.copied().collect();
    let announced: Vec<Supposition> = possible.iter().flat_map(|removal| before.announced(*removal)).collect();
    let removed = possible.iter().flat_map(|removal| before.parts_removed(*removal));
    let mut supposed = evaluate(&removed.chain(announced).collect::<Vec<_>>())?;
    let all = std::mem::take(&mut supposed.findings);
    supposed.findings = added(all.clone(), &before);
    supposed.findings.retain(|finding| !finding.lacks_words());
    let trial = RemovalTrial {
        removals: &possible,
        all: &all,
        added: &supposed.findings,
    };
    let hidden = possible
        .iter()
        .filter_map(|removal| before.hidden_bound(*removal, &trial));
    let hidden: Vec<Diagnostic> = hidden.collect();
    supposed.findings.extend(hidden);
    supposed.findings.extend(ruled_out);
    supposed.findings.sort_by(Diagnostic::listing_order);
    Ok(JudgedRemovals {
        removals: removals.to_vec(),
        before,
        supposed,
    })
}

/// The removals not declared.
fn withdrawn(removals: &[Removal]) -> Vec<Supposition> {
    let removals = removals.iter();
    removals
        .map(|removal| (removal.element, EventKind::Removed, None))
        .collect()
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
        let against: Vec<&Diagnostic> = before.against(findings, &removal, &self.removals).collect();
        let soonest = before.reasoning().soonest_end(removal.element);
        let refused = against.iter().find(|finding| finding.severity == Severity::Error);
        let place = refused.and_then(|finding| sources.locate(finding.primary.as_ref()?.span));
        ProposalReport {
            element: before.model.id(removal.element),
            release: before.names.moment(removal.release),
            allowed: refused.is_none(),
            file: place.map(|(file, _)| file.to_owned()),
            line: place.map(|(_, place)| place.line),
            help: refused.map(|finding| before.next_step(removal, &soonest, finding)),
            soonest: before.material().soonest(&soonest),
            never_before_major: before.reasoning().major_awaited(&soonest),
            if_deprecated: before
                .announcement_supposed(removal, refused.is_none())
                .and_then(|release| before.names.moment(release)),
            reasons: against.iter().map(|finding| reason(finding)).collect(),
            named_by: before.named_by(removal, &self.removals, sources),
        }
    }

    /// The law that judged.
    pub fn law(&self) -> &Law {
        &self.supposed.law
    }
}

/// Removals that are tried together.
pub(super) struct RemovalTrial<'t> {
    pub(super) removals: &'t [Removal],
    /// Every finding of the model with them.
    pub(super) all: &'t [Diagnostic],
    /// Those that count against them.
    pub(super) added: &'t [Diagnostic],
}

/// What is found in a model without a proposal, by rule, code and element.
///
/// A breach by what is declared alike, or has shipped, is the same by however many releases the proposal moves its
/// bound away, and so is the declared end of a part before that of its version. What was found about all kinds of a
/// version is not new about one of them, nor what was found about a kind where a version declares for its kinds what
/// only they lacked.
struct Reported<'f> {
    model: &'f Model,
    findings: HashMap<(RuleId, &'f str, &'f str), Vec<&'f Diagnostic>>,
}

impl<'f> Reported<'f> {
    fn of(base: &'f Evaluation) -> Self {
        let mut findings: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
        for finding in &base.findings {
            let element = finding.element.as_deref().unwrap_or_default();
            let key = (finding.rule, &*finding.code, element);
            findings.entry(key).or_default().push(finding);
        }
        let model = &base.model;
        Self { model, findings }
    }

    fn has(&self, finding: &Diagnostic) -> bool {
        let Some(id) = finding.element.as_deref() else {
            return false;
        };
        let alike = self.about(id, finding, finding.life);
        let ends_before_its_version = finding.code == "removed-early" && !alike.is_empty();
        let is_shipped = finding.shipped.is_some() && alike.iter().any(|known| known.shipped == finding.shipped);
        is_shipped
            || alike.iter().any(|known| misses_its_bound_too(known, finding))
            || ends_before_its_version
            || self
                .model
                .find(id)
                .is_some_and(|subject| self.has_elsewhere(subject, finding))
    }

    /// Whether the same, missed by no less, is found about the version of a kind, or about a kind of a version without
    /// a declaration of the event.
    fn has_elsewhere(&self, subject: ElementId, finding: &Diagnostic) -> bool {
        let element = self.model.element(subject);
        if let Some(version) = element.parent.filter(|_| element.kind.is_kind()) {
            let Some(life) = self.model.version_life(subject, finding.life) else {
                return false;
            };
            let known = self.about(self.model.id(version), finding, life);
            return known.into_iter().any(|known| known.missed_by >= finding.missed_by);
        }
        let kinds = self.model.served_by(subject).into_iter();
        let kinds = kinds.filter(|kind| *kind != subject);
        let mut known = kinds.flat_map(|kind| {
            let lives = 0..self.model.lives(kind);
            let alike = lives.filter(move |life| self.model.version_life(kind, *life) == Some(finding.life));
            alike.flat_map(move |life| self.about(self.model.id(kind), finding, life))
        });
        known.any(|known| known.violation == Violation::Lasting(None) && known.missed_by >= finding.missed_by)
    }

    /// The findings of the same rule and code about a life of an element, no less severe.
    fn about(&self, id: &str, finding: &Diagnostic, life: u8) -> Vec<&'f Diagnostic> {
        let known = self.findings.get(&(finding.rule, &*finding.code, id));
        let known = known.into_iter().flatten().copied();
        known
            .filter(|known| known.life == life && known.severity >= finding.severity)
            .collect()
    }
}

/// Whether two findings are about an event that is declared for the same release and misses a bound.
fn misses_its_bound_too(known: &Diagnostic, finding: &Diagnostic) -> bool {
    let missed = declared_too_early(finding);
    missed.is_some() && missed == declared_too_early(known)
}

/// The release for which an event is declared that misses a bound by some releases.
fn declared_too_early(finding: &Diagnostic) -> Option<&str> {
    let event = finding.event.as_ref()?;
    matches!(finding.missed_by?, Missed::By(_)).then_some(event.declared.as_deref()?)
}

/// The findings that a model does not have.
fn added(mut findings: Vec<Diagnostic>, base: &Evaluation) -> Vec<Diagnostic> {
    mark_no_worse(&mut findings, &base.findings);
    let reported = Reported::of(base);
    findings.retain(|finding| finding.known.is_none() && !reported.has(finding));
    findings
}

impl Evaluation {
    /// The findings that another model does not have: what a proposal adds. See [`Reported`].
    pub(crate) fn findings_added_to(&self, base: &Self) -> Vec<Diagnostic> {
        added(self.findings.clone(), base)
    }

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
        no_removal.map_or(Ok(Removal { element, release: at }), Err)
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
            help: format!("`{}` lists what is served", model.command_line("plan")),
        })
    }

    /// The parts of an element that have to be deprecated before their removal and are not, with the first release in
    /// which they can be.
    fn unannounced(&self, element: ElementId) -> Vec<(ElementId, Release)> {
        let parts = self.model.served_by(element).into_iter();
        let announced = parts.filter_map(|part| {
            let removed = self.model.last_event(part, EventKind::Removed);
            Some((part, self.reasoning().announcement(removed)?))
        });
        announced.collect()
    }

    /// The deprecations that a removal needs and the model does not declare, not after the removal itself: one for a
    /// version if all its kinds agree.
    fn announced(&self, removal: Removal) -> Vec<Supposition> {
        let announced = self.unannounced(removal.element).into_iter();
        let announced =
            announced.map(|(part, release)| (part, EventKind::Deprecated, Some(release.min(removal.release))));
        let announced: Vec<Supposition> = announced.collect();
        match announced.first() {
            Some((_, what, release)) if announced.iter().all(|(.., other)| other == release) => {
                vec![(removal.element, *what, *release)]
            }
            _ => announced,
        }
    }

    /// The release of the last deprecation that a removal needs: that of the trial which permits it, or else of the
    /// soonest one.
    fn announcement_supposed(&self, removal: Removal, is_allowed: bool) -> Option<Release> {
        let announced = self.unannounced(removal.element).into_iter();
        let last = announced.map(|(_, release)| release).max()?;
        Some(if is_allowed { last.min(removal.release) } else { last })
    }

    /// The removal of an element, and of those of its kinds that declare a later one of their own.
    fn parts_removed(&self, removal: Removal) -> Vec<Supposition> {
        let parts = self.model.served_by(removal.element).into_iter().filter(|part| {
            let removed = self.model.last_event(*part, EventKind::Removed);
            let mut own = self.model.declared_of(*part).iter();
            own.any(|declared| declared.event == removed && declared.release > removal.release)
        });
        let parts = parts.filter(|part| *part != removal.element);
        std::iter::once(removal.element)
            .chain(parts)
            .map(|part| (part, EventKind::Removed, Some(removal.release)))
            .collect()
    }

    /// The findings that count against one removal: about its element or a part of it, caused by one of these, or about
    /// and caused by none of the proposed elements.
    fn against<'f>(
        &'f self,
        findings: &'f [Diagnostic],
        removal: &'f Removal,
        all: &'f [Removal],
    ) -> impl Iterator<Item = &'f Diagnostic> {
        findings.iter().filter(move |finding| {
            self.is_about(finding, *removal) || !all.iter().any(|other| self.is_about(finding, *other))
        })
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
            .filter(|named| !ancestors(model, named.element).any(|id| is_proposed(id, all)))
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
    ancestors(model, id).any(|id| {
        let removed = model.declared_release(model.last_event(id, EventKind::Removed));
        removed.is_some_and(|removed| removed <= by)
    })
}

fn is_proposed(id: ElementId, removals: &[Removal]) -> bool {
    removals.iter().any(|removal| removal.element == id)
}

/// An element and all that it is part of.
fn ancestors(model: &Model, id: ElementId) -> impl Iterator<Item = ElementId> {
    std::iter::successors(Some(id), |id| model.element(*id).parent)
}

/// A finding as the reason of a refusal.
fn reason(finding: &Diagnostic) -> String {
    let rule = match &finding.number {
        Some(number) => format!("#{number} {}", finding.rule),
        None if finding.rule == RULE => return finding.message.clone(),
        None => finding.rule.to_owned(),
    };
    let because: Vec<&str> = finding.because.iter().map(|fact| fact.text.as_str()).collect();
    match because.join("; ").as_str() {
        "" => format!("{rule}: {}", finding.message),
        because => format!("{rule}: {} ({because})", finding.message),
    }
}
