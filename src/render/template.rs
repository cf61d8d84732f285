//! Templates: written for Tera 2, their output escaped as its format needs.

use std::collections::BTreeMap;

use serde::Serialize;
use tera::{Context, ErrorKind, Kwargs, State, Tera, Value};

use super::{turns_direction, visible};

/// Why a template could not be read, or does not fit what it is to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.place())]
pub struct TemplateError {
    /// The file, as the user named it.
    pub file: Option<String>,
    /// Line and column, both from 1.
    pub at: Option<(usize, usize)>,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The lines around it, with a mark below the place; empty where there is no place.
    pub excerpt: String,
}

impl TemplateError {
    /// What is to be shown cannot be written as data.
    pub(super) fn of_data(problem: &str) -> Self {
        Self {
            file: None,
            at: None,
            message: problem.to_owned(),
            excerpt: String::new(),
        }
    }

    fn place(&self) -> String {
        match (&self.file, self.at) {
            (Some(file), Some((line, column))) => format!("{file}:{line}:{column}: "),
            (Some(file), None) => format!("{file}: "),
            (None, _) => String::new(),
        }
    }
}

/// What the output of a template is, told by the ending of its name: what is escaped in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escaping {
    Markdown,
    Html,
    None,
}

impl Escaping {
    fn of(name: &str) -> Self {
        let ending = name
            .rsplit_once('.')
            .map_or("", |(_, ending)| ending)
            .to_ascii_lowercase();
        match ending.as_str() {
            "md" | "markdown" => Self::Markdown,
            "html" | "htm" | "xml" => Self::Html,
            _ => Self::None,
        }
    }
}

/// Templates by name, and where each comes from.
#[derive(Debug, Clone, Default)]
pub struct Templates(BTreeMap<String, (String, String)>);

impl Templates {
    /// Adds a template, in place of one of the same name. `origin` is what its user calls it.
    pub fn put(&mut self, name: &str, origin: &str, text: &str) {
        self.0.insert(name.to_owned(), (origin.to_owned(), text.to_owned()));
    }

    /// The names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is a template of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Renders a template. What it shows is escaped for the format that its name's ending tells: Markdown (`.md`), HTML
    /// (`.html`, `.htm`, `.xml`), or nothing.
    ///
    /// # Errors
    ///
    /// If a template cannot be read, or asks for what is not there.
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, TemplateError> {
        let failed = |problem: &tera::Error| self.error(problem);
        let escaping = Escaping::of(name);
        let mut tera = Tera::default();
        prepare(&mut tera, escaping);
        let templates = self.0.iter().map(|(name, (_, text))| (name.as_str(), text.as_str()));
        tera.add_raw_templates(templates.collect::<Vec<_>>())
            .map_err(|problem| failed(&problem))?;
        let context = Context::from_serialize(context).map_err(|problem| failed(&problem))?;
        tera.render(name, &context).map_err(|problem| failed(&problem))
    }

    fn error(&self, problem: &tera::Error) -> TemplateError {
        let origin = |name: &str| {
            self.0
                .get(name)
                .map_or_else(|| name.to_owned(), |(origin, _)| origin.clone())
        };
        match problem.kind() {
            ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
                let (line, column) = (report.span().start_line, report.span().start_col + 1);
                let text = self.0.get(report.filename()).map_or("", |(_, text)| text);
                TemplateError {
                    file: Some(origin(report.filename())),
                    at: Some((line, column)),
                    message: report.message().to_owned(),
                    excerpt: excerpt(text, line, column),
                }
            }
            other => {
                // Some faults come as finished text, which names templates and not their files.
                let named = self.0.iter().fold(other.to_string(), |text, (name, (origin, _))| {
                    text.replace(&format!(" --> {name}:"), &format!(" --> {origin}:"))
                });
                TemplateError {
                    file: None,
                    at: None,
                    message: named.trim_end().to_owned(),
                    excerpt: String::new(),
                }
            }
        }
    }
}

/// A line of a template with a mark below a column.
fn excerpt(text: &str, line: usize, column: usize) -> String {
    let Some(content) = text.lines().nth(line.saturating_sub(1)) else {
        return String::new();
    };
    let before: String = content
        .chars()
        .take(column.saturating_sub(1))
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let number = line.to_string();
    let blank = " ".repeat(number.len());
    format!("{number} | {content}\n{blank} | {before}^")
}

/// What templates can use beside what Tera brings: name, and what it does.
pub const FILTERS: [(&str, &str); 5] = [
    (
        "code",
        "a name as code: between backticks in Markdown, in `<code>` in HTML, as it is elsewhere",
    ),
    (
        "when",
        "a release with its day, as far as there is one: `1.25 (2022-08-23)`, `1.39 (projected 2027-04-26)`",
    ),
    (
        "level",
        "a level of stability as people write it: `GA`, `beta`, `stable`",
    ),
    (
        "short",
        "an id without the word that says what sort of thing it is: of `gate Frobber2D`, `Frobber2D`",
    ),
    ("flat", "the lists of a list as one list"),
];

