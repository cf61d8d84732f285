//! What each command does.

use std::fmt::Write as _;

use lifecycle::diagnostic::{Diagnostic, Severity, did_you_mean};
use lifecycle::document::Document;
use lifecycle::evaluate::{DEFAULT_POLICY, Evaluation, Load, builtin_policy, faults_report, unknown_policy};
use lifecycle::model::{ElementId, Happening, Model};
use lifecycle::policy::{BUILT_IN, Policy, builtin};
use lifecycle::render::{json, markdown, snippet, table, visible, why};
use lifecycle::report::DiagnosticReport;
use lifecycle::rules::{self, PAGES, RULES};
use lifecycle::source::{FileId, Sources};
use lifecycle::stability;

use crate::args::{Arguments, Command, FailOn, Format, Judgement};
use crate::files;
use crate::gather::Gathered;
use crate::terminal::Terminal;

/// Why the program could not run.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong, and where.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
}

impl Failure {
    /// A failure without a next step yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
        }
    }

    /// The same with a next step.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
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
            with_evaluation(model.model.as_deref(), &model.judgement, *format, terminal, |context| {
                plan(context, *format)
            })
        }
        Command::Check { model, format, fail_on } => {
            with_evaluation(model.model.as_deref(), &model.judgement, *format, terminal, |context| {
                check(context, *format, *fail_on)
            })
        }
        Command::Why {
            element,
            event,
            model,
            judgement,
            format,
        } => with_evaluation(model.as_deref(), judgement, *format, terminal, |context| {
            explain_element(context, element, event.as_deref(), *format)
        }),
        Command::Explain { topic, policy } => explain(topic.as_deref(), policy.as_deref(), terminal),
        Command::Policies { name } => policies(name.as_deref(), terminal),
    }
}

/// A model that was read, planned and checked, and where to answer.
struct Context<'c> {
    evaluation: &'c Evaluation,
    sources: &'c Sources<'c>,
    terminal: &'c mut Terminal,
}

