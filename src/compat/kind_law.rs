//! What the law states about a kind of schema change, and how its entries are written.

use crate::diagnostic::RuleId;
use crate::schema::{Change, ChangeKind, Effect, Verdict};
use crate::stability::Track;

/// The rule on changes within a version.
pub(super) const ELEMENT: RuleId = "element-removal";

/// What a change is a change of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A kind or a version starts to be served.
    Starts,
    /// A kind or a version stops being served, or is removed.
    Ends,
    /// The CRD as a whole, or a setting of a version: storage, conversion, deprecation.
    Definition,
    /// Conversion from one version to another.
    Between,
    /// The schema, the subresources or the columns of one version.
    Within,
}

/// What a message shows after its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nothing.
    Words,
    /// The subject: values repeat it, or are too long to help.
    Subject,
    /// The same, where the subject is the name of a subresource. It becomes part of the element's id.
    Subresource,
    /// The same, where the subject is a value of an enum.
    EnumValue,
    /// The subject, and the values that are present: "enum a".
    Values,
    /// The subject, and both values although one is absent: "maxLength none → 5".
    Both,
}

/// The law of one kind of change.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindLaw {
    pub(crate) kind: ChangeKind,
    /// The rule that findings about the change carry.
    pub(crate) rule: RuleId,
    pub(crate) scope: Scope,
    pub(crate) shown: Shown,
    /// Whether it is more than documentation or another way to write the same.
    pub(crate) has_meaning: bool,
    /// The first whose condition holds counts.
    conditional: &'static [(Condition, Row)],
    /// What applies where no condition holds.
    otherwise: Row,
}

/// What a change does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
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

/// When a row applies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Condition {
    Same,
    Wider,
    Narrower,
    Unclear,
    /// The same, where nothing was there before.
    UnclearAddition,
    /// What is rejected are texts with a line break, and some values may be new.
    LinesUnclear,
    /// The same, and none is new.
    LinesNarrower,
    Alpha,
    Beta,
    /// A beta version that was marked as deprecated before the change. Two states do not show for how long.
    BetaAnnounced,
}

impl Condition {
    fn holds(self, change: &Change, track: Track, announced: bool) -> bool {
        let (effect, lines) = (change.effect, change.breaks_lines_only);
        match self {
            Self::Same => effect == Effect::Same,
            Self::Wider => effect == Effect::Wider,
            Self::Narrower => effect == Effect::Narrower,
            Self::Unclear => effect == Effect::Unclear,
            Self::UnclearAddition => change.old.is_none() && effect == Effect::Unclear,
            Self::LinesUnclear => lines && effect == Effect::Unclear,
            Self::LinesNarrower => lines && effect == Effect::Narrower,
            Self::Alpha => track == Track::Alpha,
            Self::Beta => track == Track::Beta,
            Self::BetaAnnounced => track == Track::Beta && announced,
        }
    }
}

impl KindLaw {
    /// The row for a change of the kind; `announced` says whether its version was marked as deprecated before.
    pub(crate) fn row(&self, change: &Change, track: Track, announced: bool) -> &Row {
        let mut conditional = self.conditional.iter();
        let row = conditional.find(|(condition, _)| condition.holds(change, track, announced));
        row.map_or(&self.otherwise, |(_, row)| row)
    }

    /// The same, but for what has conditions.
    pub(crate) const fn but(self, conditional: &'static [(Condition, Row)]) -> Self {
        Self { conditional, ..self }
    }
}

pub(super) const fn judge(
    writers: Verdict,
    readers: Verdict,
    words: &'static str,
    reason: &'static str,
    remedy: &'static str,
) -> Row {
    let compatible = matches!((writers, readers), (Verdict::Compatible, Verdict::Compatible));
    assert!(
        compatible == reason.is_empty() && compatible == remedy.is_empty(),
        "{}",
        words
    );
    Row {
        writers,
        readers,
        words,
        reason,
        remedy,
    }
}

pub(super) const fn fine(words: &'static str) -> Row {
    judge(Verdict::Compatible, Verdict::Compatible, words, "", "")
}

pub(super) const fn new(kind: ChangeKind, rule: RuleId, scope: Scope, shown: Shown, otherwise: Row) -> KindLaw {
    KindLaw {
        kind,
        rule,
        scope,
        shown,
        has_meaning: true,
        conditional: &[],
        otherwise,
    }
}

/// A change within one version.
pub(super) const fn within(kind: ChangeKind, shown: Shown, otherwise: Row) -> KindLaw {
    new(kind, ELEMENT, Scope::Within, shown, otherwise)
}

/// A change of documentation, or of the way in which the same is written.
pub(super) const fn no_meaning(kind: ChangeKind, shown: Shown, words: &'static str) -> KindLaw {
    KindLaw {
        has_meaning: false,
        ..within(kind, shown, fine(words))
    }
}
