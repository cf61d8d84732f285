//! What a program exposes, in the text formats of Prometheus and `OpenMetrics`.
//!
//! Kubernetes' machinery writes the class and the deprecation of a metric before its help text: `[STABLE] (Deprecated
//! since 1.20.0) …`. Labels are those of the samples.

use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;
use crate::stability::MetricStability;

use super::{Facts, MetricsFile};
use crate::text::{MOST_UNREADABLE, Unreadable, at};

const LONGEST_SHOWN: usize = 40;

/// A metric: its samples, of which a histogram has several names, and its comments.
#[derive(Debug, Default)]
struct Family<'t> {
    help: Option<&'t str>,
    metric_type: Option<&'t str>,
    labels: Option<BTreeSet<&'t str>>,
    line: u32,
}

/// Reads a text. Lines that cannot be read are skipped and reported.
pub(super) fn read(text: &str) -> Result<MetricsFile, Unreadable> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.number = number;
        if let Err((at_byte, reason)) = reader.line(line) {
            let column = line.get(..at_byte).map_or(1, |before| before.chars().count() + 1);
            let column = u32::try_from(column).unwrap_or(u32::MAX);
            reader.skipped.push(at(number, column, reason));
        }
        if reader.skipped.len() > MOST_UNREADABLE {
            return Err(at(1, 1, format!("more than {MOST_UNREADABLE} lines cannot be read")));
        }
    }
    // Only OpenMetrics has this line, and ends with it.
    let is_open = text.trim_end().ends_with("# EOF");
    let mut file = MetricsFile::default();
    for (name, family) in reader.families {
        if let Err(error) = add(&mut file, name, &family, is_open) {
            reader.skipped.push(error);
        }
    }
    reader.skipped.sort_by_key(|error| (error.line, error.column));
    file.skipped = reader.skipped;
    Ok(file)
}

fn add(file: &mut MetricsFile, name: &str, family: &Family<'_>, is_open: bool) -> Result<(), Unreadable> {
    let stated = family.metric_type.unwrap_or_default();
    let mut name = name.to_owned();
    if is_open && stated == "counter" && !name.ends_with("_total") {
        name.push_str("_total");
    }
    let (class, deprecated) = marks(family.help.unwrap_or_default())
        .map_err(|reason| at(family.line, 1, format!("metric {name}: {reason}")))?;
    let metric_type = file.metric_type(stated);
    let own = match stated {
        "histogram" | "gaugehistogram" => "le",
        "summary" => "quantile",
        _ => "",
    };
    let labels = family.labels.as_ref().map(|labels| {
        let labels = labels.iter().filter(|label| **label != own);
        labels.map(|label| (*label).to_owned()).collect()
    });
    let facts = Facts {
        metric_type,
        labels,
        deprecated,
    };
    file.metrics.insert(name, (class, facts));
    Ok(())
}

