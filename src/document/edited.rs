//! Reads a text that differs from one that was read already: what an edit within one table leaves as it was is taken
//! over.
//!
//! The lines that differ stand between two headers. They are read alone, below the table that they belong to, and put
//! where the lines before the edit were. That reads what reading the whole text reads: lines between headers say
//! nothing about other tables, unless a key has the name of one, and then the table has it twice. Any other edit is
//! declined.

use std::collections::HashMap;
use std::ops::Range;

use super::events;
use super::tree::{Kind, Node, NodeId, ROOT, Tree};

/// What was read of a text, without the text.
#[derive(Debug)]
pub struct Parsed(pub(super) Tree<'static>);

/// Where a text differs from an earlier one, in whole lines of one table.
struct Difference {
    /// The table.
    table: NodeId,
    /// The lines that were there, and those that are.
    was: Range<usize>,
    is: Range<usize>,
}

/// Reads a text, as far as it is that of a tree, from the tree. Declines if an edit is not within one table.
pub(super) fn read<'t>(before: &Tree<'_>, text: &'t str) -> Option<Tree<'t>> {
    u32::try_from(text.len()).ok()?;
    let difference = Difference::of(before, text)?;
    let part = text.get(difference.is.clone())?;
    let last_line = part.trim_end_matches([' ', '\t']);
    let is_ended = last_line.is_empty() || last_line.ends_with('\n') || difference.is.end == text.len();
    if part.starts_with('\u{feff}') || !is_ended {
        return None;
    }
    let lines = events::read_lines(part)?;
    Splice::new(before, &difference, &lines)?.tree(text)
}

impl Difference {
    fn of(before: &Tree<'_>, text: &str) -> Option<Self> {
        let (old, new) = (before.text().as_bytes(), text.as_bytes());
        let same = common_start(old, new);
        let rest = old.len() - common_end(&old[same..], &new[same..]);
        let (mut table, mut start, mut end) = (ROOT, 0, old.len());
        for (node, header) in before.headers() {
            let (from, to) = (header.start as usize, header.end as usize);
            let below = old.get(to..)?.iter().position(|byte| *byte == b'\n');
            match below.map(|line| to + line + 1).filter(|below| *below <= same) {
                Some(below) if below > start => (table, start) = (node, below),
                Some(_) => {}
                None => end = end.min(from),
            }
        }
        let is_within = start <= end && rest <= end;
        is_within.then(|| Self {
            table,
            was: start..end,
            is: start..end + new.len() - old.len(),
        })
    }
}

/// Long texts are compared in blocks of so many bytes.
const BLOCK: usize = 256;

/// How many bytes at the start of two texts are the same.
fn common_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}

/// How many bytes at the end of two texts are the same.
fn common_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let [one, other] = [one, other].map(|text| text[..text.len() - same].iter().rev());
    same + one.zip(other).take_while(|(one, other)| one == other).count()
}

/// A tree in which the nodes of some lines are replaced.
struct Splice<'s> {
    before: &'s Tree<'s>,
    difference: &'s Difference,
    lines: &'s Tree<'s>,
    /// The nodes of the lines that were there: side by side.
    removed: Range<usize>,
}

impl<'s> Splice<'s> {
    fn new(before: &'s Tree<'s>, difference: &'s Difference, lines: &'s Tree<'s>) -> Option<Self> {
        let was = &difference.was;
        let own = (1..before.size()).filter(|at| was.contains(&(before.nodes()[*at].value.0 as usize)));
        let mut own = own.peekable();
        let first = own.peek().copied().unwrap_or(before.size());
        let count = own.clone().count();
        let are_together = own.zip(first..).all(|(at, expected)| at == expected);
        are_together.then(|| Self {
            before,
            difference,
            lines,
            removed: first..first + count,
        })
    }

    fn added(&self) -> usize {
        self.lines.size() - 1
    }

    /// The position of a node that stays.
    fn kept(&self, node: NodeId) -> Option<NodeId> {
        let at = node.at();
        match at {
            _ if at < self.removed.start => Some(node),
            _ if at < self.removed.end => None,
            _ => Some(NodeId::new(at - self.removed.len() + self.added())),
        }
    }

