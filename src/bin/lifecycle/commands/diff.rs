//! `lifecycle diff`: what a schema change breaks.

use std::path::{Path, PathBuf};

use lifecycle::Sources;
use lifecycle::baseline::Finder;
use lifecycle::compat::Texts;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{self, Evaluation, error_report, page_reports};
use lifecycle::policy::Law;
use lifecycle::render::{Detail, Listed};
use lifecycle::report::{ComparedReport, DiffSummary};

use crate::args::{Diff, Format, PolicyOptions, ReportArgs};
use crate::baseline::{BaselineFile, folder_beside};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::kustomized::NamedBy;
use crate::model_files::{LoadedModel, Side};
use crate::parallel::in_parallel;
use crate::policy_files;
use crate::report_output::{OutputFile, PIPED_WIDTH, ReportOutput, SchemaChanges};
use crate::schema_files::{EXTENSIONS, NAME_CONVERTED, NO_SCHEMA, SchemaFiles, refuse_errors};
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
    let (old, new) = read_states(arguments, disk, terminal)?;
    let (named, folder) = (arguments.baseline.as_deref(), new.folder.as_deref());
    let baseline_file = BaselineFile::find(Finder::Diff, named, folder, arguments.write_baseline, disk)?;
    let texts = old.files.texts().chain(new.files.texts()).chain(baseline_file.text());
    let inputs = texts.map(|text| text.name.as_str()).chain(arguments.model.as_deref());
    let outputs = OutputFile::parse_all(&arguments.report.output, inputs, disk)?;
    let mut sources = Sources::new();
    let baseline = match baseline_file.parse(&mut sources)? {
        Ok(baseline) => baseline,
        Err(errors) => return input_errors::report(&errors, &sources, errors_format, terminal),
    };
    let mut diff = compare(arguments, &law, [&old, &new], disk, terminal)?;
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
        disk,
    };
    let outcome = run.print(&diff, about, sources, terminal)?;
    std::mem::forget(diff);
    std::mem::forget((old, new));
    Ok(outcome)
}

/// Reads both states, with the webhooks that the command line names.
fn read_states(arguments: &Diff, disk: &Disk, terminal: &mut Terminal) -> Result<(State, State)> {
    if arguments.old == STANDARD_INPUT && arguments.new == STANDARD_INPUT {
        return Err(Failure::new("standard input cannot be both states").help("name a file or a folder for one"));
    }
    let repository = arguments.git.as_deref();
    let (old, new) = in_parallel(
        || State::read(&arguments.old, &arguments.new, repository, disk),
        || State::read(&arguments.new, &arguments.old, repository, disk),
    );
    let (mut old, mut new) = (old?, new?);
    for named in &arguments.webhook {
        let found = [&mut old, &mut new].map(|state| state.files.convert_by_webhook(named));
        if found == [false, false] {
            return Err(Failure::new(format!("no CRD is `{named}`")).help(NAME_CONVERTED));
        }
    }
    for state in [&old, &new] {
        state.warn(terminal)?;
    }
    refuse_unlike(&old, &new)?;
    Ok((old, new))
}

