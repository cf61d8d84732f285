//! `lifecycle explain`: the pages of rules, findings, levels and schema severities.

use std::fmt::Write as _;

use lifecycle::diagnostic::did_you_mean;
use lifecycle::evaluate::{PLANNING_PAGE, pages};
use lifecycle::lint::CHECKS;
use lifecycle::policy::{Policy, SCHEMA_PAGE, WINDOWS_PAGE, WORDS_PAGE};
use lifecycle::render::visible;
use lifecycle::rules::{self, RULES};
use lifecycle::stability;

use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::policy_files::policy_named;
use crate::terminal::Terminal;

/// The topic of the page on how policies set the severity of schema changes.
const SCHEMA: &str = "schema";

/// The topic of the page on the words of a product.
const WORDS: &str = "words";

/// The topic of the page on how a policy states lifetimes.
const WINDOWS: &str = "windows";

/// The topic of the page on the principles of planning.
const PLANNING: &str = "planning";

pub fn explain(topic: Option<&str>, policy: Option<&str>, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let policy = policy_named(policy, disk)?;
    let Some(topic) = topic else {
        terminal.answer(&topics(&policy));
        return Ok(Outcome::Clean);
    };
    let Some(page) = page_of(topic, &policy) else {
        let slugs = RULES.iter().map(|rule| rule.slug).chain(pages().map(|page| page.slug));
        let help = did_you_mean(
            topic,
            slugs.chain(["alpha", "beta", "stable", PLANNING, SCHEMA, WINDOWS, WORDS]),
        )
        .unwrap_or_else(|| "`lifecycle explain` lists the topics".to_owned());
        return Err(Failure::new(format!("there is no rule or topic `{topic}`")).help(help));
    };
    terminal.answer(page);
    Ok(Outcome::Clean)
}

fn page_of(topic: &str, policy: &Policy) -> Option<&'static str> {
    if let Some(rule) = rules::find_in(policy, topic) {
        return Some(rule.page);
    }
    if let Some(page) = pages().find(|page| page.slug == topic) {
        return Some(page.text);
    }
    if topic == PLANNING || is_principle(topic) {
        return Some(PLANNING_PAGE);
    }
    match topic {
        SCHEMA => Some(SCHEMA_PAGE),
        WORDS => Some(WORDS_PAGE),
        WINDOWS => Some(WINDOWS_PAGE),
        level => stability::promise(level),
    }
}

/// Whether a topic is a principle of planning, as `why` names them: `P1` to `P9`.
fn is_principle(topic: &str) -> bool {
    matches!(topic.as_bytes(), [b'P' | b'p', b'1'..=b'9'])
}

fn topics(policy: &Policy) -> String {
    let edition = match policy.edition.as_str() {
        "" => String::new(),
        edition => format!(" ({})", visible(edition)),
    };
    let mut text = format!("Rules, with their numbers in {}{edition}:\n\n", visible(&policy.name));
    for rule in RULES {
        let number = match policy.rules.get(rule.slug) {
            Some(law) => law
                .number
                .as_ref()
                .map_or_else(String::new, |number| format!("#{number}")),
            None => "–".to_owned(),
        };
        let _ = writeln!(text, "  {:<5} {:<22} {}", visible(&number), rule.slug, rule.title());
    }
    text.push_str("\nOther findings:\n\n");
    for page in pages().filter(|page| CHECKS.iter().all(|check| check.slug != page.slug)) {
        let _ = writeln!(text, "        {:<22} {}", page.slug, page.title);
    }
    text.push_str("\nFindings of lint in CRDs:\n\n");
    for check in CHECKS {
        let _ = writeln!(text, "        {:<22} {}", check.slug, check.title);
    }
    text.push_str("\nLevels: alpha, beta, stable\n");
    let _ = writeln!(text, "Principles of planning, P1 to P9: {PLANNING}");
    let _ = writeln!(text, "Severities of schema changes, for diff and check: {SCHEMA}");
    let _ = writeln!(text, "Lifetimes and windows in a policy: {WINDOWS}");
    let _ = writeln!(text, "Words of a product, for notes and warnings: {WORDS}");
    text
}
