//! Output formats, and the severity that fails a run.

use clap::ValueEnum;
use lifecycle::diagnostic::Severity;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For pages and comments
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// A picture
    Svg,
    /// A Mermaid diagram: a Gantt chart, or a timeline if releases have no dates
    Mermaid,
    /// A Graphviz graph of what replaces what
    Dot,
    /// A self-contained page to search, filter and print
    Html,
    /// The data of the picture
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    /// For the terminal
    Table,
    /// For programs
    Json,
    /// For pages and comments
    Markdown,
    /// For spreadsheets: one row per element (RFC 4180)
    Csv,
    /// For calendar applications: one event per group, change and release (RFC 5545)
    Ics,
}

impl PlanFormat {
    /// The format of errors in the input files.
    pub fn of_errors(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Table | Self::Csv | Self::Ics => Format::Table,
        }
    }
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

    /// The format of errors in the input files.
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
