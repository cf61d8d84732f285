//! A search for any of several words.

use aho_corasick::{AhoCorasick, Input, packed};

/// Any of several words.
#[derive(Debug)]
pub(super) enum Search {
    Nothing,
    /// So few words that the processor compares many bytes with all of them at once.
    Few(packed::Searcher),
    Many(AhoCorasick),
    /// More words than a search can have: each text may have one.
    TooMany,
}

impl Search {
    pub(super) fn of(words: &[String]) -> Self {
        if words.is_empty() {
            return Self::Nothing;
        }
        if let Some(few) = packed::Searcher::new(words) {
            return Self::Few(few);
        }
        // All words begin with a quotation mark: to search for that first would stop at each string.
        let many = AhoCorasick::builder().prefilter(false).build(words);
        many.map_or(Self::TooMany, Self::Many)
    }

    /// Where the next word begins.
    pub(super) fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        match self {
            Self::Nothing => None,
            Self::Few(few) => few.find_in(text, (from..text.len()).into()).map(|found| found.start()),
            Self::Many(many) => many
                .find(Input::new(text).span(from..text.len()))
                .map(|found| found.start()),
            Self::TooMany => Some(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"w0"`, `"w1"` and so on.
    fn words(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("\"w{number}\"")).collect()
    }

    #[test]
    fn the_next_word_is_found_from_anywhere_however_many_words_there_are() {
        let text = r#"{"a":"w","b":"w07","c":"w0","d":"w63""w1","e":["x","w2"]}"#;
        for count in [0, 1, 3, 64, 65, 2_000] {
            let (words, search) = (words(count), Search::of(&words(count)));
            match count {
                0 => assert!(matches!(search, Search::Nothing)),
                1..=64 if cfg!(target_arch = "x86_64") => assert!(matches!(search, Search::Few(_)), "{count}"),
                _ => assert!(matches!(search, Search::Many(_)), "{count}"),
            }
            for from in 0..=text.len() {
                let places = words.iter().filter_map(|word| Some(from + text[from..].find(word)?));
                let found = search.find(text.as_bytes(), from);
                assert_eq!(found, places.min(), "{count} words, from {from}");
            }
        }
    }

    #[test]
    fn with_too_many_words_every_text_may_have_one() {
        assert_eq!(Search::TooMany.find(b"{}", 1), Some(1));
    }
}
