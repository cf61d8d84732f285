//! Tags for Kubernetes' `prerelease-lifecycle-gen`, to be put above types in Go.

use std::io::{self, Write};

use crate::grammar::KindPath;
use crate::report::{DeprecationReport, DeprecationsReport, api_group};
use crate::stability::{Track, VersionName};

use super::visible;

/// What every tag begins with.
const TAG: &str = "// +k8s:prerelease-lifecycle-gen:";

/// How many kinds one message names; the others are counted.
const MOST_NAMED: usize = 5;

/// Prints the tags of each kind below a comment that names it, sorted by group, version and kind. What is declared has
/// its tag even where the generator would assume the same, so that another default changes nothing.
///
/// Returns what tags cannot express, a sentence each.
pub fn write(report: &DeprecationsReport<'_>, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let mut omitted = Vec::new();
    let mut assumed: Vec<String> = Vec::new();
    let mut first = true;
    for entry in &report.entries {
        let Some(introduced) = &entry.introduced else {
            omitted.push(format!("{}: tags need the release that introduced it", entry.kind));
            continue;
        };
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        writeln!(out, "// {}", visible(&entry.kind.to_string()))?;
        writeln!(out, "{TAG}introduced={introduced}")?;
        if let Some(deprecated) = &entry.deprecated {
            writeln!(out, "{TAG}deprecated={deprecated}")?;
        }
        if let Some(removed) = &entry.removed {
            writeln!(out, "{TAG}removed={removed}")?;
        }
        match &entry.replacement {
            Some(other) if fits(other) => {
                let (group, KindPath { version, kind }) = (api_group(other), other);
                writeln!(out, "{TAG}replacement={group},{},{kind}", version.version)?;
            }
            Some(other) => omitted.push(format!(
                "{}: its replacement {other}, which no tag can name",
                entry.kind
            )),
            None => {}
        }
        if is_assumed(entry) {
            assumed.push(entry.kind.to_string());
        }
    }
    if !assumed.is_empty() {
        let named = assumed.iter().take(MOST_NAMED).map(String::as_str);
        let named = named.collect::<Vec<_>>().join(", ");
        let rest = match assumed.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        omitted.push(format!(
            "when these are deprecated or removed (the generator assumes three releases later): {named}{rest}"
        ));
    }
    Ok(omitted)
}

/// Whether the generator assumes a deprecation or a removal: of what is not GA, three releases after what comes before
/// it.
fn is_assumed(entry: &DeprecationReport<'_>) -> bool {
    let is_ga = VersionName::new(&entry.kind.version.version).track() == Some(Track::Ga);
    !is_ga && (entry.deprecated.is_none() || entry.removed.is_none())
}

/// Whether the generator reads a replacement: a group and a version in lower case, and a kind that begins with a
/// capital.
fn fits(other: &KindPath<'_>) -> bool {
    let names = [api_group(other), &other.version.version, &other.kind];
    !names[..2].iter().any(|name| name.contains(char::is_uppercase))
        && other.version.version.starts_with('v')
        && other.kind.starts_with(char::is_uppercase)
        && !names.iter().any(|name| name.contains([',', ' ', '"', '`']))
}
