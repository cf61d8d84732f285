//! What happened, and what was to happen, to an element that is there before and after.

use crate::diagnostic::Diagnostic;
use crate::model::{Declared, ElementId, Event, EventKind};
use crate::source::Span;

use super::Comparison;

impl Comparison<'_> {
    pub(super) fn events(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        self.promotions(was, is);
        let compared = |declared: &&Declared| declared.event.what != EventKind::Promoted;
        for declared in base.declared_of(was).iter().filter(compared) {
            let event = declared.event.of(is);
            match head.find_declared(event) {
                Some(now) => self.moved(was, is, declared, now),
                None if self.said_of_all_kinds(declared, is) => {}
                None => self.dropped(declared, is),
            }
        }
        for now in head.declared_of(is).iter().filter(compared) {
            match base.find_declared(now.event.of(was)) {
                // What followed from what it is part of may be said of it alone now.
                Some(declared) if declared.event.element != was => self.moved(was, is, declared, now),
                Some(_) => {}
                None => self.added(now),
            }
        }
    }

    /// Whether what a version's entry said is now said of each of its kinds.
    fn said_of_all_kinds(&self, declared: &Declared, version: ElementId) -> bool {
        let head = self.head.model;
        let group = head.group_of(version);
        let versions = group.map_or(&[][..], |group| group.versions.as_slice());
        let kinds = versions
            .iter()
            .find(|known| known.element == version)
            .map(|known| known.kinds.as_slice());
        let same = |kind: &ElementId| {
            let now = head.find_declared(declared.event.of(*kind));
            now.is_some_and(|now| self.in_head(declared.release) == Some(now.release))
        };
        kinds.is_some_and(|kinds| !kinds.is_empty() && kinds.iter().all(same))
    }

    /// The entries of a gate or a metric after its first one. They have no names: those of one release are the same.
    fn promotions(&mut self, was: ElementId, is: ElementId) {
        let entries = |declared: &&Declared| matches!(declared.event.what, EventKind::Introduced | EventKind::Promoted);
        let promoted = |declared: &&Declared| declared.event.what == EventKind::Promoted;
        let before = self.base.model.declared_of(was);
        let now = self.head.model.declared_of(is);
        let among = |all: &[Declared], release| all.iter().filter(entries).any(|entry| Some(entry.release) == release);
        let mut gone: Vec<&Declared> = before.iter().filter(promoted).collect();
        gone.retain(|entry| !among(now, self.in_head(entry.release)));
        let mut new: Vec<&Declared> = now.iter().filter(promoted).collect();
        new.retain(|entry| !among(before, self.in_base(entry.release)));
        for (declared, now) in gone.iter().zip(&new) {
            self.moved(was, is, declared, now);
        }
        for declared in gone.iter().skip(new.len()) {
            self.dropped(declared, is);
        }
        for now in new.iter().skip(gone.len()) {
            self.added(now);
        }
    }

    fn moved(&mut self, element: ElementId, is: ElementId, declared: &Declared, now: &Declared) {
        let (base, head) = (&self.base.model.calendar, &self.head.model.calendar);
        let id = self.head.model.id(is);
        let (was, is) = (base.name(declared.release), head.name(now.release));
        if was == is {
            return;
        }
        let what = now.event.what;
        let before = format!("{was} before");
        let build = |message: String| {
            move |finding: Diagnostic| {
                finding
                    .about(id)
                    .at(now.span, before)
                    .seen_at(declared.span, "as it was")
                    .message(message)
            }
        };
        if declared.release <= self.shipped {
            let message = format!("{id} was {what} in {was}, which has shipped, and is said to be {what} in {is} now");
            let help = format!("put it back: \"{was}\"; what has shipped stays as it was");
            let build = build(message);
            self.tell("rewritten", |finding| build(finding).help(help));
        } else if self.had_shipped(now.release) {
            self.backdated(id, now);
        } else if self.in_head(declared.release).is_none_or(|before| now.release > before) {
            let message = format!("{id} is {what} in {is}, deferred from {was}");
            self.tell("deferred", build(message));
        } else if ends(what) && self.announced(declared.event.of(element)) {
            let message = format!("{id} is {what} in {is}, sooner than in {was} as announced");
            let help = "who was told of the later release still counts on it: leave it there if you can";
            let build = build(message);
            self.tell("brought-forward", |finding| build(finding).help(help));
        }
    }

    /// Whether the end of a life had been announced in a release that shipped.
    fn announced(&self, event: Event) -> bool {
        let deprecation = self.base.model.deprecation(event.element, event.life);
        deprecation.is_some_and(|deprecation| deprecation.release <= self.shipped)
    }

    fn dropped(&mut self, declared: &Declared, is: ElementId) {
        let base = self.base.model;
        let id = self.head.model.id(is);
        let what = declared.event.what;
        let was = base.calendar.name(declared.release);
        let place = self.head.model.element(is).span;
        if declared.release > self.shipped {
            self.tell("withdrawn", |finding| {
                let message = format!("{id} is no longer to be {what} in {was}");
                finding
                    .about(id)
                    .at(place, "")
                    .seen_at(declared.span, "as it was")
                    .message(message)
            });
            return;
        }
        let help = match what {
            EventKind::Deprecated => {
                format!("put it back: deprecated = \"{was}\"; to take a deprecation back, add `undeprecated = \"…\"`")
            }
            EventKind::Promoted | EventKind::Locked => format!("put it back into `specs`, with since = \"{was}\""),
            EventKind::Preferred => format!("put \"{was}\" back into `preferred`"),
            EventKind::Stored => format!("put \"{was}\" back into `storage`"),
            _ => format!("put it back: {what} = \"{was}\""),
        };
        self.tell("rewritten", |finding| {
            finding
                .about(id)
                .at(place, "")
                .seen_at(declared.span, "as it was")
                .help(help)
                .message(format!(
                    "{id} was {what} in {was}, which has shipped, and nothing says so any more"
                ))
        });
    }

    fn added(&mut self, now: &Declared) {
        let head = self.head.model;
        let id = head.id(now.event.element);
        if self.had_shipped(now.release) {
            if is_bookkeeping(now.event.what) {
                self.backfilled(id, now);
            } else {
                self.backdated(id, now);
            }
            return;
        }
        if now.event.what == EventKind::Undeprecated {
            let release = head.calendar.name(now.release);
            self.tell("undeprecated", |finding| {
                let message = format!("the deprecation of {id} is taken back in {release}");
                finding.about(id).at(now.span, "").message(message)
            });
        }
    }

    /// A move of the past that the base left to the plan.
    fn backfilled(&mut self, id: &str, now: &Declared) {
        let what = now.event.what;
        let release = self.head.model.calendar.name(now.release);
        let place: Span = now.span;
        self.tell("backfilled", |finding| {
            finding
                .about(id)
                .at(place, "")
                .help("that is right if it was so; what happens now falls in a release that has not shipped")
                .message(format!("{id} is newly said to have been {what} in {release}"))
        });
    }

    /// Something said to have happened in a release that shipped without it.
    fn backdated(&mut self, id: &str, now: &Declared) {
        let what = now.event.what;
        let release = self.head.model.calendar.name(now.release);
        let next = self.next_open();
        let place: Span = now.span;
        self.tell("backdated", |finding| {
            finding
                .about(id)
                .at(place, "")
                .help(format!("what happens now falls in {next} at the soonest"))
                .message(format!(
                    "{id} is said to be {what} in {release}, which has shipped without that"
                ))
        });
    }
}

/// Whether it takes something away from users.
fn ends(what: EventKind) -> bool {
    matches!(what, EventKind::Removed | EventKind::Hidden | EventKind::Dropped)
}

/// What servers do, and users are not told: often written down only later.
fn is_bookkeeping(what: EventKind) -> bool {
    matches!(what, EventKind::Preferred | EventKind::Stored | EventKind::Migrated)
}
