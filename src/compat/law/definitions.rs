//! What becomes of a definition, its names, versions and what versions say beside their schema.

use crate::schema::{ChangeKind as Kind, Effect};

use super::{BREAK, OK, RISK, Row, SERVE, SURPRISE, row, when};

pub(super) const DEFINITIONS: &[Row] = &[
    row(Kind::DefinitionAdded, OK, OK, ["the kind is new", "", ""]),
    row(
        Kind::DefinitionRemoved,
        BREAK,
        BREAK,
        [
            "the kind is gone",
            "its objects cannot be written or read, and are deleted with it",
            "deprecate it first, and keep it until its time is up",
        ],
    ),
    row(
        Kind::ScopeChanged,
        BREAK,
        BREAK,
        [
            "the scope changed",
            "every address of every object changes",
            "define a new kind",
        ],
    ),
    row(
        Kind::NameChanged,
        BREAK,
        BREAK,
        [
            "a name changed",
            "clients ask by the old one",
            "define a new kind, or keep the name",
        ],
    ),
    row(Kind::AliasAdded, OK, OK, ["a name is new", "", ""]),
    row(
        Kind::AliasRemoved,
        BREAK,
        OK,
        ["a name is gone", "commands that use it fail", "keep it"],
    ),
    when(
        Effect::Same,
        row(Kind::ConversionChanged, OK, OK, ["the conversion changed", "", ""]),
    ),
    row(
        Kind::ConversionChanged,
        BREAK,
        BREAK,
        [
            "the conversion is lost",
            "the versions differ, and objects of one are taken for those of another as they stand",
            "keep the webhook until all versions are alike, or one is left",
        ],
    ),
    row(
        Kind::ConversionSettingsChanged,
        OK,
        OK,
        ["the settings of the conversion changed", "", ""],
    ),
    row(
        Kind::PruningAdded,
        BREAK,
        BREAK,
        [
            "fields that no schema lists are dropped",
            "what was stored in them is lost with the next write",
            "list them in the schema first",
        ],
    ),
    row(
        Kind::PruningRemoved,
        OK,
        RISK,
        [
            "fields that no schema lists are kept",
            SURPRISE,
            "list the fields instead",
        ],
    ),
    row(Kind::VersionAdded, OK, OK, ["the version is new", "", ""]),
    row(
        Kind::VersionRemoved,
        BREAK,
        BREAK,
        ["the version is gone", "its clients get no answer", SERVE],
    ),
    when(
        Effect::Same,
        row(
            Kind::UnservedVersionRemoved,
            OK,
            OK,
            ["the version, which was not served, is gone", "", ""],
        ),
    ),
    row(
        Kind::UnservedVersionRemoved,
        OK,
        RISK,
        [
            "the version, which was not served, is gone",
            "objects may still be stored in it",
            "look at status.storedVersions of the clusters; write all objects in another version first",
        ],
    ),
    row(
        Kind::StoredVersionRemoved,
        BREAK,
        BREAK,
        [
            "the version is gone while objects may be stored in it",
            "the server cannot read them any more, and refuses the definition",
            "write all objects in another version and take it out of status.storedVersions first",
        ],
    ),
    row(Kind::VersionServed, OK, OK, ["the version is served", "", ""]),
    row(
        Kind::VersionUnserved,
        BREAK,
        BREAK,
        ["the version is not served any more", "its clients get no answer", SERVE],
    ),
    row(
        Kind::StorageMoved,
        OK,
        RISK,
        [
            "objects are stored in another version",
            "what only the old one can say must survive the conversion",
            "move it a release after both versions were served (`lifecycle explain 4b`)",
        ],
    ),
    row(
        Kind::StorageMovedToNew,
        OK,
        BREAK,
        [
            "objects are stored in a version that is new",
            "a rollback by one release cannot read what was written",
            "serve the version in one release, and store in it in the next (`lifecycle explain 4b`)",
        ],
    ),
    row(Kind::VersionDeprecated, OK, OK, ["the version is deprecated", "", ""]),
    row(
        Kind::VersionUndeprecated,
        OK,
        OK,
        ["the version is not deprecated any more", "", ""],
    ),
    row(Kind::WarningChanged, OK, OK, ["the warning changed", "", ""]),
    row(
        Kind::StoredVersionsChanged,
        OK,
        OK,
        ["the versions that objects may be stored in changed", "", ""],
    ),
    when(
        Effect::Wider,
        row(Kind::SubresourceAdded, OK, OK, ["a subresource is new", "", ""]),
    ),
    row(
        Kind::SubresourceAdded,
        BREAK,
        OK,
        [
            "a subresource is new",
            "writes to the object leave its status as it is",
            "add it in a new version",
        ],
    ),
    row(
        Kind::SubresourceRemoved,
        BREAK,
        BREAK,
        [
            "a subresource is gone",
            "its address gives no answer",
            "keep it in this version",
        ],
    ),
    row(
        Kind::SubresourceChanged,
        BREAK,
        BREAK,
        [
            "a subresource is made of other fields",
            "clients of it read and write something else",
            "change it in a new version",
        ],
    ),
    row(Kind::ColumnAdded, OK, OK, ["a column is new", "", ""]),
    row(Kind::ColumnRemoved, OK, OK, ["a column is gone", "", ""]),
    row(Kind::ColumnChanged, OK, OK, ["a column changed", "", ""]),
    row(Kind::SelectableAdded, OK, OK, ["a field can be selected by", "", ""]),
    row(
        Kind::SelectableRemoved,
        OK,
        BREAK,
        [
            "a field cannot be selected by any more",
            "requests that select by it are refused",
            "keep it in this version",
        ],
    ),
    row(
        Kind::SchemaAdded,
        BREAK,
        BREAK,
        [
            "the version has a schema",
            "what it does not list is dropped, and what it refuses was accepted",
            "give a schema to a new version",
        ],
    ),
    row(
        Kind::SchemaRemoved,
        OK,
        BREAK,
        ["the version has no schema any more", SURPRISE, "keep the schema"],
    ),
];
