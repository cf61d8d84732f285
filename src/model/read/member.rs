//! The members of kinds: subresources, fields, enum values, annotations.

use std::collections::HashMap;

use crate::document::{Key, Table, Value};
use crate::grammar::{KIND, names};
use crate::release::Release;
use crate::stability::Track;

use super::super::{ElementId, ElementKind, Event, EventKind, Group, Kind, Listing, Member, MemberName};
use super::Reader;
use super::entry::check_name;

impl Reader<'_> {
    /// Reads the members of a kind, and reports its unknown keys.
    pub(super) fn kind_rest(&mut self, kind: &mut Kind, group: &Group, table: Table<'_>) {
        for (key, value) in table.entries() {
            let name: for<'n> fn(&'n str) -> MemberName<'n> = match key.name {
                "subresource" => |name| MemberName::Subresource(name.into()),
                "field" => |path| MemberName::Field(path.into()),
                "annotation" => |name| MemberName::Annotation(name.into()),
                "enum" => {
                    self.enums(kind, group, value, table);
                    continue;
                }
                name if names(KIND).contains(&name) => continue,
                _ => {
                    self.diagnostics.unknown_key(&key, &names(KIND));
                    continue;
                }
            };
            let Some(parts) = value.table(self.diagnostics) else {
                continue;
            };
            kind.members.reserve_exact(parts.size());
            for (key, value) in parts.entries() {
                let own = key.name.strip_prefix('.').unwrap_or(key.name);
                self.member(kind, group, (&key, name(own)), value, None);
            }
        }
        self.values_in_fields(kind);
        self.fields_in_fields(kind);
    }

    /// Makes fields parts of the innermost fields around them that their versions have.
    fn fields_in_fields(&mut self, kind: &Kind) {
        let fields = kind.members.iter().filter(|member| member.kind == ElementKind::Field);
        let mut fields: Vec<(Vec<&str>, &Member)> = fields
            .map(|member| (member.name.split('.').collect(), member))
            .collect();
        fields.sort_by(|(path, _), (other, _)| path.cmp(other));
        let mut around: Vec<&(Vec<&str>, &Member)> = Vec::new();
        for field in &fields {
            let (path, member) = field;
            while around.pop_if(|(outer, _)| !path.starts_with(outer)).is_some() {}
            for (at, own) in member.versions.iter().enumerate() {
                let Some(own) = own else { continue };
                let outer = around.iter().rev().find_map(|(_, outer)| outer.versions[at]);
                self.model.elements_mut()[own.0 as usize].field = outer;
            }
            around.push(field);
        }
    }

    /// Makes values parts of their fields.
    fn values_in_fields(&mut self, kind: &Kind) {
        let mut members = kind.members.iter();
        if !members.any(|member| member.kind == ElementKind::EnumValue) {
            return;
        }
        let fields = kind.members.iter().filter(|member| member.kind == ElementKind::Field);
        let fields: HashMap<&str, &Member> = fields.map(|member| (&*member.name, member)).collect();
        for value in &kind.members {
            let MemberName::Value { path, .. } = value.parts() else {
                continue;
            };
            let versions = fields
                .get(&*path)
                .map(|field| field.versions.iter().zip(&value.versions));
            for (field, value) in versions.into_iter().flatten() {
                if let Some(value) = value {
                    self.model.elements_mut()[value.0 as usize].field = *field;
                }
            }
        }
    }

    /// `members` is the entry of the kind, which may declare the fields of the values.
    fn enums(&mut self, kind: &mut Kind, group: &Group, value: Value<'_>, members: Table<'_>) {
        let Some(paths) = value.table(self.diagnostics) else {
            return;
        };
        for (path, value) in paths.entries() {
            check_name(&path, self.diagnostics);
            let Some(values) = value.table(self.diagnostics) else {
                continue;
            };
            let field = field_entry(members, path.name);
            for (key, value) in values.entries() {
                let name = MemberName::Value {
                    path: path.name.trim_start_matches('.').into(),
                    value: key.name.into(),
                };
                self.member(kind, group, (&key, name), value, field);
            }
        }
    }

    fn member(
        &mut self,
        kind: &mut Kind,
        group: &Group,
        (key, name): (&Key<'_>, MemberName<'_>),
        value: Value<'_>,
        field: Option<Table<'_>>,
    ) {
        // An enumeration may have the empty string among its values.
        if !matches!(name, MemberName::Value { .. }) || !key.name.is_empty() {
            check_name(key, self.diagnostics);
        }
        self.spend_on_slots(group.versions.len());
        let Some(table) = value.table(self.diagnostics).filter(|_| !self.spent.is_too_much) else {
            return;
        };
        let listed = table.get("in");
        let mut member = Member {
            kind: name.element_kind(),
            name: name.written().into(),
            versions: vec![None; group.versions.len()].into(),
            listing: if listed.is_some() {
                Listing::Written
            } else {
                Listing::All
            },
            shared: Vec::new(),
            represented: Vec::new(),
        };
        match listed {
            Some((_, value)) => {
                if let Some(versions) = value.table(self.diagnostics) {
                    self.member_in((&mut member, &name), (kind, group), (table, field), versions);
                }
            }
            None => {
                for at in self.versions_of(kind, table, field) {
                    self.member_version((&mut member, &name), (kind, at), key, (table, None));
                }
            }
        }
        kind.members.push(member);
    }

    /// The versions that have a member whose entry lists none: all that are served during one of its lives, and, for a
    /// value, during one of its field's. If none is, it is in none of them by mistake, which is reported for each.
    fn versions_of(&self, kind: &Kind, entry: Table<'_>, field: Option<Table<'_>>) -> Vec<usize> {
        let entries = std::iter::once(entry).chain(field.filter(|field| field.get("in").is_none()));
        let lives: Vec<Vec<Span>> = entries.map(|entry| self.spans_in(entry)).collect();
        let all = 0..kind.versions.len();
        let there = all.clone().filter(|at| {
            let served = kind.versions[*at].map(|kind| self.spans_of(kind));
            served.is_none_or(|served| lives.iter().all(|lives| meet(lives, &served)))
        });
        let there: Vec<usize> = there.collect();
        let is_in_any = there.iter().any(|at| kind.versions[*at].is_some());
        if is_in_any { there } else { all.collect() }
    }

    /// Whether a value that an entry has in a version begins with its field, which the version does not have because it
    /// ends before.
    fn begins_with_a_later_field(&self, kind: &Kind, at: usize, own: Table<'_>, field: Option<Table<'_>>) -> bool {
        let (Some(version), Some(field)) = (kind.versions[at], field.filter(|field| field.get("in").is_none())) else {
            return false;
        };
        let served = self.spans_of(version);
        let [own, field] = [own, field].map(|entry| self.spans_in(entry));
        let [begin, of_field] = [&own, &field].map(|spans| spans.first().and_then(|span| span.0));
        begin.is_some() && begin == of_field && !meet(&own, &served) && !meet(&field, &served)
    }

    /// From when to when the lives of an entry are.
    fn spans_in(&self, entry: Table<'_>) -> Vec<Span> {
        let lives = entry.get("lives").and_then(|(_, lives)| lives.as_list());
        let lives: Option<Vec<Table<'_>>> = lives.map(|lives| lives.filter_map(|life| life.as_table()).collect());
        let lives = lives.unwrap_or_else(|| vec![entry]);
        let spans = lives.iter().map(|life| {
            let [introduced, removed] = ["introduced", "removed"].map(|key| {
                let word = life.get(key).and_then(|(_, value)| value.as_word())?;
                self.model.calendar.find(word.text).ok()
            });
            (introduced, removed)
        });
        spans.collect()
    }

    /// From when to when the lives of a kind in a version are.
    fn spans_of(&self, kind: ElementId) -> Vec<Span> {
        let lives = (0..self.model.lives(kind)).map(|life| Event::new(kind, life, EventKind::Introduced));
        let spans = lives.map(|begin| {
            let [introduced, removed] = [begin, begin.sibling(EventKind::Removed)];
            (
                self.model.declared_release(introduced),
                self.model.declared_release(removed),
            )
        });
        spans.collect()
    }

    fn member_in(
        &mut self,
        (member, name): (&mut Member, &MemberName<'_>),
        (kind, group): (&Kind, &Group),
        (common, field): (Table<'_>, Option<Table<'_>>),
        versions: Table<'_>,
    ) {
        for (key, _) in versions.entries() {
            let mut known = group.versions.iter();
            let at = known.position(|version| version.name.as_str() == key.name);
            if at.is_none() {
                let names: Vec<&str> = group.versions.iter().map(|version| version.name.as_str()).collect();
                self.known_version(key.name, key.span, &names);
            }
            if at.is_some_and(|at| kind.versions[at].is_none()) {
                let message = format!("{} is not in {}", kind.name, key.name);
                let help = "leave this version out, or add it to the kind's `versions`";
                self.diagnostics.at("unknown-version", key.span, message, help);
            }
        }
        let served = group.versions.iter().enumerate();
        for (at, version) in served.filter(|(at, _)| kind.versions[*at].is_some()) {
            let Some((key, value)) = versions.get(version.name.as_str()) else {
                continue;
            };
            let Some(own) = value.table(self.diagnostics) else {
                continue;
            };
            if self.begins_with_a_later_field(kind, at, own, field) {
                // Its mistakes are reported all the same.
                self.entry(own, member.kind);
                self.pending.clear();
            } else {
                self.member_version((member, name), (kind, at), &key, (common, Some(own)));
            }
        }
    }

    /// One member in one version: the keys of its entry there, and for the others those of its entry for all versions.
    fn member_version(
        &mut self,
        (member, name): (&mut Member, &MemberName<'_>),
        (kind, at): (&Kind, usize),
        key: &Key<'_>,
        (common, own): (Table<'_>, Option<Table<'_>>),
    ) {
        let Some(parent) = kind.versions[at] else { return };
        let mut entry = self.entry(own.unwrap_or(common), member.kind);
        let of_version = self.pending.len();
        if own.is_some() && has_more_than_in(common) {
            let general = self.entry(common, member.kind);
            self.settle_events(of_version, own.is_some_and(|own| own.get("lives").is_some()));
            merge(&mut entry, general);
        }
        if let Some(other) = entry.represented_as.take() {
            self.pending.clear();
            member.represented.reserve_exact(1);
            member.represented.push((at, other));
            return;
        }
        let versioned = self.model.elements[parent.0 as usize].track;
        let track = entry.track.map_or(versioned, |track: Track| track.min(versioned));
        let element = self.add_member(name, parent, key.span, track, entry);
        member.versions[at] = Some(element);
        let shared = self.model.declared_of(element).iter().skip(of_version);
        member.shared.extend(shared.map(|declared| declared.span));
        member.shared.sort_unstable();
        member.shared.dedup();
    }

    /// Keeps the pending events from `start` on, which are those for all versions, that the version's entry does not
    /// have: in any life, or where it lists its lives, in that life.
    fn settle_events(&mut self, start: usize, by_life: bool) {
        let general = self.pending.split_off(start);
        let own = self.pending.len();
        for declared in general {
            let given = self.pending[..own].iter().any(|own| {
                own.event.what == declared.event.what && (!by_life || own.event.life == declared.event.life)
            });
            if !given {
                self.pending.push(declared);
            }
        }
    }
}

/// The entry of a field.
fn field_entry<'d>(members: Table<'d>, path: &str) -> Option<Table<'d>> {
    let fields = members.get("field")?.1.as_table()?;
    let path = path.trim_start_matches('.');
    let own = fields.get(path).or_else(|| fields.get(&format!(".{path}")));
    own?.1.as_table()
}

