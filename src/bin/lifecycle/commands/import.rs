//! `lifecycle import`: a model from what a project publishes.

mod crds;
mod update;

use lifecycle::import::{Draft, write};

use crate::args::{Import, Target};
use crate::files::STANDARD_INPUT;
use crate::terminal::Terminal;
use crate::write::{refuse_input, write_whole};

use super::{Failure, Outcome};

pub(super) fn import(arguments: &Import, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    match arguments {
        Import::Crds(arguments) => crds::crds(arguments, terminal),
    }
}

/// Prints a draft as a model, or writes it to a new file. `inputs` are the files it was made from.
fn deliver(draft: &Draft, target: &Target, inputs: &[&str], terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let text = write(draft);
    let Some(output) = &target.output else {
        terminal.answer(&text);
        return Ok(Outcome::Clean);
    };
    if output.is_empty() || output == STANDARD_INPUT {
        let help = "it is printed where --output is left out";
        return Err(Failure::new(format!("--output {output}: it names no file")).help(help));
    }
    refuse_input("--output", output, output, inputs)?;
    if std::path::Path::new(output).is_file() {
        let help = format!("bring it up to date with `--update {output}`, or name another file");
        return Err(Failure::new(format!("--output {output}: the file is there already")).help(help));
    }
    write_whole(output, text.as_bytes())?;
    terminal.tell(&format!("written: {output}"));
    Ok(Outcome::Clean)
}
