//! Which elements a command is about.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lifecycle::evaluate::{ElementState, Filter};

/// The filters that commands share. An element must meet each option that is given, by any of its values.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// Only these elements: an id ("batch/v1beta1 CronJob") or a pattern ("apps/*", "gate *"). May be repeated
    #[arg(
        help_heading = "Filters",
        id = "filter_element",
        long = "element",
        short = 'e',
        value_name = "PATTERN"
    )]
    elements: Vec<String>,
    /// Only this group: apps, "config kubelet.config.k8s.io", "cli kubectl", gates, metrics, behaviors, or a pattern.
    /// May be repeated
    #[arg(
        help_heading = "Filters",
        id = "filter_group",
        long = "group",
        value_name = "PATTERN"
    )]
    groups: Vec<String>,
    /// Only this kind: of elements (gate, api-version, field), or of an API (CronJob), or a pattern. May be repeated
    #[arg(help_heading = "Filters", id = "filter_kind", long = "kind", value_name = "PATTERN")]
    kinds: Vec<String>,
    /// Only elements of this owner, or a pattern. May be repeated
    #[arg(
        help_heading = "Filters",
        id = "filter_owner",
        long = "owner",
        value_name = "PATTERN"
    )]
    owners: Vec<String>,
    /// Only elements with an event, a deadline or an earliest release there: 1.37, 1.34..1.37, 1.37.., current, next
    #[arg(
        help_heading = "Filters",
        id = "filter_in",
        long = "in",
        value_name = "RELEASE[..RELEASE]"
    )]
    releases: Option<String>,
    /// Only elements in this state as of the current release. May be repeated
    #[arg(help_heading = "Filters", id = "filter_state", long = "state", value_name = "STATE", value_parser = state_parser())]
    states: Vec<ElementState>,
}

impl FilterArgs {
    /// The ids of the options, for those that exclude them.
    pub const IDS: [&'static str; 6] = [
        "filter_element",
        "filter_group",
        "filter_kind",
        "filter_owner",
        "filter_in",
        "filter_state",
    ];

    pub fn filter(&self) -> Filter {
        Filter {
            elements: self.elements.clone(),
            groups: self.groups.clone(),
            kinds: self.kinds.clone(),
            owners: self.owners.clone(),
            releases: self.releases.clone(),
            states: self.states.clone(),
        }
    }
}

fn state_parser() -> impl TypedValueParser<Value = ElementState> {
    let names = ElementState::ALL.iter();
    let names = names.map(|(name, _, about)| PossibleValue::new(*name).help(*about));
    PossibleValuesParser::new(names).try_map(|typed| {
        let mut states = ElementState::ALL.iter();
        let found = states.find(|(name, ..)| *name == typed);
        found.map(|(_, state, _)| *state).ok_or("unknown state")
    })
}
