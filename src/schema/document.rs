//! What each document of a text has. Each is read alone: a text may have CRDs beside what a server publishes.

use super::manifest::{self, Crds, may_have_crds};
use super::openapi::{self, Document};
use crate::text::{LARGEST, Unreadable, check_size, documents};

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

/// Reads the documents of a text that may have schemas, in their order.
///
/// # Errors
///
/// If the text is larger than [`LARGEST`], or for the first document that [`read_document`] cannot read.
pub fn read_documents(text: &str) -> Result<Vec<SchemaDocument>, Unreadable> {
    check_size(text, LARGEST)?;
    let relevant = documents(text).filter(|(_, document)| may_have_schemas(document));
    relevant.map(|(line, document)| read_document(line, document)).collect()
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
