//! A report of findings in every format, on standard output and in files.

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use lifecycle::diagnostic::{Severity, did_you_mean};
use lifecycle::render::{CiReading, Look, TemplateError, diff as table, github, json, junit, markdown, sarif, snippet};
use lifecycle::report::{DiagnosticReport, DiffReport, DifferenceReport, PageReport, Report};
use lifecycle::source::Sources;

use crate::args::{FailOn, ReportFormat};
use crate::commands::Failure;
use crate::files;
use crate::terminal::Terminal;
use crate::write::{refuse_input, whole, write_whole};

/// A file that is to hold the findings.
#[derive(Debug)]
pub struct Output {
    format: ReportFormat,
    path: String,
}

/// Endings by which a format is known.
const ENDINGS: &[(&str, ReportFormat)] = &[
    (".sarif", ReportFormat::Sarif),
    (".sarif.json", ReportFormat::Sarif),
    (".json", ReportFormat::Json),
    (".xml", ReportFormat::Junit),
    (".md", ReportFormat::Markdown),
    (".txt", ReportFormat::Table),
];

impl Output {
    /// Reads each `[FORMAT=]FILE`. A file that the run reads cannot be one it writes, nor can it write one twice.
    pub fn parse_all(typed: &[String], inputs: &[&str]) -> Result<Vec<Self>, Failure> {
        let mut outputs: Vec<Self> = Vec::new();
        for typed in typed {
            let output = Self::named(typed)?;
            refuse_input("--output", typed, &output.path, inputs)?;
            let own = whole(&output.path);
            let stream = Path::new(&output.path).exists() && !Path::new(&output.path).is_file();
            if !stream && outputs.iter().any(|other| whole(&other.path) == own) {
                let message = format!("--output {typed}: this file is written already");
                return Err(Failure::new(message).help("name another file"));
            }
            outputs.push(output);
        }
        Ok(outputs)
    }

    /// What the file is to hold.
    pub fn format(&self) -> ReportFormat {
        self.format
    }

    fn named(typed: &str) -> Result<Self, Failure> {
        if let Some((name, path)) = typed
            .split_once('=')
            .filter(|(name, _)| !name.contains(['/', '.', '\\']))
        {
            let Ok(format) = ReportFormat::from_str(name, false) else {
                let known: Vec<String> = ReportFormat::value_variants()
                    .iter()
                    .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
                    .collect();
                let help = did_you_mean(name, known.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("formats: {}", known.join(", ")));
                return Err(Failure::new(format!("--output {typed}: there is no format `{name}`")).help(help));
            };
            if path.is_empty() || path == files::STANDARD_INPUT {
                return Err(Failure::new(format!("--output {typed}: it names no file"))
                    .help(format!("print it instead: --format {name}")));
            }
            return Ok(Self {
                format,
                path: path.to_owned(),
            });
        }
        let lower = typed.to_lowercase();
        let fitting = ENDINGS.iter().filter(|(ending, _)| lower.ends_with(ending));
        let Some((_, format)) = fitting.max_by_key(|(ending, _)| ending.len()) else {
            return Err(Failure::new(format!("--output {typed}: its ending tells no format"))
                .help(format!("write the format before it: --output sarif={typed}")));
        };
        Ok(Self {
            format: *format,
            path: typed.to_owned(),
        })
    }
}

/// Changes of schemas, which have tables, pages and data of their own.
#[derive(Clone, Copy)]
pub struct Changes<'e> {
    pub report: &'e DiffReport,
    /// Whether each change is listed, also what is compatible.
    pub all: bool,
    pub fail_on: FailOn,
}

impl<'e> Changes<'e> {
    /// The changes that a format tells: those that matter, and for programs all that are graded.
    pub fn listed(&self, format: ReportFormat) -> Vec<&'e DifferenceReport> {
        let least = match (self.all, format) {
            (true, _) => Severity::Off,
            (false, ReportFormat::Json) => Severity::Note,
            (false, format) if format.is_of_findings() && self.fail_on == FailOn::Note => Severity::Note,
            (false, _) => Severity::Warning,
        };
        let changes = self.report.changes.iter();
        changes
            .filter(|change| Severity::parse(change.severity).is_none_or(|severity| severity >= least))
            .collect()
    }

    /// The report with the changes that a format tells.
    fn in_format(&self, format: ReportFormat) -> DiffReport {
        DiffReport {
            schema_version: self.report.schema_version,
            policy: self.report.policy.clone(),
            summary: self.report.summary,
            changes: self.listed(format).into_iter().cloned().collect(),
        }
    }
}

/// Findings, and how they are to be told.
pub struct Emission<'e> {
    pub report: &'e Report<'e>,
    /// The changes that the findings are of, if they are: then those are told where people or programs ask for them.
    pub changes: Option<Changes<'e>>,
    pub sources: &'e Sources<'e>,
    pub pages: &'e [PageReport<'e>],
    pub format: ReportFormat,
    pub outputs: &'e [Output],
    pub fail_on: FailOn,
    /// The model's main file.
    pub model: &'e str,
}

