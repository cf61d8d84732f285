//! All pages of findings, and what can have a severity: the findings of rules, and those outside the law.

use crate::compat::{self, codes_under};
use crate::diagnostic::{Page, RuleId};
use crate::lint::CHECKS;
use crate::policy::{Law, Policy, RuleTable};
use crate::report::PageReport;
use crate::rules::{RULES, find, find_in};
use crate::{baseline, check, history, model, proofread, scan, usage};

const OF_MODELS: [Page; 9] = [
    check::EXCEPTION_PAGE,
    history::PAGE,
    compat::PAGE,
    baseline::PAGE,
    proofread::PAGE,
    scan::PAGE,
    usage::PAGE,
    model::PAGE,
    check::CONTRADICTION_PAGE,
];

/// The pages of findings outside the law: those about models and changes, then those about CRDs.
pub fn pages() -> impl Iterator<Item = Page> {
    OF_MODELS
        .into_iter()
        .chain(CHECKS.iter().map(super::super::lint::Check::as_page))
}

/// The pages of all rules, numbered as in the newest edition of a law, and all other pages.
pub fn page_reports(law: Option<&Law>) -> Vec<PageReport<'_>> {
    let newest = law.and_then(|law| law.editions().last());
    let rules = RULES.iter().map(|rule| (rule.slug, rule.title(), rule.page));
    let others = pages().map(|page| (page.slug, page.title, page.text));
    rules
        .chain(others)
        .map(|(slug, title, page)| PageReport {
            slug,
            title,
            number: newest.and_then(|newest| newest.policy.rules.get(slug)?.number.as_deref()),
            page,
        })
        .collect()
}

/// The rule with this slug or number in a policy, or the page with this slug whose findings can be graded.
pub(super) fn gradable(policy: &Policy, name: &str) -> Option<RuleId> {
    let rule = find_in(policy, name).map(|rule| rule.slug);
    rule.or_else(|| gradable_pages().find(|slug| *slug == name))
}

/// The names of all that can be graded.
pub(super) fn gradable_names() -> impl Iterator<Item = RuleId> {
    RULES.iter().map(|rule| rule.slug).chain(gradable_pages())
}

fn gradable_pages() -> impl Iterator<Item = RuleId> {
    pages().filter(|page| !page.codes.is_empty()).map(|page| page.slug)
}

/// The codes of the findings of a rule or a page.
pub(super) fn codes_of(slug: &str) -> Vec<&'static str> {
    let of_page = pages().filter(|page| page.slug == slug).flat_map(|page| page.codes);
    match find(slug) {
        Some(rule) => rule.codes.to_vec(),
        None => of_page.map(|(code, _)| *code).collect(),
    }
}

/// The codes that a level may name: those of [`codes_of`], and those of the schema changes that the rule covers.
pub(super) fn gradable_codes(slug: &str) -> Vec<&'static str> {
    codes_of(slug).into_iter().chain(codes_under(slug)).collect()
}

/// The rules and pages that have a finding with this code.
pub(super) fn rules_finding(code: &str) -> impl Iterator<Item = RuleId> {
    gradable_names().filter(move |rule| gradable_codes(rule).contains(&code))
}

/// The tables `[rule.SLUG]` that a policy may have.
pub fn rule_tables() -> Vec<RuleTable> {
    let rules = RULES.iter().map(|rule| RuleTable {
        slug: rule.slug,
        codes: rule.codes.to_vec(),
        keys: Some(rule.keys),
    });
    let others = gradable_pages().map(|slug| RuleTable {
        slug,
        codes: codes_of(slug),
        keys: None,
    });
    rules.chain(others).collect()
}
