//! Models to which elements will be added.

use crate::document::{Diagnostics, Document};
use crate::grammar::ExtraKinds;

use super::super::Model;

impl Model {
    /// Reads a model to which elements will be added: it may declare none yet. What its `policies` declare as
    /// kinds of elements, it may have.
    pub fn read_unfilled(
        documents: &[Document<'_>],
        policies: &[Document<'_>],
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let mut kinds = ExtraKinds::default();
        for policy in policies {
            policy.kinds(&mut kinds, &mut Diagnostics::default());
        }
        Self::read_if(documents, &kinds, diagnostics, |_, _, _| {})
    }
}
