//! Reads a valid document from the parser's events, without a tree of its own in between.
//!
//! Only what is plainly valid is read. What is not, or takes TOML's rules about tables that are extended from several
//! places, is declined: then [`super::full`] reads the text, with all messages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use toml::value::Datetime;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::lexer::TokenKind;
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, ParseError, Raw, Source, Span};

use super::tree::{Kind, NodeId, ROOT, Tree, TreeBuilder, Written};

/// How many tokens are parsed at a time, so that not all tokens of a large text are held at once.
const PORTION: usize = 4096;

/// How deep keys and values may nest here; the full parser allows somewhat more.
const DEEPEST: usize = 64;

/// Reads a text, or declines to.
pub(super) fn read(text: &str) -> Option<Tree<'_>> {
    Reader::new(Source::new(text), Part::Whole).read()
}

/// The same of lines without headers.
pub(super) fn read_lines(text: &str) -> Option<Tree<'_>> {
    Reader::new(Source::new(text), Part::Lines).read()
}

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// The lines of one table: headers are declined.
    Lines,
}

/// A table that later keys or headers may extend.
#[derive(Debug, Clone, Copy)]
struct Extensible {
    table: NodeId,
    origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// `[a.b]` implies `a`.
    Implied,
    /// `[a]` defines `a`.
    Header,
    /// `[[a]]` adds to `a`; the table is the last one.
    List,
    /// `a.b = 1` implies `a`.
    Dotted,
}

struct Reader<'t> {
    source: Source<'t>,
    part: Part,
    tree: TreeBuilder<'t>,
    extensible: HashMap<(NodeId, &'t str), Extensible>,
    /// The table that the last header opened, and the arrays and inline tables open in it.
    open: Vec<NodeId>,
    /// Where the header that is being read begins.
    header: usize,
    /// The parts of the key or header that is being read.
    keys: Vec<Written>,
    /// The table and the key that the next value belongs to; `None` in an array.
    entry: Option<(NodeId, Written)>,
}

fn decline(error: &mut dyn ErrorSink) {
    error.report_error(ParseError::new("declined"));
}

impl<'t> Reader<'t> {
    fn new(source: Source<'t>, part: Part) -> Self {
        Self {
            source,
            part,
            tree: TreeBuilder::new(source.input()),
            extensible: HashMap::new(),
            open: vec![ROOT],
            header: 0,
            keys: Vec::new(),
            entry: None,
        }
    }

