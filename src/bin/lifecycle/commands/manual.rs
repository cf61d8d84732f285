//! `lifecycle manual`: a manual page for each command.

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Arguments;
use crate::failure::{Failure, Outcome, Result};
use crate::io::disk::{self, Disk};
use crate::io::write::write_whole;
use crate::terminal::Terminal;

/// Writes the pages to a folder.
pub fn manual(folder: &str, disk: &Disk, terminal: &mut Terminal) -> Result<Outcome> {
    if !disk::is_folder(folder) {
        return Err(Failure::new(format!("{folder}: this is not a folder")).help("name a folder that exists"));
    }
    let mut command = Arguments::command();
    command.build();
    let count = write_pages(&command, folder, disk)?;
    terminal.note(&format!("written: {count} pages in {folder}"));
    Ok(Outcome::Clean)
}

/// Writes the page of a command, and those of all below it. Returns how many.
fn write_pages(command: &Command, folder: &str, disk: &Disk) -> Result<usize> {
    // `lifecycle-import-crds`, once the command is built.
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|problem| Failure::new(format!("{name}: {problem}")))?;
    write_whole(disk, &format!("{folder}/{name}.1"), &page)?;
    let mut count = 1;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        count += write_pages(below, folder, disk)?;
    }
    Ok(count)
}
