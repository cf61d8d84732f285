//! What an alternative demands of a field, and the schema around it demands of that field always: it decides nothing
//! between alternatives.

use crate::schema::node::Schema;

use super::normal;

const ALL: &str = "allOf";

/// An alternative without the members of `allOf` that `whole`, the schema it is an alternative of, demands too.
pub(super) fn without_met(alternative: &Schema, whole: &Schema) -> Schema {
    let mut left = alternative.clone();
    for members in left.logic.values_mut() {
        for member in members {
            *member = without_met(member, whole);
        }
    }
    for (name, field) in &mut left.properties {
        if let Some(demanded) = whole.properties.get(name) {
            *field.schema = of_field(&field.schema, &demanded.schema);
        }
    }
    left
}

fn of_field(part: &Schema, demanded: &Schema) -> Schema {
    let mut left = without_met(part, demanded);
    let met = demanded.logic.get(ALL).into_iter().flatten().map(normal::schema);
    let met: Vec<String> = met.collect();
    if let Some(members) = left.logic.get_mut(ALL) {
        members.retain(|member| !met.contains(&normal::schema(member)));
        if members.is_empty() {
            left.logic.remove(ALL);
        }
    }
    left
}
