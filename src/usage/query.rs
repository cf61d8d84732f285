//! Queries that compute evidence where logs and metrics are: for Prometheus, Loki, and engines of SQL.

mod dialect;
mod labels;

use std::fmt::Write as _;

use super::audit::LAST_STAGES;
use super::watched::Watched;
pub use dialect::Dialect;
pub use labels::{loki, prometheus};

/// Where an engine of SQL has the audit log: one event per row, as text.
#[derive(Debug, Clone, Copy)]
pub struct Table<'t> {
    /// The table, or what stands for one.
    pub name: &'t str,
    /// The column of the events.
    pub column: &'t str,
}

/// The columns of the result, in order.
const COLUMNS: [&str; 8] = [
    "element",
    "who",
    "agent",
    "namespace",
    "day",
    "requests",
    "first_seen",
    "last_seen",
];

/// A query in SQL for an audit log. A row without requests says that an element was looked for on a day.
pub fn sql(watched: &Watched, dialect: Dialect, table: Table<'_>) -> String {
    let mut query = String::new();
    query.push_str(
        "-- Who uses what is deprecated or to be removed. Write the result as CSV with a header, or as JSON,\n",
    );
    query.push_str("-- and read it back: lifecycle usage FILE --output usage.json\n");
    let _ = write!(query, "WITH elements AS (\n{}),\n", elements(watched, dialect));
    let _ = write!(query, "events AS (\n{}),\n", events(dialect, table));
    query.push_str(&requests());
    let columns = COLUMNS.join(", ");
    let _ = write!(
        query,
        "SELECT {columns} FROM counted\nUNION ALL\n\
         SELECT element, '', '', '', day, 0, '', '' FROM elements CROSS JOIN (SELECT DISTINCT day FROM events WHERE day <> '') AS days\n\
         ORDER BY 1, 5, 2, 3, 4\n"
    );
    query
}

/// The elements to look for, a row each.
fn elements(watched: &Watched, dialect: Dialect) -> String {
    let mut rows = String::new();
    for (at, row) in watched.resources().enumerate() {
        let [group, version, resource, id] =
            [row.group, row.version, row.plural, row.id].map(|text| dialect.quoted(text));
        let _ = if at == 0 {
            writeln!(
                rows,
                "  SELECT {group} AS api_group, {version} AS api_version, {resource} AS resource, {id} AS element"
            )
        } else {
            writeln!(rows, "  UNION ALL SELECT {group}, {version}, {resource}, {id}")
        };
    }
    rows
}

/// What counts of each event.
fn events(dialect: Dialect, table: Table<'_>) -> String {
    let time = text_at(dialect, table.column, &["stageTimestamp"]);
    let columns = [
        ("api_group", text_at(dialect, table.column, &["objectRef", "apiGroup"])),
        (
            "api_version",
            text_at(dialect, table.column, &["objectRef", "apiVersion"]),
        ),
        ("resource", text_at(dialect, table.column, &["objectRef", "resource"])),
        ("who", text_at(dialect, table.column, &["user", "username"])),
        (
            "agent",
            dialect.first_word(&text_at(dialect, table.column, &["userAgent"])),
        ),
        ("namespace", text_at(dialect, table.column, &["objectRef", "namespace"])),
        ("stage", text_at(dialect, table.column, &["stage"])),
        ("day", format!("SUBSTR({time}, 1, 10)")),
        ("seen_at", format!("CONCAT(SUBSTR({time}, 1, 19), 'Z')")),
    ];
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, value)| format!("    {value} AS {name}"))
        .collect();
    format!("  SELECT\n{}\n  FROM {}\n", columns.join(",\n"), table.name)
}

/// The text at a path of an event, empty where there is none.
fn text_at(dialect: Dialect, column: &str, path: &[&str]) -> String {
    format!("COALESCE({}, '')", dialect.field(column, path))
}

/// The elements with this resource beside each event.
fn join(name: &str, resource: &str) -> String {
    format!(
        "  LEFT JOIN elements AS {name} ON {name}.api_group = events.api_group AND {name}.api_version = \
         events.api_version AND {name}.resource = {resource}\n"
    )
}

/// The requests for elements. A resource without a row of its own is one of its version.
fn requests() -> String {
    let stages = LAST_STAGES.map(|stage| format!("'{stage}'")).join(", ");
    format!(
        "requests AS (\n  SELECT CASE WHEN own.element <> '' THEN own.element ELSE whole.element END AS element,\n    \
         events.who AS who, events.agent AS agent, events.namespace AS namespace, events.day AS day, events.seen_at AS seen_at\n  \
         FROM events\n{}{}  WHERE events.stage IN ({stages}) AND events.resource <> '' AND events.day <> ''\n),\n\
         counted AS (\n  SELECT element, who, agent, namespace, day, COUNT(*) AS requests, MIN(seen_at) AS first_seen, MAX(seen_at) \
         AS last_seen\n  FROM requests WHERE element <> '' GROUP BY element, who, agent, namespace, day\n)\n",
        join("own", "events.resource"),
        join("whole", "''")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_those_that_rows_are_read_by() {
        let known = super::super::rows::columns();
        for column in COLUMNS {
            assert!(known.contains(&column), "{column}");
        }
    }
}
