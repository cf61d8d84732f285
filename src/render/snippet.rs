//! Findings for people: the source with the place underlined, the reason and the next step.

use std::io::{self, Write};

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::Severity;
use crate::report::{DiagnosticReport, LabelReport};
use crate::source::{SourceFile, Sources};

use super::wrap::{broken_after, wrapped};
use super::{Findings, Style, numbered_fact, one_line};

/// Lines shown before and after a place. The renderer is slow on long texts, so that it gets no more than these.
const CONTEXT_LINES: u32 = 1;

/// Of a longer line, only the part around a place is shown, without the lines above and below.
const LONGEST_LINE: usize = 400;

/// The bytes of a long line that are shown before a place; after its beginning, twice as many.
const AROUND: usize = 30;

/// The columns before the text of a note: the line number is rarely longer.
const MARGIN: usize = 16;

/// The most findings that are shown with their lines, which is slow: nobody reads as many in a terminal.
const MOST_SHOWN: usize = 2_000;

/// Findings, each followed by an empty line.
pub(super) fn each<'f, 'a: 'f>(
    findings: impl Iterator<Item = &'f DiagnosticReport<'a>>,
    given: &Findings<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut findings = findings;
    for finding in findings.by_ref().take(MOST_SHOWN) {
        out.write_all(self::finding(finding, given.sources, given.style).as_bytes())?;
    }
    match findings.count() {
        0 => Ok(()),
        more => writeln!(out, "… and {more} more findings: `--format json` lists all\n"),
    }
}

/// One finding, followed by an empty line.
pub fn finding(finding: &DiagnosticReport<'_>, sources: &Sources<'_>, style: Style) -> String {
    finding_of(finding, &[], sources, style)
}

/// The most elements that are listed as having the same finding.
const MOST_NAMES: usize = 8;

/// "the same for a, b and 3 more; `--all` shows each".
pub(super) fn same_for(others: &[&str]) -> String {
    let (listed, more) = others.split_at(others.len().min(MOST_NAMES));
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("the same for {}{more}; `--all` shows each", listed.join(", "))
}

/// One finding that `others` have as well, followed by an empty line.
pub(super) fn finding_of(
    finding: &DiagnosticReport<'_>,
    others: &[&str],
    sources: &Sources<'_>,
    style: Style,
) -> String {
    let name = match finding.known {
        Some(_) => format!("known {}", finding.severity),
        None => finding.severity.to_string(),
    };
    let id = format!("{}: {}", rule_with_number(finding), finding.code);
    let width = usize::from(style.width);
    let title = Title::of(&name, &id, &finding.message, width);
    let level = level(finding.severity).with_name(name);
    let mut group = Group::with_title(level.primary_title(title.text.as_str()).id(id));
    let mut labels = finding.labels.as_slice();
    while let Some((first, rest)) = labels.split_first() {
        // A place within the lines that are shown is marked in them.
        let near = rest.iter().take_while(|label| is_near(first, label)).count();
        let (near, others) = rest.split_at(near);
        let primary = labels.len() == finding.labels.len();
        group = group.elements(place(first, near, sources, primary));
        labels = others;
    }
    for fact in &finding.because {
        let text = broken(&numbered_fact(fact), width.saturating_sub(MARGIN));
        group = group.element(Level::NOTE.message(text));
    }
    if !others.is_empty() {
        let text = broken(&same_for(others), width.saturating_sub(MARGIN));
        group = group.element(Level::NOTE.message(text));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(broken(help, width.saturating_sub(MARGIN))));
    }
    let groups: [Group<'_>; 1] = [group];
    let text = title.outdented(&style.renderer().render(&groups));
    // Carriage returns have become spaces at the ends of lines.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n\n", lines.join("\n"))
}

/// The message of a finding after its severity and its id.
pub(super) struct Title {
    /// The message in lines.
    pub(super) text: String,
    /// How far the renderer indents the lines after the first.
    indent: usize,
    /// How many these are.
    more: usize,
}

/// How far the lines of a message after the first are indented.
const OUTDENTED: usize = 4;

impl Title {
    /// The message after `severity[id]: `, in lines that fit where those after the first are indented a little only.
    pub(super) fn of(severity: &str, id: &str, message: &str, width: usize) -> Self {
        let id = if id.is_empty() {
            0
        } else {
            id.chars().count() + "[]".len()
        };
        let indent = severity.len() + id + ": ".len();
        let text = broken_after(
            &one_line(message),
            width.saturating_sub(indent),
            width.saturating_sub(OUTDENTED),
        );
        Self {
            indent,
            more: text.matches('\n').count(),
            text,
        }
    }

