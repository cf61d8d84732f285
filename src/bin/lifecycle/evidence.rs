//! The evidence files that a user names.

use lifecycle::report::Evidence;

use crate::failure::{Failure, Result};
use crate::io::disk::Disk;

/// Reads and merges evidence files; nothing if none is named.
pub fn read(files: &[String], disk: &Disk) -> Result<Option<Evidence>> {
    let mut all = None;
    for file in files {
        let text = disk.read(file)?;
        let evidence = Evidence::read(&text.content).map_err(|error| {
            Failure::new(error.within(file)).help("`lifecycle usage FILE --output usage.json` makes an evidence file")
        })?;
        all = Some(match all {
            Some(known) => evidence.merge(known),
            None => evidence,
        });
    }
    Ok(all)
}
