//! Markdown, from the templates in `templates/`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Detail;
use super::below::counted;
use super::by_when::{WayRow, answer, untried};
use super::clashes::ClashRow;
use super::diff::Examples;
use super::promises as drift;
use super::record::{self, Breach, Part};
use super::side_by_side::{self as beside, cells, letter, marks};
use super::tasks::{self, word};
use super::what_if::{counts, same_day};
use super::{Findings, TemplateError, Templates};
use crate::report::{
    ByWhenReport, ComparisonReport, Derivation, DiffReport, EventGroup, ExceptionsReport, Moment, PolicyReport,
    PromisesReport, RecordReport, Report, RulesReport, SharedFinding, SideBySideReport, Tally, TaskGroup, TasksReport,
    Urgency, WhatIfReport,
};

const PLAN: &str = include_str!("../../templates/plan.md");
const AGENDA: &str = include_str!("../../templates/agenda.md");
const BY_WHEN: &str = include_str!("../../templates/by-when.md");
const CHECK: &str = include_str!("../../templates/check.md");
const DIFF: &str = include_str!("../../templates/diff.md");
const RULES: &str = include_str!("../../templates/rules.md");
const EXCEPTIONS: &str = include_str!("../../templates/exceptions.md");
const PROMISES: &str = include_str!("../../templates/promises.md");
const RECORD: &str = include_str!("../../templates/record.md");
const COMPARISON: &str = include_str!("../../templates/comparison.md");
const WHAT_IF: &str = include_str!("../../templates/what-if.md");
const BESIDE: &str = include_str!("../../templates/what-if-beside.md");
const WHY: &str = include_str!("../../templates/why.md");

/// The plan as a page.
pub(super) fn plan(report: &Report<'_>) -> Result<String, TemplateError> {
    render("plan.md", PLAN, "report", report)
}

/// Findings as a page, each on a row.
pub fn check(report: &Report<'_>) -> Result<String, TemplateError> {
    let page = FindingsPage {
        report,
        folded: false,
        listed: true,
        moves: report.moves.as_ref().map(counts),
        events: moved_groups(report.moves.as_ref()),
    };
    render("check.md", CHECK, "page", &page)
}

/// The findings as a page, as the level of detail asks.
pub(super) fn findings(given: &Findings<'_>) -> Result<String, TemplateError> {
    let page = FindingsPage {
        report: given.report,
        folded: given.is_folded(),
        listed: !given.is_summary(),
        moves: given.report.moves.as_ref().map(counts),
        events: moved_groups(given.report.moves.as_ref()),
    };
    render("check.md", CHECK, "page", &page)
}

/// The findings, and how they are shown.
#[derive(Serialize)]
struct FindingsPage<'r> {
    report: &'r Report<'r>,
    /// Whether findings that are alike are shown together.
    folded: bool,
    /// Whether findings are shown at all.
    listed: bool,
    /// How much moves with the calendar.
    moves: Option<String>,
    events: Vec<MovedGroup<'r>>,
}

fn moved_groups<'r>(moves: Option<&'r WhatIfReport<'_>>) -> Vec<MovedGroup<'r>> {
    let groups = moves.map(|report| report.event_groups.iter().map(|group| MovedGroup::of(report, group)));
    groups.into_iter().flatten().collect()
}

/// The changes between two states as a page.
pub(super) fn diff(report: &DiffReport, detail: Detail) -> Result<String, TemplateError> {
    let folded = detail.folds(report.changes.len());
    // An indented block: nothing in it can end it.
    let examples = Examples::of(report, "    ");
    let page = DiffPage {
        report,
        examples,
        folded,
        listed: detail != Detail::Summary,
    };
    render("diff.md", DIFF, "page", &page)
}

/// A derivation as a page.
pub fn why(derivation: &Derivation<'_>) -> Result<String, TemplateError> {
    render("why.md", WHY, "derivation", derivation)
}

/// The rules in force as a page.
pub fn rules(report: &RulesReport<'_>) -> Result<String, TemplateError> {
    render("rules.md", RULES, "report", report)
}

/// The exceptions as a page.
pub fn exceptions(report: &ExceptionsReport<'_>) -> Result<String, TemplateError> {
    render("exceptions.md", EXCEPTIONS, "report", report)
}

