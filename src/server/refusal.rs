//! What a server refuses.

use super::node::Node;
use super::path::Path;
use crate::source::Location;

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// A value of the wrong type.
    Undecodable,
    /// The same of a keyword of a schema.
    KeywordValue,
    /// The name, labels and annotations of the CRD.
    Metadata,
    Group,
    Names,
    Versions,
    Conversion,
    Subresources,
    Columns,
    SelectableFields,
    /// What keeps a schema from being structural.
    Structural,
    /// `x-kubernetes-int-or-string`.
    IntOrString,
    /// Keywords that CRDs must not use.
    Keyword,
    /// The `metadata` of objects, and embedded resources.
    ObjectMetadata,
    /// A regular expression.
    Pattern,
    /// `x-kubernetes-list-type` and `x-kubernetes-map-type`.
    ListType,
    /// The keys of a list map.
    ListKeys,
    /// The items of a set.
    SetItems,
    /// A default that its schema rejects.
    DefaultValue,
    /// A default without a required field.
    DefaultMissing,
    /// A default with a field that the schema does not list.
    DefaultUnknown,
    /// A rule in CEL, or its message.
    Rule,
    /// The estimated cost of a rule, or of all of a schema.
    RuleCost,
    /// A rule that is not judged: no refusal.
    RuleUnjudged,
}

/// Something for which a server refuses a CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) class: Class,
    /// The server's path: `spec.versions[0].name`; empty where a value has the wrong type.
    pub(crate) path: String,
    /// The position of the version that it is in; `None` for what is above or shared by the versions.
    pub(crate) version: Option<usize>,
    /// The field of the objects that it is about: `.spec.ports[]`; empty for the objects and what is beside them.
    pub(crate) field: String,
    /// Where it stands, in lines of its document.
    pub(crate) place: Option<Location>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: String,
}

/// The refusals of one CRD.
#[derive(Debug, Default)]
pub(super) struct Refusals(pub(super) Vec<Refusal>);

impl Refusals {
    /// A value is refused.
    pub(super) fn add(
        &mut self,
        class: Class,
        node: &Node<'_, '_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(class, &node.path, node.place, message.into(), help.into());
    }

    /// The value of a key is refused, or missing.
    pub(super) fn add_key(
        &mut self,
        class: Class,
        node: &Node<'_, '_>,
        key: &str,
        (message, help): (impl Into<String>, impl Into<String>),
    ) {
        let path = node.path.child(key);
        self.push(class, &path, node.place_of(key), message.into(), help.into());
    }

    fn push(&mut self, class: Class, path: &Path<'_>, place: Option<Location>, message: String, help: String) {
        self.0.push(Refusal {
            class,
            path: path.to_string(),
            version: path.version(),
            field: path.field(),
            place,
            message,
            help,
        });
    }

    /// Whether something of a version is not judged.
    pub(super) fn has_unjudged(&self, version: Option<usize>) -> bool {
        let mut unjudged = self.0.iter().filter(|refusal| refusal.class == Class::RuleUnjudged);
        unjudged.any(|refusal| refusal.version == version)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
