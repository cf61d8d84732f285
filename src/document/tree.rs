//! A TOML text as a tree: one list of small nodes, in which keys and strings are ranges of the text.

use std::collections::HashMap;
use std::ops::Range;

/// The position of a node in its [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

/// The top-level table.
pub(super) const ROOT: NodeId = NodeId(0);

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Integer { radix: u32 },
    Float,
    Boolean(bool),
    Datetime,
    Array,
    Table,
}

/// How a range of the text has to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it stands there.
    Bare,
    /// Without its first and last character, which are quotes.
    Quoted,
    /// It has escapes, line breaks or separators of digits: [`Tree::decoded`] has what it means.
    Decoded,
}

/// A key, scalar, array or table as written.
#[derive(Debug)]
pub(super) struct Written {
    range: WrittenRange,
    decoded: Option<Box<str>>,
}

#[derive(Debug, Clone, Copy)]
struct WrittenRange {
    start: u32,
    end: u32,
    form: Form,
}

#[derive(Debug)]
struct Node {
    key: WrittenRange,
    value: WrittenRange,
    kind: Kind,
    /// Where its children begin in [`Tree::order`].
    children: u32,
    count: u32,
}

/// Whether a decoded text is that of a node's key or of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Key,
    Value,
}

/// A TOML text, parsed.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// The children of each node side by side: those of a table sorted by key, those of an array as written.
    order: Vec<NodeId>,
    decoded: HashMap<(NodeId, Part), Box<str>>,
}

/// A tree to which nodes are added.
#[derive(Debug)]
pub(super) struct TreeBuilder<'t> {
    tree: Tree<'t>,
    parents: Vec<NodeId>,
}

impl Written {
    /// A range of the text that means what stands there.
    pub(super) fn bare(range: Range<usize>) -> Self {
        Self::with_form(range, Form::Bare)
    }

    /// A range of the text that means what stands between its quotes.
    pub(super) fn quoted(range: Range<usize>) -> Self {
        Self::with_form(range, Form::Quoted)
    }

    /// A range of the text that means `meaning`.
    pub(super) fn meaning(text: &str, range: Range<usize>, meaning: &str) -> Self {
        let raw = text.get(range.clone());
        let within_quotes = raw.and_then(|raw| raw.get(1..raw.len().checked_sub(1)?));
        if raw == Some(meaning) {
            Self::bare(range)
        } else if within_quotes == Some(meaning) {
            Self::quoted(range)
        } else {
            Self {
                decoded: Some(meaning.into()),
                ..Self::with_form(range, Form::Decoded)
            }
        }
    }

    /// The same range, for a table that a key implies.
    pub(super) fn implied_value(&self) -> Self {
        Self {
            range: self.range,
            decoded: None,
        }
    }

    fn with_form(range: Range<usize>, form: Form) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let range = WrittenRange {
            start: narrow(range.start),
            end: narrow(range.end),
            form,
        };
        Self { range, decoded: None }
    }

    /// What it means, unless that has to be decoded.
    pub(super) fn plain<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.range.plain(text)
    }
}

impl WrittenRange {
    fn plain(self, text: &str) -> Option<&str> {
        let (start, end) = (self.start as usize, self.end as usize);
        match self.form {
            Form::Bare => text.get(start..end),
            Form::Quoted => text.get(start + 1..end - 1),
            Form::Decoded => None,
        }
    }
}

impl<'t> TreeBuilder<'t> {
    /// An empty top-level table.
    pub(super) fn new(text: &'t str) -> Self {
        let mut builder = Self {
            tree: Tree {
                text,
                nodes: Vec::new(),
                order: Vec::new(),
                decoded: HashMap::new(),
            },
            parents: Vec::new(),
        };
        builder.push(ROOT, Written::bare(0..0), Written::bare(0..0), Kind::Table);
        builder
    }

