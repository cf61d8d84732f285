//! Findings for people: the place in the file, underlined, with the reason and the next step.

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::report::{DiagnosticReport, LabelReport};
use crate::source::Sources;

use super::{Look, visible};

/// Lines shown before and after a place: the renderer needs no more of the source, and is slow on large ones.
const CONTEXT_LINES: u32 = 1;

/// Lines longer than this, with those around them, are not shown: nobody finds the place in them.
const LONGEST_LINES: usize = 20_000;

/// One finding, ending in an empty line.
pub fn finding(finding: &DiagnosticReport<'_>, sources: &Sources<'_>, look: Look) -> String {
    let level = match finding.severity {
        "error" => Level::ERROR,
        "warning" => Level::WARNING,
        _ => Level::NOTE,
    };
    let known = finding.known.map(|_| format!("known {}", finding.severity));
    let level = match known {
        Some(name) => level.with_name(name),
        None => level,
    };
    let number = finding
        .number
        .as_ref()
        .map_or_else(String::new, |number| format!(" #{number}"));
    let id = format!("{}{number}: {}", finding.rule, finding.code);
    let mut group = Group::with_title(level.primary_title(visible(&finding.message)).id(id));
    let mut labels = finding.labels.as_slice();
    while let Some((first, rest)) = labels.split_first() {
        // What lies within the lines that are shown anyway is marked there.
        let near = rest.iter().take_while(|label| is_near(first, label)).count();
        let (near, others) = rest.split_at(near);
        let primary = labels.len() == finding.labels.len();
        group = group.element(place(first, near, sources, primary));
        labels = others;
    }
    for fact in &finding.because {
        group = group.element(Level::NOTE.message(visible(&fact.text)));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    let groups: [Group<'_>; 1] = [group];
    let renderer = if look.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let text = renderer.term_width(usize::from(look.width)).render(&groups);
    // Carriage returns have become blanks at the ends of lines.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n\n", lines.join("\n"))
}

/// Whether a place lies within the lines that are shown around another.
fn is_near(shown: &LabelReport, label: &LabelReport) -> bool {
    shown.span.file == label.span.file && shown.line.abs_diff(label.line) <= CONTEXT_LINES
}

/// The place: with the lines around it, or by its line and column alone where those are too long to be shown.
fn place<'s>(label: &'s LabelReport, near: &'s [LabelReport], sources: &Sources<'_>, primary: bool) -> Element<'s> {
    match snippet(label, near, sources, primary) {
        Some(snippet) => snippet.into(),
        None => Origin::path(label.file.as_str())
            .line(label.line as usize)
            .char_column(label.column as usize)
            .into(),
    }
}

/// The lines around a place, cut out of the source.
fn snippet<'s>(
    label: &'s LabelReport,
    near: &'s [LabelReport],
    sources: &Sources<'_>,
    primary: bool,
) -> Option<Snippet<'s, Annotation<'s>>> {
    let file = sources.file(label.span.file)?;
    let first = label.line.saturating_sub(CONTEXT_LINES).max(1);
    let start = file.line_start(first) as usize;
    let last = file.line_start(label.line + CONTEXT_LINES + 1) as usize;
    let text = file.text.get(start..last)?;
    if text.len() > LONGEST_LINES {
        return None;
    }
    // Tabs aside, control characters would move the underline; each becomes as many spaces as it has bytes.
    let text = visible_same_length(text.trim_end_matches(['\n', '\r']));
    let mark = |label: &'s LabelReport, kind: AnnotationKind| {
        let line_end = file.line_start(label.line + 1) as usize;
        let end = (label.span.end as usize).min(line_end).max(label.span.start as usize);
        let range = (label.span.start as usize).checked_sub(start)?..end.checked_sub(start)?;
        let range = range.start.min(text.len())..range.end.min(text.len());
        let words = (!label.text.is_empty()).then_some(label.text.as_str());
        Some(kind.span(range).label(words))
    };
    let kind = if primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    };
    let own = mark(label, kind)?;
    let others: Vec<_> = near
        .iter()
        .filter_map(|label| mark(label, AnnotationKind::Context))
        .collect();
    Some(
        Snippet::source(text.clone())
            .line_start(first as usize)
            .path(label.file.as_str())
            .annotation(own)
            .annotations(others),
    )
}

/// The same text with control characters as spaces, byte for byte as long.
fn visible_same_length(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let hidden = c.is_control() && c != '\n' && c != '\t';
            let width = if hidden { c.len_utf8() } else { 1 };
            std::iter::repeat_n(if hidden { ' ' } else { c }, width)
        })
        .collect()
}
