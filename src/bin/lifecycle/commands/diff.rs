//! `lifecycle diff`: what a schema change breaks.

use lifecycle::Sources;
use lifecycle::compat::Texts;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{self, Evaluation, error_report, page_reports};
use lifecycle::policy::Law;
use lifecycle::render::{Detail, Listed};
use lifecycle::report::{ComparedReport, DiffSummary};

use crate::args::{Diff, PolicyOptions, ReportArgs};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::kustomized::NamedBy;
use crate::model_files::{LoadedModel, Side};
use crate::parallel::in_parallel;
use crate::policy_files::law_named;
use crate::report_output::{OutputFile, ReportOutput, SchemaChanges};
use crate::schema_files::{EXTENSIONS, NAME_CONVERTED, NO_SCHEMA, SchemaFiles, refuse_errors};
use crate::terminal::Terminal;

pub fn diff(arguments: &Diff, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let law = law_named(arguments.policy.as_deref(), disk)?;
    if arguments.old == STANDARD_INPUT && arguments.new == STANDARD_INPUT {
        return Err(Failure::new("standard input cannot be both states").help("name a file or a folder for one"));
    }
    let (old, new) = in_parallel(
        || State::read(&arguments.old, &arguments.new, disk),
        || State::read(&arguments.new, &arguments.old, disk),
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
    let inputs = old.files.texts().chain(new.files.texts());
    let inputs = inputs.map(|text| text.name.as_str()).chain(arguments.model.as_deref());
    let outputs = OutputFile::parse_all(&arguments.report.output, inputs, disk)?;
    let (before, after) = (old.files.state(), new.files.state());
    let newest = law.editions().last().map(|newest| &newest.policy);
    let policy = newest.ok_or_else(|| Failure::new("no policy sets severities").help("name one: --policy"))?;
    let model = arguments.model.as_deref();
    let model = model.map(|model| evaluate_model(model, disk, terminal)).transpose()?;
    let diff = evaluate::Diff::new(&before, &after, policy, model.as_ref());
    let diff = diff.map_err(|error| Failure::new(error.to_string()).help(error.help()))?;
    let run = Run {
        arguments,
        law: &law,
        old: &old,
        new: &new,
        outputs: &outputs,
        disk,
    };
    let outcome = run.print(&diff, terminal)?;
    std::mem::forget(diff);
    drop((before, after));
    std::mem::forget((old, new));
    Ok(outcome)
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
    outputs: &'r [OutputFile],
    disk: &'r Disk,
}

impl Run<'_> {
    fn print(&self, diff: &evaluate::Diff, terminal: &mut Terminal) -> Result<Outcome> {
        let ReportArgs { format, fail_on, .. } = self.arguments.report;
        let changes = SchemaChanges {
            diff,
            all: self.arguments.all,
            detail: self.arguments.detail(),
            fail_on,
        };
        let mut sources = Sources::new();
        let mut found = Vec::new();
        let mut formats = self.outputs.iter().map(|output| output.format).chain([format]);
        if let Some(format) = formats.find(|format| format.write.changes.is_none()) {
            found = self.findings(diff, changes.least(format), &mut sources)?;
        }
        let mut findings = error_report(&found, &sources);
        findings.compared = Some(ComparedReport::with_base(self.old.name.clone()));
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
            width: None,
            main_file: self.new.main_file(),
            listed: Listed::ALL,
        };
        output.emit(terminal)?;
        let hidden = diff.judgements.len() - diff.at_least(changes.least(format)).count();
        terminal.note(&summary(diff.summary(), hidden));
        let mut severities = diff.judgements.iter().map(|judgement| judgement.severity);
        Ok(Outcome::of_findings(severities.any(|severity| fail_on.fails(severity))))
    }

    /// Changes as findings. The texts that they are in are added to the sources.
    fn findings<'s>(
        &'s self,
        diff: &evaluate::Diff,
        least: Severity,
        sources: &mut Sources<'s>,
    ) -> Result<Vec<Diagnostic>> {
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

/// "1 breaking, 0 risky, 2 compatible in 1 kind; --all lists 2 more".
fn summary(summary: DiffSummary, hidden: usize) -> String {
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
    format!("{breaking} breaking, {risky} risky, {compatible} compatible in {compared} {kinds}{more}")
}

struct State {
    name: String,
    may_be_empty: bool,
    files: SchemaFiles,
}

impl State {
    fn read(named: &str, other: &str, disk: &Disk) -> Result<Self> {
        let path = TreePath::compared_with(named, other, disk)?;
        Ok(Self {
            name: path.label(),
            may_be_empty: path.is_inferred,
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
