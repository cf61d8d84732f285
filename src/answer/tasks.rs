//! What has to be done for a release, from the matters that the overview of the plan lists too.

mod announcements;
mod consumers;
mod exceptions;
mod refused;
mod undeclared;

use std::collections::BTreeMap;

use crate::model::{ElementId, Event, EventKind};
use crate::release::Release;
use crate::report::{Action, ElementReport, SCHEMA_VERSION, TaskReport, TasksReport, Urgency};
use crate::source::Sources;
use crate::stability::Stage;

use super::custom::{self, custom_of_gate};
use super::decided::Reason;
use super::delays::Delays;
use super::filter::EventIndex;
use super::overview::{Matter, Matters, Standing};
use super::task_edits::{
    action, declaration, declared_after, declaring, lacking, lines_by_hand, of_any, reasoned, task,
};
use super::walks::{self, Move};
use super::{Material, decided, task_groups};
use undeclared::Undeclared;

/// The tasks of the releases from one to another. Deadlines that have passed by then are always among them.
pub(crate) fn tasks<'a>(
    material: Material<'a>,
    sources: &Sources<'_>,
    first: Release,
    last: Release,
) -> TasksReport<'a> {
    let index = EventIndex::of_all(material);
    let maker = Maker {
        material,
        index: &index,
        first,
        last,
    };
    let (mut tasks, mut suppressed) = maker.of_matters();
    tasks.extend(maker.moves());
    tasks.extend(maker.locks());
    let (words, known) = maker.words(sources);
    tasks.extend(words);
    suppressed += known;
    tasks.extend(exceptions::tasks(material, sources, first..=last));
    tasks.extend(announcements::tasks(material, first..=last));
    let calendar = &material.reasoning.model.calendar;
    tasks.sort_by_key(|task| {
        let release = task.release.and_then(|moment| calendar.find(moment.release).ok());
        (task.urgency, release, task.action)
    });
    let task_groups = task_groups::alike(&tasks, material.reasoning.model);
    TasksReport {
        schema_version: SCHEMA_VERSION,
        current: material.current(),
        release: material.names.moment(first),
        last: material.names.moment(last).filter(|_| last > first),
        tasks,
        baseline: None,
        suppressed,
        left_out: 0,
        task_groups,
    }
}

struct Maker<'a, 'i> {
    material: Material<'a>,
    index: &'i EventIndex<'a>,
    first: Release,
    last: Release,
}

