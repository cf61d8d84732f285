//! Names: of the CRD, its group, its kind and resource.

use super::dns::{LABEL, is_label, is_subdomain};
use super::node::Node;
use super::object_meta;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// The metadata of the CRD.
pub(super) fn metadata(definition: &Node<'_, '_>, found: &mut Refusals) {
    let spec = definition.child("spec");
    let spec = spec.as_ref();
    let names = spec.and_then(|spec| spec.value.get("names"));
    let plural = names.map_or("", |names| names.text("plural"));
    let group = spec.map_or("", |spec| spec.value.text("group"));
    let wanted = format!("{plural}.{group}");
    let is_known = !plural.is_empty() && !group.is_empty();
    let metadata = definition
        .child("metadata")
        .unwrap_or(definition.named(definition.path.child("metadata")));
    let name = metadata.value.text("name");
    let help = if is_known {
        format!("set `metadata.name: {wanted}`, the plural name and the group")
    } else {
        "set `spec.group` and `spec.names.plural`; the name of the CRD is the plural name, a dot and the group"
            .to_owned()
    };
    if metadata.value.entry("name").is_none() || metadata.path.to_string() != "metadata" {
        found.add_key(Class::Metadata, &metadata, "name", ("the CRD has no name", help));
    } else if name != wanted {
        let message = if is_known {
            format!("the CRD is named `{name}`, not `{wanted}`: the plural name and the group")
        } else {
            format!("the CRD is named `{name}`, but lacks the plural name or the group, of which its name consists")
        };
        found.add_key(Class::Metadata, &metadata, "name", (message, help));
    } else if !is_subdomain(name) {
        let message = format!("`{name}` cannot be the name of an object");
        let help = format!("use a plural name of {LABEL}, and a group of such names and dots");
        found.add_key(Class::Metadata, &metadata, "name", (message, help));
    }
    let generated = metadata.value.text("generateName");
    if !generated.is_empty() && generated != wanted {
        let message = "a CRD has a name of its own: servers do not make one";
        found.add_key(Class::Metadata, &metadata, "generateName", (message, "remove it"));
    }
    if !metadata.value.text("namespace").is_empty() {
        let message = "a CRD is in no namespace";
        found.add_key(Class::Metadata, &metadata, "namespace", (message, "remove it"));
    }
    object_meta::check(&metadata, Class::Metadata, found);
    approval(&metadata, group, found);
}

const APPROVED: &str = "api-approved.kubernetes.io";

/// Whether a domain is another one or below it.
fn is_within(domain: &str, other: &str) -> bool {
    let rest = domain.strip_suffix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Groups of Kubernetes itself need the link to an approval.
fn approval(metadata: &Node<'_, '_>, group: &str, found: &mut Refusals) {
    if !["k8s.io", "kubernetes.io"]
        .into_iter()
        .any(|domain| is_within(group, domain))
    {
        return;
    }
    let annotations = metadata.child("annotations");
    let given = annotations
        .as_ref()
        .map_or("", |annotations| annotations.value.text(APPROVED));
    if given.starts_with("unapproved") || is_link(given) {
        return;
    }
    let path = metadata.path.child("annotations");
    let node = Node {
        path: path.key(APPROVED),
        place: annotations
            .as_ref()
            .map_or(metadata.place, |node| node.place_of(APPROVED)),
        ..*metadata
    };
    found.add(
        Class::Group,
        &node,
        format!("the group `{group}` is protected, and the annotation `{APPROVED}` is no link to its approval"),
        "use a group of your own domain, or set the annotation to the link, or to a text that begins with `unapproved`",
    );
}

fn is_link(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !host.is_empty()
        && !text.contains(|c: char| c.is_ascii_control() || c == ' ')
}

/// The group and the scope.
pub(super) fn group(spec: &Node<'_, '_>, found: &mut Refusals) {
    let group = spec.value.text("group");
    let message = match group {
        "" => Some("the CRD has no group".to_owned()),
        group if !is_subdomain(group) => Some(format!("`{group}` is no domain")),
        group if !group.contains('.') => Some(format!("the group `{group}` is a domain without a dot")),
        _ => None,
    };
    if let Some(message) = message {
        let help = "name a domain of yours: lower-case letters, digits, `-` and at least one dot";
        found.add_key(Class::Group, spec, "group", (message, help));
    }
    let scope = spec.value.text("scope");
    if !["Cluster", "Namespaced"].contains(&scope) {
        let message = match scope {
            "" => "the CRD has no scope".to_owned(),
            scope => format!("`{scope}` is no scope"),
        };
        found.add_key(
            Class::Group,
            spec,
            "scope",
            (message, "write `Namespaced` or `Cluster`"),
        );
    }
    if spec.value.says("preserveUnknownFields") {
        let message = "`preserveUnknownFields: true` is no longer accepted";
        let help =
            "remove it; where a part keeps unknown fields, set `x-kubernetes-preserve-unknown-fields: true` there";
        found.add_key(Class::Versions, spec, "preserveUnknownFields", (message, help));
    }
}

/// The names of kind and resource.
pub(super) fn names(spec: &Node<'_, '_>, found: &mut Refusals) {
    let path = spec.path;
    let missing = spec.named(path);
    let given = spec.child("names");
    let names = given.unwrap_or(Node {
        value: &Tree::Null,
        path: missing.path.child("names"),
        place: spec.place,
    });
    let kind = names.value.text("kind");
    for key in ["plural", "kind"] {
        if names.value.text(key).is_empty() {
            let help = format!("set `spec.names.{key}`");
            found.add_key(Class::Names, &names, key, (format!("the CRD has no {key} name"), help));
        }
    }
    for key in ["plural", "singular", "kind", "listKind"] {
        let name = names.value.text(key);
        let cased = matches!(key, "kind" | "listKind");
        let lower = name.to_lowercase();
        if !name.is_empty() && !is_label(if cased { &lower } else { name }) {
            let message = format!("`{name}` cannot be the `{key}` of names");
            let case = if cased { " (capitals are allowed)" } else { "" };
            found.add_key(Class::Names, &names, key, (message, format!("use {LABEL}{case}")));
        }
    }
    if !kind.is_empty() && kind == names.value.text("listKind") {
        let message = format!("`listKind` is `{kind}`, the same as `kind`");
        found.add_key(Class::Names, &names, "listKind", (message, format!("use `{kind}List`")));
    }
    for key in ["shortNames", "categories"] {
        let Some(list) = names.child(key) else { continue };
        for item in list.items() {
            let name = match item.value {
                Tree::Text(text) => text.as_str(),
                _ => "",
            };
            if !is_label(name) {
                let message = format!("`{name}` cannot be one of `{key}`");
                found.add(Class::Names, &item, message, format!("use {LABEL}"));
            }
        }
    }
}
