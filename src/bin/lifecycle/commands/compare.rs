//! `lifecycle compare`: where a model and another source differ.

use std::fmt::Write as _;
use std::path::Path;

use lifecycle::compare::{Claims, compare as compare_claims, of_product};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::import::peers::{Listed, kubepug, pluto};
use lifecycle::import::{calendar, gates};
use lifecycle::render::{json, markdown, table};
use lifecycle::report::{ComparisonCounts, ComparisonReport};
use lifecycle::source::Sources;
use lifecycle::text::{LARGEST, Unreadable};

use crate::args::{Compare, Format, PolicyOptions, SourceFormat};
use crate::failure::{Failure, Outcome};
use crate::input_errors::{self, rendered};
use crate::io::disk::{self, FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::model_files::{self, LoadedModel, Side};
use crate::summary::counted;
use crate::terminal::Terminal;

/// The other source as it was read.
enum Source {
    Model(Box<LoadedModel>),
    Text(FileText, SourceFormat),
}

pub fn compare(arguments: &Compare, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (name, tree) = model_files::find(arguments.choice())?;
    if name == STANDARD_INPUT && arguments.source == STANDARD_INPUT {
        return Err(Failure::new("both sources are standard input").help("name a file for one of them"));
    }
    let here = load(&name, &tree, Side::Head)?;
    let there = read(arguments)?;
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
        Source::Text(text, format) => listed(text, *format, arguments, &claims)?,
    };
    print(&compare_claims(&claims, &other), arguments.format, terminal)
}

fn load(name: &str, tree: &FileTree, side: Side) -> Result<LoadedModel, Failure> {
    LoadedModel::read(name, tree, &PolicyOptions::default(), side)
}

fn claims_of<'l>(loaded: &'l LoadedModel, name: &str, sources: &Sources<'_>) -> Result<Claims, &'l [Diagnostic]> {
    match &loaded.evaluated {
        Ok(evaluation) => Ok(Claims::of_model(name, evaluation.model(), sources)),
        Err(errors) => Err(errors),
    }
}

/// Reads the other source, whose format is named or recognized.
fn read(arguments: &Compare) -> Result<Source, Failure> {
    let name = arguments.source.as_str();
    let known = arguments.source_format.or_else(|| format_of_name(name));
    if known == Some(SourceFormat::Model) {
        return Ok(Source::Model(Box::new(load(name, &FileTree::Disk, Side::Base)?)));
    }
    let text = disk::read_at_most(name, LARGEST)?;
    match known.or_else(|| format_of_text(&text.content)) {
        Some(SourceFormat::Model) if name != STANDARD_INPUT => {
            Ok(Source::Model(Box::new(load(name, &FileTree::Disk, Side::Base)?)))
        }
        Some(format) if format != SourceFormat::Model => Ok(Source::Text(text, format)),
        _ => Err(unknown_format(name)),
    }
}

/// The format that an extension stands for: JSON and YAML have several.
fn format_of_name(name: &str) -> Option<SourceFormat> {
    let name = Path::new(name);
    if disk::has_extension(name, &["toml"]) {
        Some(SourceFormat::Model)
    } else {
        disk::has_extension(name, &["csv"]).then_some(SourceFormat::Calendar)
    }
}

fn unknown_format(name: &str) -> Failure {
    Failure::new(format!("{name}: its format is not recognized"))
        .help("name it with --as: model, pluto, kubepug, feature-gates or calendar")
}

/// The format of a text, by words that only one format has.
fn format_of_text(text: &str) -> Option<SourceFormat> {
    let text = text.trim_start();
    let mut lines = text.lines();
    if text.starts_with(['[', '{']) && !text.starts_with("[[") {
        let formats = [
            ("\"releaseDate\"", SourceFormat::Calendar),
            ("\"deprecated_version\"", SourceFormat::Kubepug),
            ("\"removed_version\"", SourceFormat::Kubepug),
        ];
        if let Some((_, format)) = formats.into_iter().find(|(word, _)| text.contains(word)) {
            return Some(format);
        }
    }
    if lines.any(|line| line.starts_with("deprecated-versions:")) {
        return Some(SourceFormat::Pluto);
    }
    if text.contains("versionedSpecs:") {
        return Some(SourceFormat::FeatureGates);
    }
    text.lines().any(is_of_model).then_some(SourceFormat::Model)
}

fn is_of_model(line: &str) -> bool {
    line == "[calendar]" || line.starts_with("calendar.") || line.starts_with("[group.")
}

/// The claims of a source that is not a model.
fn listed(text: &FileText, format: SourceFormat, arguments: &Compare, here: &Claims) -> Result<Claims, Failure> {
    let name = text.name.as_str();
    match format {
        SourceFormat::Pluto => of_list(name, pluto::read(&text.content), true, arguments, here),
        SourceFormat::Kubepug => of_list(name, kubepug::read(&text.content), false, arguments, here),
        SourceFormat::FeatureGates => {
            let mut found = gates::Found::default();
            let skipped = found.add(&text.content).map_err(|error| unreadable(name, &error))?;
            let claims = Claims::of_gates(name, &found);
            not_empty(with_skipped(claims, &skipped))
        }
        SourceFormat::Model => Err(unknown_format(name)),
        SourceFormat::Calendar => {
            let mut found = calendar::Found::default();
            let skipped = found.add(&text.content).map_err(|error| unreadable(name, &error))?;
            let claims = Claims::of_calendar(name, &found);
            not_empty(with_skipped(claims, &skipped))
        }
    }
}

fn of_list(
    name: &str,
    read: Result<Listed, Unreadable>,
    replaced_by_versions: bool,
    arguments: &Compare,
    here: &Claims,
) -> Result<Claims, Failure> {
    let Listed { entries, told } = read.map_err(|error| unreadable(name, &error))?;
    let chosen = arguments.component.as_deref();
    let (entries, left_out) = of_product(entries, chosen, here).map_err(|products| {
        let message = format!("{name}: no entry has the component `{}`", chosen.unwrap_or_default());
        Failure::new(message).help(format!("it has {}", products.join(", ")))
    })?;
    let mut claims = Claims::of_list(name, &entries, replaced_by_versions);
    claims
        .left_out
        .extend(told.iter().map(|told| format!("{name}:{}: {}", told.line, told.reason)));
    claims.left_out.extend(
        left_out
            .iter()
            .map(|entries| format!("{name}: {entries}; --component compares them")),
    );
    not_empty(claims)
}

fn with_skipped(mut claims: Claims, skipped: &[Unreadable]) -> Claims {
    let name = claims.name.clone();
    let skipped = skipped.iter().map(|error| format!("{name}:{}: {error}", error.line));
    claims.left_out.extend(skipped);
    claims
}

/// Refuses a source without claims: it would agree with everything.
fn not_empty(claims: Claims) -> Result<Claims, Failure> {
    if claims.elements.is_empty() {
        let reason = claims
            .left_out
            .first()
            .map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!("{}: nothing to compare{reason}", claims.name);
        return Err(Failure::new(message).help("name a source about elements of the model, or its format with --as"));
    }
    Ok(claims)
}

fn unreadable(name: &str, error: &Unreadable) -> Failure {
    Failure::unreadable(name, error).help("fix the file, or name its format with --as")
}

fn print(report: &ComparisonReport, format: Format, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let look = terminal.look();
    match format {
        Format::Table => terminal.answer(&table::comparison(report, look)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&rendered(markdown::comparison(report))?),
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