/// How many numbers `range` makes at most: a slip in a template must not take all memory.
const LONGEST_RANGE: i64 = 100_000;

fn prepare(tera: &mut Tera, escaping: Escaping) {
    // An ending that every name has: everything is escaped, in the way of the template that is rendered.
    tera.autoescape_on([""]);
    match escaping {
        Escaping::Markdown => {
            tera.set_escape_fn(|text, out| out.write_all(markdown(text).as_bytes()));
        }
        Escaping::Html => {
            tera.set_escape_fn(|text, out| out.write_all(html(text).as_bytes()));
        }
        // Control characters are wanted nowhere.
        Escaping::None => tera.set_escape_fn(|text, out| out.write_all(visible(text).as_bytes())),
    }
    tera.register_filter("code", move |name: &str, _: Kwargs, _: &State<'_>| match escaping {
        Escaping::Markdown => Value::safe_string(&code_span(name)),
        Escaping::Html => Value::safe_string(&format!("<code>{}</code>", html(name))),
        Escaping::None => Value::from(name),
    });
    tera.register_filter("when", |moment: Value, _: Kwargs, _: &State<'_>| when(&moment));
    tera.register_filter("level", |level: &str, _: Kwargs, _: &State<'_>| match level {
        "ga" => "GA".to_owned(),
        other => other.to_owned(),
    });
    tera.register_filter("short", |id: &str, _: Kwargs, _: &State<'_>| {
        let sorts = ["cli ", "gate ", "metric ", "behavior ", "config "];
        let short = sorts.iter().find_map(|sort| id.strip_prefix(sort));
        short.unwrap_or(id).to_owned()
    });
    tera.register_filter(
        "flat",
        |lists: Vec<Value>, _: Kwargs, _: &State<'_>| -> tera::TeraResult<Vec<Value>> {
            let mut items = Vec::new();
            for list in lists {
                let list = list
                    .as_array()
                    .ok_or_else(|| tera::Error::message("`flat` takes a list of lists"))?;
                items.extend_from_slice(list);
            }
            Ok(items)
        },
    );
    tera.register_function("range", range);
}

#[expect(clippy::needless_pass_by_value, reason = "Tera hands them over so")]
fn range(arguments: Kwargs, _: &State<'_>) -> tera::TeraResult<Value> {
    let start = arguments.get::<i64>("start")?.unwrap_or(0);
    let end = arguments.must_get::<i64>("end")?;
    let step = arguments.get::<i64>("step_by")?.unwrap_or(1);
    if step < 1 || end.saturating_sub(start) / step > LONGEST_RANGE {
        let message = format!("`range` makes at most {LONGEST_RANGE} numbers, with steps of 1 or more");
        return Err(tera::Error::message(message));
    }
    let mut numbers = Vec::new();
    let mut next = start;
    while next < end {
        numbers.push(next);
        next = next.saturating_add(step);
    }
    Ok(Value::from_serializable(&numbers))
}

/// A release in words, with its day.
fn when(moment: &Value) -> tera::TeraResult<String> {
    let text = |name: &'static str| moment.get_from_path(name).and_then(Value::as_str);
    let Some(release) = text("release") else {
        return Err(tera::Error::message(
            "`when` takes a release, such as `item.release` or `element.removed`",
        ));
    };
    // The calendar may end before a bound.
    let or_later = moment.get_from_path("at_least").and_then(Value::as_bool) == Some(true);
    let release = if or_later {
        format!("{release} or later")
    } else {
        release.to_owned()
    };
    Ok(match text("date") {
        Some(date) if text("date_kind") == Some("projected") => format!("{release} (projected {date})"),
        Some(date) => format!("{release} ({date})"),
        None => release,
    })
}

/// What a user typed, as text of a Markdown page or a table's cell in it: nothing in it ends the line or the cell, begins
/// a tag, a link, a heading or emphasis.
pub(super) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        match c {
            // Within a word an underscore stands for itself.
            '_' if before.is_alphanumeric() && after.is_alphanumeric() => safe.push('_'),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => safe.extend(['\\', c]),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            c if c.is_control() || turns_direction(c) => safe.push(' '),
            c => safe.push(c),
        }
        before = c;
    }
    safe
}

/// What a user typed, as a code span of Markdown: fenced by more backticks than it has in a row.
fn code_span(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() || turns_direction(c) { ' ' } else { c })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A pipe would end a table's cell even within code.
    let text = text.replace('|', "\\|");
    if text.starts_with('`') || text.ends_with('`') || text.trim().is_empty() {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// What a user typed, as text or an attribute's value of HTML.
pub(super) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if (c.is_control() && c != '\n' && c != '\t') || turns_direction(c) => {
                safe.push(char::REPLACEMENT_CHARACTER);
            }
            c => safe.push(c),
        }
    }
    safe
}
