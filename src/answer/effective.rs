//! The law in force, each value with what sets it.

use crate::diagnostic::{Page, Severity};
use crate::document::quoted;
use crate::policy::{Edition, Law, Policy, RuleLaw, Setting, builtin_line};
use crate::report::{EffectiveEdition, EffectiveReport, EffectiveSetting, EffectiveTable, SCHEMA_VERSION};
use crate::rules::{RULES, Rule};
use crate::source::{Sources, Span};

use super::ReleaseNames;
use super::rules::set_by;

/// The tables of a policy beside those of rules.
const OTHERS: [&str; 6] = [
    "kinds",
    "grace",
    "requires-usage-below",
    "schema",
    "words",
    "element-kind",
];

pub(crate) fn effective<'a>(
    law: &'a Law,
    names: Option<&'a ReleaseNames>,
    pages: impl Iterator<Item = Page>,
    sources: &Sources<'_>,
) -> EffectiveReport<'a> {
    let editions = law.editions().iter().map(|edition| {
        let policy = &edition.policy;
        let (in_force, off): (Vec<&Rule>, Vec<&Rule>) =
            RULES.iter().partition(|rule| policy.rules.contains_key(rule.slug));
        let rules = in_force.into_iter().map(|rule| of_rule(law, edition, rule, sources));
        let others = OTHERS.into_iter().map(|table| other(policy, table, sources));
        EffectiveEdition {
            policy: &policy.name,
            edition: &policy.edition,
            from: names.and_then(|names| names.applies_from(edition)),
            tables: rules.chain(others).filter(|table| !table.settings.is_empty()).collect(),
            off: off.into_iter().map(|rule| rule.slug).collect(),
        }
    });
    let outside = pages.filter(|page| !page.codes.is_empty());
    EffectiveReport {
        schema_version: SCHEMA_VERSION,
        editions: editions.collect(),
        outside: outside.map(|page| of_page(law, &page, sources)).collect(),
    }
}

fn of_rule<'a>(law: &'a Law, edition: &'a Edition, rule: &Rule, sources: &Sources<'_>) -> EffectiveTable<'a> {
    let table = format!("rule.{}", rule.slug);
    let parameters = edition.policy.rules.get(rule.slug);
    let mut settings: Vec<EffectiveSetting> = settings_of(&edition.policy, &table)
        .filter(|(key, _)| !key.starts_with("severity.") && *key != "number")
        .map(|(key, setting)| shown(key, setting, sources))
        .collect();
    for code in rule.codes {
        let own = format!("severity.{code}");
        if let Some(level) = law.level(rule.slug, code) {
            let origin = set_by(law, rule.slug, code, sources).unwrap_or_default();
            settings.push(severity(own, level.severity, origin));
            continue;
        }
        let below = format!("{own}.");
        let stated = settings_of(&edition.policy, &table);
        let mut stated = stated
            .filter(|(key, _)| *key == own || key.starts_with(&below))
            .peekable();
        if stated.peek().is_none_or(|(key, _)| *key != own) {
            settings.push(severity(own.clone(), RuleLaw::default_of(code), "default".to_owned()));
        }
        settings.extend(stated.map(|(key, setting)| shown(key, setting, sources)));
    }
    EffectiveTable {
        table,
        number: parameters.and_then(|parameters| parameters.number.as_deref()),
        settings,
    }
}

fn other<'a>(policy: &Policy, table: &str, sources: &Sources<'_>) -> EffectiveTable<'a> {
    let settings = settings_of(policy, table).map(|(key, setting)| shown(key, setting, sources));
    EffectiveTable {
        table: table.to_owned(),
        number: None,
        settings: settings.collect(),
    }
}

fn of_page<'a>(law: &Law, page: &Page, sources: &Sources<'_>) -> EffectiveTable<'a> {
    let table = format!("rule.{}", page.slug);
    let newest = law.editions().last().map(|edition| &edition.policy);
    let settings = page.codes.iter().map(|(code, _)| {
        let own = format!("severity.{code}");
        let stated = newest.and_then(|policy| policy.settings.get(&(table.clone(), own.clone())));
        let origin = set_by(law, page.slug, code, sources);
        let origin = origin.or_else(|| stated.map(|setting| place_words(setting.span, sources)));
        let origin = origin.unwrap_or_else(|| "default".to_owned());
        severity(own, law.severity_outside(page, code), origin)
    });
    let settings = settings.collect();
    EffectiveTable {
        table,
        number: None,
        settings,
    }
}

/// The settings of a table, by key.
fn settings_of<'p>(policy: &'p Policy, table: &str) -> impl Iterator<Item = (&'p str, &'p Setting)> + use<'p> {
    let table = table.to_owned();
    let from = policy.settings.range((table.clone(), String::new())..);
    let own = from.take_while(move |((known, _), _)| *known == table);
    own.map(|((_, key), setting)| (key.as_str(), setting))
}

fn shown(key: &str, setting: &Setting, sources: &Sources<'_>) -> EffectiveSetting {
    EffectiveSetting {
        key: key.to_owned(),
        value: setting.value.clone(),
        set_by: place_words(setting.span, sources),
    }
}

fn severity(key: String, severity: Severity, set_by: String) -> EffectiveSetting {
    EffectiveSetting {
        key,
        value: quoted(severity.as_str()),
        set_by,
    }
}

/// A place as `mine.toml:7`, or of a built-in policy as `kubernetes:7`.
fn place_words(place: Span, sources: &Sources<'_>) -> String {
    if let Some((file, location)) = sources.locate(place) {
        return format!("{file}:{}", location.line);
    }
    match builtin_line(place) {
        Some((policy, line)) => format!("{policy}:{line}"),
        None => "a policy".to_owned(),
    }
}
