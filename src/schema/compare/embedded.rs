//! Changes within types of Kubernetes that a CRD embeds.
//!
//! A project that builds with a later `k8s.io/api` takes over what Kubernetes changed there: all these changes have one
//! cause, in each field of such a type.

use crate::schema::change::{Change, ChangeKind as Kind};
use crate::schema::embedded::embedded_type;
use crate::schema::node::Schema;

use super::Comparison;

impl Comparison {
    /// Marks the changes from a position on that are within a type of Kubernetes, if both schemas are of one. What is
    /// around a type overrides what is within.
    pub(super) fn mark_embedded(&mut self, first: usize, old: &Schema, new: &Schema) {
        // The root is the project's own, and OpenAPI documents have no versions: their types refer to each other.
        if self.path.is_empty() || self.version.is_none() || self.changes.len() <= first {
            return;
        }
        let Some(name) = embedded_type(new).filter(|name| embedded_type(old) == Some(*name)) else {
            return;
        };
        let path = self.path.as_str();
        let found = self.changes.iter_mut().skip(first);
        for change in found.filter(|change| may_come_along(change, (name, path))) {
            // The other keywords of the field that has the type are the project's.
            if change.path != path || change.kind == Kind::MapTypeChanged {
                change.embedded = Some(name);
            }
        }
    }
}

/// The fields that Kubernetes removed, by type. It takes back only what was alpha, or had no effect.
const REMOVED: [(&str, &str); 8] = [
    ("ObjectMeta", ".clusterName"),
    ("PersistentVolumeClaimSpec", ".resources.claims"),
    ("PersistentVolumeClaimStatus", ".resizeStatus"),
    ("PodSpec", ".resourceClaims[].source"),
    ("ServiceSpec", ".ipFamily"),
    ("ServiceSpec", ".topologyKeys"),
    ("Volume", ".ephemeral.readOnly"),
    ("VolumeSource", ".ephemeral.readOnly"),
];

/// How generators write quantities, in turn.
const OF_QUANTITIES: [&str; 2] = ["int-or-string", "string"];

/// Whether a change can be one of a type in `k8s.io/api` at a path, which has neither bounds, enums nor rules: those
/// are a project's own. So are other types of fields, as Kubernetes changes none, and fields left out that it still
/// has.
fn may_come_along(change: &Change, (name, path): (&str, &str)) -> bool {
    match change.kind {
        Kind::FieldRemoved => {
            let field = change.path.strip_prefix(path);
            field.is_some_and(|field| REMOVED.contains(&(name, field)))
        }
        Kind::TypeChanged => {
            let mut types = [&change.old, &change.new].into_iter().flatten();
            types.all(|of| of.as_str().is_some_and(|of| OF_QUANTITIES.contains(&of)))
        }
        kind => matches!(
            kind,
            Kind::FieldAdded
                | Kind::RequiredFieldAdded
                | Kind::RequiredAdded
                | Kind::RequiredAddedWithDefault
                | Kind::RequiredRemoved
                | Kind::DefaultAdded
                | Kind::DefaultChanged
                | Kind::DefaultRemoved
                | Kind::FormatChanged
                | Kind::ListTypeChanged
                | Kind::ListKeysChanged
                | Kind::MapTypeChanged
                | Kind::DescriptionChanged
                | Kind::DocumentationChanged
        ),
    }
}
