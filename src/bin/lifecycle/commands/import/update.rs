//! `--update`: an existing model, updated with an import.

use std::collections::BTreeSet;

use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::error_report;
use lifecycle::import::update::{known, update as apply, verify};
use lifecycle::import::{Draft, ImportError, Imported};
use lifecycle::model::Model;
use lifecycle::release::ReleaseName;
use lifecycle::{Diagnostics, Document};
use lifecycle::{FileId, Sources};

use crate::args::Format;
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::write_back;
use crate::input_errors;
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{Included, REFUSED};
use crate::policy_files::{self, PolicyFile};
use crate::summary::counted;
use crate::terminal::Terminal;

use super::notices::{outcome, show};

/// Updates a model with an import, which `make` makes from the model and from what that declares before the first
/// release of `bounds`. Without `bounds`, `make` gets everything that is declared, and compares the two itself.
pub(super) fn update(
    name: &str,
    bounds: Option<&(ReleaseName, ReleaseName)>,
    make: impl FnOnce(Option<&Model>, Draft) -> Result<Imported, ImportError>,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    if name == STANDARD_INPUT {
        return Err(Failure::new("--update -: standard input cannot be written").help("name the file of the model"));
    }
    let (texts, policies) = read(name, disk, terminal)?;
    let sources = sources_of(texts.iter().map(|text| (text.name.as_str(), text.content.as_str())));
    let before: Vec<&str> = texts.iter().map(|text| text.content.as_str()).collect();
    let documents = parsed(&before);
    let policies: Vec<&str> = policies.iter().map(|policy| policy.text.content.as_str()).collect();
    let policies = parsed(&policies);
    let mut errors = Diagnostics::default();
    let Some(model) = Model::read_unfilled(&documents, &policies, &mut errors) else {
        return input_errors::report(&errors.into_vec(), &sources, Format::Table, terminal);
    };
    let (never, none) = (ReleaseName::new(u64::MAX, u64::MAX), ReleaseName::new(0, 0));
    let (first, last) = bounds.map_or((&never, &none), |(first, last)| (first, last));
    let Some(known) = known(&model, first) else {
        let error = Failure::new(format!("{name} has a symbolic calendar"));
        return Err(error.help("replace it with `[calendar.releases]` and the dates of releases"));
    };
    let Imported {
        draft,
        notices,
        mut disagreements,
    } = make(Some(&model), known)?;
    show(&notices, terminal);
    let pairs: Vec<(&str, &Document<'_>)> = before.iter().copied().zip(&documents).collect();
    let updated = apply(&pairs, &draft);
    disagreements.extend(updated.disagreements);
    let pairs = texts.iter().zip(&updated.texts);
    let after = sources_of(pairs.map(|(text, after)| (text.name.as_str(), after.as_str())));
    let mut remaining = differences((&updated.texts, &policies), &after, (&draft, first, last))?;
    leave_out_known(&mut remaining, &after, &disagreements, &sources);
    write(name, (&texts, &updated.texts), updated.added, disk, terminal)?;
    if let Some(current) = &updated.current {
        terminal.note(&format!(
            "{current} is now the newest release that has shipped: what happens in it is history (if it has not shipped, \
             correct `current`)"
        ));
    }
    for (diagnostics, sources) in [(&remaining, &after), (&disagreements, &sources)] {
        input_errors::show(&error_report(diagnostics, sources), sources, terminal);
    }
    Ok(if disagreements.is_empty() && remaining.is_empty() {
        outcome(&notices)
    } else {
        Outcome::Findings
    })
}

/// Writes the files that have changed, and reports how much is new.
fn write(
    name: &str,
    (texts, after): (&[FileText], &[String]),
    added: usize,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<()> {
    let pairs = texts.iter().zip(after);
    let changed: Vec<(&FileText, &String)> = pairs.filter(|(text, after)| text.content != **after).collect();
    write_back(&changed, disk)?;
    terminal.note(&match changed.as_slice() {
        [] => format!("{name} is already up to date"),
        _ => format!("{name}: {}", counted(added, "addition")),
    });
    Ok(())
}

/// Reads the files of a model and its policy files. A pattern may still match none; one that leads to what is not read
/// is an error.
fn read(name: &str, disk: &Disk, terminal: &mut Terminal) -> Result<(Vec<FileText>, Vec<PolicyFile>)> {
    let tree = FileTree::Disk(disk.clone());
    let main = tree.read_main(name)?;
    let mut errors = Diagnostics::default();
    let document = Document::parse(FileId(0), &main.content);
    let included = Included::read(&tree.within(name), &document, name, &mut errors)?;
    let policies = policy_files::read_for_model(&tree, &document, name, None)?;
    drop(document);
    let errors = errors.into_vec();
    if let Some(refused) = errors.iter().find(|error| error.code == REFUSED) {
        let sources = sources_of([(name, main.content.as_str())]);
        return Err(Failure::from_diagnostics(std::slice::from_ref(refused), &sources));
    }
    terminal.warn_some("warning: skipped ", &included.skipped);
    Ok((std::iter::once(main).chain(included.texts).collect(), policies))
}

fn parsed<'t>(texts: &[&'t str]) -> Vec<Document<'t>> {
    let ids = (0..=u16::MAX).map(FileId);
    ids.zip(texts).map(|(id, text)| Document::parse(id, text)).collect()
}

fn sources_of<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Sources<'t> {
    let mut sources = Sources::new();
    for (name, text) in texts {
        sources.add(name, text);
    }
    sources
}

/// Reads the model as it would be, and finds where it still differs from the import. An import that does not fit the
/// model is not written.
fn differences(
    (after, policies): (&[String], &[Document<'_>]),
    sources: &Sources<'_>,
    (draft, first, last): (&Draft, &ReleaseName, &ReleaseName),
) -> Result<Vec<Diagnostic>> {
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let documents = parsed(&after);
    let mut errors = Diagnostics::default();
    let Some(model) = Model::read_unfilled(&documents, policies, &mut errors) else {
        let failure = Failure::from_diagnostics(&errors.into_vec(), sources);
        let message = format!(
            "nothing was written, because the import does not fit the model: {}",
            failure.message
        );
        return Err(Failure { message, ..failure });
    };
    Ok(verify(&model, draft, first, last))
}

/// Leaves out the differences about elements and lines that are reported already: a line is reported once, not again
/// for each element that follows it.
fn leave_out_known(
    remaining: &mut Vec<Diagnostic>,
    after: &Sources<'_>,
    reported: &[Diagnostic],
    before: &Sources<'_>,
) {
    let lines: BTreeSet<&str> = reported
        .iter()
        .filter_map(|reported| line_of(reported, before))
        .collect();
    let elements: BTreeSet<&String> = reported
        .iter()
        .filter_map(|reported| reported.element.as_ref())
        .collect();
    remaining.retain(|diagnostic| {
        let is_known = diagnostic
            .element
            .as_ref()
            .is_some_and(|element| elements.contains(element));
        !is_known && line_of(diagnostic, after).is_none_or(|line| !lines.contains(line))
    });
}

/// The line that a diagnostic is about, as it is written.
fn line_of<'t>(diagnostic: &Diagnostic, sources: &Sources<'t>) -> Option<&'t str> {
    let span = diagnostic.primary.as_ref()?.span;
    let text = sources.file(span.file)?.text;
    let start = text.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    text.get(start..)?.lines().next()
}
