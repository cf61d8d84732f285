//! `--update`: a model that is there already, brought up to date.

use std::collections::BTreeSet;

use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::{Diagnostics, Document};
use lifecycle::evaluate::faults_report;
use lifecycle::import::Draft;
use lifecycle::import::update::{Updated, known, numbered, update, verify};
use lifecycle::model::Model;
use lifecycle::release::ReleaseName;
use lifecycle::source::{FileId, Sources};

use crate::args::Format;
use crate::io::disk::{FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::read_included;
use crate::terminal::Terminal;

use crate::failure::{Failure, Outcome};
use crate::file_edits::write_back;
use crate::input_errors;

/// Brings a model up to date with releases that were imported. `make` makes the draft from what the model declares
/// before the first of them.
pub(super) fn bring_up_to_date(
    name: &str,
    bounds: (&ReleaseName, &ReleaseName),
    make: impl FnOnce(Draft, &mut Terminal) -> Draft,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let make = |_: &Model, known: Draft, terminal: &mut Terminal| (make(known, terminal), Vec::new());
    compared_and_updated(name, bounds, make, terminal)
}

/// Brings a model up to date with what an importer compared with all of it: `make` makes the draft, and tells where the
/// model says otherwise.
pub(super) fn bring_all_up_to_date(
    name: &str,
    make: impl FnOnce(&Model, Draft, &mut Terminal) -> (Draft, Vec<Diagnostic>),
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    // All that is declared comes before it, and none of it is compared again.
    let (never, none) = (ReleaseName::new(u64::MAX, u64::MAX), ReleaseName::new(0, 0));
    compared_and_updated(name, (&never, &none), make, terminal)
}

fn compared_and_updated(
    name: &str,
    (first, last): (&ReleaseName, &ReleaseName),
    make: impl FnOnce(&Model, Draft, &mut Terminal) -> (Draft, Vec<Diagnostic>),
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    if name == STANDARD_INPUT {
        return Err(Failure::new("--update -: standard input cannot be written").help("name the file of the model"));
    }
    let texts = read(name)?;
    let mut sources = Sources::new();
    for text in &texts {
        sources.add(text.name.as_str(), &text.content);
    }
    let before: Vec<&str> = texts.iter().map(|text| text.content.as_str()).collect();
    let documents = parsed(&before);
    let mut faults = Diagnostics::default();
    let Some(model) = Model::read_unfilled(&documents, &mut faults) else {
        return input_errors::report(&faults.into_vec(), &sources, Format::Table, terminal);
    };
    if !numbered(&model) {
        return Err(
            Failure::new(format!("{name} has a symbolic calendar")).help("give it `[calendar.releases]` with days")
        );
    }
    let (draft, mut disagreements) = make(&model, known(&model, first), terminal);
    let pairs: Vec<(&str, &Document<'_>)> = before.iter().copied().zip(&documents).collect();
    let Updated {
        texts: after,
        added,
        disagreements: differing,
    } = update(&pairs, &draft);
    disagreements.extend(differing);
    let left = verified(
        &after,
        &texts,
        &draft,
        (first, last),
        &disagreements,
        &sources,
        terminal,
    )?;
    write(name, &texts, &after, added, terminal)?;
    if !disagreements.is_empty() {
        input_errors::show(&faults_report(&disagreements, &sources), &sources, terminal);
    }
    Ok(if disagreements.is_empty() && !left {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
}

/// Writes the files that have changed, and tells how much is new.
fn write(
    name: &str,
    texts: &[FileText],
    after: &[String],
    added: usize,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let pairs = texts.iter().zip(after);
    let changed: Vec<(&FileText, &String)> = pairs.filter(|(text, after)| text.content != **after).collect();
    write_back(&changed)?;
    let plural = if added == 1 { "" } else { "s" };
    terminal.note(&match changed.as_slice() {
        [] => format!("{name} has it all already"),
        _ => format!("{name}: {added} addition{plural}"),
    });
    Ok(())
}

/// The files of a model, its main file first.
fn read(name: &str) -> Result<Vec<FileText>, Failure> {
    let tree = FileTree::Disk;
    let main = tree.read(name)?;
    let mut ignored = Diagnostics::default();
    let included = read_included(&tree, &Document::parse(FileId(0), &main.content), name, &mut ignored)?;
    Ok(std::iter::once(main).chain(included).collect())
}

fn parsed<'t>(texts: &[&'t str]) -> Vec<Document<'t>> {
    let ids = (0..=u16::MAX).map(FileId);
    ids.zip(texts).map(|(id, text)| Document::parse(id, text)).collect()
}

/// Reads the model as it would be, and tells where it still says something else than what was imported: whether there
/// is such a place beside those that are told anyway. Fails if it could not be read.
fn verified(
    after: &[String],
    texts: &[FileText],
    draft: &Draft,
    (first, last): (&ReleaseName, &ReleaseName),
    told: &[Diagnostic],
    before: &Sources<'_>,
    terminal: &mut Terminal,
) -> Result<bool, Failure> {
    let mut sources = Sources::new();
    for (text, after) in texts.iter().zip(after) {
        sources.add(text.name.as_str(), after);
    }
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let documents = parsed(&after);
    let mut faults = Diagnostics::default();
    let Some(model) = Model::read_unfilled(&documents, &mut faults) else {
        let failure = Failure::from_diagnostics(&faults.into_vec(), &sources);
        let message = format!(
            "nothing was written, because what is imported does not fit the model: {}",
            failure.message
        );
        return Err(Failure { message, ..failure });
    };
    // A line that is told of already is not told again for each element that follows it.
    let known: BTreeSet<String> = told.iter().filter_map(|finding| line_of(finding, before)).collect();
    let mut left = verify(&model, draft, first, last);
    let elements: BTreeSet<&String> = told.iter().filter_map(|finding| finding.element.as_ref()).collect();
    left.retain(|finding| {
        let is_told = finding
            .element
            .as_ref()
            .is_some_and(|element| elements.contains(element));
        !is_told && line_of(finding, &sources).is_none_or(|line| !known.contains(&line))
    });
    if !left.is_empty() {
        input_errors::show(&faults_report(&left, &sources), &sources, terminal);
    }
    Ok(!left.is_empty())
}

/// The line a finding is about, as it is written.
fn line_of(finding: &Diagnostic, sources: &Sources<'_>) -> Option<String> {
    let span = finding.primary.as_ref()?.span;
    let text = sources.file(span.file)?.text;
    let start = text.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    text.get(start..)?.lines().next().map(str::to_owned)
}
