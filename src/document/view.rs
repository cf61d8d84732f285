//! Views into a parsed document.

use std::ops::Range;

use chrono::NaiveDate;
use strum::VariantArray;
use toml::value::Datetime;

use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::source::{FileId, Span};

use super::Diagnostics;
use super::diagnostics::RULE;
use super::tree::{Kind, NodeId, ROOT, Tree};

/// A key and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key<'d> {
    /// The key, quotes and escapes resolved.
    pub(crate) name: &'d str,
    /// Its place.
    pub(crate) span: Span,
}

/// A string value and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'d> {
    /// The string.
    pub text: &'d str,
    /// Its place, quotes included.
    pub span: Span,
}

/// A table of the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'d>(View<'d>);

/// A value of the document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'d>(View<'d>);

/// A node of a document's tree.
#[derive(Debug, Clone, Copy)]
struct View<'d> {
    file: FileId,
    tree: &'d Tree<'d>,
    node: NodeId,
}

impl<'d> View<'d> {
    fn at(self, node: NodeId) -> Self {
        Self { node, ..self }
    }

    fn kind(self) -> Kind {
        self.tree.kind(self.node)
    }

    fn children(self) -> impl Iterator<Item = Self> + use<'d> {
        self.tree.children(self.node).iter().map(move |node| self.at(*node))
    }

    fn entry(self) -> (Key<'d>, Value<'d>) {
        let key = Key {
            name: self.tree.key(self.node),
            span: self.span_of(self.tree.key_range(self.node)),
        };
        (key, Value(self))
    }

    fn span(self) -> Span {
        self.span_of(self.tree.value_range(self.node))
    }

    fn span_of(self, range: Range<u32>) -> Span {
        Span {
            file: self.file,
            start: range.start,
            end: range.end,
        }
    }
}

impl<'d> Table<'d> {
    pub(super) fn root(file: FileId, tree: &'d Tree<'d>) -> Self {
        Self(View { file, tree, node: ROOT })
    }

    /// Where the table is: its header, or its braces.
    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }

    /// The entries, by key.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Key<'d>, Value<'d>)> + use<'d> {
        self.0.children().map(View::entry)
    }

    /// How many entries it has.
    pub(crate) fn size(&self) -> usize {
        self.0.tree.children(self.0.node).len()
    }

    /// The entry with this key.
    pub(crate) fn get(&self, name: &str) -> Option<(Key<'d>, Value<'d>)> {
        let node = self.0.tree.child(self.0.node, name)?;
        Some(self.0.at(node).entry())
    }
}

impl<'d> Value<'d> {
    /// Where the value is.
    pub(crate) fn span(&self) -> Span {
        self.0.span()
    }