fn compare(
    arguments: &Diff,
    law: &Law,
    [old, new]: [&State; 2],
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<evaluate::Diff> {
    let newest = law.editions().last().map(|newest| &newest.policy);
    let policy = newest.ok_or_else(|| Failure::new("no policy sets severities").help("name one: --policy"))?;
    let model = arguments.model.as_deref();
    let model = model.map(|model| evaluate_model(model, disk, terminal)).transpose()?;
    let diff = evaluate::Diff::new(&old.files.state(), &new.files.state(), policy, model.as_ref());
    let mut diff = diff.map_err(|error| Failure::new(error.to_string()).help(error.help()))?;
    diff.take_levels(law);
    Ok(diff)
}

fn evaluate_model(model: &str, disk: &Disk, terminal: &mut Terminal) -> Result<Evaluation> {
    let tree = FileTree::Disk(disk.clone());
    let LoadedModel { files, evaluated } = LoadedModel::read(model, &tree, &PolicyOptions::default(), Side::Head)?;
    files.list(terminal);
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    evaluated.map_err(|errors| Failure::from_diagnostics(&errors, &sources))
}

fn refuse_unlike(old: &State, new: &State) -> Result<()> {
    if !old.files.is_unlike(&new.files) {
        return Ok(());
    }
    let (crds, documents) = if old.files.has_crds() { (old, new) } else { (new, old) };
    let (crds, documents) = (&crds.name, &documents.name);
    let message = format!("{crds} has CRDs, {documents} has OpenAPI documents");
    Err(Failure::new(message).help("name two states in the same format"))
}

struct Run<'r> {
    arguments: &'r Diff,
    law: &'r Law,
    old: &'r State,
    new: &'r State,
    /// The baseline file.
    baseline: Option<&'r str>,
    outputs: &'r [OutputFile],
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
            found.extend(self.findings(diff, changes.least(format), &mut sources)?);
        }
        let listed = diff.at_least(changes.least(format)).count();
        let mut findings = error_report(&found, &sources);
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
        terminal.note(&summary(diff.summary(), &known, hidden));
        let new = diff.judgements.iter().filter(|judgement| !judgement.is_known());
        severities.extend(new.map(|judgement| judgement.severity));
        Ok(Outcome::of_findings(
            severities.into_iter().any(|severity| fail_on.fails(severity)),
        ))
    }

    /// Changes as findings. The texts that they are in are added to the sources.
    fn findings(&self, diff: &evaluate::Diff, least: Severity, sources: &mut Sources<'r>) -> Result<Vec<Diagnostic>> {
        let mut texts = Texts::new();
        for state in [self.new, self.old] {
            state.files.refuse_more_than(usize::from(Sources::BASE.0))?;
        }
        let (new, old) = (&self.new.files, &self.old.files);
        new.add_to(&mut texts, |text| sources.add(&text.name, &text.content));
        old.add_to(&mut texts, |text| sources.add_base(&text.name, &text.content));
        Ok(diff.findings(least, &texts, self.law))
    }
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
        hidden => format!("; --all lists {hidden} more"),
    };
    format!("{breaking} breaking, {risky} risky, {compatible} compatible in {compared} {kinds}{known}{more}")
}

struct State {
    name: String,
    may_be_empty: bool,
    /// The folder on the disk.
    folder: Option<PathBuf>,
    files: SchemaFiles,
}

impl State {
    fn read(named: &str, other: &str, repository: Option<&Path>, disk: &Disk) -> Result<Self> {
        let path = TreePath::compared_with(named, other, repository, disk)?;
        let is_on_disk = matches!(path.tree, FileTree::Disk(_));
        Ok(Self {
            name: path.label(),
            may_be_empty: path.is_inferred,
            folder: folder_beside(&path.path).filter(|_| is_on_disk),
            files: SchemaFiles::read(&path.tree, path.files(&EXTENSIONS)?, NamedBy::User)?,
        })
    }

    /// The file that a finding without a location is shown at.
    fn main_file(&self) -> &str {
        let first = self.files.texts().next();
        first.map_or(self.name.as_str(), |text| text.name.as_str())
    }

    /// Prints what was skipped, and refuses files that cannot be read.
    fn warn(&self, terminal: &mut Terminal) -> Result<()> {
        let errors = self.files.errors.iter();
        refuse_errors(errors.map(|(text, error)| error.within(&text.name)).collect())?;
        self.files.warn(terminal);
        if !self.files.is_empty() {
            return Ok(());
        }
        if self.may_be_empty {
            terminal.warn(&format!(
                "warning: {}: {NO_SCHEMA}; if the files moved, name the old path too (`REVISION:PATH`), or a folder \
                 above both",
                self.name
            ));
            return Ok(());
        }
        Err(Failure::new(format!("{}: {NO_SCHEMA}", self.name)).help("name a file or a folder that has schemas"))
    }
}
