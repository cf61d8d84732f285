//! Findings in every format, printed and in files.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use lifecycle::Sources;
use lifecycle::diagnostic::{Severity, did_you_mean};
use lifecycle::evaluate::Diff;
use lifecycle::render::{
    CiReading, Style, TemplateError, diff as table, github, json, junit, markdown, sarif, snippet,
};
use lifecycle::report::{DiagnosticReport, PageReport, Report};

use crate::args::{FailOn, ReportFormat};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{self, STANDARD_INPUT, from_repository_root, real_path};
use crate::io::write::{refuse_input, write_whole};
use crate::terminal::Terminal;

#[derive(Debug)]
pub struct OutputFile {
    pub format: ReportFormat,
    path: String,
}

const EXTENSIONS: &[(&str, ReportFormat)] = &[
    (".sarif", ReportFormat::Sarif),
    (".sarif.json", ReportFormat::Sarif),
    (".json", ReportFormat::Json),
    (".xml", ReportFormat::Junit),
    (".md", ReportFormat::Markdown),
    (".txt", ReportFormat::Table),
];

impl OutputFile {
    /// Parses each `[FORMAT=]FILE`. A file that the run reads must not be written, and none is written twice.
    pub fn parse_all(typed: &[String], inputs: &[&str]) -> Result<Vec<Self>> {
        let mut outputs: Vec<Self> = Vec::new();
        for typed in typed {
            let output = Self::parse(typed)?;
            refuse_input("--output", typed, &output.path, inputs)?;
            let own = real_path(&output.path);
            let is_file = !disk::is_stream(Path::new(&output.path));
            if is_file && outputs.iter().any(|other| real_path(&other.path) == own) {
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
    ReportFormat::from_str(name, false).map_err(|_| {
        let formats = ReportFormat::value_variants().iter();
        let formats = formats.filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()));
        let formats: Vec<String> = formats.collect();
        let help = did_you_mean(name, formats.iter().map(String::as_str))
            .unwrap_or_else(|| format!("formats: {}", formats.join(", ")));
        Failure::new(format!("--output {typed}: there is no format `{name}`")).help(help)
    })
}

/// The format that the longest matching end of a file name stands for.
fn format_of(typed: &str) -> Result<ReportFormat> {
    let lower = typed.to_lowercase();
    let matching = EXTENSIONS.iter().filter(|(extension, _)| lower.ends_with(extension));
    let longest = matching.max_by_key(|(extension, _)| extension.len());
    longest.map(|(_, format)| *format).ok_or_else(|| {
        Failure::new(format!("--output {typed}: its extension stands for no format"))
            .help(format!("write the format first: --output sarif={typed}"))
    })
}

/// Schema changes, which have tables, pages and data of their own.
#[derive(Clone, Copy)]
pub struct SchemaChanges<'e> {
    pub diff: &'e Diff,
    pub all: bool,
    pub fail_on: FailOn,
}

impl SchemaChanges<'_> {
    /// The least severity that a format lists: warnings; in JSON, notes too.
    pub fn least(&self, format: ReportFormat) -> Severity {
        match (self.all, format) {
            (true, _) => Severity::Off,
            (false, ReportFormat::Json) => Severity::Note,
            (false, format) if format.is_of_findings() && self.fail_on == FailOn::Note => Severity::Note,
            (false, _) => Severity::Warning,
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
    pub fail_on: FailOn,
    /// The file that a finding without a location is shown at: the model's main file.
    pub main_file: &'e str,
}

impl ReportOutput<'_> {
    pub fn write_files(&self, terminal: &Terminal) -> Result<()> {
        for output in self.outputs {
            let mut content = Vec::new();
            self.render(output.format, &mut content, FILE_STYLE)?;
            write_whole(&output.path, &content)?;
            terminal.detail(&format!("written: {}", output.path));
        }
        Ok(())
    }

    pub fn emit(&self, terminal: &mut Terminal) -> Result<()> {
        self.write_files(terminal)?;
        let mut failed = None;
        let style = terminal.style();
        terminal.write(|out| match self.render(self.format, out, style) {
            Err(RenderError::Write(problem)) => Err(problem),
            Err(RenderError::Template(problem)) => {
                failed = Some(Failure::from(problem));
                Ok(())
            }
            Ok(()) => Ok(()),
        });
        failed.map_or(Ok(()), Err)
    }

    fn render(&self, format: ReportFormat, out: &mut impl Write, style: Style) -> Result<(), RenderError> {
        if let Some(changes) = self.changes.filter(|_| !format.is_of_findings()) {
            let changes = changes.diff.report(changes.least(format));
            match format {
                ReportFormat::Json => json::value(&changes, out)?,
                ReportFormat::Markdown => out.write_all(markdown::diff(&changes)?.as_bytes())?,
                _ => out.write_all(table::diff(&changes, style).as_bytes())?,
            }
            return Ok(());
        }
        let compared = self.report.compared.as_ref();
        let reading = CiReading {
            path: &from_repository_root,
            judged_against: compared.and_then(|compared| compared.base.as_deref().or(compared.baseline.as_deref())),
            stands_in: Some(self.main_file),
            fails: &|finding| self.fails(finding),
        };
        match format {
            ReportFormat::Table => {
                for finding in &self.report.diagnostics {
                    out.write_all(snippet::finding(finding, self.sources, style).as_bytes())?;
                }
            }
            ReportFormat::Json => json::report(self.report, out)?,
            ReportFormat::Markdown => out.write_all(markdown::check(self.report)?.as_bytes())?,
            ReportFormat::Sarif => sarif::report(self.report, self.pages, &reading, out)?,
            ReportFormat::Junit => junit::report(self.report, self.pages, &reading, out)?,
            ReportFormat::Github => github::report(self.report, &reading, out)?,
        }
        Ok(())
    }

    /// Whether a finding makes the run fail: it is new, and severe enough.
    fn fails(&self, finding: &DiagnosticReport<'_>) -> bool {
        finding.known.is_none() && self.fail_on.fails(finding.severity)
    }

    pub fn outcome(&self) -> Outcome {
        Outcome::of_findings(self.report.diagnostics.iter().any(|finding| self.fails(finding)))
    }
}

const FILE_STYLE: Style = Style {
    width: u16::MAX,
    color: false,
};

#[derive(thiserror::Error, Debug)]
enum RenderError {
    #[error("cannot render the findings: {0}")]
    Write(#[from] io::Error),
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl From<RenderError> for Failure {
    fn from(problem: RenderError) -> Self {
        Self::new(problem.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_extension_decides_the_format() {
        assert_eq!(OutputFile::parse("a.sarif.json").unwrap().format, ReportFormat::Sarif);
        assert_eq!(OutputFile::parse("a.b.JSON").unwrap().format, ReportFormat::Json);
        assert_eq!(OutputFile::parse("junit=a=b").unwrap().path, "a=b");
        assert!(OutputFile::parse("report").is_err());
        assert!(OutputFile::parse("sarf=x").is_err());
    }
}
