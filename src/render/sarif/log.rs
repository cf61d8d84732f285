//! The objects of SARIF 2.1.0 that are written, with the names of the format where they are clear.

use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log<'r> {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'r> {
    pub tool: Tool<'r>,
    pub column_kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invocations: Vec<Invocation>,
    pub results: Vec<Finding<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<RunProperties<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunProperties<'r> {
    pub judged_against: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message<String>,
}

/// A message, and the content of a replacement: text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Message<T> {
    pub text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool<'r> {
    pub driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'r> {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub information_uri: Option<&'static str>,
    pub rules: Vec<Rule<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule<'r> {
    pub id: &'r str,
    pub name: String,
    pub short_description: Message<&'r str>,
    pub full_description: Message<&'r str>,
    pub help: Help<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<RuleProperties<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Help<'r> {
    pub text: &'r str,
    pub markdown: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleProperties<'r> {
    pub number: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding<'r> {
    pub rule_id: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub level: &'static str,
    pub message: Message<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location<'r>>,
    pub partial_fingerprints: Fingerprints<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressions: Option<Vec<Suppression>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Fix<'r>>,
    pub properties: FindingProperties<'r>,
}

/// The name of a fingerprint ends in the version of how it is made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fingerprints<'r> {
    #[serde(rename = "lifecycleFinding/v1")]
    pub lifecycle_finding: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FindingProperties<'r> {
    pub code: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earliest: Option<&'r str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Suppression {
    pub kind: &'static str,
    pub justification: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    #[serde(rename = "physicalLocation", skip_serializing_if = "Option::is_none")]
    pub physical: Option<PhysicalLocation>,
    #[serde(rename = "logicalLocations", skip_serializing_if = "Vec::is_empty")]
    pub logical: Vec<LogicalLocation<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message<&'r str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation<'r> {
    pub fully_qualified_name: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fix<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Message<&'r str>>,
    pub artifact_changes: Vec<ArtifactChange<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'r> {
    pub artifact_location: ArtifactLocation,
    pub replacements: Vec<Replacement<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'r> {
    pub deleted_region: Region,
    pub inserted_content: Message<&'r str>,
}

impl Region {
    /// The start of a file.
    pub fn of(place: &crate::source::Region) -> Self {
        Self {
            start_line: place.start.line,
            start_column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column,
        }
    }

    pub const START: Self = Self {
        start_line: 1,
        start_column: 1,
        end_line: 1,
        end_column: 1,
    };
}