/// Reads the class and the deprecation before a help text, in either order.
fn marks(help: &str) -> Result<(Option<MetricStability>, Option<ReleaseName>), String> {
    let (mut class, mut deprecated) = (None, None);
    let mut rest = help.trim_start();
    loop {
        if let Some((mark, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            && let Some(marked) = MetricStability::parse(mark)
        {
            class = Some(marked);
            rest = after.trim_start();
            continue;
        }
        let inner = rest.strip_prefix("(Deprecated since ");
        let Some(inner) = inner.or_else(|| rest.strip_prefix("(Deprecated from ")) else {
            return Ok((class, deprecated));
        };
        let end = inner.split_once(')');
        let (stated, after) = end.ok_or("`(Deprecated` before its help text has no `)`")?;
        let release = ReleaseName::parse(stated.trim())
            .ok_or_else(|| format!("deprecated since `{stated}`, which is not the name of a release"))?;
        deprecated = Some(release);
        rest = after.trim_start();
    }
}

#[derive(Default)]
struct Reader<'t> {
    families: BTreeMap<&'t str, Family<'t>>,
    /// The family of the last comment.
    current: &'t str,
    skipped: Vec<Unreadable>,
    number: u32,
}

/// Why a line cannot be read, with the byte in it.
type LineError = (usize, String);

impl<'t> Reader<'t> {
    fn line(&mut self, line: &'t str) -> Result<(), LineError> {
        let line = line.trim_end_matches('\r');
        if let Some(comment) = line.strip_prefix("# ") {
            let help = comment.strip_prefix("HELP ").map(|rest| (rest, true));
            let found = help.or_else(|| Some((comment.strip_prefix("TYPE ")?, false)));
            return found.map_or(Ok(()), |(rest, is_help)| self.comment(line, rest, is_help));
        }
        if line.starts_with('#') || line.trim().is_empty() {
            return Ok(());
        }
        self.sample(line)
    }

    /// `# HELP name text` and `# TYPE name type`.
    fn comment(&mut self, line: &'t str, rest: &'t str, is_help: bool) -> Result<(), LineError> {
        let offset = line.len() - rest.len();
        let (name, value) = match rest.strip_prefix('"') {
            Some(quoted) => quoted
                .split_once('"')
                .ok_or((offset, "a quoted name does not end".to_owned()))?,
            None => {
                let (name, value) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
                check_unquoted(name).map_err(|reason| (offset, reason))?;
                (name, value)
            }
        };
        check_name(name).map_err(|reason| (offset, reason))?;
        let number = self.number;
        let family = self.families.entry(name).or_default();
        self.current = name;
        let slot = if is_help {
            &mut family.help
        } else {
            &mut family.metric_type
        };
        let value = value.trim();
        if slot.is_some_and(|known| known != value) {
            let what = if is_help { "help text" } else { "type" };
            return Err((
                offset,
                format!("metric {name} has a second {what}: the first one counts"),
            ));
        }
        *slot = Some(value);
        if is_help {
            family.line = number;
        }
        Ok(())
    }

    /// `name{label="value"} 1`, or `{"name",label="value"} 1`.
    fn sample(&mut self, line: &'t str) -> Result<(), LineError> {
        let end = line.find(['{', ' ', '\t']).unwrap_or(line.len());
        let (mut name, mut rest) = line.split_at_checked(end).unwrap_or((line, ""));
        if !(name.is_empty() && rest.starts_with('{')) {
            check_unquoted(name).map_err(|reason| (0, reason))?;
        }
        let mut labels: Vec<&'t str> = Vec::new();
        if rest.starts_with('{') {
            let after = label_names(line, end + 1, &mut name, &mut labels)?;
            rest = line.get(after..).unwrap_or_default();
        }
        check_name(name).map_err(|reason| (0, reason))?;
        let value = rest.trim_start();
        if !is_value(value) {
            return Err((line.len() - value.len(), format!("a sample of {name} without a value")));
        }
        let family = self.family(name);
        let number = self.number;
        let family = self.families.entry(family).or_insert_with(|| Family {
            line: number,
            ..Family::default()
        });
        family.labels.get_or_insert_default().extend(labels);
        Ok(())
    }

    fn family(&self, sample: &'t str) -> &'t str {
        let parts: &[&str] = match self.families.get(self.current).and_then(|family| family.metric_type) {
            Some("histogram") => &["_bucket", "_sum", "_count", "_created"],
            Some("summary") => &["", "_sum", "_count", "_created"],
            Some("gaugehistogram") => &["_bucket", "_gsum", "_gcount"],
            Some("counter") => &["", "_total", "_created"],
            Some("info") => &["", "_info"],
            _ => &[""],
        };
        match sample.strip_prefix(self.current) {
            Some(part) if !self.current.is_empty() && parts.contains(&part) => self.current,
            _ => sample,
        }
    }
}

/// Reads labels from after the brace, and returns where the brace closes. A first one without a value is the metric's
/// name.
fn label_names<'t>(
    line: &'t str,
    from: usize,
    name: &mut &'t str,
    labels: &mut Vec<&'t str>,
) -> Result<usize, LineError> {
    let bytes = line.as_bytes();
    let mut at = skip_blanks(bytes, from);
    while bytes.get(at) != Some(&b'}') {
        let start = at;
        let label = if bytes.get(at) == Some(&b'"') {
            at = closing(bytes, at + 1).ok_or((start, "a name does not end".to_owned()))?;
            line.get(start + 1..at - 1).unwrap_or_default()
        } else {
            at = skip(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            line.get(start..at).unwrap_or_default()
        };
        at = skip_blanks(bytes, at);
        if bytes.get(at) == Some(&b'=') {
            at = skip_blanks(bytes, at + 1);
            let value = bytes.get(at).filter(|byte| **byte == b'"');
            let end = value.and_then(|_| closing(bytes, at + 1));
            at = skip_blanks(bytes, end.ok_or((at, "a label without a value in quotes".to_owned()))?);
            check_name(label).map_err(|reason| (start, reason))?;
            labels.push(label);
        } else if name.is_empty() && bytes.get(start) == Some(&b'"') {
            *name = label;
        } else {
            return Err((start, "expected `label=\"value\"` or `}`".to_owned()));
        }
        at = match bytes.get(at) {
            Some(b',') => skip_blanks(bytes, at + 1),
            Some(b'}') => at,
            _ => return Err((at, "expected `,` or `}`".to_owned())),
        };
    }
    Ok(at + 1)
}

fn skip(bytes: &[u8], from: usize, fits: fn(u8) -> bool) -> usize {
    let rest = bytes.iter().skip(from);
    from + rest.take_while(|byte| fits(**byte)).count()
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    skip(bytes, from, |byte| matches!(byte, b' ' | b'\t'))
}

/// The byte after the quote that closes a string.
fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => 2,
            _ => 1,
        };
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err("a name is empty or has control characters".to_owned());
    }
    Ok(())
}

