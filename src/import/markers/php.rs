//! PHP: `trigger_deprecation('package', '1.2', 'The "%s" class is deprecated.', …)` and
//! `@trigger_error('… since version 1.2 …', E_USER_DEPRECATED)`.
//!
//! A call has no name: it is known by its package and its message, with the arguments that the code names in it.

use crate::text::Unreadable;

use super::file::{Marker, MarkersFile, State};
use super::tokens::{Dialect, Nesting, Quoted, Token, arguments, is_of_word, joined, plain, tokens, unescaped};

const DIALECT: Dialect = Dialect {
    line_comments: &["//", "# ", "#\n", "##"],
    block_comments: Some(Nesting::Ends),
    string,
};

fn string(rest: &str) -> Option<Quoted> {
    // What stands between pieces of code is a page.
    if let Some(page) = rest.strip_prefix("?>") {
        let (opening, closing) = match page.find("<?") {
            Some(_) => (2, "<?"),
            None => (rest.len(), ""),
        };
        return Some(Quoted {
            opening,
            closing: closing.to_owned(),
            escapes: false,
        });
    }
    if let Some(after) = rest.strip_prefix("<<<") {
        // A text up to the line that begins with a word of the author's choice.
        let word = after.trim_start_matches(['\'', '"', ' ']);
        let end = word.find(|c| !is_of_word(c)).filter(|end| *end > 0)?;
        let below = word[end..].trim_start_matches(['\'', '"', '\r']).strip_prefix('\n')?;
        let line = rest.len() - below.len() - 1;
        let closing = word[..end].to_owned();
        return Some(Quoted {
            opening: line + 1,
            closing,
            escapes: false,
        });
    }
    let first = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(Quoted::between(&first.to_string(), true))
}

pub(super) fn read(text: &str) -> Result<MarkersFile, Unreadable> {
    // What comes before the code is a page.
    let start = text.find("<?php").unwrap_or(text.len());
    let lines_before = text[..start].matches('\n').count();
    let tokens = tokens(text.get(start + 5..).unwrap_or_default(), &DIALECT)?;
    let below = u32::try_from(lines_before).unwrap_or(u32::MAX);
    let mut reader = Reader {
        below,
        class: "",
        namespace: String::new(),
        method: "",
        file: MarkersFile::default(),
    };
    for at in 0..tokens.len() {
        reader.look(&tokens, at);
    }
    Ok(reader.file)
}

/// The name of a namespace that these tokens begin with.
fn namespace(tokens: &[Token<'_>]) -> String {
    let mut name = String::new();
    for pair in tokens.chunks(2) {
        let Some(word) = pair[0].word() else { break };
        name.push_str(word);
        if !pair.get(1).is_some_and(|after| after.is('\\')) {
            break;
        }
        name.push('\\');
    }
    name
}

/// The name and the mark of a call, or why it has none.
type Call = Result<(String, Marker), &'static str>;

struct Reader<'t> {
    /// The lines before the code.
    below: u32,
    namespace: String,
    class: &'t str,
    method: &'t str,
    file: MarkersFile,
}

