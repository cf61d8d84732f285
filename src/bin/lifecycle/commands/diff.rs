//! `lifecycle diff`: what a change of schemas breaks.

use lifecycle::compat::{self, Texts, diff_states, findings, grade_by_model, hold_against_model};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{faults_report, page_reports};
use lifecycle::policy::{Law, Policy};
use lifecycle::report::{ComparedReport, DiffReport, DiffSummary, DifferenceReport, Report};
use lifecycle::source::Sources;

use crate::args::{Diff, Judgement};
use crate::definitions::refuse_faults;
use crate::emit::{Changes, Emission, Output};
use crate::files::STANDARD_INPUT;
use crate::load::{Loaded, Side};
use crate::place::Place;
use crate::schemas::Schemas;
use crate::store::Store;
use crate::terminal::Terminal;
use crate::threads::side_by_side;

use super::{Failure, Outcome, law_named};

pub(super) fn diff(arguments: &Diff, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let law = law_named(arguments.policy.as_deref())?;
    if arguments.old == STANDARD_INPUT && arguments.new == STANDARD_INPUT {
        return Err(Failure::new("standard input is one state, not two").help("name a file or a folder for the other"));
    }
    let (old, new) = side_by_side(
        || State::read(&arguments.old, &arguments.new),
        || State::read(&arguments.new, &arguments.old),
    );
    let (old, new) = (old?, new?);
    for state in [&old, &new] {
        state.announce(terminal)?;
    }
    refuse_unlike(&old, &new)?;
    let inputs = old.schemas.texts().chain(new.schemas.texts());
    let inputs = inputs.map(|text| text.name.as_str()).chain(arguments.model.as_deref());
    let outputs = Output::parse_all(&arguments.output, &inputs.collect::<Vec<_>>())?;
    let (before, after) = (old.schemas.sides(), new.schemas.sides());
    let states = [before.state(), after.state()];
    let [was, is] = states;
    let newest = law.editions().last().map(|newest| &newest.policy);
    let policy = newest.ok_or_else(|| Failure::new("no policy grades the changes").help("name one: --policy"))?;
    let report = diff_states(was, is, policy);
    let mut report = report.map_err(|fault| Failure::new(fault.to_string()).help(fault.help))?;
    if let Some(model) = &arguments.model {
        by_model(&mut report, states, (model, policy), terminal)?;
    }
    let run = Run {
        arguments,
        law: &law,
        states: [&old, &new],
        outputs: &outputs,
    };
    let outcome = run.tell(&report, terminal)?;
    std::mem::forget(report);
    drop((before, after));
    std::mem::forget((old, new));
    Ok(outcome)
}

