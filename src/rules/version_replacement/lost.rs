//! Replacements that are not there: unknown ones, and versions that do not serve a kind.

use crate::model::succession::naming;
use crate::model::{ElementId, Model, Reference};
use crate::obligation::{Announcement, Obligations, Scope};

/// A replacement that is not declared, or a version that does not serve the kind that it is to replace.
pub(super) fn lost(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, element): (Announcement, ElementId),
    reference: &Reference,
    there: bool,
) {
    let model = scope.model;
    let entry = naming(model, element);
    let group = model.group_of(element);
    let mut versions = group.into_iter().flat_map(|group| &group.versions);
    let nearby = versions.find(|version| version.name.as_str() == reference.text);
    let version = reference.target.or(nearby.map(|version| version.element));
    let kind = model.element(element).path().kind().map(|path| path.kind.to_string());
    match version.zip(kind) {
        None => unknown(scope, out, (announcement, entry), reference),
        Some((version, kind)) if entry == element => {
            let because = "the replacement of a version exists";
            let step = match serving(model, element).as_slice() {
                [] => String::new(),
                versions => format!(", or name a version that serves it: {}", versions.join(", ")),
            };
            let (id, version) = (model.id(element), model.id(version));
            let message = format!("the replacement of {id}, {version}, does not serve the kind `{kind}`");
            let obligation = scope.of_replacement("unknown", announcement, false, because);
            let help = format!("add `{kind}` to {version}{step}");
            let obligation = obligation.about(element).place(reference.span);
            out.push(obligation.message(message).help(help));
        }
        // The version is replaced and the kind left behind, which is legal.
        Some((version, kind)) if announcement.is_declared => {
            let because = "a deprecation names what users should move to";
            let (id, version) = (model.id(element), model.id(version));
            let message = format!(
                "{id} is deprecated without a successor: {version}, which replaces its version, does not serve it"
            );
            let obligation = scope.of_replacement("no-replacement", announcement, there, because);
            let help = format!(
                "add `{kind}` to {version}, or declare a `replacement` of its own; if it has none, add an exception"
            );
            out.push(obligation.message(message).help(help));
        }
        Some(_) => {}
    }
}

/// A replacement that is neither a version nor a kind.
pub(super) fn no_kind(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, element): (Announcement, ElementId),
    reference: &Reference,
    target: ElementId,
) {
    let model = scope.model;
    let because = "a version is replaced by a version or a kind";
    let about = naming(model, element);
    let (id, target) = (model.id(about), model.id(target));
    let message = format!("the replacement of {id}, {target}, is neither a version nor a kind");
    let obligation = scope.of_replacement("unknown", announcement, false, because);
    let obligation = obligation.about(about).place(reference.span);
    out.push(
        obligation
            .message(message)
            .help("name what users should move to by its id: \"apps/v1 Deployment\""),
    );
}

fn unknown(
    scope: &Scope<'_>,
    out: &mut Obligations,
    (announcement, about): (Announcement, ElementId),
    reference: &Reference,
) {
    let model = scope.model;
    let because = "the replacement of a version exists";
    let id = model.id(about);
    let groups = model.group_of(about).into_iter().chain(model.groups.iter());
    let names = groups.flat_map(|group| {
        let versions = group.versions.iter();
        versions.flat_map(|version| [version.name.as_str(), model.id(version.element)])
    });
    let help = crate::diagnostic::did_you_mean(&reference.text, names.take(MOST_COMPARED));
    let help = help.unwrap_or_else(|| {
        if reference.text.contains('/') {
            format!("declare `{}`, or delete `replacement`", reference.text)
        } else {
            "declare it, or write its id: \"apps/v1 Deployment\"".to_owned()
        }
    });
    let message = format!(
        "the replacement of {id}, `{}`, is not declared in this model",
        reference.text
    );
    let obligation = scope.of_replacement("unknown", announcement, false, because);
    let obligation = obligation.about(about).place(reference.span);
    out.push(obligation.message(message).help(help));
}

/// The most names with which an unknown one is compared, those of its group first.
const MOST_COMPARED: usize = 500;

/// The other versions of its group that serve a kind, quoted as in a model.
fn serving(model: &Model, element: ElementId) -> Vec<String> {
    let Some(group) = model.group_of(element) else {
        return Vec::new();
    };
    let kinds = group.kinds.iter().filter(|kind| kind.versions.contains(&Some(element)));
    kinds
        .flat_map(|kind| kind.versions.iter().zip(&group.versions))
        .filter(|(other, _)| other.is_some_and(|other| other != element))
        .map(|(_, version)| format!("\"{}\"", version.name))
        .collect()
}
