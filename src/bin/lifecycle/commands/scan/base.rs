//! The objects of an earlier state: findings that they have too are known.

use lifecycle::Sources;
use lifecycle::baseline::Baseline;
use lifecycle::evaluate::Scan;
use lifecycle::text::LARGEST;

use crate::base_files::{BaseFiles, warn_unreadable};
use crate::baseline::BaselineFile;
use crate::failure::Result;
use crate::io::disk::{Disk, FileText};
use crate::schema_files::EXTENSIONS;
use crate::terminal::Terminal;

/// Marks the findings that a state has too; `before` is a scan of nothing yet. What cannot be read has no findings, so
/// that those of its new state are new. Returns the baseline of the state.
pub fn compare(
    (named, base): (&str, &BaseFiles),
    scan: &mut Scan,
    mut before: Scan,
    baseline: &BaselineFile,
    terminal: &mut Terminal,
) -> Result<Option<Baseline>> {
    for text in &base.texts {
        let scanned = before.add(Sources::BASE, &text.content);
        for error in scanned.unreadable {
            warn_unreadable(&error.within(&text.name), terminal);
        }
    }
    scan.compare_with(named, &before);
    if before.objects == 0 {
        terminal.warn(&format!(
            "warning: {named} has no objects there: every finding counts as new"
        ));
        return Ok(None);
    }
    baseline.of_base(&base.tree, &base.folder, terminal)
}

/// The files on the disk that a scan of these paths reads.
pub fn on_disk(paths: &[String], disk: &Disk, terminal: &mut Terminal) -> Result<Vec<FileText>> {
    let mut texts = Vec::new();
    for path in paths {
        let list = disk.list_unignored(path, &EXTENSIONS)?;
        terminal.warn_some("warning: skipped ", &list.skipped);
        for file in list.files {
            texts.push(disk.read_at_most(&file, LARGEST)?);
        }
    }
    Ok(texts)
}
