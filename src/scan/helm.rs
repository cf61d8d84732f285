//! The objects of Helm releases, which Helm stores in secrets: compressed, and encoded twice.

use std::io::Read;

use data_encoding::BASE64;
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::object::{ReadText, read};
use crate::schema::{Entry, Tree};
use crate::text::{LARGEST, bounded_json};

/// The type of such a secret.
const TYPE: &str = "helm.sh/release.v1";

/// The states of releases whose objects are not in the cluster, or are those of a later revision.
const OVER: [&str; 2] = ["superseded", "uninstalled"];

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A release, as a cluster stores it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored<'t> {
    /// The name of the release, or of the object that it is stored in.
    pub(super) name: &'t str,
    /// What is stored, and where.
    data: &'t Entry,
    /// Whether its objects may be in the cluster.
    pub(super) is_live: bool,
}

#[derive(Deserialize)]
struct Release {
    #[serde(default)]
    manifest: String,
    #[serde(default)]
    hooks: Option<Vec<Hook>>,
}

#[derive(Deserialize)]
struct Hook {
    #[serde(default)]
    manifest: String,
}

impl<'t> Stored<'t> {
    /// The release that an object stores, if it is one.
    pub(super) fn of(kind: &str, object: &'t Tree) -> Option<Self> {
        let metadata = object.get("metadata")?;
        let labels = metadata.get("labels");
        let is_owned = labels.is_some_and(|labels| labels.text("owner") == "helm");
        let is_release = match kind {
            "Secret" => object.text("type") == TYPE,
            "ConfigMap" => is_owned,
            _ => false,
        };
        let data = object.get("data")?.entry("release").filter(|_| is_release)?;
        let label = labels.map_or("", |labels| labels.text("name"));
        Some(Self {
            name: if label.is_empty() { metadata.text("name") } else { label },
            data,
            is_live: labels.is_none_or(|labels| !OVER.contains(&labels.text("status"))),
        })
    }

    /// Where it is.
    pub(super) fn entry(&self) -> &'t Entry {
        self.data
    }

    /// The documents of its manifest and of its hooks, or why they cannot be read. Nothing of them is quoted.
    pub(super) fn documents(&self) -> Result<ReadText, &'static str> {
        let Tree::Text(text) = &self.data.value else {
            return Err("the Helm release is no text");
        };
        let json = unpacked(text)?;
        bounded_json(&json).map_err(|_| "the Helm release has too many values")?;
        let release: Release = serde_json::from_str(&json).map_err(|_| "the Helm release is no JSON")?;
        let mut all = read(&release.manifest);
        for hook in release.hooks.into_iter().flatten() {
            let of_hook = read(&hook.manifest);
            all.documents.extend(of_hook.documents);
            all.unreadable.extend(of_hook.unreadable);
        }
        if all.unreadable.is_empty() {
            Ok(all)
        } else {
            Err("the manifest of the Helm release cannot be read")
        }
    }
}

/// The text of a release, decoded and decompressed.
fn unpacked(text: &str) -> Result<String, &'static str> {
    let mut bytes = decoded(text.as_bytes())?;
    if !bytes.starts_with(&GZIP) && !bytes.starts_with(b"{") {
        // Servers encode once more what is in secrets.
        bytes = decoded(&bytes)?;
    }
    if bytes.starts_with(&GZIP) {
        let mut unpacked = Vec::new();
        let most = u64::try_from(LARGEST).unwrap_or(u64::MAX);
        let read = GzDecoder::new(bytes.as_slice())
            .take(most + 1)
            .read_to_end(&mut unpacked);
        read.map_err(|_| "the Helm release cannot be decompressed")?;
        if unpacked.len() > LARGEST {
            return Err("the Helm release is too large");
        }
        bytes = unpacked;
    }
    String::from_utf8(bytes).map_err(|_| "the Helm release is not UTF-8")
}

fn decoded(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    let text: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    BASE64.decode(&text).map_err(|_| "the Helm release is not in Base64")
}