/// Reads the files, evaluates them, and goes on with the result. Faults of the files are told here.
fn with_evaluation(
    given: Option<&str>,
    judgement: &Judgement,
    format: Format,
    terminal: &mut Terminal,
    go_on: impl FnOnce(&mut Context<'_>) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    let main = files::read(&files::model_path(given)?)?;
    let whole = || vec![Document::parse(FileId(0), &main.text)];
    let documents = Document::parse_in_parts(FileId(0), &main.text).unwrap_or_else(whole);
    let parts = documents.len();
    let gathered = Gathered::of(&documents, &main, judgement, terminal)?;
    let mut evaluated = gathered.evaluate(documents, judgement);
    if evaluated.is_err() && parts > 1 {
        // What is wrong is told of the whole text, not of parts of it.
        evaluated = gathered.evaluate(whole(), judgement);
    }
    let sources = gathered.sources(&main);
    match evaluated {
        Ok(evaluation) => {
            let outcome = go_on(&mut Context {
                evaluation: &evaluation,
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
        // There is no answer to be had: what is wrong goes beside it.
        Format::Table => {
            let look = terminal.look_beside();
            for finding in &report.diagnostics {
                terminal.complain(snippet::finding(finding, sources, look).trim_end_matches('\n'));
                terminal.complain("");
            }
        }
    }
    // The last one may only say how many more there are.
    let more = report.diagnostics.iter().any(|fault| fault.code == "more");
    let told = report.diagnostics.len() - usize::from(more);
    let plural = if told == 1 { "" } else { "s" };
    let least = if more { "more than " } else { "" };
    terminal.tell(&format!("could not run: {least}{told} fault{plural} in the files"));
    Ok(Outcome::Unusable)
}

fn page(rendered: Result<String, markdown::TemplateError>) -> Result<String, Failure> {
    rendered.map_err(|problem| Failure::new(problem.to_string()))
}

fn plan(context: &mut Context<'_>, format: Format) -> Result<Outcome, Failure> {
    let report = context.evaluation.report(context.sources);
    let look = context.terminal.look();
    match format {
        Format::Table => context.terminal.answer(&table::plan(&report, look)),
        Format::Json => context.terminal.write(|out| json::report(&report, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::plan(&report))?),
    }
    let contradictions: Vec<&DiagnosticReport<'_>> = report
        .diagnostics
        .iter()
        .filter(|finding| finding.rule == "contradiction")
        .collect();
    if format == Format::Table {
        for finding in &contradictions {
            let text = snippet::finding(finding, context.sources, look);
            context.terminal.answer(&format!("\n{text}"));
        }
    }
    if !report.diagnostics.is_empty() {
        let summary = summary(&report.diagnostics);
        context
            .terminal
            .tell(&format!("{summary}; `lifecycle check` shows them"));
    }
    let contradicted = !contradictions.is_empty();
    std::mem::forget(report);
    Ok(if contradicted {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

fn check(context: &mut Context<'_>, format: Format, fail_on: FailOn) -> Result<Outcome, Failure> {
    let report = context.evaluation.report(context.sources);
    let look = context.terminal.look();
    match format {
        Format::Table => {
            for finding in &report.diagnostics {
                let text = snippet::finding(finding, context.sources, look);
                context.terminal.answer(&text);
            }
        }
        Format::Json => context.terminal.write(|out| json::report(&report, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::check(&report))?),
    }
    context.terminal.tell(&summary(&report.diagnostics));
    let fails = report
        .diagnostics
        .iter()
        .filter_map(|finding| Severity::parse(finding.severity))
        .any(|severity| fail_on.fails(severity));
    std::mem::forget(report);
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

/// "2 errors, 1 warning", or that nothing breaks the policy.
fn summary(findings: &[DiagnosticReport<'_>]) -> String {
    let counts: Vec<String> = ["error", "warning", "note"]
        .iter()
        .map(|severity| {
            let count = findings.iter().filter(|finding| finding.severity == *severity).count();
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

fn explain_element(
    context: &mut Context<'_>,
    element: &str,
    event: Option<&str>,
    format: Format,
) -> Result<Outcome, Failure> {
    let model = context.evaluation.model();
    let id = find_element(model, element)?;
    let only = event.map(happening).transpose()?;
    let derivation = context.evaluation.derivation(context.sources, id, only);
    match format {
        Format::Table => context.terminal.answer(&why::derivation(&derivation)),
        Format::Json => context.terminal.write(|out| json::value(&derivation, out)),
        Format::Markdown => context.terminal.answer(&page(markdown::why(&derivation))?),
    }
    Ok(Outcome::Clean)
}

/// Elements named at most where a short name fits several.
const MOST_CANDIDATES: usize = 5;

/// The element with this id, or the only one whose id ends in it after its group's name: "v1beta1 Widget".
fn find_element(model: &Model, name: &str) -> Result<ElementId, Failure> {
    if let Some(id) = model.find(name) {
        return Ok(id);
    }
    let ending = format!("/{name}");
    let fitting: Vec<(ElementId, &str)> = model
        .elements()
        .map(|(id, _)| (id, model.id(id)))
        .filter(|(_, id)| !name.is_empty() && id.ends_with(&ending))
        .take(MOST_CANDIDATES)
        .collect();
    match fitting.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let help =
                did_you_mean(name, model.ids()).unwrap_or_else(|| "`lifecycle plan` lists the elements".to_owned());
            Err(Failure::new(format!("there is no element `{name}`")).help(help))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|(_, id)| *id).collect();
            Err(Failure::new(format!("`{name}` may be one of several elements")).help(ids.join(", ")))
        }
    }
}

fn happening(name: &str) -> Result<Happening, Failure> {
    Happening::parse(name).ok_or_else(|| {
        let known = Happening::ALL.map(Happening::as_str);
        let help = did_you_mean(name, known).unwrap_or_else(|| format!("events: {}", known.join(", ")));
        Failure::new(format!("there is no event `{name}`")).help(help)
    })
}

/// The policy whose numbers `explain` goes by.
fn policy_for_numbers(name: &str) -> Result<Policy, Failure> {
    if let Some(policy) = builtin_policy(name) {
        return Ok(policy);
    }
    let files = files::read_policies(Some(name), None)?;
    let documents: Vec<Document<'_>> = Vec::new();
    let mut load = Load::new(&documents);
    for (at, file) in (0..).zip(&files) {
        load.add_policy(&file.reference, Document::parse(FileId(at), &file.text.text));
    }
    load.policy_named(name).map_err(|faults| {
        let first = faults.into_iter().next().unwrap_or_else(|| unknown_policy(name));
        let mut sources = Sources::new();
        for file in &files {
            sources.add(&file.text.name, &file.text.text);
        }
        let place = first.primary.as_ref().and_then(|label| sources.locate(label.span));
        let failure = match place {
            Some((file, at)) => Failure::new(format!("{file}:{}:{}: {}", at.line, at.column, first.message)),
            None => Failure::new(first.message),
        };
        match first.help {
            Some(help) => failure.help(help),
            None => failure,
        }
    })
}

fn explain(topic: Option<&str>, policy: Option<&str>, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let policy = policy_for_numbers(policy.unwrap_or(DEFAULT_POLICY))?;
    let Some(topic) = topic else {
        terminal.answer(&list_of_rules(&policy));
        return Ok(Outcome::Clean);
    };
    let rule = rules::find_in(&policy, topic).map(|rule| rule.page);
    let other = || PAGES.iter().find(|page| page.slug == topic).map(|page| page.page);
    let Some(page) = rule.or_else(other).or_else(|| stability::promise(topic)) else {
        let slugs = RULES
            .iter()
            .map(|rule| rule.slug)
            .chain(PAGES.iter().map(|page| page.slug));
        let help = did_you_mean(topic, slugs.chain(["alpha", "beta", "stable"]))
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
    for page in PAGES {
        let _ = writeln!(text, "        {:<22} {}", page.slug, page.title);
    }
    text.push_str("\nLevels: alpha, beta, stable\n");
    text
}

fn policies(name: Option<&str>, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    if let Some(name) = name {
        let Some(text) = builtin(name) else {
            let unknown = unknown_policy(name);
            return Err(Failure::new(unknown.message).help(unknown.help.unwrap_or_default()));
        };
        terminal.answer(text);
        return Ok(Outcome::Clean);
    }
    for policy in BUILT_IN.iter().filter_map(|policy| builtin_policy(policy.name)) {
        let default = if policy.name == DEFAULT_POLICY {
            "  (default)"
        } else {
            ""
        };
        let rules = policy.rules.len();
        terminal.answer(&format!(
            "{:<18} edition {}, {rules} rules{default}\n{:<18} {}\n",
            policy.name, policy.edition, "", policy.source
        ));
    }
    Ok(Outcome::Clean)
}
