#![doc = include_str!("element-removal.md")]

mod leaving;

use crate::diagnostic::Change;
use crate::grammar::{field_around, fields_around};
use crate::model::{ElementId, ElementKind, Event, EventKind, Group, Kind, Member, Model, StandIns};
use crate::obligation::{Demand, Obligation, Obligations, Scope, Term};
use crate::policy::{Class, Key, RuleKeys};
use crate::release::Release;
use crate::source::Span;

use super::Rule;

pub(super) use leaving::may_leave;
use leaving::{changes, exempt, may_leave_in, name_stays_reserved};

pub(super) const RULE: Rule = Rule {
    slug: "element-removal",
    page: include_str!("element-removal.md"),
    codes: &["removed-early", "name-reused", "tombstone-missing", "allowed-early"],
    keys: RuleKeys {
        exemptions: &["alpha-annotation", "alpha-gated"],
        ..RuleKeys::of(&[(Class::All, &[Key::TolerateFirst])])
    },
    state,
};

const UNTIL_VERSION: &str = "an element stays in a version until the version is removed";

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for group in scope.model.judged_groups() {
        for kind in &group.kinds {
            let stand_ins = kind.stand_ins();
            let versions = 0..kind.versions.len();
            let reserved: Vec<Reserved<'_>> = versions.map(|at| Reserved::of(scope.model, kind, at)).collect();
            for member in &kind.members {
                for (at, element) in member.versions.iter().enumerate() {
                    let Some(element) = *element else { continue };
                    let in_need = removals_of_those_in_need(&stand_ins, kind, member, at);
                    stays(scope, out, element, &in_need, &reserved[at]);
                    extended(scope, out, member, element);
                    names(scope, out, element);
                    tolerated_first(scope, out, element);
                }
            }
            tags(scope, out, group, kind);
        }
    }
}

/// The removed fields of a version whose names stay reserved: their paths in order, and the release of the removal.
struct Reserved<'m>(Vec<(&'m str, Release)>);

impl<'m> Reserved<'m> {
    fn of(model: &Model, kind: &'m Kind, at: usize) -> Self {
        let fields = kind.members.iter().filter(|member| member.kind == ElementKind::Field);
        let removed = fields.filter_map(|member| {
            let field = member.versions[at]?;
            model.attributes(field)?.tombstone?;
            let removed = Event::new(field, model.last_life(field), EventKind::Removed);
            Some((&*member.name, model.find_declared(removed)?.release))
        });
        let mut fields: Vec<(&str, Release)> = removed.collect();
        fields.sort_unstable();
        Self(fields)
    }

    /// Whether a removed value or field was within one of them: without that field, it cannot be added again.
    fn hold(&self, name: &str, removed: Release) -> bool {
        !self.0.is_empty()
            && fields_around(name).any(|around| {
                let found = self.0.binary_search_by_key(&around, |(path, _)| path);
                found.is_ok_and(|at| self.0[at].1 <= removed)
            })
    }
}

/// The removals with which a member of a version may go that is there for objects of other versions only. A member that
/// another version has for itself is not.
fn removals_of_those_in_need(stand_ins: &StandIns<'_>, kind: &Kind, member: &Member, at: usize) -> Vec<Event> {
    let name = member.reference();
    let represented = stand_ins.of(at, &name);
    let mut having = member.versions.iter().enumerate().filter(|(_, has)| has.is_some());
    if represented.is_empty() || having.any(|(version, _)| stand_ins.of(version, &name).is_empty()) {
        return Vec::new();
    }
    let versions = represented
        .iter()
        .map(|(.., of)| of.versions.iter().zip(&kind.versions));
    versions
        .flatten()
        .filter_map(|(has, owner)| has.and(*owner))
        .map(|owner| Event::new(owner, 0, EventKind::Removed))
        .collect()
}

