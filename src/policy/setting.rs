//! What policy files set, as it is written there, and where.

use crate::document::{Document, Table, Value, quoted};

use super::lifetime::{classes_with_lifetime, has_named_steps, tracks_of};
use super::{Key, LIFETIME, Policy, RuleTable, Setting, SettingKey};

impl Policy {
    /// Notes what a file sets. What it does not set stays as in the policy that it extends.
    pub(super) fn note_settings(&mut self, document: &Document<'_>, tables: &[RuleTable]) {
        let root = document.root();
        self.note_lifetimes(root, tables);
        for (key, value) in root.entries() {
            match (key.name, value.as_table()) {
                ("kinds", None) => self.note(key.name, String::new(), value),
                ("grace" | "words" | "element-kind" | "requires-usage-below", Some(table)) => {
                    for (own, value) in table.entries() {
                        self.note(key.name, own.name.to_owned(), value);
                    }
                }
                ("schema", Some(table)) => self.note_severities("schema", "", table),
                ("rule", Some(rules)) => {
                    let known = rules
                        .entries()
                        .filter(|(rule, _)| tables.iter().any(|table| table.slug == rule.name));
                    for (rule, value) in known {
                        self.note_rule(rule.name, value.as_table());
                    }
                }
                _ => {}
            }
        }
    }

    fn note(&mut self, table: &str, key: String, value: Value<'_>) {
        let span = value.span();
        let value = inline(value);
        self.settings.insert((table.to_owned(), key), Setting { value, span });
    }

    /// `[lifetime]` is what the tables of the rules about lifetimes would say.
    fn note_lifetimes(&mut self, root: Table<'_>, tables: &[RuleTable]) {
        let lifetimes = root.get("lifetime").and_then(|(_, value)| value.as_table());
        let (all, own): (Vec<_>, Vec<_>) = lifetimes
            .into_iter()
            .flat_map(|table| table.entries())
            .partition(|(key, _)| key.name == "all");
        for (key, value) in all.into_iter().chain(own) {
            let tracks = tracks_of(key.name);
            let entries: Vec<_> = value.as_table().into_iter().flat_map(|table| table.entries()).collect();
            for (table, class) in classes_with_lifetime(tables) {
                if !tracks.contains(&class.as_of_lifetime()) {
                    continue;
                }
                for (key, value) in &entries {
                    let mut read = LIFETIME
                        .iter()
                        .filter(|key| has_named_steps(table) || !is_about_steps(**key));
                    if read.any(|read| read.as_str() == key.name) {
                        let own = format!("{}.{}", class.as_str(), key.name);
                        self.note(&format!("rule.{}", table.slug), own, *value);
                    }
                }
            }
        }
    }

    fn note_rule(&mut self, rule: &str, table: Option<Table<'_>>) {
        let Some(table) = table else { return };
        let name = format!("rule.{rule}");
        let is_off = table.get("off").and_then(|(_, value)| value.as_bool()) == Some(true);
        if is_off {
            self.settings.retain(|(table, _), _| *table != name);
            return;
        }
        for (key, value) in table.entries() {
            match (key.name, value.as_table()) {
                ("severity", Some(severities)) => self.note_severities(&name, "severity.", severities),
                (_, Some(class)) => {
                    for (own, value) in class.entries() {
                        self.note(&name, format!("{}.{}", key.name, own.name), value);
                    }
                }
                (_, None) => self.note(&name, key.name.to_owned(), value),
            }
        }
    }

    /// The first setting of a table whose key begins so.
    fn first_below(&self, table: &str, beginning: &str) -> Option<SettingKey> {
        let from = (table.to_owned(), beginning.to_owned());
        let (found, _) = self.settings.range(from..).next()?;
        (found.0 == table && found.1.starts_with(beginning)).then(|| found.clone())
    }

    /// Severities, of which each may be one by track: that replaces only what it names.
    fn note_severities(&mut self, table: &str, before: &str, severities: Table<'_>) {
        for (key, value) in severities.entries() {
            let own = format!("{before}{}", key.name);
            match value.as_table() {
                Some(below) => self.note_severities(table, &format!("{own}."), below),
                None => {
                    let below = format!("{own}.");
                    while let Some(old) = self.first_below(table, &below) {
                        self.settings.remove(&old);
                    }
                    self.note(table, own, value);
                }
            }
        }
    }
}

/// Whether a key is about the steps between deprecation and removal, which gates and metrics do not have.
fn is_about_steps(key: Key) -> bool {
    matches!(key, Key::Steps | Key::AfterSteps)
}

/// A value on one line, as TOML.
fn inline(value: Value<'_>) -> String {
    if let Some(table) = value.as_table() {
        let entries = table
            .entries()
            .map(|(key, value)| format!("{} = {}", key.name, inline(value)));
        return format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "));
    }
    if let Some(items) = value.as_list() {
        return format!("[{}]", items.map(inline).collect::<Vec<_>>().join(", "));
    }
    match value.as_word() {
        Some(word) => quoted(word.text),
        None => value.plain_text(),
    }
}
