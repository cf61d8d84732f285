//! The command that adds the next release to the model.

use lifecycle::model::in_shell;

use super::find::Survey;
use super::states::{AFTER_FOLDER, States};

/// The file of the model, in the folder of the project.
pub const MODEL: &str = "lifecycle.toml";

/// The command that adds the next release to the model, run in the folder of the project; `None` if nothing was found
/// in the newest release.
pub fn next_import(states: &States, survey: &Survey) -> Option<String> {
    let newest = survey.releases.last()?;
    let folders = survey.newest_folders().iter().map(|folder| match folder.as_str() {
        "" => ".".into(),
        folder => in_shell(folder),
    });
    let folders = folders.collect::<Vec<_>>();
    let importer = survey.sort.filter(|_| !folders.is_empty())?.importer();
    let releases = match &states.tags {
        Ok(_) => {
            let tags = states
                .pattern
                .as_deref()
                .map(|pattern| format!(" --tags {}", in_shell(pattern)));
            let tags = tags.unwrap_or_default();
            format!("--git .{tags} --since {}", newest.state.release)
        }
        Err(_) => format!("--release {AFTER_FOLDER}"),
    };
    let folders = folders.join(" ");
    Some(format!(
        "lifecycle import {importer} {releases} {folders} --update {MODEL}"
    ))
}
