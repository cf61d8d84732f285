//! `lifecycle import openapi`: what an API server serves, from its `OpenAPI` documents.

use lifecycle::import::history::Parts;
use lifecycle::import::openapi::{FORMAT, WITHOUT_FIELDS, import};

use crate::args::Surface;
use crate::terminal::Terminal;

use super::releases::Source;
use super::schemas_hint::hint;
use crate::failure::{Outcome, Result};

pub(super) fn openapi(arguments: &Surface, terminal: &mut Terminal) -> Result<Outcome> {
    let parts = Parts::from(arguments.fields);
    let format = if parts == Parts::None { &WITHOUT_FIELDS } else { &FORMAT };
    let source = Source::read(&arguments.releases, format, terminal)?;
    let origin = "Imported from documents of OpenAPI by `lifecycle import openapi`:";
    let make = |known, releases: &mut _| import(known, releases, parts);
    let outcome = source.deliver(origin, &arguments.target, make, terminal)?;
    hint(&arguments.releases, &arguments.target, terminal);
    Ok(outcome)
}