fn stays(scope: &Scope<'_>, out: &mut Obligations, element: ElementId, or_after: &[Event], reserved: &Reserved<'_>) {
    let model = scope.model;
    for life in 0..model.lives(element) {
        let removed = Event::new(element, life, EventKind::Removed);
        let Some(with_owner) = model.owner_removal(removed).map(Term::at) else {
            return;
        };
        let declared = model.find_declared(removed);
        let Some(law) = scope.law_at(declared) else { continue };
        if let Some(declared) = declared
            && exempt(scope, law, element, declared.release)
        {
            // A name that is used again is not reserved: that is found itself.
            let is_last = life == model.last_life(element);
            if is_last && !reserved.hold(model.element(element).name(), declared.release) {
                tombstone(scope, out, removed, declared.span);
            }
            continue;
        }
        if may_leave(scope, removed) {
            scope.after_introduction(out, removed);
        } else if or_after.is_empty() {
            scope.not_before_any(out, ("removed-early", removed), vec![with_owner], UNTIL_VERSION);
        }
        // Once every version that needs the counterpart is removed, the counterpart may be removed, even if its own
        // version stays.
        for other in or_after {
            let terms = vec![with_owner, Term::at(*other)];
            let because = "a counterpart stays until its own version or the version that needs it is removed";
            scope.not_before_any(out, ("removed-early", removed), terms, because);
        }
    }
}

/// The obligations of elements that may be removed while they are alpha, and no longer may when all else permits their
/// removal: in the release that `soonest` finds.
pub(super) fn stays_after_all(scope: &Scope<'_>, soonest: &dyn Fn(Event) -> Release) -> Vec<Obligation> {
    let model = scope.model;
    let mut out = Vec::new();
    let members = model
        .judged_groups()
        .flat_map(|group| &group.kinds)
        .flat_map(|kind| &kind.members);
    for element in members.flat_map(|member| member.versions.iter().copied().flatten()) {
        let removed = model.last_event(element, EventKind::Removed);
        let may_stop = changes(scope, removed).any(|change| !may_leave_in(scope, removed, change));
        let may_go_now = may_stop && may_leave(scope, removed);
        let Some(first) = may_go_now.then(|| soonest(removed)) else {
            continue;
        };
        if may_leave_in(scope, removed, first) {
            continue;
        }
        let end = model.owner_removal(removed);
        let end = end.filter(|end| model.declared_release(*end).is_none_or(|end| end >= first));
        let again = changes(scope, removed).filter(|change| *change > first && may_leave_in(scope, removed, *change));
        let terms = end.into_iter().map(Term::at).chain(again.min().map(Term::from));
        let demand = Demand::not_before_any(terms.collect());
        out.extend(demand.map(|demand| scope.obligation("removed-early", removed, demand, UNTIL_VERSION)));
    }
    out
}

/// A field that may leave before its version stays while its values and the fields within it change, as far as that is
/// declared for its version.
fn extended(scope: &Scope<'_>, out: &mut Obligations, member: &Member, part: ElementId) {
    let model = scope.model;
    let Some(field) = model.owner(part) else {
        return;
    };
    let removed = model.last_event(field, EventKind::Removed);
    if model.element(field).kind == ElementKind::Field && may_leave(scope, removed) {
        let own = model.declared_of(part).iter();
        // No part begins in a version without its field, whether or not other versions have both.
        let own = own.filter(|declared| {
            declared.event.what == EventKind::Introduced || member.needs_its_version(model, declared)
        });
        let ends: Vec<Event> = model.owner_removal(removed).into_iter().collect();
        let because = "a field that is extended stays";
        scope.stays_for_parts_until(out, ("removed-early", removed), own, &ends, because);
    }
}

