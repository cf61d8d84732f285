//! Reads a document with `toml`'s own parser, which reports what is wrong and continues after it.

use toml::de::{DeTable, DeValue};

use super::tree::{Kind, NodeId, ROOT, Tree, TreeBuilder, Written};

/// Up to this size a text with syntax errors is read as far as it can be; of a larger one the first error is reported.
const LARGEST_RECOVERED: usize = 4 << 20;

/// Reads a text as far as possible, with its syntax errors.
pub(super) fn read(text: &str) -> (Tree<'_>, Vec<toml::de::Error>) {
    let (table, errors) = match DeTable::parse(text) {
        Ok(table) => (table, Vec::new()),
        // Recovery keeps one error per unexpected token, and a large file that is not TOML has many.
        Err(first) if text.len() > LARGEST_RECOVERED => return (Tree::empty(text), vec![first]),
        Err(_) => DeTable::parse_recoverable(text),
    };
    let tree = converted(text, table.get_ref()).unwrap_or_else(|| Tree::empty(text));
    (tree, errors)
}

fn converted<'t>(text: &'t str, root: &DeTable<'_>) -> Option<Tree<'t>> {
    let mut tree = TreeBuilder::new(text);
    let mut tables = vec![(ROOT, root)];
    while let Some((parent, table)) = tables.pop() {
        for (key, value) in table {
            let key = tree.written(key.span(), key.get_ref());
            push(&mut tree, (parent, key), value, &mut tables);
        }
    }
    tree.finish()
}

/// Adds a value and the items of an array; tables are left for later.
fn push<'v, 'd>(
    tree: &mut TreeBuilder<'_>,
    (parent, key): (NodeId, Written),
    value: &'v toml::Spanned<DeValue<'d>>,
    tables: &mut Vec<(NodeId, &'v DeTable<'d>)>,
) {
    let (meaning, kind) = meaning(value.get_ref());
    let written = match kind {
        Kind::Array | Kind::Table | Kind::Boolean(_) => Written::bare(value.span()),
        _ => tree.written(value.span(), &meaning),
    };
    let node = tree.push(parent, key, written, kind);
    match value.get_ref() {
        DeValue::Table(table) => tables.push((node, table)),
        DeValue::Array(items) => {
            for item in items {
                push(tree, (node, Written::bare(0..0)), item, tables);
            }
        }
        _ => {}
    }
}

fn meaning(value: &DeValue<'_>) -> (String, Kind) {
    match value {
        DeValue::String(text) => (text.to_string(), Kind::String),
        DeValue::Integer(number) => (number.as_str().to_owned(), Kind::integer(number.radix())),
        DeValue::Float(number) => (number.as_str().to_owned(), Kind::Float),
        DeValue::Boolean(value) => (String::new(), Kind::Boolean(*value)),
        DeValue::Datetime(moment) => (moment.to_string(), Kind::Datetime),
        DeValue::Array(_) => (String::new(), Kind::Array),
        DeValue::Table(_) => (String::new(), Kind::Table),
    }
}
