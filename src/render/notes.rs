//! Release notes and their kin, from the templates in `templates/notes/`.

use super::Templates;

/// A template that is built in.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInTemplate {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it makes.
    pub about: &'static str,
    /// Whether the release that it tells of has to be named.
    pub of_release: bool,
    /// Its file in a folder of templates.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The templates that are built in, the default first.
pub const BUILT_IN_TEMPLATES: [BuiltInTemplate; 6] = [
    BuiltInTemplate {
        name: "notes",
        about: "the notes of a release, or of those since the one that readers have",
        of_release: true,
        file: "notes.md",
        text: include_str!("../../templates/notes/notes.md"),
    },
    BuiltInTemplate {
        name: "migration-guide",
        about: "what is removed when, and for each kind what to move to and since when that is there",
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
        about: "every release, as Keep a Changelog has it",
        of_release: false,
        file: "changelog.md",
        text: include_str!("../../templates/notes/changelog.md"),
    },
    BuiltInTemplate {
        name: "announcement",
        about: "a mail or an article: what, why, the replacement, the schedule",
        of_release: true,
        file: "announcement.md",
        text: include_str!("../../templates/notes/announcement.md"),
    },
    BuiltInTemplate {
        name: "warnings",
        about: "what servers and programs say of what is deprecated",
        of_release: false,
        file: "warnings.md",
        text: include_str!("../../templates/notes/warnings.md"),
    },
];

/// The components that the built-in templates share, and their file in a folder of templates.
pub const WORDS: (&str, &str) = ("words.md", include_str!("../../templates/notes/words.md"));

/// The built-in templates by the names of their files, for others to be put in their place.
pub fn built_in_templates() -> Templates {
    let mut templates = Templates::default();
    let files = BUILT_IN_TEMPLATES.iter().map(|template| (template.file, template.text));
    for (file, text) in files.chain([WORDS]) {
        templates.put(file, &format!("{file} (built in)"), text);
    }
    templates
}
