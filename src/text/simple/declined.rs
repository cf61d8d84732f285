//! Texts that are not simple.

use std::fmt::Display;

/// A text is for the full reader.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("not as simple as it should be")]
pub(super) struct Declined;

/// What is read, unless it is declined.
pub(super) type Simple<T> = Result<T, Declined>;

impl serde::de::Error for Declined {
    /// The full reader gives the message.
    fn custom<T: Display>(_message: T) -> Self {
        Self
    }
}
