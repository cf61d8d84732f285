//! The files that `--fix` rewrites.

use std::path::Path;

use lifecycle::FileId;
use lifecycle::evaluate::Scan;

use super::manifests::{Manifests, Origin};
use crate::failure::Result;
use crate::file_edits::write_back;
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::summary::counted;
use crate::terminal::Terminal;

/// Writes the edits that fix findings, and removes these findings from the scan. Nothing is written through a link.
pub fn fix(manifests: &Manifests, scan: &mut Scan, disk: &Disk, terminal: &mut Terminal) -> Result<()> {
    let mut rewritten: Vec<(FileId, &FileText, String)> = Vec::new();
    let (mut count, mut skipped) = (0, Vec::new());
    for (file, text, origin) in manifests.kept() {
        let (after, edits) = scan.fixed(file, &text.content);
        if edits == 0 {
            continue;
        }
        if let Some(reason) = not_written(&text.name, origin) {
            skipped.push(format!("{}: {reason}", text.name));
            continue;
        }
        count += edits;
        rewritten.push((file, text, after));
    }
    let edits: Vec<_> = rewritten.iter().map(|(_, text, after)| (*text, after)).collect();
    write_back(&edits, disk)?;
    for (file, ..) in &rewritten {
        scan.forget_fixed(*file);
    }
    terminal.warn_some("warning: not rewritten: ", &skipped);
    let (versions, files) = (counted(count, "version"), counted(rewritten.len(), "file"));
    terminal.note(&format!("rewrote {versions} in {files}"));
    Ok(())
}

fn not_written(name: &str, origin: Origin) -> Option<&'static str> {
    if origin == Origin::Named {
        return Some("it is outside of what is named; name its folder too");
    }
    if name == STANDARD_INPUT {
        return Some("it is standard input");
    }
    let path = Path::new(name);
    if path.is_symlink() {
        return Some("it is a link");
    }
    (!path.is_file()).then_some("it is no regular file")
}
