//! A value of a CRD with its path and place.

use super::path::Path;
use crate::schema::Tree;
use crate::source::Location;

/// A value, where it stands, and the server's name of that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'t, 'p> {
    pub(super) value: &'t Tree,
    pub(super) path: Path<'p>,
    pub(super) place: Option<Location>,
}

impl<'t> Node<'t, '_> {
    /// The value of a key; `null` is the same as none.
    pub(super) fn child<'n>(&'n self, key: &'n str) -> Option<Node<'t, 'n>> {
        let entry = self.value.entry(key)?;
        Some(Node {
            value: &entry.value,
            path: self.path.child(key),
            place: entry.place.or(self.place),
        })
    }

    /// The schema of a key; servers ignore what is none.
    pub(super) fn schema<'n>(&'n self, key: &'n str) -> Option<Node<'t, 'n>> {
        self.child(key).filter(|node| matches!(node.value, Tree::Table(_)))
    }

    /// The same under another name.
    pub(super) fn named<'n>(&self, path: Path<'n>) -> Node<'t, 'n> {
        Node {
            value: self.value,
            path,
            place: self.place,
        }
    }

    /// The entries of a list.
    pub(super) fn items<'n>(&'n self) -> impl Iterator<Item = Node<'t, 'n>> {
        let items: &'t [_] = match self.value {
            Tree::List(items) => items,
            _ => &[],
        };
        items.iter().enumerate().map(move |(index, item)| Node {
            value: &item.value,
            path: self.path.index(index),
            place: item.place.or(self.place),
        })
    }

    /// The values of a table, with their keys.
    pub(super) fn values<'n>(&'n self) -> impl Iterator<Item = (&'t str, Node<'t, 'n>)>
    where
        't: 'n,
    {
        let entries = match self.value {
            Tree::Table(entries) => Some(entries),
            _ => None,
        };
        entries.into_iter().flatten().map(move |(key, entry)| {
            let node = Node {
                value: &entry.value,
                path: self.path.key(key),
                place: entry.place.or(self.place),
            };
            (key.as_str(), node)
        })
    }

    /// Where a key stands, or the value if it lacks the key.
    pub(super) fn place_of(&self, key: &str) -> Option<Location> {
        self.value.entry(key).and_then(|entry| entry.place).or(self.place)
    }
}
