//! The schemas that a model names, and those of its base.

use std::collections::BTreeSet;
use std::path::Path;

use lifecycle::Diagnostics;
use lifecycle::compat::Texts;
use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{self, Evaluation};
use lifecycle::model::Text as Named;
use lifecycle::text::Unreadable;
use lifecycle::{FileId, Location, Sources, Span};

use crate::failure::Result;
use crate::io::bounds::real_path;
use crate::io::disk::{self, Disk, FileText, folder_of};
use crate::io::listing::FileList;
use crate::io::tree::FileTree;
use crate::kustomized::NamedBy;
use crate::model_files::{Base, LoadedModel};
use crate::parallel::in_parallel;
use crate::schema_files::{EXTENSIONS, FIX_OR_LEAVE_OUT, NAME_CONVERTED, NO_SCHEMA, SchemaFiles};
use crate::terminal::Terminal;

const RULE: &str = "schemas";

/// The most schema files of one run: model files need ids too.
const MOST_FILES: usize = 30_000;

#[derive(Debug, Default)]
pub struct ModelSchemas {
    head: SchemaFiles,
    /// Paths in the model without schemas.
    errors: Vec<Diagnostic>,
    base: Option<BaseSchemas>,
}

/// The schemas of the base, or why there are none.
#[derive(Debug)]
enum BaseSchemas {
    Read(SchemaFiles),
    Unreadable(String),
}

impl ModelSchemas {
    /// Reads the schemas that a model names, and those of its base. If it names none, nothing is read.
    pub fn read(evaluation: &Evaluation, name: &str, base: Option<&Base>, disk: &Disk) -> Result<Self> {
        let named = &evaluation.model().schemas;
        if named.is_empty() {
            return Ok(Self::default());
        }
        let base = base.and_then(|base| Some((base, base.loaded()?)));
        let webhooks = &evaluation.model().webhooks;
        let (head, base) = in_parallel(
            || Self::read_head(named, name, disk),
            || {
                base.map(|(base, loaded)| read_base(base, loaded, named, name))
                    .transpose()
            },
        );
        let (mut head, mut base) = (head?, base?.flatten());
        for named in webhooks {
            let found = head.head.convert_by_webhook(&named.text);
            if let Some(BaseSchemas::Read(base)) = &mut base {
                base.convert_by_webhook(&named.text);
            }
            if !found {
                let message = format!("no CRD in `schemas` is `{}`", named.text);
                head.errors.push(error("missing", named.span, message, NAME_CONVERTED));
            }
        }
        Ok(Self { base, ..head })
    }

    fn read_head(named: &[Named], name: &str, disk: &Disk) -> Result<Self> {
        let (folder, bounds) = (folder_of(name), disk.within(name));
        let mut schemas = Self::default();
        let mut seen = BTreeSet::new();
        let mut all = FileList::default();
        for named in named {
            let path = folder.join(&named.text);
            if let Err(refusal) = bounds.find(&path) {
                let finding = error("refused", named.span, refusal.message, refusal.help);
                schemas.errors.push(finding);
                continue;
            }
            if !path.exists() {
                let message = format!("there is no file or folder `{}`", path.display());
                let help =
                    "paths are relative to the folder of the model; correct the path, or remove it from `schemas`";
                schemas.errors.push(error("missing", named.span, message, help));
                continue;
            }
            let found = disk::list_named(&path.to_string_lossy(), &EXTENSIONS, &bounds)?;
            if found.files.is_empty() {
                schemas.errors.push(nothing_there(named, &path));
            }
            // A link may lead to a file that is read already.
            let files = found.files.into_iter();
            all.files
                .extend(files.filter(|file| seen.insert(real_path(Path::new(file)))));
            all.skipped.extend(found.skipped);
        }
        schemas.head = SchemaFiles::read(&FileTree::Disk(disk.clone()), all, NamedBy::Model)?;
        schemas.head.refuse_more_than(MOST_FILES)?;
        if let Some(first) = named.first().filter(|_| schemas.is_nothing()) {
            schemas.errors.push(nothing_there(first, &folder.join(&first.text)));
        }
        Ok(schemas)
    }

    /// Whether the schemas of the model have a field or a value.
    pub fn describe(&self, id: &str) -> bool {
        self.head.state().describes(id)
    }

    /// Whether all files were read, and none has a schema.
    fn is_nothing(&self) -> bool {
        self.errors.is_empty() && self.head.errors.is_empty() && self.head.is_empty()
    }

