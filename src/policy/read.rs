//! Policy files: TOML in, [`Policy`] out.

use crate::diagnostic::Severity;
use crate::document::{Diagnostics, Document, Table, Value, Word};
use crate::release::Window;
use crate::source::Span;
use crate::stability::Track;

use super::{Class, Policy, RuleLaw, SchemaLaw, SeverityByTrack};

const POLICY_KEYS: &[&str] = &[
    "name", "edition", "source", "extends", "grace", "rule", "schema", "$schema",
];
const RULE_KEYS: &[&str] = &["number", "severity", "exempt", "until-replacement-released", "off"];
const CLASSES: &[&str] = &[
    "all",
    "alpha",
    "beta",
    "ga",
    "stable",
    "internal",
    "beta-to-ga",
    "beta-to-dropped",
    "alpha-to-dropped",
];
const CLASS_KEYS: &[&str] = &[
    "deprecate-within",
    "after-deprecation",
    "remove-within",
    "remove",
    "lifetime",
    "hide-after",
    "remove-after-hidden",
    "overlap",
    "off-before-on",
    "tolerate-first",
    "custom-after-locking",
    "action-required",
];

/// An edition as a model names it: `{ use = "kubernetes-2019", from = "1.0" }`.
#[derive(Debug, Clone, Copy)]
pub struct EditionReference<'d> {
    /// A built-in policy's name, or a path.
    pub policy: Word<'d>,
    /// The release from which it holds.
    pub from: Option<Word<'d>>,
}

/// The editions a model file asks for, in the order given; none if it has no `policy` key.
pub fn editions<'d>(model: &'d Document<'_>, faults: &mut Diagnostics) -> Vec<EditionReference<'d>> {
    let Some((_, value)) = model.root().get("policy") else {
        return Vec::new();
    };
    if let Some(policy) = value.as_word() {
        return vec![EditionReference { policy, from: None }];
    }
    let items = value.list(faults);
    if items.is_empty() && value.as_list().is_some() {
        faults.at(
            "policy",
            value.span(),
            "the list of policies is empty",
            "name one, or leave the key out",
        );
    }
    let editions: Vec<EditionReference<'d>> = items.into_iter().filter_map(|item| edition(item, faults)).collect();
    if let Some(second) = editions.iter().filter(|edition| edition.from.is_none()).nth(1) {
        let help = "give each but the first the release it holds from: { use = \"…\", from = \"1.19\" }";
        faults.at(
            "policy",
            second.policy.span,
            "two policies hold from the beginning",
            help,
        );
    }
    editions
}

fn edition<'d>(item: Value<'d>, faults: &mut Diagnostics) -> Option<EditionReference<'d>> {
    let table = item.table(faults)?;
    let (mut policy, mut from) = (None, None);
    for (key, value) in table.entries() {
        match key.name {
            "use" => policy = value.word(faults),
            "from" => from = value.word(faults),
            _ => faults.unknown_key(&key, &["use", "from"]),
        }
    }
    if policy.is_none() {
        faults.missing_key(
            table.span(),
            "use",
            "name a built-in policy or the path of a policy file",
        );
    }
    policy.map(|policy| EditionReference { policy, from })
}

/// The policy that a policy file says it extends.
pub fn extends<'d>(policy: &'d Document<'_>) -> Option<Word<'d>> {
    policy.root().get("extends").and_then(|(_, value)| value.as_word())
}

/// The name of a policy that another one extends, seen from where that one is named: `base.toml` in `a/p.toml` is
/// `a/base.toml`. A built-in policy's name is the same from everywhere.
pub fn named_from(extending: &str, reference: &str) -> String {
    let builtin = super::builtin(reference).is_some();
    match extending
        .rsplit_once('/')
        .filter(|_| !builtin && !reference.starts_with('/'))
    {
        Some((folder, _)) => format!("{folder}/{reference}"),
        None => reference.to_owned(),
    }
}

