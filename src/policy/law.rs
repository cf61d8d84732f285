//! Editions in turn: the policy that applies in a release.

use crate::diagnostic::{Page, RuleId, Severity};
use crate::release::Release;
use crate::source::Span;
use crate::stability::Track;

use super::{Policy, RuleLaw};

/// A policy and the release from which it applies.
#[derive(Debug, Clone)]
pub struct Edition {
    pub(crate) from: Release,
    pub(crate) since_stated: bool,
    pub(crate) named_at: Option<Span>,
    /// The policy.
    pub policy: Policy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) rule: RuleId,
    /// The finding; `None`: all of the rule's.
    pub(crate) code: Option<String>,
    pub(crate) severity: Severity,
    pub(crate) origin: LevelOrigin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LevelOrigin {
    /// The model, at this place.
    Model(Span),
    /// The command line, with this option.
    CommandLine(String),
}

/// The editions of a product, and the severities that the project sets. An announcement is judged by the edition of its
/// release.
#[derive(Debug, Clone)]
pub struct Law {
    editions: Vec<Edition>,
    /// The last one counts.
    levels: Vec<Level>,
}

#[derive(Debug)]
pub(crate) struct RuleView<'l> {
    editions: Vec<(Release, Option<&'l RuleLaw>)>,
}

impl Law {
    /// A law of editions, sorted by release. The earliest one also applies before its release.
    pub(crate) fn new(mut editions: Vec<Edition>) -> Self {
        editions.sort_by_key(|edition| edition.from);
        Self {
            editions,
            levels: Vec::new(),
        }
    }

    /// The law with severities; of several for a finding, the last one counts.
    #[must_use]
    pub(crate) fn with_levels(self, levels: Vec<Level>) -> Self {
        Self { levels, ..self }
    }

    /// What the model or the command line sets for a finding.
    pub(crate) fn level(&self, rule: &str, code: &str) -> Option<&Level> {
        let mut levels = self.levels_of(rule);
        levels.find(|level| level.code.as_deref().is_none_or(|only| only == code))
    }

    /// What the model or the command line sets for a rule; the first one counts.
    pub(crate) fn levels_of(&self, rule: &str) -> impl Iterator<Item = &Level> {
        self.levels.iter().rev().filter(move |level| level.rule == rule)
    }

    /// Whether the model or the command line turns a finding off.
    pub(crate) fn silences(&self, rule: &str, code: &str) -> bool {
        let level = self.level(rule, code);
        level.is_some_and(|level| level.severity == Severity::Off)
    }

    /// The severity of a finding about an element of this track in a release. `None` if the rule is not in force.
    pub(crate) fn severity(&self, rule: RuleId, code: &str, track: Track, release: Release) -> Option<Severity> {
        let at = self.editions.partition_point(|edition| edition.from <= release);
        let law = self.editions.get(at.saturating_sub(1))?.policy.rules.get(rule)?;
        Some(self.severity_in(law, rule, code, track))
    }

    /// The severity of a finding of a rule in one of the editions.
    pub(crate) fn severity_in(&self, law: &RuleLaw, rule: RuleId, code: &str, track: Track) -> Severity {
        let level = self.level(rule, code);
        level.map_or_else(|| law.severity(code, track), |level| level.severity)
    }

    /// The severity of a finding that no rule covers: what the model or the command line sets, else what the newest
    /// edition sets, else the default on its page.
    pub(crate) fn severity_outside(&self, page: &Page, code: &str) -> Severity {
        if let Some(level) = self.level(page.slug, code) {
            return level.severity;
        }
        let newest = self.editions.last();
        newest
            .and_then(|newest| newest.policy.rules.get(page.slug)?.severity.get(code))
            .map_or_else(|| page.severity(code), |levels| levels.of(Track::Ga))
    }

    /// The editions, earliest first.
    pub fn editions(&self) -> &[Edition] {
        &self.editions
    }

    pub(crate) fn rule(&self, rule: RuleId) -> RuleView<'_> {
        let editions = self.editions.iter();
        let editions = editions.map(|edition| (edition.from, edition.policy.rules.get(rule)));
        RuleView {
            editions: editions.collect(),
        }
    }
}

impl<'l> RuleView<'l> {
    /// The rule in the edition of a release; `None` if it is not in force.
    pub(crate) fn at(&self, release: Release) -> Option<&'l RuleLaw> {
        let at = self.editions.partition_point(|(from, _)| *from <= release);
        self.editions.get(at.saturating_sub(1)).and_then(|(_, rule)| *rule)
    }

    /// The releases from which editions apply, also those without the rule; earliest first.
    pub(crate) fn begins(&self) -> impl Iterator<Item = Release> + '_ {
        self.editions.iter().map(|(from, _)| *from)
    }

    pub(crate) fn is_one(&self) -> bool {
        self.editions.len() == 1
    }

    pub(crate) fn in_force(&self) -> bool {
        self.editions.iter().any(|(_, rule)| rule.is_some())
    }

    /// The editions from a release on, each with the release from which it applies then.
    ///
    /// Windows of a later rule count from its first release (the deadline of betas, in Kubernetes 1.19).
    pub(crate) fn since(&self, release: Release) -> impl Iterator<Item = (Release, &'l RuleLaw)> + '_ {
        let first = self.editions.partition_point(|(from, _)| *from <= release);
        let editions = self.editions.iter().skip(first.saturating_sub(1));
        editions.filter_map(move |(from, rule)| rule.map(|rule| ((*from).max(release), rule)))
    }
}
