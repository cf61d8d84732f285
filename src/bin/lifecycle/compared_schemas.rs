//! Two states of schemas that are compared while they are read, so that neither is held as a whole.
//!
//! Files of one name are read side by side, document by document: a kind usually meets its counterpart at once.

mod state;

use std::collections::BTreeMap;

use lifecycle::compat::{DocumentSource, Side, Successive};
use lifecycle::evaluate::{Diff, Evaluation};
use lifecycle::policy::Policy;
use lifecycle::schema::{SchemaDocument, read_document};
use lifecycle::text::Unreadable;

use crate::failure::{Failure, Result};
use crate::io::documents::FileDocument;
use crate::parallel::in_parallel;
use crate::schema_files::{NAME_CONVERTED, refuse_errors};
use crate::terminal::Terminal;

pub use state::SchemaState;
use state::{File, StateFiles, too_large};

/// Both states, and what differs between them.
pub struct ComparedSchemas {
    pub old: SchemaState,
    pub new: SchemaState,
    pub diff: Diff,
}

impl ComparedSchemas {
    /// Compares two states. What a webhook converts may be named, where the CRDs do not say it.
    pub fn new(
        [old, new]: [SchemaState; 2],
        webhooks: &[String],
        policy: &Policy,
        model: Option<&Evaluation>,
        terminal: &mut Terminal,
    ) -> Result<Self> {
        let mut states = [old, new];
        for state in &mut states {
            state.webhooks = webhooks.to_vec();
        }
        let comparison = loop {
            let mut comparison = Successive::new(policy, model.is_some());
            compare_files(&mut states, &mut comparison)?;
            // Patches may come after the CRDs that they complete.
            let found_patches = states.each_mut().map(SchemaState::settle_patches);
            if found_patches == [false, false] {
                break comparison;
            }
            for state in &mut states {
                state.found = StateFiles::default();
            }
        };
        for state in &mut states {
            refuse_errors(std::mem::take(&mut state.found.errors))?;
        }
        refuse_unknown(webhooks, &states)?;
        let [old, new] = &mut states;
        new.skipped.retain(|skipped| !old.skipped.contains(skipped));
        for state in &states {
            state.warn(terminal)?;
        }
        refuse_unlike(&states)?;
        let [old, new] = states;
        let documents = [&old, &new].map(documents);
        let diff = Diff::of_successive(comparison, [&documents[0], &documents[1]], model);
        let diff = diff.map_err(|error| too_large(&error))?;
        drop(documents);
        warn_partly(&diff.partly, terminal);
        Ok(Self { old, new, diff })
    }
}

/// Says once which kinds were compared in part, and what that means.
pub fn warn_partly(kinds: &[String], terminal: &mut Terminal) {
    let Some((first, others)) = kinds.split_first() else {
        return;
    };
    let others = match others.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    terminal.warn(&format!(
        "warning: {first}{others}: compared in part, as rules, combinations and patterns take too many steps; what was \
         not compared counts as a change that may reject objects (limits: docs/limits.md)"
    ));
}

fn documents(state: &SchemaState) -> Vec<DocumentSource<'_>> {
    let documents = state.found.documents.iter();
    documents
        .map(|(file, document)| DocumentSource { file, document })
        .collect()
}

fn refuse_unknown(webhooks: &[String], states: &[SchemaState; 2]) -> Result<()> {
    let mut converted = states.iter().flat_map(|state| &state.found.converted);
    match webhooks.iter().find(|named| !converted.any(|known| known == *named)) {
        Some(unknown) => Err(Failure::new(format!("no CRD is `{unknown}`")).help(NAME_CONVERTED)),
        None => Ok(()),
    }
}

/// Servers publish less than a CRD says, so that CRDs and what a server publishes differ everywhere.
fn refuse_unlike(states: &[SchemaState; 2]) -> Result<()> {
    let (crds, documents) = match states.each_ref().map(SchemaState::sorts) {
        [[true, false], [false, true]] => (&states[0].name, &states[1].name),
        [[false, true], [true, false]] => (&states[1].name, &states[0].name),
        _ => return Ok(()),
    };
    let message = format!("{crds} has CRDs, {documents} has OpenAPI documents");
    Err(Failure::new(message).help("name two states in the same format"))
}

/// Compares the CRDs of all files.
fn compare_files(states: &mut [SchemaState; 2], comparison: &mut Successive<'_>) -> Result<()> {
    let mut meeting: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
    for (at, state) in states.iter().enumerate() {
        for file in &state.files {
            meeting.entry(state.relative(file).to_owned()).or_default()[at] = Some(file.clone());
        }
    }
    for [old, new] in meeting.into_values() {
        let files = [states[0].open(old)?, states[1].open(new)?];
        compare_pair(states, files, comparison)?;
    }
    Ok(())
}

/// Bytes of the smaller one of two documents that are read at once. A shorter one is read in a few milliseconds, and a
/// thread mostly adds work for the kernel: its stack, and memory that is mapped page by page.
const LEAST_IN_PARALLEL: usize = 1 << 18;

/// Compares the CRDs of two files, each of which may be missing.
fn compare_pair(
    states: &mut [SchemaState; 2],
    mut files: [Option<File>; 2],
    comparison: &mut Successive<'_>,
) -> Result<()> {
    loop {
        let [old, new] = files.each_mut().map(|file| file.as_mut().map_or(Ok(None), File::next));
        let (old, new) = (old?, new?);
        if old.is_none() && new.is_none() {
            return Ok(());
        }
        let lengths = [&old, &new].map(|document| document.as_ref().map_or(0, |document| document.text.len()));
        let (old, new) = if lengths.into_iter().min() < Some(LEAST_IN_PARALLEL) {
            (read(old.as_ref()), read(new.as_ref()))
        } else {
            in_parallel(|| read(old.as_ref()), || read(new.as_ref()))
        };
        for (at, document) in [old, new].into_iter().enumerate() {
            match (&files[at], document) {
                (Some(file), Some(Ok(document))) => states[at].compare(SIDES[at], file, document, comparison)?,
                // One error of a file is enough.
                (Some(file), Some(Err(error))) => {
                    states[at].found.errors.push(error.within(file.name()));
                    files[at] = None;
                }
                _ => {}
            }
        }
    }
}

fn read(document: Option<&FileDocument>) -> Option<Result<SchemaDocument, Unreadable>> {
    document.map(|document| read_document(document.line, &document.text))
}

const SIDES: [Side; 2] = [Side::Old, Side::New];
