//! Templates for Tera 2, whose output is escaped for its format.
//!
//! The words of drafts are in templates, in one file of components (`templates/notes/words.md`), and the context is
//! data only: whoever writes other templates need not parse sentences. What a template shows is escaped for the format
//! that its extension sets, so that no template can forget it.

mod bounded;
mod data;
mod error;
mod filters;
mod operators;
mod tags;
mod used;
mod work;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicI64, Ordering};

use serde::Serialize;
use tera::{Context, Kwargs, State, Tera, Value};

use crate::grammar::without_word;
use crate::report::SectionName;

use super::xml::Escaped;
use super::{turns_direction, visible};

pub use error::TemplateError;
pub use filters::FILTERS;
use work::Counted;

/// How the output of a template is escaped, by the ending of its name.
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

/// Templates by name, each with its file and its text.
#[derive(Debug, Clone, Default)]
pub struct Templates(BTreeMap<String, (String, String)>);

impl Templates {
    /// Adds or replaces a template. `origin` is its file, for messages.
    pub fn put(&mut self, name: &str, origin: &str, text: &str) {
        self.0.insert(name.to_owned(), (origin.to_owned(), text.to_owned()));
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Whether there is such a template.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Renders a template. Values are escaped by the ending of its name: for Markdown (`.md`), for HTML (`.html`,
    /// `.htm`, `.xml`), or not at all.
    ///
    /// # Errors
    ///
    /// If a template cannot be read, or uses an unknown name.
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, TemplateError> {
        let context = data::context(context);
        let context = context.map_err(|error| TemplateError::of_file(self.origin(name), &error.to_string()))?;
        self.refuse_long_chains()?;
        self.refuse_whole_context()?;
        // Tera recurses for each level of a template, and of a value that one builds.
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK);
            let rendering = builder.spawn_scoped(scope, || self.render_here(name, &context));
            let rendering = rendering.map_err(|problem| TemplateError::of_data(&problem.to_string()))?;
            match rendering.join() {
                Ok(rendered) => rendered,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn render_here(&self, name: &str, context: &Context) -> Result<String, TemplateError> {
        let mut tera = Tera::default();
        prepare(&mut tera, Escaping::of(name));
        used::count(&mut tera);
        let longest = self.0.values().map(|(_, text)| text.len()).max().unwrap_or(0);
        let templates = self.0.iter();
        let counted = templates.map(|(name, (_, text))| (name.as_str(), Counted::of(text, longest)));
        let counted: BTreeMap<&str, Counted> = counted.collect();
        if let Some((name, _)) = counted.iter().find(|(_, counted)| counted.has_costly_errors()) {
            let message = "it has too many tags for its length; put it into several templates, and each tag on a line";
            return Err(TemplateError::of_file(self.origin(name), message));
        }
        let templates = counted.iter().map(|(name, counted)| (*name, counted.text.as_str()));
        tera.add_raw_templates(templates.collect::<Vec<_>>())
            .map_err(|error| TemplateError::of(&error, &self.0, &counted))?;
        let mut out = Bounded(Vec::new());
        let rendered = tera.render_to(name, context, &mut out);
        if out.0.len() >= LARGEST {
            let message = format!("its output exceeds {} MiB", LARGEST >> 20);
            return Err(TemplateError::of_file(self.origin(name), &message));
        }
        rendered.map_err(|error| TemplateError::of(&error, &self.0, &counted))?;
        String::from_utf8(out.0).map_err(|problem| TemplateError::of_data(&problem.to_string()))
    }

    /// Reading a template takes stack for each `elif`.
    fn refuse_long_chains(&self) -> Result<(), TemplateError> {
        let mut templates = self.0.values();
        match templates.find(|(_, text)| text.matches("elif").count() > LONGEST_CHAIN) {
            Some((origin, _)) => {
                let message = format!("it uses `elif` more than {LONGEST_CHAIN} times; use a map of values instead");
                Err(TemplateError::of_file(origin, &message))
            }
            None => Ok(()),
        }
    }

    /// Tera prints all variables at once in an order that varies between runs.
    fn refuse_whole_context(&self) -> Result<(), TemplateError> {
        let mut templates = self.0.values();
        match templates.find(|(_, text)| text.contains(WHOLE_CONTEXT)) {
            Some((origin, _)) => {
                let message = format!(
                    "`{WHOLE_CONTEXT}` has no order; `lifecycle notes --context` prints the variables, each by its name"
                );
                Err(TemplateError::of_file(origin, &message))
            }
            None => Ok(()),
        }
    }

    /// The file of a template.
    fn origin<'t>(&'t self, name: &'t str) -> &'t str {
        self.0.get(name).map_or(name, |(origin, _)| origin)
    }
}

/// The stack for deeply nested templates.
const STACK: usize = 256 << 20;

/// The most `elif` in one template.
const LONGEST_CHAIN: usize = 1_000;

/// The variable of Tera that has all the others.
const WHOLE_CONTEXT: &str = "__tera_context";

/// The largest output. A mistake in a template can produce more.
const LARGEST: usize = 256 << 20;

/// Output up to [`LARGEST`].
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = LARGEST.saturating_sub(self.0.len()).min(bytes.len());
        self.0.extend_from_slice(&bytes[..room]);
        Ok(room)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The most numbers that `range` produces at once: a mistake in a template must not take all memory.
const LONGEST_RANGE: i64 = 100_000;

/// The most numbers that it produces in all: loops in loops take as long as these.
const MOST_NUMBERS: i64 = 10_000_000;

fn prepare(tera: &mut Tera, escaping: Escaping) {
    // Every name has this ending: all templates are escaped in the way of the one that is rendered.
    tera.autoescape_on([""]);
    match escaping {
        Escaping::Markdown => {
            tera.set_escape_fn(|text, out| out.write_all(markdown(text).as_bytes()));
        }
        Escaping::Html => {
            tera.set_escape_fn(|text, out| write!(out, "{}", Escaped(text)));
        }
        // Control characters are always replaced.
        Escaping::None => tera.set_escape_fn(|text, out| out.write_all(visible(text).as_bytes())),
    }
    tera.register_filter("code", move |name: &str, _: Kwargs, _: &State<'_>| match escaping {
        Escaping::Markdown => Value::safe_string(&code_span(name)),
        Escaping::Html => Value::safe_string(&format!("<code>{}</code>", Escaped(name))),
        Escaping::None => Value::from(name),
    });
    tera.register_filter("when", |moment: Value, _: Kwargs, _: &State<'_>| when(&moment));
    tera.register_filter("level", |level: &str, _: Kwargs, _: &State<'_>| match level {
        "ga" => "GA".to_owned(),
        other => other.to_owned(),
    });
    tera.register_filter("short", |id: &str, _: Kwargs, _: &State<'_>| {
        without_word(id).to_owned()
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
    tera.register_filter("cell", |text: &str, _: Kwargs, _: &State<'_>| {
        Value::safe_string(&text.replace('|', "\\|"))
    });
    tera.register_filter("group_by", group_by);
    // Those of Tera put no limit on what they make, or on how long that takes.
    tera.register_filter("replace", bounded::replace);
    tera.register_filter("join", bounded::join);
    tera.register_filter("unique", bounded::unique);
    let left = AtomicI64::new(MOST_NUMBERS);
    tera.register_function("range", move |arguments: Kwargs, _: &State<'_>| {
        range(&arguments, &left)
    });
    tera.register_function("section_names", |_: Kwargs, _: &State<'_>| {
        Value::from_serializable(SectionName::ALL)
    });
}

