//! Release notes, migration guides and other drafts, from the templates in `templates/notes/`.

use super::Templates;

/// The JSON schema of what templates see ([`NotesReport`](crate::report::NotesReport)).
pub const CONTEXT_SCHEMA: &str = include_str!("../../schemas/notes-context.schema.json");

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
    pub(crate) text: &'static str,
}

macro_rules! template {
    ($name:literal, $of_release:literal, $about:literal) => {
        BuiltInTemplate {
            name: $name,
            about: $about,
            of_release: $of_release,
            file: concat!($name, ".md"),
            text: include_str!(concat!("../../templates/notes/", $name, ".md")),
        }
    };
}

/// The built-in templates, the default first.
pub const BUILT_IN_TEMPLATES: [BuiltInTemplate; 6] = [
    template!(
        "notes",
        true,
        "the notes of a release, or of all releases since another one"
    ),
    template!(
        "migration-guide",
        false,
        "what is removed when, what to migrate to, and which release introduced that"
    ),
    template!(
        "deprecations",
        false,
        "what is deprecated, by the release of its removal"
    ),
    template!("changelog", false, "every release, in the format of Keep a Changelog"),
    template!(
        "announcement",
        true,
        "a mail or a post: what changes, why, the replacement, the schedule"
    ),
    template!(
        "warnings",
        false,
        "the warnings that servers and programs print about deprecated elements"
    ),
];

/// The file of components that the built-in templates share, and its text.
pub(crate) const WORDS: (&str, &str) = ("words.md", include_str!("../../templates/notes/words.md"));

/// The built-in templates by file name; others may replace them.
pub fn built_in_templates() -> Templates {
    let mut templates = Templates::default();
    let files = BUILT_IN_TEMPLATES.iter().map(|template| (template.file, template.text));
    for (file, text) in files.chain([WORDS]) {
        templates.put(file, &format!("{file} (built in)"), text);
    }
    templates
}
