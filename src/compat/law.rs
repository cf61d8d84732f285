//! The law of schema changes: what each kind of change does to clients that write objects and to clients that read
//! them, as one table.
//!
//! A verdict is not a severity: a change of an alpha version breaks its clients like any other, but the policy may
//! allow it. The verdict is fixed here; `[schema]` of the policy turns it into a severity by track.

use crate::diagnostic::RuleId;
use crate::schema::{ChangeKind, Verdict};

use super::kind_law::{Condition, ELEMENT, KindLaw, Scope, Shown, fine, judge, new, no_meaning, within};
use ChangeKind as K;
use Condition::{
    Alpha, Beta, BetaAnnounced, LinesNarrower, LinesUnclear, Narrower, Same, Unclear, UnclearAddition, Wider,
};
use Scope::{Between, Definition, Ends, Starts};
use Shown::{Both, EnumValue, Subject, Subresource, Values, Words};

/// The law of a kind of change.
pub(super) fn of(kind: ChangeKind) -> &'static KindLaw {
    &LAW[kind as usize]
}

/// The codes of the changes whose findings carry a rule.
pub(crate) fn codes_under(rule: &str) -> impl Iterator<Item = &'static str> {
    let laws = LAW.iter().filter(move |law| law.rule == rule);
    laws.map(|law| law.kind.as_str())
}

/// The table has the order of the kinds. Otherwise it does not compile, and the error names the kind.
const _: () = {
    let mut at = 0;
    while at < ChangeKind::ALL.len() {
        let kind = ChangeKind::ALL[at];
        assert!(at < LAW.len() && LAW[at].kind as usize == at, "{}", kind.as_str());
        at += 1;
    }
    assert!(at == LAW.len(), "an entry too many");
};

const OK: Verdict = Verdict::Compatible;
const RISK: Verdict = Verdict::Risky;
const BREAK: Verdict = Verdict::Breaking;

const TRIP: RuleId = "round-trip";
const LIFETIME: RuleId = "version-lifetime";
const STORAGE: RuleId = "preferred-and-storage";
const REPLACEMENT: RuleId = "version-replacement";

const REJECTED: &str = "objects that were accepted are rejected";
const LINES: &str = "texts with a line break were accepted and are rejected: `.` does not match one";
const UPDATES: &str = "updates that were accepted are rejected";
const UNDECIDED: &str = "it may reject values that were accepted";
const SURPRISE: &str = "readers may find values that were impossible before";
const UNSET: &str = "leaving the field unset now means something else";
const LOST: &str = "values stored in unlisted fields are lost with the next write";
const MERGE: &str = "server-side apply merges differently: one client may overwrite values that another one owns";

const NEW_VERSION: &str = "require it in a new version only, and convert objects of this one";
const RATCHET: &str = "require it in a new version only; where the server ratchets validation (Kubernetes 1.30 and \
    later), unchanged values stay valid, but new ones are rejected";
const DOT: &str = "write `(?s)` before the pattern to accept line breaks, or require it in a new version only";
const TWO_STEPS: &str = "make readers handle it first: accept it on update in one release, and on create in the next";
const BEYOND: &str = "make readers handle values beyond the old bound first, and loosen it in a later release";
const ANY_VALUE: &str = "keep the enum and add the values that are needed, or make readers handle every value first";
const OTHERS: &str = "make readers handle the values that become possible first, and accept them in a later release";
const EXCLUDE: &str = "make sure that the alternatives exclude one another, and that readers handle the new one";
const LIST: &str = "list the fields in the schema first";
const KEEP: &str = "keep it in this version";
const KEEP_FIELD: &str = "keep the field, deprecated, as long as its version is served; add the new field beside it";
const KEEP_MERGE: &str = "keep it in this version, and change it in a new one";
const BOTH_TYPES: &str = "add a field of the new type, and keep the two in sync";
const NEW_FORMAT: &str = "add a field with the new format";

const ALPHA_ENDS: &str = "clients of this version fail; an alpha version may be removed in any release";
const NAME_OTHER: &str = "name the version to use instead in the release notes";
const WARNED: &str = "clients that ignored the deprecation warning fail";
const CHECK_WINDOW: &str = "make sure that its deprecation window has passed (`lifecycle explain 4a`)";
const UNWARNED: &str = "clients of this version fail, and the old state does not warn them";
const DEPRECATE: &str =
    "deprecate it in one release, and serve it until the deprecation window has passed (`lifecycle explain 4a`)";
