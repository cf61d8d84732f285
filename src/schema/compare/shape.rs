//! Types and formats, and what a change of one does to the set of valid values.

use crate::schema::change::Effect;
use crate::schema::format;
use crate::schema::node::Schema;

/// The keyword that keeps unlisted fields.
pub(in crate::schema) const KEPT: &str = "x-kubernetes-preserve-unknown-fields";

/// The type, also of a schema without `type`.
pub(in crate::schema) fn shape(schema: &Schema) -> &str {
    if schema.says("x-kubernetes-int-or-string") {
        return "int-or-string";
    }
    schema.kind.as_deref().unwrap_or("any")
}

/// The type in messages; of a reference, the last word of the name.
pub(super) fn type_of(schema: &Schema) -> &str {
    match &schema.reference {
        Some(name) => name.rsplit('.').next().unwrap_or(name),
        None => shape(schema),
    }
}

/// The effect of a type change.
pub(super) fn between(old: &str, new: &str) -> Effect {
    match (old == new, contains(new, old), contains(old, new)) {
        (true, _, _) => Effect::Same,
        (_, true, _) => Effect::Wider,
        (_, _, true) => Effect::Narrower,
        _ => Effect::Unclear,
    }
}

/// Whether all values of one type are of another one.
pub(in crate::schema) fn contains(more: &str, less: &str) -> bool {
    more == less
        || more == "any"
        || matches!(
            (more, less),
            ("number", "integer") | ("int-or-string", "integer" | "string")
        )
}

/// The effect of a format change.
pub(super) fn formats(old: Option<&str>, new: Option<&str>, shape: &str) -> Effect {
    /// The size of a number format.
    fn room(format: Option<&str>, shape: &str) -> Option<u8> {
        match (format, shape) {
            // Integers have 64 bits in Kubernetes, other numbers are doubles.
            (Some("int64") | None, "integer") | (Some("double") | None, "number") => Some(2),
            (Some("int32"), "integer") | (Some("float"), "number") => Some(1),
            _ => None,
        }
    }
    if let (Some(before), Some(after)) = (room(old, shape), room(new, shape)) {
        return Effect::of_room(before.cmp(&after));
    }
    // A format that servers do not check is the same as none.
    match [old, new].map(|format| format::checked(format?, shape)) {
        [old, new] if old == new => Effect::Same,
        [Some(_), None] => Effect::Wider,
        [None, Some(_)] => Effect::Narrower,
        _ => Effect::Unclear,
    }
}
