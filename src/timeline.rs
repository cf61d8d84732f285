//! The versions that are served, deprecated, preferred and the storage version in each release.
//!
//! Past moves of the preferred and storage version that nobody declared are planned by P6, like future ones. Reports
//! mark them as not declared.

use crate::model::{ElementId, Event, EventKind, Group, Kind, Model, Version};
use crate::plan::Assignment;
use crate::policy::Law;
use crate::release::{Naming, Release};
use crate::rules::{Candidate, Candidates, MoveLaw, Permission, Service, declared_moves};
use crate::stability::Track;

#[derive(Debug)]
pub(crate) struct GroupTimeline {
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares it with its own walk"))]
    pub(crate) first: Release,
    pub(crate) rows: Vec<Row>,
}

/// A group in one release. Versions are positions in the group's list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) release: Release,
    /// The served versions, and whether each is deprecated.
    pub(crate) served: Vec<(usize, bool)>,
    pub(crate) preferred: Option<usize>,
    /// The storage version of each kind, in the group's order; of the group itself if it has no kinds.
    pub(crate) storage: Vec<Option<usize>>,
}

impl Row {
    /// The group's storage version, if its kinds have the same. A kind that is no longer served has none.
    pub(crate) fn storage_of_all(&self) -> Option<usize> {
        let mut versions = self.storage.iter().flatten();
        let first = versions.next()?;
        versions.all(|other| other == first).then_some(*first)
    }
}

/// A life of an element: when it is served, and since when it is deprecated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) service: Service,
    pub(crate) deprecated: Option<Release>,
}

pub(crate) fn spans(model: &Model, assignment: &Assignment, element: ElementId) -> Vec<Span> {
    (0..model.lives(element))
        .filter_map(|life| {
            let [since, until, deprecated] = [EventKind::Introduced, EventKind::Removed, EventKind::Deprecated]
                .map(|what| assignment.release(model, Event::new(element, life, what)));
            Some(Span {
                service: Service {
                    since: since?,
                    until: until.unwrap_or(Release::NEVER),
                },
                deprecated,
            })
        })
        .collect()
}

/// What permits the preferred or storage version to move from one version to another in a release.
pub(crate) fn permission(
    (model, law): (&Model, &Law),
    assignment: &Assignment,
    [from, to]: [ElementId; 2],
    release: Release,
) -> Permission {
    let [old, new] = [from, to].map(|id| {
        let parts = model.served_by(id).into_iter();
        let spans = parts.flat_map(|part| spans(model, assignment, part));
        spans.map(|span| span.service).collect::<Vec<Service>>()
    });
    let track = model.element(from).track;
    move_law(law).permission(&model.calendar, (&old, track), &new, release)
}

fn move_law(law: &Law) -> MoveLaw {
    MoveLaw::new(law.rule("preferred-and-storage").at(Release::NEVER))
}

/// The timeline of a group, from its first introduction to its last event or the last listed release.
pub(crate) fn group(model: &Model, law: &Law, assignment: &Assignment, group: &Group) -> GroupTimeline {
    group_until(model, law, assignment, group, Release(0))
}

/// The same, at least up to a release.
pub(crate) fn group_until(
    model: &Model,
    law: &Law,
    assignment: &Assignment,
    group: &Group,
    last: Release,
) -> GroupTimeline {
    Timeline::of(model, law, assignment, group).rows(assignment, last)
}

/// The same, at least up to the release after the last introduction, in which versions may become preferred.
pub(crate) fn group_with_moves(model: &Model, law: &Law, assignment: &Assignment, group: &Group) -> GroupTimeline {
    let timeline = Timeline::of(model, law, assignment, group);
    let spans = timeline.versions.iter().flat_map(|version| &version.spans);
    let begins = spans.map(|span| span.service.since).filter(|begin| !begin.is_never());
    let last = begins.max().map_or(Release(0), |last| last.plus(1));
    timeline.rows(assignment, last)
}

/// The lives of a version or a kind; those of a version are the lives of its kinds.
struct Lives {
    spans: Vec<Span>,
    track: Track,
}

impl Lives {
    fn of_version(model: &Model, assignment: &Assignment, version: &Version) -> Self {
        Self {
            spans: version
                .served()
                .iter()
                .flat_map(|part| spans(model, assignment, *part))
                .collect(),
            track: model.element(version.element).track,
        }
    }

    fn served(&self, release: Release) -> bool {
        self.spans.iter().any(|span| span.service.covers(release))
    }

    /// A version is deprecated once all its served kinds are.
    fn deprecated(&self, release: Release) -> bool {
        let mut served = self.spans.iter().filter(|span| span.service.covers(release)).peekable();
        served.peek().is_some() && served.all(|span| span.deprecated.is_some_and(|since| since <= release))
    }
}

