//! Types that are Kubernetes' own: a project that uses one takes it as it is.

use crate::schema::Schema;

/// Fields by which a type is known. All have to be there.
const SIGNS: &[&[&str]] = &[
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

/// Whether a schema is that of a type of Kubernetes.
pub(super) fn is_borrowed(schema: &Schema) -> bool {
    let has = |sign: &&&[&str]| sign.iter().all(|field| schema.properties.contains_key(*field));
    schema.properties.len() > 1 && SIGNS.iter().any(|sign| has(&sign))
}
