//! Which fields rules name.

use std::collections::BTreeSet;

use super::distinct::is_written_alike;

/// The words of some rules. Names of fields that rules write in another way are taken for named.
#[derive(Debug)]
pub(super) struct Words<'r>(BTreeSet<&'r str>);

impl<'r> Words<'r> {
    pub(super) fn of(rules: impl IntoIterator<Item = &'r str>) -> Self {
        let words = rules
            .into_iter()
            .flat_map(|rule| rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        Self(words.filter(|word| !word.is_empty()).collect())
    }

    /// Whether the rules may name a field.
    pub(super) fn may_name(&self, field: &str) -> bool {
        !is_written_alike(field) || self.0.contains(field)
    }

    /// Whether the rules may name one of some fields.
    pub(super) fn may_name_any(&self, fields: &BTreeSet<String>) -> bool {
        fields.iter().any(|field| self.may_name(field))
    }
}
