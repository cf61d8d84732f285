//! One run of `check`: how it reports.

use lifecycle::Sources;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, error_report, page_reports};
use lifecycle::render::Detail;
use lifecycle::report::{PageReport, Report};

use crate::args::Check;
use crate::failure::{Outcome, Result};
use crate::input_errors;
use crate::io::disk::Disk;
use crate::model_files::ModelFiles;
use crate::report_output::{OutputFile, ReportOutput};
use crate::summary::{by_severity, known};
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
        let output = self.output(&report, sources, &pages);
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
        }
        let pages = page_reports(Some(evaluation.law()));
        let output = self.output(report, sources, &pages);
        output.emit(terminal)?;
        let new = report.diagnostics.iter().filter(|finding| finding.known.is_none());
        let summary = match new.clone().next() {
            None if report.compared.is_some() => "no new policy violations".to_owned(),
            _ => by_severity(new),
        };
        let known = known(report.compared.as_ref(), self.arguments.all);
        terminal.note(&format!("{summary}{known}"));
        let fixable = report.diagnostics.iter().filter(|finding| !finding.fix.is_empty());
        match fixable.count() {
            0 => {}
            all if all == report.diagnostics.len() => terminal.note("`lifecycle fix` can fix this"),
            some => terminal.note(&format!("`lifecycle fix` can fix {some} of them")),
        }
        Ok(output.outcome())
    }
}
