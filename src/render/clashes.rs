//! Why targets cannot be reached: what prevents several for the same reasons is explained once.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::grammar::EventWord;
use crate::report::{ByWhenReport, ClashReport, ClashingReport, ElementsBelow};

use super::below::{MANY, names};
use super::columns::Paint;
use super::table::bound;
use super::wrap::indented;
use super::{Style, visible};

/// What clashes share that are explained together: what should happen by when, and the rules that prevent it.
type Shared<'c> = (EventWord<'c>, Option<&'c str>, Vec<(&'c str, &'c str)>);

fn shared<'c>(clash: &'c ClashReport<'_>) -> Shared<'c> {
    let rules = clash.obligations.iter().map(|one| (one.rule, one.code));
    (clash.event, clash.by.map(|by| by.release), rules.collect())
}

/// The first clash of each sort, with the elements of the others.
pub(super) fn alike<'r, 'a>(clashes: &'r [ClashReport<'a>]) -> Vec<(&'r ClashReport<'a>, Vec<&'a str>)> {
    let mut known: HashMap<Shared<'r>, usize> = HashMap::new();
    let mut sorts: Vec<(&ClashReport<'a>, Vec<&'a str>)> = Vec::new();
    for clash in clashes {
        // What no rule prevents has reasons of its own.
        let at = (!clash.obligations.is_empty()).then(|| *known.entry(shared(clash)).or_insert(sorts.len()));
        match at.and_then(|at| sorts.get_mut(at)) {
            Some((_, others)) => others.push(clash.element),
            None => sorts.push((clash, Vec::new())),
        }
    }
    sorts
}

/// "the same rules prevent it for gate A, gate B; and 28 more".
fn others(elements: &[&str]) -> Option<String> {
    (!elements.is_empty()).then(|| format!("the same rules prevent it for {}", named(elements)))
}

/// "gate A, gate B; and 28 more".
pub(super) fn named(elements: &[&str]) -> String {
    let shown = elements
        .get(..MANY)
        .filter(|_| elements.len() > MANY + 1)
        .unwrap_or(elements);
    let below = ElementsBelow::gathered(shown.iter().copied());
    let more = match elements.len() - shown.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{}{more}", names(&below))
}

/// What prevents targets, a sentence for each sort; of more, the first ones.
pub(super) fn sentences(clashes: &[ClashReport<'_>], most: usize) -> Vec<String> {
    let sorts = alike(clashes);
    let sentences = sorts.iter().take(most).map(|(clash, elements)| {
        let obligations = clash.obligations.iter().map(demanded);
        let facts = clash.facts.iter().map(|fact| visible(fact));
        let mut reasons: Vec<String> = obligations.chain(facts).collect();
        reasons.extend(others(elements));
        format!(
            "{} {} by {} clashes with {}",
            visible(clash.element),
            clash.event,
            bound(clash.by),
            reasons.join("; and ")
        )
    });
    sentences.collect()
}

/// "#4a version-lifetime: apps/v1beta1 removed: a beta version stays served …".
fn demanded(obligation: &ClashingReport<'_>) -> String {
    let number = obligation.number.as_ref();
    let number = number.map_or_else(String::new, |number| format!("#{number} "));
    let (rule, id, what) = (obligation.rule, visible(obligation.element), obligation.event);
    format!("{number}{rule}: {id} {what}: {}", visible(&obligation.text))
}

/// What prevents targets, as a section of a page.
#[derive(Serialize)]
pub(super) struct ClashRow<'r> {
    clash: &'r ClashReport<'r>,
    others: Option<String>,
}

impl<'r> ClashRow<'r> {
    pub(super) fn all(report: &'r ByWhenReport<'_>) -> Vec<Self> {
        let sorts = alike(&report.clashes).into_iter();
        let rows = sorts.map(|(clash, elements)| Self {
            clash,
            others: others(&elements),
        });
        rows.collect()
    }
}

pub(super) fn explain(text: &mut String, clash: &ClashReport<'_>, elements: &[&str], style: Style) {
    let by = bound(clash.by);
    let title = format!("{} {} by {by} clashes with", visible(clash.element), clash.event);
    let mut line = String::new();
    indented(&title, 0, style, &mut line);
    let _ = writeln!(text, "\n{}", Paint::Alarm.over(line.trim_end(), style));
    for obligation in &clash.obligations {
        indented(&demanded(obligation), 2, style, text);
    }
    for fact in &clash.facts {
        indented(&visible(fact), 2, style, text);
    }
    if clash.obligations.is_empty() && !clash.facts.is_empty() {
        indented("no rule asks for that, so no exception helps", 2, style, text);
    }
    if let Some(line) = others(elements) {
        indented(&line, 2, style, text);
    }
}
