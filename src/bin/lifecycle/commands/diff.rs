//! `lifecycle diff`: what a schema change breaks.

use lifecycle::Sources;
use lifecycle::baseline::Finder;
use lifecycle::compat::{PointedWords, Texts};
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{self, Evaluation, error_report, page_reports};
use lifecycle::policy::Law;
use lifecycle::render::{Detail, Listed};
use lifecycle::report::{ComparedReport, DiffSummary};
use lifecycle::schema::Verdict;

use crate::args::{Diff, FailOn, Format, PolicyOptions, ReportArgs};
use crate::baseline::BaselineFile;
use crate::compared_schemas::{ComparedSchemas, SchemaState};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{LoadedModel, Side};
use crate::policy_files;
use crate::report_output::{OutputFile, PIPED_WIDTH, ReportOutput, SchemaChanges};
use crate::summary::known;
use crate::terminal::Terminal;

pub fn diff(arguments: &Diff, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let options = arguments.policy_options();
    let errors_format = Format::of_errors(arguments.report.format.name);
    let policies = policy_files::read_chosen(options.policy.as_deref(), disk)?;
    let mut policy_sources = Sources::new();
    let law = match policy_files::law_without_model(&policies, &options, &mut policy_sources) {
        Ok(law) => law,
        Err(errors) => return input_errors::report(&errors, &policy_sources, errors_format, terminal),
    };
    let ComparedSchemas { old, new, mut diff } = compare(arguments, &law, disk, terminal)?;
    let (named, folder) = (arguments.baseline.as_deref(), new.folder.as_deref());
    let baseline_file = BaselineFile::find(Finder::Diff, named, folder, arguments.write_baseline, disk)?;
    let schemas = old.schema_files().chain(new.schema_files());
    let baseline_name = baseline_file.text().map(|text| text.name.as_str());
    let inputs = schemas.chain(baseline_name).chain(arguments.model.as_deref());
    let outputs = OutputFile::parse_all(&arguments.report.output, inputs, disk)?;
    let words = words(arguments, &outputs, &diff, [&new, &old])?;
    let mut sources = Sources::new();
    let baseline = match baseline_file.parse(&mut sources)? {
        Ok(baseline) => baseline,
        Err(errors) => return input_errors::report(&errors, &sources, errors_format, terminal),
    };
    if arguments.write_baseline {
        let findings = diff.findings(Severity::Off, &Texts::new(), &law);
        baseline_file.write(&findings, arguments.report.fail_on, &new.name, terminal)?;
        return Ok(Outcome::Clean);
    }
    let suppressions = baseline_file.suppressions(baseline.as_ref(), None);
    let about = suppressions.map_or_else(Vec::new, |suppressions| diff.suppress(&law, suppressions));
    let run = Run {
        arguments,
        law: &law,
        old: &old,
        new: &new,
        baseline: suppressions.map(|suppressions| suppressions.file),
        outputs: &outputs,
        words: &words,
        disk,
    };
    let outcome = run.print(&diff, about, sources, terminal)?;
    std::mem::forget(diff);
    Ok(outcome)
}

/// Reads and compares both states.
fn compare(arguments: &Diff, law: &Law, disk: &Disk, terminal: &mut Terminal) -> Result<ComparedSchemas> {
    if arguments.old == STANDARD_INPUT && arguments.new == STANDARD_INPUT {
        return Err(Failure::new("standard input cannot be both states").help("name a file or a folder for one"));
    }
    if let Some(path) = &arguments.path {
        let states = [&arguments.old, &arguments.new].map(|state| format!("{state}:{path}"));
        let message = format!("a third argument, `{path}`: each state has its own path");
        return Err(Failure::new(message).help(format!("lifecycle diff {}", states.join(" "))));
    }
    let newest = law.editions().last().map(|newest| &newest.policy);
    let policy = newest.ok_or_else(|| Failure::new("no policy sets severities").help("name one: --policy"))?;
    let repository = arguments.git.as_deref();
    let states = [
        SchemaState::list(&arguments.old, &arguments.new, repository, disk)?,
        SchemaState::list(&arguments.new, &arguments.old, repository, disk)?,
    ];
    let model = arguments.model.as_deref();
    let model = model.map(|model| evaluate_model(model, disk, terminal)).transpose()?;
    let mut compared = ComparedSchemas::new(states, &arguments.webhook, policy, model.as_ref(), terminal)?;
    if let Some(model) = &model {
        compared.diff.take_levels(model.law());
    }
    // What is typed takes precedence.
    compared.diff.take_levels(law);
    Ok(compared)
}

/// The words at which findings point, by file, of the new and the old state.
type Words = [Vec<(String, PointedWords)>; 2];

/// Reads files again, as no text is held while schemas are compared.
fn words(arguments: &Diff, outputs: &[OutputFile], diff: &evaluate::Diff, states: [&SchemaState; 2]) -> Result<Words> {
    let mut formats = outputs
        .iter()
        .map(|output| output.format)
        .chain([arguments.report.format]);
    if formats.all(|format| format.write.changes.is_some()) || arguments.write_baseline {
        return Ok([Vec::new(), Vec::new()]);
    }
    let places = diff.places();
    let [new, old] = states.map(|state| state.words(&places));
    let words = [new?, old?];
    if words.iter().any(|files| files.len() > usize::from(Sources::BASE.0)) {
        let message = format!("findings in more than {} files", Sources::BASE.0);
        return Err(Failure::new(message).help("compare fewer folders at a time"));
    }
    Ok(words)
}

