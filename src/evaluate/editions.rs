//! What editions say of a model: from which release each applies, and the kinds of releases and steps that they name.

use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::document::{Diagnostics, RULE};
use crate::grammar::{Duty, MOST_STEPS};
use crate::model::{Model, TooManySteps};
use crate::policy::{Edition, Law, Policy, PolicyTurn, Turn};
use crate::release::{Calendar, Release, ReleaseName};
use crate::rules;

/// An edition with those that its policy names for some releases, which `policy` reads. Without a calendar it is the
/// only one.
pub(super) fn in_turns(
    mut edition: Edition,
    model: Option<&Model>,
    mut policy: impl FnMut(&PolicyTurn) -> Option<Policy>,
) -> Vec<Edition> {
    let turns = std::mem::take(&mut edition.policy.turns);
    let Some(calendar) = model.map(|model| &model.calendar) else {
        return vec![edition];
    };
    let mut all = Vec::new();
    for turn in turns {
        let (from, until) = match &turn.when {
            Turn::Until(until) => (edition.from, first_from(calendar, until)),
            Turn::From(from) => match first_from(calendar, from) {
                Some(from) => (from.max(edition.from), None),
                None => continue,
            },
        };
        if until.is_some_and(|until| until <= edition.from) {
            continue;
        }
        let Some(policy) = policy(&turn) else { continue };
        all.push(Edition {
            from,
            since_stated: from > Release(0),
            policy,
            ..edition.clone()
        });
        match (&turn.when, until) {
            (Turn::Until(_), Some(until)) => {
                edition.from = until;
                edition.since_stated = true;
            }
            // All releases of the calendar come before.
            (Turn::Until(_), None) => return all,
            (Turn::From(_), _) => {}
        }
    }
    all.push(edition);
    all
}

/// The first release of a calendar that is not before one of this name; `None` if it has none.
fn first_from(calendar: &Calendar, name: &ReleaseName) -> Option<Release> {
    let mut releases = (0..calendar.listed()).map(Release);
    releases.find(|release| ReleaseName::of_calendar(&calendar.name(*release)).is_some_and(|known| known >= *name))
}

/// The model with a calendar that knows the kinds of releases that its law counts.
pub(super) fn knowing_kinds(mut model: Model, law: Option<&Law>) -> Model {
    let editions = law.into_iter().flat_map(Law::editions);
    for kind in editions.flat_map(|edition| &edition.policy.kinds) {
        model.calendar.know(kind);
    }
    model
}

/// The model with the steps that its law names, in the order of the law. A step that no policy names is judged as one
/// without a window.
pub(super) fn knowing_steps(mut model: Model, law: Option<&Law>, diagnostics: &mut Diagnostics) -> Model {
    let editions = law.into_iter().flat_map(Law::editions);
    let rules = editions.flat_map(|edition| edition.policy.rules.iter());
    let named = rules.filter(|(slug, _)| rules::find(slug).is_some_and(|rule| rule.keys.only_step.is_none()));
    let named: Vec<(&str, Duty)> = named
        .flat_map(|(_, rule)| rule.all_steps())
        .map(|step| (step.name.as_str(), step.duty))
        .collect();
    match model.know_steps(named.iter().copied()) {
        Ok(unknown) => {
            for step in unknown {
                let known = named.iter().map(|(name, _)| *name);
                let help = did_you_mean(&step.name, known)
                    .unwrap_or_else(|| "`lifecycle policies show --effective` lists the steps of each rule".to_owned());
                let message = format!("no policy of this model names the step `{}`", step.name);
                let warning = Diagnostic::error(RULE, "unknown-step", message).severity(Severity::Warning);
                diagnostics.push(warning.at(step.span, "").help(help));
            }
        }
        Err(TooManySteps) => {
            let message = format!("the model and its policies name more than {MOST_STEPS} steps between them");
            let help = "give the same step the same name in each policy";
            diagnostics.push(Diagnostic::error(RULE, "too-many", message).help(help));
        }
    }
    model
}
