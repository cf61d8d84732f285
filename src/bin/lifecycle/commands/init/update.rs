//! The command that adds the next release to the model.

use lifecycle::model::in_shell;

use super::find::Survey;
use super::states::{AFTER_FOLDER, States};

/// The file of the model, in the folder of the project.
pub const MODEL: &str = "lifecycle.toml";

pub struct NextImport {
    /// When to run it.
    pub when: String,
    /// To be run in the folder of the project.
    pub command: String,
}

impl NextImport {
    /// `None` if nothing was found in the newest release.
    pub fn of(states: &States, survey: &Survey) -> Option<Self> {
        let newest = survey.releases.last()?;
        let paths = survey.newest_paths().into_iter().map(|path| {
            // No option is meant.
            let start = if path.starts_with('-') { "./" } else { "" };
            in_shell(&format!("{start}{path}")).into_owned()
        });
        let paths = paths.collect::<Vec<_>>();
        let importer = survey.sort.filter(|_| !paths.is_empty())?.importer();
        let (when, releases) = match &states.tags {
            Ok(_) => {
                let tags = states.pattern.as_deref();
                let tags = tags.map_or_else(String::new, |pattern| format!(" --tags={}", in_shell(pattern)));
                let since = &newest.state.release;
                let when = "After each release, this adds what is new".to_owned();
                (when, format!("--git .{tags} --since {since}"))
            }
            Err(_) => (
                format!("With {AFTER_FOLDER}, this adds what is new"),
                format!("--release {AFTER_FOLDER}"),
            ),
        };
        let paths = paths.join(" ");
        Some(Self {
            when,
            command: format!("lifecycle import {importer} {releases} {paths} --update {MODEL}"),
        })
    }
}
