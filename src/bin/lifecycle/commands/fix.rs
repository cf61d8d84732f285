//! `fix`: findings with one right answer, mended in the files.

use std::path::Path;

use lifecycle::evaluate::{Fixed, fix as mend};
use lifecycle::render::visible;
use lifecycle::source::Sources;
use similar::TextDiff;

use crate::args::{Format, Model};
use crate::emit::seen_from_root;
use crate::files::{self, BYTE_ORDER_MARK, STANDARD_INPUT, Text};
use crate::load::{Loaded, Side};
use crate::store::Store;
use crate::terminal::Terminal;
use crate::write::{Staged, cannot_write};

use super::{Failure, Outcome, unusable};

/// Lines shown around a change.
const CONTEXT: usize = 2;

/// Shows what can be mended, or mends it.
pub(super) fn fix(model: &Model, write: bool, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let name = model.chosen().file("be mended")?;
    let is_stream = name != STANDARD_INPUT && Path::new(&name).exists() && !Path::new(&name).is_file();
    if write && is_stream {
        return Err(Failure::new(format!("{name} is no file that can be written back"))
            .help("give the model on standard input: `lifecycle fix --write -` prints it mended"));
    }
    let loaded = Loaded::of(&name, &Store::Disk, &model.judgement, Side::Head)?;
    loaded.files.announce(terminal);
    let texts: Vec<String> = loaded.files.models.iter().map(|text| text.content.clone()).collect();
    let fixed = mend(texts, |texts| loaded.files.evaluate_instead(texts, &model.judgement));
    let fixed = match fixed {
        Ok(fixed) => fixed,
        Err(faults) => {
            let mut sources = Sources::new();
            loaded.files.add_to(&mut sources);
            return unusable(&faults, &sources, Format::Table, terminal);
        }
    };
    let changed: Vec<(&Text, &String)> = loaded
        .files
        .models
        .iter()
        .zip(&fixed.texts)
        .filter(|(before, after)| before.content != **after)
        .collect();
    if write {
        let on_disk = changed.iter().filter(|(before, _)| before.name != STANDARD_INPUT);
        put_in_place(&on_disk.copied().collect::<Vec<_>>())?;
        if let (STANDARD_INPUT, Some(before), Some(after)) =
            (name.as_str(), loaded.files.models.first(), fixed.texts.first())
        {
            terminal.answer(&content(before, after));
        }
    } else {
        for (before, after) in &changed {
            terminal.answer(&diff(before, after, terminal.is_terminal()));
        }
    }
    tell(&fixed, changed.len(), write, terminal);
    let open = !write && !changed.is_empty();
    Ok(if open { Outcome::Findings } else { Outcome::Clean })
}

fn tell(fixed: &Fixed, files: usize, write: bool, terminal: &mut Terminal) {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mended = count(fixed.mended.len(), "finding");
    let files = count(files, "file");
    terminal.tell(&match (fixed.mended.len(), write) {
        (0, _) => "nothing to mend".to_owned(),
        (_, true) => format!("{mended} mended in {files}"),
        (_, false) => format!("{mended} can be mended in {files}; `--write` does it"),
    });
    for finding in &fixed.left {
        let message = visible(&finding.message);
        terminal.tell(&format!(
            "left alone, as mending it would bring other errors: {message}"
        ));
    }
    let left = fixed.evaluation.findings().len() - fixed.left.len();
    if left > 0 {
        terminal.tell(&format!(
            "{} more to look at: `lifecycle check`",
            count(left, "finding")
        ));
    }
}

/// The change of a file as a unified diff, with paths from the root of the repository, as `git apply` takes them.
pub(super) fn diff(before: &Text, after: &str, for_people: bool) -> String {
    let path = seen_from_root(&before.name);
    let name = path.trim_start_matches('/');
    let (old, new) = (format!("a/{name}"), format!("b/{name}"));
    let (was, is) = (content(before, &before.content), content(before, after));
    let diff = TextDiff::from_lines(&was, &is);
    let text = diff
        .unified_diff()
        .context_radius(CONTEXT)
        .header(&old, &new)
        .to_string();
    if !for_people {
        return text;
    }
    // Line ends are part of the change; other control characters are not for the terminal.
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(line) => format!("{}\r\n", visible(line)),
            None => visible(line),
        })
        .collect()
}

/// A file as it is to be, with the byte order mark that it had.
pub(super) fn content(before: &Text, after: &str) -> String {
    let mark = before.marked.then_some(BYTE_ORDER_MARK);
    mark.into_iter().map(String::from).chain([after.to_owned()]).collect()
}

/// Writes all files beside their targets first, and only then puts them in place, each in one step. A file that has
/// changed since it was read is not overwritten.
pub(super) fn put_in_place(changed: &[(&Text, &String)]) -> Result<(), Failure> {
    let mut staged = Vec::new();
    for (before, after) in changed {
        let file = Staged::new(Path::new(&before.name), content(before, after).as_bytes());
        staged.push((before, file.map_err(|problem| cannot_write(&before.name, &problem))?));
    }
    for (before, _) in &staged {
        let now = files::read(&before.name)?;
        if (now.content.as_str(), now.marked) != (before.content.as_str(), before.marked) {
            return Err(Failure::new(format!("{} has changed since it was read", before.name))
                .help("nothing was written; run it again"));
        }
    }
    for (before, file) in staged {
        file.commit().map_err(|problem| cannot_write(&before.name, &problem))?;
    }
    Ok(())
}
