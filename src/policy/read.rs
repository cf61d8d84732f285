//! Policy files: TOML in, [`Policy`] out.

use crate::diagnostic::{Diagnostic, Severity, did_you_mean, nearest};
use crate::document::{self, Diagnostics, Document, RULE, Table, UsageLimit, Value};
use crate::grammar::{ExtraKinds, KeyTable, names};
use crate::source::Span;
use crate::stability::Track;

use super::class::{read_class, read_kind};
use super::key::Readable;
use super::{Policy, RuleKeys, RuleLaw, RuleTable, SeverityByTrack, turns};

/// The keys of a policy file, each with what it means.
pub(crate) const POLICY_KEYS: KeyTable = &[
    ("name", "the name of the policy; required"),
    ("edition", "which edition of its text it is"),
    ("source", "where its text can be read"),
    (
        "extends",
        "the policy that it changes: a built-in one or a file; what it sets replaces what that one sets, key by key",
    ),
    (
        "editions",
        "policies that apply instead of it in some releases: `[{ use = \"ours-1\", until = \"2.0\" }, { use = \"ours-3\", from = \"3.0\" }]`",
    ),
    (
        "kinds",
        "the kinds of release that its windows count, besides `major` and `minor`: `[\"lts\"]`",
    ),
    (
        "element-kind",
        "kinds of elements besides the built-in ones; see `lifecycle explain model`",
    ),
    (
        "grace",
        "`{ days = 7 }`: days by which bounds in months on the end of an element may be missed",
    ),
    (
        "lifetime",
        "lifetimes by stability, for every rule about a lifetime; see `lifecycle explain windows`",
    ),
    (
        "requires-usage-below",
        "how little something must be used before it is removed: `{ requests-per-day = 10, over = \"30d\", coverage = 0.9 \
         }`; see `lifecycle explain usage`",
    ),
    ("rule", "the rules in force, by name"),
    ("schema", "severities of schema changes; see `lifecycle explain schema`"),
    (
        "words",
        "words of the product, for notes and warnings; see `lifecycle explain words`",
    ),
    ("$schema", "a schema for editors; not read"),
];

impl Policy {
    /// Reads a policy file over `base`, the policy that it extends: what the file sets replaces what the base sets, key
    /// by key. `tables` says which rules there are and what they read; any other key is an error.
    ///
    /// Errors are collected; what could be read is returned in any case.
    pub fn read(
        document: &Document<'_>,
        base: Option<&Self>,
        tables: &[RuleTable],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        for error in document.syntax_errors() {
            diagnostics.push(error.clone());
        }
        let mut policy = base.cloned().unwrap_or_default();
        policy.edition.clear();
        policy.turns.clear();
        policy.drop_customs();
        document.kinds(&mut policy.elements, diagnostics);
        policy.read_first(document, tables, diagnostics);
        for (key, value) in document.root().entries() {
            match key.name {
                "name" => set_text(&mut policy.name, value, diagnostics),
                "edition" => set_text(&mut policy.edition, value, diagnostics),
                "source" => set_text(&mut policy.source, value, diagnostics),
                "extends" | "$schema" => drop(value.word(diagnostics)),
                "editions" => policy.turns = turns::read(value, diagnostics),
                "grace" => policy.grace_days = read_grace(value, diagnostics).unwrap_or(policy.grace_days),
                "requires-usage-below" => {
                    policy.usage_limit = UsageLimit::read(value, diagnostics).or(policy.usage_limit);
                }
                "kinds" | "lifetime" | "element-kind" => {}
                "rule" => policy.read_rules(value, tables, diagnostics),
                "schema" => policy.schema.read(value, diagnostics),
                "words" => policy.words.read(value, diagnostics),
                word if super::words::names().contains(&word) => {
                    let help = format!("write it in the table `[words]`: `words.{word} = …`");
                    diagnostics.at("unknown-key", key.span, format!("`{word}` is a key of `[words]`"), help);
                }
                _ => diagnostics.unknown_key(&key, &names(POLICY_KEYS)),
            }
        }
        if document.root().get("name").is_none() {
            let start = Span {
                end: 1,
                ..document.root().span()
            };
            diagnostics.missing_key(start, "name", "a policy file begins with `name = \"…\"`");
        }
        policy.grant_grace();
        policy.note_settings(document, tables);
        policy
    }

    /// A custom is that of one project: a policy that extends another states its own.
    fn drop_customs(&mut self) {
        for rule in self.rules.values_mut() {
            rule.windows.retain(|(_, key), _| !key.is_custom());
        }
    }

    fn grant_grace(&mut self) {
        for window in self.rules.values_mut().flat_map(RuleLaw::windows_with_grace) {
            window.grant(self.grace_days);
        }
    }

