//! Events that are too early or too late, and events that are due.

use std::collections::HashSet;

use crate::derivation::{Decisive, Supposed, Worked};
use crate::diagnostic::{Diagnostic, EXCUSE, Fact, Missed};
use crate::model::{Declared, ElementId, Event, EventKind};
use crate::obligation::Obligation;
use crate::release::Release;

use super::Checker;

impl Checker<'_> {
    pub(super) fn too_early(&self, obligation: &Obligation, declared: &Declared, worked: Worked) -> Option<Diagnostic> {
        let mut finding = self.finding(obligation, Some(declared), None)?;
        self.name_kind(&mut finding, obligation.event, &worked);
        let calendar = &self.model().calendar;
        let (announced, worked) = self.once_announced(obligation, worked);
        let reasoning = self.reasoning.supposing(announced);
        let sentence = reasoning.sentence(obligation, &worked);
        let bound = worked.release();
        let early = bound.0.saturating_sub(declared.release.0);
        let when = calendar.name(declared.release);
        let what = self.model().event_word(obligation.event.what).verb();
        let subject = finding.element.clone().unwrap_or_default();
        if bound.is_never() {
            if finding.message.is_empty() {
                let link = match (self.reasoning.awaited_kind(&worked), worked.term.event()) {
                    (Some(kind), _) => format!("; the earliest is the next {kind} release"),
                    (None, Some(awaited)) => {
                        let element = self.model().id(awaited.element);
                        let verb = self.model().event_word(awaited.what).verb();
                        format!(", but it has to wait until {element} {verb}, which has no release yet")
                    }
                    (None, None) => ", which is not allowed in any release of the calendar".to_owned(),
                };
                finding.message = format!("{subject} {what} in {when}{link}");
            }
            finding.label(match self.reasoning.awaited_kind(&worked) {
                Some(kind) => format!("not before the next {kind} release"),
                None => "waits for an event without a release".to_owned(),
            });
            finding.missed_by = Some(Missed::Unknown);
            let past = self.past(declared.release);
            let help = past.unwrap_or_else(|| self.until_then(declared));
            finding.help.get_or_insert(help);
        } else {
            if finding.message.is_empty() {
                let (how, condition) = early_by(early, announced.map(|announced| calendar.name(announced.release)));
                let least = if worked.is_open() { " or later" } else { "" };
                let soonest = self.reasoning.moment(bound);
                finding.message =
                    format!("{subject} {what} in {when}{how}; the earliest is {soonest}{least}{condition}");
            }
            finding.label(format!("not before {}", calendar.name(bound)));
            finding.earliest = Some(bound);
            finding.missed_by = Some(Missed::By(early));
            let (step, fix) = self.way_out(declared, &worked);
            finding.help.get_or_insert(step);
            finding.fix = fix;
        }
        finding.shipped = self.shipped(declared.release);
        finding.because[0].text = sentence;
        let origin = self.counted_from(&mut finding, &worked);
        if let Some(origin) = origin.filter(|origin| origin.span != declared.span) {
            let what = origin.event.what;
            finding = finding.seen_at(origin.span, format!("{what} here"));
        }
        Some(finding)
    }

    /// The deprecation that an end lacks whose bound counts from itself, and the bound with it. What the law judges
    /// otherwise once it is announced has to be asked for.
    fn once_announced(&self, obligation: &Obligation, worked: Worked) -> (Option<Supposed>, Worked) {
        let end = obligation.event;
        let release = (worked.term.event() == Some(end) && self.reasoning.lacks_announcement(end))
            .then(|| self.reasoning.expected_announcement(end))
            .flatten();
        let Some(release) = release.filter(|release| !self.is_judged_otherwise(end, *release)) else {
            return (None, worked);
        };
        let event = end.sibling(EventKind::Deprecated);
        let supposed = Some(Supposed { event, release });
        (supposed, self.reasoning.supposing(supposed).work(worked.term))
    }

    /// A declared event after its bound, or a bound that has passed without the event.
    pub(super) fn too_late(&self, position: usize, obligation: &Obligation, worked: Worked) -> Option<Diagnostic> {
        let event = obligation.event;
        // If the calendar ends before the bound, the bound is not known yet.
        let bound = worked.bound.filter(|bound| !bound.open)?.release;
        let declared = self.declared(event);
        let fixed = declared.map(|declared| declared.release);
        let current = self.model().calendar.current();
        let planned = self.reasoning.assignment.planned(event).map(|planned| planned.release);
        let passed = match fixed.or(planned) {
            Some(release) => release > bound,
            None => current.is_some_and(|current| bound <= current),
        };
        if !passed || self.contradicted.contains(&position) {
            return None;
        }
        let mut finding = self.finding(obligation, declared, Some(bound))?;
        self.name_kind(&mut finding, event, &worked);
        let calendar = &self.model().calendar;
        let subject = finding.element.clone().unwrap_or_default();
        finding.message = self.lateness(&subject, event, bound, fixed, planned);
        finding.label(format!("due by {}", calendar.name(bound)));
        // An event that is not declared misses its bound by no more as time passes, and by less once it is declared.
        let missed_by = fixed.map(|release| Missed::By(release.0.saturating_sub(bound.0)));
        finding.missed_by = Some(missed_by.unwrap_or(Missed::Unknown));
        finding.shipped = fixed.and_then(|release| self.shipped(release));
        self.counted_from(&mut finding, &worked);
        finding.because[0].text = self.reasoning.sentence(obligation, &worked);
        let late_by_law = fixed.is_none() && current.is_none_or(|current| bound > current);
        if let Some(lower) = self.reasoning.lower(event).filter(|_| late_by_law) {
            let rule = lower.obligation.rule();
            let number = rule.and_then(|rule| self.law.rule(rule).at(Release::NEVER));
            finding.because.push(Fact {
                rule,
                number: number.and_then(|law| law.number.clone()),
                text: self.reasoning.sentence(lower.obligation, &lower.worked),
                span: None,
            });
        }
        finding.help = Some(self.way_back(event, &worked, bound, declared));
        Some(finding)
    }

    /// Names the kind, and not the version that declares its event, if the bound counts from what only the kind's entry
    /// declares: it is a bound of no other kind.
    fn name_kind(&self, finding: &mut Diagnostic, event: Event, worked: &Worked) {
        let kind = self.model().element(event.element).kind;
        let origin = worked.term.event().and_then(|anchor| self.declared(anchor));
        if kind.is_kind() && origin.is_some_and(|origin| origin.event.element == event.element) {
            finding.element = Some(self.model().id(event.element).to_owned());
            finding.life = event.life;
        }
    }

    /// The declared event that a bound counts from, which is noted in the finding.
    fn counted_from(&self, finding: &mut Diagnostic, worked: &Worked) -> Option<&Declared> {
        let origin = worked.term.event().and_then(|anchor| self.declared(anchor))?;
        if let Some(event) = &mut finding.event {
            event.counted_from = Some(self.model().calendar.name(origin.release));
        }
        Some(origin)
    }

    /// The message for a late event: declared, not declared as of now, or planned.
    fn lateness(
        &self,
        subject: &str,
        event: Event,
        bound: Release,
        declared: Option<Release>,
        planned: Option<Release>,
    ) -> String {
        let calendar = &self.model().calendar;
        let (what, due) = (self.model().event_word(event.what), self.reasoning.moment(bound));
        match (declared, calendar.current()) {
            (Some(release), _) => {
                let (verb, release) = (what.verb(), calendar.name(release));
                format!("{subject} {verb} only in {release}; it was due by {due}")
            }
            (None, Some(current)) if bound <= current => {
                let current = calendar.name(current);
                format!("{subject} is still not {what} as of {current}; it was due by {due}")
            }
            (None, _) => {
                let planned = planned.map_or_else(String::new, |planned| calendar.name(planned));
                format!("{subject} cannot be {what} before {planned}, but is due by {due}")
            }
        }
    }

    /// The next step for an event in a release that has shipped: what has shipped is not changed.
    pub(super) fn past(&self, release: Release) -> Option<String> {
        let shipped = self.model().calendar.name(self.shipped(release)?);
        Some(format!("{shipped} has shipped: {EXCUSE}"))
    }

    /// The next step for an entry that no release can have shipped with: the entry is wrong, not the release.
    pub(super) fn corrected(&self, release: Release) -> Option<String> {
        let shipped = self.model().calendar.name(self.shipped(release)?);
        Some(format!(
            "{shipped} has shipped: correct the entry; only if it shipped so, {EXCUSE}"
        ))
    }

    /// The release that has shipped without something, if code was dropped from it: nothing brings that back.
    pub(super) fn shipped_without(&self, declared: &Declared) -> Option<Release> {
        let dropped = Some(declared).filter(|declared| declared.event.what == EventKind::Dropped)?;
        self.shipped(dropped.release)
    }

    /// A release, if it has shipped.
    pub(super) fn shipped(&self, release: Release) -> Option<Release> {
        let current = self.model().calendar.current()?;
        (release <= current).then_some(release)
    }

    /// P3: a beta without a successor by its deadline, which is still ahead; `whole` are the versions of which no kind
    /// has one.
    pub(super) fn unreplaced(&self, event: Event, whole: &HashSet<ElementId>) -> Option<Diagnostic> {
        let decisive: Decisive<'_> = self.reasoning.upper(event)?;
        let due = decisive.worked.release();
        if self.model().calendar.current().is_some_and(|current| due <= current) {
            return None;
        }
        let warning = Obligation {
            code: "unplanned-beta",
            detail: None,
            ..decisive.obligation.clone()
        };
        let mut finding = self.finding(&warning, None, Some(due))?;
        // Its version is named only if that goes for all its kinds.
        let version = self.model().version_of(event.element);
        let is_whole = version.is_none_or(|version| whole.contains(&version.element));
        let subject = match &finding.element {
            Some(version) if is_whole => version.as_str(),
            _ => self.model().id(event.element),
        };
        let due = self.reasoning.moment(due);
        finding.message = format!("{subject} has no successor by {due}, the latest release for its deprecation");
        finding.label("no successor in time".to_owned());
        finding.because[0].text = self.reasoning.sentence(decisive.obligation, &decisive.worked);
        finding.help = Some("introduce a successor by then, or deprecate it without one".to_owned());
        Some(finding)
    }
}

impl Diagnostic {
    fn label(&mut self, text: String) {
        if let Some(primary) = &mut self.primary {
            primary.text = text;
        }
    }
}

/// By how much an event is too early: by releases, or because nothing announces it; and on what its earliest release
/// depends then.
fn early_by(releases: u32, announced: Option<String>) -> (String, String) {
    match announced {
        Some(release) => (
            ", and nothing announces it".to_owned(),
            format!(", if it is deprecated in {release}"),
        ),
        None => {
            let plural = if releases == 1 { "" } else { "s" };
            (format!(", {releases} release{plural} too early"), String::new())
        }
    }
}
