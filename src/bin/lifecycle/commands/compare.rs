//! `lifecycle compare`: where a model and another source disagree.

use std::fmt::Write as _;

use lifecycle::compare::{Claims, compare as hold_against, of_product};
use lifecycle::diagnostic::Diagnostic;
use lifecycle::import::peers::{Listed, kubepug, pluto};
use lifecycle::import::{calendar, gates};
use lifecycle::render::{json, markdown, table};
use lifecycle::report::{ComparisonCounts, ComparisonReport};
use lifecycle::source::Sources;
use lifecycle::text::{LARGEST, Unreadable};

use crate::args::{Compare, Format, Judgement, SourceFormat};
use crate::files::{self, STANDARD_INPUT, Text};
use crate::load::{Loaded, Side};
use crate::store::Store;
use crate::terminal::Terminal;

use super::{Failure, Outcome, page, unusable};

/// The other source as it was read.
enum Source {
    Model(Box<Loaded>),
    Text(Text, SourceFormat),
}

pub(super) fn compare(arguments: &Compare, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (name, store) = arguments.chosen().find()?;
    if name == STANDARD_INPUT && arguments.source == STANDARD_INPUT {
        return Err(Failure::new("both sources are standard input").help("name a file for one of them"));
    }
    let here = load(&name, &store, Side::Head)?;
    let there = read(arguments)?;
    let mut sources = Sources::new();
    here.files.announce(terminal);
    here.files.add_to(&mut sources);
    if let Source::Model(there) = &there {
        there.files.announce(terminal);
        there.files.add_to(&mut sources);
    }
    let claims = match claims_of(&here, &name, &sources) {
        Ok(claims) => claims,
        Err(faults) => return unusable(faults, &sources, arguments.format, terminal),
    };
    let other = match &there {
        Source::Model(there) => match claims_of(there, &arguments.source, &sources) {
            Ok(claims) => claims,
            Err(faults) => return unusable(faults, &sources, arguments.format, terminal),
        },
        Source::Text(text, form) => listed(text, *form, arguments, &claims)?,
    };
    answer(&hold_against(&claims, &other), arguments.format, terminal)
}

fn load(name: &str, store: &Store, side: Side) -> Result<Loaded, Failure> {
    let judgement = Judgement {
        policy: None,
        as_of: None,
        allow: Vec::new(),
        warn: Vec::new(),
        deny: Vec::new(),
    };
    Loaded::of(name, store, &judgement, side)
}

fn claims_of<'l>(loaded: &'l Loaded, name: &str, sources: &Sources<'_>) -> Result<Claims, &'l [Diagnostic]> {
    match &loaded.evaluated {
        Ok(evaluation) => Ok(Claims::of_model(name, evaluation.model(), sources)),
        Err(faults) => Err(faults),
    }
}

/// Reads the other source, after finding out what it is.
fn read(arguments: &Compare) -> Result<Source, Failure> {
    let name = arguments.source.as_str();
    let ending = std::path::Path::new(name).extension();
    let ends = |with: &str| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(with));
    let by_name = [("toml", SourceFormat::Model), ("csv", SourceFormat::Calendar)];
    let by_name = by_name.into_iter().find(|(with, _)| ends(with)).map(|(_, form)| form);
    let known = arguments.form.or(by_name);
    if known == Some(SourceFormat::Model) {
        return Ok(Source::Model(Box::new(load(name, &Store::Disk, Side::Base)?)));
    }
    let text = files::read_at_most(name, LARGEST)?;
    match known.or_else(|| form_of(&text.content)) {
        Some(SourceFormat::Model) if name != STANDARD_INPUT => {
            Ok(Source::Model(Box::new(load(name, &Store::Disk, Side::Base)?)))
        }
        Some(form) if form != SourceFormat::Model => Ok(Source::Text(text, form)),
        _ => Err(unclear(name)),
    }
}

fn unclear(name: &str) -> Failure {
    Failure::new(format!("{name}: its content does not tell what it is"))
        .help("say it with --as: model, pluto, kubepug, feature-gates or calendar")
}

