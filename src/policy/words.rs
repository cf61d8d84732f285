//! The words of a product: options, names and phrases that notes and warnings quote.
//!
//! What every product prints alike is in the templates. What only one prints is data of its policy: a policy without
//! words has none of another product.

use std::collections::BTreeMap;

use crate::document::{Diagnostics, Value};

/// The page on the table `[words]` of a policy.
pub const WORDS_PAGE: &str = include_str!("words.md");

/// A word that a policy may set.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Word {
    /// The line below the heading of urgent notes.
    Urgent,
    /// How warnings write a release.
    Release,
    /// The option that sets feature gates.
    GateOption,
    /// What is logged when a deprecated or GA gate is set.
    GateWarning,
    /// The error when a locked gate is set to the other value.
    GateLocked,
    /// The option that shows the metrics that were not yet hidden in a release.
    ShowHiddenMetrics,
    /// The key of the audit annotation of a request for something deprecated.
    AuditDeprecated,
    /// The key of the audit annotation with the release of the removal.
    AuditRemoved,
    /// The gauge of requests for deprecated API versions.
    DeprecatedRequests,
    /// The counter of requests by client, with which a query joins the gauge.
    Requests,
}

impl Word {
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }

    /// The names that may stand in braces in it.
    fn placeholders(self) -> &'static [&'static str] {
        match self {
            Self::Release | Self::ShowHiddenMetrics => &["release"],
            Self::GateWarning => &["stage", "gate", "value"],
            Self::GateLocked => &["gate", "value", "other"],
            Self::Urgent
            | Self::GateOption
            | Self::AuditDeprecated
            | Self::AuditRemoved
            | Self::DeprecatedRequests
            | Self::Requests => &[],
        }
    }
}

/// The table `[words]` of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words(BTreeMap<Word, String>);

impl Words {
    /// A word, if the policy sets it.
    pub(crate) fn get(&self, word: Word) -> Option<&str> {
        self.0.get(&word).map(String::as_str)
    }

    /// A word with values in place of its placeholders.
    pub(crate) fn filled(&self, word: Word, values: &[(&str, &str)]) -> Option<String> {
        let mut text = String::new();
        for (before, placeholder) in pieces(self.get(word)?) {
            text.push_str(before);
            let value = placeholder.and_then(|name| values.iter().find(|(known, _)| *known == name));
            text.push_str(value.map_or("", |(_, value)| value));
        }
        Some(text)
    }

    /// Reads the table over what the extended policy sets; `false` removes a word.
    pub(super) fn read(&mut self, value: Value<'_>, diagnostics: &mut Diagnostics) {
        let Some(table) = value.table(diagnostics) else { return };
        for (key, value) in table.entries() {
            let Ok(word) = key.name.parse::<Word>() else {
                diagnostics.unknown_key(&key, &names());
                continue;
            };
            let inherited = self.0.remove(&word);
            match value.as_bool() {
                Some(false) if inherited.is_some() => {}
                Some(false) => {
                    let message = format!("the extended policy has no `{}`", key.name);
                    diagnostics.at("no-effect", value.span(), message, "delete this key");
                }
                _ => self.set(word, value, diagnostics),
            }
        }
        let joined = self.get(Word::Requests).is_some() && self.get(Word::DeprecatedRequests).is_none();
        if let (true, Some((key, _))) = (joined, table.get(Word::Requests.as_str())) {
            let message = "`requests` has no effect without `deprecated-requests`, the gauge that it is joined with";
            diagnostics.at(
                "no-effect",
                key.span,
                message,
                "set `deprecated-requests`, or delete this key",
            );
        }
    }

    fn set(&mut self, word: Word, value: Value<'_>, diagnostics: &mut Diagnostics) {
        let Some(said) = value.word(diagnostics) else { return };
        if said.text.trim().is_empty() {
            let help = format!("write a text, or `{} = false` for none", word.as_str());
            diagnostics.at("empty", said.span, format!("`{}` is empty", word.as_str()), help);
            return;
        }
        for name in pieces(said.text).filter_map(|(_, placeholder)| placeholder) {
            if !word.placeholders().contains(&name) {
                let message = format!("`{}` has no placeholder `{{{name}}}`", word.as_str());
                diagnostics.at("unknown-value", said.span, message, placeholders_of(word));
            }
        }
        self.0.insert(word, said.text.to_owned());
    }
}

/// The names of all words.
pub(super) fn names() -> Vec<&'static str> {
    let words = <Word as strum::VariantArray>::VARIANTS.iter();
    words.map(|word| word.as_str()).collect()
}

fn placeholders_of(word: Word) -> String {
    let known: Vec<String> = word.placeholders().iter().map(|name| format!("`{{{name}}}`")).collect();
    match known.as_slice() {
        [] => "it has no placeholders: write it without braces".to_owned(),
        known => format!("its placeholders are {}", known.join(", ")),
    }
}

/// A text cut at its placeholders: what stands before each, and its name; last what stands after all of them.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let found = text
            .split_once('{')
            .and_then(|(before, after)| Some((before, after.split_once('}')?)));
        let Some((before, (name, after))) = found else {
            return Some((text, None));
        };
        rest = Some(after);
        Some((before, Some(name)))
    })
}