impl<'a> Maker<'a, '_> {
    fn is_asked(&self, release: Release) -> bool {
        (self.first..=self.last).contains(&release)
    }

    fn ids(&self) -> impl Iterator<Item = ElementId> {
        let ids = self.material.reasoning.model.elements().map(|(id, _)| id);
        ids.filter(|id| self.material.has(*id))
    }

    /// The tasks of events and bounds. A part is left out where the same is to be done with its whole, unless it is
    /// to end and its whole is not. Returns also how many tasks the baseline suppresses.
    fn of_matters(&self) -> (Vec<TaskReport<'a>>, usize) {
        let matters = Matters::new(self.material, self.index);
        // In one life, an event is declared or not: what is declared of one life hides nothing of another one.
        let mut found: BTreeMap<(ElementId, EventKind, bool), Matter> = BTreeMap::new();
        for id in self.ids() {
            for matter in matters.of(id) {
                let is_overdue = matter.standing == Standing::Overdue;
                let is_wanted = matter.standing != Standing::Shipped
                    && action(self.material.reasoning.model, matter.event).is_some();
                let is_asked = self.is_asked(matter.release) || (is_overdue && matter.release <= self.last);
                let is_end = matter.event == EventKind::Removed && !matter.declared;
                let is_later = is_end && self.begins_later(id, matter.release);
                if is_wanted && is_asked && !is_later && !self.is_left_to_kinds(id, matter) {
                    // What is most pressing comes first.
                    found.entry((id, matter.event, matter.declared)).or_insert(matter);
                }
            }
        }
        let model = self.material.reasoning.model;
        let known = Delays::listed(self.material);
        let (mut tasks, mut suppressed) = (Vec::new(), 0);
        for ((id, what, declared), matter) in &found {
            let mut wholes = model
                .with_wholes(*id)
                .skip(1)
                .filter(|whole| found.get(&(*whole, *what, *declared)) == Some(matter));
            if wholes.any(|whole| self.is_done_with(whole, *id, *matter)) {
                continue;
            }
            if matter.standing == Standing::Overdue && known.settle(model, *id, *what) {
                suppressed += 1;
            } else {
                let task = self.of_matter(*id, *matter);
                tasks.extend(task.map(|task| consumers::named(self.material, (*id, *what), task)));
            }
        }
        (tasks, suppressed)
    }

    /// Whether the deprecation of a version is that of some of its kinds only, which have lives of their own, because
    /// others are deprecated already.
    fn is_left_to_kinds(&self, id: ElementId, matter: Matter) -> bool {
        if matter.event != EventKind::Deprecated || matter.declared {
            return false;
        }
        let model = self.material.reasoning.model;
        let version = model.version_of(id).filter(|version| version.element == id);
        let kinds = version.map_or(&[][..], |version| &version.kinds).iter();
        let (deprecated, open): (Vec<&ElementId>, Vec<&ElementId>) =
            kinds.partition(|kind| model.deprecation(**kind, model.last_life(**kind)).is_some());
        !deprecated.is_empty() && open.iter().all(|kind| !model.declared_of(**kind).is_empty())
    }

    /// Whether the same comes in the same release for a part and its whole, which is to end if the part is.
    fn is_done_with(&self, whole: ElementId, part: ElementId, matter: Matter) -> bool {
        let [of_whole, of_part] = [whole, part].map(|id| self.undeclared(id).possible(matter));
        of_whole == of_part && (self.is_to_end(whole) || !self.is_to_end(part))
    }

    /// Whether an end of an element is announced or planned.
    fn is_to_end(&self, id: ElementId) -> bool {
        let report = self.index.report(id);
        report.deprecated.is_some() || report.removed.is_some()
    }

    fn of_matter(&self, id: ElementId, matter: Matter) -> Option<TaskReport<'a>> {
        let reasoning = self.material.reasoning;
        let model = reasoning.model;
        let (release, standing, event) = (matter.release, matter.standing, matter.event);
        let report: &ElementReport<'a> = self.index.report(id);
        let deprecated = report.deprecated.and_then(|moment| self.index.release(&moment));
        let is_open = matches!(standing, Standing::Possible | Standing::Planned);
        if standing == Standing::Possible && deprecated > Some(release)
            || is_open && event == EventKind::Removed && self.is_lockable(id)
        {
            // It is planned to be announced first, or locked.
            return None;
        }
        let custom = custom::of_event(self.material, (id, event), report.custom_removal);
        let urgency = match standing {
            Standing::Overdue => Urgency::Overdue,
            Standing::Due | Standing::Declared => Urgency::Must,
            Standing::Planned if self.is_announced(id, event) && custom.is_none() => Urgency::Promised,
            Standing::Planned | Standing::Possible => Urgency::May,
            Standing::Shipped => return None,
        };
        let task = task(self.material, id, action(model, event)?, urgency, release);
        if let Some(refused) = refused::by_check(self.material, (id, event, release)) {
            return Some(refused::correcting(model, refused, task));
        }
        let is_deadline = matches!(standing, Standing::Overdue | Standing::Due);
        let reason = match standing {
            Standing::Planned | Standing::Declared => None,
            _ => decided::bounded(reasoning, id, event, is_deadline.then_some(release)),
        };
        if matter.declared {
            let reason = reason.unwrap_or_else(|| Reason::plain("declared"));
            return Some(self.declared(task, (id, event), reason, is_deadline.then_some(release)));
        }
        let life = model.last_life(id);
        let reason = reason.unwrap_or_else(|| decided::planned(reasoning, id, life, event, release));
        let reason = reason.by_custom(custom);
        let undeclared = self.undeclared(id);
        let at = undeclared.possible(matter);
        let reason = undeclared.with_delay(matter, at, reason);
        let late = Some(at).filter(|at| *at > release);
        let task = TaskReport {
            exception: late.and_then(|late| exceptions::from_deadline(self.material, (id, event), late)),
            ..task
        };
        Some(declaring(model, task, reason, undeclared.declarations(id, event, at)))
    }

    /// A task that is declared. One that is declared for a release after its deadline moves to that, unless it has
    /// passed.
    fn declared(
        &self,
        task: TaskReport<'a>,
        (id, event): (ElementId, EventKind),
        reason: Reason,
        deadline: Option<Release>,
    ) -> TaskReport<'a> {
        let model = self.material.reasoning.model;
        let late = deadline.and_then(|deadline| Some((deadline, declared_after(model, id, event, deadline)?)));
        let Some((deadline, late)) = late else {
            return reasoned(task, reason);
        };
        let reason = reason.and(&format!("declared for {}", model.calendar.name(late)));
        let task = TaskReport {
            exception: exceptions::from_deadline(self.material, (id, event), late),
            ..task
        };
        if deadline < model.calendar.next() {
            return reasoned(task, reason);
        }
        let sooner = declaration(model, id, model.event_word(event).as_str(), deadline);
        declaring(model, task, reason, vec![sooner])
    }

    /// Whether a kind of a version begins in a release or later: it does not end there, whatever its other kinds do.
    fn begins_later(&self, id: ElementId, release: Release) -> bool {
        let model = self.material.reasoning.model;
        let mut parts = model.served_by(id).into_iter();
        parts.any(|part| {
            let begin = self
                .material
                .reasoning
                .release(model.last_event(part, EventKind::Introduced));
            begin.is_some_and(|begin| begin >= release)
        })
    }

    fn undeclared(&self, id: ElementId) -> Undeclared<'a, '_> {
        Undeclared {
            reasoning: self.material.reasoning,
            report: self.index.report(id),
        }
    }

    /// Whether an event follows from a deprecation that has shipped.
    fn is_announced(&self, id: ElementId, event: EventKind) -> bool {
        let current = self.material.reasoning.model.calendar.current();
        let deprecated = self
            .index
            .report(id)
            .deprecated
            .filter(|moment| moment.declared == Some(true));
        let deprecated = deprecated.and_then(|moment| self.index.release(&moment));
        event != EventKind::Deprecated && deprecated.is_some() && deprecated <= current
    }

    /// Preferred and storage versions that move, and the migration of what was stored before.
    fn moves(&self) -> Vec<TaskReport<'a>> {
        let model = self.material.reasoning.model;
        let walks = walks::moves(self.material);
        let planned = walks::Planned::of(model, &walks);
        let left = walks::left_last(&walks);
        let mut tasks = Vec::new();
        for (id, moved) in walks
            .iter()
            .flat_map(|(id, moves)| moves.iter().map(|moved| (*id, moved)))
        {
            let Some(from) = moved.from else { continue };
            // What is migrated is the element that was stored before, once it is not stored in again.
            if left.get(&from) == Some(&moved.release) {
                tasks.extend(self.migration(from, moved));
            }
            if !self.material.has(id) {
                continue;
            }
            let (action, key) = match moved.what {
                EventKind::Preferred => (Action::Prefer, "preferred"),
                _ => (Action::Store, "storage"),
            };
            let is_ahead = moved.release >= model.calendar.next();
            // A model declares one move to a version: a later one cannot be declared with it.
            let mut earlier = walks[&id].iter().filter(|other| other.what == moved.what);
            let is_second = earlier.any(|other| (model.calendar.next()..moved.release).contains(&other.release));
            if is_ahead && self.is_asked(moved.release) && (moved.declared || !is_second) {
                let urgency = if moved.declared { Urgency::Must } else { Urgency::May };
                let task = task(self.material, id, action, urgency, moved.release);
                tasks.push(if moved.declared {
                    task
                } else {
                    let reason = decided::moved(self.material, id, moved);
                    let declarations = planned.until(id, moved).flat_map(|(release, id)| {
                        let left = walks::left_by(self.material.reasoning, &walks[&id], release);
                        let removed = left.map(|left| declaration(model, left, "removed", release));
                        removed.into_iter().chain([declaration(model, id, key, release)])
                    });
                    declaring(model, task, reason, declarations.collect())
                });
            }
        }
        tasks
    }

    fn migration(&self, from: ElementId, moved: &Move) -> Option<TaskReport<'a>> {
        let calendar = &self.material.reasoning.model.calendar;
        let release = walks::migration(self.material.reasoning, from, moved)?;
        (self.material.has(from) && self.is_asked(release)).then(|| {
            let task = task(self.material, from, Action::Migrate, Urgency::May, release);
            let basis = "objects are migrated after storage has moved";
            let reason = Reason {
                text: format!("{basis} ({})", calendar.name(moved.release)),
                basis: basis.to_owned(),
            };
            let declarations = vec![declaration(self.material.reasoning.model, from, "migrated", release)];
            declaring(self.material.reasoning.model, task, reason, declarations)
        })
    }

    /// Whether a gate is GA and can still be set, and no end of it is declared for the releases that are asked for.
    fn is_lockable(&self, id: ElementId) -> bool {
        let model = self.material.reasoning.model;
        let Some(gate) = model.gate(id) else { return false };
        let removed = model.declared_release(Event::new(id, 0, EventKind::Removed));
        let last = gate.specs.last();
        last.is_some_and(|last| last.stage == Stage::Ga && last.since < self.first)
            && !gate.specs.iter().any(|spec| spec.locked)
            && removed.is_none_or(|removed| removed > self.last)
    }

    /// Gates that are GA and can still be set.
    fn locks(&self) -> Vec<TaskReport<'a>> {
        let model = self.material.reasoning.model;
        // What has shipped is locked no more.
        let release = self.first.max(model.calendar.next());
        let gates = self.ids().filter(|id| self.is_lockable(*id));
        let tasks = gates.filter_map(|id| {
            let since = model.calendar.name(model.gate(id)?.specs.last()?.since);
            let reason = Reason {
                text: format!("the gate is GA since {since}, and can still be set"),
                basis: "the gate is GA, and can still be set".to_owned(),
            };
            let custom = custom_of_gate(self.material, id);
            let custom = custom.map(|_| "by custom it is removed only after it is locked");
            let task = task(self.material, id, Action::Lock, Urgency::May, release);
            let declaration = declaration(model, id, EventKind::Locked.as_str(), release);
            let reason = match custom {
                Some(custom) => reason.and(custom),
                None => reason,
            };
            Some(declaring(model, task, reason, vec![declaration]))
        });
        tasks.collect()
    }

    /// Texts that declarations lack, drafted by `fix` or as lines. Returns also how many tasks the baseline suppresses.
    fn words(&self, sources: &Sources<'_>) -> (Vec<TaskReport<'a>>, usize) {
        let model = self.material.reasoning.model;
        let (mut tasks, mut suppressed) = (Vec::new(), 0);
        for finding in self.material.findings {
            let Some((id, action, since)) = lacking(model, finding).filter(|(id, ..)| self.material.has(*id)) else {
                continue;
            };
            let release = since.unwrap_or(self.first);
            let is_late = release < model.calendar.next() && release <= self.last;
            if finding.known.is_some() {
                suppressed += usize::from(is_late || self.is_asked(release));
            } else if is_late || self.is_asked(release) {
                let urgency = if is_late { Urgency::Overdue } else { Urgency::Must };
                let lines = lines_by_hand(finding, sources);
                tasks.push(TaskReport {
                    declared: false,
                    reason: finding.message.clone(),
                    basis: of_any(&finding.message, model.id(id)),
                    // `fix` does not read what it cannot write.
                    command: Some(model.writing_line("fix")).filter(|_| lines.is_none() && !model.is_read_only()),
                    lines,
                    ..task(self.material, id, action, urgency, release)
                });
            }
        }
        (tasks, suppressed)
    }
}
