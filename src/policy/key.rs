//! The keys of a policy file: which classes of elements there are, and what a policy sets for them.

use crate::diagnostic::RuleId;
use crate::stability::{MetricStability, Track};

/// An enum whose variants have the names that files use.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            #[allow(dead_code, reason = "of classes, only tests need the list")]
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            #[allow(dead_code, reason = "a rule reads its classes by their names")]
            pub(crate) fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }
    };
}

named! {
    /// A class of elements that a policy sets windows for.
    Class {
        /// All elements, where a rule makes no difference between them.
        All = "all",
        Alpha = "alpha",
        /// Gates of alpha features that were dropped.
        AlphaToDropped = "alpha-to-dropped",
        Beta = "beta",
        /// Gates of beta features that were dropped.
        BetaToDropped = "beta-to-dropped",
        /// Gates of features that went from beta to GA.
        BetaToGa = "beta-to-ga",
        Ga = "ga",
        Internal = "internal",
        Stable = "stable",
    }
}

named! {
    /// What a policy sets for a class: a window, or a switch (`remove`, `action-required`).
    Key {
        /// Not removed sooner than this after the deprecation.
        AfterDeprecation = "after-deprecation",
        /// Works at least this long after the element reached the class.
        Lifetime = "lifetime",
        /// Not hidden sooner than this after the deprecation.
        HideAfter = "hide-after",
        /// Not deleted sooner than this after it was hidden.
        RemoveAfterHidden = "remove-after-hidden",
        /// Both versions of a move are served this long before it.
        Overlap = "overlap",
        /// A gate is off this long before it is on by default.
        OffBeforeOn = "off-before-on",
        /// A value is tolerated this long before it may be created.
        TolerateFirst = "tolerate-first",
        /// Deprecated no later than this after the introduction.
        DeprecateWithin = "deprecate-within",
        /// Removed no later than this after the deprecation.
        RemoveWithin = "remove-within",
        /// How long the project itself waits after a gate is locked. A custom, not a rule: shown, not judged.
        CustomAfterLocking = "custom-after-locking",
        /// `next-major`: not removed before the next major release; `any`: in any release.
        Remove = "remove",
        /// Whether the notes mark a deprecation as action required.
        ActionRequired = "action-required",
    }
}

impl Key {
    /// Whether it is a lower bound, which users can count on.
    pub(crate) fn is_lower_bound(self) -> bool {
        self <= Self::TolerateFirst
    }

    /// Whether a bound in months may be missed by the policy's days of grace.
    pub(super) fn has_grace(self) -> bool {
        matches!(
            self,
            Self::AfterDeprecation | Self::RemoveWithin | Self::Lifetime | Self::HideAfter
        )
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

/// What a rule reads of its table in a policy file, besides its number and severities. Any other key is an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleKeys {
    pub(crate) classes: &'static [(Class, &'static [Key])],
    pub(crate) exemptions: &'static [&'static str],
    pub(crate) until_replacement: bool,
}

impl RuleKeys {
    pub(crate) const NONE: Self = Self::of(&[]);

    /// A rule that reads these keys, and has no exemptions.
    pub(crate) const fn of(classes: &'static [(Class, &'static [Key])]) -> Self {
        Self {
            classes,
            exemptions: &[],
            until_replacement: false,
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