fn check_unquoted(name: &str) -> Result<(), String> {
    let mut chars = name.chars();
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))
    {
        let name: String = name.chars().take(LONGEST_SHOWN).collect();
        return Err(format!(
            "`{name}` is not a valid name: it may have letters, digits, `_` and `:`, or anything in quotes"
        ));
    }
    Ok(())
}

/// Whether a value begins here: a number, or `NaN`, `+Inf`, `-Inf`.
fn is_value(text: &str) -> bool {
    let text = text.split([' ', '\t']).next().unwrap_or_default();
    text.parse::<f64>().is_ok()
}

pub(super) fn is_sample(line: &str) -> bool {
    Reader::default().sample(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(help: &str) -> Result<(Option<MetricStability>, Option<String>), String> {
        marks(help).map(|(class, deprecated)| (class, deprecated.map(|release| release.to_string())))
    }

    #[test]
    fn marks_precede_the_help_text_in_either_order() {
        let alpha = Some(MetricStability::Alpha);
        let deprecated = Some("1.20".to_owned());
        assert_eq!(of("[ALPHA] Help."), Ok((alpha, None)));
        assert_eq!(
            of("(Deprecated since 1.20.0) [ALPHA] Help."),
            Ok((alpha, deprecated.clone()))
        );
        assert_eq!(
            of("[ALPHA] (Deprecated since 1.20.0) Help."),
            Ok((alpha, deprecated.clone()))
        );
        assert_eq!(of("[alpha] (Deprecated from 1.20) Help."), Ok((alpha, deprecated)));
        assert_eq!(of("Help [ALPHA] of it."), Ok((None, None)));
        assert_eq!(of("[Deprecated] Help."), Ok((None, None)));
        assert!(of("(Deprecated since soon) Help.").is_err());
        assert!(of("(Deprecated since 1.2").is_err());
    }
}
