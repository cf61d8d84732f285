//! Deprecations for dashboards and readers of feeds.

use crate::model::{ElementId, Event, EventKind, Reference};
use crate::release::Release;
use crate::report::{ElementReport, FEED_VERSION, FeedEntry, FeedMoment, FeedReport, FeedStatus, FeedStep, Moment};

use super::elements::Builder;
use super::{Material, ending};

/// The elements that are deprecated, or are or will be removed: as declared, and with `planned` also as planned. A
/// part whose events are all those of its whole is left out.
pub(crate) fn feed(material: Material<'_>, planned: bool) -> FeedReport<'_> {
    let model = material.reasoning.model;
    let mut maker = Maker {
        material,
        builder: Builder::of(material),
        planned,
        steps: Vec::new(),
    };
    maker.steps = model.elements().map(|(id, _)| maker.steps_of(id)).collect();
    let ids = model.elements().map(|(id, _)| id).filter(|id| material.has(*id));
    let mut deprecations: Vec<FeedEntry<'_>> = ids.filter_map(|id| maker.entry(id)).collect();
    deprecations.sort_by_key(|entry| entry.subject);
    FeedReport {
        feed_version: FEED_VERSION,
        current: material.current().map(FeedMoment::of),
        deprecations,
    }
}

struct Maker<'a> {
    material: Material<'a>,
    builder: Builder<'a>,
    planned: bool,
    /// What happens to each element, in the order of the model.
    steps: Vec<Vec<FeedStep<'a>>>,
}

impl<'a> Maker<'a> {
    fn entry(&self, id: ElementId) -> Option<FeedEntry<'a>> {
        let model = self.material.reasoning.model;
        let steps = self.steps(id).to_vec();
        let whole = model.owner(id).or(model.element(id).parent);
        if steps.is_empty() || whole.is_some_and(|whole| self.is_covered(&steps, whole)) {
            return None;
        }
        let report = self.builder.report(id);
        let replacement = report.replacement.filter(|_| self.planned || self.is_named(id));
        let replacement =
            replacement.or_else(|| self.named(id).find(|other| other.is_external).map(|other| &*other.text));
        Some(FeedEntry {
            subject: report.id,
            kind: report.kind,
            stability: report.stability,
            status: self.status(&steps),
            replacement,
            owner: model.owned_by(id),
            links: model.tracked_by(id).into_iter().filter(|link| is_web(link)).collect(),
            steps,
        })
    }

    /// Whether the entry of an element, or of its version, names what replaces it.
    fn is_named(&self, id: ElementId) -> bool {
        self.named(id).next().is_some()
    }

    /// What the entries of an element and of its version name.
    fn named(&self, id: ElementId) -> impl Iterator<Item = &'a Reference> {
        let model = self.material.reasoning.model;
        let entries = [Some(id), model.element(id).parent].into_iter().flatten();
        entries.filter_map(|id| model.attributes(id)?.replacement.as_deref())
    }

    /// Whether all that happens to a part happens to its whole.
    fn is_covered(&self, steps: &[FeedStep<'a>], whole: ElementId) -> bool {
        let all = self.steps(whole);
        steps.iter().all(|step| all.contains(step))
    }

    fn steps(&self, id: ElementId) -> &[FeedStep<'a>] {
        &self.steps[id.0 as usize]
    }

    /// What happens in the last life of an element, from its deprecation on.
    fn steps_of(&self, id: ElementId) -> Vec<FeedStep<'a>> {
        let model = self.material.reasoning.model;
        let is_whole = model.served_by(id) != [id];
        let report = is_whole.then(|| self.builder.report(id));
        let ends = ending(model).filter_map(|what| {
            let moment = match &report {
                Some(report) => of_kinds(report, what),
                None => self.moment(id, what),
            }?;
            let declared = moment.declared == Some(true);
            (declared || self.planned).then(|| FeedStep {
                event: model.event_word(what),
                at: FeedMoment::of(moment),
                declared,
                shipped: model
                    .calendar
                    .current()
                    .map(|current| self.release(&moment) <= Some(current)),
            })
        });
        ends.collect()
    }

    fn moment(&self, id: ElementId, what: EventKind) -> Option<Moment<'a>> {
        let model = self.material.reasoning.model;
        let is_hidden_part = what == EventKind::Hidden && model.element(id).kind.is_member();
        let moment = self.material.event(Event::new(id, model.last_life(id), what));
        moment.filter(|_| !is_hidden_part)
    }

    fn release(&self, moment: &Moment<'_>) -> Option<Release> {
        self.material.reasoning.model.calendar.find(moment.release).ok()
    }

    fn status(&self, steps: &[FeedStep<'a>]) -> Option<FeedStatus> {
        self.material.reasoning.model.calendar.current()?;
        let last = steps.iter().rev().find(|step| step.shipped == Some(true));
        Some(match last.map(|step| step.event.kind) {
            None => FeedStatus::Served,
            Some(EventKind::Removed) => FeedStatus::Removed,
            Some(EventKind::Hidden) => FeedStatus::Hidden,
            Some(_) => FeedStatus::Deprecated,
        })
    }
}

/// When something happens to all kinds of a version.
fn of_kinds<'a>(report: &ElementReport<'a>, what: EventKind) -> Option<Moment<'a>> {
    match what {
        EventKind::Deprecated => report.deprecated,
        EventKind::Hidden => report.hidden,
        EventKind::Removed => report.removed,
        _ => None,
    }
}

/// Whether a reader of a feed may follow a link.
fn is_web(link: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| link.starts_with(scheme))
}
