//! Findings in every format, printed and in files.

use std::io::{self, Write};
use std::path::Path;

use lifecycle::Sources;
use lifecycle::diagnostic::{Severity, did_you_mean};
use lifecycle::evaluate::Diff;
use lifecycle::render::formats::REPORT_FORMATS;
use lifecycle::render::{Detail, Findings, Listed, Style};
use lifecycle::report::{DiagnosticReport, PageReport, Report};

use crate::args::{FailOn, ReportFormat};
use crate::failure::{Failure, Outcome, Result};
use crate::io::bounds::real_path;
use crate::io::disk::{self, Disk, STANDARD_INPUT, from_repository_root};
use crate::io::write::{refuse_input, write_whole};
use crate::summary::by_severity;
use crate::terminal::Terminal;

/// Refuses to replace a file in a format of models and schemas: a report has none of these.
fn refuse_source(path: &str) -> Result<()> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    let is_source = extension.is_some_and(|extension| ["toml", "yaml", "yml"].contains(&extension));
    if !(is_source && Path::new(path).exists()) {
        return Ok(());
    }
    let message = format!("--output would overwrite {path}, which is no report");
    Err(Failure::new(message).help("name another file, or delete this one first"))
}

/// The width of a report for people where there is no terminal.
pub const PIPED_WIDTH: u16 = 120;

#[derive(Debug)]
pub struct OutputFile {
    pub format: ReportFormat,
    path: String,
}

impl OutputFile {
    /// Parses each `[FORMAT=]FILE`. A file that the run reads must not be written, nor one that it would have read were
    /// there no errors in others, and none is written twice.
    pub fn parse_all<'i>(typed: &[String], inputs: impl Iterator<Item = &'i str>, disk: &Disk) -> Result<Vec<Self>> {
        let inputs: Vec<&str> = inputs.collect();
        let mut outputs: Vec<Self> = Vec::new();
        for typed in typed {
            let output = Self::parse(typed)?;
            refuse_input(disk, "--output", (typed, &output.path), &inputs)?;
            refuse_source(&output.path)?;
            let own = real_path(Path::new(&output.path));
            let is_file = !disk::is_stream(Path::new(&output.path));
            if is_file && outputs.iter().any(|other| real_path(Path::new(&other.path)) == own) {
                let message = format!("--output {typed}: another --output names this file too");
                return Err(Failure::new(message).help("name another file"));
            }
            outputs.push(output);
        }
        Ok(outputs)
    }

    fn parse(typed: &str) -> Result<Self> {
        let explicit = typed
            .split_once('=')
            .filter(|(format, _)| !format.contains(['/', '.', '\\']));
        let (format, path) = match explicit {
            Some((format, path)) => (format_named(format, typed)?, path),
            None => (format_of(typed)?, typed),
        };
        if path.is_empty() || path == STANDARD_INPUT {
            let help = match explicit {
                Some((format, _)) => format!("print it instead: --format {format}"),
                None => "leave out --output to print it".to_owned(),
            };
            return Err(Failure::new(format!("--output {typed}: it names no file")).help(help));
        }
        Ok(Self {
            format,
            path: path.to_owned(),
        })
    }
}

fn format_named(name: &str, typed: &str) -> Result<ReportFormat> {
    REPORT_FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let formats: Vec<&str> = REPORT_FORMATS.iter().map(|format| format.name).collect();
        let help =
            did_you_mean(name, formats.iter().copied()).unwrap_or_else(|| format!("formats: {}", formats.join(", ")));
        Failure::new(format!("--output {typed}: there is no format `{name}`")).help(help)
    })
}

/// The format that the longest matching end of a file name stands for.
fn format_of(typed: &str) -> Result<ReportFormat> {
    let lower = typed.to_lowercase();
    let extensions = REPORT_FORMATS
        .iter()
        .flat_map(|format| format.write.extensions.iter().map(move |end| (end, format)));
    let matching = extensions.filter(|(end, _)| lower.ends_with(**end));
    let longest = matching.max_by_key(|(end, _)| end.len());
    longest.map(|(_, format)| format).ok_or_else(|| {
        Failure::new(format!("--output {typed}: its extension stands for no format"))
            .help(format!("write the format first: --output sarif={typed}"))
    })
}

/// Schema changes, which have tables, pages and data of their own.
#[derive(Clone, Copy)]
pub struct SchemaChanges<'e> {
    pub diff: &'e Diff,
    pub all: bool,
    pub detail: Detail,
    pub fail_on: FailOn,
}

