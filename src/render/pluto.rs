//! The list that pluto reads: YAML with one entry per kind.

use std::io::{self, Write};

use crate::release::ReleaseName;
use crate::report::DeprecationsReport;

/// Prints the list. `component` is pluto's name for the product.
///
/// Releases have a patch number, because pluto compares them so. What is not known is an empty string. The newest
/// release that has shipped is pluto's default target.
pub fn write(report: &DeprecationsReport<'_>, component: &str, out: &mut dyn Write) -> io::Result<()> {
    if report.entries.is_empty() {
        writeln!(out, "deprecated-versions: []")?;
    } else {
        writeln!(out, "deprecated-versions:")?;
    }
    for entry in &report.entries {
        writeln!(out, "  - version: {}", quoted(&entry.kind.version.api_version()))?;
        writeln!(out, "    kind: {}", quoted(&entry.kind.kind))?;
        writeln!(out, "    deprecated-in: {}", when(entry.deprecated.as_ref()))?;
        writeln!(out, "    removed-in: {}", when(entry.removed.as_ref()))?;
        let replacement = entry
            .replacement
            .as_ref()
            .map(|kind| kind.version.api_version())
            .unwrap_or_default();
        writeln!(out, "    replacement-api: {}", quoted(&replacement))?;
        if entry.available.is_some() {
            writeln!(out, "    replacement-available-in: {}", when(entry.available.as_ref()))?;
        }
        writeln!(out, "    component: {}", quoted(component))?;
    }
    if report.current.is_some() {
        let current = when(report.current.as_ref());
        writeln!(out, "target-versions:\n  {}: {current}", quoted(component))?;
    }
    Ok(())
}

fn when(release: Option<&ReleaseName>) -> String {
    release.map_or_else(|| "\"\"".to_owned(), |release| format!("v{release}.0"))
}

/// A string in double quotes, in ASCII: Unicode's line breaks would be folded.
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
