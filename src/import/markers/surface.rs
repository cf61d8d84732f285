//! What one release shows: everything that its files declare, by id.

use std::collections::BTreeMap;

use super::super::notice::{Notice, Topic};
use super::super::releases::{File, Release};
use super::file::{Item, MarkersFile, State};
use super::language::Language;

/// The section of the model file and the name in it.
pub(super) type Id = (String, String);

/// Something that a release declares.
pub(super) struct Shown<'f> {
    pub(super) item: &'f Item,
    /// Its file and line.
    pub(super) place: String,
}

pub(super) type Surface<'f> = BTreeMap<Id, Shown<'f>>;

/// What a release shows. Where one id is declared several times, as by code for several platforms, a mark counts before
/// none, and the first mark before others.
pub(super) fn surface<'f>(
    language: Language,
    release: &'f Release<MarkersFile>,
    notices: &mut Vec<Notice>,
) -> Surface<'f> {
    let mut surface = Surface::new();
    for File { label, path, content } in &release.files {
        let prefix = language.prefix(path, content);
        for item in &content.items {
            let id = (item.section.clone(), format!("{prefix}{}", item.name));
            let place = format!("{label}:{}", item.line);
            let shown = Shown { item, place };
            match surface.get_mut(&id) {
                None => drop(surface.insert(id, shown)),
                Some(known) if known.item.state == State::Present => *known = shown,
                Some(known) => notices.extend(contradiction(&id, known, &shown)),
            }
        }
    }
    surface
}

fn contradiction((_, name): &Id, known: &Shown<'_>, other: &Shown<'_>) -> Option<Notice> {
    let (State::Deprecated(one), State::Deprecated(two)) = (&known.item.state, &other.item.state) else {
        return None;
    };
    let text = format!(
        "{}: {name} is deprecated since {}, but since {} in {}, which counts",
        other.place,
        two.since.as_deref().unwrap_or("no release"),
        one.since.as_deref().unwrap_or("no release"),
        known.place
    );
    (one.since != two.since).then(|| Notice::new(Topic::Contradiction, text))
}