/// The release in which a life begins and the one in which it ends, if they are declared.
type Span = (Option<Release>, Option<Release>);

/// Whether any of some lives is at the time of any of others.
fn meet(some: &[Span], others: &[Span]) -> bool {
    some.iter().any(|(begin, end)| {
        let mut others = others.iter();
        others.any(|(since, until)| is_before(*begin, *until) && is_before(*since, *end))
    })
}

/// Whether a begin is before an end, as far as both are known.
fn is_before(begin: Option<Release>, end: Option<Release>) -> bool {
    begin.zip(end).is_none_or(|(begin, end)| begin < end)
}

fn has_more_than_in(table: Table<'_>) -> bool {
    table.entries().any(|(key, _)| key.name != "in")
}

fn merge(entry: &mut super::entry::EntryData, general: super::entry::EntryData) {
    entry.track = entry.track.or(general.track);
    entry.lives = entry.lives.max(general.lives);
    entry.tag = entry.tag.or(general.tag);
    let Some(general) = general.attributes else { return };
    let Some(own) = &mut entry.attributes else {
        entry.attributes = Some(general);
        return;
    };
    let general = *general;
    own.replacement = own.replacement.take().or(general.replacement);
    own.owner = own.owner.take().or(general.owner);
    own.tracking = own.tracking.take().or(general.tracking);
    own.gated_by = own.gated_by.take().or(general.gated_by);
    own.never_deprecated = own.never_deprecated.or(general.never_deprecated);
    own.tombstone = own.tombstone.or(general.tombstone);
    own.default = own.default.take().or(general.default);
}
