//! `propose`: staged rollouts as plans.

use std::path::Path;

use lifecycle::propose::{Proposal, Request, propose as work_out};
use lifecycle::render::{json, rollout as checklist};
use lifecycle::report::RolloutReport;
use lifecycle::source::Sources;

use crate::args::{Format, Propose, Rollout, RolloutFormat};
use crate::files::{STANDARD_INPUT, Text};
use crate::load::{Loaded, Side};
use crate::terminal::Terminal;

use super::fix::{content, diff, put_in_place};
use super::why::find_element;
use super::{Failure, Outcome, page, unusable};

pub(super) fn propose(arguments: &Propose, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let (proposal, element, rollout) = asked(arguments);
    let (name, store) = rollout.chosen().find()?;
    if rollout.write && name != STANDARD_INPUT && Path::new(&name).exists() && !Path::new(&name).is_file() {
        return Err(Failure::new(format!("{name} is no file that can be written back"))
            .help("give the model on standard input: `lifecycle propose … --write -m -` prints it with the entries"));
    }
    let loaded = Loaded::of(&name, &store, &rollout.judgement, Side::Head)?;
    loaded.files.announce(terminal);
    let mut sources = Sources::new();
    loaded.files.add_to(&mut sources);
    let base = match &loaded.evaluated {
        Ok(base) => base,
        Err(faults) => return unusable(faults, &sources, rollout.format.of_faults(), terminal),
    };
    let element = match proposal {
        Proposal::Removal => base.model().id(find_element(base.model(), element)?),
        _ => element,
    };
    let texts: Vec<String> = loaded.files.models.iter().map(|text| text.content.clone()).collect();
    let request = Request {
        proposal,
        element,
        from: rollout.from.as_deref(),
        at: &rollout.at,
    };
    let judge = |texts: &[String]| loaded.files.evaluate_instead(texts, &rollout.judgement);
    let proposed =
        work_out(&request, base, &texts, judge).map_err(|problem| Failure::new(problem.message).help(problem.help))?;
    let report = proposed.report(base, &sources);
    let pairs = loaded.files.models.iter().zip(&proposed.texts);
    let changed: Vec<(&Text, &String)> = pairs.filter(|(before, after)| before.content != **after).collect();
    // What is written back to standard output stands there alone.
    let is_piped = rollout.write && report.allowed && name == STANDARD_INPUT;
    if !is_piped {
        answer(&report, rollout, &changed, terminal)?;
    }
    if !report.allowed {
        terminal.tell(if rollout.write {
            "not allowed; nothing was written"
        } else {
            "not allowed"
        });
        return Ok(Outcome::Findings);
    }
    if rollout.write {
        write(&name, &changed, terminal)?;
    }
    Ok(Outcome::Clean)
}

/// What is asked for: the proposal, the element as typed, the rest.
fn asked(arguments: &Propose) -> (Proposal, &str, &Rollout) {
    match arguments {
        Propose::Field { element, gate, rollout } => (Proposal::Field { gate: gate.clone() }, element, rollout),
        Propose::EnumValue { element, gate, rollout } => (Proposal::EnumValue { gate: gate.clone() }, element, rollout),
        Propose::ApiVersion {
            element,
            kinds,
            rollout,
        } => (Proposal::ApiVersion { kinds: kinds.clone() }, element, rollout),
        Propose::Gate { element, rollout } => (Proposal::Gate, element, rollout),
        Propose::Removal { element, rollout } => (Proposal::Removal, element, rollout),
    }
}

fn answer(
    report: &RolloutReport<'_>,
    rollout: &Rollout,
    changed: &[(&Text, &String)],
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    match rollout.format {
        RolloutFormat::Json => terminal.write(|out| json::value(report, out)),
        RolloutFormat::Markdown => terminal.answer(&page(checklist::page(report))?),
        RolloutFormat::Toml if report.allowed => terminal.answer(&report.fragment),
        RolloutFormat::Toml => report.against.iter().for_each(|reason| terminal.complain(reason)),
        RolloutFormat::Table => {
            let look = terminal.look();
            terminal.answer(&page(checklist::checklist(report, look))?);
            for (before, after) in changed.iter().filter(|_| report.allowed && !rollout.write) {
                terminal.answer("\n");
                terminal.answer(&diff(before, after, terminal.is_terminal()));
            }
        }
    }
    Ok(())
}

/// Puts the entries into the files, each in one step.
fn write(name: &str, changed: &[(&Text, &String)], terminal: &mut Terminal) -> Result<(), Failure> {
    if name == STANDARD_INPUT {
        for (before, after) in changed {
            terminal.answer(&content(before, after));
        }
        return Ok(());
    }
    put_in_place(changed)?;
    let names: Vec<&str> = changed.iter().map(|(before, _)| before.name.as_str()).collect();
    terminal.tell(&format!("written: {}", names.join(", ")));
    Ok(())
}

impl RolloutFormat {
    /// How faults of the files are told where there is nothing to propose.
    fn of_faults(self) -> Format {
        match self {
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Table | Self::Toml => Format::Table,
        }
    }
}
