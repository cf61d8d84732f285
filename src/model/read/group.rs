//! API groups and component configurations.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::did_you_mean;
use crate::document::{Key, Table, Value};
use crate::grammar::{GROUP, names};
use crate::release::Release;
use crate::source::Span;
use crate::stability::{Track, VersionName};

use super::super::{Attributes, ElementId, EventKind, Family, Group, Kind, Version, VersionPath};
use super::Reader;
use super::entry::{EntryData, check_name, text};

/// A move to a version, as `preferred`, `storage`, `migrated` and `dropped` list them.
type Moves<'d> = BTreeMap<&'d str, (Release, Span)>;

/// One group as declared in several files, before it is put together.
#[derive(Default)]
struct Draft<'d> {
    versions: BTreeMap<&'d str, (Key<'d>, Table<'d>)>,
    kinds: BTreeMap<&'d str, (Key<'d>, Table<'d>)>,
    preferred: Option<Table<'d>>,
    owner: Option<String>,
    tracking: Option<String>,
}

impl Reader<'_> {
    /// Reads the groups of a family; those of one name in several files are one.
    pub(super) fn groups(&mut self, roots: &[Table<'_>], family: Family) {
        let mut drafts: BTreeMap<&str, Draft<'_>> = BTreeMap::new();
        for root in roots {
            for (key, value) in self.entries_of(*root, family.section()) {
                check_name(&key, self.diagnostics);
                if let Some(table) = value.table(self.diagnostics) {
                    self.draft(drafts.entry(key.name).or_default(), (family, &key), table);
                }
            }
        }
        for (name, draft) in drafts {
            if self.spent.is_too_much {
                return;
            }
            self.group(family, name, draft);
        }
    }

    fn draft<'d>(&mut self, draft: &mut Draft<'d>, (family, group): (Family, &Key<'d>), table: Table<'d>) {
        for (key, value) in table.entries() {
            match key.name {
                "version" => self.gather(&mut draft.versions, value),
                "kind" => self.gather(&mut draft.kinds, value),
                "preferred" if draft.preferred.is_some() => self.twice(&key, group.span),
                "preferred" => draft.preferred = value.table(self.diagnostics),
                "owner" => draft.owner = text(value, self.diagnostics).map(|text| text.text),
                "tracking" => draft.tracking = text(value, self.diagnostics).map(|text| text.text),
                _ => match unquoted(group.name, &key, value) {
                    Some(name) => {
                        let message = format!("unknown key `{}`", key.name);
                        let help = format!("quote a name that has dots: [{}.\"{name}\"]", family.section());
                        self.diagnostics.at("unknown-key", key.span, message, help);
                    }
                    None => self.diagnostics.unknown_key(&key, &names(GROUP)),
                },
            }
        }
    }

    pub(super) fn gather<'d>(&mut self, into: &mut BTreeMap<&'d str, (Key<'d>, Table<'d>)>, value: Value<'d>) {
        let Some(table) = value.table(self.diagnostics) else {
            return;
        };
        for (key, value) in table.entries() {
            check_name(&key, self.diagnostics);
            let Some(table) = value.table(self.diagnostics) else {
                continue;
            };
            match into.get(key.name) {
                Some((first, _)) => self.twice(&key, first.span),
                None => drop(into.insert(key.name, (key, table))),
            }
        }
    }

    fn group(&mut self, family: Family, name: &str, draft: Draft<'_>) {
        let names: Vec<&str> = draft.versions.keys().copied().collect();
        let preferred = self.moves(draft.preferred, &names);
        let mut order: Vec<(VersionName, Key<'_>, Table<'_>)> = draft
            .versions
            .values()
            .map(|(key, table)| (VersionName::new(key.name), *key, *table))
            .collect();
        order.sort_by(|(a, ..), (b, ..)| b.generation(a));
        let mut group = Group {
            family,
            name: name.to_owned(),
            versions: Vec::with_capacity(order.len()),
            kinds: Vec::new(),
        };
        for (version, key, table) in order {
            if let Some((release, span)) = preferred.get(version.as_str()) {
                self.pend(0, EventKind::Preferred, 0, *release, *span);
            }
            let mut entry = self.entry(table, family.version_kind());
            inherit(&mut entry.attributes, draft.owner.as_ref(), draft.tracking.as_ref());
            let track = entry.track.or(version.track()).unwrap_or(Track::Ga);
            let path = VersionPath::new(family, name, version.as_str()).into();
            let element = self.add(&path, None, key.span, track, entry);
            self.note_beginning(element, Some(table));
            group.versions.push(Version {
                name: version,
                element,
                kinds: Vec::new(),
            });
        }
        let versions: Vec<Option<ElementId>> = group.versions.iter().map(|version| Some(version.element)).collect();
        if let Some((key, _)) = draft.versions.values().next() {
            self.spend_on_pairs(name, &versions, key.span);
        }
        for (key, table) in draft.kinds.into_values() {
            if self.spent.is_too_much {
                return;
            }
            let kind = self.kind(&group, &key, table);
            self.spend_on_kind(&kind, key.span);
            for (version, element) in group.versions.iter_mut().zip(&kind.versions) {
                version.kinds.extend(element);
            }
            group.kinds.push(kind);
        }
        Arc::make_mut(&mut self.model.groups).push(group);
    }

    fn kind(&mut self, group: &Group, key: &Key<'_>, table: Table<'_>) -> Kind {
        let mut kind = Kind {
            name: key.name.to_owned(),
            resource: table
                .get("resource")
                .and_then(|(_, value)| text(value, self.diagnostics))
                .map(|text| text.text),
            versions: vec![None; group.versions.len()],
            members: Vec::new(),
        };
        let names: Vec<&str> = group.versions.iter().map(|version| version.name.as_str()).collect();
        let overrides = self.table(table, "version");
        let present = self.presence(table, overrides, &names);
        let moves = ["storage", "migrated", "dropped"].map(|name| {
            let table = self.table(table, name);
            self.moves(table, &names)
        });
        for (at, version) in group.versions.iter().enumerate().filter(|(at, _)| present[*at]) {
            for (moves, what) in moves
                .iter()
                .zip([EventKind::Stored, EventKind::Migrated, EventKind::Dropped])
            {
                if let Some((release, span)) = moves.get(version.name.as_str()) {
                    self.pend(0, what, 0, *release, *span);
                }
            }
            let own = overrides.and_then(|table| table.get(version.name.as_str()));
            kind.versions[at] = Some(self.kind_in_version(group, version, key, own, table));
        }
        self.kind_rest(&mut kind, group, table);
        kind
    }

    /// A kind's element in one version, with the keys of its own entry there.
    fn kind_in_version(
        &mut self,
        group: &Group,
        version: &Version,
        key: &Key<'_>,
        own: Option<(Key<'_>, Value<'_>)>,
        table: Table<'_>,
    ) -> ElementId {
        let kind = group.family.kind_kind();
        let (span, mut entry) = match own {
            Some((own, value)) => {
                let entry = value.table(self.diagnostics).map(|table| self.entry(table, kind));
                (own.span, entry.unwrap_or_default())
            }
            None => (key.span, EntryData::default()),
        };
        let [owner, tracking] = ["owner", "tracking"].map(|key| Some(table.get(key)?.1.as_word()?.text.to_owned()));
        inherit(&mut entry.attributes, owner.as_ref(), tracking.as_ref());
        let replacement = table.get("replacement");
        let replacement = replacement.and_then(|(_, value)| super::entry::replacement(value, self.diagnostics));
        if let Some(replacement) = replacement {
            let attributes = entry.attributes.get_or_insert_default();
            attributes.replacement.get_or_insert(Box::new(replacement));
        }
        let track = entry
            .track
            .unwrap_or(self.model.elements[version.element.0 as usize].track);
        let path = VersionPath::new(group.family, group.name.as_str(), version.name.as_str()).with_kind(key.name);
        let element = self.add(&path.into(), Some(version.element), span, track, entry);
        self.note_beginning(element, own.and_then(|(_, value)| value.as_table()));
        element
    }

    /// In which of the group's versions the kind is: those it lists, or all.
    fn presence(&mut self, table: Table<'_>, overrides: Option<Table<'_>>, names: &[&str]) -> Vec<bool> {
        let Some((_, value)) = table.get("versions") else {
            for (key, _) in overrides.into_iter().flat_map(|table| table.entries()) {
                self.known_version(key.name, key.span, names);
            }
            return vec![true; names.len()];
        };
        let mut present = vec![false; names.len()];
        let listed = value.words(self.diagnostics);
        let own = overrides
            .into_iter()
            .flat_map(|table| table.entries())
            .map(|(key, _)| (key.name, key.span));
        let listed = listed.into_iter().map(|word| (word.text, word.span));
        for (name, span) in listed.chain(own) {
            if let Some(at) = self.known_version(name, span, names) {
                present[at] = true;
            }
        }
        present
    }

    /// The position of a version of the group; an unknown name is an error.
    pub(super) fn known_version(&mut self, name: &str, span: Span, names: &[&str]) -> Option<usize> {
        let at = names.iter().position(|known| *known == name);
        if at.is_none() {
            let help = did_you_mean(name, names.iter().copied())
                .unwrap_or_else(|| format!("the group's versions: {}", names.join(", ")));
            self.diagnostics.at(
                "unknown-version",
                span,
                format!("the group has no version `{name}`"),
                help,
            );
        }
        at
    }

    fn moves<'d>(&mut self, table: Option<Table<'d>>, names: &[&str]) -> Moves<'d> {
        let Some(table) = table else { return Moves::new() };
        table
            .entries()
            .filter_map(|(key, value)| {
                self.known_version(key.name, key.span, names)?;
                self.release_value(value).map(|moved| (key.name, moved))
            })
            .collect()
    }
}

/// The name of a group that is written without quotes, so that each of its dots begins another table.
fn unquoted(begin: &str, key: &Key<'_>, value: Value<'_>) -> Option<String> {
    let mut name = format!("{begin}.{}", key.name);
    let mut table = value.as_table()?;
    loop {
        let (next, value) = table.entries().next()?;
        if ["version", "kind"].contains(&next.name) {
            return Some(name);
        }
        name = format!("{name}.{}", next.name);
        table = value.as_table()?;
    }
}

/// Takes from the group or kind what the entry itself does not have.
pub(super) fn inherit(entry: &mut Option<Box<Attributes>>, owner: Option<&String>, tracking: Option<&String>) {
    if let Some(owner) = owner {
        let own = &mut entry.get_or_insert_default().owner;
        own.get_or_insert_with(|| owner.as_str().into());
    }
    if let Some(tracking) = tracking {
        let own = &mut entry.get_or_insert_default().tracking;
        own.get_or_insert_with(|| tracking.as_str().into());
    }
}
