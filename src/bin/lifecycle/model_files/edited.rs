//! A model of which the texts are edited, and as much of it as that leaves is not read again.

use lifecycle::evaluate::{Extent, Loaded};
use lifecycle::{Document, Parsed};

use crate::args::PolicyOptions;
use crate::failure::Result;
use crate::io::disk::FileText;
use crate::io::tree::FileTree;
use crate::policy_files;

use super::{ModelFiles, ReadModel, Side, document};

/// An edited text, with what is read of it if its edit let it be read from the text as it was.
#[derive(Debug)]
pub struct EditedText {
    pub content: String,
    pub parsed: Option<Parsed>,
}

impl EditedText {
    pub fn of(before: &Document<'_>, content: String) -> Self {
        Self {
            parsed: before.parse_edited(&content),
            content,
        }
    }
}

impl ReadModel {
    /// Edited texts in place of those of a model, with the policies that these name. Where they differ in days of
    /// releases alone, what else was read of the model stands, and these are the files of the model, as they are now.
    pub fn with_texts(
        before: (&ModelFiles, &Loaded),
        texts: Vec<EditedText>,
        extent: &Extent,
        (tree, options): (&FileTree, &PolicyOptions),
    ) -> Result<Self> {
        let (before, loaded) = before;
        let (mut models, mut parsed) = (Vec::new(), Vec::new());
        for (before, text) in before.models.iter().zip(texts) {
            models.push(FileText {
                name: before.name.clone(),
                content: text.content,
                marked: before.marked,
            });
            parsed.push(text.parsed);
        }
        if *extent == Extent::Days {
            let parsed = parsed.first_mut().and_then(Option::take);
            let main = document(before.side.first(), &models[0].content, parsed);
            if let Some(read) = loaded.on_days_of(&before.models[0].content, &main) {
                let files = ModelFiles {
                    models,
                    skipped: Vec::new(),
                    policies: before.policies.clone(),
                    errors: Vec::new(),
                    address: before.address.clone(),
                    side: before.side,
                };
                return Ok(Self { files, read: Ok(read) });
            }
        }
        let mut parsed = parsed.into_iter();
        let main = models.remove(0);
        let document = document(Side::Head.first(), &main.content, parsed.next().flatten());
        let mut files = ModelFiles {
            models,
            skipped: Vec::new(),
            policies: policy_files::read_for_model(tree, &document, &main.name, None)?,
            errors: before.errors.clone(),
            address: before.address.clone(),
            side: Side::Head,
        };
        let (read, _) = files.read_main((document, parsed), options, |_, _| ());
        files.models.insert(0, main);
        Ok(Self { files, read })
    }
}
