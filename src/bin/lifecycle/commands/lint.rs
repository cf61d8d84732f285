//! `lifecycle lint`: pitfalls in CRDs, and which of them are new.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use lifecycle::Sources;
use lifecycle::baseline::Finder;
use lifecycle::evaluate::{Linted, page_reports};
use lifecycle::policy::Law;
use lifecycle::render::Listed;
use lifecycle::schema::{Source, Unrendered, may_have_crds};
use lifecycle::text::LARGEST;

use crate::args::{Format, Lint};
use crate::base_files::{BaseFiles, warn_unreadable};
use crate::baseline::{BaselineFile, folder_beside};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::disk::{self, Disk, FileText, STANDARD_INPUT};
use crate::policy_files;
use crate::report_output::{OutputFile, PIPED_WIDTH, ReportOutput};
use crate::schema_files::{EXTENSIONS, refuse_errors, warn_unrendered};
use crate::summary::{counted, known};
use crate::terminal::Terminal;

/// What the files are searched for.
const KIND: &str = "CustomResourceDefinition";

pub fn lint(arguments: &Lint, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let options = arguments.policy_options();
    let errors_format = Format::of_errors(arguments.report.format.name);
    let policies = policy_files::read_chosen(options.policy.as_deref(), disk)?;
    let mut policy_sources = Sources::new();
    let law = match policy_files::law_without_model(&policies, &options, &mut policy_sources) {
        Ok(law) => law,
        Err(errors) => return input_errors::report(&errors, &policy_sources, errors_format, terminal),
    };
    let texts = read(&arguments.paths, disk, terminal)?;
    let base = arguments.base.as_deref();
    let base = base
        .map(|base| read_base(base, arguments, disk, terminal))
        .transpose()?;
    let folder = arguments.paths.first().and_then(|first| folder_beside(first));
    let named = arguments.baseline.as_deref();
    let is_written = arguments.write_baseline;
    let baseline_file = BaselineFile::find(Finder::Lint, named, folder.as_deref(), is_written, disk)?;
    let before = base.iter().flat_map(|base| &base.texts);
    let inputs = texts.iter().chain(before).chain(baseline_file.text());
    let outputs = OutputFile::parse_all(&arguments.report.output, inputs.map(|text| text.name.as_str()), disk)?;
    let mut sources = Sources::new();
    let (mut linted, errors) = lint_texts(arguments, &law, &texts, &mut sources, terminal);
    for version in &linted.deprecated {
        terminal.detail(&format!("no advice on {version}: it is deprecated"));
    }
    let mut of_base = None;
    if let (Some(named), Some(base)) = (&arguments.base, &base) {
        let before = lint_base(arguments, named, &law, &base.texts, terminal);
        linted.compare_with(named, &before);
        if before.definitions > 0 {
            of_base = baseline_file.of_base(&base.tree, &base.folder, terminal)?;
        }
    }
    if linted.definitions == 0 && errors.is_empty() {
        return Err(Failure::new(format!("no {KIND} found")).help("name files or folders that have some"));
    }
    let baseline = match baseline_file.parse(&mut sources)? {
        Ok(baseline) => baseline,
        Err(errors) => return input_errors::report(&errors, &sources, errors_format, terminal),
    };
    if arguments.write_baseline {
        refuse_errors(errors)?;
        baseline_file.write(linted.findings(), arguments.report.fail_on, "standard input", terminal)?;
        return Ok(Outcome::Clean);
    }
    if let Some(suppressions) = baseline_file.suppressions(baseline.as_ref(), of_base.as_ref()) {
        linted.suppress(&law, suppressions);
    }
    let run = Run {
        arguments,
        law: &law,
        sources: &sources,
        outputs: &outputs,
        disk,
    };
    let outcome = run.print(&linted, terminal)?;
    refuse_errors(errors)?;
    Ok(outcome)
}

/// Reads the files that may have CRDs, each once.
fn read(paths: &[String], disk: &Disk, terminal: &mut Terminal) -> Result<Vec<FileText>> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for path in paths {
        let list = disk.list(path, &EXTENSIONS)?;
        let of_folder = disk::is_folder(path);
        let before = texts.len();
        terminal.warn_some("warning: skipped ", &list.skipped);
        for name in list.files {
            if name != STANDARD_INPUT && Path::new(&name).canonicalize().is_ok_and(|real| !seen.insert(real)) {
                continue;
            }
            let text = disk.read_at_most(&name, LARGEST)?;
            if may_have_crds(&text.content) {
                texts.push(text);
            } else if !of_folder {
                let help = "name a file that has some, or a folder";
                return Err(Failure::new(format!("{name}: no {KIND}")).help(help));
            }
        }
        if before == texts.len() && of_folder && paths.len() > 1 {
            terminal.warn(&format!("warning: {path}: no {KIND}"));
        }
    }
    if texts.len() > usize::from(Sources::BASE.0) {
        let help = "check fewer folders at a time";
        return Err(Failure::new(format!("more than {} files", Sources::BASE.0)).help(help));
    }
    Ok(texts)
}