impl SchemaChanges<'_> {
    /// The least severity that a format lists; as findings, all that fail the run are listed.
    pub fn least(&self, format: ReportFormat) -> Severity {
        match format.write.changes {
            _ if self.all => Severity::Off,
            Some((least, _)) => least,
            None if self.fail_on == FailOn::Note => Severity::Note,
            None => Severity::Warning,
        }
    }
}

pub struct ReportOutput<'e> {
    pub report: &'e Report<'e>,
    /// The schema changes that the findings are made of, if they are: tables, pages and JSON show those instead.
    pub changes: Option<SchemaChanges<'e>>,
    pub sources: &'e Sources<'e>,
    pub pages: &'e [PageReport<'e>],
    pub format: ReportFormat,
    pub outputs: &'e [OutputFile],
    pub disk: &'e Disk,
    pub fail_on: FailOn,
    /// How much is shown.
    pub detail: Detail,
    /// The width where there is no terminal; unlimited without one.
    pub width: Option<u16>,
    /// The file that a finding without a location is shown at: the model's main file.
    pub main_file: &'e str,
    /// What text for people lists.
    pub listed: Listed,
}

impl ReportOutput<'_> {
    pub fn write_files(&self, terminal: &Terminal) -> Result<()> {
        for output in self.outputs {
            let mut content = Vec::new();
            let width = self.width.unwrap_or(u16::MAX);
            let style = Style { width, color: false };
            self.render(output.format, &mut content, style)
                .map_err(|problem| Failure::new(problem.to_string()))?;
            write_whole(self.disk, &output.path, &content)?;
            terminal.detail(&format!("written: {}", output.path));
        }
        Ok(())
    }

    pub fn emit(&self, terminal: &mut Terminal) -> Result<()> {
        self.write_files(terminal)?;
        let style = terminal.style_within(self.width);
        terminal.write(|out| self.render(self.format, out, style));
        Ok(())
    }

    fn render(&self, format: ReportFormat, out: &mut dyn Write, style: Style) -> io::Result<()> {
        if let Some((changes, (_, write))) = self.changes.zip(format.write.changes) {
            return write(&changes.diff.report(changes.least(format)), changes.detail, style, out);
        }
        let compared = self.report.compared.as_ref();
        let findings = Findings {
            report: self.report,
            sources: self.sources,
            pages: self.pages,
            detail: self.detail,
            style,
            path: &from_repository_root,
            judged_against: compared.and_then(|compared| compared.base.as_deref().or(compared.baseline.as_deref())),
            stands_in: Some(self.main_file),
            fails: &|finding| self.fails(finding),
            listed: self.listed,
        };
        (format.write.findings)(&findings, out)
    }

    /// Whether a finding makes the run fail: it is new, and severe enough.
    fn fails(&self, finding: &DiagnosticReport<'_>) -> bool {
        finding.known.is_none() && self.fail_on.fails(finding.severity)
    }

    /// "2 errors, 1 warning, 3 notes (-v lists them)".
    pub fn summary<'f>(&self, findings: impl IntoIterator<Item = &'f DiagnosticReport<'f>>) -> String {
        let hides_notes = !self.listed.notes && self.fail_on != FailOn::Note;
        by_severity(findings, hides_notes && self.format.write.is_for_people)
    }

    /// The same of the findings that are not known; or that there are none.
    pub fn summary_of_new(&self) -> String {
        let mut new = self.report.diagnostics.iter().filter(|finding| finding.known.is_none());
        match (new.clone().next(), &self.report.compared) {
            (Some(_), _) => self.summary(new.by_ref()),
            (None, Some(_)) => "no new findings".to_owned(),
            (None, None) => "no findings".to_owned(),
        }
    }

    pub fn outcome(&self) -> Outcome {
        Outcome::of_findings(self.report.diagnostics.iter().any(|finding| self.fails(finding)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_extension_decides_the_format() {
        assert_eq!(OutputFile::parse("a.sarif.json").unwrap().format.name, "sarif");
        assert_eq!(OutputFile::parse("a.b.JSON").unwrap().format.name, "json");
        assert_eq!(OutputFile::parse("junit=a=b").unwrap().path, "a=b");
        assert!(OutputFile::parse("report").is_err());
        assert!(OutputFile::parse("sarf=x").is_err());
    }
}
