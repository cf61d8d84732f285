//! What becomes of a definition, its names, versions and what versions say beside their schema.

use crate::schema::{ChangeKind as Kind, Effect};
use crate::stability::Track;

use super::{BREAK, OK, RISK, Row, SURPRISE, announced, of, row, when};

const GONE: &str = "the version is gone";
const UNSERVED: &str = "the version is not served any more";

/// An alpha version ends.
const fn alpha_ends(kind: Kind, words: &'static str) -> Row {
    let reason = "its clients get no answer; an alpha version may go in any release";
    of(Track::Alpha, row(kind, BREAK, BREAK, [words, reason, TELL]))
}

/// A beta version ends that was marked as deprecated. Two states do not tell for how long.
const fn announced_beta_ends(kind: Kind, words: &'static str) -> Row {
    let reason = "its clients get no answer if they did not heed the warning";
    of(
        Track::Beta,
        announced(true, row(kind, RISK, RISK, [words, reason, WINDOW])),
    )
}

/// A beta version ends that was not.
const fn beta_ends(kind: Kind, words: &'static str) -> Row {
    let reason = "its clients get no answer, and were never warned";
    of(Track::Beta, row(kind, BREAK, BREAK, [words, reason, DEPRECATE]))
}

/// A GA version ends, or one whose name says nothing.
const fn ga_ends(kind: Kind, words: &'static str) -> Row {
    let reason = "its clients get no answer; a GA version stays until the next major release";
    row(kind, BREAK, BREAK, [words, reason, KEEP])
}

const TELL: &str = "say in the release notes which version to use";
const WINDOW: &str = "make sure that its window is up: `lifecycle check` counts it (`lifecycle explain 4a`)";
const DEPRECATE: &str =
    "mark it as deprecated in one release, and serve it until its window is up (`lifecycle explain 4a`)";
const KEEP: &str = "serve it on; it may be marked as deprecated (`lifecycle explain 4a`)";

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
    alpha_ends(Kind::VersionRemoved, GONE),
    announced_beta_ends(Kind::VersionRemoved, GONE),
    beta_ends(Kind::VersionRemoved, GONE),
    ga_ends(Kind::VersionRemoved, GONE),
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
    alpha_ends(Kind::VersionUnserved, UNSERVED),
    announced_beta_ends(Kind::VersionUnserved, UNSERVED),
    beta_ends(Kind::VersionUnserved, UNSERVED),
    ga_ends(Kind::VersionUnserved, UNSERVED),
    row(
        Kind::StorageMoved,
        OK,
        OK,
        ["objects are stored in another version, which was served before", "", ""],
    ),
    of(
        Track::Alpha,
        when(
            Effect::Narrower,
            row(
                Kind::StorageMovedToNew,
                OK,
                OK,
                [
                    "objects are stored in a version that is new, as the one before was alpha and is gone",
                    "",
                    "",
                ],
            ),
        ),
    ),
    row(
        Kind::StorageMovedToNew,
        OK,
        BREAK,
        [
            "objects are stored in a version that was not served before",
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
    row(
        Kind::DeprecatedUnwarned,
        RISK,
        OK,
        [
            "the version is deprecated, and says nothing of its own",
            "the server warns its clients, but cannot tell them where to go",
            "set `deprecationWarning` to the words with which Kubernetes warns, with the version to use",
        ],
    ),
    row(
        Kind::LostBetween,
        BREAK,
        BREAK,
        [
            "lost on the way to",
            "no webhook converts: the server drops it from objects that pass through that version",
            "add the field there too, or convert with a webhook that keeps it, in an annotation for instance",
        ],
    ),
    row(
        Kind::SetBetween,
        BREAK,
        BREAK,
        [
            "set on the way to",
            "no webhook converts: an object that leaves it unset comes back with a value",
            "give the field the same default in all versions, or convert with a webhook",
        ],
    ),
    row(
        Kind::RefusedBetween,
        BREAK,
        OK,
        [
            "refused on the way to",
            "no webhook converts: an object that is valid cannot be written by clients of that version",
            "demand the same in all versions, or convert with a webhook",
        ],
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
    when(
        Effect::Wider,
        row(
            Kind::SubresourceChanged,
            OK,
            OK,
            ["a subresource has more fields", "", ""],
        ),
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
