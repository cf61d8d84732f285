//! The law of schema changes: what each kind of change does to clients that write objects and to clients that read
//! them, as one table.
//!
//! A verdict is not a severity: a change of an alpha version breaks its clients like any other, but the policy may
//! allow it. The verdict is fixed here; `[schema]` of the policy turns it into a severity by track.

use crate::diagnostic::RuleId;
use crate::schema::{ChangeKind, Effect, Verdict};
use crate::stability::Track;

use ChangeKind as K;
use Scope::{Between, Definition, Ends, Starts, Within};

/// What a change is a change of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A kind or a version starts to be served.
    Starts,
    /// A kind or a version stops being served, or is removed.
    Ends,
    /// The CRD as a whole, or what a version says about itself: storage, conversion, deprecation.
    Definition,
    /// Conversion from one version to another.
    Between,
    /// The schema, the subresources or the columns of one version.
    Within,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(crate) kind: ChangeKind,
    /// The row applies only where all of this holds.
    when: Condition,
    /// The rule that findings about the change carry.
    pub(crate) rule: RuleId,
    pub(crate) scope: Scope,
    /// The effect on clients that write objects.
    pub(crate) writers: Verdict,
    /// The effect on clients that read objects.
    pub(crate) readers: Verdict,
    /// What happened; the values are added to it.
    pub(crate) words: &'static str,
    /// Why it matters; empty for a compatible change.
    pub(crate) reason: &'static str,
    /// What to do instead; empty for a compatible change.
    pub(crate) remedy: &'static str,
}

/// When a row applies. `None` matches everything.
#[derive(Debug, Clone, Copy)]
struct Condition {
    effect: Option<Effect>,
    track: Option<Track>,
    /// Whether the version was marked as deprecated before the change.
    announced: Option<bool>,
}

/// A change as far as conditions ask about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(crate) kind: ChangeKind,
    pub(crate) effect: Effect,
    pub(crate) track: Track,
    pub(crate) announced: bool,
}

impl Condition {
    const fn is_always(self) -> bool {
        self.effect.is_none() && self.track.is_none() && self.announced.is_none()
    }

    fn holds(self, case: Case) -> bool {
        self.effect.is_none_or(|effect| effect == case.effect)
            && self.track.is_none_or(|track| track == case.track)
            && self.announced.is_none_or(|announced| announced == case.announced)
    }
}

/// The row for a change: the first of its kind whose condition holds.
pub(super) fn row(case: Case) -> &'static Row {
    let mut conditional = LAW.iter().filter(|row| row.kind == case.kind && row.when.holds(case));
    conditional.next().unwrap_or(general(case.kind))
}

/// The row of a kind of change that has no condition.
pub(super) fn general(kind: ChangeKind) -> &'static Row {
    &LAW[GENERAL[kind as usize]]
}

/// The codes of the changes whose findings carry a rule.
pub(crate) fn codes_under(rule: &str) -> impl Iterator<Item = &'static str> {
    let kinds = ChangeKind::ALL.iter().filter(move |kind| general(**kind).rule == rule);
    kinds.map(|kind| kind.as_str())
}

/// By kind of change, the position of its row without a condition.
///
/// It is computed at compile time: a kind without such a row does not compile, and the error names the kind.
const GENERAL: [usize; ChangeKind::ALL.len()] = {
    let mut positions = [0; ChangeKind::ALL.len()];
    let mut next = 0;
    while next < positions.len() {
        let kind = ChangeKind::ALL[next];
        positions[next] = position_of_general(kind);
        next += 1;
    }
    positions
};

const fn position_of_general(kind: ChangeKind) -> usize {
    let mut at = 0;
    while at < LAW.len() {
        if LAW[at].kind as usize == kind as usize && LAW[at].when.is_always() {
            return at;
        }
        at += 1;
    }
    this_kind_of_change_needs_a_row_with_the_condition_always(kind.as_str())
}

#[expect(clippy::panic, reason = "it runs at compile time only")]
const fn this_kind_of_change_needs_a_row_with_the_condition_always(kind: &str) -> ! {
    panic!("{}", kind)
}

