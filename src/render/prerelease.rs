//! Tags for Kubernetes' `prerelease-lifecycle-gen`, to be put above types in Go.

use std::io::{self, Write};

use crate::stability::{Track, VersionName};

use super::deprecations::{Api, Deprecation, Deprecations};
use super::visible;

/// What every tag begins with.
const TAG: &str = "// +k8s:prerelease-lifecycle-gen:";

/// How many kinds one message names; the others are counted.
const MOST_NAMED: usize = 5;

/// Prints the tags of each kind below a comment that names it, sorted by group, version and kind. What is declared
/// stands in a tag also where the generator would take it by default.
///
/// Gives what tags cannot say, in words.
///
/// # Errors
///
/// If writing fails.
pub fn write(found: &Deprecations<'_>, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let mut untold = Vec::new();
    let mut defaulted: Vec<String> = Vec::new();
    let mut first = true;
    for (api, entry) in &found.entries {
        let Some(introduced) = &entry.introduced else {
            untold.push(format!("{}: a tag has to say the release that introduces it", api.id()));
            continue;
        };
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        writeln!(out, "// {}", visible(&api.id()))?;
        writeln!(out, "{TAG}introduced={introduced}")?;
        if let Some(deprecated) = &entry.deprecated {
            writeln!(out, "{TAG}deprecated={deprecated}")?;
        }
        if let Some(removed) = &entry.removed {
            writeln!(out, "{TAG}removed={removed}")?;
        }
        match &entry.replacement {
            Some(other) if fits(other) => {
                writeln!(out, "{TAG}replacement={},{},{}", other.group, other.version, other.kind)?;
            }
            Some(other) => untold.push(format!("{}: no tag can name its replacement, {}", api.id(), other.id())),
            None => {}
        }
        if takes_defaults(api, entry) {
            defaulted.push(api.id());
        }
    }
    if let Some(more) = defaulted.len().checked_sub(1) {
        let named = defaulted
            .iter()
            .take(MOST_NAMED)
            .map(String::as_str)
            .collect::<Vec<_>>();
        let rest = match (more + 1).checked_sub(MOST_NAMED).filter(|rest| *rest > 0) {
            Some(rest) => format!(" and {rest} more"),
            None => String::new(),
        };
        untold.push(format!(
            "when these are deprecated or removed, so that the generator takes three releases later: {}{rest}",
            named.join(", ")
        ));
    }
    Ok(untold)
}

/// Whether the generator makes up a deprecation or a removal: of what is not GA, three releases after what comes before
/// it.
fn takes_defaults(api: &Api<'_>, entry: &Deprecation<'_>) -> bool {
    let is_ga = VersionName::new(&api.version).track() == Some(Track::Ga);
    !is_ga && (entry.deprecated.is_none() || entry.removed.is_none())
}

/// Whether the generator reads a replacement: a group and a version in lower case, and a kind that begins with a
/// capital.
fn fits(api: &Api<'_>) -> bool {
    let is_lower = |text: &str| !text.chars().any(char::is_uppercase);
    let is_plain = |text: &str| !text.contains([',', ' ', '"', '`']);
    is_lower(&api.group)
        && is_lower(&api.version)
        && api.version.starts_with('v')
        && api.kind.starts_with(char::is_uppercase)
        && [&api.group, &api.version, &api.kind]
            .into_iter()
            .all(|name| is_plain(name))
}