/// What a text is, by the words that only one format has.
fn form_of(text: &str) -> Option<SourceFormat> {
    let text = text.trim_start();
    let mut lines = text.lines();
    if text.starts_with(['[', '{']) && !text.starts_with("[[") {
        let forms = [
            ("\"releaseDate\"", SourceFormat::Calendar),
            ("\"deprecated_version\"", SourceFormat::Kubepug),
            ("\"removed_version\"", SourceFormat::Kubepug),
        ];
        if let Some((_, form)) = forms.into_iter().find(|(word, _)| text.contains(word)) {
            return Some(form);
        }
    }
    if lines.any(|line| line.starts_with("deprecated-versions:")) {
        return Some(SourceFormat::Pluto);
    }
    if text.contains("versionedSpecs:") {
        return Some(SourceFormat::FeatureGates);
    }
    let is_calendar = |line: &str| line == "[calendar]" || line.starts_with("calendar.") || line.starts_with("[group.");
    text.lines().any(is_calendar).then_some(SourceFormat::Model)
}

/// What a source that is no model says.
fn listed(text: &Text, form: SourceFormat, arguments: &Compare, here: &Claims) -> Result<Claims, Failure> {
    let name = text.name.as_str();
    match form {
        SourceFormat::Pluto => of_list(name, pluto::read(&text.content), true, arguments, here),
        SourceFormat::Kubepug => of_list(name, kubepug::read(&text.content), false, arguments, here),
        SourceFormat::FeatureGates => {
            let mut found = gates::Found::default();
            let skipped = found.add(&text.content).map_err(|fault| unreadable(name, &fault))?;
            let claims = Claims::of_gates(name, &found);
            something(with_skipped(claims, &skipped))
        }
        SourceFormat::Model => Err(unclear(name)),
        SourceFormat::Calendar => {
            let mut found = calendar::Found::default();
            let skipped = found.add(&text.content).map_err(|fault| unreadable(name, &fault))?;
            let claims = Claims::of_calendar(name, &found);
            something(with_skipped(claims, &skipped))
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
    let Listed { entries, told } = read.map_err(|fault| unreadable(name, &fault))?;
    let chosen = arguments.component.as_deref();
    let (entries, left_out) = of_product(entries, chosen, here).map_err(|products| {
        let message = format!("{name}: no entry is of the component `{}`", chosen.unwrap_or_default());
        Failure::new(message).help(format!("it has {}", products.join(", ")))
    })?;
    let mut claims = Claims::of_list(name, &entries, replaced_by_versions);
    claims
        .left_out
        .extend(told.iter().map(|told| format!("{name}:{}: {}", told.line, told.reason)));
    claims.left_out.extend(
        left_out
            .iter()
            .map(|entries| format!("{name}: {entries}: --component compares them")),
    );
    something(claims)
}

fn with_skipped(mut claims: Claims, skipped: &[Unreadable]) -> Claims {
    let name = claims.name.clone();
    let told = skipped.iter().map(|fault| format!("{name}:{}: {fault}", fault.line));
    claims.left_out.extend(told);
    claims
}

/// A source that says nothing agrees with everything: that is no answer.
fn something(claims: Claims) -> Result<Claims, Failure> {
    if claims.elements.is_empty() {
        let reason = claims
            .left_out
            .first()
            .map_or_else(String::new, |reason| format!(": {reason}"));
        let message = format!("{}: nothing to compare{reason}", claims.name);
        return Err(Failure::new(message).help("name a source that tells of the model's elements, or choose with --as"));
    }
    Ok(claims)
}

fn unreadable(name: &str, fault: &Unreadable) -> Failure {
    Failure::unreadable(name, fault).help("mend the file, or say with --as what it is")
}

fn answer(report: &ComparisonReport, format: Format, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let look = terminal.look();
    match format {
        Format::Table => terminal.answer(&table::comparison(report, look)),
        Format::Json => terminal.write(|out| json::value(report, out)),
        Format::Markdown => terminal.answer(&page(markdown::comparison(report))?),
    }
    terminal.complain_some("not compared: ", &report.left_out);
    terminal.tell(&summary(report));
    Ok(if report.differences.is_empty() {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
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
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{compared} element{} compared: {agree} agree, {differ} differ",
        plural(compared)
    );
    let _ = write!(
        text,
        "; of {dates} date{} that both tell, {dates_differ} differ",
        plural(dates)
    );
    let [here, there] = report.titles();
    for (count, name) in [(only_here, here), (only_there, there)] {
        if count > 0 {
            let _ = write!(text, "; {count} only in {name}");
        }
    }
    text
}
