//! What a model names outside of itself: schemas, and what webhooks convert.

use crate::document::Table;

use super::Reader;
use super::limits::{self, MOST_NAMED};

impl Reader<'_> {
    /// The paths of schemas. An empty one would read the whole folder.
    pub(super) fn schemas(&mut self, main: Table<'_>) {
        let Some((_, value)) = main.get("schemas") else { return };
        let words = value.words(self.diagnostics);
        if limits::is_too_long(
            "paths of schemas",
            words.len(),
            MOST_NAMED,
            value.span(),
            self.diagnostics,
        ) {
            return;
        }
        for word in words {
            if word.text.is_empty() || word.text == "-" {
                let help = "name a file or a folder, from the folder of this file: `schemas = [\"config/crd\"]`";
                let message = format!("`{}` is not a path of schemas", word.text);
                self.diagnostics.at("schemas", word.span, message, help);
                continue;
            }
            self.model.schemas.push(word.into());
        }
    }

    /// What a webhook converts.
    pub(super) fn webhooks(&mut self, main: Table<'_>) {
        let Some((_, value)) = main.get("webhooks") else { return };
        let words = value.words(self.diagnostics);
        if !limits::is_too_long("webhooks", words.len(), MOST_NAMED, value.span(), self.diagnostics) {
            self.model.webhooks = words.into_iter().map(Into::into).collect();
        }
    }
}
