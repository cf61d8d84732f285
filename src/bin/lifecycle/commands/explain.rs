//! `explain`: the pages of the rules, what a level promises, and how changes of schemas are graded.

use std::fmt::Write as _;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::pages;
use lifecycle::lint::CHECKS;
use lifecycle::policy::{Policy, SCHEMA_PAGE};
use lifecycle::render::visible;
use lifecycle::rules::{self, RULES};
use lifecycle::stability;

use crate::terminal::Terminal;

use super::{Failure, Outcome, policy_named};

/// The topic of the page on how changes of schemas are graded.
const SCHEMA: &str = "schema";

pub(super) fn explain(topic: Option<&str>, policy: Option<&str>, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let policy = policy_named(policy)?;
    let Some(topic) = topic else {
        terminal.answer(&list_of_rules(&policy));
        return Ok(Outcome::Clean);
    };
    let rule = rules::find_in(&policy, topic).map(|rule| rule.page);
    let other = || pages().find(|page| page.slug == topic).map(|page| page.text);
    let schema = || (topic == SCHEMA).then_some(SCHEMA_PAGE);
    let page = rule
        .or_else(other)
        .or_else(|| stability::promise(topic))
        .or_else(schema);
    let Some(page) = page else {
        let slugs = RULES.iter().map(|rule| rule.slug).chain(pages().map(|page| page.slug));
        let help = did_you_mean(topic, slugs.chain(["alpha", "beta", "stable", SCHEMA]))
            .unwrap_or_else(|| "`lifecycle explain` lists the rules".to_owned());
        return Err(Failure::new(format!("there is no rule `{topic}`")).help(help));
    };
    terminal.answer(page);
    Ok(Outcome::Clean)
}

fn list_of_rules(policy: &Policy) -> String {
    let edition = match policy.edition.as_str() {
        "" => String::new(),
        edition => format!(" ({})", visible(edition)),
    };
    let mut text = format!(
        "Rules, with their numbers in {}{edition}:

",
        visible(&policy.name)
    );
    for rule in RULES {
        let number = match policy.rules.get(rule.slug) {
            Some(law) => law
                .number
                .as_ref()
                .map_or_else(String::new, |number| format!("#{number}")),
            None => "–".to_owned(),
        };
        let _ = writeln!(text, "  {:<5} {:<22} {}", visible(&number), rule.slug, rule.title);
    }
    text.push_str("\nFindings that are no rule's:\n\n");
    let of_lint = |slug: &str| CHECKS.iter().any(|check| check.slug == slug);
    for page in pages().filter(|page| !of_lint(page.slug)) {
        let _ = writeln!(text, "        {:<22} {}", page.slug, page.title);
    }
    text.push_str("\nWhat `lint` finds in definitions of custom resources:\n\n");
    for check in CHECKS {
        let _ = writeln!(text, "        {:<22} {}", check.slug, check.title);
    }
    text.push_str("\nLevels: alpha, beta, stable\n");
    let _ = writeln!(
        text,
        "How policies grade changes of schemas, for `diff` and `check`: {SCHEMA}"
    );
    text
}
