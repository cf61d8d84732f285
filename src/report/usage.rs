//! Who uses what, as running systems saw it: the evidence file, which `lifecycle usage` writes and merges.

use serde::{Deserialize, Serialize};

use crate::release::Day;

/// What running systems saw of elements that are deprecated or to be removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Evidence {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION).
    pub schema_version: u32,
    /// What was read, by format and fingerprint. A content that is read twice counts once.
    pub sources: Vec<EvidenceSource>,
}

/// One content that was read: a log, a scrape, a result of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EvidenceSource {
    /// The file that it was read from.
    pub name: String,
    /// What it was read as.
    pub format: SourceFormat,
    /// A checksum (CRC-32) and the length of the uncompressed content: `crc32:1c291ca3:4096`.
    pub fingerprint: String,
    /// The part of all users that it can see: 1 for all of them.
    pub share: f64,
    /// The days that it covers.
    pub periods: Vec<Period>,
    /// How many lines or rows were read.
    pub lines: u64,
    /// How many of them could not be understood.
    pub lost: u64,
    /// The first of those.
    pub lost_at: Vec<LostLine>,
    /// The elements that it would show. One without usage was not used on these days.
    pub elements: Vec<String>,
    /// Who used them, by element, consumer and day.
    pub usage: Vec<Usage>,
}

/// What a source is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema, strum::VariantArray))]
#[non_exhaustive]
pub enum SourceFormat {
    /// The audit log of a Kubernetes API server.
    AuditLog,
    /// Metrics of a Kubernetes API server, or what Prometheus or Loki answers to a query.
    Metrics,
    /// What `oc get apirequestcounts` prints.
    RequestCounts,
    /// Rows with an element, a consumer and a count.
    Rows,
}

/// Days, both of which it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Period {
    /// The first day.
    #[cfg_attr(test, schemars(with = "String"))]
    pub from: Day,
    /// The last day.
    #[cfg_attr(test, schemars(with = "String"))]
    pub to: Day,
}

/// A line that could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LostLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it. Nothing of its text is quoted.
    pub reason: String,
}

/// Who uses something. What is not known is null.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Consumer {
    /// The user, or another name of who it is.
    pub user: Option<String>,
    /// The program: the first word of its user agent.
    pub agent: Option<String>,
    /// The namespace of the objects.
    pub namespace: Option<String>,
}

/// How often a consumer used an element on a day.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Usage {
    /// The id of the element.
    pub element: String,
    /// Who.
    pub consumer: Consumer,
    /// The day. What a counter has counted since its server started is spread over the days since then.
    #[cfg_attr(test, schemars(with = "String"))]
    pub day: Day,
    /// How often.
    pub count: u64,
    /// The first time on this day: `2026-01-30T12:00:00Z`.
    pub first_seen: Option<String>,
    /// The last time on this day.
    pub last_seen: Option<String>,
}

/// A consumer of an element, and how much it uses it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConsumerReport {
    /// Who.
    pub consumer: Consumer,
    /// In words: "ann (kubectl/v1.29.0) in shop: 12.5 a day since 2026-01-01, last on 2026-01-30".
    pub words: String,
    /// How often in all.
    pub count: u64,
    /// How often on each day for which there is evidence.
    pub per_day: f64,
    /// The first day or time.
    pub first_seen: String,
    /// The last day or time.
    pub last_seen: String,
}

impl SourceFormat {
    /// As evidence files write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Consumer {
    /// In words: "system:serviceaccount:shop:deployer (kubectl/v1.29.0) in shop".
    pub fn words(&self) -> String {
        let who = match (&self.user, &self.agent) {
            (Some(user), Some(agent)) => format!("{user} ({agent})"),
            (Some(one), None) | (None, Some(one)) => one.clone(),
            (None, None) => "unnamed clients".to_owned(),
        };
        match &self.namespace {
            Some(namespace) => format!("{who} in {namespace}"),
            None => who,
        }
    }
}
