//! A page of Markdown as its blocks: what a reader takes in as one statement.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A paragraph, an item of a list without the items in it, a row of a table, or a heading.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Its words, without marks of Markdown.
    pub(super) text: String,
    /// The same in small letters (of ASCII), with blanks for code, byte for byte: a name may hold any word.
    pub(super) prose: String,
    /// Where pieces of the words begin: in them, and in the page.
    pub(super) pieces: Vec<(usize, usize)>,
    pub(super) place: Range<usize>,
    /// The level of a heading, from 1; 0 for other blocks.
    pub(super) level: usize,
    /// What stands over it: headings, the nearest items that it is in, the paragraph that leads to its list.
    pub(super) over: String,
}

impl Block {
    fn add(&mut self, text: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(text);
        self.prose.push_str(&text.to_ascii_lowercase());
    }

    fn add_code(&mut self, text: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(text);
        self.prose.extend(std::iter::repeat_n(' ', text.len()));
    }

    /// The place in the page of some of its words. Where a mark interrupts them, as far as the mark.
    pub(super) fn place_of(&self, words: Range<usize>) -> Range<usize> {
        let at = self
            .pieces
            .partition_point(|(start, _)| *start <= words.start)
            .saturating_sub(1);
        let Some((start, place)) = self.pieces.get(at) else {
            return self.place.clone();
        };
        let end = self
            .pieces
            .get(at + 1)
            .map_or(words.end, |(next, _)| words.end.min(*next));
        let from = place + (words.start - start);
        from..from + end.saturating_sub(words.start)
    }
}

/// How many items around a block are kept with it, and how much of each: lists can be nested without end.
const NEAREST: usize = 8;
const LONGEST_LEAD: usize = 1_000;

/// The beginning of a text, up to about a length.
fn beginning(text: &str) -> String {
    text.chars().take(LONGEST_LEAD).collect()
}

pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for (event, place) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        reader.read(event, place);
    }
    reader.close();
    for block in &mut reader.blocks {
        let whole = &page[block.place.clone()];
        block.place.end = block.place.start + whole.trim_end().len();
    }
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    open: Option<Block>,
    /// The headings over it, by level.
    headings: Vec<(usize, String)>,
    /// For each list that it is in, what leads to it: the item or paragraph before.
    leads: Vec<String>,
    /// The last block that ended, if no heading came since.
    last: String,
    in_code: bool,
}

impl Reader {
    fn read(&mut self, event: Event<'_>, place: Range<usize>) {
        match &event {
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            _ => {}
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                self.close();
                self.open(place);
                if let Some(block) = &mut self.open {
                    block.level = level as usize;
                }
            }
            Event::Start(Tag::List(_)) => {
                let lead = self
                    .open
                    .as_ref()
                    .map_or_else(|| self.last.clone(), |block| beginning(&block.text));
                self.close();
                self.leads.push(lead);
            }
            Event::End(TagEnd::List(_)) => {
                self.close();
                self.leads.pop();
            }
            Event::Start(Tag::Paragraph) if self.open.as_ref().is_some_and(|block| block.text.is_empty()) => {}
            Event::Start(
                Tag::Paragraph | Tag::Item | Tag::TableRow | Tag::TableHead | Tag::CodeBlock(_) | Tag::HtmlBlock,
            ) => {
                self.close();
                self.open(place);
            }
            Event::End(
                TagEnd::Heading(_)
                | TagEnd::Paragraph
                | TagEnd::Item
                | TagEnd::TableRow
                | TagEnd::TableHead
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock,
            ) => self.close(),
            Event::Text(text) if self.in_code => self.add_code(&text, place.start),
            Event::Text(text) => self.add(&text, place.start),
            // The marks around code are as many before it as after.
            Event::Code(text) => {
                let at = place.start + (place.len().saturating_sub(text.len())) / 2;
                self.add_code(&text, at);
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => self.add(" ", place.start),
            _ => {}
        }
    }

    fn add(&mut self, text: &str, at: usize) {
        self.open.get_or_insert_with(Block::default).add(text, at);
    }

    fn add_code(&mut self, text: &str, at: usize) {
        self.open.get_or_insert_with(Block::default).add_code(text, at);
    }

    fn open(&mut self, place: Range<usize>) {
        let headings = self.headings.iter().map(|(_, text)| text.as_str());
        let far = self.leads.len().saturating_sub(NEAREST);
        let over: Vec<&str> = headings.chain(self.leads[far..].iter().map(String::as_str)).collect();
        self.open = Some(Block {
            place,
            over: over.join("\n").to_ascii_lowercase(),
            ..Block::default()
        });
    }

    fn close(&mut self) {
        let Some(block) = self.open.take().filter(|block| !block.text.trim().is_empty()) else {
            return;
        };
        if block.level > 0 {
            self.headings.retain(|(level, _)| *level < block.level);
            self.headings.push((block.level, block.text.clone()));
            self.last.clear();
        } else {
            self.last = beginning(&block.text);
        }
        self.blocks.push(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_knows_what_stands_over_it_and_where_its_words_are() {
        let page = "# 1.25\n\n## Removals\n\nThese are gone:\n\n- `a/v1` and\n  *b*\n  - inner\n\n| x | y |\n|---|---|\n| 1 | 2 |\n";
        let blocks = blocks(page);
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.trim()).collect();
        assert_eq!(
            texts,
            [
                "1.25",
                "Removals",
                "These are gone:",
                "a/v1 and b",
                "inner",
                "x y",
                "1 2"
            ]
        );
        assert_eq!(blocks[3].over, "1.25\nremovals\nthese are gone:");
        assert_eq!(blocks[4].over, "1.25\nremovals\nthese are gone:\na/v1 and b");
        let words = blocks[3].text.find("v1").map(|at| at..at + 2).unwrap();
        assert_eq!(&page[blocks[3].place_of(words)], "v1");
    }
}
