//! A TOML text as a tree: one list of small nodes, in which keys and strings are ranges of the text.

use std::collections::HashMap;
use std::ops::Range;

/// The position of a node in its [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) fn new(at: usize) -> Self {
        Self(u32::try_from(at).unwrap_or(u32::MAX))
    }

    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// The top-level table.
pub(super) const ROOT: NodeId = NodeId(0);

/// Models have about one node per so many bytes; a list with room for them all never has to grow.
const BYTES_PER_NODE: usize = 16;

/// So few children are sorted in place: a list of their keys would cost more than it saves.
const FEW: usize = 16;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Integer { radix: u8 },
    Float,
    Boolean(bool),
    Datetime,
    Array,
    Table,
}

impl Kind {
    pub(super) fn integer(radix: u32) -> Self {
        let radix = u8::try_from(radix).unwrap_or_default();
        Self::Integer { radix }
    }
}

/// How a range of the text has to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As it stands there.
    Bare,
    /// Without its first and last character, which are quotes.
    Quoted,
    /// It has escapes, line breaks or separators of digits: [`Tree::decoded`] has its meaning.
    Decoded,
}

/// A range of the text: of a key, a scalar, an array or a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    start: u32,
    end: u32,
    form: Form,
}

/// A key or list item with its value. A large model has millions of nodes, so they take no more room than needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) key: (u32, u32),
    pub(super) value: (u32, u32),
    /// Where its children begin in [`Tree::order`]; in a [`TreeBuilder`], its parent.
    children: u32,
    count: u32,
    pub(super) kind: Kind,
    key_form: Form,
    value_form: Form,
}

/// A TOML text, parsed.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// The children of each node side by side: those of a table sorted by key, those of an array as written.
    order: Vec<NodeId>,
    /// By range, what a key or scalar means where that does not stand in the text.
    decoded: HashMap<(u32, u32), Box<str>>,
}

/// A tree to which nodes are added.
#[derive(Debug)]
pub(super) struct TreeBuilder<'t> {
    tree: Tree<'t>,
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

    fn with_form(range: Range<usize>, form: Form) -> Self {
        Self {
            start: u32::try_from(range.start).unwrap_or(u32::MAX),
            end: u32::try_from(range.end).unwrap_or(u32::MAX),
            form,
        }
    }

    /// What it means, unless that does not stand in the text.
    pub(super) fn plain(self, text: &str) -> Option<&str> {
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
        let capacity = text.len() / BYTES_PER_NODE;
        let mut builder = Self {
            tree: Tree {
                text,
                nodes: Vec::with_capacity(capacity),
                order: Vec::new(),
                decoded: HashMap::new(),
            },
        };
        builder.push(ROOT, Written::bare(0..0), Written::bare(0..0), Kind::Table);
        builder.tree.nodes[0].count = 0;
        builder
    }

    /// A range of the text that means `meaning`.
    pub(super) fn written(&mut self, range: Range<usize>, meaning: &str) -> Written {
        let raw = self.tree.text.get(range.clone());
        let within_quotes = raw.and_then(|raw| raw.get(1..raw.len().checked_sub(1)?));
        if raw == Some(meaning) {
            Written::bare(range)
        } else if within_quotes == Some(meaning) {
            Written::quoted(range)
        } else {
            let written = Written::with_form(range, Form::Decoded);
            self.tree.decoded.insert((written.start, written.end), meaning.into());
            written
        }
    }

    /// Adds a node below another.
    pub(super) fn push(&mut self, parent: NodeId, key: Written, value: Written, kind: Kind) -> NodeId {
        let id = NodeId::new(self.tree.nodes.len());
        self.tree.nodes.push(Node {
            key: (key.start, key.end),
            value: (value.start, value.end),
            children: parent.0,
            count: 0,
            kind,
            key_form: key.form,
            value_form: value.form,
        });
        self.tree.nodes[parent.0 as usize].count += 1;
        id
    }

    /// Moves a table that a longer header implied to the header that defines it.
    pub(super) fn define(&mut self, table: NodeId, key: Written, value: Written) {
        let node = &mut self.tree.nodes[table.0 as usize];
        (node.key, node.key_form) = ((key.start, key.end), key.form);
        (node.value, node.value_form) = ((value.start, value.end), value.form);
    }

    /// Ends the range of a node that is complete.
    pub(super) fn end(&mut self, node: NodeId, end: usize) {
        self.tree.nodes[node.0 as usize].value.1 = u32::try_from(end).unwrap_or(u32::MAX);
    }

    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        NodeId(self.tree.node(node).children)
    }

    /// The tree; `None` if a table has a key twice.
    pub(super) fn finish(mut self) -> Option<Tree<'t>> {
        self.list_children();
        let mut order = std::mem::take(&mut self.tree.order);
        let tables = self.tree.nodes.iter().filter(|node| node.kind == Kind::Table);
        for node in tables.filter(|table| table.count > 1) {
            let children = &mut order[node.range()];
            if !self.tree.are_ascending(children) {
                self.tree.sort(children);
                if !self.tree.are_ascending(children) {
                    return None;
                }
            }
        }
        self.tree.order = order;
        Some(self.tree)
    }

    /// Lists the children of each node, as written: a parent stands before its children.
    fn list_children(&mut self) {
        let Tree { nodes, order, .. } = &mut self.tree;
        *order = vec![ROOT; nodes.len() - 1];
        let mut before = std::mem::take(&mut nodes[0].count);
        for at in 1..nodes.len() {
            let parent = nodes[at].children as usize;
            nodes[at].children = before;
            before += std::mem::take(&mut nodes[at].count);
            order[nodes[parent].range().end] = NodeId::new(at);
            nodes[parent].count += 1;
        }
    }
}

