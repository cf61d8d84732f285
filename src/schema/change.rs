//! What differs between two schemas, as data.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::source::Location;

/// A difference between two states of a schema. It does not say whether the difference is bad.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The version it happened in; `None` for a change of the CRD as a whole.
    pub(crate) version: Option<String>,
    /// The field, as `.spec.ports[].name`: `[]` stands for the items of a list, `{}` for the values of a map. Empty for
    /// the root of the schema and for what belongs to no field.
    pub path: String,
    /// What changed there: a keyword, a name, a value, a validation rule.
    pub(crate) subject: Option<String>,
    /// The old value.
    pub old: Option<Json>,
    /// The new value.
    pub(crate) new: Option<Json>,
    /// What it does to the set of valid values.
    pub effect: Effect,
    /// Whether a default applies where the field is not set.
    pub(crate) defaulted: bool,
    /// The place in the old text.
    pub old_place: Option<Location>,
    /// The place in the new text.
    pub new_place: Option<Location>,
}

/// What a change does to the set of valid values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The same values are valid.
    Same,
    /// All valid values stay valid, and others become valid.
    Wider,
    /// Some valid values become invalid.
    Narrower,
    /// Neither set contains the other, or it cannot be decided: another `pattern`, for example.
    Unclear,
}

/// What a change does to a group of clients: those that write objects, or those that read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything that worked still works.
    Compatible,
    /// It works for clients that expect the change, and may fail for others: a new enum value, for example.
    Risky,
    /// Something that worked fails.
    Breaking,
}

impl Verdict {
    /// All of them, the most severe first.
    pub(crate) const ALL: [Self; 3] = [Self::Breaking, Self::Risky, Self::Compatible];

    /// The name in policy files and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal),* $(,)?) => {
        /// What can happen to a CRD or a schema.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChangeKind {
            $($(#[$doc])* $name),*
        }

        impl ChangeKind {
            /// All of them, in the order of their declaration.
            pub(crate) const ALL: &[Self] = &[$(Self::$name),*];

            /// The one that a policy file names.
            pub(crate) fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|kind| kind.as_str() == name).copied()
            }

            /// The stable name in reports and policy files.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code),*
                }
            }
        }
    };
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ChangeKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

