//! The hint that shows how to check a model that was just imported with the schemas of its source.

use std::ffi::OsStr;
use std::path::Path;

use lifecycle::release::ReleaseName;

use crate::args::{Releases, Target};
use crate::io::bounds::relative;
use crate::io::disk::STANDARD_INPUT;
use crate::terminal::Terminal;

/// Shows the line that makes `check` read the schemas, where all of the newest release is on the disk.
pub(super) fn hint(arguments: &Releases, target: &Target, terminal: &mut Terminal) {
    let Some(output) = target.output.as_deref().filter(|_| arguments.git.is_none()) else {
        return;
    };
    let paths = newest(arguments);
    let paths: Option<Vec<toml::Value>> = paths.iter().map(|path| seen_from(output, path)).collect();
    if let Some(paths) = paths.filter(|paths| !paths.is_empty()) {
        let list = toml::Value::Array(paths);
        terminal.note(&format!(
            "to check schema changes with the model, add at its top: schemas = {list}"
        ));
    }
}

fn newest(arguments: &Releases) -> Vec<&str> {
    let mut all: Vec<(ReleaseName, &str)> = Vec::new();
    if let Some(release) = arguments.release.as_deref().and_then(ReleaseName::parse) {
        all.extend(arguments.paths.iter().map(|path| (release.clone(), path.as_str())));
    }
    for pair in arguments.at.chunks(2) {
        if let [when, path] = pair
            && let Some(release) = when.split('=').next().and_then(ReleaseName::parse)
        {
            all.push((release, path));
        }
    }
    let last = all.iter().map(|(release, _)| release).max();
    let of_last = all.iter().filter(|(release, _)| Some(release) == last);
    of_last.map(|(_, path)| *path).collect()
}

/// A path relative to the folder of an existing file. `None` for standard input, and where the path is not UTF-8.
fn seen_from(file: &str, path: &str) -> Option<toml::Value> {
    if path == STANDARD_INPUT {
        return None;
    }
    let folder = Path::new(file).canonicalize().ok()?.parent()?.to_path_buf();
    let path = Path::new(path).canonicalize().ok()?;
    let relative = relative(&folder, &path)?;
    let steps: Option<Vec<&str>> = relative.iter().map(OsStr::to_str).collect();
    let relative = steps?.join("/");
    let relative = if relative.is_empty() { ".".to_owned() } else { relative };
    Some(toml::Value::String(relative))
}
