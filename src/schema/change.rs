//! What differs between two schemas, as data.

use serde_json::Value as Json;

use crate::text::Place;

/// A difference. Which way round it is judged is for others to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The version it happened in; `None` for what is of the definition as a whole.
    pub version: Option<String>,
    /// The field, as `.spec.ports[].name`: `[]` is the step into the items of a list, `{}` that into the values of
    /// a map. Empty for the root and for what is of no field.
    pub path: String,
    /// What of it: a keyword, a name, a value, a rule.
    pub subject: Option<String>,
    /// What was there.
    pub old: Option<Json>,
    /// What is there now.
    pub new: Option<Json>,
    /// What it does to the set of values that are valid.
    pub effect: Effect,
    /// Whether a default stands in where the field is not set.
    pub defaulted: bool,
    /// Where it was, in the old text.
    pub old_place: Option<Place>,
    /// Where it is, in the new text.
    pub new_place: Option<Place>,
}

/// What a change does to the set of values that are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The same values are valid.
    Same,
    /// All that was valid is, and more.
    Wider,
    /// Some that was valid is not any more.
    Narrower,
    /// Neither contains the other, or nobody can tell.
    Unclear,
}

impl Effect {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Wider => "wider",
            Self::Narrower => "narrower",
            Self::Unclear => "unclear",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal),* $(,)?) => {
        /// What can happen to a definition or a schema.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChangeKind {
            $($(#[$doc])* $name),*
        }

        impl ChangeKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The one of this name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|kind| kind.as_str() == name).copied()
            }

            /// Its lasting name, as reports and policies write it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code),*
                }
            }
        }
    };
}

impl ChangeKind {
    /// Whether something does not survive the way to another version.
    pub fn is_between_versions(self) -> bool {
        matches!(self, Self::LostBetween | Self::SetBetween | Self::RefusedBetween)
    }
}

