//! The law in force as a page in Markdown.

use std::fmt::Write as _;

use crate::report::{EffectiveEdition, EffectiveReport, EffectiveTable};

use super::{one_line, visible};

/// The whole law: a table of its keys per table of the policy.
pub fn page(report: &EffectiveReport<'_>) -> String {
    let mut page = String::new();
    for edition in &report.editions {
        let _ = writeln!(page, "# {}\n", title(edition));
        for table in &edition.tables {
            let number = table
                .number
                .map_or_else(String::new, |number| format!(", #{}", one_line(number)));
            let _ = writeln!(page, "## {}{number}\n\n{}", one_line(&table.table), settings(table));
        }
        if !edition.off.is_empty() {
            let _ = writeln!(page, "Not in force: {}.\n", edition.off.join(", "));
        }
    }
    page.push_str("# Findings outside the rules\n\n");
    for table in &report.outside {
        let _ = writeln!(page, "## {}\n\n{}", table.table, settings(table));
    }
    page
}

/// What is in force of one rule, as the end of its page.
pub fn of_rule(report: &EffectiveReport<'_>, slug: &str) -> String {
    let name = format!("rule.{slug}");
    let mut page = String::new();
    for edition in &report.editions {
        let _ = writeln!(page, "\n## In {}\n", title(edition));
        match edition.tables.iter().find(|table| table.table == name) {
            Some(table) => page.push_str(&settings(table)),
            None => page.push_str("This rule is not in force.\n"),
        }
    }
    page
}

fn title(edition: &EffectiveEdition<'_>) -> String {
    let number = Some(edition.edition).filter(|number| !number.is_empty());
    let number = number.map_or_else(String::new, |number| format!(", edition {}", one_line(number)));
    let from = edition
        .from
        .map_or_else(String::new, |from| format!(", from {}", one_line(from)));
    format!("{}{number}{from}", one_line(edition.policy))
}

fn settings(table: &EffectiveTable<'_>) -> String {
    let mut text = "| key | value | set by |\n| --- | --- | --- |\n".to_owned();
    for setting in &table.settings {
        let cells = [code(&setting.key), code(&setting.value), code(&setting.set_by)];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// A text as code in a cell.
fn code(text: &str) -> String {
    let text = visible(&one_line(text)).replace('|', "\\|");
    match text.as_str() {
        "" => text,
        _ if text.contains('`') => format!("`` {text} ``"),
        _ => format!("`{text}`"),
    }
}
