//! Keywords of a value itself: its default, its enum, its bounds, its pattern and its format.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::format::is_read_as_text;
use crate::schema::node::Schema;

use super::bounds::filled;
use super::folded::Folding;
use super::listed::{all_match, kept_values};
use super::shape::formats;
use super::{Comparison, normal, patterns};

impl Comparison {
    /// Keywords of the value itself.
    pub(super) fn value(&mut self, old: &Schema, new: &Schema, shape: &str) {
        self.toggle(
            [old.nullable, new.nullable],
            [Kind::NullableAdded, Kind::NullableRemoved],
        );
        if old.default.as_ref().map(normal::word) != new.default.as_ref().map(normal::word) {
            let kind = match (&old.default, &new.default) {
                (None, _) => Kind::DefaultAdded,
                (_, None) => Kind::DefaultRemoved,
                _ => Kind::DefaultChanged,
            };
            self.between(kind, Effect::Unclear, [old.default.clone(), new.default.clone()]);
        }
        let most = (self.most_fields([old, new]), filled(old, new));
        let folding = Folding::of([old, new]);
        let [old, new] = [old, new].map(|schema| folding.folded(schema));
        self.enumeration(&old, &new, shape);
        self.bounds([&old, &new], shape, most);
        let first = self.changes.len();
        self.pattern(old.pattern.as_deref(), new.pattern.as_deref());
        self.where_listed(first, &old, &new);
        let [before, after] = [&old, &new].map(|schema| schema.format.as_deref());
        let effect = match formats(before, after, shape) {
            // A rule may ask for something else.
            Effect::Wider if is_read_as_text(before) != is_read_as_text(after) && !new.rules.is_empty() => {
                Effect::Unclear
            }
            effect => effect,
        };
        self.texts(Kind::FormatChanged, effect, [before, after]);
    }

    fn enumeration(&mut self, old: &Schema, new: &Schema, shape: &str) {
        // A boolean has no other values.
        let demanded = [old, new].map(|schema| match &schema.values {
            Some(values) if shape != "boolean" || !both(values) => Some(by_word(values)),
            _ => None,
        });
        match demanded {
            [None, None] => {
                let written = [old, new].map(|schema| schema.values.as_deref().map(by_word).map(listed));
                if written[0] != written[1] {
                    self.add(Kind::Restated, Effect::Same, Some("enum"), written);
                }
            }
            [None, Some(after)] => self.between(Kind::EnumAdded, Effect::Narrower, [None, Some(listed(after))]),
            [Some(before), None] => self.between(Kind::EnumRemoved, Effect::Wider, [Some(listed(before)), None]),
            [Some(before), Some(after)] => self.enum_values(&before, &after),
        }
    }

    fn enum_values(&mut self, old: &BTreeMap<String, Json>, new: &BTreeMap<String, Json>) {
        for (word, value) in old.iter().filter(|(word, _)| !new.contains_key(*word)) {
            let subject = value.as_str().unwrap_or(word);
            let values = [Some(value.clone()), None];
            self.add(Kind::EnumValueRemoved, Effect::Narrower, Some(subject), values);
        }
        for (word, value) in new.iter().filter(|(word, _)| !old.contains_key(*word)) {
            let subject = value.as_str().unwrap_or(word);
            let values = [None, Some(value.clone())];
            self.add(Kind::EnumValueAdded, Effect::Wider, Some(subject), values);
        }
    }

    fn pattern(&mut self, old: Option<&str>, new: Option<&str>) {
        if old == new {
            return;
        }
        let (kind, compared) = match (patterns::demands(old), patterns::demands(new)) {
            (false, false) => (Kind::Restated, Effect::Same.into()),
            (false, true) => (Kind::PatternAdded, Effect::Narrower.into()),
            (true, false) => (Kind::PatternRemoved, Effect::Wider.into()),
            (true, true) => {
                let compared = self.steps.patterns.compared(old, new);
                let kind = if compared.effect == Effect::Same {
                    Kind::Restated
                } else {
                    Kind::PatternChanged
                };
                (kind, compared)
            }
        };
        self.add(kind, compared.effect, Some("pattern"), [old, new]);
        if let Some(last) = self.changes.last_mut() {
            last.breaks_lines_only = compared.breaks_lines_only;
        }
    }

    /// Corrects the effect of a pattern that all values of the old enum match.
    fn where_listed(&mut self, first: usize, old: &Schema, new: &Schema) {
        let Some((change, pattern)) = self.changes.get_mut(first).zip(new.pattern.as_deref()) else {
            return;
        };
        let steps = &mut self.steps;
        if change.effect > Effect::Wider
            && let Some(values) = kept_values(old, new)
            && steps.count(|left| all_match(&values, pattern, left))
        {
            (change.kind, change.effect, change.breaks_lines_only) = (Kind::Restated, Effect::Same, false);
        }
    }
}

/// Whether `true` and `false` are among values.
fn both(values: &[Json]) -> bool {
    [true, false].iter().all(|value| values.contains(&Json::Bool(*value)))
}

/// Values by their normal form.
fn by_word(values: &[Json]) -> BTreeMap<String, Json> {
    values
        .iter()
        .map(|value| (normal::word(value), value.clone()))
        .collect()
}

fn listed(values: BTreeMap<String, Json>) -> Json {
    values.into_values().collect()
}