    /// All schema files, which no output may overwrite.
    pub fn texts(&self) -> impl Iterator<Item = &FileText> {
        let base = match &self.base {
            Some(BaseSchemas::Read(base)) => Some(base.texts()),
            _ => None,
        };
        let broken = self.head.errors.iter().map(|(text, _)| text);
        self.head.texts().chain(broken).chain(base.into_iter().flatten())
    }

    /// Why schemas cannot be read. The texts of these files are added to the sources.
    pub fn errors<'s>(&'s self, sources: &mut Sources<'s>) -> Vec<Diagnostic> {
        let mut errors = Diagnostics::default();
        errors.extend(self.errors.clone(), 0);
        for (text, problem) in &self.head.errors {
            let file = sources.add(&text.name, &text.content);
            let span = span_of(problem, file, sources);
            errors.push(error("unreadable", span, problem.to_string(), FIX_OR_LEAVE_OUT));
        }
        errors.into_vec()
    }

    /// The schemas as the library takes them. Their texts are added to the sources.
    pub fn load<'s>(&'s self, sources: &mut Sources<'s>, terminal: &mut Terminal) -> evaluate::Schemas<'s> {
        let mut texts = Texts::new();
        self.head.warn(terminal);
        self.head
            .add_to(&mut texts, |text| sources.add(&text.name, &text.content));
        let base = self.base.as_ref().map(|base| match base {
            BaseSchemas::Unreadable(reason) => evaluate::BaseSchemas::Unreadable(reason.clone()),
            BaseSchemas::Read(base) if base.is_unlike(&self.head) => evaluate::BaseSchemas::Unlike,
            BaseSchemas::Read(base) if base.is_empty() => evaluate::BaseSchemas::Missing,
            BaseSchemas::Read(base) => {
                base.warn_skipped(terminal);
                base.add_to(&mut texts, |text| sources.add_base(&text.name, &text.content));
                evaluate::BaseSchemas::Read(base.state())
            }
        });
        evaluate::Schemas {
            state: self.head.state(),
            base,
            texts,
        }
    }
}

/// The schemas of the base: those that its model names, or else those that the new model names, at the same paths.
fn read_base(before: &Base, loaded: &LoadedModel, named: &[Named], name: &str) -> Result<Option<BaseSchemas>> {
    let Ok(evaluation) = &loaded.evaluated else {
        return Ok(None);
    };
    let own = &evaluation.model().schemas;
    let (named, folder) = match (own.is_empty(), &before.tree) {
        (false, _) => (own.as_slice(), folder_of(&before.name)),
        (true, FileTree::Commit(..)) => (named, folder_of(name)),
        (true, FileTree::Disk(_) | FileTree::BuiltIn(..)) => (named, folder_of(&before.name)),
    };
    let reach = before.tree.within(&before.name);
    let (mut files, mut skipped) = (BTreeSet::new(), Vec::new());
    for named in named {
        let path = folder.join(&named.text);
        // Listing a missing path fails on the disk, but not in a commit.
        if matches!(before.tree, FileTree::Commit(..)) || path.exists() {
            let found = reach.list(&path.to_string_lossy(), &EXTENSIONS)?;
            files.extend(found.files);
            skipped.extend(found.skipped);
        }
    }
    let list = FileList {
        files: files.into_iter().collect(),
        skipped,
    };
    let schemas = match SchemaFiles::read(&before.tree, list, NamedBy::Model) {
        Err(failure) if failure.in_commit => return Ok(Some(BaseSchemas::Unreadable(failure.message))),
        schemas => schemas?,
    };
    schemas.refuse_more_than(MOST_FILES)?;
    if let Some((text, error)) = schemas.errors.first() {
        return Ok(Some(BaseSchemas::Unreadable(error.within(&text.name))));
    }
    // A contradiction in the base must not fail the change that fixes it.
    let contradiction = schemas.state().agrees_with_itself().err();
    Ok(Some(match contradiction {
        Some(error) => BaseSchemas::Unreadable(error.to_string()),
        None => BaseSchemas::Read(schemas),
    }))
}

fn nothing_there(named: &Named, path: &Path) -> Diagnostic {
    let message = format!("{}: {NO_SCHEMA}", path.display());
    error(
        "nothing",
        named.span,
        message,
        "name a file or a folder that has schemas",
    )
}

fn error(code: &'static str, span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(RULE, code, message).at(span, "").help(help)
}

/// Where a file cannot be read; the start of the line where it has no such column.
fn span_of(problem: &Unreadable, file: FileId, sources: &Sources<'_>) -> Span {
    let Unreadable { line, column, .. } = *problem;
    let start = sources.file(file).map_or(0, |text| {
        let offset = text.offset(Location { line, column });
        offset.unwrap_or_else(|| text.line_start(line))
    });
    Span {
        file,
        start,
        end: start,
    }
}
