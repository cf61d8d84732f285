//! Single declarations: `autoscaling/v2beta1.deprecated=1.23`.

use crate::diagnostic::did_you_mean;
use crate::grammar::{ElementPath, EntryKey, below};
use crate::import::Value;
use crate::import::update::entry::{before_another, earlier_lives, lives, own_path, value};
use crate::import::update::rewrite::{ValuePath, in_last_life};
use crate::model::{ElementId, EventKind, Model, in_shell};
use crate::stability::{MetricStability, Stage};

use super::{Changed, Inherited, Unchangeable};

const FORM: &str = "write the element, `.`, a key, `=` and its value: autoscaling/v2beta1.deprecated=1.23";

/// What is declared of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    /// A key of its entry.
    Key(EntryKey),
    /// A step that the policy names.
    Step(EventKind),
    /// When a gate enters a stage.
    Stage(Stage),
    /// When a metric enters a class.
    Class(MetricStability),
    /// When a gate can no longer be set.
    Locked,
    /// When a version becomes the preferred one of its group.
    Preferred,
    /// When a version becomes the storage version of a kind.
    Storage,
}

impl Declared {
    fn parse(text: &str, model: &Model, element: ElementId) -> Option<Self> {
        match text {
            "preferred" => return Some(Self::Preferred),
            "storage" | "stored" => return Some(Self::Storage),
            _ => {}
        }
        if let Some(step) = model.steps.find(text) {
            return Some(Self::Step(step));
        }
        // A gate is deprecated by its entry, if it has one.
        let is_entry = model
            .gate(element)
            .is_some_and(|gate| gate.first(Stage::Deprecated).is_some());
        if is_entry && text == EventKind::Deprecated.as_str() {
            return Some(Self::Stage(Stage::Deprecated));
        }
        if let Some(key) = EntryKey::parse(text) {
            return Some(Self::Key(key));
        }
        if model.gate(element).is_some() {
            let locked = (text == EventKind::Locked.as_str()).then_some(Self::Locked);
            return locked.or_else(|| Stage::parse(text).map(Self::Stage));
        }
        model.metric(element)?;
        MetricStability::parse(text).map(Self::Class)
    }
}

/// An element, what is declared of it, and the value; `None` where the declaration is to be deleted.
struct Declaration<'d> {
    element: ElementId,
    what: Declared,
    value: Option<&'d str>,
}