/// How a product kept its policy, as a page; unless `all` is wanted, shortened as the table is.
pub fn record(report: &RecordReport<'_>, all: bool) -> Result<String, TemplateError> {
    let worst = record::worst(report, all);
    let page = RecordPage {
        total: report.total,
        summary: record::summary(report),
        current: report.current,
        policies: &report.policies,
        parts: record::parts(record::sections(report), all),
        broken: report.total.broken(),
        worst: worst.into_iter().map(Breach::of).collect(),
    };
    render("record.md", RECORD, "page", &page)
}

/// What came of the promises of earlier states, as a page.
pub fn promises(report: &PromisesReport<'_>, all: bool) -> Result<String, TemplateError> {
    let rows = drift::shown(report, all).into_iter().map(drift::cells);
    let page = PromisesPage {
        summary: drift::summary(report),
        rows: rows.collect(),
    };
    render("promises.md", PROMISES, "page", &page)
}

#[derive(Serialize)]
struct PromisesPage {
    summary: String,
    rows: Vec<[String; 6]>,
}

#[derive(Serialize)]
struct RecordPage<'r> {
    total: Tally,
    summary: String,
    current: Option<Moment<'r>>,
    policies: &'r [PolicyReport<'r>],
    parts: Vec<Part<'r>>,
    /// How many broke the policy.
    broken: usize,
    worst: Vec<Breach<'r>>,
}

/// What a change moves, as a page.
pub fn what_if(report: &WhatIfReport<'_>) -> Result<String, TemplateError> {
    let page = WhatIfPage {
        report,
        nothing: report.is_empty(),
        counts: counts(report),
        same_day: same_day(report),
        events: report
            .event_groups
            .iter()
            .map(|group| MovedGroup::of(report, group))
            .collect(),
    };
    render("what-if.md", WHAT_IF, "page", &page)
}

#[derive(Serialize)]
struct WhatIfPage<'r> {
    report: &'r WhatIfReport<'r>,
    nothing: bool,
    counts: String,
    same_day: Vec<String>,
    events: Vec<MovedGroup<'r>>,
}

/// What several changes move, as a page.
pub fn side_by_side(report: &SideBySideReport<'_>) -> Result<String, TemplateError> {
    let alternatives = report.alternatives.iter().enumerate();
    let page = SideBySidePage {
        alternatives: alternatives
            .map(|(at, one)| Alternative {
                letter: letter(at),
                changes: &one.changes,
                counts: counts(one),
            })
            .collect(),
        illegal: report.illegal.iter().map(IllegalRow::of).collect(),
        missed: beside::missed_by(report),
        releases: report.releases.iter().map(cells).collect(),
        events: beside::alike(report)
            .into_iter()
            .map(|(head, elements)| SharedRow { head, elements })
            .collect(),
    };
    render("what-if-beside.md", BESIDE, "page", &page)
}

#[derive(Serialize)]
struct SideBySidePage<'r> {
    alternatives: Vec<Alternative<'r>>,
    illegal: Vec<IllegalRow<'r>>,
    /// The letters of changes, and what they miss.
    missed: Vec<(String, String)>,
    releases: Vec<Vec<String>>,
    events: Vec<SharedRow<'r>>,
}

#[derive(Serialize)]
struct Alternative<'r> {
    letter: String,
    changes: &'r [String],
    counts: String,
}

#[derive(Serialize)]
struct IllegalRow<'r> {
    marks: String,
    finding: &'r SharedFinding,
    message: &'r str,
}

impl<'r> IllegalRow<'r> {
    fn of(finding: &'r SharedFinding) -> Self {
        let message = finding.messages.iter().flatten().next();
        Self {
            marks: marks(&finding.messages),
            finding,
            message: message.map_or("", String::as_str),
        }
    }
}

#[derive(Serialize)]
struct SharedRow<'r> {
    head: String,
    elements: Vec<&'r str>,
}

/// What has to happen by when for targets, as a page.
pub fn by_when(report: &ByWhenReport<'_>) -> Result<String, TemplateError> {
    let page = ByWhenPage {
        report,
        targets: report
            .targets
            .iter()
            .map(|target| answer(target, report.undecided))
            .collect(),
        rows: report.steps.iter().map(WayRow::of).collect(),
        clashes: ClashRow::all(report),
        untried: untried(report),
    };
    render("by-when.md", BY_WHEN, "page", &page)
}

