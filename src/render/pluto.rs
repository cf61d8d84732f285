//! The list that pluto reads: YAML with an entry a kind.

use std::io::{self, Write};

use crate::release::ReleaseName;

use super::deprecations::{Api, Deprecations};

/// Prints a list, sorted by group, version and kind. `component` is what pluto calls the product.
///
/// Releases are written with a patch number, as pluto compares them. What is not known is an empty string. The newest
/// release that has shipped is the one that pluto judges by unless told otherwise.
///
/// # Errors
///
/// If writing fails.
pub fn write(found: &Deprecations<'_>, component: &str, out: &mut dyn Write) -> io::Result<()> {
    if found.entries.is_empty() {
        writeln!(out, "deprecated-versions: []")?;
    } else {
        writeln!(out, "deprecated-versions:")?;
    }
    for (api, entry) in &found.entries {
        writeln!(out, "  - version: {}", quoted(&version(api)))?;
        writeln!(out, "    kind: {}", quoted(&api.kind))?;
        writeln!(out, "    deprecated-in: {}", when(entry.deprecated.as_ref()))?;
        writeln!(out, "    removed-in: {}", when(entry.removed.as_ref()))?;
        let replacement = entry.replacement.as_ref().map(version).unwrap_or_default();
        writeln!(out, "    replacement-api: {}", quoted(&replacement))?;
        if entry.available.is_some() {
            writeln!(out, "    replacement-available-in: {}", when(entry.available.as_ref()))?;
        }
        writeln!(out, "    component: {}", quoted(component))?;
    }
    if found.current.is_some() {
        let current = when(found.current.as_ref());
        writeln!(out, "target-versions:\n  {}: {current}", quoted(component))?;
    }
    Ok(())
}

fn version(api: &Api<'_>) -> String {
    api.path().version.api_version()
}

fn when(release: Option<&ReleaseName>) -> String {
    release.map_or_else(|| "\"\"".to_owned(), |release| format!("v{release}.0"))
}

/// A string in double quotes, in ASCII: line breaks of other scripts would be folded.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            _ => {
                let number = format!("\\U{:08x}", u32::from(c));
                quoted.push_str(&number);
            }
        }
    }
    quoted.push('"');
    quoted
}
