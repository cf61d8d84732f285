//! What a user wants to reach: `apps/v1beta1.removed<=1.34`.

use std::collections::BTreeSet;

use crate::derivation::{Target, may_be_declared};
use crate::diagnostic::did_you_mean;
use crate::grammar::EntryKey;
use crate::model::{ElementId, Event, EventKind, Model, in_shell, known_releases};
use crate::plan::fixed;
use crate::release::Release;
use crate::stability::Track;

use super::Material;
use super::filter::Pattern;
use super::walks::stored;

/// Why something is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NoTarget {
    message: String,
    /// The next step.
    pub help: String,
}

/// A target as typed, with the events that it is about.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) by: Release,
    /// Those that have not happened.
    pub(crate) targets: Vec<Target>,
    /// How many have happened in time.
    pub(crate) met: usize,
    /// Those that have happened after the release.
    pub(crate) late: Vec<Event>,
}

const FORM: &str = "write the element, `.`, what happens, `<=`, and a release or a day: apps/v1beta1.removed<=1.34";

/// The events that may be asked for.
fn ends(model: &Model) -> impl Iterator<Item = EventKind> {
    let steps = model.steps.iter().map(|(what, _)| what);
    let deprecated = std::iter::once(EventKind::Deprecated);
    deprecated.chain(steps).chain([
        EventKind::Hidden,
        EventKind::Migrated,
        EventKind::Removed,
        EventKind::Dropped,
    ])
}

/// Reads targets.
///
/// # Errors
///
/// If one has another form, or names no element, no event or no release.
pub(crate) fn targets(material: Material<'_>, typed: &[String]) -> Result<Vec<Asked>, NoTarget> {
    let reader = Reader { material };
    typed.iter().map(|text| reader.read(text)).collect()
}

/// What has to happen before the code may drop versions: they are removed, and objects stored in them are migrated.
pub(crate) fn needed_to_drop<'t>(material: Material<'_>, targets: impl Iterator<Item = &'t Target>) -> Vec<Target> {
    let mut dropped = targets
        .filter(|target| target.event.what == EventKind::Dropped)
        .peekable();
    if dropped.peek().is_none() {
        return Vec::new();
    }
    let stored = stored(material);
    let needed = dropped.flat_map(|target| {
        let migrated = Some(EventKind::Migrated).filter(|_| stored.contains(&target.event.element));
        let needed = [EventKind::Removed].into_iter().chain(migrated);
        let events = needed.map(|what| target.event.sibling(what));
        events.map(|event| Target { event, ..*target })
    });
    let model = material.reasoning.model;
    needed.filter(|target| fixed(model, target.event).is_none()).collect()
}

/// The tracks, as they are asked for.
const TRACKS: [&str; 4] = ["alpha", "beta", "ga", "stable"];

struct Reader<'a> {
    material: Material<'a>,
}