    fn read(mut self) -> Option<Tree<'t>> {
        u32::try_from(self.source.input().len()).ok()?;
        let mut declined: Option<ParseError> = None;
        let mut tokens = Vec::with_capacity(PORTION);
        let mut depth = 0_usize;
        for token in self.source.lex() {
            tokens.push(token);
            let is_end = match token.kind() {
                TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                    depth += 1;
                    false
                }
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                    depth = depth.saturating_sub(1);
                    false
                }
                TokenKind::Newline => depth == 0 && tokens.len() >= PORTION,
                kind => kind == TokenKind::Eof,
            };
            if is_end {
                parse_document(&tokens, &mut self, &mut declined);
                if declined.is_some() {
                    return None;
                }
                tokens.clear();
            }
        }
        self.tree.finish()
    }

    fn raw(&self, span: Span) -> &'t str {
        self.source.input().get(range(span)).unwrap_or_default()
    }

    fn innermost(&self) -> NodeId {
        self.open.last().copied().unwrap_or(ROOT)
    }

    /// The header that is being read, up to its last bracket, opens its table. `None` declines.
    fn open_header(&mut self, end: usize, is_list: bool) -> Option<()> {
        let last = self.keys.pop()?;
        let mut parent = ROOT;
        for key in std::mem::take(&mut self.keys) {
            parent = self.descend(parent, key, Origin::Implied)?;
        }
        let name = last.plain(self.source.input())?;
        let header = Written::bare(self.header..end);
        let existing = self.extensible.get(&(parent, name)).copied();
        let (table, origin) = match (existing, is_list) {
            (None, false) => (self.tree.push(parent, last, header, Kind::Table), Origin::Header),
            (Some(implied), false) if implied.origin == Origin::Implied => {
                self.tree.define(implied.table, last, header);
                (implied.table, Origin::Header)
            }
            (None, true) => {
                let list = self.tree.push(parent, last, header, Kind::Array);
                (
                    self.tree.push(list, Written::bare(0..0), header, Kind::Table),
                    Origin::List,
                )
            }
            (Some(list), true) if list.origin == Origin::List => {
                let array = self.tree.parent(list.table);
                (
                    self.tree.push(array, Written::bare(0..0), header, Kind::Table),
                    Origin::List,
                )
            }
            _ => return None,
        };
        self.extensible.insert((parent, name), Extensible { table, origin });
        self.open.clear();
        self.open.push(table);
        Some(())
    }

    /// The table that a part of a header or of a dotted key names. `None` declines.
    fn descend(&mut self, parent: NodeId, key: Written, origin: Origin) -> Option<NodeId> {
        let name = key.plain(self.source.input())?;
        if let Some(existing) = self.extensible.get(&(parent, name)) {
            let is_dotted = existing.origin == Origin::Dotted;
            return (is_dotted == (origin == Origin::Dotted)).then_some(existing.table);
        }
        let table = self.tree.push(parent, key, key, Kind::Table);
        self.extensible.insert((parent, name), Extensible { table, origin });
        Some(table)
    }

    /// The key that was read gets a value. `None` declines.
    fn begin_entry(&mut self) -> Option<()> {
        let last = self.keys.pop()?;
        let mut parent = self.innermost();
        if !self.keys.is_empty() {
            for key in std::mem::take(&mut self.keys) {
                parent = self.descend(parent, key, Origin::Dotted)?;
            }
        }
        self.entry = Some((parent, last));
        Some(())
    }

    fn push_value(&mut self, value: Written, kind: Kind) -> NodeId {
        let (parent, key) = match self.entry.take() {
            Some(entry) => entry,
            None => (self.innermost(), Written::bare(0..0)),
        };
        self.tree.push(parent, key, value, kind)
    }

    fn open_value(&mut self, kind: Kind, span: Span, error: &mut dyn ErrorSink) -> bool {
        let node = self.push_value(Written::bare(range(span)), kind);
        self.open.push(node);
        let is_allowed = self.open.len() <= DEEPEST;
        if !is_allowed {
            decline(error);
        }
        is_allowed
    }

    fn close_value(&mut self, span: Span) {
        if let Some(node) = self.open.pop() {
            self.tree.end(node, span.end());
        }
    }
}

fn range(span: Span) -> Range<usize> {
    span.start()..span.end()
}

/// Whether a string in quotes means what stands between them.
fn is_plainly_quoted(raw: &str, encoding: Encoding) -> bool {
    let quote = match encoding {
        Encoding::BasicString => b'"',
        Encoding::LiteralString => b'\'',
        Encoding::MlBasicString | Encoding::MlLiteralString => return false,
    };
    match raw.as_bytes() {
        [first, within @ .., last] if *first == quote && *last == quote => within
            .iter()
            .all(|byte| matches!(byte, b' '..=b'~') && *byte != quote && *byte != b'\\'),
        _ => false,
    }
}

