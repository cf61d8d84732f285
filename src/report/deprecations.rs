//! Kinds that are deprecated or removed: what lists of deprecated API versions for other tools are written from.

use crate::grammar::{CORE, KindPath};
use crate::release::ReleaseName;

/// Kinds of API groups with what happens to them.
#[derive(Debug, Default)]
pub struct DeprecationsReport<'a> {
    /// By group, version and kind.
    pub(crate) entries: Vec<DeprecationReport<'a>>,
    /// The newest release that has shipped, if its name is a number.
    pub(crate) current: Option<ReleaseName>,
    /// What such lists cannot express, a sentence each.
    pub omitted: Vec<String>,
}

/// A kind with what happens to it.
#[derive(Debug)]
pub(crate) struct DeprecationReport<'a> {
    pub(crate) kind: KindPath<'a>,
    pub(crate) introduced: Option<ReleaseName>,
    pub(crate) deprecated: Option<ReleaseName>,
    /// The first release that no longer has it.
    pub(crate) removed: Option<ReleaseName>,
    pub(crate) replacement: Option<KindPath<'a>>,
    /// The first release that has the replacement.
    pub(crate) available: Option<ReleaseName>,
}

/// The group of a kind as Kubernetes writes it: empty for the core group.
pub(crate) fn api_group<'p>(kind: &'p KindPath<'_>) -> &'p str {
    match &*kind.version.group {
        CORE => "",
        group => group,
    }
}
