//! Expressions in CEL, read as Kubernetes servers do, and in a canonical form.
//!
//! The parser is our own, as that of the crate `cel` brings 57 crates along, and expands macros otherwise than servers
//! do.

pub(crate) mod bounded;
pub(crate) mod canonical;
pub(crate) mod clause;
pub(crate) mod eval;
pub(crate) mod implied;
pub(crate) mod known;
pub(crate) mod lexer;
mod literal;
mod looped;
mod macros;
mod named;
pub(crate) mod parser;
mod primary;
pub(crate) mod reads;
pub(crate) mod tree;
pub(crate) mod unchanged;
mod unread;

pub(crate) use unread::{Stop, Unjudged};
