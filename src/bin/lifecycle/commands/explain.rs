//! `lifecycle explain`: the pages of rules, findings, levels and schema severities.

use std::borrow::Cow;
use std::fmt::Write as _;

use lifecycle::diagnostic::{as_typed, did_you_mean};
use lifecycle::evaluate::{PLANNING_PAGE, pages, policy_page, principle};
use lifecycle::lint::CHECKS;
use lifecycle::policy::{Policy, SCHEMA_PAGE, WINDOWS_PAGE, WORDS_PAGE};
use lifecycle::render::law::of_rule;
use lifecycle::render::terminal_page::{hanging, page as drawn};
use lifecycle::render::{Style, visible};
use lifecycle::rules::{self, RULES};
use lifecycle::stability;

use crate::args::{Explain, Format, PageFormat};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::terminal::Terminal;
use crate::with_model::with_law;

/// The topic of the page on how policies set the severity of schema changes.
const SCHEMA: &str = "schema";

/// The topic of the page on the words of a product.
const WORDS: &str = "words";

/// The topic of the page on how a policy states lifetimes.
const WINDOWS: &str = "windows";

/// The topic of the page on the keys of policy files.
const POLICY: &str = "policy";

/// The topic of the page on the principles of planning.
const PLANNING: &str = "planning";

pub fn explain(arguments: &Explain, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (model, options) = (arguments.named_model(), &arguments.model.policy);
    // The page of a rule says what goes in general, unless somebody asks for the numbers of a policy.
    let shows_numbers = model.is_some() || options.policy.is_some();
    with_law(
        disk,
        model,
        (options, Format::Table),
        terminal,
        |law, sources, terminal| {
            let policy = law.newest().ok_or_else(|| Failure::new("there is no policy"))?;
            let Some(topic) = &arguments.topic else {
                let style = terminal.style();
                terminal.answer(&topics(policy, style));
                return Ok(Outcome::Clean);
            };
            let topic = &*as_typed(topic);
            let page = page_of(topic, policy).or_else(|| finding(topic, policy).map(Cow::Owned));
            let mut page = page.ok_or_else(|| unknown(topic))?.into_owned();
            if let Some(rule) = rules::find_in(policy, topic).filter(|_| shows_numbers) {
                page.push_str(&of_rule(&law.effective(sources), rule.slug));
            }
            let is_text = match arguments.format {
                Some(format) => format == PageFormat::Text,
                None => terminal.is_terminal(),
            };
            let style = terminal.style();
            terminal.answer(&if is_text { drawn(&page, style) } else { page });
            Ok(Outcome::Clean)
        },
    )
}

/// The page of one finding: `version-lifetime:overdue`, as outputs and options name it.
fn finding(topic: &str, policy: &Policy) -> Option<String> {
    let (named, code) = topic.split_once(':')?;
    let page = page_of(named, policy)?;
    let title = page.lines().find_map(|line| line.strip_prefix("# "))?;
    // Changes of schemas are reported under the rules that they violate, and have a page of their own.
    let (slug, found) = match entry(&page, code) {
        Some(found) => (title, found),
        None => (SCHEMA, entry(SCHEMA_PAGE, code)?),
    };
    let summary = page.lines().skip(2).find(|line| !line.is_empty())?;
    Some(format!(
        "# {title}: {code}\n\n{summary}\n\n{found}\n\n`lifecycle explain {slug}` has the whole page.\n"
    ))
}

/// What a page says about a code, in its list of findings.
fn entry(page: &str, code: &str) -> Option<String> {
    let start = [format!("- `{code}` ("), format!("- `{code}`:")];
    let mut lines = page
        .lines()
        .skip_while(|line| !start.iter().any(|start| line.starts_with(start)));
    let first = lines.next()?;
    let rest = lines.take_while(|line| line.starts_with("  "));
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n"))
}

