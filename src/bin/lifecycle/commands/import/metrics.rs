//! `lifecycle import metrics`: metrics and their classes over releases.

use lifecycle::import::metrics::{FORMAT, import};

use crate::args::Metrics;
use crate::terminal::Terminal;

use super::releases::Source;
use crate::failure::{Outcome, Result};

pub(super) fn metrics(arguments: &Metrics, terminal: &mut Terminal) -> Result<Outcome> {
    let source = Source::read(&arguments.releases, &FORMAT, terminal)?;
    let origin = "Imported from lists of metrics by `lifecycle import metrics`:";
    let make = |known, releases: &mut _| import(known, releases, arguments.unmarked, arguments.all);
    source.deliver(origin, &arguments.target, make, terminal)
}
