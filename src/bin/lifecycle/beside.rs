//! The schemas that a model names, and those of its base.

use std::collections::BTreeSet;
use std::path::Path;

use lifecycle::compat::{Fault, Texts};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::Diagnostics;
use lifecycle::evaluate::{Before as EarlierSchemas, Evaluation};
use lifecycle::model::Text as Named;
use lifecycle::source::{FileId, Location, Sources, Span};
use lifecycle::text::Unreadable;

use crate::base::{Base, Before};
use crate::commands::Failure;
use crate::definitions::MEND;
use crate::files::{Below, Text};
use crate::schemas::Schemas;
use crate::store::{Store, folder_of};
use crate::terminal::Terminal;
use crate::threads::side_by_side;

/// The page that tells of these faults.
const RULE: &str = "schemas";

/// Files of schemas in one run: those of the model need places too.
const MOST_FILES: usize = 30_000;

/// The schemas beside a model.
#[derive(Debug, Default)]
pub struct Beside {
    head: Schemas,
    /// What the model names and nothing can be read of: where it says so, and why.
    faults: Vec<Diagnostic>,
    base: Option<OfBase>,
}

/// The schemas of the base, or why there are none to be had.
#[derive(Debug)]
enum OfBase {
    Schemas(Schemas),
    Unreadable(String),
}

impl Beside {
    /// Reads the schemas that a model names, and those of its base. Without any, nothing is read.
    pub fn read(evaluation: &Evaluation, name: &str, base: Option<&Base>) -> Result<Self, Failure> {
        let named = &evaluation.model().schemas;
        if named.is_empty() {
            return Ok(Self::default());
        }
        let before = match base {
            Some(Base::Model(before)) => Some(before.as_ref()),
            _ => None,
        };
        let (head, base) = side_by_side(
            || Self::read_head(named, name),
            || before.map(|before| of_base(before, named, name)).transpose(),
        );
        Ok(Self {
            base: base?.flatten(),
            ..head?
        })
    }

    fn read_head(named: &[Named], name: &str) -> Result<Self, Failure> {
        let folder = folder_of(name);
        let mut beside = Self::default();
        let mut seen = BTreeSet::new();
        let mut all = Below::default();
        for named in named {
            let path = folder.join(&named.text);
            if !path.exists() {
                let message = format!("there is no file or folder `{}`", path.display());
                let help = "paths are taken from the folder of the model; correct it, or take it out of `schemas`";
                beside.faults.push(fault("missing", named.span, message, help));
                continue;
            }
            let found = Store::Disk.below(&path.to_string_lossy())?;
            if found.files.is_empty() {
                beside.faults.push(nothing_there(named, &path));
            }
            // A link may lead to what is read already.
            let whole = |file: &String| Path::new(file).canonicalize().unwrap_or_else(|_| file.into());
            let files = found.files.into_iter();
            all.files.extend(files.filter(|file| seen.insert(whole(file))));
            all.skipped.extend(found.skipped);
        }
        beside.head = Schemas::read(&Store::Disk, all)?;
        beside.head.refuse_more_than(MOST_FILES)?;
        if let Some(first) = named.first().filter(|_| beside.is_nothing()) {
            beside.faults.push(nothing_there(first, &folder.join(&first.text)));
        }
        Ok(beside)
    }

    /// Whether files were read, and none of them says anything.
    fn is_nothing(&self) -> bool {
        self.faults.is_empty() && self.head.faults.is_empty() && self.head.is_empty()
    }

