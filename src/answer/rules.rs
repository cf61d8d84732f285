//! Which rules are in force, the severities of their findings, and what sets them.

use crate::diagnostic::Page;
use crate::policy::{Edition, Law, LevelOrigin, Policy};
use crate::report::{EditionRulesReport, GradeReport, RuleReport, RulesReport, SCHEMA_VERSION, SeverityReport};
use crate::rules::{RULES, Rule};
use crate::source::{Sources, Span};
use crate::stability::Track;

use super::ReleaseNames;

/// The rules of a law, edition by edition.
pub fn rules<'a>(
    law: &'a Law,
    names: Option<&'a ReleaseNames>,
    pages: impl Iterator<Item = Page>,
    sources: &Sources<'_>,
) -> RulesReport<'a> {
    let edition = |edition: &'a Edition| EditionRulesReport {
        policy: &edition.policy.name,
        edition: &edition.policy.edition,
        from: names.filter(|_| edition.since_stated).and_then(|names| {
            let moment = names.moment(edition.from)?;
            Some(moment.release)
        }),
        rules: RULES.iter().map(|rule| one(law, edition, rule, sources)).collect(),
    };
    let outside = pages.filter(|page| !page.codes.is_empty());
    RulesReport {
        schema_version: SCHEMA_VERSION,
        editions: law.editions().iter().map(edition).collect(),
        outside: outside
            .map(|page| RuleReport {
                rule: page.slug,
                number: None,
                title: page.title,
                in_force: true,
                findings: page
                    .codes
                    .iter()
                    .map(|(code, _)| {
                        let severity = law.severity_outside(&page, code);
                        GradeReport {
                            code,
                            severity: SeverityReport {
                                alpha: severity,
                                beta: severity,
                                ga: severity,
                            },
                            set_by: set_by(law, page.slug, code, sources)
                                .or_else(|| graded_by(law, page.slug, code, sources))
                                .unwrap_or_else(|| "default".to_owned()),
                        }
                    })
                    .collect(),
            })
            .collect(),
    }
}

fn one<'a>(law: &'a Law, edition: &'a Edition, rule: &'static Rule, sources: &Sources<'_>) -> RuleReport<'a> {
    let said = edition.policy.rules.get(rule.slug);
    let grade = |code: &'static str| {
        let said = said?;
        let severity = |track| {
            let level = law.level(rule.slug, code);
            level.map_or_else(|| said.severity(code, track), |level| level.severity)
        };
        Some(GradeReport {
            code,
            severity: SeverityReport {
                alpha: severity(Track::Alpha),
                beta: severity(Track::Beta),
                ga: severity(Track::Ga),
            },
            set_by: set_by(law, rule.slug, code, sources)
                .unwrap_or_else(|| policy_words(&edition.policy, said.span, sources)),
        })
    };
    RuleReport {
        rule: rule.slug,
        number: said.and_then(|said| said.number.as_deref()),
        title: rule.title,
        in_force: said.is_some(),
        findings: rule.codes.iter().filter_map(|code| grade(code)).collect(),
    }
}

/// The policy that sets the severity of a finding outside the rules.
fn graded_by(law: &Law, page: &str, code: &str, sources: &Sources<'_>) -> Option<String> {
    let policy = &law.editions().last()?.policy;
    let said = policy.rules.get(page).filter(|said| said.severity.contains_key(code))?;
    Some(policy_words(policy, said.span, sources))
}

/// A policy as what sets a severity, with the place of the rule if that is in a file of the user.
fn policy_words(policy: &Policy, said: Option<Span>, sources: &Sources<'_>) -> String {
    match said.and_then(|span| sources.locate(span)) {
        Some((file, place)) => format!("policy, {file}:{}", place.line),
        None => format!("policy {}", policy.name),
    }
}

/// The option or the line of the model that sets the severity of a finding.
fn set_by(law: &Law, rule: &'static str, code: &str, sources: &Sources<'_>) -> Option<String> {
    let level = law.level(rule, code)?;
    Some(match &level.origin {
        LevelOrigin::CommandLine(words) => words.clone(),
        LevelOrigin::Model(span) => match sources.locate(*span) {
            Some((file, place)) => format!("{file}:{}", place.line),
            None => "the model".to_owned(),
        },
    })
}
