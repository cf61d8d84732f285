//! Manifests in JSON, with the places that only a reader of YAML knows.

use super::KIND;
use super::written::{Label, Manifest};
use crate::text::{MOST_NODES, Unreadable, at, bounded_json, limits, line_below, of_json};

/// Whether a document begins as JSON does; YAML has other tables in braces.
pub(super) fn is_json(document: &str) -> bool {
    let begin = document.strip_prefix("---").unwrap_or(document).trim_start();
    let within = begin.strip_prefix('{').map(str::trim_start);
    within.is_some_and(|within| within.starts_with(['"', '}']))
}

/// The manifests of a text of JSON that begins at a line, each with its own: there may be several, one after another.
pub(super) fn of_json_text(text: &str, mut line: u32) -> Result<Vec<(u32, Manifest)>, Unreadable> {
    let text = text.strip_prefix("---").unwrap_or(text);
    bounded_json(text)?;
    let mut read = serde_json::Deserializer::from_str(text).into_iter::<Manifest>();
    let (mut manifests, mut before, first) = (Vec::new(), 0, line);
    while let Some(manifest) = read.next() {
        let mut manifest = match manifest {
            Ok(manifest) => manifest,
            Err(_) if serde_json::from_str::<Label>(text).is_ok_and(|label| label.is_other()) => return Ok(Vec::new()),
            Err(problem) => {
                let fault = of_json(&problem);
                let line = line_below(first, u64::from(fault.line));
                return Err(at(line, fault.column, fault.reason));
            }
        };
        let own = text.get(before..read.byte_offset()).unwrap_or_default();
        let (blank, own) = own.split_at(own.len() - own.trim_start().len());
        line = line.saturating_add(newlines(blank));
        // The reader of JSON tells no places; that of YAML does where it can read the same, counted from its first
        // line.
        let begins_a_line = blank.ends_with('\n') || before == 0 && blank.is_empty();
        if begins_a_line && own.contains(KIND) {
            let same = serde_saphyr::from_str_with_options::<Manifest>(own, limits(MOST_NODES));
            if let Ok(same) = same {
                manifest.take_places(same);
            }
        }
        manifests.push((line, manifest));
        line = line.saturating_add(newlines(own));
        before = read.byte_offset();
    }
    Ok(manifests)
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}