impl Policy {
    /// Reads a policy file. `base` is the policy it extends; what the file says replaces what the base says, key by
    /// key.
    ///
    /// Faults are collected; what could be read is returned in any case.
    pub fn read(document: &Document<'_>, base: Option<&Self>, faults: &mut Diagnostics) -> Self {
        for fault in document.syntax_errors() {
            faults.push(fault.clone());
        }
        let mut policy = base.cloned().unwrap_or_else(|| Self {
            name: String::new(),
            edition: String::new(),
            source: String::new(),
            rules: std::collections::BTreeMap::new(),
            off: Vec::new(),
            schema: SchemaLaw::default(),
        });
        policy.off.clear();
        if base.is_some() {
            policy.edition = String::new();
        }
        let mut grace = None;
        for (key, value) in document.root().entries() {
            match key.name {
                "name" => set_text(&mut policy.name, value, faults),
                "edition" => set_text(&mut policy.edition, value, faults),
                "source" => set_text(&mut policy.source, value, faults),
                "extends" | "$schema" => drop(value.word(faults)),
                "grace" => grace = read_grace(value, faults),
                "rule" => read_rules(value, &mut policy, faults),
                "schema" => policy.schema.read(value, faults),
                _ => faults.unknown_key(&key, POLICY_KEYS),
            }
        }
        if document.root().get("name").is_none() {
            let place = Span {
                end: 1,
                ..document.root().span()
            };
            faults.missing_key(place, "name", "a policy file begins with `name = \"…\"`");
        }
        if let Some(days) = grace {
            policy.grant_grace(days);
        }
        policy
    }

    /// Bounds in months on the end of an element may be missed by this many days.
    fn grant_grace(&mut self, days: u16) {
        let classes = self.rules.values_mut().flat_map(|rule| rule.classes.values_mut());
        for class in classes {
            for window in [
                &mut class.after_deprecation,
                &mut class.remove_within,
                &mut class.lifetime,
                &mut class.hide_after,
            ]
            .into_iter()
            .flatten()
            {
                window.grace_days = days;
            }
        }
    }
}

fn set_text(target: &mut String, value: Value<'_>, faults: &mut Diagnostics) {
    if let Some(word) = value.word(faults) {
        word.text.clone_into(target);
    }
}

fn read_grace(value: Value<'_>, faults: &mut Diagnostics) -> Option<u16> {
    let table = value.table(faults)?;
    let mut days = None;
    for (key, value) in table.entries() {
        match key.name {
            "days" => days = value.whole(0, 366, faults),
            _ => faults.unknown_key(&key, &["days"]),
        }
    }
    days.and_then(|days| u16::try_from(days).ok())
}

fn read_rules(value: Value<'_>, policy: &mut Policy, faults: &mut Diagnostics) {
    let Some(table) = value.table(faults) else { return };
    for (key, value) in table.entries() {
        let Some(table) = value.table(faults) else { continue };
        let mut rule = policy.rules.remove(key.name).unwrap_or_default();
        rule.span = Some(key.span);
        if read_rule(&mut rule, table, faults) {
            policy.rules.insert(key.name.to_owned(), rule);
        } else {
            policy.off.push((key.name.to_owned(), key.span));
        }
    }
}

/// Whether the rule is in force.
fn read_rule(rule: &mut RuleLaw, table: Table<'_>, faults: &mut Diagnostics) -> bool {
    let mut in_force = true;
    for (key, value) in table.entries() {
        match key.name {
            "number" => rule.number = value.word(faults).map(|word| word.text.to_owned()),
            "severity" => read_severities(rule, value, faults),
            "exempt" => {
                rule.exempt = value.words(faults).iter().map(|word| word.text.to_owned()).collect();
            }
            "until-replacement-released" => rule.until_replacement = value.boolean(faults).unwrap_or(false),
            "off" => in_force = !value.boolean(faults).unwrap_or(false),
            class if CLASSES.contains(&class) => {
                let class = rule.classes.entry(class.to_owned()).or_default();
                read_class(class, value, faults);
            }
            _ => faults.unknown_key(&key, &[RULE_KEYS, CLASSES].concat()),
        }
    }
    in_force
}

