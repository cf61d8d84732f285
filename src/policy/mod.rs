//! The law's parameters: numbers, windows, severities and exemptions, read from policy files.
//!
//! A rule's text lives in `rules/`; whatever in it is a number, a name, a severity or an exemption lives here and is
//! asked for by (rule, element, release). A [`Policy`] is one edition; a [`Law`] is the editions a product has lived
//! under, each from a release on.

mod builtin;
mod law;
mod read;
mod schema;

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::release::Window;
use crate::source::Span;
use crate::stability::Track;

pub use builtin::{BUILT_IN, Builtin, builtin};
pub use law::{Edition, Law, Level, LevelOrigin, RuleView};
pub use read::{EditionReference, editions, extends, named_from};
pub use schema::{SCHEMA_PAGE, SchemaLaw};

/// One edition of a deprecation policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// Its lasting name, such as `kubernetes-2019`.
    pub name: String,
    /// Which edition of the text it is.
    pub edition: String,
    /// Where the text can be read.
    pub source: String,
    /// Rules by slug. A rule that is not here is not in force.
    pub rules: BTreeMap<String, RuleLaw>,
    /// Rules that are taken out of force, and where.
    pub off: Vec<(String, Span)>,
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
    /// Windows and switches by class: `ga`, `beta`, `alpha`, `stable`, `beta-to-ga`, …; `all` where a rule has none.
    pub classes: BTreeMap<String, Class>,
    /// Severities by code of finding.
    pub severity: BTreeMap<String, SeverityByTrack>,
    /// Cases the rule passes over, by the names the rule's page lists.
    pub exempt: Vec<String>,
    /// Rule 3 as it read until 2019: no deprecation until a replacement has been released.
    pub until_replacement: bool,
}

/// What an edition says about one class of elements under one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// To be deprecated no later than this after the introduction.
    pub deprecate_within: Option<Window>,
    /// Not to be removed sooner than this after the deprecation.
    pub after_deprecation: Option<Window>,
    /// To be gone once this has passed since the deprecation.
    pub remove_within: Option<Window>,
    /// Not to be removed before the next major release.
    pub next_major: bool,
    /// To function at least this long since the element reached the class.
    pub lifetime: Option<Window>,
    /// Not to be hidden sooner than this after the deprecation.
    pub hide_after: Option<Window>,
    /// To be deleted this long after it was hidden.
    pub remove_after_hidden: Option<Window>,
    /// The two versions of a move are to be served together this long before it.
    pub overlap: Option<Window>,
    /// A gate is to be off this long before it is on by default.
    pub off_before_on: Option<Window>,
    /// A value is to be tolerated this long before it may be created.
    pub tolerate_first: Option<Window>,
    /// How long the project itself waits after a gate is locked. A custom, not a rule: told, not judged.
    pub custom_after_locking: Option<Window>,
    /// Whether the notes mark a deprecation as action required.
    pub action_required: bool,
}

impl Class {
    /// What users can count on, by the keys under which policies state it.
    pub fn lower_bounds(&self) -> [(&'static str, Option<Window>); 7] {
        let Self {
            after_deprecation,
            lifetime,
            hide_after,
            remove_after_hidden,
            overlap,
            off_before_on,
            tolerate_first,
            // What must happen by then, what is told or custom, and what is no window.
            deprecate_within: _,
            remove_within: _,
            custom_after_locking: _,
            next_major: _,
            action_required: _,
        } = *self;
        [
            ("after-deprecation", after_deprecation),
            ("lifetime", lifetime),
            ("hide-after", hide_after),
            ("remove-after-hidden", remove_after_hidden),
            ("overlap", overlap),
            ("off-before-on", off_before_on),
            ("tolerate-first", tolerate_first),
        ]
    }
}

impl Default for Class {
    fn default() -> Self {
        Self {
            deprecate_within: None,
            after_deprecation: None,
            remove_within: None,
            next_major: false,
            lifetime: None,
            hide_after: None,
            remove_after_hidden: None,
            overlap: None,
            off_before_on: None,
            tolerate_first: None,
            custom_after_locking: None,
            action_required: true,
        }
    }
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
    /// What is said about a class.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
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