impl Emission<'_> {
    /// Writes the files.
    pub fn write_files(&self, terminal: &Terminal) -> Result<(), Failure> {
        for output in self.outputs {
            let mut content = Vec::new();
            self.render(output.format, &mut content, IN_FILES)?;
            write_whole(&output.path, &content)?;
            terminal.detail(&format!("written: {}", output.path));
        }
        Ok(())
    }

    /// Prints the findings, and writes the files.
    pub fn emit(&self, terminal: &mut Terminal) -> Result<(), Failure> {
        self.write_files(terminal)?;
        match self.format {
            ReportFormat::Table if self.changes.is_none() => {
                let look = terminal.look();
                for finding in &self.report.diagnostics {
                    terminal.answer(&snippet::finding(finding, self.sources, look));
                }
                Ok(())
            }
            format => {
                let mut failed = None;
                let look = terminal.look();
                terminal.write(|out| match self.render(format, out, look) {
                    Err(RenderError::Write(problem)) => Err(problem),
                    Err(RenderError::Template(failure)) => {
                        failed = Some(failure);
                        Ok(())
                    }
                    Ok(()) => Ok(()),
                });
                failed.map_or(Ok(()), Err)
            }
        }
    }

    fn render(&self, format: ReportFormat, out: &mut impl Write, look: Look) -> Result<(), RenderError> {
        if let Some(changes) = self.changes.filter(|_| !format.is_of_findings()) {
            let changes = changes.in_format(format);
            match format {
                ReportFormat::Json => json::value(&changes, out)?,
                ReportFormat::Markdown => out.write_all(page(markdown::diff(&changes))?.as_bytes())?,
                _ => out.write_all(table::diff(&changes, look).as_bytes())?,
            }
            return Ok(());
        }
        let path = |name: &str| seen_from_root(name);
        let fails = |finding: &DiagnosticReport<'_>| self.fails(finding);
        let compared = self.report.compared.as_ref();
        let judged_against = compared.and_then(|compared| compared.base.as_deref().or(compared.baseline.as_deref()));
        let reading = CiReading {
            path: &path,
            judged_against,
            stands_in: Some(self.model),
            fails: &fails,
        };
        match format {
            ReportFormat::Table => {
                for finding in &self.report.diagnostics {
                    out.write_all(snippet::finding(finding, self.sources, look).as_bytes())?;
                }
            }
            ReportFormat::Json => json::report(self.report, out)?,
            ReportFormat::Markdown => {
                out.write_all(page(markdown::check(self.report))?.as_bytes())?;
            }
            ReportFormat::Sarif => sarif::report(self.report, self.pages, &reading, out)?,
            ReportFormat::Junit => junit::report(self.report, self.pages, &reading, out)?,
            ReportFormat::Github => github::report(self.report, &reading, out)?,
        }
        Ok(())
    }

    /// Whether a finding makes the run fail: it is grave enough, and news.
    pub fn fails(&self, finding: &DiagnosticReport<'_>) -> bool {
        let severity = Severity::parse(finding.severity);
        finding.known.is_none() && severity.is_some_and(|severity| self.fail_on.fails(severity))
    }
}

/// How tables in files look.
const IN_FILES: Look = Look {
    width: u16::MAX,
    color: false,
};

fn page(rendered: Result<String, TemplateError>) -> Result<String, RenderError> {
    rendered.map_err(|problem| RenderError::Template(Failure::new(problem.to_string())))
}

/// Why a report could not be rendered.
enum RenderError {
    Write(io::Error),
    Template(Failure),
}

impl From<io::Error> for RenderError {
    fn from(problem: io::Error) -> Self {
        Self::Write(problem)
    }
}

impl From<RenderError> for Failure {
    fn from(problem: RenderError) -> Self {
        match problem {
            RenderError::Write(problem) => Self::new(format!("cannot render the findings: {problem}")),
            RenderError::Template(failure) => failure,
        }
    }
}

/// A file's name as seen from the root of the repository.
pub fn seen_from_root(name: &str) -> String {
    seen_from(&from_root(), name)
}

/// The way from the root of the repository to where the user stands: `apis/widgets`.
fn from_root() -> String {
    let Ok(here) = std::env::current_dir() else {
        return String::new();
    };
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    let way = root.and_then(|root| here.strip_prefix(root).ok());
    way.map_or_else(String::new, |way| way.to_string_lossy().replace('\\', "/"))
}

fn seen_from(way: &str, name: &str) -> String {
    if name.starts_with('/') || name == files::STANDARD_INPUT {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    let is_separator = |c: char| c == '/' || (cfg!(windows) && c == '\\');
    for part in way.split('/').chain(name.split(is_separator)) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_from_the_root_of_the_repository() {
        assert_eq!(seen_from("apis/widgets", "../lifecycle.toml"), "apis/lifecycle.toml");
        assert_eq!(seen_from("", "./a//b.toml"), "a/b.toml");
        assert_eq!(seen_from("", "../b.toml"), "../b.toml");
        assert_eq!(seen_from("a", "/b.toml"), "/b.toml");
    }

    #[test]
    fn the_longest_ending_tells_the_format() {
        assert_eq!(Output::named("a.sarif.json").unwrap().format, ReportFormat::Sarif);
        assert_eq!(Output::named("a.b.JSON").unwrap().format, ReportFormat::Json);
        assert_eq!(Output::named("junit=a=b").unwrap().path, "a=b");
        assert!(Output::named("report").is_err());
        assert!(Output::named("sarf=x").is_err());
    }
}
