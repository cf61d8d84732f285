//! What filters, operators and printed values take: a template may name one long text many times in one expression.
//!
//! Pipes bind tighter than every operator, so a filter that counts is put behind each operand.

use super::tags::{Tag, is_word};
use super::used::{HOLD, WRITE};

/// Filters that take no time for long values.
const CHEAP: [&str; 13] = [
    "abs",
    "default",
    "first",
    "float",
    "get",
    "int",
    "keys",
    "last",
    "length",
    "nth",
    "pluralize",
    "round",
    "values",
];

/// How many times as long as what they are given the results of filters may be, at most, and the memory of lists.
const GROWING: [(&str, usize); 5] = [
    ("escape", 8),
    ("escape_html", 8),
    ("escape_xml", 8),
    ("newlines_to_br", 8),
    ("split", 64),
];

/// Filters that write, compare or sort the items of a list as a whole.
const WHOLE: [&str; 5] = ["join", "safe", "sort", "str", "unique"];

/// More brackets within each other than Tera reads.
const DEEPEST: usize = 64;

/// Spreading an item of a list into another one costs this many times what a filter does that is given it.
const OF_ITEM: usize = 8;

/// The calls for the operands in a tag, each with its offset in the source.
pub(super) fn operators(tag: Tag<'_>, found: &mut Vec<(usize, String)>) {
    // The parameters of a component are no expressions.
    if tag.words().0 == "component" {
        return;
    }
    let tokens = Tokens::of(tag);
    // Tera refuses it.
    if tokens.depth > DEEPEST {
        return;
    }
    let joins = tokens.all.iter().filter(|(_, token)| *token == "~").count();
    for at in 0..tokens.all.len() {
        let calls = tokens.calls(at, joins).into_iter().flatten();
        found.extend(calls.map(|(offset, call)| (tag.begin + offset, call)));
    }
    if tag.text.starts_with("{{") {
        writes(tag, &tokens, found);
    } else if let (Some((at, "filter")), name) = (tokens.first(), tokens.text(tokens.trimmed() + 1)) {
        let call = of_filter(name);
        let name = tag.begin + at + "filter".len();
        found.push((name, format!(" {} |", call.trim_start_matches([' ', '|']))));
    }
}

fn of_filter(name: &str) -> String {
    let growth = GROWING.iter().find(|(growing, _)| *growing == name);
    hold(growth.map_or(1, |(_, times)| *times), WHOLE.contains(&name))
}

fn hold(times: usize, whole: bool) -> String {
    format!(" | {HOLD}(times={times}, whole={whole}) ")
}

/// Counts the value that a tag prints: a name is printed as before, so that errors about it stay the same.
fn writes(tag: Tag<'_>, tokens: &Tokens<'_>, found: &mut Vec<(usize, String)>) {
    let inner = &tag.text[2..tag.text.len() - 2];
    let (begin, end) = (usize::from(inner.starts_with('-')), usize::from(inner.ends_with('-')));
    if inner.len() < begin + end {
        return;
    }
    let expression = inner[begin..inner.len() - end].trim();
    let names = &tokens.all[begin..tokens.all.len().saturating_sub(end).max(begin)];
    // What a component prints is counted within it.
    if expression.is_empty() || expression.starts_with('<') {
        return;
    }
    let is_path = names
        .iter()
        .all(|(_, token)| *token == "." || token.starts_with(is_word));
    match names.first() {
        // Only numbers.
        Some((_, "loop")) if is_path => {}
        Some((_, name)) if is_path && !name.starts_with(|c: char| c.is_ascii_digit()) => {
            let path = names.iter().map(|(_, token)| if *token == "." { "?." } else { *token });
            let (path, trim) = (path.collect::<String>(), if begin > 0 { "-" } else { "" });
            found.push((tag.begin, format!("{{{{{trim} {WRITE}(value={path}) }}}}")));
        }
        _ => {
            found.push((tag.begin + 2 + begin, "(".to_owned()));
            found.push((tag.end - 2 - end, format!(") | {WRITE} ")));
        }
    }
}

/// The tokens of a tag.
struct Tokens<'s> {
    /// Words, strings and other characters, with their offsets.
    all: Vec<(usize, &'s str)>,
    /// For each bracket, the first token after the one that closes it.
    closed: Vec<usize>,
    /// For each token of an operand, the first one of it.
    begins: Vec<usize>,
    /// How many brackets are within each other.
    depth: usize,
    /// The first token of a component.
    component: Option<usize>,
    /// The first token after each component.
    components: Vec<usize>,
}

/// A call, and its offset in the tag.
type Call = (usize, String);

