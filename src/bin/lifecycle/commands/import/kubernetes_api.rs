//! `lifecycle import kubernetes-api`: kinds and their lives from the Go packages of an API.

use lifecycle::import::kubernetes_api::{FORMAT, import};

use crate::args::KubernetesApi;
use crate::terminal::Terminal;

use super::calendar::given;
use super::releases::Source;
use crate::failure::{Outcome, Result};

pub(super) fn kubernetes_api(arguments: &KubernetesApi, terminal: &mut Terminal) -> Result<Outcome> {
    let source = Source::read(&arguments.releases, &FORMAT, terminal)?;
    let calendar = given(&arguments.calendar, terminal)?;
    let origin = "Imported from Go packages of an API by `lifecycle import kubernetes-api`:";
    let make = |known, releases: &mut _| import(known, releases, calendar.as_ref());
    source.deliver(origin, &arguments.target, make, terminal)
}
