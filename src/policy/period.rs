//! Windows as a policy states them: by the names of kinds of releases, which each calendar has its own list of.

use crate::document::{Diagnostics, Key as Written, Value};
use crate::release::{Calendar, Window};

/// A window as a policy states it, or several, of which the shortest counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Period {
    /// At least one.
    any: Vec<Part>,
}

/// One window of a period.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Part {
    /// Without its count of a kind.
    window: Window,
    of_kind: Option<(String, u16)>,
}

/// The most windows of which the shortest counts.
const MOST_ALTERNATIVES: usize = 8;

impl Period {
    /// Its windows on a calendar: the shortest one counts.
    pub(crate) fn on<'p>(&'p self, calendar: &'p Calendar) -> impl ExactSizeIterator<Item = Window> + 'p {
        self.any.iter().map(|part| Window {
            of_kind: part
                .of_kind
                .as_ref()
                .map(|(kind, count)| (calendar.kind_named(kind), *count)),
            ..part.window
        })
    }

    /// Its only window, where neither alternatives nor kinds can be stated.
    pub(crate) fn only(&self) -> Window {
        self.any.first().map_or_else(Window::default, |part| part.window)
    }

    /// Whether it sets no time at all.
    pub(crate) fn is_empty(&self) -> bool {
        let mut parts = self.any.iter();
        parts.any(|part| part.window.is_empty() && part.of_kind.is_none())
    }

    /// Whether it may end sooner than another one, on some calendar.
    pub(crate) fn is_shorter_than(&self, other: &Self) -> bool {
        let mut own = self.any.iter();
        own.any(|part| other.any.iter().all(|other| part.is_shorter_than(other)))
    }

    /// Lets lower bounds in months be missed by so many days.
    pub(super) fn grant(&mut self, grace_days: u16) {
        for part in &mut self.any {
            part.window.grace_days = grace_days;
        }
    }
}

impl Part {
    fn words(&self) -> String {
        let Some((kind, count)) = &self.of_kind else {
            return self.window.to_string();
        };
        // Only its name matters here, so that any calendar will do.
        let placed = Calendar::symbolic("X", 1, None).kind_named(kind);
        let window = Window {
            of_kind: Some((placed, *count)),
            ..self.window
        };
        let mut words = String::new();
        let _ = window.write_words(kind, &mut words);
        words
    }

    fn is_shorter_than(&self, other: &Self) -> bool {
        let loses_kind = other.of_kind.as_ref().is_some_and(|(kind, count)| {
            let own = self.of_kind.as_ref().filter(|(own, _)| own == kind);
            own.is_none_or(|(_, own)| own < count)
        });
        loses_kind || self.window.is_shorter_than(other.window)
    }
}

impl From<Window> for Period {
    fn from(window: Window) -> Self {
        Self {
            any: vec![Part { window, of_kind: None }],
        }
    }
}

/// In words: "9 months or 3 releases (whichever is longer)"; "the shorter of 2 releases and 1 lts release".
impl std::fmt::Display for Period {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> = self.any.iter().map(Part::words).collect();
        match &parts[..] {
            [only] => f.write_str(only),
            several => write!(f, "the shortest of {}", several.join(", ")),
        }
    }
}

/// Which parts a window may have.
#[derive(Debug, Clone, Copy)]
pub(super) enum Allowed<'a> {
    /// Months and releases: what counts from one such window to the next.
    Plain,
    /// All of the language, with these kinds of releases.
    Full(&'a [String]),
}

