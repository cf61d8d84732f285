//! What a plan must be, worked out a second time and in another way.
//!
//! Nothing here is shared with the solver: dates, windows, principles and the walk of rule 4b are written down again
//! from the text of the rules, by exhaustive search or by definition, slow and plain.

pub mod others;

use lifecycle::model::{ElementKind, Event, EventKind, Model};
use lifecycle::obligation::{Anchor, Demand, Obligations, Reach, Term};
use lifecycle::release::{Release, Window};
use lifecycle::stability::Stage;

use super::worlds::{At, Dates, FAR, NEVER, Span};

// The solver, by trying everything.

/// What trying everything found for events that hang together.
#[derive(Debug, PartialEq, Eq)]
pub enum Tried {
    /// The pointwise least of all assignments that meet every obligation.
    Least(Vec<(Event, At)>),
    /// No assignment meets them.
    None(Vec<Event>),
    /// There are too many to try.
    TooMany,
}

/// Where a term counts from.
enum From {
    Open(usize),
    Fixed(At),
    Nowhere,
}

/// A bound on an open event: each term with what it comes to for every value of its anchor.
struct Bound {
    on: usize,
    lower: bool,
    terms: Vec<(From, Vec<At>)>,
}

struct Trial<'t> {
    dates: &'t Dates,
    model: &'t Model,
    open: &'t [Event],
    bounds: Vec<Bound>,
    values: Vec<At>,
}

/// Tries all assignments of the open events to the releases from `floor` on, until a little past the calendar and all
/// that is fixed, and to never.
pub fn try_all(dates: &Dates, model: &Model, obligations: &Obligations, open: &[Event], floor: At) -> Vec<Tried> {
    let mut trial = Trial {
        dates,
        model,
        open,
        bounds: Vec::new(),
        values: Vec::new(),
    };
    trial.bounds = trial.all_bounds(obligations);
    let fixed = trial
        .bounds
        .iter()
        .flat_map(|bound| &bound.terms)
        .filter_map(|term| match term {
            (From::Fixed(at), table) => table.get(*at).copied().filter(|at| *at != NEVER),
            _ => None,
        });
    let end = fixed.max().unwrap_or(0).max(dates.listed()).max(floor) + 24;
    trial.values = (floor..=end).chain([NEVER]).collect();
    trial
        .components()
        .iter()
        .map(|events| trial.component(events))
        .collect()
}

impl Trial<'_> {
    fn all_bounds(&self, obligations: &Obligations) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for obligation in obligations.all() {
            let Ok(on) = self.open.binary_search(&obligation.event) else {
                continue;
            };
            let (lower, terms) = match &obligation.demand {
                Demand::NotBefore(term) => (true, vec![*term]),
                Demand::NotBeforeAny(terms) => (true, terms.to_vec()),
                Demand::NotAfter(term) => (false, vec![*term]),
                Demand::Forbidden | Demand::Requires(_) => continue,
            };
            let terms = terms.iter().map(|term| self.term(*term)).collect();
            bounds.push(Bound { on, lower, terms });
        }
        bounds
    }

    fn term(&self, term: Term) -> (From, Vec<At>) {
        let from = match term.anchor {
            Anchor::Release(release) => From::Fixed(at(release)),
            Anchor::Event(event) => self.anchor(event),
        };
        let worth = |from: At| match term.reach {
            Reach::After(window) => {
                let end = self.dates.earliest(from, of_window(window));
                match window.then_months {
                    0 => later(end, window.then),
                    _ if end == NEVER => NEVER,
                    months => self.dates.earliest(end, of_window(Window::new(months, window.then))),
                }
            }
            Reach::Within(window) => self.dates.latest(from, of_window(window)),
            Reach::NextMajor => self.dates.next_major(from),
        };
        let last = match from {
            From::Fixed(at) if at != NEVER => at,
            _ => FAR,
        };
        (from, (0..=last).map(worth).collect())
    }

    /// Declared, implied by what takes it along, open, or neither.
    fn anchor(&self, event: Event) -> From {
        let declared = match (event.what, event.step) {
            (EventKind::Deprecated, 0) => self.model.deprecation(event.element, event.life),
            _ => self.model.find_declared(event),
        };
        let gone_ga = self
            .model
            .gate(event.element)
            .filter(|_| event.what == EventKind::Deprecated)
            .and_then(|gate| Some(gate.first(Stage::Ga)?.1.since));
        if let Some(release) = declared.map(|declared| declared.release).or(gone_ga) {
            return From::Fixed(at(release));
        }
        if let Ok(open) = self.open.binary_search(&event) {
            return From::Open(open);
        }
        let element = self.model.element(event.element);
        let part = matches!(
            element.kind,
            ElementKind::Field | ElementKind::EnumValue | ElementKind::Annotation | ElementKind::Subresource
        );
        match element.parent {
            Some(parent) if part && event.what == EventKind::Removed => self.anchor(event.of(parent)),
            _ => From::Nowhere,
        }
    }

    /// Open events that bounds connect.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut name: Vec<usize> = (0..self.open.len()).collect();
        loop {
            let before = name.clone();
            for bound in &self.bounds {
                for (from, _) in &bound.terms {
                    if let From::Open(other) = from {
                        let least = name[bound.on].min(name[*other]);
                        (name[bound.on], name[*other]) = (least, least);
                    }
                }
            }
            if name == before {
                break;
            }
        }
        let members = |of: usize| (0..name.len()).filter(|at| name[*at] == of).collect::<Vec<_>>();
        (0..name.len())
            .map(members)
            .filter(|members| !members.is_empty())
            .collect()
    }

    fn component(&self, events: &[usize]) -> Tried {
        let bounds: Vec<&Bound> = self.bounds.iter().filter(|bound| events.contains(&bound.on)).collect();
        let mut search = Search {
            trial: self,
            events,
            bounds,
            chosen: vec![None; self.open.len()],
            least: None,
            steps: 0,
        };
        search.deeper(0);
        let event = |at: &usize| self.open[*at];
        match search.least.take() {
            _ if search.steps > MOST_STEPS => Tried::TooMany,
            None => Tried::None(events.iter().map(event).collect()),
            Some(least) => {
                for (at, value) in events.iter().zip(&least) {
                    search.chosen[*at] = Some(*value);
                }
                assert!(search.fits(), "the least of all assignments is one of them");
                Tried::Least(events.iter().map(event).zip(least).collect())
            }
        }
    }
}

