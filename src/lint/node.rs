//! The schemas of a version, each with its context.

use std::sync::LazyLock;

use crate::grammar::{KindPath, MemberName};
use crate::schema::path::{OF_EVERY_OBJECT, is_in_status, step};
use crate::schema::{Additional, Definition, Schema, Version, embedded_type};
use crate::source::Location;

/// A schema with its context.
pub(super) struct Node<'a> {
    pub definition: &'a Definition,
    pub version_name: &'a str,
    pub version: &'a Version,
    /// The path of what it describes: `.spec.ports[]`; empty for the objects themselves.
    pub(crate) path: String,
    /// The place of the innermost field's name, or else of the version or the CRD.
    pub place: Location,
    pub schema: &'a Schema,
    pub role: Role<'a>,
    /// Whether it is a type of Kubernetes itself, such as the template of a pod.
    pub(crate) is_kubernetes_type: bool,
    /// Whether the project can follow advice: not in deprecated versions, nor within types of Kubernetes itself.
    pub(crate) advice: bool,
}

/// What a schema is in the schema that contains it.
#[derive(Clone, Copy)]
pub(super) enum Role<'a> {
    /// The objects of a version.
    Root,
    Field {
        name: &'a str,
        of: &'a Schema,
        /// Whether that is the schema of the objects themselves.
        at_top: bool,
    },
    /// The items of a list.
    Item { of: &'a Schema },
    /// The values of a map.
    Value,
}

impl<'a> Node<'a> {
    pub(super) fn kind_path(&self) -> KindPath<'a> {
        let Definition { group, kind, .. } = self.definition;
        KindPath::api(group, self.version_name, kind)
    }

    /// The id of what it describes.
    pub(crate) fn element(&self) -> String {
        let kind = self.kind_path();
        match self.path.as_str() {
            "" => kind.to_string(),
            path => kind.with_member(MemberName::of_field(path)).to_string(),
        }
    }

    /// The name at its place.
    pub(crate) fn name(&self) -> &'a str {
        match self.role {
            Role::Root => self.version_name,
            Role::Field { name, .. } => name,
            Role::Item { .. } | Role::Value => "",
        }
    }

    /// Whether it is a field that objects may lack: it is not required, and has no default.
    pub(crate) fn may_be_absent(&self) -> bool {
        match self.role {
            Role::Field { name, of, .. } => !of.required.contains(name) && self.schema.default.is_none(),
            _ => false,
        }
    }

    pub(super) fn is_required(&self) -> bool {
        matches!(self.role, Role::Field { name, of, .. } if of.required.contains(name))
    }

    /// Whether it is in the status, which only the controller writes.
    pub(crate) fn in_status(&self) -> bool {
        is_in_status(&self.path)
    }

    pub(super) fn words(&self) -> String {
        match self.path.as_str() {
            "" => "the object".to_owned(),
            path => format!("`{path}`"),
        }
    }
}

/// The schema of a version without one: checks also look at other parts of the version.
static NOTHING: LazyLock<Schema> = LazyLock::new(Schema::default);

/// Visits the schema of a version's objects and all schemas in it, except the metadata of objects and the members of
/// `allOf`, `anyOf`, `oneOf` and `not`, which nothing checks.
pub(super) fn visit<'a>(
    definition: &'a Definition,
    version_name: &'a str,
    version: &'a Version,
    visitor: &mut impl FnMut(&Node<'a>),
) {
    let schema = version.schema.as_deref().unwrap_or(&NOTHING);
    let root = Node {
        definition,
        version_name,
        version,
        path: String::new(),
        place: version.place.unwrap_or(definition.place),
        schema,
        role: Role::Root,
        is_kubernetes_type: false,
        advice: !version.deprecated,
    };
    descend(&root, visitor);
}

fn descend<'a>(node: &Node<'a>, visitor: &mut impl FnMut(&Node<'a>)) {
    visitor(node);
    let at_top = matches!(node.role, Role::Root);
    for (name, property) in &node.schema.properties {
        if at_top && OF_EVERY_OBJECT.contains(&name.as_str()) {
            continue;
        }
        let role = Role::Field {
            name,
            of: node.schema,
            at_top,
        };
        let place = property.place.map(|place| place.below(node.definition.place.line));
        let mut field = within(node, &step(name), &property.schema, role);
        field.place = place.unwrap_or(node.place);
        descend(&field, visitor);
    }
    if let Some(items) = &node.schema.items {
        descend(&within(node, "[]", items, Role::Item { of: node.schema }), visitor);
    }
    if let Some(Additional::Of(values)) = &node.schema.additional {
        descend(&within(node, "{}", values, Role::Value), visitor);
    }
}

fn within<'a>(node: &Node<'a>, step: &str, schema: &'a Schema, role: Role<'a>) -> Node<'a> {
    Node {
        path: format!("{}{step}", node.path),
        schema,
        role,
        is_kubernetes_type: embedded_type(schema).is_some(),
        advice: node.advice && !node.is_kubernetes_type,
        ..*node
    }
}