fn is_bare_key(raw: &str) -> bool {
    !raw.is_empty()
        && raw
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// A scalar as the parser decoded it, and what it is. `None` for a date that does not exist.
fn decoded_scalar(decoded: Cow<'_, str>, kind: ScalarKind) -> Option<(Cow<'_, str>, Kind)> {
    Some(match kind {
        ScalarKind::String => (decoded, Kind::String),
        ScalarKind::Boolean(value) => (decoded, Kind::Boolean(value)),
        ScalarKind::Float => (decoded, Kind::Float),
        ScalarKind::Integer(radix) => (decoded, Kind::integer(radix.value())),
        ScalarKind::DateTime => {
            let moment: Datetime = decoded.parse().ok()?;
            (Cow::Owned(moment.to_string()), Kind::Datetime)
        }
    })
}

fn is_plain_integer(raw: &str) -> bool {
    raw == "0" || (raw.bytes().all(|byte| byte.is_ascii_digit()) && !raw.starts_with('0') && !raw.is_empty())
}

impl EventReceiver for Reader<'_> {
    fn std_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if self.part == Part::Lines {
            decline(error);
        }
        self.keys.clear();
        self.header = span.start();
    }

    fn std_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if self.open_header(span.end(), false).is_none() {
            decline(error);
        }
    }

    fn array_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.std_table_open(span, error);
    }

    fn array_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if self.open_header(span.end(), true).is_none() {
            decline(error);
        }
    }

    fn inline_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.open_value(Kind::Table, span, error)
    }

    fn inline_table_close(&mut self, span: Span, _error: &mut dyn ErrorSink) {
        self.close_value(span);
    }

    fn array_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.open_value(Kind::Array, span, error)
    }

    fn array_close(&mut self, span: Span, _error: &mut dyn ErrorSink) {
        self.close_value(span);
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let raw = self.raw(span);
        let key = match encoding {
            None if is_bare_key(raw) => Written::bare(range(span)),
            Some(encoding) if is_plainly_quoted(raw, encoding) => Written::quoted(range(span)),
            _ => {
                let mut decoded = Cow::Borrowed("");
                Raw::new_unchecked(raw, encoding, span).decode_key(&mut decoded, error);
                self.tree.written(range(span), &decoded)
            }
        };
        self.keys.push(key);
        if self.keys.len() > DEEPEST {
            decline(error);
        }
    }

    fn key_val_sep(&mut self, _span: Span, error: &mut dyn ErrorSink) {
        if self.begin_entry().is_none() {
            decline(error);
        }
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let raw = self.raw(span);
        let (value, kind) = match (encoding, raw) {
            (None, "true" | "false") => (Written::bare(range(span)), Kind::Boolean(raw == "true")),
            (None, raw) if is_plain_integer(raw) => (Written::bare(range(span)), Kind::Integer { radix: 10 }),
            (Some(encoding), raw) if is_plainly_quoted(raw, encoding) => (Written::quoted(range(span)), Kind::String),
            _ => {
                let mut decoded = Cow::Borrowed("");
                let kind = Raw::new_unchecked(raw, encoding, span).decode_scalar(&mut decoded, error);
                let Some((meaning, kind)) = decoded_scalar(decoded, kind) else {
                    decline(error);
                    return;
                };
                (self.tree.written(range(span), &meaning), kind)
            }
        };
        self.push_value(value, kind);
    }

    fn comment(&mut self, span: Span, error: &mut dyn ErrorSink) {
        Raw::new_unchecked(self.raw(span), None, span).decode_comment(error);
    }

    fn newline(&mut self, span: Span, error: &mut dyn ErrorSink) {
        Raw::new_unchecked(self.raw(span), None, span).decode_newline(error);
    }

    fn error(&mut self, _span: Span, error: &mut dyn ErrorSink) {
        decline(error);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;
    use toml::de::{DeTable, DeValue};

    use super::super::full;
    use super::*;

    /// A node as a line: its key, kind, meaning, and both places.
    pub(in super::super) fn lines_of_tree(tree: &Tree<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let mut open = vec![(0, ROOT)];
        while let Some((depth, node)) = open.pop() {
            let (key, kind) = (tree.key(node), tree.kind(node));
            let scalar = if matches!(kind, Kind::Array | Kind::Table | Kind::Boolean(_)) {
                ""
            } else {
                tree.scalar(node)
            };
            let (key_range, range) = (tree.key_range(node), tree.value_range(node));
            lines.push(format!("{depth} {key:?} {key_range:?} {kind:?} {scalar:?} {range:?}"));
            open.extend(tree.children(node).iter().rev().map(|child| (depth + 1, *child)));
        }
        lines
    }

    fn lines_of_toml(table: &DeTable<'_>) -> Vec<String> {
        let mut lines = vec![format!("0 \"\" 0..0 Table \"\" 0..0")];
        for (key, value) in table {
            add_lines(&mut lines, 1, (key.get_ref(), key.span()), value);
        }
        lines
    }

    fn add_lines(lines: &mut Vec<String>, depth: u32, key: (&str, Range<usize>), value: &toml::Spanned<DeValue<'_>>) {
        let (scalar, kind) = match value.get_ref() {
            DeValue::String(text) => (text.to_string(), Kind::String),
            DeValue::Integer(number) => (number.as_str().to_owned(), Kind::integer(number.radix())),
            DeValue::Float(number) => (number.as_str().to_owned(), Kind::Float),
            DeValue::Boolean(value) => (String::new(), Kind::Boolean(*value)),
            DeValue::Datetime(moment) => (moment.to_string(), Kind::Datetime),
            DeValue::Array(_) => (String::new(), Kind::Array),
            DeValue::Table(_) => (String::new(), Kind::Table),
        };
        let (key, key_range) = key;
        lines.push(format!(
            "{depth} {key:?} {key_range:?} {kind:?} {scalar:?} {:?}",
            value.span()
        ));
        match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .for_each(|item| add_lines(lines, depth + 1, ("", 0..0), item)),
            DeValue::Table(table) => table
                .iter()
                .for_each(|(key, value)| add_lines(lines, depth + 1, (key.get_ref(), key.span()), value)),
            _ => {}
        }
    }

    fn assert_same(text: &str) {
        let (toml, errors) = DeTable::parse_recoverable(text);
        let expected = lines_of_toml(toml.get_ref());
        if let Some(tree) = read(text) {
            assert!(errors.is_empty(), "not valid, yet read: {text}");
            assert_eq!(lines_of_tree(&tree), expected, "{text}");
        }
        assert_eq!(lines_of_tree(&full::read(text).0), expected, "{text}");
    }

    fn key() -> impl Strategy<Value = String> {
        let keys = [
            "a",
            "b",
            "c",
            "d-1",
            "\"a\"",
            "'b'",
            "\"1.8\"",
            "\"é\"",
            "\"q\\\"\"",
            "\"\\u0061\"",
            "\"\"",
            "''",
        ];
        let part = prop::sample::select(keys.map(str::to_owned).to_vec());
        prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("."))
    }

    fn value() -> impl Strategy<Value = String> {
        let scalars = [
            "1",
            "0",
            "-7",
            "+1_000",
            "0x1F",
            "0b1",
            "1.8",
            "1e3",
            "inf",
            "true",
            "false",
            "\"\"",
            "\"x\"",
            "'x'",
            "\"é\"",
            "\"\\n\\\"\"",
            "\"\"\"\nx\"\"\"",
            "'''x'''",
            "2017-09-28",
            "2017-09-28 10:00:00Z",
            "10:00:00",
            "2017-02-30",
            "01",
            "1__0",
            "\"\\q\"",
            "tru",
            "[]",
            "{}",
        ];
        prop::sample::select(scalars.map(str::to_owned).to_vec()).prop_recursive(3, 12, 4, |inner| {
            let entry = (key(), inner.clone()).prop_map(|(key, value)| format!("{key} = {value}"));
            prop_oneof![
                prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
                prop::collection::vec(entry, 0..4).prop_map(|entries| format!("{{ {} }}", entries.join(", "))),
            ]
        })
    }

    pub(in super::super) fn document() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            3 => (key(), value()).prop_map(|(key, value)| format!("{key} = {value}\n")),
            2 => key().prop_map(|key| format!("[{key}]\n")),
            1 => key().prop_map(|key| format!("[[ {key} ]] # comment\r\n")),
        ];
        prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
    }

    proptest! {
        #[test]
        fn what_is_read_from_events_is_what_the_full_parser_reads(text in document()) {
            assert_same(&text);
        }

        #[test]
        fn broken_documents_are_declined(
            text in document(),
            at in any::<prop::sample::Index>(),
            put in "[\\[\\]{}=.,\"'\n\r\\\\a1# ]{0,2}",
            taken in 0..3_usize,
        ) {
            let characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len() + 1);
            let rest = characters.get(at + taken..).unwrap_or_default();
            let broken: String = characters[..at].iter().copied().chain(put.chars()).chain(rest.iter().copied()).collect();
            assert_same(&broken);
        }
    }

    #[test]
    fn tables_may_be_defined_in_any_order() {
        let text = "x.y.z = 1\nx.y.b = 2\n[a.b.c]\n[d]\nv = { p.q = 1, p.r = [{}, { s = \"t\" }] }\n[a]\nk = 'v'\n\
                    [[l]]\n[l.m]\nn = 1\n[[l]]\n[l.m]\nn = 2\n";
        assert!(read(text).is_some());
        assert_same(text);
    }

    #[test]
    fn a_text_longer_than_a_portion_of_tokens_is_read_whole() {
        let tables: Vec<String> = (0..3 * PORTION)
            .map(|n| format!("[t.\"{n}\"]\nlist = [\n  {n}, # {n}\n]\n"))
            .collect();
        let text = tables.concat();
        assert!(read(&text).is_some());
        assert_same(&text);
    }

    #[test]
    fn what_nests_deeply_is_declined() {
        for text in [
            format!("a = {}{}", "[".repeat(100), "]".repeat(100)),
            format!("{} = 1", vec!["a"; 100].join(".")),
            format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        ] {
            assert!(read(&text).is_none());
        }
    }
}
