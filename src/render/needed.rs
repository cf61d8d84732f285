//! Findings that an exception would have to cover, or that prevent a way.

use std::fmt::Write as _;

use crate::report::NeededReport;

use super::columns::Paint;
use super::wrap::indented;
use super::{Style, clashes, visible};

/// Of more sorts of findings than this, only the first ones are explained.
const MOST_EXPLAINED: usize = 5;

/// The findings below a title, those that are alike together.
pub(super) fn list(text: &mut String, title: &str, needed: &[NeededReport<'_>], style: Style) {
    if needed.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", Paint::Heading.over(title, style));
    let mut sorts: Vec<Vec<&NeededReport<'_>>> = Vec::new();
    for one in needed {
        let mut known = sorts.iter_mut();
        match known.find(|alike| alike.first().is_some_and(|first| is_alike(first, one))) {
            Some(alike) => alike.push(one),
            None => sorts.push(vec![one]),
        }
    }
    for alike in sorts.iter().take(MOST_EXPLAINED) {
        indented(&finding(alike), 2, style, text);
    }
    if let Some(more) = sorts.len().checked_sub(MOST_EXPLAINED + 1) {
        let _ = writeln!(text, "  and {} more; --format json lists them", more + 1);
    }
}

/// Whether findings differ in their elements only.
fn is_alike(one: &NeededReport<'_>, other: &NeededReport<'_>) -> bool {
    (one.rule, &one.code, one.until) == (other.rule, &other.code, other.until)
}

/// "version-lifetime:early of apps/v1beta1, `until = \"1.40\"`: …", or the elements of several.
fn finding(alike: &[&NeededReport<'_>]) -> String {
    let Some(first) = alike.first() else {
        return String::new();
    };
    let until = first
        .until
        .map_or_else(String::new, |until| format!(", `until = \"{}\"`", until.release));
    let (rule, code) = (first.rule, &first.code);
    if let [only] = alike {
        let element = visible(only.element.as_deref().unwrap_or("the model"));
        return format!("{rule}:{code} of {element}{until}: {}", visible(&only.message));
    }
    let elements: Vec<&str> = alike.iter().filter_map(|one| one.element.as_deref()).collect();
    format!("{rule}:{code}{until}, of {}", clashes::named(&elements))
}
