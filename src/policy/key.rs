//! The keys of a policy file: which classes of elements there are, and what a policy sets for them.

use crate::diagnostic::RuleId;
use crate::stability::{MetricStability, Track};

/// Makes the enum of classes and what each is, as `explain policy` and the schema of policy files say it.
macro_rules! classes {
    ($($class:ident = $meaning:literal,)*) => {
        /// A class of elements that a policy sets windows for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
        #[cfg_attr(test, derive(strum::VariantArray))]
        #[strum(serialize_all = "kebab-case")]
        pub(crate) enum Class {
            $(#[doc = $meaning] $class,)*
        }

        impl Class {
            /// Which elements are of it.
            pub(crate) fn meaning(self) -> &'static str {
                match self {
                    $(Self::$class => $meaning,)*
                }
            }
        }
    };
}

classes! {
    All = "all elements that the rule judges",
    Alpha = "what is alpha",
    AlphaToDropped = "gates of alpha features that were dropped",
    Beta = "what is beta",
    BetaToDropped = "gates of beta features that were dropped",
    BetaToGa = "gates of features that went from beta to GA",
    Ga = "what is GA",
    Internal = "metrics of the class INTERNAL",
    Stable = "metrics of the class STABLE",
}

/// What the value of a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A window of months and releases: what counts from one such window to the next.
    Window,
    /// A window in all of the language: days, kinds of releases, one of several.
    FullWindow,
    /// The kinds of release that may carry an event.
    Kinds,
    /// A list of steps between deprecation and removal.
    Steps,
    /// When something may be removed.
    Removal,
    Switch,
}

/// What goes for a key beside its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// A lower bound, which users can count on.
    LowerBound,
    /// The same, of which months may be missed by the policy's days of grace.
    LowerBoundWithGrace,
    /// Another window with grace.
    Grace,
    /// A custom of one project: no rule demands it, and nothing is planned by it.
    Custom,
    Other,
}

/// Makes the enum of keys: what the value of each is, what goes for it, and what it sets, as `explain policy` and the
/// schema of policy files say it.
macro_rules! keys {
    ($($key:ident $shape:ident $nature:ident $meaning:literal,)*) => {
        /// What a policy sets for a class: a window, or a switch (`remove`, `action-required`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr)]
        #[cfg_attr(test, derive(strum::VariantArray))]
        #[strum(serialize_all = "kebab-case")]
        pub(crate) enum Key {
            $(#[doc = $meaning] $key,)*
        }

        impl Key {
            /// What it sets.
            pub(crate) fn meaning(self) -> &'static str {
                match self {
                    $(Self::$key => $meaning,)*
                }
            }

            /// What its value is.
            pub(crate) fn shape(self) -> Shape {
                match self {
                    $(Self::$key => Shape::$shape,)*
                }
            }

            fn nature(self) -> Nature {
                match self {
                    $(Self::$key => Nature::$nature,)*
                }
            }
        }
    };
}

keys! {
    AfterDeprecation FullWindow LowerBoundWithGrace "the window for which it stays after its deprecation, at least",
    Lifetime Window LowerBoundWithGrace "the window for which it works after it reached the class, at least",
    Overlap Window LowerBound "the window for which both versions of a move are served before it",
    MigrateAfter Window LowerBound "the window after storage has moved before which stored objects are not migrated",
    OffBeforeOn Window LowerBound "the window for which a gate is off before it is on by default",
    TolerateFirst Window LowerBound "the window for which a value is tolerated before it may be created",
    DeprecateWithin FullWindow Other "the window after its introduction in which it is deprecated, at the latest",
    RemoveWithin FullWindow Grace "the window after its deprecation in which it is removed, at the latest",
    Prefer FullWindow Grace "a window after its deprecation that is better, though not required",
    Deprecate Kinds Other "the kinds of release that may deprecate it",
    Steps Steps Other "the steps between its deprecation and its removal, in their order",
    AfterSteps FullWindow LowerBound "the window for which it stays after the last of its steps, at least",
    CustomAfterLocking Window Custom "how long the project itself keeps a gate after it is locked",
    CustomEmulation Window Custom "how long the project itself keeps the code of a removed version, to emulate older releases",
    Remove Removal Other "which releases may remove it",
    ActionRequired Switch Other "whether notes mark its deprecation as action required",
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

    /// Whether it is a lower bound, which users can count on.
    pub(crate) fn is_lower_bound(self) -> bool {
        matches!(self.nature(), Nature::LowerBound | Nature::LowerBoundWithGrace)
    }

    /// Whether a bound in months may be missed by the policy's days of grace.
    pub(super) fn has_grace(self) -> bool {
        matches!(self.nature(), Nature::LowerBoundWithGrace | Nature::Grace)
    }

    /// Whether it is a custom of a project, which no rule demands.
    pub(super) fn is_custom(self) -> bool {
        self.nature() == Nature::Custom
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
    Key::Steps,
    Key::AfterSteps,
    Key::Remove,
];

/// What a rule reads of its table in a policy file, besides its number and severities. Any other key is an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleKeys {
    pub(crate) classes: &'static [(Class, &'static [Key])],
    pub(crate) exemptions: &'static [&'static str],
    pub(crate) until_replacement: bool,
    /// The only step that its elements have; others have those that the policy names.
    pub(crate) only_step: Option<&'static str>,
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
            only_step: None,
            by_kind: false,
        }
    }

    /// The same for a rule whose elements have this step only.
    pub(crate) const fn with_step(self, step: &'static str) -> Self {
        Self {
            only_step: Some(step),
            ..self
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

/// What a rule reads of a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Readable<'k> {
    pub(super) class: Class,
    pub(super) keys: &'k [Key],
    /// The only step that its elements have, if they do not have those that the policy names.
    pub(super) only_step: Option<&'static str>,
}

impl Readable<'static> {
    pub(super) fn lifetime(class: Class) -> Self {
        Self {
            class,
            keys: LIFETIME,
            only_step: None,
        }
    }
}
