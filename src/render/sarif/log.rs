//! The objects of SARIF 2.1.0 that are written, with the names of the format where they are clear.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log<'r, R> {
    #[serde(rename = "$schema")]
    pub(crate) schema: &'static str,
    pub(crate) version: &'static str,
    pub(crate) runs: [Run<'r, R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'r, R> {
    pub(crate) tool: Tool<'r>,
    pub(crate) column_kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) invocations: Vec<Invocation>,
    pub(crate) results: R,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<RunProperties<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunProperties<'r> {
    pub(crate) judged_against: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(crate) execution_successful: bool,
    pub(crate) tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notification {
    pub(crate) level: &'static str,
    pub(crate) message: Message<String>,
}

/// A message, and the content of a replacement: text.
#[derive(Serialize)]
pub(super) struct Message<T> {
    pub(crate) text: T,
}

#[derive(Serialize)]
pub(super) struct Tool<'r> {
    pub(crate) driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'r> {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) information_uri: Option<&'static str>,
    pub(crate) rules: Vec<Rule<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule<'r> {
    pub(crate) id: &'r str,
    pub(crate) name: String,
    pub(crate) short_description: Message<&'r str>,
    pub(crate) full_description: Message<&'r str>,
    pub(crate) help: Help<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<RuleProperties<'r>>,
}

#[derive(Serialize)]
pub(super) struct Help<'r> {
    pub(crate) text: &'r str,
    pub(crate) markdown: &'r str,
}

#[derive(Serialize)]
pub(super) struct RuleProperties<'r> {
    pub(crate) number: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding<'r> {
    pub(crate) rule_id: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule_index: Option<usize>,
    pub(crate) level: &'static str,
    pub(crate) message: Message<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) locations: Vec<Location<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) related_locations: Vec<Location<'r>>,
    pub(crate) partial_fingerprints: Fingerprints<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) suppressions: Option<Vec<Suppression>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) fixes: Vec<Fix<'r>>,
    pub(crate) properties: FindingProperties<'r>,
}

/// The name of a fingerprint ends in the version of how it is made.
#[derive(Serialize)]
pub(super) struct Fingerprints<'r> {
    #[serde(rename = "lifecycleFinding/v1")]
    pub(crate) lifecycle_finding: &'r str,
}

#[derive(Serialize)]
pub(super) struct FindingProperties<'r> {
    pub(crate) code: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) because: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) earliest: Option<&'r str>,
}

#[derive(Serialize)]
pub(super) struct Suppression {
    pub(crate) kind: &'static str,
    pub(crate) justification: &'static str,
}

#[derive(Serialize)]
pub(super) struct Location<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<usize>,
    #[serde(rename = "physicalLocation", skip_serializing_if = "Option::is_none")]
    pub(crate) physical: Option<PhysicalLocation>,
    #[serde(rename = "logicalLocations", skip_serializing_if = "Vec::is_empty")]
    pub(crate) logical: Vec<LogicalLocation<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<Message<&'r str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation<'r> {
    pub(crate) fully_qualified_name: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(crate) artifact_location: ArtifactLocation,
    pub(crate) region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(crate) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(crate) start_line: u32,
    pub(crate) start_column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<Message<&'r str>>,
    pub(crate) artifact_changes: Vec<ArtifactChange<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'r> {
    pub(crate) artifact_location: ArtifactLocation,
    pub(crate) replacements: Vec<Replacement<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'r> {
    pub(crate) deleted_region: Region,
    pub(crate) inserted_content: Message<&'r str>,
}

impl Region {
    pub(crate) fn of(place: &crate::source::Region) -> Self {
        Self {
            start_line: place.start.line,
            start_column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column,
        }
    }

    /// The start of a file.
    pub(crate) const START: Self = Self {
        start_line: 1,
        start_column: 1,
        end_line: 1,
        end_column: 1,
    };
}
