//! One document of a text with several, read alone.

use super::manifest::{self, Crds, may_have_crds};
use super::openapi::{self, Document};
use crate::text::Unreadable;

/// What a document has.
#[derive(Debug)]
pub enum SchemaDocument {
    /// CRDs, or none.
    Crds(Crds),
    /// An `OpenAPI` document.
    OpenApi(Vec<Document>),
}

/// Whether a document may have schemas. Others need not be read.
pub fn may_have_schemas(document: &str) -> bool {
    may_have_crds(document) || openapi::may_be_described(document)
}

/// Reads a document that begins at a line of its text.
///
/// # Errors
///
/// If it looks like a CRD or an `OpenAPI` document and cannot be read.
pub fn read_document(line: u32, document: &str) -> Result<SchemaDocument, Unreadable> {
    let described = openapi::read_from(line, document)?;
    // An OpenAPI document describes the kind `CustomResourceDefinition` too.
    Ok(if described.is_empty() {
        SchemaDocument::Crds(manifest::read_from(line, document)?)
    } else {
        SchemaDocument::OpenApi(described)
    })
}
