//! Severities that a model or the command line sets: each names a rule in force, and one of its findings.

use crate::diagnostic::{Diagnostic, RuleId, Severity, did_you_mean};
use crate::document::{Diagnostics, RULE};
use crate::policy::{Law, Level, LevelOrigin};
use crate::rules;

use super::pages::{gradable, gradable_codes, gradable_names, rules_finding};
use super::stated::unknown_code;

/// A severity from the model or the command line, with the rule as written.
#[derive(Debug, Clone)]
pub(super) struct LevelOption {
    pub(super) rule: String,
    pub(super) code: Option<String>,
    pub(super) severity: Severity,
    pub(super) origin: LevelOrigin,
}

/// A severity with the slug of its rule. A name of no rule in force, or of none of its findings, is an error.
pub(super) fn level(law: &Law, option: LevelOption, diagnostics: &mut Diagnostics) -> Option<Level> {
    let newest = law.editions().last()?;
    let Some(rule) = gradable(&newest.policy, &option.rule) else {
        let known = with_rule(&option, law);
        let message = if known.is_some() && !option.rule.contains(':') {
            "the rule of this code is missing".to_owned()
        } else {
            format!("there is no rule `{}` whose severity can be set", option.rule)
        };
        let help = known
            .or_else(|| did_you_mean(&option.rule, gradable_names()))
            .unwrap_or_else(|| "`lifecycle rules` lists the rules and their findings".to_owned());
        diagnostics.push(level_error(&option.origin, &message).help(help));
        return None;
    };
    if !is_in_force(law, rule) {
        let message = format!("{rule} is not in force in {}", newest.policy.name);
        let idle = level_error(&option.origin, &message).help("delete it, or use a policy that has the rule");
        // A model may be checked with another policy.
        let typed = matches!(option.origin, LevelOrigin::CommandLine(_));
        diagnostics.push(if typed { idle } else { idle.severity(Severity::Warning) });
        return None;
    }
    let codes = gradable_codes(rule);
    if let Some(code) = option.code.as_deref().filter(|code| !codes.contains(code)) {
        let (message, help) = unknown_code(rule, code, &codes);
        diagnostics.push(level_error(&option.origin, &message).help(help));
        return None;
    }
    Some(Level {
        rule,
        code: option.code,
        severity: option.severity,
        origin: option.origin,
    })
}

fn is_in_force(law: &Law, rule: RuleId) -> bool {
    rules::find(rule).is_none() || law.rule(rule).in_force()
}

/// What sets the severity of a finding that was named without its rule, or with it in the form of the command line.
fn with_rule(option: &LevelOption, law: &Law) -> Option<String> {
    let (named, code) = option.rule.rsplit_once(':').unwrap_or(("", &option.rule));
    let rules: Vec<RuleId> = rules_finding(code).filter(|rule| is_in_force(law, rule)).collect();
    let named = law.editions().last().and_then(|newest| gradable(&newest.policy, named));
    let meant = named.filter(|named| rules.contains(named));
    let rule = meant.or_else(|| rules.first().copied())?;
    let level = match option.origin {
        LevelOrigin::Model(_) => format!("`{rule}.{code} = \"{}\"`", option.severity),
        LevelOrigin::CommandLine(_) => format!("`{rule}:{code}`"),
    };
    Some(if meant.is_some() || rules.len() == 1 {
        format!("did you mean {level}?")
    } else {
        format!("name it with its rule: {level}; `lifecycle rules` lists the others")
    })
}

fn level_error(origin: &LevelOrigin, message: &str) -> Diagnostic {
    match origin {
        LevelOrigin::Model(span) => Diagnostic::error(RULE, "unknown-rule", message).at(*span, ""),
        LevelOrigin::CommandLine(words) => Diagnostic::error(RULE, "unknown-rule", format!("{words}: {message}")),
    }
}