#[derive(Serialize)]
struct ByWhenPage<'r> {
    report: &'r ByWhenReport<'r>,
    targets: Vec<String>,
    rows: Vec<WayRow<'r>>,
    clashes: Vec<ClashRow<'r>>,
    untried: Option<String>,
}

/// Events that move alike, and their elements.
#[derive(Serialize)]
struct MovedGroup<'r> {
    moved: &'r EventGroup<'r>,
    elements: Vec<&'r str>,
}

impl<'r> MovedGroup<'r> {
    fn of(report: &'r WhatIfReport<'r>, moved: &'r EventGroup<'r>) -> Self {
        let moves = moved.events.iter().filter_map(|at| report.events.get(*at));
        Self {
            moved,
            elements: moves.map(|moved| moved.element).collect(),
        }
    }
}

/// What has to be done, as a checklist per owner: tasks that are alike together, or each.
pub fn agenda(report: &TasksReport<'_>, all: bool) -> Result<String, TemplateError> {
    let groups = tasks::groups(report, all);
    let mut names: Vec<Option<&str>> = report.tasks.iter().map(|task| task.owner).collect();
    // Those without an owner come last.
    names.sort_by_key(|name| (name.is_none(), *name));
    names.dedup();
    let owners = names.iter().map(|name| OwnerPart {
        name: *name,
        parts: Urgency::ALL
            .into_iter()
            .filter_map(|urgency| TaskPart::of(report, &groups, *name, urgency))
            .collect(),
    });
    let page = AgendaPage {
        report,
        nothing: tasks::nothing(report),
        named: names.iter().any(Option::is_some),
        owners: owners.collect(),
    };
    render("agenda.md", AGENDA, "page", &page)
}

#[derive(Serialize)]
struct AgendaPage<'r> {
    report: &'r TasksReport<'r>,
    /// What is said if there are no tasks.
    nothing: String,
    /// Whether any task has an owner.
    named: bool,
    owners: Vec<OwnerPart<'r>>,
}

#[derive(Serialize)]
struct OwnerPart<'r> {
    name: Option<&'r str>,
    parts: Vec<TaskPart<'r>>,
}

#[derive(Serialize)]
struct TaskPart<'r> {
    title: &'static str,
    word: &'static str,
    items: Vec<TaskItem<'r>>,
}

/// Tasks that are alike, and their elements; several are counted too.
#[derive(Serialize)]
struct TaskItem<'r> {
    group: &'r TaskGroup<'r>,
    elements: Vec<&'r str>,
    count: Option<String>,
    exception: Vec<&'r str>,
}

impl<'r> TaskPart<'r> {
    fn of(
        report: &'r TasksReport<'r>,
        groups: &'r [TaskGroup<'r>],
        owner: Option<&str>,
        urgency: Urgency,
    ) -> Option<Self> {
        let own = groups
            .iter()
            .filter(|group| group.urgency == urgency && group.owner == owner);
        let items: Vec<TaskItem<'r>> = own.map(|group| TaskItem::of(report, group)).collect();
        (!items.is_empty()).then(|| Self {
            title: urgency.title(),
            word: word(urgency),
            items,
        })
    }
}

impl<'r> TaskItem<'r> {
    fn of(report: &'r TasksReport<'r>, group: &'r TaskGroup<'r>) -> Self {
        let tasks = group.tasks.iter().filter_map(|at| report.tasks.get(*at));
        let below = tasks::elements(report, group);
        Self {
            group,
            elements: tasks.filter_map(|task| task.element).collect(),
            count: (group.tasks.len() > 1).then(|| counted(&below)),
            exception: group.exception.as_deref().unwrap_or_default().lines().collect(),
        }
    }
}

/// The differences between two sources as a page.
pub fn comparison(report: &ComparisonReport) -> Result<String, TemplateError> {
    render("comparison.md", COMPARISON, "report", report)
}

/// The differences, and objects that show what is lost.
#[derive(Serialize)]
struct DiffPage<'r> {
    report: &'r DiffReport,
    examples: Examples<'r>,
    /// Whether changes that are alike are shown together.
    folded: bool,
    /// Whether changes are shown at all.
    listed: bool,
}

fn render(
    name: &'static str,
    template: &str,
    key: &'static str,
    data: &impl Serialize,
) -> Result<String, TemplateError> {
    let mut templates = Templates::default();
    templates.put(name, name, template);
    templates.render(name, &BTreeMap::from([(key, data)]))
}