impl Node {
    /// Where its children stand in [`Tree::order`].
    pub(super) fn range(&self) -> Range<usize> {
        let start = self.children as usize;
        start..start + self.count as usize
    }

    /// The same node in another place, with other children.
    pub(super) fn placed(&self, key: (u32, u32), value: (u32, u32), children: Range<usize>) -> Option<Self> {
        Some(Self {
            key,
            value,
            children: u32::try_from(children.start).ok()?,
            count: u32::try_from(children.len()).ok()?,
            ..*self
        })
    }
}

impl<'t> Tree<'t> {
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn of(
        text: &'t str,
        nodes: Vec<Node>,
        order: Vec<NodeId>,
        decoded: HashMap<(u32, u32), Box<str>>,
    ) -> Self {
        Self {
            text,
            nodes,
            order,
            decoded,
        }
    }

    /// The same over another copy of its text.
    pub(super) fn over(self, text: &str) -> Tree<'_> {
        Tree {
            text,
            nodes: self.nodes,
            order: self.order,
            decoded: self.decoded,
        }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// Where the children of a node and of those after it stand in [`Tree::order`].
    pub(super) fn children_from(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(self.order.len(), |node| node.range().start)
    }

    /// By range, what a key or scalar means where that does not stand in the text.
    pub(super) fn decoded(&self) -> impl Iterator<Item = ((u32, u32), &str)> {
        self.decoded.iter().map(|(range, meaning)| (*range, &**meaning))
    }

    /// The tree with the children of a table by key; `None` if it has a key twice.
    pub(super) fn with_sorted(mut self, table: NodeId) -> Option<Self> {
        let range = self.node(table).range();
        let mut order = std::mem::take(&mut self.order);
        self.sort(&mut order[range.clone()]);
        let is_sorted = self.are_ascending(&order[range]);
        self.order = order;
        is_sorted.then_some(self)
    }

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
        let node = self.node(node);
        self.meaning(node.key, node.key_form)
    }

    pub(super) fn key_range(&self, node: NodeId) -> Range<u32> {
        let (start, end) = self.node(node).key;
        start..end
    }

    /// What a scalar means: a string without quotes and escapes, a number without separators and prefix, a date.
    pub(super) fn scalar(&self, node: NodeId) -> &str {
        let node = self.node(node);
        self.meaning(node.value, node.value_form)
    }

    /// Where a value stands; of a table, its header or its braces.
    pub(super) fn value_range(&self, node: NodeId) -> Range<u32> {
        let (start, end) = self.node(node).value;
        start..end
    }

    fn meaning(&self, (start, end): (u32, u32), form: Form) -> &str {
        match (Written { start, end, form }).plain(self.text) {
            Some(plain) => plain,
            None => self.decoded.get(&(start, end)).map_or("", |decoded| decoded),
        }
    }

    fn sort(&self, children: &mut [NodeId]) {
        if children.len() <= FEW {
            children.sort_unstable_by(|one, other| self.key(*one).cmp(self.key(*other)));
        } else {
            children.sort_by_cached_key(|child| self.key(*child));
        }
    }

    /// Whether each key is greater than the one before it.
    fn are_ascending(&self, children: &[NodeId]) -> bool {
        let mut keys = children.iter().map(|child| self.key(*child));
        let mut before = keys.next();
        keys.all(|key| before.replace(key) < Some(key))
    }
}
