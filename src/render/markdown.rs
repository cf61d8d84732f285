//! Markdown, from the templates in `templates/`.

use serde::Serialize;
use tera::{Context, Tera};

use super::turns_direction;
use crate::report::{Derivation, ExceptionsReport, Report, RulesReport};

const PLAN: &str = include_str!("../../templates/plan.md");
const CHECK: &str = include_str!("../../templates/check.md");
const RULES: &str = include_str!("../../templates/rules.md");
const EXCEPTIONS: &str = include_str!("../../templates/exceptions.md");
const WHY: &str = include_str!("../../templates/why.md");

/// Why a page could not be made from its template.
#[derive(Debug, thiserror::Error)]
#[error("the template does not fit the report: {0}")]
pub struct TemplateError(String);

/// The plan as a page.
///
/// # Errors
///
/// If the template does not fit the report.
pub fn plan(report: &Report<'_>) -> Result<String, TemplateError> {
    render("plan.md", PLAN, "report", report)
}

/// The findings as a page.
///
/// # Errors
///
/// If the template does not fit the report.
pub fn check(report: &Report<'_>) -> Result<String, TemplateError> {
    render("check.md", CHECK, "report", report)
}

/// A derivation as a page.
///
/// # Errors
///
/// If the template does not fit the derivation.
pub fn why(derivation: &Derivation<'_>) -> Result<String, TemplateError> {
    render("why.md", WHY, "derivation", derivation)
}

/// The rules in force as a page.
///
/// # Errors
///
/// If the template does not fit the report.
pub fn rules(report: &RulesReport<'_>) -> Result<String, TemplateError> {
    render("rules.md", RULES, "report", report)
}

/// The exceptions as a page.
///
/// # Errors
///
/// If the template does not fit the report.
pub fn exceptions(report: &ExceptionsReport<'_>) -> Result<String, TemplateError> {
    render("exceptions.md", EXCEPTIONS, "report", report)
}

fn render(
    name: &'static str,
    template: &str,
    key: &'static str,
    data: &impl Serialize,
) -> Result<String, TemplateError> {
    let failed = |problem: tera::Error| TemplateError(problem.to_string());
    let mut tera = Tera::default();
    tera.autoescape_on(Vec::<&str>::new());
    tera.register_filter("cell", cell);
    tera.add_raw_template(name, template).map_err(failed)?;
    let mut context = Context::new();
    context.insert(key, data);
    tera.render(name, &context).map_err(failed)
}

/// What a user typed, as the text of a table's cell: nothing in it ends the cell, begins a tag or a link.
fn cell(text: &str, _: tera::Kwargs, _: &tera::State<'_>) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' => {
                safe.push('\\');
                safe.push(c);
            }
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            c if c.is_control() || turns_direction(c) => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