struct Timeline<'t> {
    model: &'t Model,
    law: MoveLaw,
    group: &'t Group,
    versions: Vec<Lives>,
}

impl<'t> Timeline<'t> {
    fn of(model: &'t Model, law: &Law, assignment: &Assignment, group: &'t Group) -> Self {
        let versions = group.versions.iter();
        Self {
            model,
            law: move_law(law),
            group,
            versions: versions
                .map(|version| Lives::of_version(model, assignment, version))
                .collect(),
        }
    }

    fn rows(&self, assignment: &Assignment, at_least: Release) -> GroupTimeline {
        let (first, last) = self.range();
        let releases: Vec<Release> = (first.0..=last.max(at_least).0).map(Release).collect();
        let versions = self.group.versions.iter();
        let versions: Vec<_> = versions.map(|version| Some(version.element)).collect();
        let preferred_moves = self.moves(&versions, EventKind::Preferred);
        let preferred = self.candidates(&self.versions).walk(&releases, &preferred_moves);
        let storage: Vec<Vec<Option<usize>>> = if self.group.kinds.is_empty() {
            vec![preferred.clone()]
        } else {
            let kinds = self.group.kinds.iter();
            kinds.map(|kind| self.storage(&releases, assignment, kind)).collect()
        };
        let rows = releases.iter().enumerate().map(|(at, release)| Row {
            release: *release,
            served: self.served(*release),
            preferred: preferred[at],
            storage: storage.iter().map(|kind| kind[at]).collect(),
        });
        GroupTimeline {
            first,
            rows: rows.collect(),
        }
    }

    fn range(&self) -> (Release, Release) {
        let calendar = &self.model.calendar;
        let last_listed = Release(calendar.listed().saturating_sub(1));
        if let Naming::Symbolic { .. } = calendar.naming() {
            return (Release(0), last_listed);
        }
        let spans = self.versions.iter().flat_map(|lives| &lives.spans);
        let first = spans.clone().map(|span| span.service.since).min().unwrap_or(Release(0));
        let ends = spans.flat_map(|span| [Some(span.service.since), Some(span.service.until), span.deprecated]);
        let ends = ends.flatten().filter(|release| !release.is_never());
        let last = ends.chain(self.declared_moves()).max();
        (first, last.map_or(last_listed, |last| last.max(last_listed)))
    }

    /// The releases for which moves of the preferred and the storage versions are declared.
    fn declared_moves(&self) -> impl Iterator<Item = Release> {
        let model = self.model;
        let versions = self.group.versions.iter().map(|version| version.element);
        let kinds = self.group.kinds.iter().flat_map(|kind| kind.versions.iter().flatten());
        versions.chain(kinds.copied()).flat_map(move |element| {
            let moves = [EventKind::Preferred, EventKind::Stored].into_iter();
            moves.filter_map(move |what| model.declared_release(Event::new(element, 0, what)))
        })
    }

    fn served(&self, release: Release) -> Vec<(usize, bool)> {
        let versions = self.versions.iter().enumerate();
        let served = versions.filter(|(_, lives)| lives.served(release));
        served.map(|(at, lives)| (at, lives.deprecated(release))).collect()
    }

    /// Declared moves by release: the position of the version moved to.
    fn moves(&self, elements: &[Option<ElementId>], what: EventKind) -> Vec<(Release, usize)> {
        let present: Vec<ElementId> = elements.iter().flatten().copied().collect();
        declared_moves(self.model, &present, what)
            .iter()
            .filter_map(|declared| {
                let moved_to = Some(declared.event.element);
                let at = elements.iter().position(|element| *element == moved_to)?;
                Some((declared.release, at))
            })
            .collect()
    }

    fn storage(&self, releases: &[Release], assignment: &Assignment, kind: &Kind) -> Vec<Option<usize>> {
        let versions = kind.versions.iter().zip(&self.versions);
        let lives = versions.map(|(element, version)| Lives {
            spans: element.map_or_else(Vec::new, |element| spans(self.model, assignment, element)),
            track: version.track,
        });
        let lives: Vec<Lives> = lives.collect();
        let moves = self.moves(&kind.versions, EventKind::Stored);
        self.candidates(&lives).walk(releases, &moves)
    }

    fn candidates(&self, versions: &[Lives]) -> Candidates<'t> {
        let named = self.group.versions.iter().zip(versions);
        Candidates {
            calendar: &self.model.calendar,
            law: self.law,
            versions: named
                .map(|(version, lives)| Candidate {
                    name: &version.name,
                    track: lives.track,
                    services: lives.spans.iter().map(|span| span.service).collect(),
                })
                .collect(),
        }
    }
}
