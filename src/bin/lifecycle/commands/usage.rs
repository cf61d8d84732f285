//! `lifecycle usage`: who uses what, from logs, metrics and counts.

mod progress;

use lifecycle::render::{json, usage as tables};
use lifecycle::report::{Evidence, EvidenceSource};
use lifecycle::usage::{Content, Origin, ReadError, Watched, query, read};

use super::scan::models::{Evaluated, Models};
use crate::args::{self, Format, PolicyOptions, Query, QueryLanguage, UsageFormat, UsageQuery};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::io::write::{refuse_input, write_whole};
use crate::summary::counted;
use crate::terminal::Terminal;
use progress::Progress;

pub fn usage(arguments: &args::Usage, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    if let Some(UsageQuery::Query(arguments)) = &arguments.query {
        return print_query(arguments, disk, terminal);
    }
    let evaluated = Evaluated {
        options: &PolicyOptions::default(),
        format: match arguments.format {
            UsageFormat::Table => Format::Table,
            UsageFormat::Json => Format::Json,
        },
    };
    let models = match Models::read(&arguments.models, evaluated, disk, terminal)? {
        Ok(models) => models,
        Err(outcome) => return Ok(outcome),
    };
    let watched = models.watched(&arguments.to)?;
    if let Some(output) = &arguments.output {
        let inputs: Vec<&str> = models
            .names()
            .chain(arguments.files.iter().map(String::as_str))
            .collect();
        refuse_input(disk, "--output", (output, output), &inputs)?;
    }
    let mut sources = Vec::new();
    for file in &arguments.files {
        sources.extend(read_file(file, arguments, &watched, disk)?);
    }
    let evidence = Evidence::of(sources);
    warn(&evidence, terminal);
    if let Some(output) = &arguments.output {
        let mut content = Vec::new();
        json::value(&evidence, &mut content).map_err(|problem| Failure::new(problem.to_string()))?;
        write_whole(disk, output, &content)?;
    }
    let style = terminal.style();
    match arguments.format {
        UsageFormat::Table => terminal.answer(&tables::usage(&evidence, style)),
        UsageFormat::Json => terminal.write(|out| json::value(&evidence, out)),
    }
    if let Some(output) = &arguments.output {
        terminal.note(&format!("written: {output}"));
    }
    Ok(Outcome::Clean)
}

fn print_query(arguments: &Query, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let evaluated = Evaluated {
        options: &PolicyOptions::default(),
        format: Format::Table,
    };
    let models = match Models::read(&arguments.models, evaluated, disk, terminal)? {
        Ok(models) => models,
        Err(outcome) => return Ok(outcome),
    };
    let watched = models.watched(&arguments.to)?;
    if !watched.has_requests() {
        let message = "no API version or kind is deprecated or removed by the release: there is nothing to ask for";
        return Err(Failure::new(message).help("name a later release: --to RELEASE"));
    }
    terminal.answer(&match (arguments.language, arguments.dialect) {
        (QueryLanguage::Promql, _) => query::prometheus(&watched),
        (QueryLanguage::Logql, _) => query::loki(&watched, &arguments.selector),
        (QueryLanguage::Sql, dialect) => {
            let table = query::Table {
                name: &arguments.table,
                column: &arguments.column,
            };
            let dialect = dialect.ok_or_else(|| Failure::new("--for sql needs the engine: --dialect ENGINE"))?;
            query::sql(&watched, dialect.into(), table)
        }
    });
    Ok(Outcome::Clean)
}

/// The sources of evidence in a file.
fn read_file(file: &str, arguments: &args::Usage, watched: &Watched, disk: &Disk) -> Result<Vec<EvidenceSource>> {
    let origin = Origin {
        name: if file == STANDARD_INPUT { "standard input" } else { file },
        share: arguments.share,
        day: arguments.day,
    };
    let (input, length) = disk.stream(file)?;
    let input = Progress::new(input, origin.name, length);
    let content = read(
        input,
        arguments.read_as.map(Into::into),
        origin,
        (watched, arguments.bodies),
    );
    match content {
        Ok(Content::Evidence(evidence)) => Ok(evidence.sources),
        Ok(Content::Source(source)) => Ok(vec![source]),
        Err(ReadError::Unreadable(error)) => {
            let failure = Failure::new(error.within(origin.name));
            Err(if error.reason.contains("day") || error.reason.contains("time") {
                failure.help("name the day on which it was taken: --day DATE")
            } else {
                failure.help("--read-as says what it is, where that does not show by how it begins")
            })
        }
        Err(problem) => Err(Failure::new(format!("cannot read {}: {problem}", origin.name)).help("check the file")),
    }
}

/// Reports what could not be understood, with its places.
fn warn(evidence: &Evidence, terminal: &mut Terminal) {
    for source in evidence.sources.iter().filter(|source| source.lost > 0) {
        let places = source.lost_at.iter();
        let places: Vec<String> = places
            .map(|lost| format!("{}:{}: {}", source.name, lost.line, lost.reason))
            .collect();
        let lost = counted(usize::try_from(source.lost).unwrap_or(usize::MAX), "line");
        terminal.warn(&format!("warning: {}: {lost} of {} lost", source.name, source.lines));
        terminal.note_some("lost: ", &places);
    }
}
