//! What can be typed after `usage`.

use chrono::NaiveDate;
use clap::{Args, Subcommand, ValueEnum};
use lifecycle::usage::InputFormat;
use lifecycle::usage::query::Dialect;

use super::model::SeveralModels;

pub const ABOUT: &str = "\
Gather who still uses what is deprecated or to be removed, from logs, metrics and counts of running systems

Reads audit logs (JSON lines, also gzip) of any length, metrics of API servers, what Prometheus and Loki answer, request counts \
of OpenShift, rows of CSV or JSON (element, who, count, last seen), and evidence files, which it merges. What each file \
is shows by how it begins. Exit codes: 0, or 2 for bad usage or errors in the files.";

pub const EXAMPLES: &str = "Examples:
  lifecycle usage audit/*.log.gz --builtin kubernetes --output usage.json
  lifecycle usage cluster-a.json cluster-b.json --output usage.json
  kubectl get --raw /metrics | lifecycle usage - --day 2026-01-30";

/// Evidence for an answer.
#[derive(Debug, Args)]
pub struct EvidenceArgs {
    /// Who uses what: an evidence file that lifecycle usage has written. May be repeated
    #[arg(long, value_name = "FILE")]
    pub evidence: Vec<String>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Usage {
    #[command(subcommand)]
    pub query: Option<UsageQuery>,
    /// Logs, metrics, rows and evidence files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub models: SeveralModels,
    /// Look for what is deprecated or removed by this release; MODEL=RELEASE for one of several models. May be repeated
    /// [default: the last release that the model covers]
    #[arg(long, value_name = "RELEASE")]
    pub to: Vec<String>,
    /// Also look into the bodies of requests, for fields, values and annotations
    #[arg(long)]
    pub bodies: bool,
    /// The day of what has no time: metrics, request counts, and rows without a day
    #[arg(long, value_name = "DATE")]
    pub day: Option<NaiveDate>,
    /// The part of all users that the files can see, such as 0.2 for telemetry that every fifth user sends
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = share)]
    pub share: f64,
    /// What the files are, where it does not show by how they begin
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub read_as: Option<EvidenceFormat>,
    /// How the evidence is printed
    #[arg(long, value_enum, default_value_t = UsageFormat::Table)]
    pub format: UsageFormat,
    /// Write the evidence to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum UsageQuery {
    /// Print a query that computes the same evidence where the audit logs or metrics are
    ///
    /// Its result is read back by lifecycle usage: rows of CSV or JSON from SQL, the JSON that the HTTP API of
    /// Prometheus or Loki answers.
    #[command(after_help = "Examples:
  lifecycle usage query --for promql --builtin kubernetes --to 1.37
  lifecycle usage query --for sql --dialect trino --table logs.audit --column event")]
    Query(Query),
}

#[derive(Debug, Args)]
pub struct Query {
    /// The language of the query
    #[arg(long = "for", value_enum, value_name = "LANGUAGE")]
    pub language: QueryLanguage,
    /// The engine, for sql
    #[arg(long, value_enum, value_name = "ENGINE", required_if_eq("language", "sql"))]
    pub dialect: Option<SqlDialect>,
    /// The table of the audit log, for sql
    #[arg(long, value_name = "TABLE", default_value = "audit")]
    pub table: String,
    /// The column that has an event as JSON, for sql
    #[arg(long, value_name = "COLUMN", default_value = "line")]
    pub column: String,
    /// What selects the streams of the audit log, for logql
    #[arg(long, value_name = "SELECTOR", default_value = "{job=\"audit\"}")]
    pub selector: String,
    #[command(flatten)]
    pub models: SeveralModels,
    /// Ask for what is deprecated or removed by this release; MODEL=RELEASE for one of several models. May be repeated
    /// [default: the last release that the model covers]
    #[arg(long, value_name = "RELEASE")]
    pub to: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryLanguage {
    /// For the metrics of API servers in Prometheus
    Promql,
    /// For audit logs in Loki
    Logql,
    /// For audit logs in an engine of SQL
    Sql,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SqlDialect {
    Spark,
    /// Also for Athena
    Trino,
    #[value(name = "bigquery")]
    BigQuery,
    #[value(name = "clickhouse")]
    ClickHouse,
    #[value(name = "duckdb")]
    DuckDb,
}

impl From<SqlDialect> for Dialect {
    fn from(dialect: SqlDialect) -> Self {
        match dialect {
            SqlDialect::Spark => Self::Spark,
            SqlDialect::Trino => Self::Trino,
            SqlDialect::BigQuery => Self::BigQuery,
            SqlDialect::ClickHouse => Self::ClickHouse,
            SqlDialect::DuckDb => Self::DuckDb,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UsageFormat {
    /// For the terminal
    Table,
    /// For programs: the evidence file
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvidenceFormat {
    /// The audit log of a Kubernetes API server: one event per line
    AuditLog,
    /// An evidence file
    Evidence,
    /// Metrics of a Kubernetes API server, as it prints them
    Metrics,
    /// The answer of Prometheus or Loki to a query
    Response,
    /// The request counts of OpenShift (oc get apirequestcounts -o json)
    RequestCounts,
    /// Rows of CSV
    Csv,
    /// Rows of JSON
    Json,
}

impl From<EvidenceFormat> for InputFormat {
    fn from(format: EvidenceFormat) -> Self {
        match format {
            EvidenceFormat::AuditLog => Self::AuditLog,
            EvidenceFormat::Evidence => Self::Evidence,
            EvidenceFormat::Metrics => Self::Metrics,
            EvidenceFormat::Response => Self::Response,
            EvidenceFormat::RequestCounts => Self::RequestCounts,
            EvidenceFormat::Csv => Self::Csv,
            EvidenceFormat::Json => Self::Json,
        }
    }
}

/// A part of a whole.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("name a number above 0 and not above 1".to_owned()),
    }
}
