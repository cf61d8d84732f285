//! A model with a hypothetical declaration.

use std::sync::Arc;

use crate::release::Release;

use super::{Declared, ElementId, Event, EventKind, Listing, Model};

impl Model {
    /// Declares an event for a release, or withdraws its declaration if there is none. The number of lives stays: a
    /// kind still follows its version in its other events.
    pub(crate) fn suppose(&mut self, event: Event, release: Option<Release>) {
        match release {
            Some(release) => self.declare(event, release),
            None => self.withdraw(event),
        }
    }

    /// Replaces the declaration of an event. Its span is that of the element.
    ///
    /// A deprecation comes after those that are withdrawn. What is declared of a member in one version is not declared
    /// of it in the others: see [`Model::list`].
    fn declare(&mut self, event: Event, release: Release) {
        let event = self.open_deprecation(event).unwrap_or(event);
        let span = self.element(event.element).span;
        let mut events = self.without(event);
        self.list(event);
        events.push(Declared { event, release, span });
        self.redeclare(event.element, &events);
    }

    /// Removes the declaration of an event. What a kind takes from its version is withdrawn from the version, and stays
    /// with its other kinds.
    fn withdraw(&mut self, event: Event) {
        let events = self.without(event);
        self.redeclare(event.element, &events);
        if let Some(inherited) = self.find_declared(event).copied() {
            self.leave_to_others(inherited, event.element);
        }
    }

    /// What an element declares but for an event.
    fn without(&self, event: Event) -> Vec<Declared> {
        let mut events = self.declared_of(event.element).to_vec();
        if event.step > 0 {
            self.own_deprecations(event, &mut events);
        }
        events.retain(|declared| declared.event != event);
        events
    }

    /// Moves a declaration of a version to each of its kinds but one.
    fn leave_to_others(&mut self, of_version: Declared, kind: ElementId) {
        let kinds = self.served_by(of_version.event.element).into_iter();
        let takers = kinds.filter(|other| *other != kind).filter_map(|other| {
            let own = self.last_event(other, of_version.event.what);
            let taken = self
                .find_declared(own)
                .filter(|taken| taken.event == of_version.event)?;
            Some(Declared { event: own, ..*taken })
        });
        for own in takers.collect::<Vec<_>>() {
            let events = [self.declared_of(own.event.element), &[own]].concat();
            self.redeclare(own.event.element, &events);
        }
        let version = of_version.event.element;
        let mut events = self.declared_of(version).to_vec();
        events.retain(|declared| declared.event != of_version.event);
        self.redeclare(version, &events);
    }

    /// Has the entry of a member list the versions that have it, because an event is declared for one of them: `{}`
    /// becomes `{ in.v1alpha1 = {}, in.v1.deprecated = "1.16" }`. What the entry declares for all versions stays.
    fn list(&mut self, event: Event) {
        let Some((group, kind, member)) = self.member_position(event.element) else {
            return;
        };
        let known = &self.groups[group].kinds[kind].members[member];
        let mut versions = known.versions.iter().flatten();
        if !known.listing.lists_versions() && versions.all(|version| *version == event.element) {
            return;
        }
        let mut shared = if known.listing.lists_versions() {
            known.shared.clone()
        } else {
            let versions = known.versions.iter().flatten();
            let declared = versions.flat_map(|version| self.declared_of(*version));
            declared.map(|declared| declared.span).collect()
        };
        shared.sort_unstable();
        shared.dedup();
        let groups = Arc::make_mut(&mut self.groups);
        let member = &mut groups[group].kinds[kind].members[member];
        if member.listing == Listing::All {
            member.listing = Listing::Supposed;
        }
        member.shared = shared;
    }

    /// The group, the kind and the member that an element is, by their positions.
    fn member_position(&self, element: ElementId) -> Option<(usize, usize, usize)> {
        let path = self.element(element).path();
        path.member()?;
        let group = self.group_position(path.version()?)?;
        let kind = Self::kind_position(&self.groups[group], &path.kind()?.kind)?;
        let members = &self.groups[group].kinds[kind].members;
        // Elements are in the order of the members, but for a member that no version has under its name.
        let next = members.partition_point(|member| {
            let mut versions = member.versions.iter().flatten();
            versions.next().is_none_or(|first| *first <= element)
        });
        let guess = next.checked_sub(1).filter(|at| members[*at].has(element));
        let member = guess.or_else(|| members.iter().position(|member| member.has(element)))?;
        Some((group, kind, member))
    }

    /// Adds the earlier deprecations of a life, and their withdrawals, that the version of a kind declares: what a kind
    /// declares itself takes the place of all of them.
    fn own_deprecations(&self, deprecated: Event, events: &mut Vec<Declared>) {
        for what in [EventKind::Deprecated, EventKind::Undeprecated] {
            let inherited = self.repeated(deprecated.sibling(what)).enumerate();
            let inherited = inherited.filter_map(|(step, declared)| {
                let step = u8::try_from(step).ok()?;
                let event = Event {
                    step,
                    ..deprecated.sibling(what)
                };
                Some(Declared { event, ..*declared })
            });
            let known: Vec<Event> = events.iter().map(|declared| declared.event).collect();
            events.extend(inherited.filter(|declared| !known.contains(&declared.event)));
        }
    }

    /// The deprecation after the last one, if that is withdrawn.
    fn open_deprecation(&self, event: Event) -> Option<Event> {
        let is_open = event.what == EventKind::Deprecated && self.deprecation(event.element, event.life).is_none();
        let step = u8::try_from(self.repeated(event).count()).ok()?;
        is_open.then_some(Event { step, ..event })
    }

    /// Replaces the declared events of an element, and keeps them in the order of its lives.
    pub(super) fn redeclare(&mut self, element: ElementId, events: &[Declared]) {
        let start = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.declared_mut().extend(events);
        self.declared_mut()[start as usize..].sort_by_key(|declared| declared.event.life);
        let end = u32::try_from(self.declared.len()).unwrap_or(u32::MAX);
        self.elements_mut()[element.0 as usize].events = (start, end);
    }
}