    fn read_rules(&mut self, value: Value<'_>, tables: &[RuleTable], diagnostics: &mut Diagnostics) {
        let Some(table) = value.table(diagnostics) else { return };
        let kinds = self.kinds.clone();
        let elements = self.elements.clone();
        for (key, value) in table.entries() {
            let Some(known) = tables.iter().find(|table| table.slug == key.name) else {
                let slugs: Vec<&str> = tables.iter().map(|table| table.slug).collect();
                unknown("rule", key.name, key.span, &slugs, diagnostics);
                continue;
            };
            let Some(table) = value.table(diagnostics) else {
                continue;
            };
            if is_off(known, table, diagnostics) {
                if self.rules.remove(key.name).is_none() {
                    let message = format!("{} is not in force in the extended policy", known.slug);
                    diagnostics.at("no-effect", key.span, message, "delete this table");
                }
                continue;
            }
            let rule = self.rules.entry(key.name.to_owned()).or_default();
            rule.span = Some(key.span);
            read_rule(rule, known, table, (&kinds, &elements), diagnostics);
        }
    }
}

fn set_text(target: &mut String, value: Value<'_>, diagnostics: &mut Diagnostics) {
    if let Some(word) = value.word(diagnostics) {
        word.text.clone_into(target);
    }
}

fn read_grace(value: Value<'_>, diagnostics: &mut Diagnostics) -> Option<u16> {
    let table = value.table(diagnostics)?;
    let mut days = None;
    for (key, value) in table.entries() {
        match key.name {
            "days" => days = value.whole(0, 366, diagnostics),
            _ => diagnostics.unknown_key(&key, &["days"]),
        }
    }
    days.and_then(|days| u16::try_from(days).ok())
}

/// Whether `off` takes a rule out of force, so that no other key of it has an effect.
fn is_off(known: &RuleTable, table: Table<'_>, diagnostics: &mut Diagnostics) -> bool {
    let off = table.get("off").filter(|_| known.keys.is_some());
    let is_off = off.is_some_and(|(_, value)| value.boolean(diagnostics) == Some(true));
    for (key, _) in table.entries().filter(|(key, _)| is_off && key.name != "off") {
        let message = format!("`{}` has no effect, because {} is off", key.name, known.slug);
        diagnostics.at("no-effect", key.span, message, "delete this key, or `off`");
    }
    is_off
}

fn read_rule(
    rule: &mut RuleLaw,
    known: &RuleTable,
    table: Table<'_>,
    (kinds, elements): (&[String], &ExtraKinds),
    diagnostics: &mut Diagnostics,
) {
    for (key, value) in table.entries() {
        match (key.name, known.keys) {
            ("severity", _) => read_severities(rule, known, value, diagnostics),
            ("number", Some(_)) => rule.number = value.word(diagnostics).map(|word| word.text.to_owned()),
            ("off", Some(_)) => {
                if value.as_bool() == Some(false) {
                    let message = format!("{} is in force unless `off` is true", known.slug);
                    diagnostics.at("no-effect", key.span, message, "delete this key");
                }
            }
            ("exempt", Some(keys)) if !keys.exemptions.is_empty() => {
                rule.exempt = read_exemptions(known, keys, value, diagnostics);
            }
            ("until-replacement-released", Some(keys)) if keys.until_replacement => {
                rule.until_replacement = value.boolean(diagnostics).unwrap_or(false);
            }
            (name, keys) => {
                let mut classes = keys.map_or(&[][..], |keys| keys.classes).iter();
                let class = classes.find(|(class, _)| class.as_str() == name);
                let kind = elements.find(name).filter(|_| keys.is_some_and(|keys| keys.by_kind));
                match (class, kind) {
                    (Some((class, read)), _) => {
                        let readable = Readable {
                            class: *class,
                            keys: read,
                            only_step: keys.and_then(|keys| keys.only_step),
                        };
                        read_class(rule, readable, value, kinds, diagnostics);
                    }
                    (None, Some(kind)) => read_kind(rule, kind, value, kinds, diagnostics),
                    (None, None) => unread(known, &key, elements, diagnostics),
                }
            }
        }
    }
}

/// The keys that stand directly in the table of a rule.
fn rule_keys(keys: RuleKeys) -> Vec<&'static str> {
    let exempt = (!keys.exemptions.is_empty()).then_some("exempt");
    let until = keys.until_replacement.then_some("until-replacement-released");
    let classes = keys.classes.iter().map(|(class, _)| class.as_str());
    let own = ["number", "severity", "off"].into_iter().chain(exempt).chain(until);
    own.chain(classes).collect()
}

