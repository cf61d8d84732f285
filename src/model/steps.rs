//! The steps between deprecation and removal: entries declare them by the names that the policy gives them.

use crate::grammar::Steps;
use crate::source::Span;

use super::{Duty, EventKind, Model};

/// A step as an entry names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedStep {
    pub(crate) name: String,
    /// Where it is named first.
    pub(crate) span: Span,
}

/// More steps than a product can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManySteps;

impl Model {
    /// Orders steps as policies do, each with its duty, and returns those of the model that no policy names: they come
    /// last.
    pub(crate) fn know_steps<'l>(
        &mut self,
        named: impl Iterator<Item = (&'l str, Duty)>,
    ) -> Result<Vec<NamedStep>, TooManySteps> {
        let mut steps = Steps::default();
        for (name, duty) in named {
            steps.add(name, duty).ok_or(TooManySteps)?;
        }
        let declared = std::mem::take(&mut self.named_steps);
        let mut unknown = declared.clone();
        unknown.retain(|step| steps.find(&step.name).is_none());
        unknown.sort_by(|one, other| one.name.cmp(&other.name));
        for step in &unknown {
            steps.add(&step.name, Duty::Document).ok_or(TooManySteps)?;
        }
        for event in self.declared_mut() {
            if let EventKind::Step(at) = event.event.what
                && let Some(step) = declared.get(usize::from(at))
                && let Some(what) = steps.find(&step.name)
            {
                event.event.what = what;
            }
        }
        self.steps = steps;
        Ok(unknown)
    }
}
