//! What differs between two schemas, as data.

#![allow(
    missing_docs,
    reason = "most kinds of change say it all; the law of changes has the words"
)]

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value as Json;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::source::Location;

/// A difference between two states of a schema. It does not say whether the difference is bad.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub kind: ChangeKind,
    /// The version it happened in; `None` for a change of the CRD as a whole.
    pub(crate) version: Option<String>,
    /// The field, as `.spec.ports[].name`: `[]` stands for the items of a list, `{}` for the values of a map. Empty for
    /// the root of the schema and for what belongs to no field.
    pub path: String,
    /// What changed there: a keyword, a name, a value, a validation rule.
    pub subject: Option<String>,
    pub old: Option<Json>,
    pub new: Option<Json>,
    /// What it does to the set of valid values.
    pub effect: Effect,
    /// Whether a default applies where the field is not set.
    pub defaulted: bool,
    /// Whether all values that become invalid are texts with a line break.
    pub(crate) breaks_lines_only: bool,
    /// The type of Kubernetes that the field is within, if the change can be one of that type.
    pub(crate) embedded: Option<&'static str>,
    pub old_place: Option<Location>,
    pub new_place: Option<Location>,
}

/// What a change does to the set of valid values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

impl Effect {
    /// The effect of a keyword whose old value leaves so much room compared with its new one.
    pub(super) fn of_room(old_to_new: Ordering) -> Self {
        match old_to_new {
            Ordering::Less => Self::Wider,
            Ordering::Equal => Self::Same,
            Ordering::Greater => Self::Narrower,
        }
    }
}

/// What a change does to a group of clients: those that write objects, or those that read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Risky, Self::Compatible];
}

/// What can happen to a CRD or a schema. Reports and policy files write the names in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ChangeKind {
    DefinitionAdded,
    DefinitionRemoved,
    ScopeChanged,
    /// The plural, the singular, the kind or the list kind.
    NameChanged,
    AliasAdded,
    AliasRemoved,
    ConversionChanged,
    /// The address or the protocol of the conversion webhook.
    ConversionSettingsChanged,
    /// `preserveUnknownFields` was turned off: unlisted fields are dropped.
    PruningAdded,
    /// `preserveUnknownFields` was turned on: unlisted fields are kept.
    PruningRemoved,
    VersionAdded,
    VersionRemoved,
    UnservedVersionRemoved,
    /// A version in which objects may be stored was removed.
    StoredVersionRemoved,
    VersionServed,
    VersionUnserved,
    StorageMoved,
    StorageMovedToNewVersion,
    VersionDeprecated,
    VersionUndeprecated,
    /// A served, deprecated version has no `deprecationWarning`.
    DeprecatedWithoutWarning,
    DeprecationWarningChanged,
    /// A deprecated version beside which only less stable ones are served.
    DeprecatedForLessStable,
    /// A deprecated version beside which none is served.
    DeprecatedWithoutReplacement,
    LostBetweenVersions,
    SetBetweenVersions,
    RefusedBetweenVersions,
    StoredVersionsChanged,
    SubresourceAdded,
    SubresourceRemoved,
    SubresourceChanged,
    ColumnAdded,
    ColumnRemoved,
    ColumnChanged,
    SelectableFieldAdded,
    SelectableFieldRemoved,
    SchemaAdded,
    SchemaRemoved,
    /// A field was added that is optional or has a default.
    FieldAdded,
    RequiredFieldAdded,
    UnlistedFieldListed,
    /// A field is no longer listed; its own fields are not reported.
    FieldRemoved,
    TypeChanged,
    FormatChanged,
    RequiredAdded,
    RequiredAddedWithDefault,
    RequiredRemoved,
    NullableAdded,
    NullableRemoved,
    DefaultAdded,
    DefaultRemoved,
    DefaultChanged,
    EnumAdded,
    EnumRemoved,
    EnumValueAdded,
    EnumValueRemoved,
    BoundTightened,
    BoundLoosened,
    /// `multipleOf` changed to an unrelated number.
    BoundChanged,
    PatternAdded,
    PatternRemoved,
    PatternChanged,
    RuleAdded,
    RuleRemoved,
    RuleChanged,
    /// The message, the reason or the field that a CEL rule reports.
    RuleMessageChanged,
    ImmutableAdded,
    ImmutableRemoved,
    CombinationTightened,
    /// `allOf`, `anyOf` or `not` accepts more, or `oneOf` was removed.
    CombinationLoosened,
    AlternativeAdded,
    CombinationChanged,
    ItemsAdded,
    ItemsRemoved,
    AdditionalPropertiesLoosened,
    AdditionalPropertiesTightened,
    UnknownFieldsKept,
    UnknownFieldsDropped,
    EmbeddedResourceAdded,
    EmbeddedResourceRemoved,
    ListTypeChanged,
    ListKeysChanged,
    MapTypeChanged,
    DescriptionChanged,
    /// `title`, `example`, `externalDocs`, `id`, `$schema` or `$comment`.
    DocumentationChanged,
    /// A keyword is written differently with the same meaning.
    Restated,
    UnknownKeywordChanged,
}

impl ChangeKind {
    /// Whether the subject is a keyword that bounds numbers or sizes.
    pub(crate) fn is_of_bound(self) -> bool {
        matches!(self, Self::BoundTightened | Self::BoundLoosened | Self::BoundChanged)
    }
}

impl ChangeKind {
    /// All of them, in the order of their declaration.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The stable name in reports and policy files.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }
}
