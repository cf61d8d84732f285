//! The keys of a policy file: which classes of elements there are, and what a policy sets for them.

use crate::diagnostic::RuleId;
use crate::grammar::EventKind;
use crate::stability::{MetricStability, Track};

/// A class of elements that a policy sets windows for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Class {
    /// All elements, where a rule makes no difference between them.
    All,
    Alpha,
    /// Gates of alpha features that were dropped.
    AlphaToDropped,
    Beta,
    /// Gates of beta features that were dropped.
    BetaToDropped,
    /// Gates of features that went from beta to GA.
    BetaToGa,
    Ga,
    Internal,
    Stable,
}

/// What a policy sets for a class: a window, or a switch (`remove`, `action-required`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Key {
    /// Not removed sooner than this after the deprecation.
    AfterDeprecation,
    /// Works at least this long after the element reached the class.
    Lifetime,
    /// Not hidden sooner than this after the deprecation.
    HideAfter,
    /// Not deleted sooner than this after it was hidden.
    RemoveAfterHidden,
    /// Both versions of a move are served this long before it.
    Overlap,
    /// Stored objects are migrated no sooner than this after storage has moved.
    MigrateAfter,
    /// A gate is off this long before it is on by default.
    OffBeforeOn,
    /// A value is tolerated this long before it may be created.
    TolerateFirst,
    /// Deprecated no later than this after the introduction.
    DeprecateWithin,
    /// Removed no later than this after the deprecation.
    RemoveWithin,
    /// Better not removed sooner than this after the deprecation.
    Prefer,
    /// The kinds of release that may deprecate: `["minor"]`.
    Deprecate,
    /// The step in which its use begins to warn.
    Warned,
    /// The step in which its use begins to fail, unless it is allowed.
    Disabled,
    /// The step in which its support ends.
    Unsupported,
    /// Not removed sooner than this after the last of the steps.
    AfterSteps,
    /// How long the project itself waits after a gate is locked. A custom, not a rule: nothing is planned by it.
    CustomAfterLocking,
    /// How long the project itself keeps the code of a removed version, so that it can emulate the releases before. A
    /// custom, too.
    CustomEmulation,
    /// `next-major`: not removed before the next major release; `any`: in any release; or the kinds of release that may
    /// remove: `["major"]`.
    Remove,
    /// Whether the notes mark a deprecation as action required.
    ActionRequired,
}

impl Class {
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whose lifetime it has where a policy states lifetimes for all rules: `alpha`, `beta` or `ga`.
    pub(super) fn as_of_lifetime(self) -> Self {
        match self {
            Self::Alpha | Self::AlphaToDropped | Self::Internal => Self::Alpha,
            Self::Beta | Self::BetaToDropped => Self::Beta,
            Self::All | Self::BetaToGa | Self::Ga | Self::Stable => Self::Ga,
        }
    }
}

impl Key {
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }

    /// The steps between deprecation and removal, in order, each with its event.
    pub(crate) const STEPS: [(Self, EventKind); 3] = [
        (Self::Warned, EventKind::Warned),
        (Self::Disabled, EventKind::Disabled),
        (Self::Unsupported, EventKind::Unsupported),
    ];

    /// Whether it is a step between deprecation and removal.
    pub(crate) fn is_step(self) -> bool {
        Self::STEPS.iter().any(|(step, _)| *step == self)
    }

    /// Whether it is a lower bound, which users can count on.
    pub(crate) fn is_lower_bound(self) -> bool {
        self.nature().0
    }

    /// Whether a bound in months may be missed by the policy's days of grace.
    pub(super) fn has_grace(self) -> bool {
        self.nature().1
    }

    /// Whether it is a custom of a project, which no rule demands.
    pub(super) fn is_custom(self) -> bool {
        matches!(self, Self::CustomAfterLocking | Self::CustomEmulation)
    }

    /// Whether its windows may count days and kinds of releases, and be one of several. Others count on from one
    /// another.
    pub(super) fn is_full(self) -> bool {
        matches!(
            self,
            Self::AfterDeprecation | Self::AfterSteps | Self::DeprecateWithin | Self::RemoveWithin | Self::Prefer
        )
    }

    /// Whether it is a lower bound, and whether it has grace.
    fn nature(self) -> (bool, bool) {
        match self {
            Self::AfterDeprecation | Self::Lifetime | Self::HideAfter => (true, true),
            Self::AfterSteps
            | Self::RemoveAfterHidden
            | Self::Overlap
            | Self::MigrateAfter
            | Self::OffBeforeOn
            | Self::TolerateFirst => (true, false),
            Self::RemoveWithin | Self::Prefer => (false, true),
            Self::DeprecateWithin
            | Self::CustomAfterLocking
            | Self::CustomEmulation
            | Self::Deprecate
            | Self::Warned
            | Self::Disabled
            | Self::Unsupported
            | Self::Remove
            | Self::ActionRequired => (false, false),
        }
    }
}

impl From<Track> for Class {
    fn from(track: Track) -> Self {
        match track {
            Track::Alpha => Self::Alpha,
            Track::Beta => Self::Beta,
            Track::Ga => Self::Ga,
        }
    }
}

impl From<MetricStability> for Class {
    fn from(stability: MetricStability) -> Self {
        match stability {
            MetricStability::Internal => Self::Internal,
            MetricStability::Alpha => Self::Alpha,
            MetricStability::Beta => Self::Beta,
            MetricStability::Stable => Self::Stable,
        }
    }
}

/// What a rule about the lifetime of elements reads for each class.
pub(crate) const LIFETIME: &[Key] = &[
    Key::AfterDeprecation,
    Key::RemoveWithin,
    Key::Prefer,
    Key::Deprecate,
    Key::Warned,
    Key::Disabled,
    Key::Unsupported,
    Key::AfterSteps,
    Key::Remove,
];

/// What a rule reads of its table in a policy file, besides its number and severities. Any other key is an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleKeys {
    pub(crate) classes: &'static [(Class, &'static [Key])],
    pub(crate) exemptions: &'static [&'static str],
    pub(crate) until_replacement: bool,
    /// Whether it reads a lifetime for each kind of elements that is not built in.
    pub(crate) by_kind: bool,
}

impl RuleKeys {
    pub(crate) const NONE: Self = Self::of(&[]);

    /// A rule that reads these keys, and has no exemptions.
    pub(crate) const fn of(classes: &'static [(Class, &'static [Key])]) -> Self {
        Self {
            classes,
            exemptions: &[],
            until_replacement: false,
            by_kind: false,
        }
    }
}

/// A table `[rule.SLUG]` that a policy may have.
#[derive(Debug, Clone)]
pub struct RuleTable {
    /// The rule, or the page of findings outside the law.
    pub(crate) slug: RuleId,
    pub(crate) codes: Vec<&'static str>,
    /// What the rule reads; `None` for findings outside the law, which have severities only.
    pub(crate) keys: Option<RuleKeys>,
}
