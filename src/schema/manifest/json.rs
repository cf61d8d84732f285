//! Manifests in JSON: values from the JSON reader, places from the YAML reader, which counts lines. YAML does not allow
//! repeated keys, which JSON does: places are then unknown, and nothing else changes.

use super::KIND;
use super::written::{Label, Manifest};
use crate::text::{MOST_NODES, Unreadable, at, bounded_json, limits, line_below, of_json};

/// The manifests of a JSON text, each with its first line. There may be several, one after another.
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
                let error = of_json(&problem);
                let line = line_below(first, u64::from(error.line));
                return Err(at(line, error.column, error.reason));
            }
        };
        let own = text.get(before..read.byte_offset()).unwrap_or_default();
        let (blank, own) = own.split_at(own.len() - own.trim_start().len());
        line = line.saturating_add(newlines(blank));
        // Places come from the YAML reader, if it can read the text; they count from the first line of the manifest.
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