    /// Adds a node below another.
    pub(super) fn push(&mut self, parent: NodeId, key: Written, value: Written, kind: Kind) -> NodeId {
        let id = NodeId(u32::try_from(self.parents.len()).unwrap_or(u32::MAX));
        self.parents.push(parent);
        for (part, decoded) in [(Part::Key, key.decoded), (Part::Value, value.decoded)] {
            if let Some(decoded) = decoded {
                self.tree.decoded.insert((id, part), decoded);
            }
        }
        self.tree.nodes.push(Node {
            key: key.range,
            value: value.range,
            kind,
            children: 0,
            count: 0,
        });
        id
    }

    /// Moves a table that a longer header implied to the header that defines it.
    pub(super) fn define(&mut self, table: NodeId, key: &Written, value: &Written) {
        let node = &mut self.tree.nodes[table.0 as usize];
        (node.key, node.value) = (key.range, value.range);
    }

    /// Ends the range of a node that is complete.
    pub(super) fn end(&mut self, node: NodeId, end: usize) {
        self.tree.nodes[node.0 as usize].value.end = u32::try_from(end).unwrap_or(u32::MAX);
    }

    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        self.parents[node.0 as usize]
    }

    /// The tree; `None` if a table has a key twice.
    pub(super) fn finish(mut self) -> Option<Tree<'t>> {
        self.list_children();
        let mut order = std::mem::take(&mut self.tree.order);
        for node in self.tree.nodes.iter().filter(|node| node.kind == Kind::Table) {
            let children = &mut order[node.range()];
            if !self.tree.are_ascending(children) {
                children.sort_unstable_by_key(|child| self.tree.key(*child));
                if !self.tree.are_ascending(children) {
                    return None;
                }
            }
        }
        self.tree.order = order;
        Some(self.tree)
    }

    /// Lists the children of each node, as written.
    fn list_children(&mut self) {
        let nodes = &mut self.tree.nodes;
        for parent in &self.parents[1..] {
            nodes[parent.0 as usize].count += 1;
        }
        let mut before = 0;
        for node in nodes.iter_mut() {
            node.children = before;
            before += std::mem::take(&mut node.count);
        }
        self.tree.order = vec![ROOT; before as usize];
        for (child, parent) in (1..).zip(&self.parents[1..]) {
            let parent = &mut nodes[parent.0 as usize];
            self.tree.order[parent.range().end] = NodeId(child);
            parent.count += 1;
        }
    }
}

impl Node {
    fn range(&self) -> Range<usize> {
        let start = self.children as usize;
        start..start + self.count as usize
    }
}

impl<'t> Tree<'t> {
    /// A document without entries.
    pub(super) fn empty(text: &'t str) -> Self {
        TreeBuilder::new(text).tree
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// The children: those of a table by key, those of an array as written.
    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.order[self.node(node).range()]
    }

    /// The entry of a table with this key.
    pub(super) fn child(&self, table: NodeId, key: &str) -> Option<NodeId> {
        let children = self.children(table);
        let at = children.binary_search_by(|child| self.key(*child).cmp(key)).ok()?;
        Some(children[at])
    }

    /// The key of an entry, quotes and escapes resolved.
    pub(super) fn key(&self, node: NodeId) -> &str {
        self.meaning(node, Part::Key, self.node(node).key)
    }

    pub(super) fn key_range(&self, node: NodeId) -> Range<u32> {
        let key = &self.node(node).key;
        key.start..key.end
    }

    /// What a scalar means: a string without quotes and escapes, a number without separators and prefix, a date.
    pub(super) fn scalar(&self, node: NodeId) -> &str {
        self.meaning(node, Part::Value, self.node(node).value)
    }

    /// Where a value stands; of a table, its header or its braces.
    pub(super) fn value_range(&self, node: NodeId) -> Range<u32> {
        let value = &self.node(node).value;
        value.start..value.end
    }

    fn meaning(&self, node: NodeId, part: Part, range: WrittenRange) -> &str {
        match range.plain(self.text) {
            Some(plain) => plain,
            None => self.decoded.get(&(node, part)).map_or("", |decoded| decoded),
        }
    }

    /// Whether each key is greater than the one before it.
    fn are_ascending(&self, children: &[NodeId]) -> bool {
        children.is_sorted_by(|one, next| self.key(*one) < self.key(*next))
    }
}
