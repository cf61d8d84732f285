//! The calendar: shipped releases keep their names and dates, and `current` does not move back.

use crate::release::Release;

use super::{Comparison, finding};

impl Comparison<'_> {
    pub(super) fn calendar(&mut self) {
        let (base, head) = (&self.base.model.calendar, &self.head.model.calendar);
        let places = &self.head.model.calendar_places;
        let newest = base.name(self.shipped);
        for release in (0..=self.shipped.0).map(Release) {
            let name = base.name(release);
            let Ok(now) = head.find(&name) else {
                let message = format!("release {name} was removed from the calendar, but had shipped by {newest}");
                let removed = finding("rewritten", places.list, message).found_in(format!("release {name}"));
                self.report(removed.help("restore it in [calendar.releases]"));
                continue;
            };
            let (was, is) = (base.date(release), head.date(now));
            if let (Some(was), true) = (was, was != is) {
                let is = is.map_or_else(|| "no date".to_owned(), |date| date.to_string());
                let message = format!("the date of release {name}, which has shipped, changed from {was} to {is}");
                let help = format!("restore it: \"{name}\" = {was}");
                let moved = finding("rewritten", places.of(now), message).found_in(format!("release {name}"));
                self.report(moved.help(help));
            }
        }
        let last = self.in_head(self.shipped).unwrap_or(Release(0));
        let inserted = (0..last.0)
            .map(Release)
            .find(|release| self.in_base(*release).is_none());
        if let Some(release) = inserted {
            let name = head.name(release);
            let message = format!("release {name} was added between releases that had shipped by {newest}");
            let added = finding("rewritten", places.of(release), message).found_in(format!("release {name}"));
            self.report(added.help("remove it: windows count releases"));
        }
        let current = self
            .head
            .current
            .and_then(|current| base.find(&head.name(current)).ok());
        let says = match (self.head.current, current) {
            (None, _) => "the calendar no longer has `current`",
            (Some(_), Some(current)) if current < self.shipped => "`current` is now an earlier release",
            (Some(_), _) => return,
        };
        let help = format!("restore it: current = \"{newest}\", or a later release");
        let message = format!("{newest} had shipped, but {says}");
        self.report(
            finding("unshipped", places.current, message)
                .found_in("current")
                .help(help),
        );
    }
}
