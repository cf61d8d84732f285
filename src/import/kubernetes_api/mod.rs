//! The Go packages of the Kubernetes API, and of projects built in the same way: the kinds of each release, and what
//! the code states about their lives.
//!
//! A package has one folder per group version. In it
//!
//! - `register.go` names the group, the version and the types that are registered in them;
//! - `zz_generated.prerelease-lifecycle.go` has methods that return the releases in which a kind was introduced,
//!   deprecated and removed, and its replacement. An API server warns and stops serving by them;
//! - `types.go` has the comments that those methods are generated from, and the marks of generated clients.
//!
//! A **kind** is a type that is registered in its own package's group version: objects can be written in it. Lists are
//! not kinds, nor are options, which are the parameters of requests (`PodLogOptions`), types of other packages
//! (`metav1.Status`), which all groups share, or types without a client, a list or a marker in any release, which are
//! only parts of other objects. Packages of the internal version are no API. Kinds that are sent to a server without
//! being stored there (`AdmissionReview`, `Scale`) are kinds: their versions are promised like others.
//!
//! A method counts before a comment, and both before when a kind is first and last seen, as servers act on the methods.
//! Markers that changed become comments of the group: a model has one life, and plans that were given up are not part
//! of it. Go is read as text, by words and signs, as there is no small parser of Go: nothing is run.

mod calendar;
mod changes;
mod contradictions;
mod declarations;
mod file;
mod lives;
mod package;
mod syntax;
mod tokens;

use super::draft::Draft;
use super::notice::{ADD_TO_CALENDAR, ImportError, Imported, Topic};
use super::releases::{Format, Releases};

pub(crate) use declarations::GoFile;
pub(crate) use file::read;
pub use lives::fold;
pub use package::{ApiRelease, Kinds};

/// Packages of an API in files.
pub const FORMAT: Format<GoFile> = Format {
    name: "package of an API",
    endings: &["go"],
    is_wanted,
    largest: LARGEST,
    leaves_out: false,
    read,
    is_empty: GoFile::is_empty,
    skipped: |file| &file.skipped,
};

/// Bytes of one file: eight times the largest of the Kubernetes API.
pub const LARGEST: usize = 4 << 20;

/// Makes the lives of kinds from the packages of releases. `known` is what is declared before the first of them;
/// `given` is an imported calendar, whose days count before those of tags.
///
/// # Errors
///
/// If no kind is registered, or the given calendar lacks the date of a release.
pub fn import(
    known: Draft,
    releases: &mut Releases<'_, GoFile>,
    given: Option<&Imported>,
) -> Result<Imported, ImportError> {
    let listed = given.map(|given| given.draft.calendar.clone());
    if let Some(listed) = &listed {
        releases.date_by(listed);
        let mut all = releases.calendar();
        let dated = listed.releases.iter().filter(|(_, day)| day.is_some());
        all.releases.extend(dated.map(|(name, day)| (name.clone(), *day)));
        if let Some([undated, later]) = all.undated() {
            let message = format!("--calendar lacks the date of {undated}, but {later} after it has one");
            return Err(ImportError::new(message, ADD_TO_CALENDAR));
        }
    }
    let folded: Vec<ApiRelease> = releases
        .iter()
        .map(|(name, release)| ApiRelease {
            name: name.clone(),
            date: release.date,
            kinds: Kinds::of(&release.files),
        })
        .collect();
    if folded.iter().all(|release| release.kinds.is_empty()) {
        let help = "name folders with packages: they have a `register.go` that calls `AddKnownTypes`";
        return Err(ImportError::new("no kind is registered in these files", help));
    }
    let mut imported = fold(known, &folded, &listed.unwrap_or_default());
    let changed_days = imported.notices.iter().any(|notice| notice.topic == Topic::Calendar);
    if changed_days && given.is_none() {
        imported.note(
            "give --calendar with the dates of all releases: `lifecycle import calendar --help` describes its format",
        );
    }
    let notices = given.iter().flat_map(|given| given.notices.clone());
    imported.notices.extend(notices);
    Ok(imported)
}

/// Whether a Go file is read, by its path: not a test, not generated code but that of lifecycles, and not in a folder
/// that Go's tools ignore or that is a copy of other projects.
pub(crate) fn is_wanted(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path.as_str()));
    let generated = name.starts_with("zz_generated.") || name.ends_with("generated.go") || name.ends_with(".pb.go");
    !name.ends_with("_test.go")
        && (!generated || name == "zz_generated.prerelease-lifecycle.go")
        && !folders
            .split('/')
            .any(|folder| folder == "vendor" || folder == "testdata" || folder.starts_with('_'))
}
