//! Events of elements that both states have.

use crate::diagnostic::Diagnostic;
use crate::model::{Declared, ElementId, Event, EventKind};
use crate::release::Release;

use super::{Comparison, about};

impl Comparison<'_> {
    pub(super) fn events(&mut self, was: ElementId, is: ElementId) {
        let (base, head) = (self.base.model, self.head.model);
        self.promotions(was, is);
        for declared in base.declared_of(was).iter().filter(|declared| !is_promotion(declared)) {
            let now = self
                .in_head_steps(declared.event)
                .and_then(|event| head.find_declared(event.of(is)));
            match now {
                Some(now) => self.moved(was, is, declared, now),
                None if self.declared_by_all_kinds(declared, is) => {}
                None => self.dropped(declared, is),
            }
        }
        for now in head.declared_of(is).iter().filter(|declared| !is_promotion(declared)) {
            let before = self
                .in_base_steps(now.event)
                .and_then(|event| base.find_declared(event.of(was)));
            match before {
                // An event inherited from the parent may now have its own declaration.
                Some(declared) if declared.event.element != was => self.moved(was, is, declared, now),
                Some(_) => {}
                None => self.added(now),
            }
        }
    }

    /// The event of the head's model that an event of the base is: policies order and name steps.
    fn in_head_steps(&self, event: Event) -> Option<Event> {
        let name = self.base.model.event_word(event.what);
        let what = self.head.model.event_named(name.as_str())?;
        Some(Event { what, ..event })
    }

    fn in_base_steps(&self, event: Event) -> Option<Event> {
        let name = self.head.model.event_word(event.what);
        let what = self.base.model.event_named(name.as_str())?;
        Some(Event { what, ..event })
    }

    /// Whether each kind of a version now declares an event that the version declared.
    fn declared_by_all_kinds(&self, declared: &Declared, version: ElementId) -> bool {
        let head = self.head.model;
        let group = head.group_of(version);
        let versions = group.map_or(&[][..], |group| group.versions.as_slice());
        let kinds = versions
            .iter()
            .find(|known| known.element == version)
            .map(|known| known.kinds.as_slice());
        let mut kinds = kinds.into_iter().flatten().peekable();
        kinds.peek().is_some()
            && kinds.all(|kind| {
                let now = head.find_declared(declared.event.of(*kind));
                now.is_some_and(|now| self.in_head(declared.release) == Some(now.release))
            })
    }

    /// The entries of a gate or a metric after its first one. Entries of one release are the same.
    fn promotions(&mut self, was: ElementId, is: ElementId) {
        let before = self.base.model.declared_of(was);
        let now = self.head.model.declared_of(is);
        let deleted = without_entry(before, now, |release| self.in_head(release));
        let new = without_entry(now, before, |release| self.in_base(release));
        for (declared, now) in deleted.iter().zip(&new) {
            self.moved(was, is, declared, now);
        }
        for declared in deleted.iter().skip(new.len()) {
            self.dropped(declared, is);
        }
        for now in new.iter().skip(deleted.len()) {
            self.added(now);
        }
    }

    fn moved(&mut self, element: ElementId, is: ElementId, declared: &Declared, now: &Declared) {
        if self.in_head(declared.release) == Some(now.release) {
            return;
        }
        let (base, head) = (&self.base.model.calendar, &self.head.model.calendar);
        let id = self.head.model.id(is);
        let (was, then) = (base.name(declared.release), head.name(now.release));
        if was == then {
            return;
        }
        let what = self.head.model.event_word(now.event.what);
        let (code, message, help) = if declared.release <= self.shipped {
            let message =
                format!("{id} was {what} in {was}, which has shipped, and is now declared as {what} in {then}");
            let help = format!("restore it: \"{was}\"; what has shipped does not change");
            ("rewritten", message, Some(help))
        } else if self.had_shipped(now.release) {
            return self.backdated(is, now);
        } else if self.in_head(declared.release).is_none_or(|before| now.release > before) {
            let message = format!("{id} is {what} in {then}, later than declared before ({was})");
            ("deferred", message, None)
        } else if ends(what.kind) && self.announced(declared.event.of(element)) {
            let message = format!("{id} is {what} in {then}, earlier than announced ({was})");
            let help = "users rely on the announced release: keep it if you can".to_owned();
            ("brought-forward", message, Some(help))
        } else {
            return;
        };
        let moved = about(id, code, now.span, message).at(now.span, format!("{was} before"));
        let moved = moved.of_event(what.owned(), Some(then));
        let moved = moved.seen_at(declared.span, "before");
        self.report_of(is, Diagnostic { help, ..moved });
    }

    /// Whether the end of a life was announced in a shipped release.
    fn announced(&self, event: Event) -> bool {
        let deprecation = self.base.model.deprecation(event.element, event.life);
        deprecation.is_some_and(|deprecation| deprecation.release <= self.shipped)
    }

    fn dropped(&mut self, declared: &Declared, is: ElementId) {
        let base = self.base.model;
        let id = self.head.model.id(is);
        let what = base.event_word(declared.event.what);
        let was = base.calendar.name(declared.release);
        let place = self.head.model.element(is).span;
        if declared.release > self.shipped {
            let message = format!("{id} is no longer planned to be {what} in {was}");
            let withdrawn = about(id, "withdrawn", place, message).of_event(what.owned(), None);
            return self.report_of(is, withdrawn.seen_at(declared.span, "before"));
        }
        let help = match what.kind {
            EventKind::Deprecated => {
                format!("restore it: deprecated = \"{was}\"; to withdraw a deprecation, add `undeprecated = \"…\"`")
            }
            EventKind::Promoted | EventKind::Locked => format!("restore its entry in `specs`, with since = \"{was}\""),
            EventKind::Preferred => format!("restore \"{was}\" in `preferred`"),
            EventKind::Stored => format!("restore \"{was}\" in `storage`"),
            kind => format!("restore it: {} = \"{was}\"", base.declaring_key(kind)),
        };
        let message = format!("{id} was {what} in {was}, which has shipped, but this declaration was deleted");
        let deleted = about(id, "rewritten", place, message)
            .of_event(what.owned(), None)
            .help(help);
        self.report_of(is, deleted.seen_at(declared.span, "before"));
    }

    fn added(&mut self, now: &Declared) {
        let head = self.head.model;
        let id = head.id(now.event.element);
        let release = head.calendar.name(now.release);
        if self.had_shipped(now.release) && is_bookkeeping(now.event.what) {
            let what = now.event.what;
            let message = format!("{id} is newly declared as {what} in {release}, which has shipped");
            let help = "this is right if it did happen then; new events belong to a release that has not shipped";
            let backfilled = about(id, "backfilled", now.span, message);
            self.report(backfilled.of_event(now.event.what.as_str(), Some(release)).help(help));
        } else if self.had_shipped(now.release) {
            self.backdated(now.event.element, now);
        } else if now.event.what == EventKind::Undeprecated {
            let message = format!("the deprecation of {id} is withdrawn in {release}");
            let withdrawn = about(id, "undeprecated", now.span, message);
            self.report(withdrawn.of_event(now.event.what.as_str(), Some(release)));
        }
    }

    /// An event added to a release that shipped without it.
    fn backdated(&mut self, is: ElementId, now: &Declared) {
        let head = self.head.model;
        let id = head.id(is);
        let (what, release) = (head.event_word(now.event.what), head.calendar.name(now.release));
        let message = format!("{id} is declared as {what} in {release}, which has shipped without that");
        let help = format!("declare it for {} or later", self.next_open());
        let backdated = about(id, "backdated", now.span, message).of_event(what.owned(), Some(release));
        self.report_of(is, backdated.help(help));
    }
}

fn is_promotion(declared: &Declared) -> bool {
    declared.event.what == EventKind::Promoted
}

/// The promotions of one state without an entry in the same release of the other state.
fn without_entry<'d>(
    these: &'d [Declared],
    others: &[Declared],
    in_other: impl Fn(Release) -> Option<Release>,
) -> Vec<&'d Declared> {
    let promotions = these.iter().filter(|declared| is_promotion(declared));
    promotions
        .filter(|declared| {
            let release = in_other(declared.release);
            let mut entries = others
                .iter()
                .filter(|other| is_promotion(other) || other.event.what == EventKind::Introduced);
            !entries.any(|entry| Some(entry.release) == release)
        })
        .collect()
}

/// Whether it takes something away from users.
fn ends(what: EventKind) -> bool {
    matches!(what, EventKind::Removed | EventKind::Hidden | EventKind::Dropped)
}

/// Whether servers do it without an announcement, so that it is often declared only later.
fn is_bookkeeping(what: EventKind) -> bool {
    matches!(what, EventKind::Preferred | EventKind::Stored | EventKind::Migrated)
}
