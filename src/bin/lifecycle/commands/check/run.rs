//! One run of `check`: how it reports.

use lifecycle::Sources;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, error_report, fold, page_reports};
use lifecycle::render::statistics::statistics;
use lifecycle::render::{Detail, Listed};
use lifecycle::report::{PageReport, Report};

use crate::args::Check;
use crate::failure::{Outcome, Result};
use crate::input_errors;
use crate::io::disk::Disk;
use crate::model_files::ModelFiles;
use crate::report_output::{OutputFile, ReportOutput};
use crate::summary::known;
use crate::terminal::Terminal;

#[derive(Clone, Copy)]
pub struct Run<'r> {
    pub arguments: &'r Check,
    /// The model's main file.
    pub name: &'r str,
    pub files: &'r ModelFiles,
    pub outputs: &'r [OutputFile],
    pub disk: &'r Disk,
}

impl Run<'_> {
    pub fn abort(self, errors: &[Diagnostic], sources: &Sources<'_>, terminal: &mut Terminal) -> Result<Outcome> {
        let report = error_report(errors, sources);
        let pages = page_reports(None);
        let output = self.output(&report, sources, &pages, Listed::ALL);
        if self.arguments.report.is_for_terminal() {
            output.write_files(terminal)?;
            input_errors::show(&report, sources, terminal);
        } else {
            output.emit(terminal)?;
        }
        Ok(input_errors::abort(&report, terminal))
    }

    pub fn output<'e>(
        &'e self,
        report: &'e Report<'e>,
        sources: &'e Sources<'e>,
        pages: &'e [PageReport<'e>],
        listed: Listed,
    ) -> ReportOutput<'e> {
        ReportOutput {
            report,
            changes: None,
            sources,
            pages,
            format: self.arguments.report.format,
            outputs: self.outputs,
            disk: self.disk,
            fail_on: self.arguments.report.fail_on,
            detail: Detail::Expanded,
            width: None,
            main_file: self.name,
            listed,
        }
    }

    /// Reports the findings, how many are new, and how many can be fixed.
    pub fn print(
        self,
        report: &mut Report<'_>,
        sources: &Sources<'_>,
        evaluation: &Evaluation,
        terminal: &mut Terminal,
    ) -> Result<Outcome> {
        if !self.arguments.all {
            report.leave_out_known();
            fold(report);
        }
        let pages = page_reports(Some(evaluation.law()));
        let listed = Listed {
            notes: terminal.is_verbose(),
            // What a change does to them is not history.
            shipped: self.arguments.all || self.arguments.base.is_some(),
            has_folder: !evaluation.model().is_read_only(),
        };
        let output = self.output(report, sources, &pages, listed);
        if self.arguments.statistics {
            output.write_files(terminal)?;
            let counts = statistics(report, terminal.style());
            terminal.answer(&counts);
        } else {
            output.emit(terminal)?;
        }
        let new = report.diagnostics.iter().filter(|finding| finding.known.is_none());
        let shipped = new.clone().filter(|finding| finding.shipped.is_some()).count();
        let summary = match (new.clone().next(), shipped) {
            (None, _) if report.compared.is_some() => "no new policy violations".to_owned(),
            // A single one is shown as any other.
            (_, 0 | 1) => output.summary(new),
            (_, shipped) => format!("{}; {shipped} about releases that have shipped", output.summary(new)),
        };
        let known = known(report.compared.as_ref(), self.arguments.all);
        terminal.note(&format!("{summary}{known}"));
        let fix = evaluation.model().command_line("fix");
        let fixable = report.diagnostics.iter().filter(|finding| !finding.fix.is_empty());
        match fixable.count() {
            0 => {}
            _ if evaluation.model().is_read_only() => {}
            all if all == report.diagnostics.len() => terminal.note(&format!(
                "`{fix}` tries to fix {}",
                if all == 1 { "it" } else { "them" }
            )),
            some => terminal.note(&format!("`{fix}` tries to fix {some} of them")),
        }
        Ok(output.outcome())
    }
}