const ALWAYS: Condition = condition(None, None);
const SAME: Condition = condition(Some(Effect::Same), None);
const WIDER: Condition = condition(Some(Effect::Wider), None);
const NARROWER: Condition = condition(Some(Effect::Narrower), None);
const ALPHA: Condition = condition(None, Some(Track::Alpha));
const ALPHA_NARROWER: Condition = condition(Some(Effect::Narrower), Some(Track::Alpha));
const BETA: Condition = condition(None, Some(Track::Beta));
/// Two states do not show for how long the version was deprecated.
const BETA_ANNOUNCED: Condition = Condition {
    announced: Some(true),
    ..BETA
};

const fn condition(effect: Option<Effect>, track: Option<Track>) -> Condition {
    Condition {
        effect,
        track,
        announced: None,
    }
}

const OK: Verdict = Verdict::Compatible;
const RISK: Verdict = Verdict::Risky;
const BREAK: Verdict = Verdict::Breaking;

const ELEMENT: RuleId = "element-removal";
const TRIP: RuleId = "round-trip";
const LIFETIME: RuleId = "version-lifetime";
const STORAGE: RuleId = "preferred-and-storage";
const REPLACEMENT: RuleId = "version-replacement";

const REJECTED: &str = "objects that were accepted are rejected";
const UPDATES: &str = "updates that were accepted are rejected";
const UNDECIDED: &str = "it may reject values that were accepted";
const SURPRISE: &str = "readers may find values that were impossible before";
const UNSET: &str = "leaving the field unset now means something else";
const LOST: &str = "values stored in unlisted fields are lost with the next write";
const MERGE: &str = "server-side apply merges differently: one client may overwrite values that another one owns";

const NEW_VERSION: &str = "require it in a new version only, and convert objects of this one";
const RATCHET: &str = "require it in a new version only; where the server ratchets validation (Kubernetes 1.30 and \
    later), unchanged values stay valid, but new ones are rejected";
const TWO_STEPS: &str = "make readers handle it first: accept it on update in one release, and on create in the next";
const LIST: &str = "list the fields in the schema first";
const KEEP: &str = "keep it in this version";
const KEEP_FIELD: &str = "keep the field, deprecated, as long as its version is served; add the new field beside it";
const KEEP_MERGE: &str = "keep it in this version, and change it in a new one";
const BOTH_TYPES: &str = "add a field of the new type, and keep the two in sync";
const NEW_FORMAT: &str = "add a field with the new format";

const ALPHA_ENDS: &str = "clients of this version fail; an alpha version may be removed in any release";
const NAME_OTHER: &str = "name the version to use instead in the release notes";
const WARNED: &str = "clients that ignored the deprecation warning fail";
const CHECK_WINDOW: &str =
    "make sure that its deprecation window has passed: `lifecycle check` counts it (`lifecycle explain 4a`)";
const UNWARNED: &str = "clients of this version fail, and were never warned";
const DEPRECATE: &str =
    "deprecate it in one release, and serve it until the deprecation window has passed (`lifecycle explain 4a`)";
const GA_ENDS: &str = "clients of this version fail; a GA version is served until the next major release";
const KEEP_SERVING: &str = "keep serving it; it may be marked as deprecated (`lifecycle explain 4a`)";

#[expect(clippy::too_many_arguments, reason = "one for each column")]
const fn new(
    kind: ChangeKind,
    when: Condition,
    rule: RuleId,
    scope: Scope,
    writers: Verdict,
    readers: Verdict,
    words: &'static str,
    reason: &'static str,
    remedy: &'static str,
) -> Row {
    Row {
        kind,
        when,
        rule,
        scope,
        writers,
        readers,
        words,
        reason,
        remedy,
    }
}

