//! The tree of an expression, its macros expanded.

use std::collections::BTreeSet;

use super::unread::Unjudged;

/// How deep an expression is judged. Servers refuse one that nests 250 operators.
pub(crate) const DEEPEST: u16 = 250;

/// Nodes of an expression, with those that macros copy.
const MOST_NODES: usize = 100_000;

/// A node of a [`Tree`].
pub(crate) type Id = usize;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Literal(Literal),
    /// A name; with a dot before it if it is written so.
    Name(String),
    Select {
        operand: Id,
        field: String,
        /// Within `has()`.
        tests: bool,
    },
    Call {
        function: String,
        target: Option<Id>,
        arguments: Vec<Id>,
    },
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// `Type{field: value}`
    Message {
        name: String,
        values: Vec<Id>,
    },
    Loop(Box<Loop>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A value of a list; an optional one (`[?x]`) is left out if it is absent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    pub value: Id,
    pub is_optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub key: Id,
    pub value: Item,
}

/// What macros such as `all` become: the accumulator has `start` first, then `step` for each value of `range`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loop {
    pub range: Id,
    pub variable: String,
    /// The value, where `variable` is the index or the key.
    pub second: Option<String>,
    pub accumulator: String,
    pub start: Id,
    pub condition: Id,
    pub step: Id,
    pub result: Id,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Expr>,
    spans: Vec<Span>,
    heights: Vec<u16>,
}

/// Bytes of the expression.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: usize,
    pub end: usize,
}

impl Tree {
    pub(crate) fn add(&mut self, expr: Expr, span: Span) -> Result<Id, Unjudged> {
        let below = expr.children().into_iter().map(|child| self.height(child)).max();
        let height = below.unwrap_or_default() + 1;
        if height > DEEPEST {
            return Err(Unjudged::Deep);
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(Unjudged::Large);
        }
        self.nodes.push(expr);
        self.spans.push(span);
        self.heights.push(height);
        Ok(self.nodes.len() - 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of an expression; those that several others share count for each.
    pub(crate) fn size(&self, root: Id) -> usize {
        let mut sizes: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in self.nodes.iter().take(root + 1) {
            let below = node.children().into_iter().filter_map(|child| sizes.get(child));
            sizes.push(below.fold(1, |sum, size| sum.saturating_add(*size)));
        }
        sizes.last().copied().unwrap_or_default()
    }

    pub(crate) fn get(&self, id: Id) -> &Expr {
        &self.nodes[id]
    }

    pub(crate) fn replace(&mut self, id: Id, expr: Expr) {
        self.nodes[id] = expr;
    }

    pub(crate) fn span(&self, id: Id) -> Span {
        self.spans[id]
    }

    fn height(&self, id: Id) -> u16 {
        self.heights[id]
    }

    pub(crate) fn copy(&mut self, id: Id) -> Result<Id, Unjudged> {
        let mut copied = self.get(id).clone();
        for child in copied.children_mut() {
            *child = self.copy(*child)?;
        }
        self.add(copied, self.span(id))
    }

    /// The names that a chain such as `a.b.c` has, joined by dots; `None` for other expressions.
    pub(crate) fn qualified(&self, id: Id) -> Option<String> {
        match self.get(id) {
            Expr::Name(name) => Some(name.clone()),
            Expr::Select {
                operand,
                field,
                tests: false,
            } => Some(format!("{}.{field}", self.qualified(*operand)?)),
            _ => None,
        }
    }

    /// The names of the fields that are read or tested.
    pub(crate) fn fields(&self) -> BTreeSet<String> {
        let fields = self.nodes.iter().filter_map(|node| match node {
            Expr::Select { field, .. } => Some(field.clone()),
            _ => None,
        });
        fields.collect()
    }

    /// Whether an expression is about nothing but which fields of an object are set.
    pub(crate) fn is_about_presence(&self, id: Id) -> bool {
        match self.get(id) {
            Expr::Name(name) => !["self", "oldSelf"].contains(&name.as_str()),
            Expr::Select {
                operand, tests: true, ..
            } if matches!(self.get(*operand), Expr::Name(name) if name == "self") => true,
            expr => expr.children().into_iter().all(|child| self.is_about_presence(child)),
        }
    }

    /// Whether two values that are named are compared.
    pub(crate) fn links_values(&self) -> bool {
        self.nodes.iter().any(|node| match node {
            Expr::Call {
                function, arguments, ..
            } if matches!(function.as_str(), "_<_" | "_<=_" | "_>_" | "_>=_" | "_==_") => arguments
                .iter()
                .all(|side| !matches!(self.get(*side), Expr::Literal(_))),
            _ => false,
        })
    }

    /// How often a function is called.
    pub(crate) fn calls(&self, name: &str) -> usize {
        let nodes = self.nodes.iter();
        let calls = nodes.filter(|node| matches!(node, Expr::Call { function, .. } if function == name));
        calls.count()
    }

    /// The tree with another name for a variable.
    pub(crate) fn renamed(&self, from: &str, to: &str) -> Self {
        let mut renamed = self.clone();
        let names = renamed.nodes.iter_mut().filter_map(|node| match node {
            Expr::Name(name) => Some(name),
            _ => None,
        });
        for name in names.filter(|name| *name == from) {
            to.clone_into(name);
        }
        renamed
    }

    pub(crate) fn text(&self, id: Id) -> Option<&str> {
        match self.get(id) {
            Expr::Literal(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }
}

impl Expr {
    pub(crate) fn children(&self) -> Vec<Id> {
        match self {
            Self::Literal(_) | Self::Name(_) => Vec::new(),
            Self::Select { operand, .. } => vec![*operand],
            Self::Call { target, arguments, .. } => target.iter().chain(arguments).copied().collect(),
            Self::List(items) => items.iter().map(|item| item.value).collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|entry| [entry.key, entry.value.value])
                .collect(),
            Self::Message { values, .. } => values.clone(),
            Self::Loop(of) => vec![of.range, of.start, of.condition, of.step, of.result],
        }
    }

    pub(crate) fn children_mut(&mut self) -> Vec<&mut Id> {
        match self {
            Self::Literal(_) | Self::Name(_) => Vec::new(),
            Self::Select { operand, .. } => vec![operand],
            Self::Call { target, arguments, .. } => target.iter_mut().chain(arguments).collect(),
            Self::List(items) => items.iter_mut().map(|item| &mut item.value).collect(),
            Self::Map(entries) => entries
                .iter_mut()
                .flat_map(|entry| [&mut entry.key, &mut entry.value.value])
                .collect(),
            Self::Message { values, .. } => values.iter_mut().collect(),
            Self::Loop(of) => vec![
                &mut of.range,
                &mut of.start,
                &mut of.condition,
                &mut of.step,
                &mut of.result,
            ],
        }
    }
}
