//! Names of what is to be added.

use crate::diagnostic::did_you_mean;
use crate::grammar::{ElementKind, ElementPath, KindPath, MemberName, VersionPath};
use crate::model::{ElementId, Group, Kind, Model};

use super::Unproposable;

/// A field or value that is to be added: `apps/v1 Deployment .spec.foo`.
pub(super) struct NewMember<'m> {
    /// Its id.
    pub(crate) id: String,
    /// The kind in the version named.
    pub(crate) kind_in: ElementId,
    /// The group.
    pub(crate) group: &'m Group,
    /// The kind in all versions.
    pub(crate) kind: &'m Kind,
    /// Its name.
    pub(crate) name: MemberName<'static>,
}

/// Finds where a field or a value is to be added. `form` is an example of such an id.
pub(super) fn member<'m>(model: &'m Model, id: &str, form: &str) -> Result<NewMember<'m>, Unproposable> {
    let (kind_path, name) = parts(id).ok_or_else(|| {
        Unproposable::new(
            format!("`{id}` is not the id of a field or value"),
            format!("write it as `{form}`"),
        )
    })?;
    let path = kind_path.clone().with_member(name.clone());
    if model.find_path(&path).is_some() {
        return Err(there_already(model, &path.to_string()));
    }
    let known = model.find_path(&kind_path.clone().into());
    let known = known.and_then(|id| Some((id, model.group_of(id)?, model.kind_of(id)?)));
    let (kind_in, group, kind) = known.ok_or_else(|| unknown_kind(model, &kind_path))?;
    Ok(NewMember {
        id: path.to_string(),
        kind_in,
        group,
        kind,
        name,
    })
}

/// The kind and the name that the id of a field or value has.
fn parts(id: &str) -> Option<(KindPath<'static>, MemberName<'static>)> {
    let Ok(ElementPath::Member(kind, name)) = id.trim().parse() else {
        return None;
    };
    let (MemberName::Field(path) | MemberName::Value { path, .. }) = &name else {
        return None;
    };
    let mut steps = path.split('.');
    let is_misspelt = steps.any(|step| step.is_empty() || step.contains([' ', '"', '\'']));
    (!is_misspelt).then_some((kind, name))
}

fn unknown_kind(model: &Model, path: &KindPath<'_>) -> Unproposable {
    let path = path.to_string();
    let kinds = model.elements().filter(|(_, element)| element.kind.is_kind());
    let help = did_you_mean(&path, kinds.map(|(id, _)| model.id(id)));
    Unproposable::new(
        format!("there is no kind `{path}`"),
        help.unwrap_or_else(|| format!("`{}` lists the kinds by version", model.command_line("plan --all"))),
    )
}

/// A version that is to be added.
pub(super) fn version(id: &str) -> Result<VersionPath<'static>, Unproposable> {
    match id.trim().parse() {
        Ok(ElementPath::Version(version)) => Ok(version),
        _ => Err(Unproposable::new(
            format!("`{}` is not the id of a version", id.trim()),
            "write group and version: `apps/v2`, `core/v2`, `config kubelet.config.k8s.io/v1`",
        )),
    }
}

/// A gate by its name or its id.
pub(super) fn gate_name(text: &str) -> String {
    match ElementPath::parse(text) {
        Ok(ElementPath::Named(ElementKind::Gate, name)) => name.trim().to_owned(),
        _ => text.trim().to_owned(),
    }
}

/// The refusal of an element that the model already has.
pub(super) fn there_already(model: &Model, id: &str) -> Unproposable {
    Unproposable::new(
        format!("{id} is already in the model"),
        format!("`{}` shows its events", model.command_line(&format!("why \"{id}\""))),
    )
}

/// A gate's name from what it guards: the kind, the last key of the path and the value, each with a capital.
pub(super) fn gate_of(kind: &str, name: &MemberName<'_>) -> String {
    let (path, value) = match name {
        MemberName::Value { path, value } => (path, &**value),
        MemberName::Subresource(path) | MemberName::Field(path) | MemberName::Annotation(path) => (path, ""),
    };
    let last = path.rsplit('.').next().unwrap_or(path);
    let mut gate = kind.to_owned();
    for word in [last, value] {
        let mut starts_word = true;
        for c in word.chars() {
            match (c.is_alphanumeric(), starts_word) {
                (true, true) => gate.extend(c.to_uppercase()),
                (true, false) => gate.push(c),
                (false, _) => {}
            }
            starts_word = !c.is_alphanumeric();
        }
    }
    gate
}
