//! The calendar itself: what has shipped keeps its name and its date, and does not unship.

use crate::release::Release;

use super::{Comparison, beginning};

impl Comparison<'_> {
    pub(super) fn calendar(&mut self) {
        let (base, head) = (&self.base.model.calendar, &self.head.model.calendar);
        let place = beginning();
        let newest = base.name(self.shipped);
        for release in (0..=self.shipped.0).map(Release) {
            let name = base.name(release);
            let Ok(now) = head.find(&name) else {
                self.tell("rewritten", |finding| {
                    let help = "list it again in [calendar.releases]";
                    finding.at(place, "").help(help).message(format!(
                        "release {name} is gone from the calendar, and had shipped by {newest}"
                    ))
                });
                continue;
            };
            let (was, is) = (base.date(release), head.date(now));
            if let (Some(was), true) = (was, was != is) {
                let is = is.map_or_else(|| "no date".to_owned(), |date| date.to_string());
                self.tell("rewritten", |finding| {
                    finding
                        .at(place, "")
                        .help(format!("put it back: \"{name}\" = {was}"))
                        .message(format!("release {name} shipped on {was}, and is said to have {is} now"))
                });
            }
        }
        let last = self.in_head(self.shipped).unwrap_or(Release(0));
        let slipped_in = (0..last.0)
            .map(Release)
            .find(|release| self.in_base(*release).is_none());
        if let Some(name) = slipped_in.map(|release| head.name(release)) {
            self.tell("rewritten", |finding| {
                let help = "take it out again: windows are counted in releases";
                finding.at(place, "").help(help).message(format!(
                    "release {name} is new among those that had shipped by {newest}"
                ))
            });
        }
        let current = self
            .head
            .current
            .and_then(|current| base.find(&head.name(current)).ok());
        let went_back = match (self.head.current, current) {
            (None, _) => true,
            (Some(_), Some(current)) => current < self.shipped,
            (Some(_), None) => false,
        };
        if went_back {
            let says = match self.head.current {
                Some(_) => "`current` says that it has not",
                None => "no `current` says so any more",
            };
            self.tell("unshipped", |finding| {
                finding
                    .at(place, "")
                    .help(format!("put it back: current = \"{newest}\", or a later release"))
                    .message(format!("{newest} had shipped, and {says}"))
            });
        }
    }
}
