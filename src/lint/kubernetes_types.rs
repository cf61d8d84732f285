//! Types of Kubernetes itself, which a project that uses them cannot change.

use crate::schema::Schema;

/// The fields that identify a type. It has all of them.
const SIGNATURES: &[&[&str]] = &[
    &["containers", "initContainers", "restartPolicy"],   // PodSpec
    &["image", "command", "args", "env", "volumeMounts"], // Container, EphemeralContainer
    &["nodeAffinity", "podAffinity"],                     // Affinity and its parts
    &["requiredDuringSchedulingIgnoredDuringExecution"],
    &["key", "operator", "tolerationSeconds"],        // Toleration
    &["maxSkew", "topologyKey", "whenUnsatisfiable"], // TopologySpreadConstraint
    &["matchExpressions", "matchLabels"],             // LabelSelector, NodeSelectorTerm
    &["matchExpressions", "matchFields"],
    &["limits", "requests"],                       // ResourceRequirements
    &["configMap", "emptyDir", "hostPath", "nfs"], // Volume, PersistentVolumeSource
    &["mountPath", "name", "subPath"],             // VolumeMount
    &["name", "value", "valueFrom"],               // EnvVar and its source
    &["configMapKeyRef", "fieldRef", "secretKeyRef"],
    &["key", "name", "optional"], // SecretKeySelector, ConfigMapKeySelector
    &["runAsUser", "runAsNonRoot", "seLinuxOptions"], // PodSecurityContext, SecurityContext
    &["exec", "httpGet", "tcpSocket"], // Probe, Lifecycle
    &["accessModes", "storageClassName", "volumeName"], // PersistentVolumeClaimSpec and its status
    &["accessModes", "capacity", "phase"],
    &["fieldPath", "resourceVersion", "uid"], // ObjectReference
    &["hostnames", "ip"],                     // HostAlias
    &["nameservers", "options", "searches"],  // PodDNSConfig
    &["additionalProperties", "allOf", "anyOf", "patternProperties"], // JSONSchemaProps
];

/// Whether a schema is that of a type of Kubernetes itself.
pub(super) fn is_kubernetes_type(schema: &Schema) -> bool {
    let fields = &schema.properties;
    let mut signatures = SIGNATURES.iter();
    fields.len() > 1 && signatures.any(|signature| signature.iter().all(|field| fields.contains_key(*field)))
}
