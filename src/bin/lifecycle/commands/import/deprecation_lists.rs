//! `lifecycle import pluto` and `kubepug`: lists of deprecated API versions.

use lifecycle::import::deprecation_lists::{Tool, import};
use lifecycle::text::LARGEST;

use crate::args::ToolList;
use crate::io::disk;
use crate::terminal::Terminal;

use super::deliver::Job;
use crate::failure::{Failure, Outcome, Result};

pub(super) fn list(arguments: &ToolList, tool: Tool, terminal: &mut Terminal) -> Result<Outcome> {
    let name = arguments.file.as_str();
    let text = disk::read_at_most(name, LARGEST)?;
    let list = tool.read(&text.content).map_err(|error| {
        let help = format!("fix the file, or name a list of {}", tool.name());
        Failure::unreadable(name, &error).help(help)
    })?;
    let origin = format!(
        "Imported from a list of deprecated API versions by `lifecycle import {}`: {name}",
        tool.name()
    );
    let job = Job {
        target: &arguments.target,
        origin: vec![origin],
        inputs: vec![name],
        bounds: None,
    };
    let component = arguments.component.as_deref();
    job.deliver(|model, known| import(name, list, component, model, known), terminal)
}