const GA_ENDS: &str = "clients of this version fail; a GA version is served until the next major release";
const KEEP_SERVING: &str = "keep serving it; it may be marked as deprecated (`lifecycle explain 4a`)";

/// The table.
#[rustfmt::skip]
const LAW: &[KindLaw] = &[
    // kind of change, rule, scope, what is shown, what it does (writers, readers, words, reason, remedy)
    new(K::DefinitionAdded, LIFETIME, Starts, Values, fine("kind added")),
    new(K::DefinitionRemoved, LIFETIME, Ends, Values, judge(BREAK, BREAK, "kind removed",
        "its objects can no longer be read or written, and are deleted with the CRD",
        "deprecate the kind first, and keep it until its deprecation window has passed")),
    new(K::ScopeChanged, ELEMENT, Definition, Both, judge(BREAK, BREAK, "scope changed",
        "the URL of every object changes", "define a new kind")),
    new(K::NameChanged, ELEMENT, Definition, Values, judge(BREAK, BREAK, "name changed", "clients use the old name",
        "keep the name, or define a new kind")),
    new(K::AliasAdded, ELEMENT, Definition, Values, fine("alias added")),
    new(K::AliasRemoved, ELEMENT, Definition, Values, judge(BREAK, OK, "alias removed", "commands that use it fail",
        "keep it")),
    new(K::ConversionChanged, TRIP, Definition, Values, judge(BREAK, BREAK, "conversion webhook removed",
        "the versions differ, and without a webhook the server serves objects of one as objects of another unconverted",
        "keep the webhook until all versions have the same schema, or only one version is left"))
        .but(&[(Same, fine("conversion changed"))]),
    new(K::ConversionSettingsChanged, TRIP, Definition, Subject, fine("conversion settings changed")),
    new(K::PruningAdded, ELEMENT, Definition, Values, judge(BREAK, BREAK, "unlisted fields now dropped", LOST, LIST)),
    new(K::PruningRemoved, ELEMENT, Definition, Values, judge(OK, RISK, "unlisted fields now kept", SURPRISE,
        "list the fields instead")),
    new(K::VersionAdded, LIFETIME, Starts, Values, fine("version added")),
    new(K::VersionRemoved, LIFETIME, Ends, Values, judge(BREAK, BREAK, "version removed", GA_ENDS, KEEP_SERVING)).but(&[
        (Alpha, judge(BREAK, BREAK, "version removed", ALPHA_ENDS, NAME_OTHER)),
        (BetaAnnounced, judge(RISK, RISK, "version removed", WARNED, CHECK_WINDOW)),
        (Beta, judge(BREAK, BREAK, "version removed", UNWARNED, DEPRECATE)),
    ]),
    new(K::UnservedVersionRemoved, LIFETIME, Ends, Values, judge(OK, RISK, "version removed that was not served",
        "objects may still be stored in it",
        "check `status.storedVersions` in your clusters; rewrite all objects in another version first"))
        .but(&[(Same, fine("version removed that was not served"))]),
    new(K::StoredVersionRemoved, STORAGE, Ends, Values,
        judge(BREAK, BREAK, "version removed that objects may be stored in",
        "the server can no longer read those objects, and rejects the CRD",
        "rewrite all objects in another version first, and remove this one from `status.storedVersions`")),
    new(K::VersionServed, LIFETIME, Starts, Subject, fine("version now served")),
    new(K::VersionUnserved, LIFETIME, Ends, Subject, judge(BREAK, BREAK, "version no longer served", GA_ENDS,
        KEEP_SERVING)).but(&[
        (Alpha, judge(BREAK, BREAK, "version no longer served", ALPHA_ENDS, NAME_OTHER)),
        (BetaAnnounced, judge(RISK, RISK, "version no longer served", WARNED, CHECK_WINDOW)),
        (Beta, judge(BREAK, BREAK, "version no longer served", UNWARNED, DEPRECATE)),
    ]),
    new(K::StorageMoved, STORAGE, Definition, Both, fine("storage version changed")),
    new(K::StorageMovedToNewVersion, STORAGE, Definition, Values,
        judge(OK, BREAK, "storage version changed to one that the old state does not serve",
        "a server of the old state cannot read what is written since",
        "serve the version in one release, and store objects in it from the next one (`lifecycle explain 4b`)")),
    new(K::VersionDeprecated, LIFETIME, Definition, Subject, fine("version deprecated")),
    new(K::VersionUndeprecated, LIFETIME, Definition, Subject, fine("version no longer deprecated")),
    new(K::DeprecatedWithoutWarning, REPLACEMENT, Definition, Values,
        judge(RISK, OK, "deprecated version without a warning text",
        "the server's default warning does not name the version to use",
        "set `deprecationWarning` to a text that names the version to use")),
    new(K::DeprecationWarningChanged, REPLACEMENT, Definition, Values, fine("deprecation warning changed")),
    new(K::DeprecatedForLessStable, REPLACEMENT, Definition, Words,
        judge(RISK, RISK, "deprecated in favor of a less stable version",
        "clients can only move to a version that promises less",
        "deprecate it once a version that is as stable is served (`lifecycle explain 3`)")),
    new(K::DeprecatedWithoutReplacement, REPLACEMENT, Definition, Words,
        judge(RISK, RISK, "deprecated, with no other version served beside it",
        "clients have nothing to move to", "serve the version to use instead first, or name another kind in the warning")),
    new(K::LostBetweenVersions, TRIP, Between, Words, judge(BREAK, BREAK, "lost in conversion to",
        "without a conversion webhook, the server drops the field from objects that pass through that version",
        "add the field to that version, or convert with a webhook that keeps it, in an annotation for example")),
    new(K::SetBetweenVersions, TRIP, Between, Words, judge(BREAK, BREAK, "set in conversion to",
        "without a conversion webhook, an object that leaves the field unset comes back with a value",
        "give the field the same default in all versions, or convert with a webhook")),
    new(K::RefusedBetweenVersions, TRIP, Between, Words, judge(BREAK, OK, "rejected in conversion to",
        "without a conversion webhook, clients of that version cannot write an object that is valid in this one",
        "require the same in all versions, or convert with a webhook")),
    new(K::StoredVersionsChanged, STORAGE, Definition, Values, fine("stored versions changed")),
    within(K::SubresourceAdded, Subresource, judge(BREAK, OK, "subresource added",
        "writes to the object no longer change its status", "add it in a new version"))
        .but(&[(Wider, fine("subresource added"))]),
    within(K::SubresourceRemoved, Subresource, judge(BREAK, BREAK, "subresource removed", "requests to it fail", KEEP)),
    within(K::SubresourceChanged, Subresource, judge(BREAK, BREAK, "subresource changed",
        "its clients read and write other fields", "change it in a new version"))
        .but(&[(Wider, fine("subresource extended"))]),
    within(K::ColumnAdded, Subject, fine("printer column added")),
    within(K::ColumnRemoved, Subject, fine("printer column removed")),
    within(K::ColumnChanged, Subject, fine("printer column changed")),
    within(K::SelectableFieldAdded, Values, fine("selectable field added")),
    within(K::SelectableFieldRemoved, Values, judge(OK, BREAK, "selectable field removed",
        "requests that select by it are rejected", KEEP)),
    within(K::SchemaAdded, Values, judge(BREAK, BREAK, "schema added",
        "unlisted fields are dropped, and objects that were accepted may be rejected",
        "add a schema to a new version")),
    within(K::SchemaRemoved, Values, judge(OK, BREAK, "schema removed", SURPRISE, "keep the schema")),
    within(K::FieldAdded, Values, fine("field added")),
    within(K::RequiredFieldAdded, Values, judge(BREAK, OK, "required field added", REJECTED,
        "make it optional, give it a default, or require it in a new version only")),
    within(K::UnlistedFieldListed, Values, judge(RISK, RISK, "field now listed that could be an entry of the map",
        "existing entries of that name may not match its schema", "choose a name that nobody uses"))
        .but(&[(Narrower, fine("field now listed that was kept unlisted"))]),
    within(K::FieldRemoved, Values, judge(BREAK, BREAK, "field removed",
        "the server drops what clients write to it, and readers no longer find it", KEEP_FIELD))
        .but(&[(Wider, judge(OK, BREAK, "field no longer listed",
            "its value is kept, but is no longer validated or documented", KEEP_FIELD))]),
    within(K::TypeChanged, Values, judge(BREAK, BREAK, "type changed",
        "objects that were accepted are rejected, and readers fail on new ones", BOTH_TYPES))
        .but(&[(Wider, judge(OK, BREAK, "type changed", SURPRISE, BOTH_TYPES))]),
    within(K::FormatChanged, Both, judge(BREAK, BREAK, "format changed", REJECTED, NEW_FORMAT)).but(&[
        (Narrower, judge(BREAK, OK, "format changed", REJECTED, RATCHET)),
        (UnclearAddition, judge(BREAK, OK, "format changed", UNDECIDED, RATCHET)),
        (Same, fine("format changed, with the same meaning")),
        (Wider, judge(OK, BREAK, "format changed", "readers of the old format fail on values of the new one",
            NEW_FORMAT)),
    ]),
    within(K::RequiredAdded, Values, judge(BREAK, OK, "field now required", REJECTED, NEW_VERSION))
        .but(&[(Unclear, judge(BREAK, OK, "field now required", UNDECIDED, NEW_VERSION))]),
    within(K::RequiredAddedWithDefault, Values, judge(BREAK, OK, "field now required, with a default",
        "the server sets the default, but clients that validate against the schema reject objects without the field",
        "leave it optional: the default has the same effect")),
    within(K::RequiredRemoved, Values, judge(OK, RISK, "field no longer required",
        "readers that rely on it may find it unset", "give it a default, or make readers handle its absence first"))
        .but(&[(Same, fine("field no longer required; it has a default"))]),
    within(K::NullableAdded, Values, judge(OK, RISK, "`null` now allowed", SURPRISE,
        "let clients leave the field out instead of setting it to null")),
    within(K::NullableRemoved, Values, judge(BREAK, OK, "`null` no longer allowed", REJECTED, NEW_VERSION)).but(&[
        (Unclear, judge(BREAK, OK, "`null` no longer allowed",
            "the server drops `null` or sets the default, so that objects are not read as written, and clients that \
             validate against the schema reject it",
            "let clients leave the field out first, and disallow `null` in a new version only")),
    ]),
    within(K::DefaultAdded, Values, judge(BREAK, BREAK, "default added", UNSET,
        "apply the default in the controller, or add it in a new version only"))
        .but(&[(Wider, fine("default added to a required field"))]),
    within(K::DefaultRemoved, Values, judge(BREAK, BREAK, "default removed", UNSET, KEEP))
        .but(&[(Narrower, judge(BREAK, OK, "default of a required field removed", REJECTED, KEEP))]),
    within(K::DefaultChanged, Values, judge(BREAK, BREAK, "default changed", UNSET,
        "change the default in a new version only")),
    within(K::EnumAdded, Values, judge(BREAK, OK, "enum added", REJECTED, RATCHET))
        .but(&[(Unclear, judge(BREAK, OK, "enum added", UNDECIDED, RATCHET))]),
    within(K::EnumRemoved, Values, judge(OK, RISK, "enum removed", SURPRISE, ANY_VALUE)),
    within(K::EnumValueAdded, EnumValue, judge(OK, RISK, "enum value added", SURPRISE, TWO_STEPS)),
    within(K::EnumValueRemoved, EnumValue, judge(BREAK, OK, "enum value removed", REJECTED,
        "keep the value, deprecated, as long as its version is served"))
        .but(&[(Unclear, judge(BREAK, OK, "enum value removed", UNDECIDED,
            "keep the value, deprecated, as long as its version is served"))]),
    within(K::BoundTightened, Both, judge(BREAK, OK, "bound tightened", REJECTED, RATCHET))
        .but(&[(Unclear, judge(BREAK, OK, "bound tightened", UNDECIDED, RATCHET))]),
    within(K::BoundLoosened, Both, judge(OK, RISK, "bound loosened", SURPRISE, BEYOND)),
    within(K::BoundChanged, Values, judge(BREAK, RISK, "bound changed", REJECTED, RATCHET)),
    within(K::PatternAdded, Values, judge(BREAK, OK, "pattern added", REJECTED, RATCHET))
        .but(&[(Unclear, judge(BREAK, OK, "pattern added", UNDECIDED, RATCHET))]),
    within(K::PatternRemoved, Values, judge(OK, RISK, "pattern removed", SURPRISE, OTHERS)),
    within(K::PatternChanged, Values, judge(BREAK, RISK, "pattern changed", UNDECIDED, RATCHET)).but(&[
        (Wider, judge(OK, RISK, "pattern loosened", SURPRISE, OTHERS)),
        (LinesUnclear, judge(BREAK, RISK, "pattern changed, rejects line breaks", LINES, DOT)),
        (LinesNarrower, judge(BREAK, OK, "pattern rejects line breaks", LINES, DOT)),
        (Narrower, judge(BREAK, OK, "pattern tightened", REJECTED, RATCHET)),
    ]),
    within(K::RuleAdded, Subject, judge(BREAK, OK, "validation rule added", REJECTED, RATCHET))
        .but(&[
            (Same, judge(BREAK, OK, "transition rule added", UPDATES, NEW_VERSION)),
            (Unclear, judge(BREAK, RISK, "validation rule added", UNDECIDED, RATCHET)),
        ]),
    within(K::RuleRemoved, Subject, judge(OK, RISK, "validation rule removed", SURPRISE, OTHERS)),
    within(K::RuleChanged, Values, judge(BREAK, RISK, "validation rule changed", UNDECIDED, RATCHET))
        .but(&[
            (Wider, judge(OK, RISK, "validation rule relaxed", SURPRISE, OTHERS)),
            (Narrower, judge(BREAK, OK, "validation rule tightened", REJECTED, RATCHET)),
        ]),
    within(K::RuleMessageChanged, Subject, fine("message of a validation rule changed")),
    within(K::ImmutableAdded, Subject, judge(BREAK, OK, "value now immutable", UPDATES, NEW_VERSION)),
    within(K::ImmutableRemoved, Subject, judge(OK, RISK, "value no longer immutable",
        "clients that read it only once miss changes", "make all readers watch for changes first")),
    within(K::CombinationTightened, Values, judge(BREAK, OK, "combination tightened", REJECTED, RATCHET)),
    within(K::CombinationLoosened, Values, judge(OK, RISK, "combination loosened", SURPRISE, OTHERS)),
    within(K::AlternativeAdded, Values, judge(BREAK, RISK, "alternative added",
        "objects that match the new alternative as well as another one are rejected", EXCLUDE))
        .but(&[(Unclear, judge(BREAK, RISK, "alternative added",
            "objects may match the new alternative as well as another one, and are rejected then", EXCLUDE))]),
    within(K::CombinationChanged, Values, judge(BREAK, RISK, "combination changed", UNDECIDED, RATCHET)),
    within(K::ItemsAdded, Values, judge(BREAK, OK, "schema of the list items added", REJECTED, NEW_VERSION)),
    within(K::ItemsRemoved, Values, judge(OK, BREAK, "schema of the list items removed", SURPRISE, "keep the schema")),
    within(K::AdditionalPropertiesLoosened, Both, judge(OK, RISK, "more unlisted fields allowed", SURPRISE, OTHERS)),
    within(K::AdditionalPropertiesTightened, Both, judge(BREAK, OK, "fewer unlisted fields allowed",
        "some unlisted fields that were kept are rejected or dropped", NEW_VERSION)),
    within(K::UnknownFieldsKept, Values, judge(BREAK, RISK, "unlisted fields now kept", MERGE, KEEP_MERGE)),
    within(K::UnknownFieldsDropped, Values, judge(BREAK, BREAK, "unlisted fields now dropped", LOST, LIST)),
    within(K::EmbeddedResourceAdded, Values, judge(BREAK, OK, "value now an embedded resource", REJECTED, NEW_VERSION)),
    within(K::EmbeddedResourceRemoved, Values, judge(BREAK, BREAK, "value no longer an embedded resource",
        "its metadata is dropped", KEEP)),
    within(K::ListTypeChanged, Both, judge(BREAK, OK, "list type changed", MERGE, KEEP_MERGE)),
    within(K::ListKeysChanged, Both, judge(BREAK, OK, "keys of the list changed", MERGE, KEEP_MERGE)),
    within(K::MapTypeChanged, Both, judge(BREAK, OK, "map type changed", MERGE, KEEP_MERGE)),
    no_meaning(K::DescriptionChanged, Subject, "description changed"),
    no_meaning(K::DocumentationChanged, Subject, "documentation changed"),
    no_meaning(K::Restated, Both, "rewritten with the same meaning"),
    within(K::UnknownKeywordChanged, Both, judge(BREAK, BREAK, "unknown keyword changed", "its effect is not known",
        "review what the keyword does; a policy can declare the change harmless")),
];
