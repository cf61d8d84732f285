//! `lifecycle what-if`: what a change moves, before anything is written; or several, side by side.

use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, Extent, Loaded};
use lifecycle::render::{html, json, markdown, side_by_side as columns, what_if as table};
use lifecycle::report::{SideBySideReport, WhatIfReport};
use lifecycle::text::LARGEST;
use lifecycle::what_if::{Changes, Edited, Unchangeable};
use lifecycle::{Document, Sources};

use crate::args::{ChangeOptions, Format, PolicyOptions, WhatIf, WhatIfFormat};
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::{content, refuse_stream, write_back};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::model_files::{self, EditedText, ModelFiles, ReadModel, Side};
use crate::policy_files::named_in;
use crate::terminal::Terminal;
use crate::with_model::select;

/// A changed model.
struct Changed {
    words: Vec<String>,
    files: ModelFiles,
    after: Evaluation,
}

pub fn what_if(arguments: &WhatIf, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (name, tree) = model_files::find(arguments.model.choice(), disk)?;
    if arguments.write {
        refuse_stream(&name, "lifecycle what-if --write -")?;
    }
    // The policy is one of the changes.
    let options = PolicyOptions {
        policy: None,
        ..arguments.model.policy.clone()
    };
    let alternatives = arguments.alternatives()?.into_iter();
    let alternatives = alternatives.map(|(asked, policy)| changes(&asked, policy.as_deref(), &name, disk));
    let alternatives: Vec<Changes> = alternatives.collect::<Result<_>>()?;
    let (base, edited) = ReadModel::read_with(&name, &tree, &options, Side::Base, |before, documents| {
        let edited = alternatives
            .iter()
            .map(|changes| EditedModel::of(changes, before, documents));
        edited.collect::<Vec<Result<EditedModel, Unchangeable>>>()
    })?;
    let ReadModel { files, read } = base;
    files.list(terminal);
    let mut before = match read {
        Ok(before) => before,
        Err(errors) => return unreadable(&errors, &files, None, arguments, terminal),
    };
    let mut states = Vec::new();
    for (changes, edited) in alternatives.iter().zip(edited.into_iter().flatten()) {
        let edited = edited.map_err(|problem| Failure::new(problem.message).help(problem.help))?;
        let read = ReadModel::with_texts((&files, &before), edited.texts, &edited.extent, (&tree, &options))?;
        let ReadModel { files: own, read } = read;
        let mut after = match read {
            Ok(after) => after,
            Err(errors) => return unreadable(&errors, &files, Some(&own), arguments, terminal),
        };
        // A page shows all of a model, a filter may ask for a state, and several changes share the state before them.
        if alternatives.len() == 1 && arguments.format != WhatIfFormat::Html && arguments.filter.filter().is_empty() {
            [before, after] = Loaded::around_change([before, after], &edited.extent);
        }
        states.push((changes.words(), own, after));
    }
    let mut before = match before.evaluate() {
        Ok(before) => before,
        Err(errors) => return unreadable(&errors, &files, None, arguments, terminal),
    };
    let mut changed = Vec::new();
    for (words, own, after) in states {
        match after.evaluate() {
            Ok(after) => changed.push(Changed {
                words,
                files: own,
                after,
            }),
            Err(errors) => return unreadable(&errors, &files, Some(&own), arguments, terminal),
        }
    }
    select_in_all(&mut before, &mut changed, arguments, terminal)?;
    let illegal = answer((&before, &files), &mut changed, (&name, arguments), (disk, terminal))?;
    std::mem::forget((before, changed));
    Ok(Outcome::of_findings(illegal))
}

/// The texts of a changed model, with what the changes may reach.
struct EditedModel {
    texts: Vec<EditedText>,
    extent: Extent,
}