impl Changed<'_> {
    pub(super) fn declare(&mut self, text: &str) -> Result<(), Unchangeable> {
        let Declaration { element, what, value } = self.declaration(text)?;
        if what == Declared::Locked {
            return self.lock(element, value, text);
        }
        let Some(value) = value else {
            let place = self.place(element, what, text)?;
            self.rewrite.delete(place.ok_or_else(|| self.unstaged(element, text))?);
            return Ok(());
        };
        let value = written(what, value);
        if what == Declared::Key(EntryKey::Event(EventKind::Deprecated)) {
            return self.announce(element, value, text);
        }
        self.put(element, what, value, text)
    }

    /// Declares a deprecation: beside earlier ones that were withdrawn, it stands in one list with them.
    fn announce(&mut self, element: ElementId, value: Value, text: &str) -> Result<(), Unchangeable> {
        let model = self.base;
        let (before, undone) = before_another(self.documents, model, element);
        let [what, withdrawal] =
            [EventKind::Deprecated, EventKind::Undeprecated].map(|what| Declared::Key(EntryKey::Event(what)));
        let in_force = model.in_force(model.last_event(element, EventKind::Deprecated));
        if before.is_empty() || in_force.is_some() {
            return self.put(element, what, value, text);
        }
        let earlier = before.iter().map(|release| Value::Text(model.calendar.name(*release)));
        self.put(element, what, Value::List(earlier.chain([value]).collect()), text)?;
        undone.map_or(Ok(()), |undone| self.put(element, withdrawal, undone, text))
    }

    fn put(&mut self, element: ElementId, what: Declared, value: Value, text: &str) -> Result<(), Unchangeable> {
        if self.put_in_inherited_life(element, what, &value) {
            return Ok(());
        }
        let place = self.place(element, what, text)?;
        self.rewrite
            .set(place.ok_or_else(|| self.unstaged(element, text))?, value);
        Ok(())
    }

    /// Reads a declaration. Names have dots and equals signs too: the first split with an element and a key counts.
    fn declaration<'t>(&self, text: &'t str) -> Result<Declaration<'t>, Unchangeable> {
        let model = self.base;
        let (mut unknown, mut unknown_key) = (None, None);
        for (at, _) in text.match_indices('=') {
            let (before, value) = (&text[..at], text[at + 1..].trim());
            let Some((name, key)) = before.rsplit_once('.') else {
                continue;
            };
            let (name, key) = (name.trim(), key.trim());
            let [element] = model.find_abbreviated(name)[..] else {
                unknown.get_or_insert(name);
                continue;
            };
            let Some(what) = Declared::parse(key, model, element) else {
                unknown_key.get_or_insert(key);
                continue;
            };
            let value = (!value.is_empty()).then_some(value);
            return Ok(Declaration { element, what, value });
        }
        match unknown {
            Some(name) => Err(self.unknown(name)),
            None => {
                let meant = unknown_key.and_then(|key| did_you_mean(key, model.event_names()));
                let help = meant.unwrap_or_else(|| FORM.to_owned());
                Err(Unchangeable::new(format!("`{text}` is no declaration"), help))
            }
        }
    }

    /// The refusal of a name that is none of one element.
    pub(super) fn unknown(&self, name: &str) -> Unchangeable {
        let model = self.base;
        let found = model.find_abbreviated(name);
        if found.len() > 1 {
            let ids: Vec<&str> = found.iter().take(5).map(|id| model.id(*id)).collect();
            return Unchangeable::new(
                format!("`{name}` is ambiguous"),
                format!("name one of: {}", ids.join(", ")),
            );
        }
        let help = model.did_you_mean(name);
        let help = help.unwrap_or_else(|| format!("`{}` lists the elements", model.command_line("plan --all")));
        Unchangeable::new(format!("there is no element `{name}`"), help)
    }

    /// Declares something of the last life of an entry that lists none, because it has those of another entry; whether
    /// it is such an entry.
    fn put_in_inherited_life(&mut self, element: ElementId, what: Declared, value: &Value) -> bool {
        let model = self.base;
        let (key, value) = match what {
            Declared::Key(key) if EntryKey::is_of_life(key.as_str()) => (key.as_str(), value.clone()),
            Declared::Step(step) => {
                let name = model.event_word(step).as_str().to_owned();
                (EntryKey::Steps.as_str(), Value::Table(vec![(name, value.clone())]))
            }
            _ => return false,
        };
        let (entry, _) = own_path(self.documents, model, element);
        if !self.inherited.contains_key(&entry) {
            let Some(earlier) = earlier_lives(self.documents, model, element, &entry) else {
                return false;
            };
            let last = Vec::new();
            self.inherited.insert(entry.clone(), Inherited { earlier, last });
        }
        let entry = self.entry_of(element);
        let Some(Inherited { earlier, last }) = self.inherited.get_mut(&entry) else {
            return false;
        };
        set_key(last, key, value);
        let all = lives(*earlier, last.clone());
        self.rewrite.set(below(&entry, &[EntryKey::Lives.as_str()]), all);
        true
    }

    /// Where something is declared; `None` for a stage that the element does not enter.
    fn place(&mut self, element: ElementId, what: Declared, text: &str) -> Result<Option<ValuePath>, Unchangeable> {
        let model = self.base;
        let path = model.element(element).path();
        match what {
            Declared::Key(key) => {
                // A kind may list by version when objects are migrated, and when their code goes.
                if let ElementPath::Kind(kind) = &path {
                    let listed = below(&kind.keys(), &[key.as_str(), &kind.version.version]);
                    if value(self.documents, &listed).is_some() {
                        return Ok(Some(listed.into()));
                    }
                }
                let entry = self.entry_of(element);
                let in_life = in_last_life(self.documents, &entry, key.as_str());
                Ok(Some(in_life.unwrap_or_else(|| below(&entry, &[key.as_str()]).into())))
            }
            Declared::Step(step) => {
                let entry = self.entry_of(element);
                let name = model.event_word(step).as_str().to_owned();
                if let Some(mut in_life) = in_last_life(self.documents, &entry, EntryKey::Steps.as_str()) {
                    if let Some((_, keys)) = &mut in_life.within {
                        keys.push(name);
                    }
                    return Ok(Some(in_life));
                }
                let steps = below(&entry, &[EntryKey::Steps.as_str()]);
                if value(self.documents, &steps).is_none() {
                    self.rewrite.set(steps.clone(), Value::Table(Vec::new()));
                }
                Ok(Some(below(&steps, &[&name]).into()))
            }
            Declared::Stage(stage) => {
                let at = model.gate(element).and_then(|gate| gate.first(stage)).map(|(at, _)| at);
                Ok(at.map(|at| since(&path, at)))
            }
            Declared::Class(class) => {
                let metric = model.metric(element);
                let at = metric.and_then(|metric| metric.specs.iter().position(|spec| spec.stability == class));
                Ok(at.map(|at| since(&path, at)))
            }
            Declared::Locked => Ok(None),
            Declared::Preferred => match &path {
                ElementPath::Version(version) => Ok(Some(
                    below(&version.group_keys(), &["preferred", &version.version]).into(),
                )),
                _ => Err(Unchangeable::new(format!("{text}: only a version is preferred"), FORM)),
            },
            Declared::Storage => match &path {
                ElementPath::Kind(kind) => Ok(Some(below(&kind.keys(), &["storage", &kind.version.version]).into())),
                _ => Err(Unchangeable::new(
                    format!("{text}: only a kind in a version is stored"),
                    FORM,
                )),
            },
        }
    }

    /// Locks a gate from a release on: its last entry, or a new one like it.
    fn lock(&mut self, element: ElementId, release: Option<&str>, text: &str) -> Result<(), Unchangeable> {
        let model = self.base;
        let id = model.id(element);
        let patch = "a patch can replace its `specs`";
        let release = release.ok_or_else(|| Unchangeable::new(format!("{text}: {id} stays locked"), patch))?;
        let gate = model.gate(element);
        let Some((specs, last)) = gate.and_then(|gate| Some((&gate.specs, gate.specs.last()?))) else {
            return Err(self.unstaged(element, text));
        };
        let asked = model.calendar.find(release).ok();
        if let Some(locked) = specs.iter().find(|spec| spec.locked) {
            let since = model.calendar.name(locked.since);
            let refusal = Unchangeable::new(format!("{text}: {id} is locked since {since}"), patch);
            return if asked == Some(locked.since) {
                Ok(())
            } else {
                Err(refusal)
            };
        }
        if asked.is_some_and(|asked| asked < last.since) {
            let since = model.calendar.name(last.since);
            return Err(Unchangeable::new(
                format!("{text}: the last entry of {id} is for {since}"),
                format!("lock it in {since} or later, or replace its `specs` by a patch"),
            ));
        }
        let (at, keys, value) = if model.calendar.name(last.since) == release {
            (specs.len() - 1, vec!["locked".to_owned()], Value::Flag(true))
        } else {
            let entry = [
                ("stage", Value::Text(last.stage.to_string())),
                ("since", Value::Text(release.to_owned())),
                ("default", Value::Flag(last.default)),
                ("locked", Value::Flag(true)),
            ];
            let entry = entry.map(|(key, value)| (key.to_owned(), value));
            (specs.len(), Vec::new(), Value::Table(entry.to_vec()))
        };
        let path = below(&model.element(element).path().keys(), &["specs"]);
        let within = Some((at, keys));
        self.rewrite.set(ValuePath { path, within }, value);
        Ok(())
    }

    /// The path of an element's own entry, with what has to be there for it.
    fn entry_of(&mut self, element: ElementId) -> Vec<String> {
        let (entry, others) = self.own_path(element);
        for other in others {
            if value(self.documents, &other).is_none() {
                self.rewrite.set(other, Value::Table(Vec::new()));
            }
        }
        entry
    }

    /// The path of an element's own entry, and those of the other versions that are listed beside it. A version that
    /// ends by the plan before the element begins is left out, because an entry would require it to stay served until
    /// then.
    pub(super) fn own_path(&self, element: ElementId) -> (Vec<String>, Vec<Vec<String>>) {
        let (entry, mut others) = own_path(self.documents, self.base, element);
        others.retain(|(other, _)| (self.begins)(*other));
        (entry, others.into_iter().map(|(_, path)| path).collect())
    }

    fn unstaged(&self, element: ElementId, text: &str) -> Unchangeable {
        let model = self.base;
        let id = model.id(element);
        let help = if model.gate(element).is_some() {
            let propose = model.command_line(&format!("propose gate {}", in_shell(model.element(element).name())));
            format!("`{propose}` adds stages; a patch can replace its `specs`")
        } else {
            "a patch can replace its `specs`".to_owned()
        };
        Unchangeable::new(format!("{text}: {id} does not enter this stage"), help)
    }
}

/// Sets a key; one of a table within it, if the value is a table.
fn set_key(keys: &mut Vec<(String, Value)>, key: &str, value: Value) {
    match (keys.iter_mut().find(|(known, _)| known == key), value) {
        (Some((_, Value::Table(known))), Value::Table(new)) => {
            for (key, value) in new {
                set_key(known, &key, value);
            }
        }
        (Some((_, known)), value) => *known = value,
        (None, value) => keys.push((key.to_owned(), value)),
    }
}

/// Where an entry of `specs` has its release.
fn since(path: &ElementPath<'_>, at: usize) -> ValuePath {
    ValuePath {
        path: below(&path.keys(), &["specs"]),
        within: Some((at, vec!["since".to_owned()])),
    }
}

fn written(what: Declared, value: &str) -> Value {
    match (what, value, value.parse()) {
        (Declared::Key(EntryKey::Tombstone | EntryKey::Operational), "true" | "false", _) => {
            Value::Flag(value == "true")
        }
        (Declared::Key(EntryKey::Tag), _, Ok(number)) => Value::Number(number),
        _ => Value::Text(value.to_owned()),
    }
}
