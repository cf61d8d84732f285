//! What other versions lack.

use crate::release::Release;

/// When a kind in another version has no counterpart of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LackedBy<K> {
    pub(crate) kind: K,
    /// The first release without one.
    pub(crate) since: Release,
    /// The first release that has one again, or no longer has the kind.
    pub(crate) until: Release,
}
