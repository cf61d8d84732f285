//! What each command does.

mod check;
mod compare;
mod diff;
mod explain;
mod export;
mod fix;
mod import;
mod lint;
mod list;
mod notes;
mod plan;
mod propose;
mod remove;
mod render;
mod why;

use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::Document;
use lifecycle::evaluate::{DEFAULT_POLICY, Evaluation, Load, faults_report};
use lifecycle::policy::{Law, Policy};
use lifecycle::render::{TemplateError, json, markdown, snippet};
use lifecycle::report::{ComparedReport, DiagnosticReport, Report};
use lifecycle::source::{FileId, Sources};
use lifecycle::text::Unreadable;

use crate::args::{Arguments, Command, Format, Judgement};
use crate::chosen::Chosen;
use crate::load::{Files, Loaded, Side};
use crate::store::Store;
use crate::terminal::Terminal;

/// Why the program could not run.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong, and where.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
    /// Whether the fault is in the files of a commit: a later one may have mended it.
    pub in_commit: bool,
}

impl Failure {
    /// A failure without a next step yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
            in_commit: false,
        }
    }

    /// The same with a next step.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl Failure {
    /// A text of another format cannot be read, at a place of it.
    fn unreadable(name: &str, fault: &Unreadable) -> Self {
        Self::new(fault.within(name))
    }

    /// The first of several faults, with its place and its next step.
    fn of_faults(faults: &[Diagnostic], sources: &Sources<'_>) -> Self {
        let Some(first) = faults.first() else {
            return Self::new("the files cannot be read");
        };
        let place = first.primary.as_ref().and_then(|label| sources.locate(label.span));
        let message = match place {
            Some((file, at)) => format!("{file}:{}:{}: {}", at.line, at.column, first.message),
            None => first.message.clone(),
        };
        Self {
            help: first.help.clone(),
            ..Self::new(message)
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to complain about.
    Clean,
    /// Findings at or above the severity that counts.
    Findings,
    /// The files could not be read.
    Unusable,
}

impl Outcome {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Unusable => 2,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    match &arguments.command {
        Command::Plan { model, format } => {
            let of_faults = format.of_faults();
            with_evaluation(model.chosen(), &model.judgement, of_faults, terminal, |context| {
                plan::plan(context, *format)
            })
        }
        Command::Render(arguments) => render::render(arguments, terminal),
        Command::Check(arguments) => check::check(arguments, terminal),
        Command::Diff(arguments) => diff::diff(arguments, terminal),
        Command::Lint(arguments) => lint::lint(arguments, terminal),
        Command::Notes(arguments) => notes::notes(arguments, terminal),
        Command::Propose(arguments) => propose::propose(arguments, terminal),
        Command::Import(arguments) => import::import(arguments, terminal),
        Command::Export(arguments) => export::export(arguments, terminal),
        Command::Compare(arguments) => compare::compare(arguments, terminal),
        Command::Fix { model, write } => fix::fix(model, *write, terminal),
        Command::Why {
            element,
            event,
            model,
            builtin,
            judgement,
            format,
        } => with_evaluation(builtin.or(model.as_deref()), judgement, *format, terminal, |context| {
            why::why(context, element, event.as_deref(), *format)
        }),
        Command::Explain { topic, policy } => explain::explain(topic.as_deref(), policy.as_deref(), terminal),
        Command::Rules { model, format } => list::rules(model, *format, terminal),
        Command::Exceptions { model, format } => {
            with_evaluation(model.chosen(), &model.judgement, *format, terminal, |context| {
                list::exceptions(context, *format)
            })
        }
        Command::Policies { name } => list::policies(name.as_deref(), terminal),
    }
}

/// A model that was read, planned and checked, and where to answer.
struct Context<'c> {
    evaluation: &'c Evaluation,
    files: &'c Files,
    sources: &'c Sources<'c>,
    terminal: &'c mut Terminal,
}

