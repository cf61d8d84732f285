//! The parameters of the law: numbers, windows, severities and exemptions, read from policy files.
//!
//! `rules` has what a rule demands; this module has its parameters, by rule, element and release. A [`Policy`] is one
//! edition. A [`Law`] is the editions of a product, each from a release on.
//!
//! **Severities are part of the law.** Those of the model and the command line are asked for together with those of the
//! policy. So a finding that the policy turns off can be turned on, and a contradiction knows which findings are
//! errors.

mod builtin;
mod class;
mod key;
mod law;
mod lifetime;
mod named;
mod period;
mod read;
mod schema;
mod setting;
mod steps;
mod turns;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Severity;
use crate::document::UsageLimit;
use crate::grammar::{Duty, ExtraKinds};
use crate::release::Window;
use crate::source::Span;
use crate::stability::Track;

pub use builtin::{BUILT_IN, Builtin, builtin};
pub(crate) use builtin::{builtin_file, builtin_line};
pub(crate) use key::{Class, Key, LIFETIME, RuleKeys, RuleTable, Shape};
pub use law::Law;
pub(crate) use law::{Edition, Level, LevelOrigin, RuleView};
pub use lifetime::WINDOWS_PAGE;
pub(crate) use named::EditionReference;
pub use named::{editions, extends, named_from};
pub(crate) use period::Period;
pub(crate) use read::POLICY_KEYS;
pub use schema::SCHEMA_PAGE;
pub(crate) use schema::SchemaLaw;
#[cfg(test)]
pub(crate) use steps::STEP_KEYS;
pub(crate) use turns::{PolicyTurn, Turn};
pub use words::WORDS_PAGE;
pub(crate) use words::{Word, Words};

/// A value of a policy file, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// The table of a setting, such as `rule.version-lifetime`, and its key there, such as `beta.after-deprecation`.
pub(crate) type SettingKey = (String, String);

/// One edition of a deprecation policy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// Its name, such as `kubernetes-2019`.
    pub name: String,
    /// Which edition of the text it is.
    pub edition: String,
    /// Where the text can be read.
    pub source: String,
    /// Rules by slug. A rule that is not here is not in force.
    pub rules: BTreeMap<String, RuleLaw>,
    /// The policies that apply instead of it up to a release, or from one on.
    pub(crate) turns: Vec<PolicyTurn>,
    /// The kinds of release that its windows count, besides `major` and `minor`.
    pub(crate) kinds: Vec<String>,
    /// Days by which bounds in months on the end of an element may be missed.
    pub(crate) grace_days: u16,
    /// What evidence of usage has to show before something is removed.
    pub(crate) usage_limit: Option<UsageLimit>,
    pub(crate) schema: SchemaLaw,
    pub(crate) words: Words,
    /// The kinds of elements that are not built in.
    pub(crate) elements: ExtraKinds,
    /// What its files set, as it is written there.
    pub(crate) settings: BTreeMap<SettingKey, Setting>,
}

/// A rule in one edition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleLaw {
    /// The rule's number in this edition, such as `4a`.
    pub number: Option<String>,
    pub(crate) span: Option<Span>,
    pub(crate) windows: BTreeMap<(Class, Key), Period>,
    /// The kinds of release that may carry an event, where not all may.
    pub(crate) only_in: BTreeMap<(Class, Key), Vec<String>>,
    /// The steps between deprecation and removal, in their order.
    pub(crate) steps: BTreeMap<Class, Vec<StepLaw>>,
    /// What applies instead to a kind of elements that is not built in, or to a class of one.
    pub(crate) of_kinds: BTreeMap<(String, Option<String>), RuleLaw>,
    /// Classes whose elements are not removed before the next major release.
    pub(crate) next_major: BTreeSet<Class>,
    /// Classes whose deprecations the notes do not mark as action required.
    pub(crate) no_action: BTreeSet<Class>,
    /// Severities by code of finding.
    pub severity: BTreeMap<String, SeverityByTrack>,
    /// The exempt cases, by the names on the page of the rule.
    pub(crate) exempt: Vec<String>,
    /// No deprecation until a replacement has been released: rule 3 as of 2019.
    pub(crate) until_replacement: bool,
}

