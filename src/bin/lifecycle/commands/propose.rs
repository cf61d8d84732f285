//! `lifecycle propose`: staged rollouts as plans.

use lifecycle::Sources;
use lifecycle::evaluate::Evaluation;
use lifecycle::grammar::EventKind;
use lifecycle::model::Model;
use lifecycle::propose::{Proposal, Request, declaration, propose as plan_rollout};
use lifecycle::render::{json, rollout as checklist};
use lifecycle::report::RolloutReport;

use crate::args::{Format, Propose, Rollout, RolloutFormat};
use crate::commands::check::schemas::ModelSchemas;
use crate::element::find_element;
use crate::evidence;
use crate::failure::{Failure, Outcome, Result};
use crate::file_edits::{Edit, content, diff, refuse_stream, write_back};
use crate::input_errors;
use crate::io::disk::{Disk, STANDARD_INPUT};
use crate::model_files::{self, LoadedModel, Side};
use crate::terminal::Terminal;

pub fn propose(arguments: &Propose, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    let (proposal, element, rollout) = parts(arguments);
    let (name, tree) = model_files::find(rollout.model.choice(), disk)?;
    if rollout.write {
        refuse_stream(&name, "lifecycle propose … --write -m -")?;
    }
    let LoadedModel { files, mut evaluated } = LoadedModel::read(&name, &tree, &rollout.model.policy, Side::Head)?;
    files.list(terminal);
    know_usage(arguments, evaluated.as_mut().ok(), disk)?;
    let mut sources = Sources::new();
    files.add_to(&mut sources);
    let base = match &evaluated {
        Ok(base) => base,
        Err(errors) => {
            return input_errors::report(errors, &sources, of_errors(rollout.format), terminal);
        }
    };
    let ends = match proposal {
        Proposal::Removal => Some(EventKind::Removed),
        Proposal::Deprecation => Some(EventKind::Deprecated),
        _ => None,
    };
    let (element, release) = ends.map_or((element, None), |_| with_release(base.model(), element));
    undeclared(base, &name, element, disk)?;
    let element = match ends {
        Some(_) => base.model().id(find_element(base.model(), element)?),
        None => element,
    };
    let asked = ends.zip(release);
    let asked = asked.map(|(what, release)| (what.as_str().to_owned(), release.to_owned()));
    let at: Vec<(String, String)> = rollout.at.iter().cloned().chain(asked).collect();
    let request = Request {
        proposal,
        element,
        from: rollout.from.as_deref(),
        at: &at,
    };
    let proposed = plan_rollout(&request, base, &files.model_texts(), |texts| {
        files.evaluate_instead(texts, &rollout.model.policy)
    })
    .map_err(|problem| Failure::new(problem.message).help(problem.help))?;
    let report = proposed.report(base, &sources);
    let edits = files.changed(&proposed.texts);
    // A model that is written back to standard output stands there alone.
    let is_piped = rollout.write && report.allowed && name == STANDARD_INPUT;
    if !is_piped {
        print(&report, rollout, &edits, terminal)?;
    }
    if !report.allowed {
        terminal.note(refused(rollout.write));
        return Ok(Outcome::Findings);
    }
    if rollout.write {
        write(&name, &edits, disk, terminal)?;
    } else if !edits.is_empty() && !base.model().is_read_only() {
        terminal.note("--write writes these edits");
    }
    Ok(Outcome::Clean)
}

fn refused(write: bool) -> &'static str {
    if write {
        "not allowed; nothing was written"
    } else {
        "not allowed"
    }
}

/// Lets a proposal of a removal know who uses what.
fn know_usage(arguments: &Propose, base: Option<&mut Evaluation>, disk: &Disk) -> Result<()> {
    if let (Propose::Removal { evidence: given, .. }, Some(base)) = (arguments, base)
        && let Some(known) = evidence::read(&given.evidence, disk)?
    {
        base.know_usage(known);
    }
    Ok(())
}

/// The format of errors in the input files.
fn of_errors(format: RolloutFormat) -> Format {
    match format {
        RolloutFormat::Json => Format::Json,
        RolloutFormat::Markdown => Format::Markdown,
        RolloutFormat::Table | RolloutFormat::Toml => Format::Table,
    }
}

/// An element and a release: `apps/v1@1.40`. The id of an annotation has an `@` of its own.
fn with_release<'t>(model: &Model, typed: &'t str) -> (&'t str, Option<&'t str>) {
    let is_whole = !model.find_abbreviated(typed).is_empty();
    let parts = typed.rsplit_once('@').filter(|_| !is_whole);
    parts.map_or((typed, None), |(element, release)| (element, Some(release)))
}

/// Refuses a field or a value that the schemas of the model have, and the model does not declare: no release of it is
/// known.
fn undeclared(base: &Evaluation, name: &str, element: &str, disk: &Disk) -> Result<()> {
    if base.model().schemas.is_empty() || !base.model().find_abbreviated(element).is_empty() {
        return Ok(());
    }
    if !ModelSchemas::read(base, name, None, disk)?.describe(element) {
        return Ok(());
    }
    let message = format!("the schemas have `{element}`, but the model does not declare it");
    let table = declaration(element)
        .map(|table| format!(": add `{table}`"))
        .unwrap_or_default();
    let help = format!(
        "declare it in the model first{table}; without `introduced = \"RELEASE\"` below that, it is as old as its kind"
    );
    Err(Failure::new(message).help(help))
}

fn parts(arguments: &Propose) -> (Proposal, &str, &Rollout) {
    match arguments {
        Propose::Field { element, gate, rollout } => (Proposal::Field { gate: gate.clone() }, element, rollout),
        Propose::EnumValue { element, gate, rollout } => (Proposal::EnumValue { gate: gate.clone() }, element, rollout),
        Propose::ApiVersion {
            element,
            kinds,
            rollout,
        } => (Proposal::ApiVersion { kinds: kinds.clone() }, element, rollout),
        Propose::Gate { element, rollout } => (Proposal::Gate, element, rollout),
        Propose::Deprecation { element, rollout } => (Proposal::Deprecation, element, rollout),
        Propose::Removal { element, rollout, .. } => (Proposal::Removal, element, rollout),
    }
}

fn print(report: &RolloutReport<'_>, rollout: &Rollout, edits: &[Edit<'_>], terminal: &mut Terminal) -> Result<()> {
    match rollout.format {
        RolloutFormat::Json => terminal.write(|out| json::value(report, out)),
        RolloutFormat::Markdown => terminal.answer(&checklist::page(report)?),
        RolloutFormat::Toml if report.allowed => terminal.answer(&report.fragment),
        RolloutFormat::Toml => report.against.iter().for_each(|reason| terminal.warn(reason)),
        RolloutFormat::Table => {
            let style = terminal.style();
            terminal.answer(&checklist::checklist(report, style)?);
            for edit in edits.iter().filter(|_| report.allowed && !rollout.write) {
                terminal.answer("\n");
                terminal.answer(&diff(*edit, terminal.is_terminal()));
            }
        }
    }
    Ok(())
}

fn write(name: &str, edits: &[Edit<'_>], disk: &Disk, terminal: &mut Terminal) -> Result<()> {
    if name == STANDARD_INPUT {
        for (before, after) in edits {
            terminal.answer(&content(before, after));
        }
        return Ok(());
    }
    write_back(edits, disk)?;
    let names: Vec<&str> = edits.iter().map(|(before, _)| before.name.as_str()).collect();
    terminal.note(&format!("written: {}", names.join(", ")));
    Ok(())
}