kinds! {
    /// A definition is new.
    DefinitionAdded = "definition-added",
    /// A definition is gone.
    DefinitionRemoved = "definition-removed",
    /// Objects are in a namespace or not.
    ScopeChanged = "scope-changed",
    /// The plural, the singular, the kind or the kind of lists.
    NameChanged = "name-changed",
    /// A short name or a category is new.
    AliasAdded = "alias-added",
    /// A short name or a category is gone.
    AliasRemoved = "alias-removed",
    /// How objects are converted between versions.
    ConversionChanged = "conversion-changed",
    /// Where the webhook is, and what it speaks.
    ConversionSettingsChanged = "conversion-settings-changed",
    /// Fields that no schema lists are dropped from now on.
    PruningAdded = "pruning-added",
    /// Fields that no schema lists are kept from now on.
    PruningRemoved = "pruning-removed",
    /// A version is new.
    VersionAdded = "version-added",
    /// A version that was served is gone.
    VersionRemoved = "version-removed",
    /// A version that was not served is gone.
    UnservedVersionRemoved = "unserved-version-removed",
    /// A version that objects may be stored in is gone.
    StoredVersionRemoved = "stored-version-removed",
    /// A version is served now.
    VersionServed = "version-served",
    /// A version is not served any more.
    VersionUnserved = "version-unserved",
    /// Objects are stored in another version, which was there before.
    StorageMoved = "storage-moved",
    /// Objects are stored in a version that was not served before.
    StorageMovedToNew = "storage-moved-to-new-version",
    /// A version is marked as deprecated.
    VersionDeprecated = "version-deprecated",
    /// A version is not marked as deprecated any more.
    VersionUndeprecated = "version-undeprecated",
    /// A version that is served and deprecated has no words of its own for its warning.
    DeprecatedUnwarned = "deprecated-without-warning",
    /// The words of the warning.
    WarningChanged = "deprecation-warning-changed",
    /// A field is dropped where an object passes through another version.
    LostBetween = "lost-between-versions",
    /// A field that is not set gets a value where an object passes through another version.
    SetBetween = "set-between-versions",
    /// What is valid is refused where an object passes through another version.
    RefusedBetween = "refused-between-versions",
    /// Which versions objects may be stored in, all of them still defined.
    StoredVersionsChanged = "stored-versions-changed",
    /// A subresource is new.
    SubresourceAdded = "subresource-added",
    /// A subresource is gone.
    SubresourceRemoved = "subresource-removed",
    /// A subresource is made of other fields.
    SubresourceChanged = "subresource-changed",
    /// A column of tables is new.
    ColumnAdded = "column-added",
    /// A column of tables is gone.
    ColumnRemoved = "column-removed",
    /// A column of tables shows something else.
    ColumnChanged = "column-changed",
    /// Objects can be selected by one field more.
    SelectableAdded = "selectable-field-added",
    /// Objects cannot be selected by a field any more.
    SelectableRemoved = "selectable-field-removed",
    /// A version has a schema now.
    SchemaAdded = "schema-added",
    /// A version has no schema any more.
    SchemaRemoved = "schema-removed",
    /// A field that need not be set, or has a default, is new.
    FieldAdded = "field-added",
    /// A field that has to be set is new.
    RequiredFieldAdded = "required-field-added",
    /// A field is listed that was kept before without being listed.
    FieldClaimed = "unlisted-field-listed",
    /// A field is not listed any more, with all that is below it.
    FieldRemoved = "field-removed",
    /// The type.
    TypeChanged = "type-changed",
    /// The format.
    FormatChanged = "format-changed",
    /// A field has to be set now.
    RequiredAdded = "required-added",
    /// A field has to be set now, and a default sets it.
    RequiredWithDefault = "required-added-with-default",
    /// A field need not be set any more.
    RequiredRemoved = "required-removed",
    /// `null` is a value now.
    NullableAdded = "nullable-added",
    /// `null` is no value any more.
    NullableRemoved = "nullable-removed",
    /// An unset field gets a value now.
    DefaultAdded = "default-added",
    /// An unset field stays unset now.
    DefaultRemoved = "default-removed",
    /// An unset field gets another value.
    DefaultChanged = "default-changed",
    /// The values are enumerated now.
    EnumAdded = "enum-added",
    /// The values are not enumerated any more.
    EnumRemoved = "enum-removed",
    /// An enumeration has a value more.
    EnumValueAdded = "enum-value-added",
    /// An enumeration has a value less.
    EnumValueRemoved = "enum-value-removed",
    /// A bound of numbers or sizes is new or narrower.
    BoundTightened = "bound-tightened",
    /// A bound of numbers or sizes is gone or wider.
    BoundLoosened = "bound-loosened",
    /// Numbers are to be multiples of something else.
    BoundChanged = "bound-changed",
    /// Texts have to match a pattern now.
    PatternAdded = "pattern-added",
    /// Texts need not match a pattern any more.
    PatternRemoved = "pattern-removed",
    /// Texts have to match another pattern.
    PatternChanged = "pattern-changed",
    /// A rule in CEL is new.
    RuleAdded = "rule-added",
    /// A rule in CEL is gone.
    RuleRemoved = "rule-removed",
    /// A rule in CEL demands something else.
    RuleChanged = "rule-changed",
    /// The message, the reason or the field that a rule in CEL names.
    RuleMessageChanged = "rule-message-changed",
    /// The value cannot be changed any more.
    ImmutableAdded = "immutable-added",
    /// The value can be changed now.
    ImmutableRemoved = "immutable-removed",
    /// `allOf`, `anyOf`, `oneOf` or `not` lets less through.
    CombinationTightened = "combination-tightened",
    /// `allOf`, `anyOf` or `not` lets more through, or `oneOf` is gone.
    CombinationLoosened = "combination-loosened",
    /// `oneOf` has an alternative more.
    AlternativeAdded = "alternative-added",
    /// Members of `allOf`, `anyOf`, `oneOf` or `not` are others.
    CombinationChanged = "combination-changed",
    /// The items of a list are described now.
    ItemsAdded = "items-added",
    /// The items of a list are not described any more.
    ItemsRemoved = "items-removed",
    /// Fields that are not listed are allowed now, or less is demanded of them.
    AdditionalLoosened = "additional-properties-loosened",
    /// Fields that are not listed are not allowed any more, or more is demanded of them.
    AdditionalTightened = "additional-properties-tightened",
    /// Fields that are not listed are kept now.
    UnknownKept = "unknown-fields-kept",
    /// Fields that are not listed are dropped now.
    UnknownDropped = "unknown-fields-dropped",
    /// The value is an object with a kind of its own now.
    EmbeddedAdded = "embedded-resource-added",
    /// The value is no object with a kind of its own any more.
    EmbeddedRemoved = "embedded-resource-removed",
    /// How concurrent writes to a list are merged.
    ListTypeChanged = "list-type-changed",
    /// By which fields the items of a list are told apart.
    ListKeysChanged = "list-keys-changed",
    /// How concurrent writes to a map are merged.
    MapTypeChanged = "map-type-changed",
    /// The words that explain a field.
    DescriptionChanged = "description-changed",
    /// A title, an example, an address of further documentation.
    DocumentationChanged = "documentation-changed",
    /// A keyword is said otherwise, or aloud, and means what was meant before.
    Restated = "restated",
    /// A keyword that is not known.
    UnknownChanged = "unknown-keyword-changed",
}