/// A step between deprecation and removal, as a policy asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StepLaw {
    /// The name that the policy gives it.
    pub(crate) name: String,
    /// What it means for users.
    pub(crate) duty: Duty,
    /// Not sooner than this after the step before, or the deprecation.
    pub(crate) after: Option<Period>,
    /// The kinds of release that may take it; any if there are none.
    pub(crate) only_in: Vec<String>,
    /// Whether nothing is removed without it.
    pub(crate) required: bool,
}

/// A severity for each track, in the order of tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeverityByTrack([Severity; 3]);

impl SeverityByTrack {
    pub(crate) fn all(severity: Severity) -> Self {
        Self([severity; 3])
    }

    pub(crate) fn of(self, track: Track) -> Severity {
        self.0[track as usize]
    }

    fn of_mut(&mut self, track: Track) -> &mut Severity {
        &mut self.0[track as usize]
    }
}

impl RuleLaw {
    /// What applies to a class of a kind of elements that is not built in: the table of the class, that of the kind, or
    /// that of all elements as stable.
    pub(crate) fn of_kind(&self, kind: &str, class: &str, track: Track) -> (&Self, Class) {
        match (self.table_of(kind, Some(class)), self.table_of(kind, None)) {
            (Some(of_class), _) => (of_class, track.into()),
            (None, Some(of_kind)) => (of_kind, Class::All),
            (None, None) => (self, track.into()),
        }
    }

    fn table_of(&self, kind: &str, class: Option<&str>) -> Option<&Self> {
        self.of_kinds.get(&(kind.to_owned(), class.map(str::to_owned)))
    }

    /// The windows in which months may be missed by the days of grace.
    fn windows_with_grace(&mut self) -> impl Iterator<Item = &mut Period> {
        let of_kinds = self.of_kinds.values_mut();
        let of_kinds = of_kinds.map(|rule| (&mut rule.windows, &mut rule.steps));
        let all = std::iter::once((&mut self.windows, &mut self.steps)).chain(of_kinds);
        all.flat_map(|(windows, steps)| {
            let windows = windows.iter_mut().filter(|((_, key), _)| key.has_grace());
            let steps = steps.values_mut().flatten();
            windows
                .map(|(_, window)| window)
                .chain(steps.filter_map(|step| step.after.as_mut()))
        })
    }

    /// A step of a class.
    pub(crate) fn step(&self, class: Class, name: &str) -> Option<&StepLaw> {
        self.steps.get(&class)?.iter().find(|step| step.name == name)
    }

    /// All steps of all classes, those of each class in their order.
    pub(crate) fn all_steps(&self) -> impl Iterator<Item = &StepLaw> {
        let of_kinds = self.of_kinds.values().flat_map(|rule| rule.steps.values());
        self.steps.values().chain(of_kinds).flatten()
    }

    /// A window that counts months and releases only.
    pub(crate) fn window(&self, class: Class, key: Key) -> Option<Window> {
        self.windows.get(&(class, key)).map(Period::only)
    }

    /// A window in all of the language of windows.
    pub(crate) fn period(&self, class: Class, key: Key) -> Option<&Period> {
        self.windows.get(&(class, key))
    }

    /// The severity of a finding.
    pub(crate) fn severity(&self, code: &str, track: Track) -> Severity {
        self.severity
            .get(code)
            .map_or_else(|| default_severity(code), |levels| levels.of(track))
    }

    /// The severity of a finding of which the policy says nothing.
    pub(crate) fn default_of(code: &str) -> Severity {
        default_severity(code)
    }

    pub(crate) fn exempts(&self, case: &str) -> bool {
        self.exempt.iter().any(|exempt| exempt == case)
    }
}

/// The severity of a finding that the policy leaves open.
fn default_severity(code: &str) -> Severity {
    match code {
        "overdue" => Severity::Warning,
        "sooner-than-preferred" => Severity::Note,
        _ => Severity::Error,
    }
}