/// Groups items by a path. The order of Tera's own filter of this name varies between runs.
#[expect(clippy::needless_pass_by_value, reason = "Tera passes them by value")]
fn group_by(items: Vec<Value>, arguments: Kwargs, _: &State<'_>) -> tera::TeraResult<Value> {
    let attribute = arguments.must_get::<&str>("attribute")?;
    let mut keys: Vec<Value> = Vec::new();
    let mut groups: Vec<Vec<Value>> = Vec::new();
    let mut places: HashMap<(bool, String), usize> = HashMap::new();
    for item in items {
        let Some(key) = item.get_from_path(attribute).filter(|key| !key.is_none()).cloned() else {
            continue;
        };
        let at = *places.entry(bounded::written(&key)).or_insert(keys.len());
        if at == keys.len() {
            keys.push(key);
            groups.push(Vec::new());
        }
        groups[at].push(item);
    }
    let pairs = keys.into_iter().zip(groups.into_iter().map(Value::from));
    let listed: Vec<BTreeMap<&str, Value>> = pairs
        .map(|(key, items)| BTreeMap::from([("key", key), ("items", items)]))
        .collect();
    Ok(Value::from_serializable(&listed))
}

fn range(arguments: &Kwargs, left: &AtomicI64) -> tera::TeraResult<Value> {
    let start = arguments.get::<i64>("start")?.unwrap_or(0);
    let end = arguments.must_get::<i64>("end")?;
    let step = arguments.get::<i64>("step_by")?.unwrap_or(1);
    if step < 1 || end.saturating_sub(start) / step > LONGEST_RANGE {
        let message = format!("`range` produces at most {LONGEST_RANGE} numbers, in steps of at least 1");
        return Err(tera::Error::message(message));
    }
    let count = end.saturating_sub(start).max(0) / step + 1;
    if left.fetch_sub(count, Ordering::Relaxed) < count {
        let message = format!("`range` produces at most {MOST_NUMBERS} numbers in all");
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

/// A release with its date.
fn when(moment: &Value) -> tera::TeraResult<String> {
    let Some(release) = text(moment, "release") else {
        return Err(tera::Error::message(
            "`when` takes a release, such as `item.release` or `element.removed`",
        ));
    };
    let or_later = moment.get_from_path("at_least").and_then(Value::as_bool) == Some(true);
    let release = if or_later {
        format!("{release} or later")
    } else {
        release.to_owned()
    };
    Ok(match text(moment, "date") {
        Some(date) if text(moment, "date_kind") == Some("projected") => format!("{release} (projected {date})"),
        Some(date) => format!("{release} ({date})"),
        None => release,
    })
}

fn text<'m>(moment: &'m Value, name: &'m str) -> Option<&'m str> {
    moment.get_from_path(name).and_then(Value::as_str)
}

/// What a user typed, as text of a Markdown page or a cell of its tables: nothing in it ends the line or the cell, or
/// begins a tag, a link, a heading or emphasis.
pub(super) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        match c {
            // Within a word an underscore is literal.
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

/// What a user typed, as a code span of Markdown, between more backticks than it has in a row.
fn code_span(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() || turns_direction(c) { ' ' } else { c })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if text.starts_with('`') || text.ends_with('`') || text.trim().is_empty() {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}