/// Grades the ends and beginnings of versions, and what is unstable in them, by what a model says.
fn by_model(
    report: &mut DiffReport,
    states: [compat::State<'_>; 2],
    (model, policy): (&str, &Policy),
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let Loaded { files, evaluated } = Loaded::of(model, &Store::Disk, &Judgement::default(), Side::Head)?;
    files.announce(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let evaluation = evaluated.map_err(|faults| Failure::of_faults(&faults, &sources))?;
    let elements = evaluation.report(&sources).elements;
    hold_against_model(report, states, &elements, &evaluation.model().calendar);
    let [_, new] = states;
    grade_by_model(&mut report.changes, new, evaluation.model(), policy);
    Ok(())
}

/// Definitions are not held against documents.
fn refuse_unlike(old: &State, new: &State) -> Result<(), Failure> {
    if !old.schemas.is_unlike(&new.schemas) {
        return Ok(());
    }
    let (one, other) = if old.schemas.defines() { (old, new) } else { (new, old) };
    let (one, other) = (&one.named, &other.named);
    let message = format!("{one} has definitions of custom resources, {other} has documents of OpenAPI");
    Err(Failure::new(message).help("name two states of the same sort"))
}

/// One run of the command.
struct Run<'r> {
    arguments: &'r Diff,
    law: &'r Law,
    /// The old one and the new one.
    states: [&'r State; 2],
    outputs: &'r [Output],
}

impl Run<'_> {
    /// Prints and writes what was asked for, and tells how much there is.
    fn tell(&self, report: &DiffReport, terminal: &mut Terminal) -> Result<Outcome, Failure> {
        let arguments = self.arguments;
        let changes = Changes {
            report,
            all: arguments.all,
            fail_on: arguments.fail_on,
        };
        let mut sources = Sources::new();
        let mut found = Vec::new();
        let in_findings = self.outputs.iter().map(Output::format).chain([arguments.format]);
        if let Some(format) = in_findings.into_iter().find(|format| format.is_of_findings()) {
            found = self.findings(&changes.listed(format), &mut sources)?;
        }
        let findings = Report {
            compared: Some(ComparedReport {
                base: Some(self.states[0].named.clone()),
                known_in_base: 0,
                baseline: None,
                put_aside: 0,
            }),
            ..faults_report(&found, &sources)
        };
        let emission = Emission {
            report: &findings,
            changes: Some(changes),
            sources: &sources,
            pages: &page_reports(Some(self.law)),
            format: arguments.format,
            outputs: self.outputs,
            fail_on: arguments.fail_on,
            model: self.states[1].stands_in(),
        };
        emission.emit(terminal)?;
        terminal.tell(&words(
            report.summary,
            report.changes.len() - changes.listed(arguments.format).len(),
        ));
        let fails =
            |severity: &str| Severity::parse(severity).is_some_and(|severity| arguments.fail_on.fails(severity));
        let failed = report.changes.iter().any(|change| fails(change.severity));
        Ok(if failed { Outcome::Findings } else { Outcome::Clean })
    }

    /// Changes as findings, with the texts in which they have their places.
    fn findings<'s>(
        &'s self,
        changes: &[&DifferenceReport],
        sources: &mut Sources<'s>,
    ) -> Result<Vec<Diagnostic>, Failure> {
        let [old, new] = self.states;
        let mut texts = Texts::new();
        for state in [new, old] {
            state.schemas.refuse_more_than(usize::from(Sources::BASE.0))?;
        }
        for text in new.schemas.texts() {
            texts.add(&text.name, sources.add(&text.name, &text.content), &text.content);
        }
        for text in old.schemas.texts() {
            texts.add(&text.name, sources.add_base(&text.name, &text.content), &text.content);
        }
        Ok(findings(changes.iter().copied(), &texts, self.law))
    }
}

/// "1 breaking, 0 risky, 2 compatible in 1 kind; --all lists 2 more".
fn words(summary: DiffSummary, hidden: usize) -> String {
    let more = match hidden {
        0 => String::new(),
        hidden => format!("; --all lists {hidden} more"),
    };
    let DiffSummary {
        compared,
        breaking,
        risky,
        compatible,
    } = summary;
    let kinds = if compared == 1 { "kind" } else { "kinds" };
    format!("{breaking} breaking, {risky} risky, {compatible} compatible in {compared} {kinds}{more}")
}

/// A state, and what it is called.
struct State {
    named: String,
    /// Whether it is told and no fault that nothing is defined.
    may_be_empty: bool,
    schemas: Schemas,
}

impl State {
    /// Reads the files of a place that is named beside another one.
    fn read(named: &str, other: &str) -> Result<Self, Failure> {
        let place = Place::beside(named, other)?;
        Ok(Self {
            named: place.label(),
            may_be_empty: place.is_lent(),
            schemas: Schemas::read(place.store(), place.files()?)?,
        })
    }

    /// The file that stands in for what has no place in any.
    fn stands_in(&self) -> &str {
        let first = self.schemas.texts().next();
        first.map_or(self.named.as_str(), |text| text.name.as_str())
    }

    /// Tells what was passed over, and refuses what cannot be read.
    fn announce(&self, terminal: &mut Terminal) -> Result<(), Failure> {
        let faults = self.schemas.faults.iter();
        let faults = faults.map(|(text, fault)| fault.within(&text.name));
        refuse_faults(&faults.collect::<Vec<_>>(), terminal)?;
        self.schemas.announce(terminal);
        if !self.schemas.is_empty() {
            return Ok(());
        }
        if self.may_be_empty {
            terminal.complain(&format!(
                "warning: {}: no CustomResourceDefinition and no document of OpenAPI there; \
                 of what was moved, name the old place too (`REVISION:PATH`), or a folder above both",
                self.named
            ));
            return Ok(());
        }
        Err(Failure::new(format!(
            "{}: no CustomResourceDefinition, and no document of OpenAPI that serves a kind",
            self.named
        ))
        .help("name a file or a folder that has some"))
    }
}
