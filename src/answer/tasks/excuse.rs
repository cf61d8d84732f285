//! Exceptions that would cover what comes after its deadline.

use crate::answer::Material;
use crate::document::quoted;
use crate::model::{ElementId, EventKind};
use crate::release::Release;
use crate::rules::excepted;

/// The lines of an exception that covers an event in a release after its deadline; `None` if one is granted.
pub(super) fn from_deadline(
    material: Material<'_>,
    (id, event): (ElementId, EventKind),
    release: Release,
) -> Option<String> {
    let model = material.reasoning.model;
    let part = *model.served_by(id).first()?;
    let due = material.reasoning.upper(model.last_event(part, event))?.obligation;
    let (rule, code) = (due.rule()?, due.code);
    let mut granted = model
        .exceptions
        .iter()
        .filter(|granted| granted.element.target == Some(id));
    if granted.any(|granted| excepted(material.law, granted).is_some_and(|(own, of)| (own.slug, of) == (rule, code))) {
        return None;
    }
    let until = model.calendar.name(release.plus(1));
    Some(format!(
        "[[exception]]\nrule = {}\nelement = {}\nreason = \"…\"\napproved-by = \"…\"\nuntil = {}",
        quoted(&format!("{rule}:{code}")),
        quoted(model.id(id)),
        quoted(&until),
    ))
}
