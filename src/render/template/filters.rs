//! The names of the filters of this program, and what they do.

/// The filters in addition to those of Tera: name and documentation.
pub const FILTERS: [(&str, &str); 7] = [
    (
        "code",
        "a name as code: between backticks in Markdown, in `<code>` in HTML, unchanged elsewhere",
    ),
    (
        "when",
        "a release with its date, if it has one: `1.25 (2022-08-23)`, `1.39 (projected 2027-04-26)`",
    ),
    ("level", "a stability as people write it: `GA`, `beta`, `stable`"),
    (
        "short",
        "an id without its leading word: of `gate Frobber2D`, `Frobber2D`",
    ),
    ("flat", "a list of lists as one list"),
    (
        "cell",
        "code, or other text marked as safe, for a cell of a Markdown table: pipes in it are escaped",
    ),
    (
        "group_by",
        "the items of a list grouped by `attribute`, in order of first occurrence: a list of items with `key` and `items`",
    ),
];