impl<'t> Reader<'t> {
    fn look(&mut self, tokens: &[Token<'t>], at: usize) {
        let Some(word) = tokens[at].word() else { return };
        let next = tokens.get(at + 1).and_then(Token::word);
        let before = at.checked_sub(1).map(|before| tokens[before]);
        match (word, next) {
            ("namespace", Some(_)) => {
                self.namespace = namespace(&tokens[at + 1..]);
            }
            ("class" | "interface" | "trait" | "enum", Some(name)) => self.class = name,
            ("function", Some(name)) => {
                let is_call = before.is_some_and(|token| token.is('>') || token.is(':'));
                if !is_call {
                    self.method = name;
                }
            }
            ("trigger_deprecation", _) if before.is_none_or(|token| token.word() != Some("function")) => {
                self.call(tokens, at, |reader, stated| Some(reader.trigger_deprecation(stated)));
            }
            ("trigger_error", _) => self.call(tokens, at, Self::trigger_error),
            _ => {}
        }
    }

    fn call(&mut self, tokens: &[Token<'t>], at: usize, read: fn(&Self, &[&[Token<'t>]]) -> Option<Call>) {
        let open = at + 1;
        let Some(stated) = tokens
            .get(open)
            .filter(|token| token.is('('))
            .and_then(|_| arguments(tokens, open))
        else {
            return;
        };
        let line = tokens[at].line.saturating_add(self.below);
        match read(self, &stated) {
            Some(Ok((name, marker))) => self.file.add("behavior", plain(&name), line, State::Deprecated(marker)),
            Some(Err(reason)) => {
                let error = tokens[at].error(reason);
                self.file.skipped.push(Unreadable { line, ..error });
            }
            None => {}
        }
    }

    fn trigger_deprecation(&self, stated: &[&[Token<'t>]]) -> Call {
        let [package, since, message, values @ ..] = stated else {
            return Err("`trigger_deprecation` without a package, a version and a message");
        };
        let (Some(package), Some(since)) = (joined(package), joined(since)) else {
            return Err("`trigger_deprecation` whose package or version is not a text");
        };
        let Some(message) = self.message(message, values) else {
            return Err("`trigger_deprecation` whose message is not a text");
        };
        let marker = Marker {
            since: Some(since).filter(|since| !since.is_empty()),
            ..Marker::default()
        };
        let name = match plain(&package) {
            package if package.is_empty() => message,
            package => format!("{package}: {message}"),
        };
        Ok((name, marker))
    }

    fn trigger_error(&self, stated: &[&[Token<'t>]]) -> Option<Call> {
        let level = stated.get(1)?;
        level.iter().find(|token| token.word() == Some("E_USER_DEPRECATED"))?;
        let Some(message) = self.message(stated.first()?, &[]) else {
            return Some(Err("`trigger_error` whose message is not a text"));
        };
        let marker = Marker {
            since: since(&message),
            ..Marker::default()
        };
        Some(Ok((message, marker)))
    }

    /// A message with the values that are names or texts; the others stay `%s`.
    fn message(&self, stated: &[Token<'t>], values: &[&[Token<'t>]]) -> Option<String> {
        if let Some(at) = stated.iter().position(|token| token.word() == Some("sprintf")) {
            let inner = arguments(stated, at + 1)?;
            let (format, values) = inner.split_first()?;
            return self.message(format, values);
        }
        let pieces: Vec<&[Token<'t>]> = stated.split(|token| token.is('.')).collect();
        let has_text = pieces
            .iter()
            .any(|piece| matches!(piece, [only] if only.text().is_some()));
        let texts = pieces
            .iter()
            .map(|piece| self.value(piece).unwrap_or_else(|| "%s".to_owned()));
        let format: String = texts.collect();
        has_text.then(|| filled(&format, &mut values.iter().map(|value| self.value(value))))
    }

    /// What stands for a value: a text, or a name that the code states.
    fn value(&self, tokens: &[Token<'t>]) -> Option<String> {
        if let [text] = tokens
            && let Some(text) = text.text()
        {
            return Some(unescaped(text));
        }
        let class = format!("{}\\{}", self.namespace, self.class);
        let words: Vec<&str> = tokens.iter().filter_map(Token::word).collect();
        match words.as_slice() {
            ["__METHOD__"] => Some(format!("{class}::{}", self.method)),
            ["__FUNCTION__"] => Some(self.method.to_owned()),
            ["__NAMESPACE__"] => Some(self.namespace.clone()),
            ["__CLASS__"] | ["self" | "static", "class"] => Some(class),
            [.., name, "class"] => Some((*name).to_owned()),
            _ => None,
        }
    }
}

fn filled(format: &str, values: &mut dyn Iterator<Item = Option<String>>) -> String {
    let mut pieces = format.split("%s");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match values.next().flatten() {
            Some(value) => text.push_str(&value),
            None => text.push_str("%s"),
        }
        text.push_str(piece);
    }
    text
}

/// The release after `since` in a message: `since version 3.4`, `since Symfony 4.2`, `Since acme/lib 3.0: …`.
fn since(message: &str) -> Option<String> {
    let lower = message.to_lowercase();
    let after = lower.find("since ").and_then(|at| message.get(at + 6..))?;
    let words = after.split_whitespace().take(3);
    let mut names = words.map(|word| word.trim_end_matches(['.', ',', ':', ';']).trim_start_matches('v'));
    let name = names.find(|name| name.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(name.to_owned())
}
