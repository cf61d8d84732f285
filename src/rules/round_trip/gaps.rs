//! Releases in which a member has no counterpart in another version that is served beside its own.
//!
//! The releases are those of the plan: what is removed before it would lack a counterpart needs none. Each version is
//! compared with the other version that lacks a counterpart first, so that versions are never compared in pairs.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::LackedBy;
use crate::model::{ElementId, ElementKind, Event, EventKind, Group, Kind, Member, MemberName, Model};
use crate::obligation::{Demand, Obligation, Scope};
use crate::release::Release;
use crate::rules::Service;

use super::lacks::{Gap, Lack, Lacks, MOST_NAMED};
use super::{BECAUSE, is_converted};

/// The declared or planned release of an event.
pub(super) type Releases<'r> = dyn Fn(Event) -> Option<Release> + 'r;

/// A kind as the plan serves it.
struct Served<'k> {
    model: &'k Model,
    releases: &'k Releases<'k>,
    kind: &'k Kind,
    /// When each version serves the kind.
    versions: Vec<Vec<Service>>,
    /// The names by which others refer to the members, in order, each with its member.
    by_name: Vec<(Cow<'k, str>, usize)>,
    /// The members that a name represents in a version; listed once it is asked for.
    represented: OnceCell<HashMap<(usize, &'k str), Vec<usize>>>,
}

/// The obligations of members to have counterparts that they do not have.
pub(in crate::rules) fn gaps(scope: &Scope<'_>, releases: &Releases<'_>) -> Vec<Obligation> {
    let mut out = Vec::new();
    for group in scope.model.judged_groups() {
        for kind in group.kinds.iter().filter(|kind| !kind.members.is_empty()) {
            let served = Served::of(scope.model, releases, kind);
            for (position, member) in kind.members.iter().enumerate() {
                if is_converted(member) && !served.is_kept(position) {
                    served.member(scope, group, position, &mut out);
                }
            }
        }
    }
    out
}

impl<'k> Served<'k> {
    fn of(model: &'k Model, releases: &'k Releases<'k>, kind: &'k Kind) -> Self {
        let members = kind.members.iter().enumerate();
        let mut by_name: Vec<_> = members.map(|(at, member)| (member.reference(), at)).collect();
        by_name.sort_unstable();
        let versions = kind.versions.iter();
        Self {
            model,
            releases,
            kind,
            versions: versions
                .map(|element| element.map_or_else(Vec::new, |element| joined(services(model, releases, element))))
                .collect(),
            by_name,
            represented: OnceCell::new(),
        }
    }

    /// Whether a member has no gap at first sight: one version has it, or each has it from its beginning, and the
    /// others keep it in an annotation.
    fn is_kept(&self, position: usize) -> bool {
        let elements = &self.kind.members[position].versions;
        let is_only = elements.iter().flatten().count() == 1;
        let mut served = self
            .versions
            .iter()
            .enumerate()
            .filter(|(_, served)| !served.is_empty());
        served.all(|(version, _)| match elements[version] {
            Some(element) => is_only || self.model.declared_of(element).is_empty(),
            None => self.counterparts(position, &[], version).is_none(),
        })
    }

    /// Adds the first gap of a member of each version and, if that has shipped, the first one that can be avoided.
    fn member(&self, scope: &Scope<'_>, group: &Group, position: usize, out: &mut Vec<Obligation>) {
        let member = &self.kind.members[position];
        // Versions in which the member represents the same others have the same counterparts.
        let mut alike: BTreeMap<&[usize], Vec<(usize, ElementId)>> = BTreeMap::new();
        for (version, element) in member.versions.iter().enumerate() {
            if let Some(element) = *element {
                let others = self.represented_by(member, version);
                alike.entry(others).or_default().push((version, element));
            }
        }
        for (others, versions) in alike {
            let lacks = self.lacks(position, others);
            if lacks.sorted.is_empty() {
                continue;
            }
            for (version, element) in versions {
                let own = joined(services(self.model, self.releases, element));
                let served = common(&own, &self.versions[version]);
                let open = self.model.calendar.next();
                let first = lacks.first(&served, Release(0));
                let has_shipped = first.as_ref().is_some_and(|gap| gap.release < open);
                let next = has_shipped.then(|| lacks.first(&served, open)).flatten();
                for gap in first.into_iter().chain(next) {
                    let counterparts = self.counterparts(position, others, gap.version).unwrap_or_default();
                    out.push(self.report(scope, group, (member, element), &gap, &counterparts));
                }
            }
        }
    }

    /// The members that a member of a version represents.
    fn represented_by(&self, member: &'k Member, version: usize) -> &[usize] {
        let represented = self.represented.get_or_init(|| represented(self.kind));
        let others = represented.get(&(version, &*member.name));
        others.map_or(&[], Vec::as_slice)
    }

    /// The versions that are served without a counterpart of a member, or of the others that it represents.
    fn lacks(&self, position: usize, others: &[usize]) -> Lacks {
        let field = self.field_of(position);
        let mut sorted = Vec::new();
        for (version, served) in self
            .versions
            .iter()
            .enumerate()
            .filter(|(_, served)| !served.is_empty())
        {
            let of_field = field.map(|field| self.services_of_field(field, version));
            let served = of_field.as_ref().unwrap_or(served);
            let own = self.kind.members[position].versions[version];
            if own.is_some_and(|own| self.model.declared_of(own).is_empty()) {
                continue;
            }
            let Some(counterparts) = self.counterparts(position, others, version) else {
                continue;
            };
            let mut there: Vec<Service> = counterparts
                .into_iter()
                .flat_map(|element| self.carries(element))
                .collect();
            there.sort_by_key(|service| service.since);
            let lacking = without(served, &there).into_iter();
            sorted.extend(lacking.map(|during| Lack { version, during }));
        }
        Lacks::of(sorted)
    }

    /// The field that a value or another field is within, if the model declares it, and it neither represents another
    /// one nor is represented.
    fn field_of(&self, position: usize) -> Option<&'k Member> {
        let member = &self.kind.members[position];
        let field = match member.parts() {
            MemberName::Value { path, .. } => self.named(&path)?,
            _ => {
                let owners = member.versions.iter().flatten();
                let mut owners = owners.filter_map(|own| self.model.owner(*own));
                let field = owners.find(|owner| self.model.element(*owner).kind == ElementKind::Field)?;
                self.named(self.model.element(field).name())?
            }
        };
        let field = &self.kind.members[field];
        let mut versions = 0..self.versions.len();
        let is_alone =
            field.represented.is_empty() && versions.all(|version| self.represented_by(field, version).is_empty());
        (is_alone && field.kind == ElementKind::Field).then_some(field)
    }

    /// When a version has a field: a version that lacks it is reported for it, and not for all that is within it.
    fn services_of_field(&self, field: &Member, version: usize) -> Vec<Service> {
        let own = field.versions[version].map(|field| services(self.model, self.releases, field));
        joined(own.unwrap_or_default())
    }

    /// What a version has of a member and of the others that it represents; `None` if it has one of them in an
    /// annotation that the model does not declare, which is always there.
    fn counterparts(&self, position: usize, others: &[usize], version: usize) -> Option<Vec<ElementId>> {
        let mut all = Vec::new();
        for member in std::iter::once(&position).chain(others) {
            let member = &self.kind.members[*member];
            all.extend(member.versions[version]);
            let mut represented = member.represented.iter();
            if let Some((_, name)) = represented.find(|(other, _)| *other == version) {
                // A field that the kind does not have is reported as such.
                let target = self.named(&name.text)?;
                all.extend(self.kind.members[target].versions[version]);
            }
        }
        Some(all)
    }

    /// The last member of a name.
    fn named(&self, name: &str) -> Option<usize> {
        let end = self.by_name.partition_point(|(known, _)| &**known <= name);
        let (known, at) = self.by_name.get(end.checked_sub(1)?)?;
        (known == name).then_some(*at)
    }

    /// When objects can have a member: a value that is only tolerated at first is kept by then.
    fn carries(&self, element: ElementId) -> Vec<Service> {
        let mut served = services(self.model, self.releases, element);
        let tolerated = (self.releases)(Event::new(element, 0, EventKind::Tolerated));
        if let Some((first, tolerated)) = served.first_mut().zip(tolerated) {
            first.since = first.since.min(tolerated);
        }
        served
    }

    fn report(
        &self,
        scope: &Scope<'_>,
        group: &Group,
        (member, element): (&Member, ElementId),
        gap: &Gap,
        counterparts: &[ElementId],
    ) -> Obligation {
        let (model, calendar) = (self.model, &self.model.calendar);
        let other = self.kind.versions[gap.version];
        let (version, release) = (&group.versions[gap.version].name, calendar.name(gap.release));
        let (id, other_id) = (model.id(element), other.map_or("", |other| model.id(other)));
        let (why, cause) = self.cause(gap.release, counterparts);
        let also = also(group, &gap.others());
        let lacked_by = gap.lacks.iter().filter_map(|lack| {
            let Service { since, until } = lack.during;
            let kind = self.kind.versions[lack.version]?;
            Some(LackedBy { kind, since, until })
        });
        let lacked_by = lacked_by.collect();
        let message = format!(
            "{id} has no counterpart in {other_id} in {release}{why}{also}: an object converted there and back loses it"
        );
        let noun = match member.kind {
            ElementKind::EnumValue => "value",
            _ => "field",
        };
        let help = format!(
            "declare the {noun} for as long as both versions are served, or where it is kept: {version} = {{ represented-as = \"…\" }}"
        );
        let mut represented = member.represented.iter();
        let represented = represented.find(|(version, _)| *version == gap.version);
        let place = represented.map_or(model.element(element).span, |(_, name)| name.span);
        let event = Event::new(element, 0, EventKind::Introduced);
        let obligation = scope
            .obligation("no-counterpart", event, Demand::Requires(false), BECAUSE)
            .message(message)
            .since(gap.release)
            .caused_by(cause)
            .lacked_by(lacked_by)
            .place(place)
            .help_unless_shipped(help);
        match other {
            Some(other) => obligation.related(model.element(other).span, "served at the same time"),
            None => obligation,
        }
    }

    /// Which counterpart comes later, or is removed: " (g/v2 Widget .w is introduced in 1.3)".
    fn cause(&self, release: Release, counterparts: &[ElementId]) -> (String, Option<ElementId>) {
        let services = counterparts.iter().flat_map(|element| {
            self.carries(*element)
                .into_iter()
                .map(move |service| (*element, service))
        });
        let (ended, later): (Vec<_>, Vec<_>) = services.partition(|(_, service)| service.until <= release);
        let ended = ended.into_iter().max_by_key(|(_, service)| service.until);
        let ended = ended.map(|(element, service)| (element, "removed", service.until));
        let later = later.into_iter().min_by_key(|(_, service)| service.since);
        let later = later.map(|(element, service)| (element, "introduced", service.since));
        let Some((element, what, release)) = ended.or(later) else {
            return (String::new(), None);
        };
        let (id, release) = (self.model.id(element), self.model.calendar.name(release));
        (format!(" ({id} is {what} in {release})"), Some(element))
    }
}

