//! `lifecycle scan`: which objects use what is deprecated or removed.

mod base;
mod kustomization;
mod manifests;
pub(super) mod models;
mod rewritten;

use std::fmt::Write as _;

use lifecycle::Sources;
use lifecycle::baseline::{Baseline, Finder};
use lifecycle::evaluate::{Scan, page_reports};
use lifecycle::policy::Law;
use lifecycle::render::statistics::statistics;
use lifecycle::render::{Detail, Listed};
use lifecycle::report::Report;

use crate::args;
use crate::args::Format;
use crate::base_files::BaseFiles;
use crate::baseline::{BaselineFile, folder_beside};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::disk::Disk;
use crate::report_output::{OutputFile, PIPED_WIDTH, ReportOutput};
use crate::schema_files::refuse_errors;
use crate::summary::{counted, known};
use crate::terminal::Terminal;
use manifests::Manifests;
use models::{Evaluated, Models};

/// The most groups that a line names.
const MOST_GROUPS: usize = 5;

pub fn scan(arguments: &args::Scan, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let evaluated = Evaluated {
        options: &arguments.policy_options(),
        format: Format::of_errors(arguments.report.format.name),
    };
    let models = match Models::read(&arguments.models, evaluated, disk, terminal)? {
        Ok(models) => models,
        Err(outcome) => return Ok(outcome),
    };
    let mut scan = models.scan(arguments, disk, terminal)?;
    let folder = arguments.paths.first().and_then(|first| folder_beside(first));
    let (named, is_written) = (arguments.baseline.as_deref(), arguments.write_baseline);
    let baseline_file = BaselineFile::find(Finder::Scan, named, folder.as_deref(), is_written, disk)?;
    let manifests = Manifests::read(&arguments.paths, &mut scan, disk, terminal)?;
    let inputs = manifests.names().chain(models.names());
    let inputs = inputs.chain(baseline_file.text().map(|text| text.name.as_str()));
    let outputs = OutputFile::parse_all(&arguments.report.output, inputs, disk)?;
    if scan.objects == 0 && manifests.errors.is_empty() {
        return Err(Failure::new("no objects found").help("name files or folders that have manifests, in YAML or JSON"));
    }
    let mut sources = Sources::new();
    manifests.add_to(&mut sources);
    let baseline = match baseline_file.parse(&mut sources)? {
        Ok(baseline) => baseline,
        Err(errors) => {
            let format = Format::of_errors(arguments.report.format.name);
            return input_errors::report(&errors, &sources, format, terminal);
        }
    };
    if is_written {
        refuse_errors(manifests.errors)?;
        baseline_file.write(scan.findings(), arguments.report.fail_on, "standard input", terminal)?;
        return Ok(Outcome::Clean);
    }
    let of_base = compare((arguments, &models), &mut scan, &baseline_file, disk, terminal)?;
    if let Some(suppressions) = baseline_file.suppressions(baseline.as_ref(), of_base.as_ref()) {
        scan.suppress(models.law(), suppressions);
    }
    if arguments.fix {
        rewritten::fix(&manifests, &mut scan, disk, terminal)?;
    }
    let run = Run {
        arguments,
        law: models.law(),
        sources: &sources,
        outputs: &outputs,
        disk,
    };
    let report = scan.report(&sources, arguments.all);
    let outcome = run.print(&report, &scan, terminal)?;
    refuse_errors(manifests.errors)?;
    Ok(outcome)
}

/// Compares the findings with those of the base, if one is named. Returns its baseline.
fn compare(
    (arguments, models): (&args::Scan, &Models),
    scan: &mut Scan,
    baseline: &BaselineFile,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<Option<Baseline>> {
    let Some(named) = &arguments.base else { return Ok(None) };
    let base = BaseFiles::read(named, &arguments.paths, disk, base::on_disk, terminal)?;
    let before = models.scan(arguments, disk, terminal)?;
    base::compare((named, &base), scan, before, baseline, terminal)
}

struct Run<'r> {
    arguments: &'r args::Scan,
    law: &'r Law,
    sources: &'r Sources<'r>,
    outputs: &'r [OutputFile],
    disk: &'r Disk,
}

impl Run<'_> {
    fn print(&self, report: &Report<'_>, scan: &Scan, terminal: &mut Terminal) -> Result<Outcome> {
        let pages = page_reports(Some(self.law));
        let output = ReportOutput {
            report,
            changes: None,
            sources: self.sources,
            pages: &pages,
            format: self.arguments.report.format,
            outputs: self.outputs,
            disk: self.disk,
            fail_on: self.arguments.report.fail_on,
            detail: Detail::Expanded,
            width: Some(PIPED_WIDTH),
            main_file: self.arguments.paths.first().map_or(".", String::as_str),
            listed: Listed {
                notes: terminal.is_verbose(),
                ..Listed::ALL
            },
        };
        if self.arguments.summary {
            output.write_files(terminal)?;
            let counts = statistics(report, terminal.style());
            terminal.answer(&counts);
        } else {
            output.emit(terminal)?;
        }
        say_coverage(scan, terminal);
        terminal.note(&self.summary(&output, scan));
        let (fixable, all) = (scan.fixable(), report.diagnostics.len());
        match fixable {
            0 => {}
            fixable if fixable == all => terminal.note("`--fix` rewrites these versions"),
            fixable => terminal.note(&format!("`--fix` rewrites {fixable} of them")),
        }
        Ok(output.outcome())
    }

    /// "1 error in 20 objects; 2 uses that 1.33 has already are left out".
    fn summary(&self, output: &ReportOutput<'_>, scan: &Scan) -> String {
        let mut summary = output.summary_of_new();
        let _ = write!(summary, " in {}", counted(scan.objects, "object"));
        if scan.earlier > 0 {
            let uses = counted(scan.earlier, "use");
            let _ = write!(
                summary,
                "; {uses} of what --from has deprecated or removed already left out"
            );
        }
        if scan.ignored > 0 {
            let _ = write!(summary, "; {} ignored by comments", scan.ignored);
        }
        summary.push_str(&known(output.report.compared.as_ref(), self.arguments.all));
        summary
    }
}

/// Which releases and groups are known, and how many objects are of others.
fn say_coverage(scan: &Scan, terminal: &mut Terminal) {
    for coverage in scan.coverage() {
        let (to, date) = &coverage.to;
        let date = date
            .as_ref()
            .map_or_else(String::new, |date| format!(" (not shipped; {date})"));
        terminal.note(&format!("{coverage}; scanned for {to}{date}"));
        terminal.detail(&format!("groups: {}", coverage.groups.join(", ")));
    }
    let unknown: usize = scan.unknown.values().sum();
    if unknown > 0 {
        let names: Vec<&str> = scan.unknown.keys().map(String::as_str).collect();
        let all = terminal.is_verbose() || names.len() <= MOST_GROUPS;
        let shown = if all { names.len() } else { MOST_GROUPS };
        let more = match names.len() - shown {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = names[..shown].join(", ");
        let (objects, all) = (counted(unknown, "object"), scan.objects);
        terminal.note(&format!(
            "not judged: {objects} of {all}, which no model knows: {names}{more}"
        ));
    }
}