/// Values looked at for one component at most.
const MOST_STEPS: usize = 60_000;

struct Search<'s, 't> {
    trial: &'s Trial<'t>,
    events: &'s [usize],
    bounds: Vec<&'s Bound>,
    chosen: Vec<Option<At>>,
    least: Option<Vec<At>>,
    steps: usize,
}

impl Search<'_, '_> {
    fn deeper(&mut self, depth: usize) {
        let Some(event) = self.events.get(depth) else {
            let found = self.events.iter().filter_map(|at| self.chosen[*at]);
            self.least = Some(match &self.least {
                Some(least) => least
                    .iter()
                    .zip(found)
                    .map(|(least, value)| value.min(*least))
                    .collect(),
                None => found.collect(),
            });
            return;
        };
        for value in &self.trial.values {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return;
            }
            self.chosen[*event] = Some(*value);
            if self.fits() {
                self.deeper(depth + 1);
            }
        }
        self.chosen[*event] = None;
    }

    /// Whether what is chosen so far meets all bounds that can be computed.
    fn fits(&self) -> bool {
        let bounds = || self.bounds.iter();
        let met = bounds().all(|bound| match (self.chosen[bound.on], self.worth(bound)) {
            (Some(value), Some(worth)) if bound.lower => value >= worth,
            // "It comes no later than this, if it comes."
            (Some(value), Some(worth)) => value <= worth || value == NEVER,
            _ => true,
        });
        met && self
            .events
            .iter()
            .filter(|at| self.chosen[**at] == Some(NEVER))
            .all(|at| {
                // It never comes only where it has to wait for ever.
                bounds()
                    .filter(|bound| bound.on == *at && bound.lower)
                    .any(|bound| self.worth(bound).is_none_or(|worth| worth == NEVER))
            })
    }

    /// What a bound comes to, if what it counts from is chosen.
    fn worth(&self, bound: &Bound) -> Option<At> {
        let mut worth = Vec::new();
        for (from, table) in &bound.terms {
            let anchor = match from {
                From::Open(open) => self.chosen[*open]?,
                From::Fixed(at) => *at,
                // What waits for something that is not in sight never comes; nothing is late for it.
                From::Nowhere => NEVER,
            };
            worth.push(table.get(anchor).copied().unwrap_or(NEVER));
        }
        worth.into_iter().min()
    }
}

fn at(release: Release) -> At {
    if release.is_never() { NEVER } else { release.0 as usize }
}

/// So many releases later, of a release that may never come.
fn later(at: At, releases: u16) -> At {
    if at == NEVER { NEVER } else { at + usize::from(releases) }
}

fn of_window(window: Window) -> Span {
    Span {
        months: u32::from(window.months),
        releases: usize::from(window.releases),
        grace: u64::from(window.grace_days),
    }
}