/// The members of a kind by the names that represent them, and the version in which these do.
fn represented(kind: &Kind) -> HashMap<(usize, &str), Vec<usize>> {
    let mut represented: HashMap<(usize, &str), Vec<usize>> = HashMap::new();
    for (position, member) in kind.members.iter().enumerate() {
        for (version, name) in &member.represented {
            represented.entry((*version, &*name.text)).or_default().push(position);
        }
    }
    represented
}

/// Other versions without a counterpart: " (nor in v3, v4, v5 and others)".
fn also(group: &Group, others: &[usize]) -> String {
    let named = others.iter().take(MOST_NAMED);
    let named: Vec<&str> = named.map(|version| group.versions[*version].name.as_str()).collect();
    let more = if others.len() > MOST_NAMED { " and others" } else { "" };
    if named.is_empty() {
        return String::new();
    }
    format!(" (nor in {}{more})", named.join(", "))
}

/// When an element is served. The first life of several may end without an introduction: it is older than the calendar.
/// Of an element with one life, nothing is known then.
pub(super) fn services(model: &Model, releases: &Releases<'_>, element: ElementId) -> Vec<Service> {
    let lives = model.lives(element);
    let lives = (0..lives).filter_map(|life| {
        let begin = Event::new(element, life, EventKind::Introduced);
        let end = releases(begin.sibling(EventKind::Removed));
        let is_older = life == 0 && lives > 1 && model.find_declared(begin).is_none();
        Some(Service {
            since: releases(begin).or(is_older.then_some(Release(0)))?,
            until: end.unwrap_or(Release::NEVER),
        })
    });
    let mut services: Vec<Service> = lives.collect();
    services.sort_by_key(|service| service.since);
    services
}

/// The same where what is served again just when it ends is served without a gap.
fn joined(services: Vec<Service>) -> Vec<Service> {
    let mut all: Vec<Service> = Vec::with_capacity(services.len());
    for service in services {
        match all.last_mut() {
            Some(last) if service.since <= last.until => last.until = last.until.max(service.until),
            _ => all.push(service),
        }
    }
    all
}

/// When both are served, in order.
fn common(one: &[Service], other: &[Service]) -> Vec<Service> {
    let pairs = one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    let both = pairs.filter_map(|(one, other)| {
        Some(Service {
            since: one.overlap(*other)?,
            until: one.until.min(other.until),
        })
    });
    let mut both: Vec<Service> = both.collect();
    both.sort_by_key(|service| service.since);
    both
}

/// The parts of what is served in which none of the others, in order, is.
fn without(served: &[Service], others: &[Service]) -> Vec<Service> {
    let mut rest = Vec::new();
    for served in served {
        let mut since = served.since;
        for other in others {
            let until = other.since.min(served.until);
            if since < until {
                rest.push(Service { since, until });
            }
            since = since.max(other.until);
        }
        if since < served.until {
            let until = served.until;
            rest.push(Service { since, until });
        }
    }
    rest
}
