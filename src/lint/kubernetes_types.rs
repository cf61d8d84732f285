//! Types of Kubernetes itself, which a project that uses them cannot change.

use crate::schema::Schema;

/// The fields that identify a type. It has all of them.
const SIGNATURES: &[&[&str]] = &[
    // PodSpec
    &["containers", "initContainers", "restartPolicy"],
    // Container, EphemeralContainer
    &["image", "command", "args", "env", "volumeMounts"],
    // Affinity and its parts
    &["nodeAffinity", "podAffinity"],
    &["requiredDuringSchedulingIgnoredDuringExecution"],
    // Toleration
    &["key", "operator", "tolerationSeconds"],
    // TopologySpreadConstraint
    &["maxSkew", "topologyKey", "whenUnsatisfiable"],
    // LabelSelector, NodeSelectorTerm
    &["matchExpressions", "matchLabels"],
    &["matchExpressions", "matchFields"],
    // ResourceRequirements
    &["limits", "requests"],
    // Volume, PersistentVolumeSource
    &["configMap", "emptyDir", "hostPath", "nfs"],
    // VolumeMount
    &["mountPath", "name", "subPath"],
    // EnvVar and its source
    &["name", "value", "valueFrom"],
    &["configMapKeyRef", "fieldRef", "secretKeyRef"],
    // SecretKeySelector, ConfigMapKeySelector
    &["key", "name", "optional"],
    // PodSecurityContext, SecurityContext
    &["runAsUser", "runAsNonRoot", "seLinuxOptions"],
    // Probe, Lifecycle
    &["exec", "httpGet", "tcpSocket"],
    // PersistentVolumeClaimSpec and its status
    &["accessModes", "storageClassName", "volumeName"],
    &["accessModes", "capacity", "phase"],
    // ObjectReference
    &["fieldPath", "resourceVersion", "uid"],
    // HostAlias
    &["hostnames", "ip"],
    // PodDNSConfig
    &["nameservers", "options", "searches"],
    // JSONSchemaProps
    &["additionalProperties", "allOf", "anyOf", "patternProperties"],
];

/// Whether a schema is that of a type of Kubernetes itself.
pub(super) fn is_kubernetes_type(schema: &Schema) -> bool {
    let fields = &schema.properties;
    let mut signatures = SIGNATURES.iter();
    fields.len() > 1 && signatures.any(|signature| signature.iter().all(|field| fields.contains_key(*field)))
}
