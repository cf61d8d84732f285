//! What engines of SQL write in their own ways.

/// An engine of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// Apache Spark, Databricks.
    Spark,
    /// Trino, Amazon Athena.
    Trino,
    /// Google `BigQuery`.
    BigQuery,
    /// `ClickHouse`.
    ClickHouse,
    /// `DuckDB`.
    DuckDb,
}

impl Dialect {
    /// A string.
    pub(super) fn quoted(self, text: &str) -> String {
        let text = match self {
            Self::Spark | Self::BigQuery | Self::ClickHouse => text.replace('\\', "\\\\").replace('\'', "\\'"),
            Self::Trino | Self::DuckDb => text.replace('\'', "''"),
        };
        format!("'{text}'")
    }

    /// The text at a path in a column of JSON; nothing where it is none.
    pub(super) fn field(self, column: &str, path: &[&str]) -> String {
        let dotted = path.join(".");
        match self {
            Self::Spark => format!("GET_JSON_OBJECT({column}, '$.{dotted}')"),
            Self::Trino => format!("JSON_EXTRACT_SCALAR({column}, '$.{dotted}')"),
            Self::BigQuery => format!("JSON_VALUE({column}, '$.{dotted}')"),
            Self::ClickHouse => format!("JSONExtractString({column}, '{}')", path.join("', '")),
            // A text that is no JSON ends the query otherwise.
            Self::DuckDb => {
                format!("JSON_EXTRACT_STRING(CASE WHEN JSON_VALID({column}) THEN {column} END, '$.{dotted}')")
            }
        }
    }

    /// A text up to its first space.
    pub(super) fn first_word(self, text: &str) -> String {
        match self {
            Self::Spark | Self::Trino | Self::DuckDb => format!("SPLIT_PART({text}, ' ', 1)"),
            Self::BigQuery => format!("SPLIT({text}, ' ')[SAFE_OFFSET(0)]"),
            Self::ClickHouse => format!("splitByChar(' ', {text})[1]"),
        }
    }
}
