//! What is known of parts of an expression when their cost is estimated.

use super::size::Size;
use super::types::DeclId;
use crate::cel::tree::Id;

/// Where the schema declares a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The value is a result, or the path to it is empty.
    Nowhere,
    At(DeclId),
    /// The schema does not have the path.
    Lost,
}

/// The sizes of the keys and values of a list or map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content {
    pub is_map: bool,
    pub key: Size,
    pub value: Size,
}

impl Content {
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            is_map: self.is_map,
            key: self.key.or(other.key),
            value: self.value.or(other.value),
        }
    }
}

/// One overload of a call.
pub(super) struct Call<'c> {
    pub id: Id,
    pub function: &'c str,
    pub overload: &'c str,
    pub target: Option<Argument>,
    pub arguments: &'c [Argument],
    /// Of the arguments.
    pub costs: &'c [u64],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Argument {
    pub id: Id,
    pub place: Place,
    /// Where the expression says it.
    pub size: Option<Size>,
}