impl EditedModel {
    fn of(changes: &Changes, before: &Loaded, documents: &[Document<'_>]) -> Result<Self, Unchangeable> {
        let Edited { texts, extent } = changes.edit(before, documents)?;
        let texts = texts.into_iter().zip(documents);
        let texts = texts.map(|(text, document)| EditedText::of(document, text));
        Ok(Self {
            texts: texts.collect(),
            extent,
        })
    }
}

/// Reports errors in the files of the model, or of the changed one.
fn unreadable(
    errors: &[Diagnostic],
    files: &ModelFiles,
    changed: Option<&ModelFiles>,
    arguments: &WhatIf,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    if let Some(changed) = changed {
        terminal.warn("the changed model cannot be read:");
        changed.add_to(&mut sources);
    }
    let format = match arguments.format {
        WhatIfFormat::Table | WhatIfFormat::Html => Format::Table,
        WhatIfFormat::Json => Format::Json,
        WhatIfFormat::Markdown => Format::Markdown,
    };
    input_errors::report(errors, &sources, format, terminal)
}

/// Prints what moves, and writes the changed files if asked to. Returns whether anything becomes illegal.
fn answer(
    (before, files): (&Evaluation, &ModelFiles),
    changed: &mut [Changed],
    (name, arguments): (&str, &WhatIf),
    (disk, terminal): (&Disk, &mut Terminal),
) -> Result<bool> {
    if changed.iter().all(|changed| changed.words.is_empty()) {
        terminal.note("no change is asked for: --set, --add, --drop, --slip or --policy names one");
    }
    if let [only] = changed {
        return one((before, files), only, (name, arguments), (disk, terminal));
    }
    let mut reports = Vec::new();
    for one in changed {
        let sources = one.files.sources_with(files);
        reports.push(one.after.what_if(&sources, before, std::mem::take(&mut one.words)));
    }
    let report = SideBySideReport::of(reports);
    let style = terminal.style();
    match arguments.format {
        WhatIfFormat::Table => terminal.answer(&columns::side_by_side(&report, style)),
        WhatIfFormat::Json => terminal.write(|out| json::value(&report, out)),
        WhatIfFormat::Markdown => terminal.answer(&markdown::side_by_side(&report)?),
        WhatIfFormat::Html => {
            return Err(
                Failure::new("a page shows one change: the timeline with it, over what it was")
                    .help("draw each change alone, or use `--format markdown`"),
            );
        }
    }
    Ok(report.alternatives.iter().any(|one| one.counts.illegal > 0))
}

fn one(
    (before, files): (&Evaluation, &ModelFiles),
    changed: &mut Changed,
    (name, arguments): (&str, &WhatIf),
    (disk, terminal): (&Disk, &mut Terminal),
) -> Result<bool> {
    let sources = changed.files.sources_with(files);
    let report = changed
        .after
        .what_if(&sources, before, std::mem::take(&mut changed.words));
    let illegal = report.counts.illegal > 0;
    let is_empty = report.is_empty();
    let is_piped = arguments.write && name == STANDARD_INPUT;
    if !is_piped && arguments.format == WhatIfFormat::Html {
        let (asked, counts) = (report.changes.clone(), table::counts(&report));
        drop(report);
        let mut picture = changed.after.picture(&sources);
        picture.lay_over(before.picture(&sources), asked, counts);
        terminal.answer(&html::picture(&picture)?);
    } else if !is_piped {
        print(&report, &sources, arguments, terminal)?;
    }
    let texts = changed.files.model_texts();
    let edits = files.changed(&texts);
    if is_empty && !edits.is_empty() && arguments.filter.filter().is_empty() {
        terminal.note("the text of the model changes, and nothing moves");
    }
    if arguments.write {
        if is_piped {
            for (before, after) in &edits {
                terminal.answer(&content(before, after));
            }
        } else {
            write_back(&edits, disk)?;
            let names: Vec<&str> = edits.iter().map(|(before, _)| before.name.as_str()).collect();
            terminal.note(&match names.as_slice() {
                [] => "nothing to write".to_owned(),
                names => format!("written: {}", names.join(", ")),
            });
        }
    }
    Ok(illegal)
}

fn changes(asked: &ChangeOptions, policy: Option<&str>, model: &str, disk: &Disk) -> Result<Changes> {
    let calendar = asked.calendar.as_deref();
    let calendar = calendar.map(|file| disk.read_at_most(file, LARGEST)).transpose()?;
    let patches = asked.patch.iter().map(|file| {
        let text = disk.read_at_most(file, LARGEST)?;
        Ok((text.name, text.content))
    });
    Ok(Changes {
        declarations: asked.set.clone(),
        slips: asked.slip.clone(),
        only: asked.only,
        calendar: calendar.map(|text| (text.name, text.content)),
        policy: policy.map(|policy| named_in(model, policy)),
        added: asked.add.clone(),
        dropped: asked.drop.clone(),
        patches: patches.collect::<Result<_>>()?,
    })
}

/// Restricts all states to the elements of a filter, which some of them may not have.
fn select_in_all(
    before: &mut Evaluation,
    changed: &mut [Changed],
    arguments: &WhatIf,
    terminal: &mut Terminal,
) -> Result<()> {
    let filter = arguments.filter.filter();
    let found = changed.iter_mut().map(|changed| changed.after.select(&filter));
    let mut found: Vec<_> = found.collect();
    found.push(before.select(&filter));
    if found.iter().all(Result::is_err) {
        return select(before, &filter, terminal);
    }
    if let (true, Some(Ok(Some(nothing)))) = (found.iter().all(|one| !matches!(one, Ok(None))), found.pop()) {
        terminal.note(&nothing);
    }
    Ok(())
}

fn print(report: &WhatIfReport<'_>, sources: &Sources<'_>, arguments: &WhatIf, terminal: &mut Terminal) -> Result<()> {
    let style = terminal.style();
    match arguments.format {
        WhatIfFormat::Table => terminal.answer(&table::what_if(report, sources, arguments.all, style)),
        WhatIfFormat::Json => terminal.write(|out| json::value(report, out)),
        WhatIfFormat::Markdown => terminal.answer(&markdown::what_if(report)?),
        WhatIfFormat::Html => {}
    }
    Ok(())
}
