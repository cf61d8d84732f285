//! `lifecycle import crds`: custom resources and their lives.

use lifecycle::import::crds::{FORMAT, import};
use lifecycle::import::history::Parts;

use crate::args::Surface;
use crate::terminal::Terminal;

use super::releases::Source;
use super::schemas_hint::hint;
use crate::failure::{Outcome, Result};

pub(super) fn crds(arguments: &Surface, terminal: &mut Terminal) -> Result<Outcome> {
    let parts = Parts::from(arguments.fields);
    let source = Source::read(&arguments.releases, &FORMAT, terminal)?;
    let origin = "Imported from CustomResourceDefinitions by `lifecycle import crds`:";
    let make = |known, releases: &mut _| import(known, releases, parts);
    let outcome = source.deliver(origin, &arguments.target, make, terminal)?;
    hint(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}