    /// The schemas that are read, also those of the base, and those that cannot be: no output may be written over
    /// them.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        let base = match &self.base {
            Some(OfBase::Schemas(base)) => Some(base.texts()),
            _ => None,
        };
        let broken = self.head.faults.iter().map(|(text, _)| text);
        self.head.texts().chain(broken).chain(base.into_iter().flatten())
    }

    /// What keeps the schemas from being read, with its places: their texts are added to the sources.
    pub fn faults<'s>(&'s self, sources: &mut Sources<'s>) -> Vec<Diagnostic> {
        let mut faults = Diagnostics::default();
        faults.extend(self.faults.clone(), 0);
        for (text, problem) in &self.head.faults {
            let file = sources.add(&text.name, &text.content);
            let span = place(sources, file, problem);
            faults.push(fault("unreadable", span, problem.to_string(), MEND));
        }
        faults.into_vec()
    }

    /// Adds what is to be said of the schemas to an evaluation; with a base, `named` so, what the change does to them.
    pub fn add_to<'s>(
        &'s self,
        evaluation: &mut Evaluation,
        named: Option<&str>,
        base: Option<&Base>,
        sources: &mut Sources<'s>,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let before = match base {
            Some(Base::Model(before)) => before.loaded.evaluated.as_ref().ok(),
            _ => None,
        };
        let before = named.zip(before);
        if evaluation.model().schemas.is_empty() {
            if let Some((named, before)) = before {
                tell_unnamed(evaluation, named, before);
            }
            return Ok(());
        }
        self.head.announce(terminal);
        let mut texts = Texts::new();
        add_texts(&mut texts, &self.head, |text| sources.add(&text.name, &text.content));
        let head = self.head.sides();
        let added = match self.comparable(evaluation, before) {
            Some((base, evaluation_before)) => {
                base.tell_skipped(terminal);
                add_texts(&mut texts, base, |text| sources.add_base(&text.name, &text.content));
                let old = base.sides();
                let earlier = EarlierSchemas {
                    state: old.state(),
                    evaluation: evaluation_before,
                };
                evaluation.compare_schemas(head.state(), earlier, &texts)
            }
            None => evaluation.add_schemas(head.state(), &texts),
        };
        added.map_err(|fault: Fault| Failure::new(fault.to_string()).help(fault.help))
    }

    /// The schemas of the base, if there are any; why there are none is told.
    fn comparable<'s, 'b>(
        &'s self,
        evaluation: &mut Evaluation,
        before: Option<(&str, &'b Evaluation)>,
    ) -> Option<(&'s Schemas, &'b Evaluation)> {
        let (named, before) = before?;
        match self.base.as_ref()? {
            OfBase::Schemas(base) if base.is_unlike(&self.head) => {
                let message = format!(
                    "of {named} and this state, one has definitions of custom resources, the other documents of OpenAPI"
                );
                let help = "these are not held against each other: name schemas of the same sort";
                evaluation.schemas_not_compared(before, "no-base", message, help);
            }
            OfBase::Schemas(base) if !base.is_empty() => return Some((base, before)),
            OfBase::Schemas(_) => {
                let message = format!("{named} has no schemas at these paths: what became of them is not judged");
                let help = "if they are new, that is so; if they moved, let the model there name them first";
                evaluation.schemas_not_compared(before, "no-base", message, help);
            }
            OfBase::Unreadable(why) => {
                let message = format!("the schemas of {named} cannot be read: {why}");
                let help = "nothing could be compared, and everything about them counts as new";
                evaluation.schemas_not_compared(before, "unreadable-base", message, help);
            }
        }
        None
    }
}

fn tell_unnamed(evaluation: &mut Evaluation, named: &str, before: &Evaluation) {
    if !before.model().schemas.is_empty() {
        let message = format!("the model of {named} names schemas, this one does not: their changes are not judged");
        let help = "name them again: `schemas = [\"config/crd\"]`";
        evaluation.schemas_not_compared(before, "unnamed", message, help);
    }
}

fn add_texts<'s>(texts: &mut Texts<'s>, schemas: &'s Schemas, mut add: impl FnMut(&'s Text) -> FileId) {
    for text in schemas.texts() {
        texts.add(&text.name, add(text), &text.content);
    }
}

/// The schemas of the base: those that its model names, or else those that the model beside it names, at the same
/// paths.
fn of_base(before: &Before, named: &[Named], name: &str) -> Result<Option<OfBase>, Failure> {
    let Ok(evaluation) = &before.loaded.evaluated else {
        return Ok(None);
    };
    let own = &evaluation.model().schemas;
    let (named, folder) = match (own.is_empty(), &before.store) {
        (false, _) => (own.as_slice(), folder_of(&before.name)),
        (true, Store::Commit(_)) => (named, folder_of(name)),
        (true, Store::Disk | Store::BuiltIn(_)) => (named, folder_of(&before.name)),
    };
    let (mut files, mut skipped) = (BTreeSet::new(), Vec::new());
    for named in named {
        let path = folder.join(&named.text);
        // A commit tells by itself that it has nothing there.
        if matches!(before.store, Store::Commit(_)) || path.exists() {
            let found = before.store.below(&path.to_string_lossy())?;
            files.extend(found.files);
            skipped.extend(found.skipped);
        }
    }
    let below = Below {
        files: files.into_iter().collect(),
        skipped,
    };
    let schemas = match Schemas::read(&before.store, below) {
        Err(failure) if failure.in_commit => return Ok(Some(OfBase::Unreadable(failure.message))),
        schemas => schemas?,
    };
    schemas.refuse_more_than(MOST_FILES)?;
    if let Some((text, fault)) = schemas.faults.first() {
        return Ok(Some(OfBase::Unreadable(fault.within(&text.name))));
    }
    // What contradicts itself in the base can only be mended by a change of it.
    let contradiction = schemas.sides().state().agrees_with_itself().err();
    Ok(Some(match contradiction {
        Some(fault) => OfBase::Unreadable(fault.to_string()),
        None => OfBase::Schemas(schemas),
    }))
}

fn nothing_there(named: &Named, path: &Path) -> Diagnostic {
    let path = path.display();
    let message = format!("{path}: no CustomResourceDefinition, and no document of OpenAPI that serves a kind");
    fault("nothing", named.span, message, "name a file or a folder that has some")
}

fn fault(code: &'static str, span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(RULE, code, message).at(span, "").help(help)
}

/// Where a text that was added cannot be read; its end where the place is beyond it.
fn place(sources: &Sources<'_>, file: FileId, problem: &Unreadable) -> Span {
    let Unreadable { line, column, .. } = *problem;
    let start = sources.file(file).map_or(0, |found| {
        let known = found.offset(Location { line, column });
        known.unwrap_or_else(|| found.line_start(line))
    });
    Span {
        file,
        start,
        end: start,
    }
}