kinds! {
    /// A kind was added.
    DefinitionAdded = "definition-added",
    /// A kind was removed.
    DefinitionRemoved = "definition-removed",
    /// `scope`: namespaced or cluster-wide.
    ScopeChanged = "scope-changed",
    /// The plural, the singular, the kind or the list kind.
    NameChanged = "name-changed",
    /// A short name or a category was added.
    AliasAdded = "alias-added",
    /// A short name or a category was removed.
    AliasRemoved = "alias-removed",
    /// The conversion strategy.
    ConversionChanged = "conversion-changed",
    /// The address or the protocol of the conversion webhook.
    ConversionSettingsChanged = "conversion-settings-changed",
    /// `preserveUnknownFields` was turned off: unlisted fields are dropped.
    PruningAdded = "pruning-added",
    /// `preserveUnknownFields` was turned on: unlisted fields are kept.
    PruningRemoved = "pruning-removed",
    /// A version was added.
    VersionAdded = "version-added",
    /// A served version was removed.
    VersionRemoved = "version-removed",
    /// A version that was not served was removed.
    UnservedVersionRemoved = "unserved-version-removed",
    /// A version in which objects may be stored was removed.
    StoredVersionRemoved = "stored-version-removed",
    /// A version is now served.
    VersionServed = "version-served",
    /// A version is no longer served.
    VersionUnserved = "version-unserved",
    /// The storage version changed to one that was served before.
    StorageMoved = "storage-moved",
    /// The storage version changed to one that was not served before.
    StorageMovedToNew = "storage-moved-to-new-version",
    /// A version was marked as deprecated.
    VersionDeprecated = "version-deprecated",
    /// A version is no longer marked as deprecated.
    VersionUndeprecated = "version-undeprecated",
    /// A served, deprecated version has no `deprecationWarning`.
    DeprecatedUnwarned = "deprecated-without-warning",
    /// `deprecationWarning`.
    WarningChanged = "deprecation-warning-changed",
    /// A field is dropped when an object passes through another version.
    LostBetween = "lost-between-versions",
    /// An unset field gets a value when an object passes through another version.
    SetBetween = "set-between-versions",
    /// A valid object is rejected when it passes through another version.
    RefusedBetween = "refused-between-versions",
    /// `status.storedVersions`; all of them are still defined.
    StoredVersionsChanged = "stored-versions-changed",
    /// A subresource was added.
    SubresourceAdded = "subresource-added",
    /// A subresource was removed.
    SubresourceRemoved = "subresource-removed",
    /// A subresource uses other fields.
    SubresourceChanged = "subresource-changed",
    /// A printer column was added.
    ColumnAdded = "column-added",
    /// A printer column was removed.
    ColumnRemoved = "column-removed",
    /// A printer column shows something else.
    ColumnChanged = "column-changed",
    /// A selectable field was added.
    SelectableAdded = "selectable-field-added",
    /// A selectable field was removed.
    SelectableRemoved = "selectable-field-removed",
    /// A version got a schema.
    SchemaAdded = "schema-added",
    /// A version lost its schema.
    SchemaRemoved = "schema-removed",
    /// A field was added that is optional or has a default.
    FieldAdded = "field-added",
    /// A required field without a default was added.
    RequiredFieldAdded = "required-field-added",
    /// A field is listed that was kept unlisted before.
    FieldClaimed = "unlisted-field-listed",
    /// A field is no longer listed; its own fields are not reported.
    FieldRemoved = "field-removed",
    /// `type`.
    TypeChanged = "type-changed",
    /// `format`.
    FormatChanged = "format-changed",
    /// A field is now required.
    RequiredAdded = "required-added",
    /// A field is now required, and has a default.
    RequiredWithDefault = "required-added-with-default",
    /// A field is no longer required.
    RequiredRemoved = "required-removed",
    /// `null` is now allowed.
    NullableAdded = "nullable-added",
    /// `null` is no longer allowed.
    NullableRemoved = "nullable-removed",
    /// A default was added.
    DefaultAdded = "default-added",
    /// A default was removed.
    DefaultRemoved = "default-removed",
    /// A default changed.
    DefaultChanged = "default-changed",
    /// `enum` was added.
    EnumAdded = "enum-added",
    /// `enum` was removed.
    EnumRemoved = "enum-removed",
    /// `enum` has a new value.
    EnumValueAdded = "enum-value-added",
    /// `enum` lost a value.
    EnumValueRemoved = "enum-value-removed",
    /// A bound on numbers or sizes was added or tightened.
    BoundTightened = "bound-tightened",
    /// A bound on numbers or sizes was removed or loosened.
    BoundLoosened = "bound-loosened",
    /// `multipleOf` changed to an unrelated number.
    BoundChanged = "bound-changed",
    /// `pattern` was added.
    PatternAdded = "pattern-added",
    /// `pattern` was removed.
    PatternRemoved = "pattern-removed",
    /// `pattern` changed.
    PatternChanged = "pattern-changed",
    /// A CEL rule was added.
    RuleAdded = "rule-added",
    /// A CEL rule was removed.
    RuleRemoved = "rule-removed",
    /// A CEL rule requires something else.
    RuleChanged = "rule-changed",
    /// The message, the reason or the field that a CEL rule reports.
    RuleMessageChanged = "rule-message-changed",
    /// The value became immutable.
    ImmutableAdded = "immutable-added",
    /// The value is no longer immutable.
    ImmutableRemoved = "immutable-removed",
    /// `allOf`, `anyOf`, `oneOf` or `not` accepts less.
    CombinationTightened = "combination-tightened",
    /// `allOf`, `anyOf` or `not` accepts more, or `oneOf` was removed.
    CombinationLoosened = "combination-loosened",
    /// `oneOf` has a new alternative.
    AlternativeAdded = "alternative-added",
    /// Members of `allOf`, `anyOf`, `oneOf` or `not` changed.
    CombinationChanged = "combination-changed",
    /// List items got a schema.
    ItemsAdded = "items-added",
    /// List items lost their schema.
    ItemsRemoved = "items-removed",
    /// `additionalProperties` accepts more.
    AdditionalLoosened = "additional-properties-loosened",
    /// `additionalProperties` accepts less.
    AdditionalTightened = "additional-properties-tightened",
    /// Unlisted fields are now kept.
    UnknownKept = "unknown-fields-kept",
    /// Unlisted fields are now dropped.
    UnknownDropped = "unknown-fields-dropped",
    /// The value is now an embedded resource.
    EmbeddedAdded = "embedded-resource-added",
    /// The value is no longer an embedded resource.
    EmbeddedRemoved = "embedded-resource-removed",
    /// `x-kubernetes-list-type`.
    ListTypeChanged = "list-type-changed",
    /// `x-kubernetes-list-map-keys`.
    ListKeysChanged = "list-keys-changed",
    /// `x-kubernetes-map-type`.
    MapTypeChanged = "map-type-changed",
    /// `description`.
    DescriptionChanged = "description-changed",
    /// `title`, `example` or `externalDocs`.
    DocumentationChanged = "documentation-changed",
    /// A keyword is written differently with the same meaning.
    Restated = "restated",
    /// A keyword that this program does not know.
    UnknownChanged = "unknown-keyword-changed",
}