/// A key that a rule does not read. One that a class has may stand beside the class by mistake.
fn unread(known: &RuleTable, key: &document::Key<'_>, elements: &ExtraKinds, diagnostics: &mut Diagnostics) {
    let by_kind = known.keys.is_some_and(|keys| keys.by_kind);
    let kinds = elements.iter().map(|kind| kind.name.as_str()).filter(|_| by_kind);
    let read: Vec<&str> = known.keys.map_or_else(|| vec!["severity"], rule_keys);
    let read: Vec<&str> = read.into_iter().chain(kinds).collect();
    let classes = known.keys.map_or(&[][..], |keys| keys.classes).iter();
    let mut in_classes = classes.flat_map(|(class, keys)| keys.iter().map(|key| (class.as_str(), key.as_str())));
    let names = in_classes.clone().map(|(_, name)| name);
    let guess = nearest(key.name, read.iter().copied().chain(names));
    let help = match (guess, in_classes.find(|(_, name)| guess == Some(name))) {
        (_, Some((class, name))) => format!("write it in a class: `{class} = {{ {name} = … }}`"),
        (Some(name), None) => format!("did you mean `{name}`?"),
        (None, None) => format!("it reads {}", read.join(", ")),
    };
    let message = format!("{} does not read `{}`", known.slug, key.name);
    let error = Diagnostic::error(RULE, "unknown-key", message).help(help);
    diagnostics.push(error.at(key.span, "would have no effect"));
}

/// A name of a rule, a finding or an exemption that does not exist.
fn unknown(what: &str, typed: &str, span: Span, names: &[&str], diagnostics: &mut Diagnostics) {
    let help = did_you_mean(typed, names.iter().copied()).unwrap_or_else(|| format!("one of: {}", names.join(", ")));
    diagnostics.at("unknown-rule", span, format!("there is no {what} `{typed}`"), help);
}

fn read_exemptions(known: &RuleTable, keys: RuleKeys, value: Value<'_>, diagnostics: &mut Diagnostics) -> Vec<String> {
    let words = value.words(diagnostics);
    for word in words.iter().filter(|word| !keys.exemptions.contains(&word.text)) {
        let what = format!("exemption of {}", known.slug);
        unknown(&what, word.text, word.span, keys.exemptions, diagnostics);
    }
    words.iter().map(|word| word.text.to_owned()).collect()
}

fn read_severities(rule: &mut RuleLaw, known: &RuleTable, value: Value<'_>, diagnostics: &mut Diagnostics) {
    let Some(table) = value.table(diagnostics) else { return };
    for (key, value) in table.entries() {
        if !known.codes.contains(&key.name) {
            let what = format!("finding of {}", known.slug);
            unknown(&what, key.name, key.span, &known.codes, diagnostics);
            continue;
        }
        if known.keys.is_none() && value.as_table().is_some() {
            let message = format!("the severity of `{}` is the same in every track", key.name);
            let help = "write one severity, such as \"warning\"";
            diagnostics.at("wrong-type", value.span(), message, help);
            continue;
        }
        let base = rule.severity.get(key.name).copied();
        if let Some(levels) = read_levels(value, base, diagnostics) {
            rule.severity.insert(key.name.to_owned(), levels);
        }
    }
}

/// One severity for all tracks, or one by track; other tracks keep that of the extended policy.
pub(super) fn read_levels(
    value: Value<'_>,
    base: Option<SeverityByTrack>,
    diagnostics: &mut Diagnostics,
) -> Option<SeverityByTrack> {
    let tracks = read_tracks(value, diagnostics);
    if tracks.is_empty() && value.as_table().is_none() {
        return None;
    }
    let mut levels = base.unwrap_or(SeverityByTrack::all(Severity::Error));
    for (track, severity) in tracks {
        *levels.of_mut(track) = severity;
    }
    Some(levels)
}

/// The severities in a file: one for all tracks, or one for each named track.
pub(super) fn read_tracks(value: Value<'_>, diagnostics: &mut Diagnostics) -> Vec<(Track, Severity)> {
    let tracks = [("alpha", Track::Alpha), ("beta", Track::Beta), ("ga", Track::Ga)];
    let Some(table) = value.as_table() else {
        let severity = value.severity(diagnostics);
        return severity.map_or_else(Vec::new, |severity| tracks.map(|(_, track)| (track, severity)).to_vec());
    };
    let mut severities = Vec::new();
    for (key, value) in table.entries() {
        match tracks.iter().find(|(name, _)| *name == key.name) {
            Some((_, track)) => severities.extend(value.severity(diagnostics).map(|severity| (*track, severity))),
            None => diagnostics.unknown_key(&key, &["alpha", "beta", "ga"]),
        }
    }
    severities
}
