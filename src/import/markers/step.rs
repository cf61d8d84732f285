//! One thing in one release: what a mark, its absence or its end comes to.

use crate::release::ReleaseName;

use super::super::draft::{DraftCalendar, Element, Life, Value};
use super::super::notice::{Notice, Topic};
use super::file::{Marker, State};
use super::language::Language;

/// How something was in the release before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    NotSeen,
    Unmarked,
    Marked,
}

/// Something that is followed through the releases.
pub(super) struct Track {
    pub(super) element: Element,
    /// Its name in its file, by which it is found where its file was moved.
    pub(super) own_name: String,
    pub(super) before: Before,
    /// Whether it was ever marked.
    pub(super) is_marked: bool,
    /// The introduction that its mark states.
    pub(super) introduced: Option<ReleaseName>,
    /// The removal that its mark states, and where.
    pub(super) planned: Option<(ReleaseName, String)>,
}

impl Track {
    pub(super) fn new(own_name: &str) -> Self {
        Self {
            element: Element::default(),
            own_name: own_name.to_owned(),
            before: Before::NotSeen,
            is_marked: false,
            introduced: None,
            planned: None,
        }
    }

    /// What a model declares already.
    pub(super) fn known(element: Element, name: &str) -> Self {
        let first = element.lives.first();
        Self {
            introduced: first.and_then(|life| life.introduced.clone()),
            is_marked: element.lives.iter().any(|life| !life.deprecated.is_empty()),
            element,
            ..Self::new(name)
        }
    }
}

pub(super) struct Step<'s> {
    pub(super) language: Language,
    pub(super) release: &'s ReleaseName,
    /// Whether no release before it was read.
    pub(super) is_first: bool,
    pub(super) name: &'s str,
    pub(super) place: &'s str,
    pub(super) calendar: &'s DraftCalendar,
    pub(super) notices: &'s mut Vec<Notice>,
}

impl Step<'_> {
    pub(super) fn show(&mut self, track: &mut Track, state: &State) {
        match state {
            State::Present => self.unmarked(track),
            State::Deprecated(marker) => self.marked(track, marker),
            State::Removed(stated) => self.removed(track, stated.as_deref()),
            // It stays as it was.
            State::Unknown => {}
        }
    }

    fn note(&mut self, topic: Topic, text: &str) {
        let text = format!("{}: {} {text}", self.place, self.name);
        self.notices.push(Notice::new(topic, text));
    }

    /// Its life in this release.
    fn living<'t>(&mut self, track: &'t mut Track) -> &'t mut Life {
        let ended = track.element.lives.last_mut().filter(|_| !self.language.shows_all());
        // Without what shows that it was away, a list that lacked it once has forgotten it.
        if let Some(removed) = ended.and_then(|life| life.removed.take_if(|removed| *removed <= *self.release)) {
            let text = format!("is listed again after its removal in {removed}, which is left out");
            self.note(Topic::NotInModel, &text);
        }
        let has_ended = track
            .element
            .lives
            .last()
            .is_some_and(|life| life.removed.as_ref().is_some_and(|end| end <= self.release));
        if track.element.lives.is_empty() || has_ended {
            track.element.lives.push(Life::begun(self.release.clone()));
        }
        let last = track.element.lives.len() - 1;
        &mut track.element.lives[last]
    }

    fn unmarked(&mut self, track: &mut Track) {
        let was_marked = track.before == Before::Marked;
        track.before = Before::Unmarked;
        let life = self.living(track);
        if was_marked && life.is_deprecated() {
            life.undeprecated.push(self.release.clone());
            track.planned = None;
        }
    }

    fn marked(&mut self, track: &mut Track, marker: &Marker) {
        let before = std::mem::replace(&mut track.before, Before::Marked);
        let was_marked = std::mem::replace(&mut track.is_marked, true);
        if track.introduced.is_none() {
            let stated = self.stated("introduction", marker.introduced.as_deref());
            track.introduced = stated.map(|stated| self.listed(stated));
        }
        if let Some(note) = &marker.note {
            track
                .element
                .keys
                .insert("warning".to_owned(), Value::Text(note.clone()));
        }
        self.plan(track, marker.removal.as_deref());
        if self.living(track).is_deprecated() {
            return;
        }
        let stated = self.stated("deprecation", marker.since.as_deref());
        if stated.is_none() && !self.language.ends_by_absence() {
            return self.note(Topic::Read, "is listed");
        }
        let from = stated.map_or_else(
            || self.release.clone(),
            |stated| self.fitting(stated, before, was_marked),
        );
        let life = self.living(track);
        let is_earlier = life.introduced.as_ref().is_some_and(|begun| from < *begun);
        if is_earlier {
            life.introduced = None;
        }
        life.deprecated.push(from.clone());
        self.note(Topic::Read, &format!("is deprecated since {from}"));
    }

    /// A release that a mark states.
    fn stated(&mut self, of: &str, stated: Option<&str>) -> Option<ReleaseName> {
        let stated = stated?;
        let release = ReleaseName::parse(stated);
        if release.is_none() {
            let text = format!("states `{stated}` as the release of its {of}, which is not the name of one");
            self.note(Topic::Calendar, &text);
        }
        release
    }

    /// The release from which a deprecation counts that is stated for another one, perhaps.
    fn fitting(&mut self, stated: ReleaseName, before: Before, was_marked: bool) -> ReleaseName {
        let here = self.release.clone();
        if stated == here {
            return here;
        }
        let is_list = !self.language.ends_by_absence();
        let is_late = !is_list && (was_marked || before == Before::Unmarked || !self.is_first);
        if is_late || stated > here && !is_list {
            let text =
                format!("states that it is deprecated since {stated}, but {here} is the first release with the mark");
            self.note(Topic::Contradiction, &text);
            return here;
        }
        self.listed(stated)
    }

    /// A stated release that the calendar has, or the next one that it has.
    fn listed(&mut self, stated: ReleaseName) -> ReleaseName {
        let next = self.calendar.releases.range(stated.clone()..).next();
        let Some((next, _)) = next.filter(|(next, _)| **next != stated) else {
            return stated;
        };
        let text = format!("names {stated}, which the calendar lacks: imported as {next}");
        self.note(Topic::Calendar, &text);
        next.clone()
    }

    fn plan(&mut self, track: &mut Track, stated: Option<&str>) {
        let Some(planned) = self.stated("removal", stated) else {
            return;
        };
        let before = track.planned.as_ref().map(|(planned, _)| planned);
        if let Some(before) = before.filter(|before| **before != planned) {
            let text = format!("is to be removed in {planned}, no longer in {before}");
            self.note(Topic::Changed, &text);
        }
        let planned = self.listed(planned);
        track.planned = Some((planned, self.place.to_owned()));
    }

    fn removed(&mut self, track: &mut Track, stated: Option<&str>) {
        let was_there = track.before != Before::NotSeen || track.element.living().is_some();
        track.before = Before::NotSeen;
        if !was_there {
            return;
        }
        track.element.follow(false, self.release);
        if let Some(stated) = self.stated("removal", stated).filter(|stated| stated != self.release) {
            let text = format!(
                "states its removal in {stated}, but {} is the first release that lists it as removed",
                self.release
            );
            self.note(Topic::Contradiction, &text);
        }
    }
}
