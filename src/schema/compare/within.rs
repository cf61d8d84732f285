//! Whether all values that some alternatives accept are accepted by others, found by comparing one with one.

use std::collections::BTreeMap;

use crate::schema::change::Effect;
use crate::schema::node::Schema;

use super::steps::BYTES_OF_ALTERNATIVES;
use super::{Comparison, normal};

/// The members of a keyword, by their normal form.
type Members<'s> = BTreeMap<String, &'s Schema>;

impl Comparison {
    /// What a change of the members of a keyword does to the set of valid values, if neither schema is without them.
    pub(super) fn between_members(&mut self, keyword: &str, old: &Schema, new: &Schema) -> Effect {
        let [before, after] = [old, new].map(|schema| members(schema, keyword));
        let [is_wider, is_narrower] = match keyword {
            // One member accepts all that the others do.
            "anyOf" => [self.all_within(&before, &after), self.all_within(&after, &before)],
            "allOf" => [self.all_contain(&after, &before), self.all_contain(&before, &after)],
            "not" => [self.all_within(&after, &before), self.all_within(&before, &after)],
            // Of values that match a wider member, some match two.
            _ => [self.are_equal(&before, &after); 2],
        };
        match (is_wider, is_narrower) {
            (true, true) => Effect::Same,
            (true, false) => Effect::Wider,
            (false, true) => Effect::Narrower,
            (false, false) => Effect::Unclear,
        }
    }

    /// Whether each of some members is within one of others.
    fn all_within(&mut self, some: &Members<'_>, others: &Members<'_>) -> bool {
        some.iter()
            .all(|one| others.contains_key(one.0) || others.iter().any(|other| self.is_within(one, other)))
    }

    /// Whether each of some members contains one of others.
    fn all_contain(&mut self, some: &Members<'_>, others: &Members<'_>) -> bool {
        some.iter()
            .all(|one| others.contains_key(one.0) || others.iter().any(|other| self.is_within(other, one)))
    }

    /// Whether each member has one of its own on the other side that accepts the same values.
    fn are_equal(&mut self, some: &Members<'_>, others: &Members<'_>) -> bool {
        let mut left: Members<'_> = others.clone();
        let is_equal = some.iter().all(|one| {
            let mut others = left.iter();
            let equal =
                others.find(|other| one.0 == other.0 || self.is_within(one, *other) && self.is_within(*other, one));
            let equal = equal.map(|(text, _)| text.clone());
            equal.and_then(|equal| left.remove(&equal)).is_some()
        });
        is_equal && left.is_empty()
    }

    /// Whether all values that match one schema match another one; `false` if that cannot be told.
    pub(super) fn is_within(
        &mut self,
        (text, one): (&String, &&Schema),
        (other_text, other): (&String, &&Schema),
    ) -> bool {
        let steps = 1 + (text.len() + other_text.len()) / BYTES_OF_ALTERNATIVES;
        if !self.steps.take(steps) || !is_plain(one) || !is_plain(other) {
            return false;
        }
        let mut comparison = Self {
            path: self.path.clone(),
            // An alternative drops no field that it does not list.
            kept_unknown: [true; 2],
            ..Self::with(&mut self.steps)
        };
        comparison.node(one, other);
        self.steps = std::mem::take(&mut comparison.steps);
        let changes = comparison.finish();
        changes.is_ok_and(|changes| changes.iter().all(|change| change.effect <= Effect::Wider))
    }
}

fn members<'s>(schema: &'s Schema, keyword: &str) -> Members<'s> {
    let members = schema.logic.get(keyword).into_iter().flatten();
    members.map(|member| (normal::schema(member), member)).collect()
}

/// Whether a schema has only keywords that alternatives of CRDs may have: others mean something else there.
fn is_plain(schema: &Schema) -> bool {
    let Schema {
        reference: None,
        default: None,
        additional: None,
        keys: None,
        merging,
        rules,
        rest,
        ..
    } = schema
    else {
        return false;
    };
    let has_none = merging.is_empty() && rules.is_empty() && rest.is_empty();
    has_none && schema.parts().all(is_plain)
}