fn evaluate_model(model: &str, disk: &Disk, terminal: &mut Terminal) -> Result<Evaluation> {
    let tree = FileTree::Disk(disk.clone());
    let LoadedModel { files, evaluated } = LoadedModel::read(model, &tree, &PolicyOptions::default(), Side::Head)?;
    files.list(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    evaluated.map_err(|errors| Failure::from_diagnostics(&errors, &sources))
}

struct Run<'r> {
    arguments: &'r Diff,
    law: &'r Law,
    old: &'r SchemaState,
    new: &'r SchemaState,
    /// The baseline file.
    baseline: Option<&'r str>,
    outputs: &'r [OutputFile],
    words: &'r Words,
    disk: &'r Disk,
}

impl<'r> Run<'r> {
    /// Prints the changes, and the findings about the baseline.
    fn print(
        &self,
        diff: &evaluate::Diff,
        about: Vec<Diagnostic>,
        mut sources: Sources<'r>,
        terminal: &mut Terminal,
    ) -> Result<Outcome> {
        let ReportArgs { format, fail_on, .. } = self.arguments.report;
        let changes = SchemaChanges {
            diff,
            all: self.arguments.all,
            detail: self.arguments.detail(),
            fail_on,
        };
        if format.write.changes.is_some() {
            input_errors::show(&error_report(&about, &sources), &sources, terminal);
        }
        let mut severities: Vec<Severity> = about.iter().map(|finding| finding.severity).collect();
        let mut found = about;
        let mut formats = self.outputs.iter().map(|output| output.format).chain([format]);
        if let Some(format) = formats.find(|format| format.write.changes.is_none()) {
            found.extend(self.findings(diff, changes.least(format), &mut sources));
        }
        let listed = diff.at_least(changes.least(format)).count();
        let mut findings = error_report(&found, &sources);
        drop(found);
        let mut compared = ComparedReport::with_base(self.old.name.clone());
        compared.baseline = self.baseline.map(str::to_owned);
        compared.suppressed = diff.summary().suppressed;
        let known = known(Some(&compared), true);
        findings.compared = Some(compared);
        let output = ReportOutput {
            report: &findings,
            changes: Some(changes),
            sources: &sources,
            pages: &page_reports(Some(self.law)),
            format,
            outputs: self.outputs,
            disk: self.disk,
            fail_on,
            detail: Detail::Expanded,
            width: changes.detail.folds(listed).then_some(PIPED_WIDTH),
            main_file: self.new.main_file(),
            listed: Listed::ALL,
        };
        output.emit(terminal)?;
        let hidden = diff.judgements.len() - listed;
        let new = diff.judgements.iter().filter(|judgement| !judgement.is_known());
        let breaks = new.clone().any(|judgement| judgement.verdict() == Verdict::Breaking);
        severities.extend(new.map(|judgement| judgement.severity));
        let worst = severities.iter().max().filter(|_| breaks);
        let allowed = worst.map_or_else(String::new, |worst| allowed(*worst, fail_on));
        terminal.note(&(summary(diff.summary(), &known, hidden) + &allowed));
        Ok(Outcome::of_findings(
            severities.into_iter().any(|severity| fail_on.fails(severity)),
        ))
    }

    /// Changes as findings. The files that they are in are added to the sources.
    fn findings(&self, diff: &evaluate::Diff, least: Severity, sources: &mut Sources<'r>) -> Vec<Diagnostic> {
        let mut texts = Texts::new();
        let [new, old] = self.words;
        for (name, words) in new {
            texts.add_words(name, sources.add_without_text(name, words.locations().clone()), words);
        }
        for (name, words) in old {
            texts.add_words(
                name,
                sources.add_base_without_text(name, words.locations().clone()),
                words,
            );
        }
        diff.findings(least, &texts, self.law)
    }
}

/// Why breaking changes do not fail the run: the policy allows them, in alpha versions for example.
fn allowed(worst: Severity, fail_on: FailOn) -> String {
    if worst == Severity::Off || fail_on == FailOn::Never || fail_on.fails(worst) {
        return String::new();
    }
    let least = if fail_on == FailOn::Error {
        "an error"
    } else {
        "a warning"
    };
    format!("; none is {least}, so that the run passes (--fail-on {worst} fails it)")
}

/// "1 breaking, 0 risky, 2 compatible in 1 kind; 1 suppressed by lifecycle-diff-baseline.toml; --all lists 3 more".
fn summary(summary: DiffSummary, known: &str, hidden: usize) -> String {
    let DiffSummary {
        compared,
        breaking,
        risky,
        compatible,
        ..
    } = summary;
    let kinds = if compared == 1 { "kind" } else { "kinds" };
    let more = match hidden {
        0 => String::new(),
        hidden if hidden == compatible => "; --all lists them".to_owned(),
        hidden => format!("; --all lists {hidden} more"),
    };
    format!("{breaking} breaking, {risky} risky, {compatible} compatible in {compared} {kinds}{known}{more}")
}