impl Reader<'_> {
    fn read(&self, text: &str) -> Result<Asked, NoTarget> {
        let (event, by) = text.rsplit_once("<=").ok_or_else(|| malformed(text))?;
        let (name, what) = event.rsplit_once('.').ok_or_else(|| malformed(text))?;
        let (name, what, by) = (name.trim(), what.trim(), by.trim());
        if name.is_empty() || what.is_empty() || by.is_empty() {
            return Err(malformed(text));
        }
        let what = end(self.material.reasoning.model, text, what)?;
        let calendar = &self.material.reasoning.model.calendar;
        let by = calendar.by(by).map_err(|problem| NoTarget {
            message: format!("{text}: {problem}"),
            help: known_releases(calendar, &problem),
        })?;
        let elements = self.elements(text, name, what)?;
        let mut asked = Asked {
            text: text.to_owned(),
            by,
            targets: Vec::new(),
            met: 0,
            late: Vec::new(),
        };
        for element in elements {
            self.add(&mut asked, element, what);
        }
        Ok(asked)
    }

    /// The elements that a name, a group, a track or a pattern stands for. Parts end with their wholes.
    fn elements(&self, text: &str, name: &str, what: EventKind) -> Result<Vec<ElementId>, NoTarget> {
        let model = self.material.reasoning.model;
        match model.find_abbreviated(name)[..] {
            [] => {}
            [only] => return self.able(text, only, what).map(|()| vec![only]),
            ref several => {
                let ids: Vec<&str> = several.iter().take(5).map(|id| model.id(*id)).collect();
                return Err(NoTarget {
                    message: format!("{text}: `{name}` is ambiguous"),
                    help: format!("name one of: {}", ids.join(", ")),
                });
            }
        }
        let pattern = Pattern(name);
        let track = Track::parse(name);
        let next = model.calendar.next();
        let found = model.elements().filter(|(id, _)| {
            let is_meant = match track {
                Some(track) => model.track_at(*id, next) == track && self.is_graded(*id),
                None => pattern.matches_id(model.id(*id)) || pattern.matches(model.heading(*id).0),
            };
            is_meant && self.material.has(*id) && self.able(text, *id, what).is_ok()
        });
        let found: BTreeSet<ElementId> = found.map(|(id, _)| id).collect();
        match (found.is_empty(), track) {
            (false, _) => {}
            (true, None) => return Err(self.unknown(text, name)),
            (true, Some(_)) => {
                return Err(NoTarget {
                    message: format!("{text}: no chosen element is {name} in the next release and can be {what}"),
                    help: "choose others by the filters, or name a group or a pattern".to_owned(),
                });
            }
        }
        let wholes = found.iter().copied().filter(|id| {
            let mut wholes = std::iter::successors(self.whole(*id), |id| self.whole(*id));
            !wholes.any(|whole| found.contains(&whole))
        });
        Ok(wholes.collect())
    }

    /// Whether an element has a stability of its own, which is not that of what it is part of.
    fn is_graded(&self, id: ElementId) -> bool {
        !self.material.reasoning.model.element(id).kind.is_member()
    }

    fn whole(&self, id: ElementId) -> Option<ElementId> {
        let model = self.material.reasoning.model;
        model.owner(id).or(model.element(id).parent)
    }

    fn unknown(&self, text: &str, name: &str) -> NoTarget {
        let model = self.material.reasoning.model;
        let help = model.did_you_mean(name).or_else(|| did_you_mean(name, TRACKS));
        NoTarget {
            message: format!("{text}: no element, group or pattern `{name}`"),
            help: help.unwrap_or_else(|| format!("`{}` lists the elements", model.command_line("plan --all"))),
        }
    }

    /// Whether the entry of an element can declare an event.
    fn able(&self, text: &str, id: ElementId, what: EventKind) -> Result<(), NoTarget> {
        let model = self.material.reasoning.model;
        let kind = model.element(id).kind;
        let removed = self
            .material
            .reasoning
            .release(model.last_event(id, EventKind::Removed));
        let is_after = matches!(what, EventKind::Removed | EventKind::Migrated | EventKind::Dropped);
        if let Some(removed) = removed.filter(|removed| *removed < model.calendar.next() && !is_after)
            && fixed(model, model.last_event(id, what)).is_none()
        {
            return Err(NoTarget {
                message: format!(
                    "{text}: {} was removed in {}",
                    model.id(id),
                    model.calendar.name(removed)
                ),
                help: format!(
                    "`{}` shows its life",
                    model.command_line(&format!("why {}", in_shell(model.id(id))))
                ),
            });
        }
        if kind.has_key(EntryKey::of(what)) {
            return Ok(());
        }
        let able = ends(model).filter(|what| kind.has_key(EntryKey::of(*what)));
        let able: Vec<&str> = able.map(|what| model.event_word(what).as_str()).collect();
        Err(NoTarget {
            message: format!("{text}: {} is never {}", model.id(id), model.event_word(what)),
            help: format!("name one of: {}", able.join(", ")),
        })
    }

    fn add(&self, asked: &mut Asked, id: ElementId, what: EventKind) {
        let model = self.material.reasoning.model;
        let parts = model.served_by(id);
        let whole = (parts != [id] && what == EventKind::Removed).then(|| model.last_event(id, what));
        for part in parts {
            let event = model.last_event(part, what);
            // A part ends with its whole.
            let happened = self.material.reasoning.release(event);
            let happened = happened.filter(|release| *release < model.calendar.next());
            if happened.is_some_and(|release| release <= asked.by) {
                asked.met += 1;
            } else if happened.is_some() || may_be_declared(model, event) {
                asked.late.extend(happened.map(|_| event));
                asked.targets.push(Target {
                    event,
                    whole,
                    by: asked.by,
                });
            }
        }
    }
}

fn malformed(text: &str) -> NoTarget {
    NoTarget {
        message: format!("`{text}` is no target"),
        help: FORM.to_owned(),
    }
}

fn end(model: &Model, text: &str, what: &str) -> Result<EventKind, NoTarget> {
    let found = ends(model).find(|end| model.event_word(*end).as_str() == what);
    found.ok_or_else(|| {
        let names: Vec<&str> = ends(model).map(|end| model.event_word(end).as_str()).collect();
        NoTarget {
            message: format!("{text}: `{what}` is no step towards an end"),
            help: did_you_mean(what, names.iter().copied())
                .unwrap_or_else(|| format!("name one of: {}", names.join(", "))),
        }
    })
}
