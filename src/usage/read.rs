//! What a content is, by how it begins, and its reader.

use std::io::{self, Cursor, Read};

use flate2::Crc;

use super::audit::read_audit_log;
use super::collector::Origin;
use super::lines::decompressed;
use super::watched::Watched;
use super::{metrics, openshift, rows};
use crate::report::{Evidence, EvidenceSource};
use crate::text::{LARGEST, Unreadable, at};

/// The first bytes of a content, by which its format is recognized.
const BEGINNING: u64 = 64 << 10;

/// What a content is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputFormat {
    /// The audit log of a Kubernetes API server: one event per line.
    AuditLog,
    /// An evidence file.
    Evidence,
    /// Metrics of a Kubernetes API server, as it prints them.
    Metrics,
    /// The answer of Prometheus or Loki to a query.
    Response,
    /// The request counts of `OpenShift`.
    RequestCounts,
    /// Rows of CSV.
    Csv,
    /// Rows of JSON.
    Json,
}

/// What was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// An evidence file.
    Evidence(Evidence),
    /// A source of evidence.
    Source(EvidenceSource),
}

/// Why a content cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not what it is read as.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It cannot be read on.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl InputFormat {
    /// What a content is that begins so.
    fn of(beginning: &str) -> Self {
        let text = beginning.trim_start_matches('\u{feff}').trim_start();
        let first_line = text.lines().next().unwrap_or_default();
        if text.contains(openshift::KIND) {
            return Self::RequestCounts;
        }
        if text.starts_with(['{', '[']) {
            return if text.contains("\"audit.k8s.io/") || text.contains("\"auditID\"") {
                Self::AuditLog
            } else if text.contains("\"schema_version\"") && text.contains("\"sources\"") {
                Self::Evidence
            } else if text.contains("\"status\"")
                && ["\"resultType\"", "\"error\"", "\"errorType\""]
                    .iter()
                    .any(|key| text.contains(key))
            {
                Self::Response
            } else {
                Self::Json
            };
        }
        let is_metrics = first_line.starts_with('#') || first_line.contains('{') || !first_line.contains(',');
        if is_metrics { Self::Metrics } else { Self::Csv }
    }
}

/// Reads a content as `format`, or as what it begins like. Audit logs may have any length; `with_bodies` looks into the
/// bodies of their requests too.
///
/// # Errors
///
/// If the content is not what it is read as. What is damaged or cut in it is counted instead.
pub fn read(
    input: impl Read,
    format: Option<InputFormat>,
    origin: Origin<'_>,
    (watched, with_bodies): (&Watched, bool),
) -> Result<Content, ReadError> {
    let mut input = decompressed(input)?;
    let mut beginning = Vec::new();
    // What comes before damage counts.
    let damage = input.by_ref().take(BEGINNING).read_to_end(&mut beginning).err();
    if damage.is_none() && beginning.trim_ascii().is_empty() {
        return Err(at(1, 1, "it is empty").into());
    }
    let format = format.unwrap_or_else(|| InputFormat::of(&String::from_utf8_lossy(&beginning)));
    let rest = match damage {
        Some(problem) => Box::new(Damaged(Some(problem))),
        None => input,
    };
    let whole = Cursor::new(beginning).chain(rest);
    if format == InputFormat::AuditLog {
        return Ok(Content::Source(read_audit_log(whole, origin, watched, with_bodies)?));
    }
    let mut bytes = Vec::new();
    let most = LARGEST as u64;
    whole.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(at(1, 1, format!("larger than {} MiB", LARGEST >> 20)).into());
    }
    let mut checksum = Crc::new();
    checksum.update(&bytes);
    let fingerprint = format!("crc32:{:08x}:{}", checksum.sum(), bytes.len());
    let text = String::from_utf8(bytes).map_err(|_| at(1, 1, "not UTF-8"))?;
    let source = match format {
        InputFormat::AuditLog | InputFormat::Evidence => return Ok(Content::Evidence(Evidence::read(&text)?)),
        InputFormat::Metrics => metrics::read_text(&text, origin, watched, fingerprint),
        InputFormat::Response => metrics::read_response(&text, origin, watched, fingerprint),
        InputFormat::RequestCounts => openshift::read(&text, origin, watched, fingerprint),
        InputFormat::Csv => rows::read_csv(&text, origin, watched, fingerprint),
        InputFormat::Json => rows::read_json(&text, origin, watched, fingerprint),
    };
    Ok(Content::Source(source?))
}

/// The end of a content that cannot be read on.
struct Damaged(Option<io::Error>);

impl Read for Damaged {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
