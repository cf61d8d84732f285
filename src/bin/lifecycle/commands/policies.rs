//! `lifecycle policies`: the built-in policies, and the law in force.

use lifecycle::evaluate::{DEFAULT_POLICY, builtin_policy, unknown_policy};
use lifecycle::policy::{BUILT_IN, builtin};
use lifecycle::render::terminal_page::page;
use lifecycle::render::{json, law};

use crate::args::{Format, Policies, Show};
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::Disk;
use crate::policy_files::is_file;
use crate::terminal::Terminal;
use crate::with_model::{if_any, with_law};

pub fn policies(
    name: Option<&str>,
    command: Option<&Policies>,
    disk: &Disk,
    terminal: &mut Terminal,
) -> Result<Outcome> {
    match (name, command) {
        (_, Some(Policies::Show(arguments))) => show(arguments, disk, terminal),
        (Some(name), None) => print_built_in(name, terminal),
        (None, None) => {
            list(terminal);
            Ok(Outcome::Clean)
        }
    }
}

fn print_built_in(name: &str, terminal: &mut Terminal) -> Result<Outcome> {
    let Some(text) = builtin(name) else {
        let unknown = unknown_policy(name);
        return Err(Failure::new(unknown.message).help(unknown.help.unwrap_or_default()));
    };
    terminal.answer(text);
    Ok(Outcome::Clean)
}

fn list(terminal: &mut Terminal) {
    for policy in BUILT_IN.iter().filter_map(|policy| builtin_policy(policy.name)) {
        let default = if policy.name == DEFAULT_POLICY {
            "  (default)"
        } else {
            ""
        };
        let rules = policy.rules.len();
        terminal.answer(&format!(
            "{:<20} edition {}, {rules} rules{default}\n{:<20} {}\n",
            policy.name, policy.edition, "", policy.source
        ));
    }
}

fn show(arguments: &Show, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    if let Some(name) = arguments.name().filter(|_| !arguments.effective) {
        if is_file(name) {
            terminal.answer(&disk.read(name)?.content);
            return Ok(Outcome::Clean);
        }
        return print_built_in(name, terminal);
    }
    let (options, format) = (arguments.policy_options(), arguments.format);
    let choice = if_any(arguments.model.choice());
    with_law(
        disk,
        choice,
        (&options, format),
        terminal,
        |in_force, sources, terminal| {
            let report = in_force.effective(sources);
            let style = terminal.style();
            match format {
                Format::Table => terminal.answer(&page(&law::page(&report), style)),
                Format::Json => terminal.write(|out| json::value(&report, out)),
                Format::Markdown => terminal.answer(&law::page(&report)),
            }
            Ok(Outcome::Clean)
        },
    )
}
