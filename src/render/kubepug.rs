//! The list that kubepug reads: JSON with one entry per kind.

use std::io::{self, Write};

use serde::Serialize;

use crate::grammar::KindPath;
use crate::release::ReleaseName;
use crate::report::{DeprecationsReport, api_group};

use super::json::WithoutControls;

#[derive(Serialize)]
struct KindEntry<'r> {
    #[serde(flatten)]
    kind: Kind<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    introduced_version: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated_version: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed_version: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<Kind<'r>>,
}

#[derive(Serialize)]
struct Numbers {
    version_major: u64,
    version_minor: u64,
}

#[derive(Serialize)]
struct Kind<'r> {
    group: &'r str,
    version: &'r str,
    #[serde(rename = "kind")]
    name: &'r str,
}

/// Prints the list. What is not known is left out.
pub fn write(report: &DeprecationsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let entries: Vec<KindEntry<'_>> = report
        .entries
        .iter()
        .map(|entry| KindEntry {
            kind: named(&entry.kind),
            introduced_version: entry.introduced.as_ref().map(numbers),
            deprecated_version: entry.deprecated.as_ref().map(numbers),
            removed_version: entry.removed.as_ref().map(numbers),
            replacement: entry.replacement.as_ref().map(named),
        })
        .collect();
    serde_json::to_writer_pretty(WithoutControls(&mut *out), &entries)?;
    writeln!(out)
}

fn numbers(release: &ReleaseName) -> Numbers {
    Numbers {
        version_major: release.major(),
        version_minor: release.minor(),
    }
}

fn named<'r>(kind: &'r KindPath<'_>) -> Kind<'r> {
    Kind {
        group: api_group(kind),
        version: &kind.version.version,
        name: &kind.kind,
    }
}
