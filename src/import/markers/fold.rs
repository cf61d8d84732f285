//! What releases show, in order, folded into lives.

use std::collections::{BTreeMap, BTreeSet};

use crate::release::ReleaseName;

use super::super::draft::{Draft, DraftCalendar, Element};
use super::super::notice::{Imported, Notice, Topic};
use super::super::releases::Releases;
use super::file::MarkersFile;
use super::language::Language;
use super::step::{Before, Step, Track};
use super::surface::{Id, Surface, surface};

pub(super) fn fold(
    language: Language,
    known: Draft,
    releases: &Releases<'_, MarkersFile>,
    listed: &DraftCalendar,
    all: bool,
) -> Imported {
    let mut imported = Imported::default();
    let calendar = &mut imported.draft.calendar;
    *calendar = known.calendar;
    calendar.releases.extend(listed.releases.clone());
    calendar.cadence = calendar.cadence.or(listed.cadence);
    calendar.ship(releases.iter().map(|(name, release)| (name.clone(), release.date)));
    let mut fold = Fold {
        language,
        calendar: imported.draft.calendar.clone(),
        tracks: BTreeMap::new(),
        notices: Vec::new(),
    };
    let surfaces: Vec<(&ReleaseName, Surface<'_>)> = releases
        .iter()
        .map(|(name, release)| (name, surface(language, release, &mut fold.notices)))
        .collect();
    imported.draft.kinds = known.kinds;
    fold.begin(known.others, &surfaces, all);
    for (at, (release, surface)) in surfaces.iter().enumerate() {
        fold.follow(release, surface, at == 0);
    }
    fold.finish(&mut imported);
    imported
}

struct Fold {
    language: Language,
    calendar: DraftCalendar,
    tracks: BTreeMap<Id, Track>,
    notices: Vec<Notice>,
}

impl Fold {
    /// Continues from what a model declares, as far as the releases show it, or all of it.
    fn begin(
        &mut self,
        known: BTreeMap<String, BTreeMap<String, Element>>,
        surfaces: &[(&ReleaseName, Surface<'_>)],
        all: bool,
    ) {
        let sections: BTreeSet<&String> = surfaces
            .iter()
            .flat_map(|(_, surface)| surface.keys())
            .map(|(section, _)| section)
            .collect();
        let mut missing = Vec::new();
        for (section, elements) in known {
            for (name, element) in elements {
                let id = (section.clone(), name);
                let is_shown = surfaces.iter().any(|(_, surface)| surface.contains_key(&id));
                let is_living = element.living().is_some();
                if is_shown || all && sections.contains(&section) {
                    self.tracks.insert(id.clone(), Track::known(element, &id.1));
                } else if is_living && self.language.ends_by_absence() && sections.contains(&section) {
                    missing.push(id.1);
                }
            }
        }
        if let Some(first) = missing.first() {
            let text = format!(
                "the source does not have {} of the model, such as {first}; --all removes them",
                missing.len()
            );
            self.notices.push(Notice::new(Topic::Note, text));
        }
    }

    fn follow(&mut self, release: &ReleaseName, surface: &Surface<'_>, is_first: bool) {
        if self.language.shows_all() {
            self.move_tracks(release, surface);
        }
        for (id, shown) in surface {
            let track = self.tracks.entry(id.clone());
            let track = track.or_insert_with(|| Track::new(&shown.item.name));
            let mut step = Step {
                language: self.language,
                release,
                is_first,
                name: &id.1,
                place: &shown.place,
                calendar: &self.calendar,
                notices: &mut self.notices,
            };
            step.show(track, &shown.item.state);
        }
        if self.language.ends_by_absence() {
            for (_, track) in self.tracks.iter_mut().filter(|(id, _)| !surface.contains_key(*id)) {
                track.element.follow(false, release);
                track.before = Before::NotSeen;
            }
        }
    }

    /// What has another module or package than in the release before is the same thing, if its name is the only one of
    /// its sort.
    fn move_tracks(&mut self, release: &ReleaseName, surface: &Surface<'_>) {
        let mut ended: BTreeMap<(String, String), Vec<Id>> = BTreeMap::new();
        for (id, track) in &self.tracks {
            if track.before != Before::NotSeen && !surface.contains_key(id) {
                let key = (id.0.clone(), track.own_name.clone());
                ended.entry(key).or_default().push(id.clone());
            }
        }
        let mut begun: BTreeMap<(String, String), Vec<&Id>> = BTreeMap::new();
        for (id, shown) in surface.iter().filter(|(id, _)| !self.tracks.contains_key(*id)) {
            let key = (id.0.clone(), shown.item.name.clone());
            begun.entry(key).or_default().push(id);
        }
        for (key, old) in ended {
            let (Some([new]), [old]) = (begun.get(&key).map(Vec::as_slice), old.as_slice()) else {
                continue;
            };
            let Some(track) = self.tracks.remove(old) else { continue };
            if track.is_marked {
                let text = format!("{release}: {} is now {}: imported as one element", old.1, new.1);
                self.notices.push(Notice::new(Topic::Changed, text));
            }
            self.tracks.insert((*new).clone(), track);
        }
    }

    fn finish(self, imported: &mut Imported) {
        let calendar = &mut imported.draft.calendar;
        let last = calendar.current.clone();
        imported.notices.extend(self.notices);
        for ((section, name), mut track) in self.tracks {
            if !track.is_marked {
                continue;
            }
            if let Some((planned, place)) = track.planned.take()
                && let Some(life) = track.element.lives.last_mut().filter(|life| life.removed.is_none())
            {
                let is_over = last.as_ref().is_some_and(|last| planned <= *last);
                if is_over && self.language.ends_by_absence() {
                    let text = format!("{place}: {name} states its removal in {planned}, but is still there");
                    imported.notices.push(Notice::new(Topic::Contradiction, text));
                } else {
                    life.removed = Some(planned);
                }
            }
            if let (false, [life]) = (self.language.shows_all(), track.element.lives.as_mut_slice()) {
                life.introduced = track.introduced.take();
            }
            for life in &track.element.lives {
                let named = life.deprecated.iter().chain(&life.removed).chain(&life.introduced);
                named.for_each(|release| calendar.reach(release));
            }
            imported
                .draft
                .others
                .entry(section)
                .or_default()
                .insert(name, track.element);
        }
    }
}
