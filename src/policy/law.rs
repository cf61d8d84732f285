//! Editions in turn: which policy judges what happened in a release.

use crate::diagnostic::RuleId;
use crate::release::Release;

use super::{Policy, RuleLaw};

/// A policy and the release from which it holds.
#[derive(Debug, Clone)]
pub struct Edition {
    /// The first release it holds for; the first release of all for the first edition.
    pub from: Release,
    /// Whether the user gave that release.
    pub since_stated: bool,
    /// The policy.
    pub policy: Policy,
}

/// The editions a product has lived under. What was announced under one is judged by it.
#[derive(Debug, Clone)]
pub struct Law {
    editions: Vec<Edition>,
}

/// One rule across the editions.
#[derive(Debug)]
pub struct RuleView<'l> {
    editions: Vec<(Release, Option<&'l RuleLaw>)>,
}

impl Law {
    /// A law of editions; they are put in the order of their releases, and the earliest also holds before its own.
    pub fn new(mut editions: Vec<Edition>) -> Self {
        editions.sort_by_key(|edition| edition.from);
        Self { editions }
    }

    /// The editions, earliest first.
    pub fn editions(&self) -> &[Edition] {
        &self.editions
    }

    /// One rule across the editions.
    pub fn rule(&self, rule: RuleId) -> RuleView<'_> {
        RuleView {
            editions: self
                .editions
                .iter()
                .map(|edition| (edition.from, edition.policy.rules.get(rule)))
                .collect(),
        }
    }
}

impl<'l> RuleView<'l> {
    /// What the edition of this release says; `None` where the rule is not in force.
    pub fn at(&self, release: Release) -> Option<&'l RuleLaw> {
        let at = self.editions.partition_point(|(from, _)| *from <= release);
        self.editions.get(at.saturating_sub(1)).and_then(|(_, rule)| *rule)
    }

    /// Whether there is one edition only.
    pub fn is_one(&self) -> bool {
        self.editions.len() == 1
    }

    /// Whether any edition has the rule.
    pub fn in_force(&self) -> bool {
        self.editions.iter().any(|(_, rule)| rule.is_some())
    }

    /// The editions from a release on, with the release each begins to speak at: the one in force then, and later ones.
    ///
    /// A rule that came later starts its clock when it came (the two-sided beta rule, in Kubernetes 1.19).
    pub fn since(&self, release: Release) -> impl Iterator<Item = (Release, &'l RuleLaw)> + '_ {
        let first = self
            .editions
            .partition_point(|(from, _)| *from <= release)
            .saturating_sub(1);
        self.editions[first.min(self.editions.len())..]
            .iter()
            .filter_map(move |(from, rule)| rule.map(|rule| ((*from).max(release), rule)))
    }
}
