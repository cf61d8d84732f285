//! The schemas of a version, each with what is around it.

use std::sync::LazyLock;

use crate::grammar::KindPath;
use crate::schema::path::{OF_EVERY_OBJECT, is_in_status, step};
use crate::schema::{Additional, Definition, Schema, Version};
use crate::text::Place;

use super::borrowed::is_borrowed;

/// A schema, and what is around it.
pub(super) struct Node<'a> {
    pub definition: &'a Definition,
    /// The name of the version.
    pub version_name: &'a str,
    pub version: &'a Version,
    /// What it is the schema of: `.spec.ports[]`; empty for the objects themselves.
    pub path: String,
    /// Where the nearest field's name stands; else the version's, or the definition.
    pub place: Place,
    pub schema: &'a Schema,
    pub role: Role<'a>,
    /// Whether the type is Kubernetes' own.
    pub borrowed: bool,
    /// Whether advice on it can be followed: not in deprecated versions, nor within types that are Kubernetes' own.
    pub advice: bool,
}

/// What a schema is to the one around it.
#[derive(Clone, Copy)]
pub(super) enum Role<'a> {
    /// The objects of a version.
    Root,
    /// A field.
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
    /// The id of what it is about, as models write those of fields.
    pub fn element(&self) -> String {
        let kind = KindPath::api(&*self.definition.group, self.version_name, &*self.definition.kind);
        match self.path.as_str() {
            "" => kind.to_string(),
            path => format!("{kind} {path}"),
        }
    }

    /// The name that stands at its place.
    pub fn name(&self) -> &'a str {
        match self.role {
            Role::Root => self.version_name,
            Role::Field { name, .. } => name,
            Role::Item { .. } | Role::Value => "",
        }
    }

    /// Whether it is a field that objects may lack: it is not required, and has no default.
    pub fn may_be_absent(&self) -> bool {
        match self.role {
            Role::Field { name, of, .. } => !of.required.contains(name) && self.schema.default.is_none(),
            _ => false,
        }
    }

    /// Whether it is a field that is required.
    pub fn is_required(&self) -> bool {
        matches!(self.role, Role::Field { name, of, .. } if of.required.contains(name))
    }

    /// Whether it is within what the controller alone writes.
    pub fn in_status(&self) -> bool {
        is_in_status(&self.path)
    }

    /// What the path is called in a sentence.
    pub fn words(&self) -> String {
        match self.path.as_str() {
            "" => "the object".to_owned(),
            path => format!("`{path}`"),
        }
    }
}

/// The schema of versions that have none: what else they say is looked at as well.
static NOTHING: LazyLock<Schema> = LazyLock::new(Schema::default);

/// Visits the schema of a version's objects, and all within but the metadata of objects. Members of `allOf`, `anyOf`,
/// `oneOf` and `not` say nothing that checks look for.
pub(super) fn visit<'a>(
    definition: &'a Definition,
    version_name: &'a str,
    version: &'a Version,
    look: &mut impl FnMut(&Node<'a>),
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
        borrowed: false,
        advice: !version.deprecated,
    };
    descend(&root, look);
}

fn descend<'a>(node: &Node<'a>, look: &mut impl FnMut(&Node<'a>)) {
    look(node);
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
        let within = within(node, &step(name), &property.schema, role);
        descend(
            &Node {
                place: place.unwrap_or(node.place),
                ..within
            },
            look,
        );
    }
    if let Some(items) = &node.schema.items {
        descend(&within(node, "[]", items, Role::Item { of: node.schema }), look);
    }
    if let Some(Additional::Of(values)) = &node.schema.additional {
        descend(&within(node, "{}", values, Role::Value), look);
    }
}

fn within<'a>(node: &Node<'a>, step: &str, schema: &'a Schema, role: Role<'a>) -> Node<'a> {
    Node {
        path: format!("{}{step}", node.path),
        schema,
        role,
        borrowed: is_borrowed(schema),
        advice: node.advice && !node.borrowed,
        ..*node
    }
}