    /// What the renderer has drawn, with the lines of the message moved to the left.
    pub(super) fn outdented(&self, drawn: &str) -> String {
        let indent = " ".repeat(self.indent);
        let less = " ".repeat(OUTDENTED.min(self.indent));
        let lines = drawn.split('\n').enumerate().map(|(at, line)| {
            if (1..=self.more).contains(&at) {
                line.replacen(&indent, &less, 1)
            } else {
                line.to_owned()
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// How a severity is shown.
pub(super) fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note | Severity::Off => Level::NOTE,
    }
}

/// The rule of a finding: `version-lifetime #4a`.
pub(super) fn rule_with_number(finding: &DiagnosticReport<'_>) -> String {
    let number = finding.number.iter().map(|number| format!(" #{number}"));
    format!("{}{}", finding.rule, number.collect::<String>())
}

impl Style {
    /// What draws text with this width and these colors.
    pub(super) fn renderer(self) -> Renderer {
        let renderer = if self.color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.term_width(usize::from(self.width))
    }
}

/// Whether a place is within the lines that are shown around another.
fn is_near(shown: &LabelReport, label: &LabelReport) -> bool {
    let (shown, label) = (&shown.region, &label.region);
    shown.span.file == label.span.file && shown.start.line.abs_diff(label.start.line) <= CONTEXT_LINES
}

/// The place with the lines around it; with a part of its own line, if they are long.
fn place<'s>(
    label: &'s LabelReport,
    near: &'s [LabelReport],
    sources: &Sources<'_>,
    primary: bool,
) -> Vec<Element<'s>> {
    if let Some(snippet) = snippet(label, near, sources, primary) {
        return vec![snippet.into()];
    }
    let place = Origin::path(one_line(&label.region.file))
        .line(label.region.start.line as usize)
        .char_column(label.region.start.column as usize);
    let part = part_of_line(label, sources, kind_of_mark(primary));
    std::iter::once(place.into()).chain(part.map(Into::into)).collect()
}

fn kind_of_mark(primary: bool) -> AnnotationKind {
    if primary {
        AnnotationKind::Primary
    } else {
        AnnotationKind::Context
    }
}

/// The lines around a place, cut out of the source, unless one is long.
fn snippet<'s>(
    label: &'s LabelReport,
    near: &'s [LabelReport],
    sources: &Sources<'_>,
    primary: bool,
) -> Option<Snippet<'s, Annotation<'s>>> {
    let file = sources.file(label.region.span.file)?;
    let first = label.region.start.line.saturating_sub(CONTEXT_LINES).max(1);
    let start = file.line_start(first) as usize;
    let last = file.line_start(label.region.start.line + CONTEXT_LINES + 1) as usize;
    let text = file.text.get(start..last)?;
    if text.lines().any(|line| line.len() > LONGEST_LINE) {
        return None;
    }
    // Except for tabs, control characters would move the underline; each becomes as many spaces as it has bytes.
    let text = visible_same_length(text.trim_end_matches(['\n', '\r']));
    let cut = Cut {
        file,
        start,
        length: text.len(),
    };
    let own = cut.mark(label, kind_of_mark(primary))?;
    let others = near.iter().filter_map(|label| cut.mark(label, AnnotationKind::Context));
    let others: Vec<_> = others.collect();
    let snippet = Snippet::source(text.clone()).line_start(first as usize);
    let snippet = snippet.path(one_line(&label.region.file));
    Some(snippet.annotation(own).annotations(others))
}

/// The part of a long line around a place.
fn part_of_line<'s>(
    label: &'s LabelReport,
    sources: &Sources<'_>,
    kind: AnnotationKind,
) -> Option<Snippet<'s, Annotation<'s>>> {
    let file = sources.file(label.region.span.file)?;
    let number = label.region.start.line;
    let (from, to) = (file.line_start(number) as usize, file.line_start(number + 1) as usize);
    let line = file.text.get(from..to)?.trim_end_matches(['\n', '\r']);
    let at = (label.region.span.start as usize).checked_sub(from)?.min(line.len());
    let mut before = (0..=at.saturating_sub(AROUND)).rev();
    let start = before.find(|at| line.is_char_boundary(*at))?;
    let mut after = at.saturating_add(AROUND * 2).min(line.len())..=line.len();
    let end = after.find(|at| line.is_char_boundary(*at))?;
    let text = visible_same_length(line.get(start..end)?);
    let cut = Cut {
        file,
        start: from + start,
        length: text.len(),
    };
    let mark = cut.mark(label, kind)?;
    Some(Snippet::source(text).line_start(number as usize).annotation(mark))
}

/// Text on as many lines as it needs.
pub(super) fn broken(text: &str, width: usize) -> String {
    wrapped(&one_line(text), width).join("\n")
}

/// A part of a file.
struct Cut<'c> {
    file: &'c SourceFile<'c>,
    /// Its first byte.
    start: usize,
    length: usize,
}

impl Cut<'_> {
    /// What underlines a label, up to the end of its first line.
    fn mark<'s>(&self, label: &'s LabelReport, kind: AnnotationKind) -> Option<Annotation<'s>> {
        let (first, last) = (label.region.span.start as usize, label.region.span.end as usize);
        let line_end = self.file.line_start(label.region.start.line + 1) as usize;
        let start = first.checked_sub(self.start)?.min(self.length);
        let end = last.min(line_end).max(first).checked_sub(self.start)?.min(self.length);
        let words = (!label.text.is_empty()).then_some(label.text.as_str());
        Some(kind.span(start..end).label(words))
    }
}

/// The same text with control characters as spaces, byte for byte as long.
fn visible_same_length(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let hidden = (c.is_control() && c != '\n' && c != '\t') || super::separates(c);
            let width = if hidden { c.len_utf8() } else { 1 };
            std::iter::repeat_n(if hidden { ' ' } else { c }, width)
        })
        .collect()
}
