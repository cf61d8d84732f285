//! What objects use: which elements of a model that are deprecated or removed.
//!
//! [`Surface`] is what a model says about the API up to a release. [`read`] finds objects in texts of JSON and YAML,
//! `uses` looks each up in the surfaces, and a use becomes a finding.

mod comment;
mod contained;
mod finding;
mod helm;
mod masked;
mod member;
mod object;
mod path;
mod record;
mod rewrite;
mod surface;
mod uses;

use crate::diagnostic::{Page, Severity};

pub(crate) use comment::{Ignore, ignores};
pub(crate) use contained::Contained;
pub(crate) use finding::findings;
pub(crate) use masked::masked;
pub(crate) use object::{ReadDocument, read};
pub(crate) use path::steps;
pub(crate) use rewrite::Rewrites;
pub(crate) use surface::{Fate, KindFate, Member, MemberPart, Surface, VersionFate};
pub(crate) use uses::{Known, Use, Uses};

/// The page of findings about objects.
pub(crate) const PAGE: Page = Page {
    slug: "in-use",
    title: "Objects that use what is deprecated, or removed by a release.",
    text: include_str!("in-use.md"),
    codes: &[
        ("removed", Severity::Error),
        ("removal-planned", Severity::Warning),
        ("deprecated", Severity::Warning),
        ("deprecation-planned", Severity::Note),
        ("last-applied", Severity::Warning),
        ("managed-fields", Severity::Note),
        ("ignore-incomplete", Severity::Error),
        ("ignore-expired", Severity::Warning),
        ("ignore-unneeded", Severity::Note),
    ],
};