fn read_class(class: &mut Class, value: Value<'_>, faults: &mut Diagnostics) {
    let Some(table) = value.table(faults) else { return };
    for (key, value) in table.entries() {
        match key.name {
            "deprecate-within" => class.deprecate_within = window(value, faults),
            "after-deprecation" => class.after_deprecation = window(value, faults),
            "remove-within" => class.remove_within = window(value, faults),
            "lifetime" => class.lifetime = window(value, faults),
            "hide-after" => class.hide_after = window(value, faults),
            "remove-after-hidden" => class.remove_after_hidden = window(value, faults),
            "overlap" => class.overlap = window(value, faults),
            "off-before-on" => class.off_before_on = window(value, faults),
            "tolerate-first" => class.tolerate_first = window(value, faults),
            "custom-after-locking" => class.custom_after_locking = window(value, faults),
            "action-required" => class.action_required = value.boolean(faults).unwrap_or(true),
            "remove" => class.next_major = read_remove(value, faults),
            _ => faults.unknown_key(&key, CLASS_KEYS),
        }
    }
}

fn read_remove(value: Value<'_>, faults: &mut Diagnostics) -> bool {
    let Some(word) = value.word(faults) else { return false };
    if !["next-major", "any"].contains(&word.text) {
        faults.unknown_word("a time of removal", word.text, word.span, &["next-major", "any"]);
    }
    word.text == "next-major"
}

/// A window; `false` takes away the one of the policy that is extended.
fn window(value: Value<'_>, faults: &mut Diagnostics) -> Option<Window> {
    if value.as_bool() == Some(false) {
        return None;
    }
    let table = value.table(faults)?;
    let mut window = Window::default();
    let mut size = |value: Value<'_>| {
        let size = value.whole(0, 1200, faults)?;
        u16::try_from(size).ok()
    };
    let mut unknown = Vec::new();
    for (key, value) in table.entries() {
        match key.name {
            "months" => window.months = size(value).unwrap_or_default(),
            "releases" => window.releases = size(value).unwrap_or_default(),
            _ => unknown.push(key),
        }
    }
    for key in unknown {
        faults.unknown_key(&key, &["months", "releases"]);
    }
    Some(window)
}

fn read_severities(rule: &mut RuleLaw, value: Value<'_>, faults: &mut Diagnostics) {
    let Some(table) = value.table(faults) else { return };
    for (key, value) in table.entries() {
        let base = rule.severity.get(key.name).copied();
        if let Some(levels) = read_levels(value, base, faults) {
            rule.severity.insert(key.name.to_owned(), levels);
        }
    }
}

/// A severity for all, or one by track; tracks that are not named keep what the policy that is extended says.
pub(super) fn read_levels(
    value: Value<'_>,
    base: Option<SeverityByTrack>,
    faults: &mut Diagnostics,
) -> Option<SeverityByTrack> {
    let said = read_tracks(value, faults);
    if said.is_empty() && value.as_table().is_none() {
        return None;
    }
    let mut levels = base.unwrap_or(SeverityByTrack::all(Severity::Error));
    for (track, severity) in said {
        *levels.of_mut(track) = severity;
    }
    Some(levels)
}

/// The severities that are said: one for all tracks, or one for each that is named.
pub(super) fn read_tracks(value: Value<'_>, faults: &mut Diagnostics) -> Vec<(Track, Severity)> {
    let tracks = [("alpha", Track::Alpha), ("beta", Track::Beta), ("ga", Track::Ga)];
    let Some(table) = value.as_table() else {
        let severity = value.severity(faults);
        return severity.map_or_else(Vec::new, |severity| tracks.map(|(_, track)| (track, severity)).to_vec());
    };
    let mut said = Vec::new();
    for (key, value) in table.entries() {
        match tracks.iter().find(|(name, _)| *name == key.name) {
            Some((_, track)) => said.extend(value.severity(faults).map(|severity| (*track, severity))),
            None => faults.unknown_key(&key, &["alpha", "beta", "ga"]),
        }
    }
    said
}
