//! Elements added and dropped.

use crate::grammar::{ElementKind, ElementPath, KindPath, VersionPath, below};
use crate::import::Value;
use crate::import::update::entry::{value, whole};
use crate::model::{ElementId, Kind, Model};

use super::{Changed, Unchangeable};

impl Changed<'_> {
    /// Adds an element: `gate Frobber2D@1.38`; without a release, in the next one.
    pub(super) fn added(&mut self, text: &str) -> Result<(), Unchangeable> {
        let model = self.base;
        // The key of an annotation stands behind an `@` of its own.
        let at = text.rsplit_once('@').filter(|(id, _)| !id.ends_with(' '));
        let (id, release) = match at {
            Some((id, release)) => (id.trim(), model.calendar.find_typed(release.trim())),
            None => (text.trim(), Ok(model.calendar.next())),
        };
        let release = release.map_err(|problem| Unchangeable::new(format!("{text}: {problem}"), "name a release"))?;
        let release = model.calendar.name(release);
        if let Some(element) = model.find(id) {
            let begins = match model.element(element).kind {
                ElementKind::Gate => "alpha",
                ElementKind::Metric => "ALPHA",
                _ => "introduced",
            };
            let help = format!("`--set '{id}.{begins}=RELEASE'` changes its release");
            return Err(Unchangeable::new(format!("{id} is declared already"), help));
        }
        let path = ElementPath::parse(id);
        let path = path.map_err(|problem| Unchangeable::new(problem.to_string(), "name it by its id"))?;
        let entry = match path.element_kind() {
            ElementKind::Gate => staged("alpha", release, true),
            ElementKind::Metric => staged("ALPHA", release, false),
            _ => vec![("introduced".to_owned(), Value::Text(release))],
        };
        let mut keys = path.keys();
        if let ElementPath::Member(kind, _) = &path {
            keys = below(&keys, &["in", &kind.version.version]);
        }
        if let ElementPath::Kind(kind) = &path {
            self.add_version(model, kind);
        }
        self.rewrite.set(keys, Value::Table(entry));
        if let ElementPath::Version(version) = &path {
            self.add_kinds(model, version);
        }
        Ok(())
    }

    /// A kind is in no other version than in those that it is listed in.
    fn add_version(&mut self, model: &Model, new: &KindPath<'_>) {
        let groups = model.groups.iter();
        let group = groups
            .into_iter()
            .find(|group| group.family == new.version.family && group.name == *new.version.group);
        let known = group.and_then(|group| group.kinds.iter().find(|kind| kind.name == new.kind));
        let known = known.into_iter().flat_map(|kind| kind.versions.iter().flatten());
        let known =
            known.filter_map(|own| Some(Value::Text(model.element(*own).path().version()?.version.to_string())));
        let all = known.chain([Value::Text(new.version.version.to_string())]);
        self.rewrite
            .set(below(&new.keys(), &["versions"]), Value::List(all.collect()));
    }

    /// A new version has the kinds of the highest one of its group. Those that list their versions list it too.
    fn add_kinds(&mut self, model: &Model, new: &VersionPath<'_>) {
        let groups = model.groups.iter();
        let Some(group) = groups
            .into_iter()
            .find(|group| group.family == new.family && group.name == *new.group)
        else {
            return;
        };
        let highest = group.versions.iter().enumerate();
        let Some((highest, _)) = highest.max_by(|(_, one), (_, other)| one.name.rank(&other.name)) else {
            return;
        };
        for kind in group.kinds.iter().filter(|kind| kind.versions[highest].is_some()) {
            let keys = below(&new.clone().with_kind(kind.name.as_str()).keys(), &["versions"]);
            let Some(listed) = value(self.documents, &keys) else {
                continue;
            };
            let listed = listed.as_list().into_iter().flatten().map(whole);
            let all = listed.chain([Value::Text(new.version.to_string())]);
            self.rewrite.set(keys, Value::List(all.collect()));
        }
    }

    /// Drops an element with what is in it, as if it had never been declared.
    pub(super) fn dropped(&mut self, name: &str) -> Result<(), Unchangeable> {
        let model = self.base;
        let [element] = model.find_abbreviated(name)[..] else {
            return Err(self.unknown(name));
        };
        self.check_exceptions(element)?;
        match model.element(element).path() {
            ElementPath::Version(version) => self.drop_version(model, element, &version),
            ElementPath::Kind(kind) => {
                let group = model.group_of(element);
                let own = group.and_then(|group| group.kinds.iter().find(|own| own.name == kind.kind));
                if let Some(own) = own {
                    self.drop_kind(model, own, element, &kind);
                }
            }
            path => {
                let (entry, others) = self.own_path(element);
                for other in others {
                    self.rewrite.set(other, Value::Table(Vec::new()));
                }
                let entry = if entry.len() > path.keys().len() && !is_in_others(model, element) {
                    path.keys()
                } else {
                    entry
                };
                self.rewrite.delete(entry);
            }
        }
        Ok(())
    }

    /// Refuses to drop what an exception names: the model could not be read then.
    fn check_exceptions(&self, element: ElementId) -> Result<(), Unchangeable> {
        let model = self.base;
        let mut named = model.exceptions.iter().filter(|exception| {
            let target = exception.element.target;
            target.is_some_and(|target| model.with_wholes(target).any(|whole| whole == element))
        });
        named.next().map_or(Ok(()), |exception| {
            let (id, rule) = (&exception.element.text, &exception.rule.text);
            let message = format!("an exception from {rule} names {id}, which would be dropped");
            Err(Unchangeable::new(message, "delete the exception first"))
        })
    }

    fn drop_version(&mut self, model: &Model, element: ElementId, version: &VersionPath<'_>) {
        let group = version.group_keys();
        for table in ["version", "preferred"] {
            self.delete(below(&group, &[table, &version.version]));
        }
        let Some(group) = model.group_of(element) else { return };
        let at = group.versions.iter().position(|own| own.element == element);
        for kind in &group.kinds {
            let Some(own) = at.and_then(|at| kind.versions.get(at).copied().flatten()) else {
                continue;
            };
            let path = version.clone().with_kind(kind.name.as_str());
            self.drop_kind(model, kind, own, &path);
        }
    }

    /// Drops a kind from a version: its entry if it is in no other one.
    fn drop_kind(&mut self, model: &Model, kind: &Kind, element: ElementId, path: &KindPath<'_>) {
        let keys = path.keys();
        let others: Vec<Value> = kind
            .versions
            .iter()
            .flatten()
            .filter(|own| **own != element)
            .filter_map(|own| {
                let path = model.element(*own).path();
                Some(Value::Text(path.version()?.version.to_string()))
            })
            .collect();
        if others.is_empty() {
            self.delete(keys);
            return;
        }
        for table in ["version", "storage", "migrated", "dropped"] {
            self.delete(below(&keys, &[table, &path.version.version]));
        }
        for member in &kind.members {
            let entry: Vec<String> = keys.iter().cloned().chain(member.parts().keys()).collect();
            self.delete(below(&entry, &["in", &path.version.version]));
        }
        self.rewrite.set(below(&keys, &["versions"]), Value::List(others));
    }

    fn delete(&mut self, path: Vec<String>) {
        if value(self.documents, &path).is_some() {
            self.rewrite.delete(path);
        }
    }
}

/// The entry of a gate or a metric that begins in a release.
fn staged(stage: &str, since: String, is_gate: bool) -> Vec<(String, Value)> {
    let mut spec = vec![
        ("stage".to_owned(), Value::Text(stage.to_owned())),
        ("since".to_owned(), Value::Text(since)),
    ];
    if is_gate {
        spec.push(("default".to_owned(), Value::Flag(false)));
    }
    vec![("specs".to_owned(), Value::List(vec![Value::Table(spec)]))]
}

/// Whether other versions have a member too.
fn is_in_others(model: &Model, member: ElementId) -> bool {
    let kind = model.element(member).parent.and_then(|kind| model.kind_of(kind));
    let mut members = kind.into_iter().flat_map(|kind| &kind.members);
    let own = members.find(|own| own.versions.contains(&Some(member)));
    own.is_some_and(|own| own.versions.iter().flatten().count() > 1)
}
