//! Names of rules and findings that a model states: each has to be one that there is.

use crate::diagnostic::{RuleId, did_you_mean};
use crate::document::Diagnostics;
use crate::model::Model;
use crate::policy::Law;
use crate::rules;

use super::pages::{codes_of, gradable_codes, rules_finding};

pub(super) fn check_exceptions(model: &Model, law: &Law, diagnostics: &mut Diagnostics) {
    let Some(newest) = law.editions().last() else { return };
    for exception in &model.exceptions {
        let Some(rule) = rules::find_in(&newest.policy, &exception.rule.text) else {
            let text = &exception.rule.text;
            let mut finding = rules_finding(text).filter(|rule| rules::find(rule).is_some());
            let help = finding
                .next()
                .map(|rule| format!("name it with its rule: `rule = \"{rule}:{text}\"`"))
                .or_else(|| did_you_mean(text, rules::RULES.iter().map(|rule| rule.slug)))
                .unwrap_or_else(|| "`lifecycle explain` lists the rules".to_owned());
            let message = format!("there is no rule `{}`", exception.rule.text);
            diagnostics.at("unknown-rule", exception.rule.span, message, help);
            continue;
        };
        let codes = gradable_codes(rule.slug);
        let code = exception.code.as_ref();
        if let Some(code) = code.filter(|code| !codes.contains(&code.text.as_str())) {
            let (message, help) = unknown_code(rule.slug, &code.text, &codes);
            diagnostics.at("unknown-rule", code.span, message, help);
        }
    }
}

/// The message and help for a code that a rule or page does not have.
pub(super) fn unknown_code(rule: RuleId, code: &str, codes: &[&str]) -> (String, String) {
    let help = did_you_mean(code, codes.iter().copied())
        .unwrap_or_else(|| format!("findings of {rule}: {}", codes_of(rule).join(", ")));
    (format!("{rule} has no finding `{code}`"), help)
}
