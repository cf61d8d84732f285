//! Output formats, and the severity that fails a run.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
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
    /// The format of errors in the input files, by that of the output.
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