    fn scalar(&self) -> &'d str {
        self.0.tree.scalar(self.0.node)
    }

    /// The type in words, with its article.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.0.kind() {
            Kind::String => "a string",
            Kind::Integer { .. } => "a whole number",
            Kind::Float => "a number",
            Kind::Boolean(_) => "a boolean",
            Kind::Datetime => "a date",
            Kind::Array => "a list",
            Kind::Table => "a table",
        }
    }

    /// A scalar without quotes: a string as it is meant, a number or boolean as written.
    pub(crate) fn plain_text(&self) -> String {
        let is_empty = self.0.tree.children(self.0.node).is_empty();
        match self.0.kind() {
            Kind::Integer { radix: 2 } => format!("0b{}", self.scalar()),
            Kind::Integer { radix: 8 } => format!("0o{}", self.scalar()),
            Kind::Integer { radix: 16 } => format!("0x{}", self.scalar()),
            Kind::String | Kind::Integer { .. } | Kind::Float | Kind::Datetime => self.scalar().to_owned(),
            Kind::Boolean(value) => value.to_string(),
            Kind::Array => if is_empty { "[]" } else { "[…]" }.to_owned(),
            Kind::Table => if is_empty { "{}" } else { "{…}" }.to_owned(),
        }
    }

    /// The digits of a number, as written.
    pub(super) fn number_text(&self) -> Option<&'d str> {
        matches!(self.0.kind(), Kind::Integer { .. } | Kind::Float).then(|| self.scalar())
    }

    /// The string, if it is one.
    pub(crate) fn as_word(&self) -> Option<Word<'d>> {
        (self.0.kind() == Kind::String).then(|| Word {
            text: self.scalar(),
            span: self.span(),
        })
    }

    /// The boolean, if it is one.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.0.kind() {
            Kind::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub(crate) fn as_table(&self) -> Option<Table<'d>> {
        (self.0.kind() == Kind::Table).then_some(Table(self.0))
    }

    /// The items of a list, if it is one.
    pub(crate) fn as_list(&self) -> Option<impl Iterator<Item = Value<'d>> + use<'d>> {
        (self.0.kind() == Kind::Array).then(|| self.0.children().map(Value))
    }

    /// The string; anything else is an error.
    pub(crate) fn word(&self, diagnostics: &mut Diagnostics) -> Option<Word<'d>> {
        self.expect(self.as_word(), "a string", diagnostics)
    }

    /// The boolean; anything else is an error.
    pub(crate) fn boolean(&self, diagnostics: &mut Diagnostics) -> Option<bool> {
        self.expect(self.as_bool(), "true or false", diagnostics)
    }

    /// A severity by its name; anything else is an error.
    pub(crate) fn severity(&self, diagnostics: &mut Diagnostics) -> Option<Severity> {
        let word = self.word(diagnostics)?;
        let severity = word.text.parse().ok();
        if severity.is_none() {
            let names: Vec<&str> = Severity::VARIANTS.iter().rev().map(|known| known.as_str()).collect();
            diagnostics.unknown_word("a severity", word.text, word.span, &names);
        }
        severity
    }

    /// The table; anything else is an error.
    pub(crate) fn table(&self, diagnostics: &mut Diagnostics) -> Option<Table<'d>> {
        self.expect(self.as_table(), "a table", diagnostics)
    }

    /// The strings of a list, or one string alone; anything else is an error.
    pub(crate) fn words(&self, diagnostics: &mut Diagnostics) -> Vec<Word<'d>> {
        match self.as_list() {
            Some(items) => items.filter_map(|item| item.word(diagnostics)).collect(),
            None => self
                .expect(self.as_word(), "a string or a list of strings", diagnostics)
                .into_iter()
                .collect(),
        }
    }

    /// The items of a list; anything else is an error.
    pub(crate) fn list(&self, diagnostics: &mut Diagnostics) -> Vec<Value<'d>> {
        match self.as_list() {
            Some(items) => items.collect(),
            None => self.expect(None, "a list", diagnostics).unwrap_or_default(),
        }
    }

    /// A whole number within bounds; anything else is an error.
    pub(crate) fn whole(&self, least: u32, most: u32, diagnostics: &mut Diagnostics) -> Option<u32> {
        let number = match self.0.kind() {
            Kind::Integer { radix } => u32::from_str_radix(self.scalar(), radix.into()).ok(),
            _ => None,
        };
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let message = format!("expected a whole number from {least} to {most}");
            diagnostics.at(
                "wrong-type",
                self.span(),
                message,
                "write a number in that range, without quotes",
            );
        }
        number
    }

    /// A day, as a TOML date or a quoted one; anything else is an error.
    pub(crate) fn day(&self, diagnostics: &mut Diagnostics) -> Option<NaiveDate> {
        let day = match self.0.kind() {
            Kind::Datetime => {
                let date = self.scalar().parse().ok().and_then(|moment: Datetime| moment.date);
                date.and_then(|date| NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into()))
            }
            Kind::String => self.scalar().parse().ok(),
            _ => None,
        };
        self.expect(day, "a date such as 2017-09-28", diagnostics)
    }

    fn expect<T>(&self, read: Option<T>, expected: &str, diagnostics: &mut Diagnostics) -> Option<T> {
        if read.is_none() {
            diagnostics.wrong_type(self, expected);
        }
        read
    }
}

impl Diagnostics {
    /// Adds an error about a key that is not known here.
    pub(crate) fn unknown_key(&mut self, key: &Key<'_>, known: &[&str]) {
        let help = did_you_mean(key.name, known.iter().copied())
            .unwrap_or_else(|| format!("known keys here: {}", known.join(", ")));
        self.push(
            Diagnostic::error(RULE, "unknown-key", format!("unknown key `{}`", key.name))
                .at(key.span, "not known here")
                .help(help),
        );
    }

    /// Adds an error about a value of the wrong type.
    pub(crate) fn wrong_type(&mut self, value: &Value<'_>, expected: &str) {
        let found = value.type_name();
        let help = match value.number_text() {
            Some(text) if expected.contains("release") || text.contains('.') => {
                format!("write releases in quotes: \"{text}\" (as a number, 1.10 would be 1.1)")
            }
            _ => format!("write {expected} here"),
        };
        self.push(
            Diagnostic::error(RULE, "wrong-type", format!("expected {expected}, found {found}"))
                .at(value.span(), format!("{found}, not {expected}"))
                .help(help),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;
    use crate::source::FileId;

    #[test]
    fn errors_are_collected_and_reading_goes_on() {
        let document = Document::parse(FileId(0), "a = 1.8\nb = \"x\"\n");
        let mut diagnostics = Diagnostics::default();
        let read: Vec<_> = document
            .root()
            .entries()
            .filter_map(|(_, value)| value.word(&mut diagnostics))
            .collect();
        assert_eq!(read.len(), 1);
        let diagnostics = diagnostics.into_vec();
        assert_eq!(diagnostics[0].code, "wrong-type");
    }

    #[test]
    fn one_syntax_error_is_reported_per_line() {
        let document = Document::parse(FileId(0), "a = [1, 2\nb = = 3\nc = 4\n");
        assert!(!document.syntax_errors().is_empty() && document.syntax_errors().len() <= 3);
    }

    #[test]
    fn dates_may_be_quoted() {
        let document = Document::parse(FileId(0), "a = 2017-09-28\nb = \"2017-09-28\"\n");
        let mut diagnostics = Diagnostics::default();
        let days: Vec<_> = document
            .root()
            .entries()
            .map(|(_, value)| value.day(&mut diagnostics))
            .collect();
        assert!(days[0].is_some() && days[0] == days[1] && diagnostics.is_empty());
    }
}
