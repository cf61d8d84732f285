//! `lifecycle compare`: where a model and another source differ.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use lifecycle::Sources;
use lifecycle::compare::{Claims, SourceFormat, compare as compare_claims};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::render::{json, markdown, table};
use lifecycle::report::{ComparisonCounts, ComparisonReport};
use lifecycle::text::LARGEST;

use crate::args::{Compare, Format, PolicyOptions};
use crate::failure::{Failure, Outcome, Result};
use crate::input_errors;
use crate::io::bounds::real_path;
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{self, LoadedModel, Side};
use crate::summary::counted;
use crate::terminal::Terminal;

enum Source {
    Model(Box<LoadedModel>),
    Text(FileText, SourceFormat),
}

pub fn compare(arguments: &Compare, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (name, tree) = model_files::find(arguments.choice(), disk)?;
    if name == STANDARD_INPUT && arguments.source == STANDARD_INPUT {
        return Err(Failure::new("both sources are standard input").help("name a file for one of them"));
    }
    refuse_itself(&name, &tree, &arguments.source)?;
    let here = load(&name, &tree, Side::Head)?;
    let there = read(arguments, disk)?;
    let mut sources = Sources::new();
    here.files.list(terminal);
    here.files.add_to(&mut sources);
    if let Source::Model(there) = &there {
        there.files.list(terminal);
        there.files.add_to(&mut sources);
    }
    let claims = match claims_of(&here, &name, &sources) {
        Ok(claims) => claims,
        Err(errors) => return input_errors::report(errors, &sources, arguments.format, terminal),
    };
    let other = match &there {
        Source::Model(there) => match claims_of(there, &arguments.source, &sources) {
            Ok(claims) => claims,
            Err(errors) => return input_errors::report(errors, &sources, arguments.format, terminal),
        },
        Source::Text(text, format) => {
            let component = arguments.component.as_deref();
            Claims::read(*format, &text.name, &text.content, component, &claims)
                .map_err(|error| Failure::new(error.message).help(error.help))?
        }
    };
    print(&compare_claims(&claims, &other), arguments.format, terminal)
}

/// Refuses to compare a file with itself, as where the only source that is named is the nearest model.
fn refuse_itself(name: &str, tree: &FileTree, source: &str) -> Result<()> {
    let is_on_disk = matches!(tree, FileTree::Disk(_)) && name != STANDARD_INPUT;
    let here = real_path(Path::new(name)).filter(|_| is_on_disk);
    if here.is_none() || here != real_path(Path::new(source)) {
        return Ok(());
    }
    let error = Failure::new(format!("{source} would be compared with itself"));
    Err(error.help("name the model and the other source: `lifecycle compare lifecycle.toml SOURCE`"))
}

fn load(name: &str, tree: &FileTree, side: Side) -> Result<LoadedModel> {
    LoadedModel::read(name, tree, &PolicyOptions::default(), side)
}

fn claims_of<'l>(loaded: &'l LoadedModel, name: &str, sources: &Sources<'_>) -> Result<Claims, &'l [Diagnostic]> {
    match &loaded.evaluated {
        Ok(evaluation) => Ok(Claims::of_model(name, evaluation.model(), sources)),
        Err(errors) => Err(errors),
    }
}

fn read(arguments: &Compare, disk: &Disk) -> Result<Source> {
    let tree = FileTree::Disk(disk.clone());
    let name = arguments.source.as_str();
    let extension = Path::new(name).extension().and_then(OsStr::to_str);
    let known = arguments.source_format.map(SourceFormat::from);
    let known = known.or_else(|| SourceFormat::of_extension(extension?));
    if known == Some(SourceFormat::Model) {
        return Ok(Source::Model(Box::new(load(name, &tree, Side::Base)?)));
    }
    let text = disk.read_at_most(name, LARGEST)?;
    match known.or_else(|| SourceFormat::of_text(&text.content)) {
        Some(SourceFormat::Model) if name != STANDARD_INPUT => {
            Ok(Source::Model(Box::new(load(name, &tree, Side::Base)?)))
        }
        Some(format) if format != SourceFormat::Model => Ok(Source::Text(text, format)),
        _ => {
            let error = Failure::new(format!("{name}: its format is not recognized"));
            Err(error.help("name it with --as: model, pluto, kubepug, feature-gates or calendar"))
        }
    }
}

fn print(report: &ComparisonReport, format: Format, terminal: &mut Terminal) -> Result<Outcome> {
    let style = terminal.style();
    match format {
        Format::Table => terminal.answer(&table::comparison(report, style)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&markdown::comparison(report)?),
    }
    terminal.warn_some("not compared: ", &report.left_out);
    terminal.note(&summary(report));
    Ok(Outcome::of_findings(!report.differences.is_empty()))
}

fn summary(report: &ComparisonReport) -> String {
    let ComparisonCounts {
        compared,
        agree,
        differ,
        only_here,
        only_there,
        dates,
        dates_differ,
        ..
    } = report.counts;
    let mut text = format!(
        "{} compared: {agree} agree, {differ} differ; of {} in both, {dates_differ} differ",
        counted(compared, "element"),
        counted(dates, "release date")
    );
    let [here, there] = report.titles();
    for (count, name) in [(only_here, here), (only_there, there)] {
        if count > 0 {
            let _ = write!(text, "; {count} only in {name}");
        }
    }
    text
}
