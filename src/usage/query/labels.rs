//! Queries for Prometheus and Loki, whose answers have labels.

use std::collections::BTreeSet;

use super::super::audit::LAST_STAGES;
use super::super::metrics::{ASKED_FOR, BETWEEN_IDS};
use super::super::watched::{Resource, Watched};

/// A text as a string of `PromQL` and `LogQL`.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
    )
}

/// An expression that matches any of some texts.
fn any_of<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let texts: BTreeSet<&str> = texts.collect();
    let texts: Vec<String> = texts.into_iter().map(escaped).collect();
    texts.join("|")
}

/// A text as an expression that matches it alone.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A series that is there on each day with data, and says which elements were asked for.
fn asked_for(watched: &Watched, on_days: &str) -> String {
    let ids: BTreeSet<&str> = watched.resources().map(|row| row.id).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let ids = quoted(&ids.join(BETWEEN_IDS));
    format!("label_replace(0 * {on_days}, \"{ASKED_FOR}\", {ids}, \"\", \"\")")
}

/// The matchers of labels for the elements. They match more than the elements, and the answer is read for these alone.
fn matchers(watched: &Watched) -> String {
    let rows: Vec<Resource<'_>> = watched.resources().collect();
    let groups = any_of(rows.iter().map(|row| row.group));
    let versions = any_of(rows.iter().map(|row| row.version));
    format!(
        "group=~{}, version=~{}, resource!=\"\"",
        quoted(&groups),
        quoted(&versions)
    )
}

/// A query in `PromQL` for the metrics of API servers, with the command that asks for it. A counter that appears on a
/// day counts from zero.
pub fn prometheus(watched: &Watched) -> String {
    let metric = format!("apiserver_request_total{{{}}}", matchers(watched));
    let all = asked_for(watched, "count(count_over_time(apiserver_request_total[1d]))");
    format!(
        "# Requests a day for what is deprecated or to be removed. Save it as query.promql, ask for whole days (UTC), and\n\
         # read the answer back:\n\
         # curl -s \"$PROMETHEUS/api/v1/query_range\" --data-urlencode query@query.promql \\\n\
         #   -d start=2026-01-01T00:00:00Z -d end=2026-01-31T00:00:00Z -d step=86400 > answer.json\n\
         # lifecycle usage answer.json --output usage.json\n\
         sum by (group, version, resource) (\n  (increase({metric}[1d]) and {metric} offset 1d)\n  or\n  \
         (last_over_time({metric}[1d]) unless {metric} offset 1d)\n)\nor\n{all}\n"
    )
}

/// A query in `LogQL` for an audit log whose streams a selector names, such as `{job="audit"}`. A line that is no JSON
/// would make the whole query an error, so that such lines are left out.
pub fn loki(watched: &Watched, selector: &str) -> String {
    let words = watched.words(false);
    let words = any_of(words.iter().map(String::as_str));
    let rows: Vec<Resource<'_>> = watched.resources().collect();
    let versions = quoted(&any_of(rows.iter().map(|row| row.version)));
    let stages = LAST_STAGES.join("|");
    let all = asked_for(watched, &format!("sum(count_over_time({selector}[1d]))"));
    let words = quoted(&words);
    format!(
        "# Requests a day for what is deprecated or to be removed. Save it as query.logql, ask for whole days (UTC), and\n\
         # read the answer back:\n\
         # curl -s \"$LOKI/loki/api/v1/query_range\" --data-urlencode query@query.logql \\\n\
         #   -d start=2026-01-01T00:00:00Z -d end=2026-01-31T00:00:00Z -d step=86400 > answer.json\n\
         # lifecycle usage answer.json --output usage.json\n\
         sum by (group, version, resource, user, agent, namespace) (\n  count_over_time(\n    {selector} |~ {words}\n    \
         | json group=\"objectRef.apiGroup\", version=\"objectRef.apiVersion\", resource=\"objectRef.resource\", \
         user=\"user.username\", agent=\"userAgent\", namespace=\"objectRef.namespace\", stage=\"stage\"\n    \
         | __error__=\"\" | stage=~\"{stages}\" | version=~{versions} | resource!=\"\"\n    [1d]\n  )\n)\nor\n{all}\n"
    )
}
