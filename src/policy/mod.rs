//! The law's parameters: numbers, windows, severities and exemptions, read from policy files.
//!
//! A rule's text lives in `rules/`; whatever in it is a number, a name, a severity or an exemption lives here and is
//! asked for by (rule, element, release). A [`Policy`] is one edition; a [`Law`] is the editions a product has lived
//! under, each from a release on.

mod builtin;
mod key;
mod law;
mod read;
mod schema;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Severity;
use crate::release::Window;
use crate::source::Span;
use crate::stability::Track;

pub use builtin::{BUILT_IN, Builtin, builtin};
pub use key::{Class, Key, RuleKeys, RuleTable};
pub use law::{Edition, Law, Level, LevelOrigin, RuleView};
pub use read::{EditionReference, editions, extends, named_from};
pub use schema::{SCHEMA_PAGE, SchemaLaw};

/// One edition of a deprecation policy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// Its lasting name, such as `kubernetes-2019`.
    pub name: String,
    /// Which edition of the text it is.
    pub edition: String,
    /// Where the text can be read.
    pub source: String,
    /// Rules by slug. A rule that is not here is not in force.
    pub rules: BTreeMap<String, RuleLaw>,
    /// Days by which bounds in months on the end of an element may be missed.
    pub grace_days: u16,
    /// How grave changes of a schema are.
    pub schema: SchemaLaw,
}

/// What an edition says about one rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RuleLaw {
    /// The rule's number in this edition, such as `4a`.
    pub number: Option<String>,
    /// Where the edition says it.
    pub span: Option<Span>,
    /// Windows by class and key.
    pub windows: BTreeMap<(Class, Key), Window>,
    /// Classes whose elements are not removed before the next major release.
    pub next_major: BTreeSet<Class>,
    /// Classes whose deprecations the notes do not mark as action required.
    pub no_action: BTreeSet<Class>,
    /// Severities by code of finding.
    pub severity: BTreeMap<String, SeverityByTrack>,
    /// Cases the rule passes over, by the names the rule's page lists.
    pub exempt: Vec<String>,
    /// Rule 3 as it read until 2019: no deprecation until a replacement has been released.
    pub until_replacement: bool,
}

/// A severity, the same for all or by track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeverityByTrack {
    /// For alpha elements.
    pub alpha: Severity,
    /// For beta elements.
    pub beta: Severity,
    /// For GA elements.
    pub ga: Severity,
}

impl SeverityByTrack {
    /// The same severity for all.
    pub fn all(severity: Severity) -> Self {
        Self {
            alpha: severity,
            beta: severity,
            ga: severity,
        }
    }

    /// The severity for an element of this track.
    pub fn of(self, track: Track) -> Severity {
        match track {
            Track::Alpha => self.alpha,
            Track::Beta => self.beta,
            Track::Ga => self.ga,
        }
    }

    /// The same, to be changed.
    fn of_mut(&mut self, track: Track) -> &mut Severity {
        match track {
            Track::Alpha => &mut self.alpha,
            Track::Beta => &mut self.beta,
            Track::Ga => &mut self.ga,
        }
    }
}

impl RuleLaw {
    /// The window of a class, if the edition sets one.
    pub fn window(&self, class: Class, key: Key) -> Option<Window> {
        self.windows.get(&(class, key)).copied()
    }

    /// The severity of a finding; what the edition does not grade is an error.
    pub fn severity(&self, code: &str, track: Track) -> Severity {
        self.severity
            .get(code)
            .map_or(Severity::Error, |levels| levels.of(track))
    }

    /// Whether a case is passed over.
    pub fn exempts(&self, case: &str) -> bool {
        self.exempt.iter().any(|exempt| exempt == case)
    }
}
