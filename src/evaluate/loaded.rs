//! A model and its law, read and not planned yet: alone, or as one of the two states of a change.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
#[cfg(test)]
use crate::model::ElementId;
use crate::model::{Model, UnitKeys};
use crate::policy::Law;
use crate::release::{AsOf, Release};

use super::Evaluation;

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
    /// All of it: the calendar, the policy or an exception changes.
    Whole,
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