/// Reads the files, evaluates them, and goes on with the result. Faults of the files are told here.
fn with_evaluation(
    chosen: Chosen<'_>,
    judgement: &Judgement,
    format: Format,
    terminal: &mut Terminal,
    go_on: impl FnOnce(&mut Context<'_>) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    let (name, store) = chosen.find()?;
    let Loaded { files, evaluated } = Loaded::of(&name, &store, judgement, Side::Head)?;
    files.announce(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    match evaluated {
        Ok(evaluation) => {
            let outcome = go_on(&mut Context {
                evaluation: &evaluation,
                files: &files,
                sources: &sources,
                terminal,
            });
            // The process ends next: giving back the memory of a large model one piece at a time is time lost.
            std::mem::forget(evaluation);
            outcome
        }
        Err(faults) => unusable(&faults, &sources, format, terminal),
    }
}

/// Tells what is wrong in files that cannot be read.
fn unusable(
    faults: &[Diagnostic],
    sources: &Sources<'_>,
    format: Format,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let report = faults_report(faults, sources);
    match format {
        Format::Json => terminal.write(|out| json::report(&report, out)),
        Format::Markdown => terminal.answer(&page(markdown::check(&report))?),
        Format::Table => tell_faults(&report, sources, terminal),
    }
    Ok(count_faults(&report, terminal))
}

/// There is no answer to be had: what is wrong goes beside it.
fn tell_faults(report: &Report<'_>, sources: &Sources<'_>, terminal: &mut Terminal) {
    let look = terminal.look_beside();
    for finding in &report.diagnostics {
        terminal.show_beside(snippet::finding(finding, sources, look).trim_end_matches('\n'));
        terminal.show_beside("");
    }
}

fn count_faults(report: &Report<'_>, terminal: &mut Terminal) -> Outcome {
    // The last one may only say how many more there are.
    let more = report.diagnostics.iter().any(|fault| fault.code == "more");
    let told = report.diagnostics.len() - usize::from(more);
    let plural = if told == 1 { "" } else { "s" };
    let least = if more { "more than " } else { "" };
    let in_files = report.diagnostics.iter().any(|fault| fault.file.is_some());
    let place = if in_files { " in the files" } else { "" };
    terminal.tell(&format!("could not run: {least}{told} fault{plural}{place}"));
    Outcome::Unusable
}

fn page(rendered: Result<String, TemplateError>) -> Result<String, Failure> {
    rendered.map_err(|problem| Failure::new(problem.to_string()))
}

/// "2 errors, 1 warning", or that nothing breaks the policy.
fn summary<'r>(findings: &(impl Iterator<Item = &'r DiagnosticReport<'r>> + Clone)) -> String {
    let counts: Vec<String> = ["error", "warning", "note"]
        .iter()
        .map(|severity| {
            let count = findings.clone().filter(|finding| finding.severity == *severity).count();
            (count, severity)
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| format!("{count} {severity}{}", if count == 1 { "" } else { "s" }))
        .collect();
    match counts.as_slice() {
        [] => "nothing breaks the policy".to_owned(),
        counts => counts.join(", "),
    }
}

/// The policy of a name or in a file; the default one where none is named.
fn policy_named(named: Option<&str>) -> Result<Policy, Failure> {
    of_policies(named, |load, name| load.policy_named(name))
}

/// The law of that policy alone.
fn law_named(named: Option<&str>) -> Result<Law, Failure> {
    of_policies(named, |load, name| {
        load.choose_policy(name);
        load.law_alone()
    })
}

fn of_policies<T>(
    named: Option<&str>,
    read: impl FnOnce(&mut Load<'_>, &str) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Failure> {
    let files = Store::Disk.policies(named, None)?;
    let documents: Vec<Document<'_>> = Vec::new();
    let mut load = Load::new(&documents);
    let mut sources = Sources::new();
    for (at, file) in (0..).zip(&files) {
        sources.add(&file.text.name, &file.text.content);
        load.add_policy(&file.reference, Document::parse(FileId(at), &file.text.content));
    }
    let read = read(&mut load, named.unwrap_or(DEFAULT_POLICY));
    read.map_err(|faults| Failure::of_faults(&faults, &sources))
}

/// "; 3 known in origin/main, 2 put aside in lifecycle-baseline.toml", and how to see them unless `all` are listed.
fn what_is_known(compared: Option<&ComparedReport>, all: bool) -> String {
    let Some(compared) = compared else { return String::new() };
    let base = compared.base.as_ref().filter(|_| compared.known_in_base > 0);
    let base = base.map(|base| format!("{} known in {base}", compared.known_in_base));
    let baseline = compared.baseline.as_ref().filter(|_| compared.put_aside > 0);
    let baseline = baseline.map(|file| format!("{} put aside in {file}", compared.put_aside));
    let parts: Vec<String> = base.into_iter().chain(baseline).collect();
    match (parts.is_empty(), all) {
        (true, _) => String::new(),
        (false, true) => format!("; {}", parts.join(", ")),
        (false, false) => format!("; {}; --all lists them", parts.join(", ")),
    }
}
