//! Output formats, and the severity that fails a run.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lifecycle::diagnostic::Severity;
use lifecycle::render::formats::OutputFormat;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For pages and comments
    Markdown,
}

impl Format {
    /// The format of errors in the input files, by the name of that of the output.
    pub fn of_errors(output: &str) -> Self {
        Self::from_str(output, false).unwrap_or(Self::Table)
    }
}

pub fn format_parser<W: Copy + Send + Sync + 'static>(
    formats: &'static [OutputFormat<W>],
) -> impl TypedValueParser<Value = &'static OutputFormat<W>> {
    let names = formats
        .iter()
        .map(|format| PossibleValue::new(format.name).help(format.about));
    PossibleValuesParser::new(names).try_map(|name| {
        let mut formats = formats.iter();
        formats.find(|format| format.name == name).ok_or("unknown format")
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For pages and comments
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// GitHub workflow commands, for annotations
    Github,
}

impl ReportFormat {
    /// Whether it shows findings only, whatever they are about.
    pub fn is_of_findings(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit | Self::Github)
    }

    pub fn of_errors(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Table | Self::Sarif | Self::Junit | Self::Github => Format::Table,
        }
    }
}

/// How findings are reported.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,
    /// Also write the findings to a file; its extension (.json, .sarif, .xml for JUnit, .md, .txt) sets the format, or
    /// FORMAT= before it. May be repeated
    #[arg(long, short, value_name = "[FORMAT=]FILE")]
    pub output: Vec<String>,
    /// The lowest severity that makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => severity >= Severity::Note,
            Self::Never => false,
        }
    }
}
