//! Uses as findings.

use super::PAGE;
use super::record::Manner;
use super::surface::Fate;
use super::uses::Use;
use crate::diagnostic::{Change, Diagnostic, Fact, Severity, Used, UsedEvent};
use crate::grammar::{ElementPath, MemberName, rest_within};
use crate::release::DateKind;
use crate::source::{FileId, SourceFile, Span};

/// Bytes of a line that are searched for a version: more than a key with a version has.
const LONGEST: usize = 2_000;

/// The findings about uses in a text. What is off is left out.
pub(crate) fn findings(uses: &[Use<'_>], file: FileId, text: &str) -> Vec<Diagnostic> {
    let source = SourceFile::new("", text);
    let may_be_fixed = !uses.is_empty() && !has_aliases(text);
    let found = uses.iter().map(|found| finding(found, file, &source, may_be_fixed));
    found.filter(|finding| finding.severity > Severity::Off).collect()
}

fn finding(found: &Use<'_>, file: FileId, source: &SourceFile<'_>, may_be_fixed: bool) -> Diagnostic {
    let fate = found.fate;
    let code = code(found);
    let severity = found
        .surface
        .severities
        .get(code)
        .copied()
        .unwrap_or_else(|| PAGE.severity(code));
    let verb = match found.manner {
        Manner::Has => "uses",
        Manner::Refers => "refers to",
        Manner::Applied => "was last applied as",
        Manner::Managed => "has managed fields of",
    };
    let happens = match (&fate.removed, &fate.deprecated) {
        (Some(removed), _) => happens("removed", removed),
        (None, Some(deprecated)) => happens("deprecated", deprecated),
        (None, None) => String::new(),
    };
    let message = format!("{} {verb} {}, {happens}", found.object, fate.id);
    let (span, is_value) = span(found, file, source);
    let mut diagnostic = Diagnostic::error(PAGE.slug, code, message)
        .severity(severity)
        .about(fate.id.clone())
        .found_in(found.object.clone())
        .at(span, "");
    // An alias repeats what others have too.
    let instead = found.instead.iter().filter(|_| is_value && may_be_fixed);
    diagnostic.fix.extend(instead.map(|text| Change::Replace {
        place: span,
        text: text.clone(),
    }));
    if let (Some(_), Some(deprecated)) = (&fate.removed, &fate.deprecated) {
        diagnostic.because.push(Fact {
            text: happens_in_full(deprecated),
            ..Fact::default()
        });
    }
    diagnostic.help = Some(help(fate));
    diagnostic.used = Some(Box::new(Used {
        deprecated: fate.deprecated.clone(),
        removed: fate.removed.clone(),
        replacement: fate.replacement.clone(),
    }));
    diagnostic
}

fn help(fate: &Fate) -> String {
    match (&fate.replacement, &fate.lost_replacement) {
        (Some(replacement), _) if fate.is_replaced_later => {
            let other = other(&fate.id, replacement);
            format!("use {other} instead, which the release in use does not have yet")
        }
        (Some(replacement), _) => format!("use {} instead", other(&fate.id, replacement)),
        (None, Some((replacement, removed))) => {
            format!(
                "nothing replaces it: {replacement} is {} too",
                happens("removed", removed)
            )
        }
        (None, None) => "the model names no replacement".to_owned(),
    }
}

/// What to use instead of an element: of a member of the same kind, only its own part of the id.
fn other(id: &str, replacement: &str) -> String {
    use ElementPath::Member;
    use MemberName::Value;
    match [id, replacement].map(ElementPath::parse) {
        [
            Ok(Member(own, Value { path, .. })),
            Ok(Member(kind, Value { path: same, value })),
        ] if own == kind && path == same => {
            format!("`{value}`")
        }
        [Ok(Member(own, _)), Ok(Member(kind, _))] if own == kind => {
            let part = rest_within(replacement, &own.to_string());
            part.unwrap_or(replacement).trim_start().to_owned()
        }
        _ => replacement.to_owned(),
    }
}

fn code(found: &Use<'_>) -> &'static str {
    let fate = found.fate;
    let is_declared = fate
        .removed
        .as_ref()
        .or(fate.deprecated.as_ref())
        .is_some_and(|event| event.declared);
    match (found.manner, &fate.removed, is_declared) {
        (Manner::Applied, ..) => "last-applied",
        (Manner::Managed, ..) => "managed-fields",
        (_, Some(_), true) => "removed",
        (_, Some(_), false) => "removal-planned",
        (_, None, true) => "deprecated",
        (_, None, false) => "deprecation-planned",
    }
}

fn happens(what: &str, event: &UsedEvent) -> String {
    let planned = if event.declared { "" } else { "planned to be " };
    format!("{planned}{what} in {}", moment(event))
}

fn happens_in_full(deprecated: &UsedEvent) -> String {
    let release = moment(deprecated);
    if deprecated.declared {
        format!("deprecated since {release}")
    } else {
        format!("planned to be deprecated in {release}")
    }
}

/// "1.25 (2022-08-23)".
fn moment(event: &UsedEvent) -> String {
    let release = &event.release;
    match (&event.date, event.date_kind) {
        (None, _) => release.clone(),
        (Some(date), DateKind::Projected) => format!("{release} (projected {date})"),
        (Some(date), _) => format!("{release} ({date})"),
    }
}

/// The value that is the use; else its key, or the line at which the object begins. Also whether it is the value.
fn span(found: &Use<'_>, file: FileId, source: &SourceFile<'_>) -> (Span, bool) {
    let (key, value) = &found.written;
    let start = found.place.and_then(|place| source.offset(place));
    let start = start.unwrap_or_default() as usize;
    let line = beginning(source.text.get(start..).unwrap_or_default());
    let unquoted = line.trim_start_matches(['"', '\'']);
    let quotes = line.len() - unquoted.len();
    let end = if !key.is_empty() && unquoted.starts_with(key.as_str()) {
        quotes * 2 + key.len()
    } else {
        0
    };
    let own = value.as_deref().and_then(|value| value_after(line, end, value));
    let is_value = own.is_some();
    let range = own.unwrap_or(0..end.min(line.len()));
    (Span::of(file, start + range.start..start + range.end), is_value)
}

/// The beginning of the first line of a text.
fn beginning(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].lines().next().unwrap_or_default()
}

/// Where a whole value stands after its key in a line, without quotes.
fn value_after(line: &str, key_end: usize, value: &str) -> Option<std::ops::Range<usize>> {
    let rest = line.get(key_end..)?;
    let after = rest.trim_start().strip_prefix(':')?.trim_start();
    let after = after.strip_prefix(['"', '\'']).unwrap_or(after);
    let behind = after.strip_prefix(value)?;
    let ends = behind.is_empty() || behind.starts_with(|c: char| c.is_whitespace() || "\"',}".contains(c));
    ends.then(|| {
        let start = line.len() - after.len();
        start..start + value.len()
    })
}

/// Whether a text may repeat parts of itself by aliases.
fn has_aliases(text: &str) -> bool {
    let marks = [": *", "- *", "[*", ", *", "<<:"];
    marks.iter().any(|mark| text.contains(mark))
}