/// The files of the base that may have CRDs.
fn read_base(named: &str, arguments: &Lint, disk: &Disk, terminal: &mut Terminal) -> Result<BaseFiles> {
    let mut base = BaseFiles::read(named, &arguments.paths, disk, read, terminal)?;
    base.texts.retain(|text| may_have_crds(&text.content));
    Ok(base)
}

/// Checks texts. Returns the errors of those that cannot be read too.
fn lint_texts<'t>(
    arguments: &Lint,
    law: &Law,
    texts: &'t [FileText],
    sources: &mut Sources<'t>,
    terminal: &mut Terminal,
) -> (Linted, Vec<String>) {
    let mut linted = Linted::new(arguments.conventions);
    let mut errors = Vec::new();
    let mut skipped = Vec::new();
    for text in texts {
        let file = sources.add(&text.name, &text.content);
        match linted.add(law, file, &text.content) {
            Ok(unrendered) => skipped.extend(unrendered.into_iter().map(|document| (text.name.as_str(), document))),
            Err(error) => errors.push(error.within(&text.name)),
        }
    }
    warn_skipped(&skipped, terminal);
    (linted, errors)
}

/// Prints which documents were skipped: on one line for those of a sort.
fn warn_skipped(skipped: &[(&str, Unrendered)], terminal: &mut Terminal) {
    for (sort, many) in [
        (
            Source::Patch,
            "parts of CRDs without group and names, which Kustomize merges into others",
        ),
        (Source::Template, "Helm templates; render them first (`helm template`)"),
    ] {
        let of_sort: Vec<_> = skipped.iter().filter(|(_, document)| document.sort == sort).collect();
        if let [(name, document)] = of_sort.as_slice() {
            warn_unrendered(name, &[*document], terminal);
        } else if !of_sort.is_empty() {
            terminal.warn(&format!("warning: skipped {} {many}", of_sort.len()));
            for (name, document) in of_sort {
                terminal.detail(&format!("skipped {name}:{}", document.line));
            }
        }
    }
}

/// Checks the texts of the base. Those that cannot be read are reported as warnings.
fn lint_base(arguments: &Lint, named: &str, law: &Law, texts: &[FileText], terminal: &mut Terminal) -> Linted {
    let mut linted = Linted::new(arguments.conventions);
    let mut errors = Vec::new();
    for text in texts {
        if let Err(error) = linted.add(law, Sources::BASE, &text.content) {
            errors.push(error.within(&text.name));
        }
    }
    if linted.definitions == 0 {
        terminal.warn(&format!(
            "warning: {named} has no {KIND} there: every finding counts as new"
        ));
    }
    for error in errors {
        warn_unreadable(&error, terminal);
    }
    linted
}

struct Run<'r> {
    arguments: &'r Lint,
    law: &'r Law,
    sources: &'r Sources<'r>,
    outputs: &'r [OutputFile],
    disk: &'r Disk,
}

impl Run<'_> {
    fn print(&self, linted: &Linted, terminal: &mut Terminal) -> Result<Outcome> {
        let report = linted.report(self.sources, self.arguments.all);
        let pages = page_reports(Some(self.law));
        let output = ReportOutput {
            report: &report,
            changes: None,
            sources: self.sources,
            pages: &pages,
            format: self.arguments.report.format,
            outputs: self.outputs,
            disk: self.disk,
            fail_on: self.arguments.report.fail_on,
            detail: self.arguments.detail(),
            width: Some(PIPED_WIDTH),
            main_file: self.arguments.paths.first().map_or(".", String::as_str),
            listed: Listed {
                notes: terminal.is_verbose() || self.arguments.conventions || self.arguments.expand,
                ..Listed::ALL
            },
        };
        output.emit(terminal)?;
        // If nothing could be read, the errors are the answer.
        if linted.definitions > 0 {
            terminal.note(&self.summary(&output, linted));
        }
        Ok(output.outcome())
    }

    /// "1 error in 2 CRDs; no advice on 1 deprecated version; 3 known in main; --all lists them".
    fn summary(&self, output: &ReportOutput<'_>, linted: &Linted) -> String {
        let mut summary = output.summary_of_new();
        let _ = write!(summary, " in {}", counted(linted.definitions, "CRD"));
        if !linted.deprecated.is_empty() {
            let versions = counted(linted.deprecated.len(), "deprecated version");
            let _ = write!(summary, "; no advice on {versions}");
        }
        summary.push_str(&known(output.report.compared.as_ref(), self.arguments.all));
        summary
    }
}
