//! Which rules are in force, the severities of their findings, and what sets them.

use crate::diagnostic::Page;
use crate::policy::{Edition, Law, LevelOrigin, Policy, builtin_line};
use crate::report::{EditionRulesReport, GradeReport, RuleReport, RulesReport, SCHEMA_VERSION, SeverityReport};
use crate::rules::{RULES, Rule};
use crate::source::Sources;
use crate::stability::Track;

use super::ReleaseNames;

/// The rules of a law, edition by edition.
pub(crate) fn rules<'a>(
    law: &'a Law,
    names: Option<&'a ReleaseNames>,
    pages: impl Iterator<Item = Page>,
    sources: &Sources<'_>,
) -> RulesReport<'a> {
    let editions = law.editions().iter().map(|edition| EditionRulesReport {
        policy: &edition.policy.name,
        edition: &edition.policy.edition,
        from: names.and_then(|names| names.applies_from(edition)),
        rules: RULES
            .iter()
            .map(|rule| rule_report(law, edition, rule, sources))
            .collect(),
    });
    let outside = pages.filter(|page| !page.codes.is_empty());
    RulesReport {
        schema_version: SCHEMA_VERSION,
        editions: editions.collect(),
        outside: outside.map(|page| page_report(law, &page, sources)).collect(),
    }
}

fn page_report<'a>(law: &Law, page: &Page, sources: &Sources<'_>) -> RuleReport<'a> {
    let findings = page.codes.iter().map(|(code, _)| {
        let severity = law.severity_outside(page, code);
        GradeReport {
            code,
            severity: SeverityReport {
                alpha: severity,
                beta: severity,
                ga: severity,
            },
            set_by: set_by(law, page.slug, code, sources)
                .or_else(|| graded_by(&law.editions().last()?.policy, page.slug, code, sources))
                .unwrap_or_else(|| "default".to_owned()),
        }
    });
    RuleReport {
        rule: page.slug,
        number: None,
        title: page.title,
        in_force: true,
        findings: findings.collect(),
    }
}

fn rule_report<'a>(law: &'a Law, edition: &'a Edition, rule: &'static Rule, sources: &Sources<'_>) -> RuleReport<'a> {
    let parameters = edition.policy.rules.get(rule.slug);
    let findings = rule.codes.iter().filter_map(|code| {
        let parameters = parameters?;
        let level = law.level(rule.slug, code);
        let [alpha, beta, ga] = [Track::Alpha, Track::Beta, Track::Ga]
            .map(|track| level.map_or_else(|| parameters.severity(code, track), |level| level.severity));
        Some(GradeReport {
            code,
            severity: SeverityReport { alpha, beta, ga },
            set_by: set_by(law, rule.slug, code, sources)
                .or_else(|| graded_by(&edition.policy, rule.slug, code, sources))
                .unwrap_or_else(|| "default".to_owned()),
        })
    });
    RuleReport {
        rule: rule.slug,
        number: parameters.and_then(|parameters| parameters.number.as_deref()),
        title: rule.title(),
        in_force: parameters.is_some(),
        findings: findings.collect(),
    }
}

/// The policy that sets the severity of a finding, or one that it extends, with the place if that is in a file of the
/// user.
fn graded_by(policy: &Policy, rule: &str, code: &str, sources: &Sources<'_>) -> Option<String> {
    let (table, key) = (format!("rule.{rule}"), format!("severity.{code}"));
    let stated = policy.settings.range((table.clone(), key.clone())..);
    // One for each stability has a key below it.
    let mut stated = stated.take_while(|((known, own), _)| *known == table && own.starts_with(&key));
    let below = format!("{key}.");
    let (_, setting) = stated.find(|((_, own), _)| *own == key || own.starts_with(&below))?;
    Some(match sources.locate(setting.span) {
        Some((file, place)) => format!("policy, {file}:{}", place.line),
        None => format!(
            "policy {}",
            builtin_line(setting.span).map_or(&*policy.name, |(name, _)| name)
        ),
    })
}

/// The option or the line of the model that sets the severity of a finding.
pub(super) fn set_by(law: &Law, rule: &'static str, code: &str, sources: &Sources<'_>) -> Option<String> {
    let level = law.level(rule, code)?;
    Some(match &level.origin {
        LevelOrigin::CommandLine(words) => words.clone(),
        LevelOrigin::Model(span) => match sources.locate(*span) {
            Some((file, place)) => format!("{file}:{}", place.line),
            None => "the model".to_owned(),
        },
    })
}
