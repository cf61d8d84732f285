//! Views into a parsed document.

use chrono::NaiveDate;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Severity;
use crate::source::Span;

use super::parts::Origin;

use super::Diagnostics;

/// A key and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key<'d> {
    /// The key, quotes and escapes resolved.
    pub name: &'d str,
    /// Its place.
    pub span: Span,
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
pub struct Table<'d> {
    span: Span,
    origin: Origin,
    entries: &'d DeTable<'d>,
}

/// A value of the document.
#[derive(Debug, Clone, Copy)]
pub struct Value<'d> {
    span: Span,
    origin: Origin,
    content: &'d DeValue<'d>,
}

impl<'d> Table<'d> {
    pub(super) fn root(origin: Origin, entries: &'d DeTable<'d>) -> Self {
        Self {
            span: origin.span(0..0),
            origin,
            entries,
        }
    }

    /// Where the table is: its header, or its braces.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, by key.
    pub fn entries(&self) -> impl Iterator<Item = (Key<'d>, Value<'d>)> + use<'d> {
        let origin = self.origin;
        self.entries.iter().map(move |(key, value)| {
            let name = Key {
                name: key.get_ref(),
                span: origin.span(key.span()),
            };
            (name, Value::new(origin, value))
        })
    }

    /// The entry with this key.
    pub fn get(&self, name: &str) -> Option<(Key<'d>, Value<'d>)> {
        let origin = self.origin;
        let (key, value) = self.entries.get_key_value(name)?;
        let key = Key {
            name: key.get_ref(),
            span: origin.span(key.span()),
        };
        Some((key, Value::new(origin, value)))
    }
}

impl<'d> Value<'d> {
    fn new(origin: Origin, value: &'d toml::Spanned<DeValue<'d>>) -> Self {
        Self {
            span: origin.span(value.span()),
            origin,
            content: value.get_ref(),
        }
    }

    /// Where the value is.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The type in words, with its article.
    pub fn type_name(&self) -> &'static str {
        match self.content {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        }
    }

    /// A scalar in plain words: a string without its quotes, a number or boolean as written.
    pub fn plain_text(&self) -> String {
        match self.content {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(value) => value.to_string(),
            DeValue::Datetime(moment) => moment.to_string(),
            DeValue::Array(items) if items.is_empty() => "[]".to_owned(),
            DeValue::Array(_) => "[…]".to_owned(),
            DeValue::Table(entries) if entries.is_empty() => "{}".to_owned(),
            DeValue::Table(_) => "{…}".to_owned(),
        }
    }

    /// The digits of a number, as written.
    pub(super) fn number_text(&self) -> Option<&'d str> {
        match self.content {
            DeValue::Integer(number) => Some(number.as_str()),
            DeValue::Float(number) => Some(number.as_str()),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_word(&self) -> Option<Word<'d>> {
        match self.content {
            DeValue::String(text) => Some(Word { text, span: self.span }),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.content {
            DeValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<Table<'d>> {
        match self.content {
            DeValue::Table(entries) => Some(Table {
                span: self.span,
                origin: self.origin,
                entries,
            }),
            _ => None,
        }
    }

    /// The items of a list, if it is one.
    pub fn as_list(&self) -> Option<impl Iterator<Item = Value<'d>> + use<'d>> {
        let origin = self.origin;
        match self.content {
            DeValue::Array(items) => Some(items.iter().map(move |item| Value::new(origin, item))),
            _ => None,
        }
    }

    /// The string; anything else is a fault.
    pub fn word(&self, faults: &mut Diagnostics) -> Option<Word<'d>> {
        self.expect(self.as_word(), "a string", faults)
    }

    /// The boolean; anything else is a fault.
    pub fn boolean(&self, faults: &mut Diagnostics) -> Option<bool> {
        self.expect(self.as_bool(), "true or false", faults)
    }

    /// A severity by its name; anything else is a fault.
    pub fn severity(&self, faults: &mut Diagnostics) -> Option<Severity> {
        let word = self.word(faults)?;
        let severity = Severity::parse(word.text);
        if severity.is_none() {
            let names = Severity::ALL.map(Severity::as_str);
            faults.unknown_word("a severity", word.text, word.span, &names);
        }
        severity
    }

    /// The table; anything else is a fault.
    pub fn table(&self, faults: &mut Diagnostics) -> Option<Table<'d>> {
        self.expect(self.as_table(), "a table", faults)
    }

    /// The strings of a list, or one string alone; anything else is a fault.
    pub fn words(&self, faults: &mut Diagnostics) -> Vec<Word<'d>> {
        match self.as_list() {
            Some(items) => items.filter_map(|item| item.word(faults)).collect(),
            None => self
                .expect(self.as_word(), "a string or a list of strings", faults)
                .into_iter()
                .collect(),
        }
    }

    /// The items of a list; anything else is a fault.
    pub fn list(&self, faults: &mut Diagnostics) -> Vec<Value<'d>> {
        match self.as_list() {
            Some(items) => items.collect(),
            None => self.expect(None, "a list", faults).unwrap_or_default(),
        }
    }

    /// A whole number within bounds; anything else is a fault.
    pub fn whole(&self, least: u32, most: u32, faults: &mut Diagnostics) -> Option<u32> {
        let number = match self.content {
            DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let message = format!("expected a whole number from {least} to {most}");
            faults.at(
                "wrong-type",
                self.span,
                message,
                "write a number in that range, without quotes",
            );
        }
        number
    }

    /// A day, as a TOML date or a quoted one; anything else is a fault.
    pub fn day(&self, faults: &mut Diagnostics) -> Option<NaiveDate> {
        let day = match self.content {
            DeValue::Datetime(moment) => moment.date.and_then(|date| {
                NaiveDate::from_ymd_opt(i32::from(date.year), u32::from(date.month), u32::from(date.day))
            }),
            DeValue::String(text) => text.parse().ok(),
            _ => None,
        };
        self.expect(day, "a date such as 2017-09-28", faults)
    }

    fn expect<T>(&self, read: Option<T>, expected: &str, faults: &mut Diagnostics) -> Option<T> {
        if read.is_none() {
            faults.wrong_type(self, expected);
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::super::Document;
    use super::*;
    use crate::source::FileId;

    #[test]
    fn faults_are_collected_and_reading_goes_on() {
        let document = Document::parse(FileId(0), "a = 1.8\nb = \"x\"\n");
        let mut faults = Diagnostics::default();
        let read: Vec<_> = document
            .root()
            .entries()
            .filter_map(|(_, value)| value.word(&mut faults))
            .collect();
        assert_eq!(read.len(), 1);
        let faults = faults.into_vec();
        assert_eq!(faults[0].code, "wrong-type");
    }

    #[test]
    fn syntax_errors_are_one_a_line() {
        let document = Document::parse(FileId(0), "a = [1, 2\nb = = 3\nc = 4\n");
        assert!(!document.syntax_errors().is_empty() && document.syntax_errors().len() <= 3);
    }

    #[test]
    fn dates_may_be_quoted() {
        let document = Document::parse(FileId(0), "a = 2017-09-28\nb = \"2017-09-28\"\n");
        let mut faults = Diagnostics::default();
        let days: Vec<_> = document
            .root()
            .entries()
            .map(|(_, value)| value.day(&mut faults))
            .collect();
        assert!(days[0].is_some() && days[0] == days[1] && faults.is_empty());
    }
}
