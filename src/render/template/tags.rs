//! The tags of a template, and the words, strings and other characters in them.

/// A tag, `{% … %}`, or a value, `{{ … }}`.
#[derive(Clone, Copy)]
pub(super) struct Tag<'s> {
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(super) text: &'s str,
}

impl<'s> Tag<'s> {
    /// The first word of a tag, and what follows it; nothing for a value.
    pub(super) fn words(self) -> (&'s str, &'s str) {
        let Some(inner) = self.text.strip_prefix("{%") else {
            return ("", "");
        };
        let inner = inner.trim_end_matches("%}").trim_matches('-').trim();
        inner.split_once(char::is_whitespace).unwrap_or((inner, ""))
    }

    /// Words, strings and other characters, with their offsets.
    pub(super) fn tokens(self) -> Vec<(usize, &'s str)> {
        #[derive(PartialEq)]
        enum Last {
            Word,
            Text,
            Other,
        }
        let mut found: Vec<(usize, &str)> = Vec::new();
        let mut strings = Strings::default();
        let inner = self.text.len() - 2;
        let mut last = Last::Other;
        for (at, c) in self.text[..inner].char_indices().skip(2) {
            let kind = match c {
                _ if strings.hold(c) => Last::Text,
                c if is_word(c) => Last::Word,
                _ => Last::Other,
            };
            match found.last_mut() {
                Some((begin, token)) if kind != Last::Other && kind == last => {
                    *token = &self.text[*begin..at + c.len_utf8()];
                }
                _ if kind == Last::Other && c.is_whitespace() => {}
                _ => found.push((at, &self.text[at..at + c.len_utf8()])),
            }
            last = kind;
        }
        found
    }
}

/// The next tag or value from an offset on. Comments and raw text have none.
pub(super) fn next_tag(source: &str, from: usize) -> Option<Tag<'_>> {
    let mut from = from;
    loop {
        let mut marks = source[from..].match_indices('{');
        let begin = marks.find(|(at, _)| matches!(source.as_bytes().get(from + at + 1), Some(b'{' | b'%' | b'#')));
        let begin = from + begin?.0;
        let close = match &source[begin..begin + 2] {
            "{{" => "}}",
            "{%" => "%}",
            _ => {
                from = begin + source[begin..].find("#}")? + 2;
                continue;
            }
        };
        let end = begin + end_of(&source[begin..], close)?;
        let tag = Tag {
            begin,
            end,
            text: &source[begin..end],
        };
        if tag.words().0 != "raw" {
            return Some(tag);
        }
        from = end + source[end..].find("endraw")?;
        from += source[from..].find("%}")? + 2;
    }
}

/// Where a tag ends: after its mark, which does not count within a string.
fn end_of(text: &str, close: &str) -> Option<usize> {
    let mut strings = Strings::default();
    let mut code = text.char_indices().skip(2).filter(|(_, c)| !strings.hold(*c));
    let end = code.find(|(at, _)| text[*at..].starts_with(close));
    end.map(|(at, _)| at + close.len())
}

/// The strings in a tag, passed character by character.
#[derive(Default)]
struct Strings {
    /// The quote that ends the one that is open.
    open: Option<char>,
    is_escaped: bool,
}

impl Strings {
    /// Whether the next character is of a string, its quotes included.
    fn hold(&mut self, c: char) -> bool {
        match self.open {
            None if matches!(c, '"' | '\'' | '`') => self.open = Some(c),
            None => return false,
            Some(_) if self.is_escaped => self.is_escaped = false,
            Some(_) if c == '\\' => self.is_escaped = true,
            Some(end) if c == end => self.open = None,
            Some(_) => {}
        }
        true
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
