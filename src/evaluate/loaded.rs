//! A model and its law, read and not planned yet: alone, or as one of the two states of a change.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
#[cfg(test)]
use crate::model::ElementId;
use crate::model::{CalendarPlaces, Model, UnitKeys};
use crate::policy::Law;
use crate::release::{AsOf, Release};

use super::Evaluation;
use super::editions::knowing_kinds;

/// What was read of the files of a model.
#[derive(Debug)]
pub struct Loaded {
    pub(super) model: Model,
    pub(super) law: Law,
    /// What was found while reading it.
    pub(super) warnings: Vec<Diagnostic>,
    /// The release that the model states as current.
    pub(super) stated: Option<Release>,
    pub(super) as_of: Option<AsOf>,
}

/// How much of a model the edits of a change may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// All of it: the policy, an exception or more of the calendar than days changes.
    Whole,
    /// All of it, on other days: only the days of releases change.
    Days,
    /// The portion around what is declared under these keys.
    Around(Keys),
}

/// Keys of a model file under which elements are declared: `["group", "apps"]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys(pub(crate) BTreeSet<UnitKeys>);

impl Loaded {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Plans and checks it.
    ///
    /// # Errors
    ///
    /// If it takes too many steps to plan.
    pub fn evaluate(self) -> Result<Evaluation, Vec<Diagnostic>> {
        let evaluation = Evaluation::new(self.model, self.law, self.warnings).map_err(|error| vec![*error])?;
        Ok(evaluation.judged_at(self.stated, self.as_of.as_ref()))
    }

    /// The same model with the calendar of its main text as it is edited: what else was read of the text as it was
    /// stands. `None` if more than days of releases differs, or if anything has another place.
    pub fn on_days_of(&self, was: &str, main: &Document<'_>) -> Option<Self> {
        let places = &self.model.calendar_places;
        if !differs_only_in_lines_of(places, was, main.text()) {
            return None;
        }
        let (mut model, has_findings) = self.model.with_calendar_of(main)?;
        let stated = model.calendar.current();
        if let Some(moment) = &self.as_of {
            let current = model.calendar.as_of(moment).ok()?;
            model.calendar = model.calendar.with_current(Some(current));
        }
        let model = knowing_kinds(model, Some(&self.law));
        let is_same = stated == self.stated && model.calendar.differs_in_days_alone(&self.model.calendar);
        (is_same && !has_findings).then(|| Self {
            model,
            law: self.law.clone(),
            warnings: self.warnings.clone(),
            stated,
            as_of: self.as_of.clone(),
        })
    }

    /// Restricts it to the portion around some elements.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn around(self, elements: impl IntoIterator<Item = ElementId>) -> Self {
        let portion = self.model.portion_around(elements);
        let model = self.model.only(portion);
        Self { model, ..self }
    }

    /// Restricts two states of a model to the portion that a change may reach: the rest is the same in both, and so is
    /// all that follows from it.
    #[must_use]
    pub fn around_change([before, after]: [Self; 2], extent: &Extent) -> [Self; 2] {
        let Extent::Around(Keys(keys)) = extent else {
            return [before, after];
        };
        match Model::portions_around([&before.model, &after.model], keys) {
            Some([one, other]) => [
                Self {
                    model: before.model.only(one),
                    ..before
                },
                Self {
                    model: after.model.only(other),
                    ..after
                },
            ],
            None => [before, after],
        }
    }
}

/// Whether a text has the lines of another one but for those that list releases, each of them as long as before.
fn differs_only_in_lines_of(places: &CalendarPlaces, text: &str, other: &str) -> bool {
    let mut start = 0;
    let pairs = text.split_inclusive('\n').zip(other.split_inclusive('\n'));
    let mut lines = pairs.map(|(line, other)| {
        let place = start..start + line.len();
        start = place.end;
        (place, line, other)
    });
    let same = lines.all(|(place, line, other)| {
        let mut listed = places.releases.values();
        line == other || line.len() == other.len() && listed.any(|span| place.contains(&(span.start as usize)))
    });
    same && text.len() == other.len()
}
