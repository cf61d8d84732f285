//! Where marks are: the languages, their files, and what they show.

use crate::text::{Unreadable, check_size};

use super::super::releases::Format;
use super::file::MarkersFile;
use super::{announced, java, oslo, php, runtime, rust};

/// Bytes of one file.
const LARGEST: usize = 8 << 20;

/// Where marks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `#[deprecated]` in Rust.
    Rust,
    /// `@Deprecated` in Java and Kotlin.
    Java,
    /// `trigger_deprecation()` in PHP.
    Php,
    /// Options of oslo.config in Python.
    Oslo,
    /// `meta/runtime.yml` of an Ansible collection.
    Ansible,
    /// GitLab's files of deprecations.
    Gitlab,
    /// A table with a header.
    Csv,
}

impl Language {
    /// How its files are read.
    pub fn format(self) -> &'static Format<MarkersFile> {
        match self {
            Self::Rust => &RUST,
            Self::Java => &JAVA,
            Self::Php => &PHP,
            Self::Oslo => &OSLO,
            Self::Ansible => &ANSIBLE,
            Self::Gitlab => &GITLAB,
            Self::Csv => &CSV,
        }
    }

    /// Whether files also show what is not deprecated, so that they show when it was introduced.
    pub(super) fn shows_all(self) -> bool {
        matches!(self, Self::Rust | Self::Java | Self::Oslo)
    }

    /// Whether what a release no longer lists is removed. Lists of announcements forget what is past.
    pub(super) fn ends_by_absence(self) -> bool {
        !matches!(self, Self::Gitlab | Self::Csv)
    }

    /// What stands before the names of a file: its module or package.
    pub(super) fn prefix(self, path: &str, file: &MarkersFile) -> String {
        match self {
            Self::Rust => rust_module(path),
            Self::Java if !file.package.is_empty() => format!("{}.", file.package),
            Self::Oslo => stem(path).map(|stem| format!("{stem}.")).unwrap_or_default(),
            _ => String::new(),
        }
    }
}

const fn format(
    name: &'static str,
    endings: &'static [&'static str],
    is_wanted: fn(&str) -> bool,
    read: fn(&str) -> Result<MarkersFile, Unreadable>,
) -> Format<MarkersFile> {
    Format {
        name,
        endings,
        is_wanted,
        largest: LARGEST,
        leaves_out: true,
        read,
        is_empty: |file| file.items.is_empty(),
        skipped: |file| &file.skipped,
    }
}

const RUST: Format<MarkersFile> = format("#[deprecated]", &["rs"], is_code, |text| sized(text, rust::read));
const JAVA: Format<MarkersFile> = format("@Deprecated", &["java", "kt"], is_code, |text| sized(text, java::read));
const PHP: Format<MarkersFile> = format("trigger_deprecation()", &["php"], is_code, |text| {
    sized(text, php::read)
});
const OSLO: Format<MarkersFile> = format("deprecated option", &["py"], is_code, |text| sized(text, oslo::read));
const ANSIBLE: Format<MarkersFile> = format("deprecated plugin", &["yml", "yaml"], is_runtime, |text| {
    sized(text, runtime::read)
});
const GITLAB: Format<MarkersFile> = format("deprecation", &["yml", "yaml"], is_list, |text| {
    sized(text, announced::read_gitlab)
});
const CSV: Format<MarkersFile> = format("row", &["csv"], is_list, |text| sized(text, announced::read_csv));

fn sized(text: &str, read: fn(&str) -> Result<MarkersFile, Unreadable>) -> Result<MarkersFile, Unreadable> {
    check_size(text, LARGEST)?;
    read(text)
}

/// Folders whose code is not what users get.
const NOT_SHIPPED: [&str; 12] = [
    "test",
    "tests",
    "Test",
    "Tests",
    "Fixtures",
    "testing",
    "benches",
    "examples",
    "target",
    "vendor",
    "third_party",
    "node_modules",
];

/// Whether a file of code is read, by its path.
fn is_code(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    !folders.split('/').any(|folder| NOT_SHIPPED.contains(&folder))
}

fn is_runtime(path: &str) -> bool {
    let path = path.replace('\\', "/");
    matches!(path.rsplit('/').next(), Some("runtime.yml" | "runtime.yaml" | ""))
}

fn is_list(_: &str) -> bool {
    true
}

/// The module of a file of Rust by its path: that of `net/src/tcp/socket.rs` is `net::tcp::socket::`.
fn rust_module(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_suffix(".rs").unwrap_or(&path);
    let steps: Vec<&str> = path.split('/').collect();
    let source = steps.iter().rposition(|step| *step == "src");
    let below = source.map_or(0, |at| at + 1);
    let package = source.and_then(|at| at.checked_sub(1)).map(|at| steps[at]);
    let package = package.filter(|name| !matches!(*name, "." | ".." | ""));
    let modules = steps.iter().skip(below).copied();
    let modules = package
        .into_iter()
        .chain(modules.filter(|step| !matches!(*step, "mod" | "lib" | "main")));
    let names: Vec<String> = modules.map(|step| step.replace('-', "_") + "::").collect();
    names.concat()
}

/// The name of a file without its ending; of `conf/__init__.py` that of its folder.
fn stem(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let mut steps = path.rsplit('/');
    let name = steps.next()?;
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let name = if name == "__init__" { steps.next()? } else { name };
    Some(name.to_owned())
}
