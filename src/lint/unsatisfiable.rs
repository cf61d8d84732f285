//! Schemas that no value can satisfy.

use crate::diagnostic::Severity;
use crate::schema::{Additional, Bound, Schema};

use super::node::Node;
use super::{Check, Problems};

pub(super) const CHECK: Check = Check {
    slug: "crd-unsatisfiable",
    title: "No value can satisfy the schema.",
    page: include_str!("unsatisfiable.md"),
    codes: &[("bounds", Severity::Off), ("required", Severity::Off)],
    opt_in: true,
    run: Some(check),
};

/// Lower bounds, each with its upper bound.
const BOUNDS: [(Bound, Bound); 4] = [
    (Bound::Minimum, Bound::Maximum),
    (Bound::MinLength, Bound::MaxLength),
    (Bound::MinItems, Bound::MaxItems),
    (Bound::MinProperties, Bound::MaxProperties),
];

fn check(node: &Node<'_>, problems: &mut Problems) {
    let (schema, path) = (node.schema, node.words());
    for (lower, upper) in BOUNDS {
        let [least, most] = [lower, upper].map(|bound| schema.bounds.get(&bound));
        let Some((least, most)) = least.zip(most) else { continue };
        let is_above = least
            .as_f64()
            .zip(most.as_f64())
            .is_some_and(|(least, most)| least > most);
        if is_above {
            let [lower, upper]: [&str; 2] = [lower, upper].map(Into::into);
            problems.add(
                "bounds",
                format!("no value of {path} is valid: `{lower}` {least} is above `{upper}` {most}"),
                "correct the bounds",
            );
        }
    }
    if schema.properties.is_empty() || !drops_unlisted(schema) || node.definition.preserves_unknown {
        return;
    }
    let listed = schema.properties.len();
    let least = schema.bounds.get(&Bound::MinProperties);
    if let Some(least) = least
        && least.as_u64() > Some(listed as u64)
    {
        problems.add(
            "bounds",
            format!("no value of {path} is valid: `minProperties` is {least}, and it can have {listed} fields"),
            "correct the bounds",
        );
    }
    for field in schema
        .required
        .iter()
        .filter(|field| !schema.properties.contains_key(*field))
    {
        problems.add(
            "required",
            format!(
                "{path} requires `{field}`, which its schema does not list: servers drop it, so that none is valid"
            ),
            format!("list `{field}` in `properties`, or remove it from `required`"),
        );
    }
}

/// Whether servers drop the fields that a schema does not list.
fn drops_unlisted(schema: &Schema) -> bool {
    let keeps = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"];
    let keeps = keeps.iter().any(|flag| schema.says(flag));
    !keeps && matches!(schema.additional, None | Some(Additional::Allowed(false)))
}