    /// The position of a node of the lines; their top-level table is the table that they belong to.
    fn new_at(&self, node: NodeId) -> NodeId {
        NodeId::new(self.removed.start + node.at() - 1)
    }

    /// A range of the text after the lines moves with it.
    fn moved(&self, (start, end): (u32, u32)) -> Option<(u32, u32)> {
        let Difference { was, is, .. } = self.difference;
        if (start as usize) < was.end || end == 0 {
            return Some((start, end));
        }
        let [start, end] = [start, end].map(|place| u32::try_from(place as usize - was.end + is.end).ok());
        Some((start?, end?))
    }

    /// A range of the lines as one of the text.
    fn within(&self, (start, end): (u32, u32)) -> Option<(u32, u32)> {
        let by = u32::try_from(self.difference.is.start).ok()?;
        Some(if end == 0 { (start, end) } else { (start + by, end + by) })
    }

    fn tree<'t>(&self, text: &'t str) -> Option<Tree<'t>> {
        let (before, table, removed) = (self.before, self.difference.table, &self.removed);
        if table.at() >= removed.start {
            return None;
        }
        // The children of all nodes stand side by side, in the order of the nodes.
        let (old, own) = (before.order(), before.nodes()[table.at()].range());
        let of_removed = before.children_from(removed.start)..before.children_from(removed.end);
        let mut order: Vec<NodeId> = Vec::with_capacity(old.len() + self.added());
        self.keep(&mut order, &old[..own.start])?;
        order.extend(old[own.clone()].iter().filter_map(|child| self.kept(*child)));
        order.extend(self.lines.children(ROOT).iter().map(|child| self.new_at(*child)));
        let own_after = own.start..order.len();
        self.keep(&mut order, &old[own.end..of_removed.start])?;
        let mut nodes: Vec<Node> = Vec::with_capacity(before.size() + self.added());
        self.place(&mut nodes, 0..table.at(), (0, 0))?;
        let node = &before.nodes()[table.at()];
        nodes.push(node.placed(self.moved(node.key)?, self.moved(node.value)?, own_after.clone())?);
        self.place(&mut nodes, table.at() + 1..removed.start, (own.end, own_after.end))?;
        self.add_lines(&mut nodes, &mut order)?;
        let rest = order.len();
        self.keep(&mut order, &old[of_removed.end..])?;
        self.place(&mut nodes, removed.end..before.size(), (of_removed.end, rest))?;
        let tree = Tree::of(text, nodes, order, self.decoded()?);
        tree.with_sorted(table)
    }

    /// Whether the lines take the place of as many nodes and bytes, so that all others stay where they are.
    fn is_in_place(&self) -> bool {
        self.difference.was.end == self.difference.is.end && self.removed.len() == self.added()
    }

    /// Adds children that stay.
    fn keep(&self, order: &mut Vec<NodeId>, children: &[NodeId]) -> Option<()> {
        if self.is_in_place() {
            order.extend_from_slice(children);
            return children
                .iter()
                .all(|child| !self.removed.contains(&child.at()))
                .then_some(());
        }
        for child in children {
            order.push(self.kept(*child)?);
        }
        Some(())
    }

    /// Adds nodes whose children move with the first of them from one position to another.
    fn place(&self, nodes: &mut Vec<Node>, which: Range<usize>, (from, to): (usize, usize)) -> Option<()> {
        let nodes_before = &self.before.nodes()[which];
        if from == to && self.is_in_place() {
            nodes.extend_from_slice(nodes_before);
            return Some(());
        }
        for node in nodes_before {
            let Range { start, end } = node.range();
            let children = start - from + to..end - from + to;
            nodes.push(node.placed(self.moved(node.key)?, self.moved(node.value)?, children)?);
        }
        Some(())
    }

    /// By range, what keys and scalars mean where that does not stand in the text.
    fn decoded(&self) -> Option<HashMap<(u32, u32), Box<str>>> {
        let was = &self.difference.was;
        let kept = self
            .before
            .decoded()
            .filter(|((start, _), _)| !was.contains(&(*start as usize)));
        let kept = kept.map(|(range, meaning)| Some((self.moved(range)?, meaning.into())));
        let new = self.lines.decoded();
        let new = new.map(|(range, meaning)| Some((self.within(range)?, meaning.into())));
        kept.chain(new).collect()
    }

    fn add_lines(&self, nodes: &mut Vec<Node>, order: &mut Vec<NodeId>) -> Option<()> {
        for (at, node) in self.lines.nodes().iter().enumerate().skip(1) {
            let first = order.len();
            let children = self.lines.children(NodeId::new(at));
            order.extend(children.iter().map(|child| self.new_at(*child)));
            let (key, value) = (self.within(node.key)?, self.within(node.value)?);
            nodes.push(node.placed(key, value, first..order.len())?);
        }
        Some(())
    }
}