impl<'s> Tokens<'s> {
    fn of(tag: Tag<'s>) -> Self {
        let all = tag.tokens();
        let mut tokens = Self {
            closed: vec![all.len(); all.len()],
            begins: (0..all.len()).collect(),
            all,
            depth: 0,
            component: None,
            components: Vec::new(),
        };
        let mut open = Vec::new();
        for at in 0..tokens.all.len() {
            if let Some(before) = at.checked_sub(1).filter(|_| tokens.goes_on(at)) {
                tokens.begins[at] = tokens.begins[before];
            }
            match tokens.text(at) {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(begin) = open.pop() {
                        tokens.closed[begin] = at + 1;
                        tokens.begins[at] = tokens.begins[begin];
                    }
                }
                "<" if tokens.component.is_none() && !tokens.is_after_operand(at) => tokens.component = Some(at),
                ">" if tokens.before(at) == "/" => tokens.components.push(at + 1),
                _ => {}
            }
            tokens.depth = tokens.depth.max(open.len());
        }
        tokens
    }

    /// The calls that count what an operator takes: its operands, or only the left one where that decides.
    fn calls(&self, at: usize, joins: usize) -> [Option<Call>; 2] {
        let (offset, token) = self.all[at];
        let next = self.text(at + 1);
        match token {
            "~" => {
                let after = self.operand_end(at + 1);
                let right = self.end(after).filter(|_| self.text(after) != "~");
                let call = hold(2 * joins, true);
                [Some((offset, call.clone())), right.map(|end| (end, call))]
            }
            "|" if !CHEAP.contains(&next) => [Some((offset, of_filter(next))), None],
            "is" if next == "containing" || (next == "not" && self.text(at + 2) == "containing") => {
                [Some((offset, hold(1, true))), None]
            }
            "=" | "!" if next == "=" && !matches!(self.before(at), "=" | "!" | "<" | ">") => {
                [Some((offset, hold(1, true))), None]
            }
            "<" | ">" if self.compares(at) => [Some((offset, hold(1, true))), None],
            "in" => [
                self.end(self.operand_end(at + 1)).map(|end| (end, hold(1, false))),
                None,
            ],
            // Three points spread the items of what follows.
            "." if next == "." && self.text(at + 2) == "." => [
                self.end(self.operand_end(at + 3))
                    .map(|end| (end, hold(OF_ITEM, false))),
                None,
            ],
            "[" if (self.is_after_operand(at) || self.before(at) == "?") && self.slices(at) => {
                let after = self.closed[at];
                let end = self.end(after);
                let call = hold(1, false);
                // A slice has no fields: Tera refuses to read one of what is in brackets.
                if matches!(self.text(after), "." | "?" | "[") {
                    let (begin, _) = self.all[self.begins[at]];
                    return [Some((begin, "(".to_owned())), end.map(|end| (end, call + ")"))];
                }
                [end.map(|end| (end, call)), None]
            }
            _ => [None, None],
        }
    }

    /// Whether an angle compares, and is not of a component.
    fn compares(&self, at: usize) -> bool {
        self.is_after_operand(at) && self.component.is_none_or(|component| at < component)
    }

    fn is_after_operand(&self, at: usize) -> bool {
        let before = self.before(at);
        let is_keyword = matches!(before, "and" | "or" | "not" | "in" | "if" | "elif" | "else" | "is");
        !is_keyword && before.starts_with(|c| is_word(c) || matches!(c, ')' | ']' | '}' | '"' | '\'' | '`'))
    }

    /// Whether a token belongs to the operand that the token before it is of.
    fn goes_on(&self, at: usize) -> bool {
        let is_read_of = matches!(self.text(at), "." | "?" | "|" | "[" | "(");
        let [before, earlier] = [1, 2].map(|back| at.checked_sub(back));
        let is_within = before.zip(earlier).is_some_and(|(before, earlier)| {
            matches!(self.text(before), "." | "?" | "|") && self.begins[before] == self.begins[earlier]
        });
        (is_read_of && self.is_after_operand(at)) || is_within
    }

    /// Whether a bracket takes a part of what is before it.
    fn slices(&self, at: usize) -> bool {
        let mut depth = 0_usize;
        let mut within = (at..self.closed[at]).filter(|at| {
            match self.text(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 1 && self.text(*at) == ":"
        });
        within.next().is_some()
    }

    /// How many marks that trim spaces are before the first word.
    fn trimmed(&self) -> usize {
        usize::from(self.text(0) == "-")
    }

    fn first(&self) -> Option<(usize, &'s str)> {
        self.all.get(self.trimmed()).copied()
    }

    fn text(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |(_, token)| token)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.text(at))
    }

    /// Where the token before this one ends.
    fn end(&self, at: usize) -> Option<usize> {
        let (offset, token) = self.all.get(at.checked_sub(1)?)?;
        Some(offset + token.len())
    }

    /// The first token after an operand: a name, text, list or call, with what is read of it, and its filters.
    fn operand_end(&self, at: usize) -> usize {
        let mut at = match self.text(at) {
            "(" | "[" | "{" => self.closed[at],
            "<" => self.component_end(at),
            "-" => at + 2,
            "." => at,
            _ => at + 1,
        };
        loop {
            at = match self.text(at) {
                "[" | "(" => self.closed[at],
                "." | "|" => at + 2,
                "?" => at + 1,
                _ => return at.min(self.all.len()),
            };
        }
    }

    fn component_end(&self, from: usize) -> usize {
        let after = self.components.partition_point(|end| *end <= from);
        self.components.get(after).copied().unwrap_or(self.all.len())
    }
}
