//! Exceptions that would cover what comes after its deadline.

use crate::answer::Material;
use crate::document::quoted;
use crate::model::{ElementId, EventKind};
use crate::release::Release;
use crate::rules::covers;

/// The lines of an exception that covers an event in a release after its deadline; `None` if one is granted.
pub(super) fn from_deadline(
    material: Material<'_>,
    (id, event): (ElementId, EventKind),
    release: Release,
) -> Option<String> {
    let model = material.reasoning.model;
    let mut parts = model.served_by(id).into_iter();
    let due = parts.find_map(|part| material.reasoning.upper(model.last_event(part, event)))?;
    let (rule, code) = (due.obligation.rule()?, due.obligation.code);
    // What a kind takes from its version is found about the version.
    let version = model.element(id).parent.filter(|_| model.element(id).kind.is_kind());
    let mut granted = model.exceptions.iter().filter(|granted| {
        let target = granted.element.target;
        target == Some(id) || target.is_some() && target == version
    });
    if granted.any(|granted| covers(material.law, granted, (rule, code), release)) {
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
