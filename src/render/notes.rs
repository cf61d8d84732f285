//! Release notes, migration guides and other drafts, from the templates in `templates/notes/`.

use super::Templates;

/// A built-in template.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInTemplate {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it produces.
    pub about: &'static str,
    /// Whether it needs a release.
    pub of_release: bool,
    /// Its file in a folder of templates.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The built-in templates, the default first.
pub const BUILT_IN_TEMPLATES: [BuiltInTemplate; 6] = [
    BuiltInTemplate {
        name: "notes",
        about: "the notes of a release, or of all releases since another one",
        of_release: true,
        file: "notes.md",
        text: include_str!("../../templates/notes/notes.md"),
    },
    BuiltInTemplate {
        name: "migration-guide",
        about: "what is removed when, what to migrate to, and which release introduced that",
        of_release: false,
        file: "migration-guide.md",
        text: include_str!("../../templates/notes/migration-guide.md"),
    },
    BuiltInTemplate {
        name: "deprecations",
        about: "what is deprecated, by the release of its removal",
        of_release: false,
        file: "deprecations.md",
        text: include_str!("../../templates/notes/deprecations.md"),
    },
    BuiltInTemplate {
        name: "changelog",
        about: "every release, in the format of Keep a Changelog",
        of_release: false,
        file: "changelog.md",
        text: include_str!("../../templates/notes/changelog.md"),
    },
    BuiltInTemplate {
        name: "announcement",
        about: "a mail or a post: what changes, why, the replacement, the schedule",
        of_release: true,
        file: "announcement.md",
        text: include_str!("../../templates/notes/announcement.md"),
    },
    BuiltInTemplate {
        name: "warnings",
        about: "the warnings that servers and programs print about deprecated elements",
        of_release: false,
        file: "warnings.md",
        text: include_str!("../../templates/notes/warnings.md"),
    },
];

/// The file of components that the built-in templates share, and its text.
pub const WORDS: (&str, &str) = ("words.md", include_str!("../../templates/notes/words.md"));

/// The built-in templates by file name; others may replace them.
pub fn built_in_templates() -> Templates {
    let mut templates = Templates::default();
    let files = BUILT_IN_TEMPLATES.iter().map(|template| (template.file, template.text));
    for (file, text) in files.chain([WORDS]) {
        templates.put(file, &format!("{file} (built in)"), text);
    }
    templates
}