fn tombstone(scope: &Scope<'_>, out: &mut Obligations, removed: Event, beside: Span) {
    let model = scope.model;
    let kind = model.element(removed.element).kind;
    if !matches!(kind, ElementKind::Field | ElementKind::EnumValue) {
        return;
    }
    let attributes = model.attributes(removed.element);
    let stands = attributes.is_some_and(|attributes| attributes.tombstone.is_some());
    let because = "the name and tag of a removed element stay reserved";
    let obligation = scope
        .obligation("tombstone-missing", removed, Demand::Requires(stands), because)
        .message(format!("{} is removed without a tombstone", model.id(removed.element)))
        .help("add `tombstone = true`, which reserves its name and tag")
        .fix(|| Change::Add {
            beside,
            key: "tombstone",
            value: "true".to_owned(),
        });
    out.push(obligation);
}

/// A name that is reserved by a tombstone, or by a removal before that of the version, is not used again.
fn names(scope: &Scope<'_>, out: &mut Obligations, element: ElementId) {
    let model = scope.model;
    let tombstone = model.attributes(element).and_then(|declared| declared.tombstone);
    for life in 1..model.lives(element) {
        let before = model.find_declared(Event::new(element, life - 1, EventKind::Removed));
        let left_early = before.is_some_and(|removed| {
            let law = scope.law_at(Some(removed));
            law.is_some_and(|law| name_stays_reserved(scope, law, element, removed.release))
        });
        let Some(reserved) = tombstone.or(before.filter(|_| left_early).map(|removed| removed.span)) else {
            continue;
        };
        let event = Event::new(element, life, EventKind::Introduced);
        if model.is_back_with_owner(event) {
            continue;
        }
        let because = "the name of a removed element stays reserved";
        let message = format!("{} is used again, although its name is reserved", model.id(element));
        let reused = scope.obligation("name-reused", event, Demand::Forbidden, because);
        let reused = reused.message(message).related(reserved, "reserved since here");
        out.push(reused.help_unless_shipped("choose another name"));
    }
}

/// A tag of the wire format belongs to one field of a message for good.
fn tags(scope: &Scope<'_>, out: &mut Obligations, group: &Group, kind: &Kind) {
    let model = scope.model;
    for at in 0..group.versions.len() {
        let tagged = kind.members.iter().filter_map(|member| {
            let element = member.versions[at]?;
            let (tag, span) = model.element(element).tag?;
            let message = field_around(&member.name).unwrap_or_default();
            let begin = model.declared_release(Event::new(element, 0, EventKind::Introduced));
            Some(((message, tag), (begin, element), span))
        });
        let mut tags: Vec<_> = tagged.collect();
        tags.sort_unstable();
        for pair in tags.windows(2) {
            let ((of, (_, first), _), (other, (_, element), span)) = (pair[0], pair[1]);
            if of != other {
                continue;
            }
            let (_, tag) = of;
            let event = Event::new(element, 0, EventKind::Introduced);
            let because = "a tag belongs to one field forever";
            let message = format!(
                "{} uses tag {tag}, which belongs to {}",
                model.id(element),
                model.id(first)
            );
            let reused = scope.obligation("name-reused", event, Demand::Forbidden, because);
            let reused = reused.message(message).place(span);
            let reused = reused.related(model.element(first).span, "the tag belongs to this field");
            out.push(reused.help_unless_shipped("choose a tag that no field of the message ever had"));
        }
    }
}

/// A new value is tolerated in existing objects before it may be created: a rollback by one release loses nothing.
fn tolerated_first(scope: &Scope<'_>, out: &mut Obligations, element: ElementId) {
    let model = scope.model;
    let tolerated = Event::new(element, 0, EventKind::Tolerated);
    if model.find_declared(tolerated).is_none() {
        return;
    }
    let introduced = tolerated.sibling(EventKind::Introduced);
    let window = scope
        .law_at(model.find_declared(introduced))
        .and_then(|law| law.window(Class::All, Key::TolerateFirst));
    if let Some(window) = window {
        let because = "a new value is tolerated on update before it is allowed on create";
        scope.not_before(
            out,
            "allowed-early",
            introduced,
            Term::after(tolerated, window),
            because,
        );
    }
}
