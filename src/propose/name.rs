//! Ids of what is not there yet, taken apart.

use crate::diagnostic::did_you_mean;
use crate::model::{ElementId, Group, Kind, Model};

use super::Unproposable;

/// A part of a kind that is to be: `apps/v1 Deployment .spec.foo`.
pub(super) struct Part<'m> {
    /// The whole id.
    pub id: String,
    /// The kind in the version named.
    pub kind_in: ElementId,
    /// The group.
    pub group: &'m Group,
    /// The kind in all versions.
    pub kind: &'m Kind,
    /// Its own name: `spec.foo`, `spec.policy=OnMonday`.
    pub name: String,
}

/// Takes the id of a field or of a value apart. `form` is an example of one.
pub(super) fn part<'m>(model: &'m Model, id: &str, form: &str) -> Result<Part<'m>, Unproposable> {
    let written = || {
        Unproposable::new(
            format!("`{id}` names no part of a kind"),
            format!("write it as `{form}`"),
        )
    };
    let (kind_id, name) = id.trim().split_once(" .").ok_or_else(written)?;
    let (path, _) = name.split_once('=').unwrap_or((name, ""));
    if path
        .split('.')
        .any(|step| step.is_empty() || step.contains([' ', '"', '\'']))
    {
        return Err(written());
    }
    let whole = format!("{} .{name}", kind_id.trim());
    if model.find(&whole).is_some() {
        return Err(there_already(&whole));
    }
    let unknown = || {
        let kinds = model.elements().filter(|(_, element)| element.kind.is_kind());
        let help = did_you_mean(kind_id.trim(), kinds.map(|(id, _)| model.id(id)));
        let help = help.unwrap_or_else(|| "`lifecycle plan` lists the kinds by version".to_owned());
        Unproposable::new(format!("there is no kind `{}`", kind_id.trim()), help)
    };
    let kind_in = model.find(kind_id.trim()).ok_or_else(unknown)?;
    let group = model.group_of(kind_in).ok_or_else(unknown)?;
    let own = model.element(kind_in).name();
    let kind = group.kinds.iter().find(|kind| kind.name == own).ok_or_else(unknown)?;
    Ok(Part {
        id: whole,
        kind_in,
        group,
        kind,
        name: name.to_owned(),
    })
}

/// A version that is to be: whether it is of a configuration, its group, its name.
pub(super) fn version(id: &str) -> Result<(bool, String, String), Unproposable> {
    let id = id.trim();
    let (is_config, rest) = match id.strip_prefix("config ") {
        Some(rest) => (true, rest),
        None => (false, id),
    };
    match rest.rsplit_once('/') {
        Some((group, version)) if !group.is_empty() && !version.is_empty() && !version.contains(' ') => {
            Ok((is_config, group.to_owned(), version.to_owned()))
        }
        _ => Err(Unproposable::new(
            format!("`{id}` is no id of a version"),
            "write group and version: `apps/v2`, `core/v2`, `config kubelet.config.k8s.io/v1`",
        )),
    }
}

/// The fault of proposing what the model has.
pub(super) fn there_already(id: &str) -> Unproposable {
    Unproposable::new(
        format!("{id} is in the model already"),
        format!("`lifecycle why \"{id}\"` tells when what happens to it"),
    )
}

/// A gate's name from what it guards: the kind and the last keys of the path, each with a capital.
pub(super) fn gate(kind: &str, name: &str) -> String {
    let (path, value) = name.split_once('=').unwrap_or((name, ""));
    let last = path.rsplit('.').next().unwrap_or(path);
    let mut gate = kind.to_owned();
    for word in [last, value] {
        let mut fresh = true;
        for c in word.chars() {
            match (c.is_alphanumeric(), fresh) {
                (true, true) => gate.extend(c.to_uppercase()),
                (true, false) => gate.push(c),
                (false, _) => {}
            }
            fresh = !c.is_alphanumeric();
        }
    }
    gate
}
