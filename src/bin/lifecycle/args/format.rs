//! Output formats, and the severity that fails a run.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lifecycle::diagnostic::Severity;
use lifecycle::render::formats::{OutputFormat, REPORT_FORMATS, ReportWriter};

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

pub type ReportFormat = &'static OutputFormat<ReportWriter>;

/// How findings are reported.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// How the report is printed
    #[arg(long, value_parser = format_parser(REPORT_FORMATS), default_value = REPORT_FORMATS[0].name)]
    pub format: ReportFormat,
    #[arg(long, short, value_name = "[FORMAT=]FILE", help = output_help())]
    pub output: Vec<String>,
    /// The lowest severity that makes the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
}

impl ReportArgs {
    /// Whether errors in the input files, and verdicts on proposed removals, are printed as text.
    pub fn is_for_terminal(&self) -> bool {
        Format::from_str(self.format.name, false) == Ok(Format::Table)
    }
}

fn output_help() -> String {
    let extensions = REPORT_FORMATS
        .iter()
        .filter_map(|format| format.write.extensions.first());
    let extensions = extensions.copied().collect::<Vec<_>>().join(", ");
    format!(
        "Also write the report to a file; its extension ({extensions}) sets the format, or FORMAT= before it. May be \
         repeated"
    )
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
