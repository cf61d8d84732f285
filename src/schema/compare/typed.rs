//! Alternatives of different types: the type of a value leaves one that it can match.

use std::collections::BTreeSet;

use crate::schema::node::Schema;

use super::shape::{contains, shape};

/// What a schema of nothing but alternatives demands of the values of one type.
pub(super) struct OfType {
    /// The alternative that these values have to match.
    pub(super) demanded: Schema,
    /// The types of all alternatives: `array or object`.
    pub(super) types: String,
}

/// The alternative of `oneOf` or `anyOf` for the values of a type; `None` if the schema demands more, or if values of
/// this type can match another alternative or none.
pub(super) fn of_type(schema: &Schema, kind: &str) -> Option<OfType> {
    let mut combined = schema.logic.iter();
    let (Some((keyword, members)), None) = (combined.next(), combined.next()) else {
        return None;
    };
    if !["oneOf", "anyOf"].contains(keyword) {
        return None;
    }
    let alternatives_alone = Schema {
        description: schema.description.clone(),
        default: schema.default.clone(),
        logic: schema.logic.clone(),
        ..Schema::default()
    };
    if *schema != alternatives_alone {
        return None;
    }
    let types: BTreeSet<&str> = members.iter().map(shape).collect();
    let mut possible = members
        .iter()
        .filter(|member| contains(shape(member), kind) || contains(kind, shape(member)));
    let (Some(only), None) = (possible.next(), possible.next()) else {
        return None;
    };
    contains(shape(only), kind).then(|| OfType {
        demanded: Schema {
            description: schema.description.clone(),
            default: schema.default.clone(),
            ..only.clone()
        },
        types: types.into_iter().collect::<Vec<_>>().join(" or "),
    })
}