/// Reads a window, or a list of several of which the shortest counts: `{ any = [{ months = 12 }, { releases = 4 }] }`.
pub(super) fn read(value: Value<'_>, allowed: Allowed<'_>, diagnostics: &mut Diagnostics) -> Option<Period> {
    let table = value.table(diagnostics)?;
    let Some((_, any)) = table.get("any").filter(|_| matches!(allowed, Allowed::Full(_))) else {
        return Some(Period {
            any: vec![read_part(value, allowed, diagnostics)?],
        });
    };
    for (key, _) in table.entries().filter(|(key, _)| key.name != "any") {
        let help = "write each choice in the list: any = [{ months = 12 }, { releases = 4 }]";
        diagnostics.at("two-ways", key.span, "a window is one, or any of several", help);
    }
    let parts = any.list(diagnostics);
    let is_few = (1..=MOST_ALTERNATIVES).contains(&parts.len());
    if !is_few {
        let message = format!("a list of 1 to {MOST_ALTERNATIVES} windows is needed");
        let help = "any = [{ months = 12 }, { releases = 4 }]";
        diagnostics.at("wrong-type", any.span(), message, help);
        return None;
    }
    let parts = parts
        .into_iter()
        .filter_map(|part| read_part(part, allowed, diagnostics));
    let any: Vec<Part> = parts.collect();
    (!any.is_empty()).then_some(Period { any })
}

/// A window; `false` removes the one of the extended policy.
pub(super) fn read_or_false(value: Value<'_>, allowed: Allowed<'_>, diagnostics: &mut Diagnostics) -> Option<Period> {
    if value.as_bool() == Some(false) {
        return None;
    }
    read(value, allowed, diagnostics)
}

/// The kinds of release that may carry an event.
pub(super) fn read_kinds(value: Value<'_>, kinds: &[String], diagnostics: &mut Diagnostics) -> Vec<String> {
    let words = value.words(diagnostics);
    for word in words.iter().filter(|word| !is_kind(word.text, kinds)) {
        let known: Vec<&str> = ["major", "minor"]
            .into_iter()
            .chain(kinds.iter().map(String::as_str))
            .collect();
        diagnostics.unknown_word("a kind of release", word.text, word.span, &known);
    }
    words.iter().map(|word| word.text.to_owned()).collect()
}

fn read_part(value: Value<'_>, allowed: Allowed<'_>, diagnostics: &mut Diagnostics) -> Option<Part> {
    let mut part = Part::default();
    for (key, value) in value.table(diagnostics)?.entries() {
        match (key.name, allowed) {
            ("months", _) => part.window.months = size(value, 1200, diagnostics),
            ("releases", _) => part.window.releases = size(value, 1200, diagnostics),
            ("years", Allowed::Full(_)) => part.window.months = size(value, 100, diagnostics) * 12,
            ("days", Allowed::Full(_)) => part.window.days = size(value, 36_500, diagnostics),
            ("next-major", Allowed::Full(_)) => part.window.next_major = value.boolean(diagnostics) == Some(true),
            (kind, Allowed::Full(kinds)) if is_kind(kind, kinds) => {
                one_kind(&part, &key, diagnostics);
                part.of_kind = Some((kind.to_owned(), size(value, 100, diagnostics)));
            }
            (_, Allowed::Plain) => diagnostics.unknown_key(&key, &["months", "releases"]),
            (_, Allowed::Full(kinds)) => {
                let known = [
                    "months",
                    "releases",
                    "days",
                    "years",
                    "next-major",
                    "any",
                    "major",
                    "minor",
                ];
                let known: Vec<&str> = known.into_iter().chain(kinds.iter().map(String::as_str)).collect();
                diagnostics.unknown_key(&key, &known);
            }
        }
    }
    if part.window.days > 0 && part.window.months > 0 {
        let help = "write all of it in days or in months";
        diagnostics.at("two-ways", value.span(), "a window has days or months, not both", help);
    }
    Some(part)
}

fn one_kind(part: &Part, key: &Written<'_>, diagnostics: &mut Diagnostics) {
    if part.of_kind.is_some() {
        let help = "count one of them";
        diagnostics.at("two-ways", key.span, "a window counts one kind of release", help);
    }
}

/// Whether a policy may name this kind of release: a built-in one, or one that it lists.
pub(super) fn is_kind(name: &str, kinds: &[String]) -> bool {
    ["major", "minor"].contains(&name) || kinds.iter().any(|kind| kind == name)
}

fn size(value: Value<'_>, most: u32, diagnostics: &mut Diagnostics) -> u16 {
    let size = value.whole(0, most, diagnostics);
    size.and_then(|size| u16::try_from(size).ok()).unwrap_or_default()
}
