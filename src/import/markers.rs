//! Marks of deprecation that projects keep in their code, and lists of deprecations: release by release, folded into
//! lives.
//!
//! A mark states that something is deprecated, and often since when. When it ended is what the releases show: what a
//! release no longer declares is removed; what it declares without the mark is no longer deprecated. Where code shows
//! that a mark came later than it states, the release that shipped it first counts, as no user saw it before.
//!
//! Code is read as text, by words and signs: nothing is run.

mod announced;
mod file;
mod fold;
mod java;
mod javadoc;
mod language;
mod oslo;
mod php;
mod runtime;
mod rust;
mod step;
mod surface;
mod tokens;

use super::draft::Draft;
use super::notice::{ADD_TO_CALENDAR, ImportError, Imported};
use super::releases::{Releases, nothing_found};

pub use file::MarkersFile;
pub use language::Language;

/// Makes the lives of what is or was marked as deprecated from the files of releases. `known` is what is declared
/// before the first of them; `given` is an imported calendar, whose days count before those of tags; `all` is whether
/// the files have everything of the model, so that what they lack is removed.
///
/// # Errors
///
/// If nothing is marked, or the given calendar lacks the date of a release.
pub fn import(
    language: Language,
    known: Draft,
    releases: &mut Releases<'_, MarkersFile>,
    given: Option<&Imported>,
    all: bool,
) -> Result<Imported, ImportError> {
    let listed = given.map(|given| given.draft.calendar.clone()).unwrap_or_default();
    releases.date_by(&listed);
    let mut dated = releases.calendar();
    let days = listed.releases.iter().filter(|(_, day)| day.is_some());
    dated.releases.extend(days.map(|(name, day)| (name.clone(), *day)));
    if let (Some([undated, later]), true) = (dated.undated(), given.is_some()) {
        let message = format!("--calendar lacks the date of {undated}, but {later} after it has one");
        return Err(ImportError::new(message, ADD_TO_CALENDAR));
    }
    let mut imported = fold::fold(language, known, releases, &listed, all);
    if imported.draft.others.is_empty() {
        return Err(nothing_found(releases.format.name));
    }
    let notices = given.iter().flat_map(|given| given.notices.clone());
    imported.notices.extend(notices);
    Ok(imported)
}