/// The findings with a code, by which they can be asked for.
fn with_code(code: &str) -> Vec<String> {
    let of_rules = RULES.iter().map(|rule| (rule.slug, rule.page));
    let all = of_rules.chain(pages().map(|page| (page.slug, page.text)));
    all.filter(|(_, page)| entry(page, code).is_some())
        .map(|(slug, _)| format!("`{slug}:{code}`"))
        .collect()
}

/// The code that was meant, of a page that there is: `version-lifetime:erly`.
fn code_meant(topic: &str) -> Option<String> {
    let (named, _) = topic.split_once(':')?;
    let of_rules = RULES.iter().map(|rule| (rule.slug, rule.page));
    let mut all = of_rules.chain(pages().map(|page| (page.slug, page.text)));
    let (_, page) = all.find(|(slug, _)| *slug == named)?;
    let items = page
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    let codes: Vec<String> = items.map(|(code, _)| format!("{named}:{code}")).collect();
    did_you_mean(topic, codes.iter().map(String::as_str))
}

fn unknown(topic: &str) -> Failure {
    let failure = Failure::new(format!("there is no rule or topic `{topic}`"));
    let named = with_code(topic);
    if !named.is_empty() {
        return failure.help(format!("name the rule too: {}", named.join(", ")));
    }
    if entry(SCHEMA_PAGE, topic).is_some() {
        return failure.help(format!(
            "it is a change of a schema: `lifecycle explain {SCHEMA}` lists them"
        ));
    }
    if let Some(help) = code_meant(topic) {
        return failure.help(help);
    }
    let slugs = RULES.iter().map(|rule| rule.slug).chain(pages().map(|page| page.slug));
    let topics = ["alpha", "beta", "stable", PLANNING, POLICY, SCHEMA, WINDOWS, WORDS];
    let help = did_you_mean(topic, slugs.chain(topics));
    let help = help.unwrap_or_else(|| "`lifecycle explain` lists the topics".to_owned());
    failure.help(help)
}

fn page_of(topic: &str, policy: &Policy) -> Option<Cow<'static, str>> {
    if topic == POLICY {
        return Some(policy_page().into());
    }
    let rule = rules::find_in(policy, topic).map(|rule| rule.page);
    let page = rule.or_else(|| pages().find(|page| page.slug == topic).map(|page| page.text));
    let page = page.or_else(|| match topic {
        PLANNING => Some(PLANNING_PAGE),
        SCHEMA => Some(SCHEMA_PAGE),
        WORDS => Some(WORDS_PAGE),
        WINDOWS => Some(WINDOWS_PAGE),
        other => principle(other).or_else(|| stability::promise(other)),
    });
    page.map(Cow::Borrowed)
}

fn topics(policy: &Policy, style: Style) -> String {
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
        let head = format!("  {:<5} {:<22} ", visible(&number), rule.slug);
        text.push_str(&hanging(&head, rule.title(), style));
    }
    text.push_str("\nOther findings:\n\n");
    for page in pages().filter(|page| CHECKS.iter().all(|check| check.slug != page.slug)) {
        text.push_str(&hanging(&format!("        {:<22} ", page.slug), page.title, style));
    }
    text.push_str("\nFindings of lint in CRDs:\n\n");
    for check in CHECKS {
        text.push_str(&hanging(&format!("        {:<22} ", check.slug), check.title, style));
    }
    text.push_str("\nOne finding: RULE:FINDING, as in version-lifetime:overdue\n");
    text.push_str("Levels: alpha, beta, stable\n");
    let _ = writeln!(
        text,
        "Principles of planning: P1 to P9, and how they work together: {PLANNING}"
    );
    let _ = writeln!(text, "Severities of schema changes, for diff and check: {SCHEMA}");
    let _ = writeln!(text, "Keys of a policy, rule by rule: {POLICY}");
    let _ = writeln!(text, "Lifetimes and windows in a policy: {WINDOWS}");
    let _ = writeln!(text, "Words of a product, for notes and warnings: {WORDS}");
    text
}
