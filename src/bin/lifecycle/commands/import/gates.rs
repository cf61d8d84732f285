//! `lifecycle import feature-gates`: the stages of feature gates, from lists.

use lifecycle::import::gates::{FeatureGates as Lists, LARGEST};

use crate::args::FeatureGates;
use crate::terminal::Terminal;

use super::calendar::given;
use super::deliver::Job;
use super::{failure, named, read_all};
use crate::failure::{Outcome, Result};

pub(super) fn feature_gates(arguments: &FeatureGates, terminal: &mut Terminal) -> Result<Outcome> {
    let texts = read_all(&arguments.paths, LARGEST)?;
    let lists = Lists::read(named(&texts)).map_err(|error| failure(error, terminal))?;
    let calendar = given(&arguments.calendar, terminal)?;
    let releases = lists.releases();
    let inputs = arguments.paths.iter().chain(&arguments.calendar);
    let job = Job {
        target: &arguments.target,
        origin: vec![format!(
            "Imported by `lifecycle import feature-gates` from {}",
            arguments.paths.join(" ")
        )],
        inputs: inputs.map(String::as_str).collect(),
        bounds: releases.first().cloned().zip(releases.last().cloned()),
    };
    job.deliver(
        |model, known| lists.import(model.map(|_| known.calendar), calendar),
        terminal,
    )
}
