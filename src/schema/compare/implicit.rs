//! Fields that objects have though a schema does not list them: `apiVersion`, `kind` and `metadata`.

use crate::schema::node::{Additional, Property, Schema};
use crate::schema::path::OF_EVERY_OBJECT;

use super::Comparison;

impl Comparison {
    /// The fields that objects have at the current path though the old schema may not list them. The metadata of whole
    /// objects is judged by itself.
    pub(super) fn implicit_fields(&self, old: &Schema) -> &'static [&'static str] {
        let [of_type @ .., _] = &OF_EVERY_OBJECT;
        if old.says("x-kubernetes-embedded-resource") {
            &OF_EVERY_OBJECT
        } else if self.path.is_empty() && self.version.is_some() {
            of_type
        } else {
            &[]
        }
    }

    /// What the schema of such a field demands that is listed now.
    pub(super) fn listed_at_last(&mut self, schema: &Schema) {
        self.node(&unconstrained(schema), schema);
    }
}

/// The schema without what it demands of the values of its types.
fn unconstrained(schema: &Schema) -> Schema {
    let properties = schema.properties.iter().map(|(name, field)| {
        let schema = Box::new(unconstrained(&field.schema));
        let place = field.place;
        (name.clone(), Property { place, schema })
    });
    Schema {
        kind: schema.kind.clone(),
        format: schema.format.clone(),
        description: schema.description.clone(),
        nullable: schema.nullable,
        default: schema.default.clone(),
        properties: properties.collect(),
        items: schema.items.as_deref().map(|items| Box::new(unconstrained(items))),
        additional: schema.additional.as_ref().map(|additional| match additional {
            Additional::Of(values) => Additional::Of(Box::new(unconstrained(values))),
            Additional::Allowed(allowed) => Additional::Allowed(*allowed),
        }),
        flags: schema.flags.clone(),
        merging: schema.merging.clone(),
        keys: schema.keys.clone(),
        ..Schema::default()
    }
}