/// The table. Of the rows for one kind of change, the first whose condition holds counts.
#[rustfmt::skip]
const LAW: &[Row] = &[
    // kind of change, condition, rule, scope, writers, readers, words, reason, remedy
    new(K::DefinitionAdded, ALWAYS, LIFETIME, Starts, OK, OK, "kind added", "", ""),
    new(K::DefinitionRemoved, ALWAYS, LIFETIME, Ends, BREAK, BREAK, "kind removed",
        "its objects can no longer be read or written, and are deleted with the CRD",
        "deprecate the kind first, and keep it until its deprecation window has passed"),
    new(K::ScopeChanged, ALWAYS, ELEMENT, Definition, BREAK, BREAK, "scope changed",
        "the URL of every object changes", "define a new kind"),
    new(K::NameChanged, ALWAYS, ELEMENT, Definition, BREAK, BREAK, "name changed",
        "clients use the old name", "keep the name, or define a new kind"),
    new(K::AliasAdded, ALWAYS, ELEMENT, Definition, OK, OK, "alias added", "", ""),
    new(K::AliasRemoved, ALWAYS, ELEMENT, Definition, BREAK, OK, "alias removed",
        "commands that use it fail", "keep it"),
    new(K::ConversionChanged, SAME, TRIP, Definition, OK, OK, "conversion changed", "", ""),
    new(K::ConversionChanged, ALWAYS, TRIP, Definition, BREAK, BREAK, "conversion webhook removed",
        "the versions differ, and without a webhook the server serves objects of one as objects of another unconverted",
        "keep the webhook until all versions have the same schema, or only one version is left"),
    new(K::ConversionSettingsChanged, ALWAYS, TRIP, Definition, OK, OK, "conversion settings changed", "", ""),
    new(K::PruningAdded, ALWAYS, ELEMENT, Definition, BREAK, BREAK, "unlisted fields now dropped", LOST, LIST),
    new(K::PruningRemoved, ALWAYS, ELEMENT, Definition, OK, RISK, "unlisted fields now kept",
        SURPRISE, "list the fields instead"),
    new(K::VersionAdded, ALWAYS, LIFETIME, Starts, OK, OK, "version added", "", ""),
    new(K::VersionRemoved, ALPHA, LIFETIME, Ends, BREAK, BREAK, "version removed", ALPHA_ENDS, NAME_OTHER),
    new(K::VersionRemoved, BETA_ANNOUNCED, LIFETIME, Ends, RISK, RISK, "version removed", WARNED, CHECK_WINDOW),
    new(K::VersionRemoved, BETA, LIFETIME, Ends, BREAK, BREAK, "version removed", UNWARNED, DEPRECATE),
    new(K::VersionRemoved, ALWAYS, LIFETIME, Ends, BREAK, BREAK, "version removed", GA_ENDS, KEEP_SERVING),
    new(K::UnservedVersionRemoved, SAME, LIFETIME, Ends, OK, OK, "version removed that was not served", "", ""),
    new(K::UnservedVersionRemoved, ALWAYS, LIFETIME, Ends, OK, RISK, "version removed that was not served",
        "objects may still be stored in it",
        "check `status.storedVersions` in your clusters; rewrite all objects in another version first"),
    new(K::StoredVersionRemoved, ALWAYS, STORAGE, Ends, BREAK, BREAK, "version removed that objects may be stored in",
        "the server can no longer read those objects, and rejects the CRD",
        "rewrite all objects in another version first, and remove this one from `status.storedVersions`"),
    new(K::VersionServed, ALWAYS, LIFETIME, Starts, OK, OK, "version now served", "", ""),
    new(K::VersionUnserved, ALPHA, LIFETIME, Ends, BREAK, BREAK, "version no longer served", ALPHA_ENDS, NAME_OTHER),
    new(K::VersionUnserved, BETA_ANNOUNCED, LIFETIME, Ends, RISK, RISK, "version no longer served",
        WARNED, CHECK_WINDOW),
    new(K::VersionUnserved, BETA, LIFETIME, Ends, BREAK, BREAK, "version no longer served", UNWARNED, DEPRECATE),
    new(K::VersionUnserved, ALWAYS, LIFETIME, Ends, BREAK, BREAK, "version no longer served", GA_ENDS, KEEP_SERVING),
    new(K::StorageMoved, ALWAYS, STORAGE, Definition, OK, OK, "storage version changed", "", ""),
    new(K::StorageMovedToNewVersion, ALPHA_NARROWER, STORAGE, Definition, OK, OK,
        "storage version changed to a new one, as the alpha version before it is no longer served", "", ""),
    new(K::StorageMovedToNewVersion, ALWAYS, STORAGE, Definition, OK, BREAK,
        "storage version changed to one that was not served before",
        "after a rollback by one release, the server cannot read what was written",
        "serve the version in one release, and store objects in it from the next one (`lifecycle explain 4b`)"),
    new(K::VersionDeprecated, ALWAYS, LIFETIME, Definition, OK, OK, "version deprecated", "", ""),
    new(K::VersionUndeprecated, ALWAYS, LIFETIME, Definition, OK, OK, "version no longer deprecated", "", ""),
    new(K::DeprecatedWithoutWarning, ALWAYS, REPLACEMENT, Definition, RISK, OK,
        "deprecated version without a warning text",
        "the server's default warning does not name the version to use",
        "set `deprecationWarning` to a text that names the version to use"),
    new(K::DeprecationWarningChanged, ALWAYS, REPLACEMENT, Definition, OK, OK, "deprecation warning changed", "", ""),
    new(K::LostBetweenVersions, ALWAYS, TRIP, Between, BREAK, BREAK, "lost in conversion to",
        "without a conversion webhook, the server drops the field from objects that pass through that version",
        "add the field to that version, or convert with a webhook that keeps it, in an annotation for example"),
    new(K::SetBetweenVersions, ALWAYS, TRIP, Between, BREAK, BREAK, "set in conversion to",
        "without a conversion webhook, an object that leaves the field unset comes back with a value",
        "give the field the same default in all versions, or convert with a webhook"),
    new(K::RefusedBetweenVersions, ALWAYS, TRIP, Between, BREAK, OK, "rejected in conversion to",
        "without a conversion webhook, clients of that version cannot write an object that is valid in this one",
        "require the same in all versions, or convert with a webhook"),
    new(K::StoredVersionsChanged, ALWAYS, STORAGE, Definition, OK, OK, "stored versions changed", "", ""),
    new(K::SubresourceAdded, WIDER, ELEMENT, Within, OK, OK, "subresource added", "", ""),
    new(K::SubresourceAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "subresource added",
        "writes to the object no longer change its status", "add it in a new version"),
    new(K::SubresourceRemoved, ALWAYS, ELEMENT, Within, BREAK, BREAK, "subresource removed",
        "requests to it fail", KEEP),
    new(K::SubresourceChanged, WIDER, ELEMENT, Within, OK, OK, "subresource extended", "", ""),
    new(K::SubresourceChanged, ALWAYS, ELEMENT, Within, BREAK, BREAK, "subresource changed",
        "its clients read and write other fields", "change it in a new version"),
    new(K::ColumnAdded, ALWAYS, ELEMENT, Within, OK, OK, "printer column added", "", ""),
    new(K::ColumnRemoved, ALWAYS, ELEMENT, Within, OK, OK, "printer column removed", "", ""),
    new(K::ColumnChanged, ALWAYS, ELEMENT, Within, OK, OK, "printer column changed", "", ""),
    new(K::SelectableFieldAdded, ALWAYS, ELEMENT, Within, OK, OK, "selectable field added", "", ""),
    new(K::SelectableFieldRemoved, ALWAYS, ELEMENT, Within, OK, BREAK, "selectable field removed",
        "requests that select by it are rejected", KEEP),
    new(K::SchemaAdded, ALWAYS, ELEMENT, Within, BREAK, BREAK, "schema added",
        "unlisted fields are dropped, and objects that were accepted may be rejected", "add a schema to a new version"),
    new(K::SchemaRemoved, ALWAYS, ELEMENT, Within, OK, BREAK, "schema removed", SURPRISE, "keep the schema"),
    new(K::FieldAdded, ALWAYS, ELEMENT, Within, OK, OK, "field added", "", ""),
    new(K::RequiredFieldAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "required field added",
        REJECTED, "make it optional, give it a default, or require it in a new version only"),
    new(K::UnlistedFieldListed, NARROWER, ELEMENT, Within, OK, OK, "field now listed that was kept unlisted", "", ""),
    new(K::UnlistedFieldListed, ALWAYS, ELEMENT, Within, RISK, RISK,
        "field now listed that could be an entry of the map",
        "existing entries of that name may not match its schema", "choose a name that nobody uses"),
    new(K::FieldRemoved, WIDER, ELEMENT, Within, OK, BREAK, "field no longer listed",
        "its value is kept, but is no longer validated or documented", KEEP_FIELD),
    new(K::FieldRemoved, ALWAYS, ELEMENT, Within, BREAK, BREAK, "field removed",
        "the server drops what clients write to it, and readers no longer find it", KEEP_FIELD),
    new(K::TypeChanged, WIDER, ELEMENT, Within, OK, BREAK, "type changed", SURPRISE, BOTH_TYPES),
    new(K::TypeChanged, ALWAYS, ELEMENT, Within, BREAK, BREAK, "type changed",
        "objects that were accepted are rejected, and readers fail on new ones", BOTH_TYPES),
    new(K::FormatChanged, SAME, ELEMENT, Within, OK, OK, "format changed, with the same meaning", "", ""),
    new(K::FormatChanged, WIDER, ELEMENT, Within, OK, BREAK, "format changed",
        "readers of the old format fail on values of the new one", NEW_FORMAT),
    new(K::FormatChanged, ALWAYS, ELEMENT, Within, BREAK, BREAK, "format changed", REJECTED, NEW_FORMAT),
    new(K::RequiredAddedWithDefault, ALWAYS, ELEMENT, Within, BREAK, OK, "field now required, with a default",
        "the server sets the default, but clients that validate against the schema reject objects without the field",
        "leave it optional: the default has the same effect"),
    new(K::RequiredAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "field now required", REJECTED, NEW_VERSION),
    new(K::RequiredRemoved, SAME, ELEMENT, Within, OK, OK, "field no longer required; it has a default", "", ""),
    new(K::RequiredRemoved, ALWAYS, ELEMENT, Within, OK, RISK, "field no longer required",
        "readers that rely on it may find it unset", "give it a default, or make readers handle its absence first"),
    new(K::NullableAdded, ALWAYS, ELEMENT, Within, OK, RISK, "`null` now allowed",
        SURPRISE, "let clients leave the field out instead of setting it to null"),
    new(K::NullableRemoved, ALWAYS, ELEMENT, Within, BREAK, OK, "`null` no longer allowed", REJECTED, NEW_VERSION),
    new(K::DefaultAdded, WIDER, ELEMENT, Within, OK, OK, "default added to a required field", "", ""),
    new(K::DefaultAdded, ALWAYS, ELEMENT, Within, BREAK, BREAK, "default added",
        UNSET, "apply the default in the controller, or add it in a new version only"),
    new(K::DefaultRemoved, NARROWER, ELEMENT, Within, BREAK, OK, "default of a required field removed", REJECTED, KEEP),
    new(K::DefaultRemoved, ALWAYS, ELEMENT, Within, BREAK, BREAK, "default removed", UNSET, KEEP),
    new(K::DefaultChanged, ALWAYS, ELEMENT, Within, BREAK, BREAK, "default changed",
        UNSET, "change the default in a new version only"),
    new(K::EnumAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "enum added", REJECTED, RATCHET),
    new(K::EnumRemoved, ALWAYS, ELEMENT, Within, OK, RISK, "enum removed", SURPRISE, TWO_STEPS),
    new(K::EnumValueAdded, ALWAYS, ELEMENT, Within, OK, RISK, "enum value added", SURPRISE, TWO_STEPS),
    new(K::EnumValueRemoved, ALWAYS, ELEMENT, Within, BREAK, OK, "enum value removed",
        REJECTED, "keep the value, deprecated, as long as its version is served"),
    new(K::BoundTightened, ALWAYS, ELEMENT, Within, BREAK, OK, "bound tightened", REJECTED, RATCHET),
    new(K::BoundLoosened, ALWAYS, ELEMENT, Within, OK, RISK, "bound loosened", SURPRISE, TWO_STEPS),
    new(K::BoundChanged, ALWAYS, ELEMENT, Within, BREAK, RISK, "bound changed", REJECTED, RATCHET),
    new(K::PatternAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "pattern added", REJECTED, RATCHET),
    new(K::PatternRemoved, ALWAYS, ELEMENT, Within, OK, RISK, "pattern removed", SURPRISE, TWO_STEPS),
    new(K::PatternChanged, WIDER, ELEMENT, Within, OK, RISK, "pattern less anchored", SURPRISE, TWO_STEPS),
    new(K::PatternChanged, NARROWER, ELEMENT, Within, BREAK, OK, "pattern more anchored", REJECTED, RATCHET),
    new(K::PatternChanged, ALWAYS, ELEMENT, Within, BREAK, RISK, "pattern changed", UNDECIDED, RATCHET),
    new(K::RuleAdded, SAME, ELEMENT, Within, BREAK, OK, "transition rule added", UPDATES, NEW_VERSION),
    new(K::RuleAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "validation rule added", REJECTED, RATCHET),
    new(K::RuleRemoved, ALWAYS, ELEMENT, Within, OK, RISK, "validation rule removed", SURPRISE, TWO_STEPS),
    new(K::RuleChanged, ALWAYS, ELEMENT, Within, BREAK, RISK, "validation rule changed", UNDECIDED, RATCHET),
    new(K::RuleMessageChanged, ALWAYS, ELEMENT, Within, OK, OK, "message of a validation rule changed", "", ""),
    new(K::ImmutableAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "value now immutable", UPDATES, NEW_VERSION),
    new(K::ImmutableRemoved, ALWAYS, ELEMENT, Within, OK, RISK, "value no longer immutable",
        "clients that read it only once miss changes", "make all readers watch for changes first"),
    new(K::CombinationTightened, ALWAYS, ELEMENT, Within, BREAK, OK, "combination tightened", REJECTED, RATCHET),
    new(K::CombinationLoosened, ALWAYS, ELEMENT, Within, OK, RISK, "combination loosened", SURPRISE, TWO_STEPS),
    new(K::AlternativeAdded, ALWAYS, ELEMENT, Within, RISK, RISK, "alternative added",
        "objects that match the new alternative as well as another one are rejected",
        "make sure that the alternatives exclude one another, and that readers handle the new one"),
    new(K::CombinationChanged, ALWAYS, ELEMENT, Within, BREAK, RISK, "combination changed", UNDECIDED, RATCHET),
    new(K::ItemsAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "schema of the list items added", REJECTED, NEW_VERSION),
    new(K::ItemsRemoved, ALWAYS, ELEMENT, Within, OK, BREAK, "schema of the list items removed",
        SURPRISE, "keep the schema"),
    new(K::AdditionalPropertiesLoosened, ALWAYS, ELEMENT, Within, OK, RISK, "more unlisted fields allowed",
        SURPRISE, TWO_STEPS),
    new(K::AdditionalPropertiesTightened, ALWAYS, ELEMENT, Within, BREAK, OK, "fewer unlisted fields allowed",
        "unlisted fields that were kept are rejected or dropped", NEW_VERSION),
    new(K::UnknownFieldsKept, ALWAYS, ELEMENT, Within, BREAK, RISK, "unlisted fields now kept", MERGE, KEEP_MERGE),
    new(K::UnknownFieldsDropped, ALWAYS, ELEMENT, Within, BREAK, BREAK, "unlisted fields now dropped", LOST, LIST),
    new(K::EmbeddedResourceAdded, ALWAYS, ELEMENT, Within, BREAK, OK, "value now an embedded resource",
        REJECTED, NEW_VERSION),
    new(K::EmbeddedResourceRemoved, ALWAYS, ELEMENT, Within, BREAK, BREAK, "value no longer an embedded resource",
        "its metadata is dropped", KEEP),
    new(K::ListTypeChanged, ALWAYS, ELEMENT, Within, BREAK, OK, "list type changed", MERGE, KEEP_MERGE),
    new(K::ListKeysChanged, ALWAYS, ELEMENT, Within, BREAK, OK, "keys of the list changed", MERGE, KEEP_MERGE),
    new(K::MapTypeChanged, ALWAYS, ELEMENT, Within, BREAK, OK, "map type changed", MERGE, KEEP_MERGE),
    new(K::DescriptionChanged, ALWAYS, ELEMENT, Within, OK, OK, "description changed", "", ""),
    new(K::DocumentationChanged, ALWAYS, ELEMENT, Within, OK, OK, "documentation changed", "", ""),
    new(K::Restated, ALWAYS, ELEMENT, Within, OK, OK, "rewritten with the same meaning", "", ""),
    new(K::UnknownKeywordChanged, ALWAYS, ELEMENT, Within, BREAK, BREAK, "unknown keyword changed",
        "its effect is not known", "review what the keyword does; a policy can declare the change harmless"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_of_a_kind_have_one_rule_and_one_scope() {
        for row in LAW {
            let other = general(row.kind);
            assert_eq!((row.rule, row.scope), (other.rule, other.scope), "{:?}", row.kind);
        }
    }

    #[test]
    fn a_row_without_a_condition_is_the_last_one_of_its_kind() {
        for (at, row) in LAW.iter().enumerate().filter(|(_, row)| row.when.is_always()) {
            assert!(
                LAW[at + 1..].iter().all(|later| later.kind != row.kind),
                "{:?}",
                row.kind
            );
        }
    }

    #[test]
    fn exactly_the_changes_that_are_not_compatible_have_a_reason_and_a_remedy() {
        for row in LAW {
            let compatible = row.writers.max(row.readers) == Verdict::Compatible;
            assert_eq!(row.reason.is_empty(), compatible, "{:?}", row.kind);
            assert_eq!(row.remedy.is_empty(), compatible, "{:?}", row.kind);
        }
    }
}