impl Tree<'_> {
    /// The headers, each with its table.
    fn headers(&self) -> impl Iterator<Item = (NodeId, Range<u32>)> {
        let text = self.text().as_bytes();
        let nodes = self.nodes().iter().enumerate().skip(1);
        let headers =
            nodes.filter(move |(_, node)| node.kind == Kind::Table && text.get(node.value.0 as usize) == Some(&b'['));
        headers.map(|(at, node)| (NodeId::new(at), node.value.0..node.value.1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::super::events::tests::{document, lines_of_tree};
    use super::*;

    /// Whether an edited text is read from the tree of the text, and that gives what reading it gives.
    fn agrees(text: &str, edited: &str) -> bool {
        let Some(before) = events::read(text) else { return false };
        let Some(after) = read(&before, edited) else {
            return false;
        };
        let whole = events::read(edited).expect("lines that can be read alone can be read in their text");
        assert_eq!(lines_of_tree(&after), lines_of_tree(&whole), "{text}\n---\n{edited}");
        assert_eq!(after.size(), whole.size(), "{text}\n---\n{edited}");
        true
    }

    proptest! {
        #[test]
        fn an_edited_text_is_read_as_any_other(
            text in document(),
            at in any::<Index>(),
            put in prop_oneof![
                Just(String::new()),
                document(),
                "[\\[\\]{}=.,\"'\n\r\\\\a1# ]{0,3}",
                Just("a = { b = \"\\u0061\", 'c' = [1, \"é\"] }\n".to_owned()),
            ],
            taken in 0..24_usize,
        ) {
            let characters: Vec<char> = text.chars().collect();
            let at = at.index(characters.len() + 1);
            let rest = characters.get(at + taken..).unwrap_or_default();
            let edited: String = characters[..at].iter().copied().chain(put.chars()).chain(rest.iter().copied()).collect();
            agrees(&text, &edited);
        }
    }

    #[test]
    fn an_edit_within_one_table_is_read_alone() {
        let text =
            "top = 1\n[a.b] # one\nx = \"\\u0061\"\nl = [1, { k = 2 }]\n[a]\ny = 3\n[[c]]\nz = 1\n[[c]]\nz = \"\\n\"\n";
        for (was, is) in [
            ("top = 1\n", "top = 1\nlater.q = '''\n'''\n"),
            ("top = 1\n", ""),
            ("x = \"\\u0061\"\n", "x = \"\\u0062\"\nw = { v = [] }\n"),
            ("l = [1, { k = 2 }]\n", ""),
            ("y = 3", "y = \"longer\" # and a comment"),
            ("[[c]]\nz = 1\n", "[[c]]\nz = 1\ny.x = 2\n"),
            ("z = \"\\n\"\n", "z = 1"),
            ("y", "y"),
        ] {
            assert!(agrees(text, &text.replacen(was, is, 1)), "{was} {is}");
        }
    }

    #[test]
    fn what_concerns_other_tables_is_declined() {
        let text = "[a]\nx = 1\n[a.b]\ny = 1\n[c]\nz = 1\n";
        for (was, is) in [
            ("x = 1\n", "b = 1\n"),
            ("x = 1\n", "b.c = 1\n"),
            ("x = 1\n", "x = 1\n[d]\n"),
            ("x = 1\n", "x = 1"),
            ("x = 1\n", "x = \"\"\"\n"),
            ("x = 1\n", "x = 1 # "),
            ("x = 1\n[a.b]\ny = 1\n", "x = 2\n[a.b]\ny = 2\n"),
            ("[c]", "[e]"),
        ] {
            assert!(!agrees(text, &text.replacen(was, is, 1)), "{was} {is}");
        }
    }
}
