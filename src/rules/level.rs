//! How grave a finding is: the policy says, and whoever is nearer may say otherwise.

use crate::compat::codes_under;
use crate::diagnostic::{RuleId, Severity};
use crate::policy::{Law, Policy};
use crate::stability::Track;

use super::{PAGES, RULES, find_in};

/// The rule, or the page about findings that can be graded, with this slug or number in a policy.
pub fn gradable(policy: &Policy, name: &str) -> Option<RuleId> {
    let page = || PAGES.iter().find(|page| page.slug == name && !page.codes.is_empty());
    find_in(policy, name)
        .map(|rule| rule.slug)
        .or_else(|| page().map(|page| page.slug))
}

/// The names of all that can be graded.
pub fn gradable_names() -> impl Iterator<Item = RuleId> {
    let pages = PAGES.iter().filter(|page| !page.codes.is_empty());
    RULES.iter().map(|rule| rule.slug).chain(pages.map(|page| page.slug))
}

/// The codes of the findings of a rule or a page.
pub fn codes_of(slug: &str) -> Vec<&'static str> {
    let rule = RULES
        .iter()
        .find(|rule| rule.slug == slug)
        .map(|rule| rule.codes.to_vec());
    let page = || PAGES.iter().find(|page| page.slug == slug);
    rule.or_else(|| page().map(|page| page.codes.iter().map(|(code, _)| *code).collect()))
        .unwrap_or_default()
}

/// The codes that a level may name: those of the findings of a rule or a page, and those of the changes of schemas that
/// are under the rule.
pub fn gradable_codes(slug: &str) -> Vec<&'static str> {
    codes_of(slug).into_iter().chain(codes_under(slug)).collect()
}

/// How grave a finding is that is no rule's: what was said nearest, what the newest edition says, or else what is
/// usual.
pub fn severity_outside(law: &Law, page: RuleId, code: &str) -> Severity {
    if let Some(level) = law.level(page, code) {
        return level.severity;
    }
    let newest = law.editions().last();
    let graded = newest
        .and_then(|newest| newest.policy.rules.get(page)?.severity.get(code))
        .map(|levels| levels.of(Track::Ga));
    graded.unwrap_or_else(|| usual(page, code))
}

fn usual(page: RuleId, code: &str) -> Severity {
    PAGES
        .iter()
        .find(|known| known.slug == page)
        .and_then(|page| page.codes.iter().find(|(known, _)| *known == code))
        .map_or(Severity::Error, |(_, severity)| *severity)
}
