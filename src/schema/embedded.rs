//! Types of Kubernetes itself within other schemas, such as the template of a pod, recognized by the names of their
//! fields.
//!
//! A project that embeds such a type cannot change it: it follows the version of `k8s.io/api` that the project uses.

use std::sync::LazyLock;

use super::node::Schema;

/// A type, by its fields.
struct Shape {
    name: &'static str,
    /// The fields that only this type has together.
    distinctive: Vec<&'static str>,
    /// Its other fields, in all releases.
    others: Vec<&'static str>,
}

/// The types: on each line a name, its distinctive fields, and its others.
static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let lines = include_str!("embedded.txt").lines();
    lines.filter_map(Shape::parse).collect()
});

impl Shape {
    fn parse(line: &'static str) -> Option<Self> {
        let (name, fields) = line.split_once(": ")?;
        let (distinctive, others) = fields.split_once('|')?;
        let [distinctive, others] = [distinctive, others].map(|names| names.split_whitespace().collect());
        Some(Self {
            name,
            distinctive,
            others,
        })
    }

    /// Whether a schema has the distinctive fields, and few that the type lacks: those of a later release.
    fn fits(&self, schema: &Schema) -> bool {
        let fields = &schema.properties;
        if !self.distinctive.iter().all(|field| fields.contains_key(*field)) {
            return false;
        }
        let known = fields.keys().filter(|field| {
            let mut all = self.distinctive.iter().chain(&self.others);
            all.any(|known| known == field)
        });
        known.count() * 5 >= fields.len() * 4
    }
}

/// The API version that a type is of.
pub(crate) fn api_version(name: &str) -> &'static str {
    match name {
        "HPAScalingRules" | "HorizontalPodAutoscalerBehavior" | "MetricSpec" => "autoscaling/v2",
        "DeploymentStrategy" | "RollingUpdateDeployment" => "apps/v1",
        "JSONSchemaProps" => "apiextensions.k8s.io/v1",
        "LabelSelector" | "LabelSelectorRequirement" | "ObjectMeta" => "meta/v1",
        "NetworkPolicyPeer" => "networking.k8s.io/v1",
        "PolicyRule" => "rbac.authorization.k8s.io/v1",
        _ => "core/v1",
    }
}

/// The name of the type of Kubernetes that a schema describes, such as `Container`; `None` for types of the project.
///
/// Types inside it are embedded too. Small ones that occur elsewhere by chance are recognized by their marks only:
/// `{name}` is a `LocalObjectReference` if it is an atomic map, or describes the name as Kubernetes does.
pub(crate) fn embedded_type(schema: &Schema) -> Option<&'static str> {
    if schema.properties.is_empty() {
        return None;
    }
    let shape = SHAPES.iter().find(|shape| shape.fits(schema)).map(|shape| shape.name);
    shape.or_else(|| reference(schema)).or_else(|| object(schema))
}

fn reference(schema: &Schema) -> Option<&'static str> {
    let fields: Vec<&str> = schema.properties.keys().map(String::as_str).collect();
    let name = match fields.as_slice() {
        ["name"] => "LocalObjectReference",
        ["name", "namespace"] => "SecretReference",
        ["key", "name"] => "SecretKeySelector",
        ["apiGroup", "kind", "name"] => "TypedLocalObjectReference",
        ["name", "optional"] => "SecretEnvSource",
        _ => return None,
    };
    let described = schema.properties.get("name")?.schema.description.as_deref();
    let as_kubernetes = described.is_some_and(|text| text.starts_with("Name of the referent."));
    let is_atomic = schema.map_type() == Some("atomic");
    (is_atomic || as_kubernetes).then_some(name)
}

/// An object around the specification of another type: the template of a pod, or of a claim.
fn object(schema: &Schema) -> Option<&'static str> {
    const OF_OBJECTS: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
    let spec = schema.properties.get("spec")?;
    let only_these = schema
        .properties
        .keys()
        .all(|field| OF_OBJECTS.contains(&field.as_str()));
    match embedded_type(&spec.schema) {
        Some("PodSpec") if only_these => Some("PodTemplateSpec"),
        Some("PersistentVolumeClaimSpec") if only_these => Some("PersistentVolumeClaim"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(json: &str) -> Schema {
        serde_json::from_str(json).unwrap()
    }

    fn of_fields(names: &str) -> Schema {
        let fields: Vec<String> = names.split(' ').map(|name| format!("\"{name}\": {{}}")).collect();
        schema(&format!("{{\"properties\": {{{}}}}}", fields.join(", ")))
    }

    #[test]
    fn types_are_recognized_by_their_fields() {
        let cases = [
            ("args command env image name volumeMounts", Some("Container")),
            ("limits requests", Some("ResourceRequirements")),
            ("effect key operator tolerationSeconds value", Some("Toleration")),
            ("name value valueFrom", Some("EnvVar")),
            // A field of a later release does not hide the type, but fields of the project's own do.
            (
                "args command env image inLaterReleases name volumeMounts",
                Some("Container"),
            ),
            ("limits policy requests", None),
            ("image replicas", None),
            ("name", None),
        ];
        for (fields, name) in cases {
            assert_eq!(embedded_type(&of_fields(fields)), name, "{fields}");
        }
    }

    #[test]
    fn references_are_recognized_by_their_marks() {
        let atomic = r#"{"properties": {"name": {}}, "x-kubernetes-map-type": "atomic"}"#;
        assert_eq!(embedded_type(&schema(atomic)), Some("LocalObjectReference"));
        let described = r#"{"properties": {"name": {"description": "Name of the referent. More info: …"}}}"#;
        assert_eq!(embedded_type(&schema(described)), Some("LocalObjectReference"));
        let own = r#"{"properties": {"name": {"description": "The name of the bucket."}}}"#;
        assert_eq!(embedded_type(&schema(own)), None);
    }

    #[test]
    fn an_object_around_a_specification_is_its_template() {
        let template = r#"{"properties": {"metadata": {}, "spec": {"properties": {
            "containers": {}, "restartPolicy": {}, "terminationGracePeriodSeconds": {}}}}}"#;
        assert_eq!(embedded_type(&schema(template)), Some("PodTemplateSpec"));
        let own = r#"{"properties": {"metadata": {}, "spec": {"properties": {"size": {}}}}}"#;
        assert_eq!(embedded_type(&schema(own)), None);
    }

    #[test]
    fn every_line_of_the_table_is_a_type() {
        assert_eq!(SHAPES.len(), include_str!("embedded.txt").lines().count());
        assert!(SHAPES.iter().all(|shape| !shape.distinctive.is_empty()));
    }
}
