//! How a product kept its policy: each event that has shipped, or was due, compared with what bounds it.

use std::collections::BTreeMap;

use crate::derivation::Worked;
use crate::diagnostic::Severity;
use crate::model::{Event, EventKind};
use crate::obligation::{Demand, Obligation};
use crate::release::Release;
use crate::report::{JudgementReport, RecordReport, SCHEMA_VERSION, Tally, TallyRow, Verdict};

use super::{Material, ending};

/// What one obligation says of an event.
struct Judgement {
    verdict: Verdict,
    bound: Option<Release>,
    rule: &'static str,
    code: &'static str,
    because: String,
}

/// The record up to the current release.
pub(crate) fn record(material: Material<'_>) -> RecordReport<'_> {
    let model = material.reasoning.model;
    let mut report = RecordReport {
        schema_version: SCHEMA_VERSION,
        current: material.current(),
        policies: material.policies(),
        total: Tally::default(),
        rules: Vec::new(),
        owners: Vec::new(),
        releases: Vec::new(),
        years: Vec::new(),
        judgements: Vec::new(),
    };
    let Some(current) = model.calendar.current() else {
        return report;
    };
    let mut tallies = Tallies::default();
    let elements = model.elements().map(|(id, _)| id).filter(|id| material.has(*id));
    // A version with kinds lives as long as these, which are judged one by one.
    for element in elements.filter(|id| model.served_by(*id) == [*id]) {
        for event in
            (0..model.lives(element)).flat_map(|life| ending(model).map(move |what| Event::new(element, life, what)))
        {
            let Some(found) = judge(material, event, current) else {
                continue;
            };
            let owner = model.owned_by(element);
            let at = happened(material, event, current).or(found.bound).unwrap_or(current);
            report.total.add(found.verdict);
            tallies.add(material, &found, owner, at);
            report
                .judgements
                .push(judgement(material, event, current, found, owner));
        }
    }
    report.rules = rows(tallies.rules);
    report.owners = rows(tallies.owners);
    report.owners.sort_by_key(|row| row.name.is_empty());
    report.years = rows(tallies.years);
    let releases = tallies.releases.into_iter();
    let named = releases.map(|(release, tally)| TallyRow {
        name: model.calendar.name(release),
        tally,
    });
    report.releases = named.collect();
    report
}

#[derive(Default)]
struct Tallies {
    rules: BTreeMap<String, Tally>,
    owners: BTreeMap<String, Tally>,
    years: BTreeMap<String, Tally>,
    releases: BTreeMap<Release, Tally>,
}

impl Tallies {
    fn add(&mut self, material: Material<'_>, found: &Judgement, owner: Option<&str>, at: Release) {
        let verdict = found.verdict;
        self.rules.entry(found.rule.to_owned()).or_default().add(verdict);
        self.owners
            .entry(owner.unwrap_or("").to_owned())
            .or_default()
            .add(verdict);
        self.releases.entry(at).or_default().add(verdict);
        if let Some(year) = material.reasoning.model.calendar.year(at) {
            self.years.entry(year.to_string()).or_default().add(verdict);
        }
    }
}

fn rows(tallies: BTreeMap<String, Tally>) -> Vec<TallyRow> {
    let rows = tallies.into_iter();
    rows.map(|(name, tally)| TallyRow { name, tally }).collect()
}

/// The release in which an event is declared, if that has shipped.
fn happened(material: Material<'_>, event: Event, current: Release) -> Option<Release> {
    let declared = material.reasoning.model.in_force(event)?;
    Some(declared.release).filter(|release| *release <= current)
}

/// The verdict on an event: the worst that an obligation finds. `None` if nothing bounds it, or its time has not come.
fn judge(material: Material<'_>, event: Event, current: Release) -> Option<Judgement> {
    let reasoning = material.reasoning;
    let shipped = happened(material, event, current);
    let obligations = reasoning.obligations.on(event).map(|(_, obligation)| obligation);
    let found = obligations.filter(|obligation| is_graded(material, obligation, shipped.unwrap_or(current)));
    let found = found.filter_map(|obligation| {
        let found = compare(material, obligation, shipped, current)?;
        Some(graded(material, obligation, shipped.unwrap_or(current), found))
    });
    let found = found.reduce(|worst, next| {
        if (next.verdict, next.bound) > (worst.verdict, worst.bound) {
            next
        } else {
            worst
        }
    })?;
    let is_excepted = found.verdict.breaks() && is_excepted(material, event, &found);
    let verdict = if is_excepted { Verdict::Excepted } else { found.verdict };
    Some(Judgement { verdict, ..found })
}

/// Whether the policy reports that an obligation is not met.
fn is_graded(material: Material<'_>, obligation: &Obligation, release: Release) -> bool {
    severity(material, obligation, release).is_some_and(|severity| severity > Severity::Off)
}

fn severity(material: Material<'_>, obligation: &Obligation, release: Release) -> Option<Severity> {
    let track = material.reasoning.model.track_at(obligation.event.element, release);
    material
        .law
        .severity(obligation.rule()?, obligation.code, track, release)
}

/// A verdict with the severity of the finding: what came too early is broken where that is an error, and discouraged
/// where it is a warning or a note. That something is late is a warning in most policies, and has its own column.
fn graded(material: Material<'_>, obligation: &Obligation, release: Release, found: Judgement) -> Judgement {
    let forbidden = severity(material, obligation, release) >= Some(Severity::Error);
    let verdict = match found.verdict {
        Verdict::Early | Verdict::Unannounced | Verdict::WrongRelease if !forbidden => Verdict::Discouraged,
        verdict => verdict,
    };
    Judgement { verdict, ..found }
}

fn compare(
    material: Material<'_>,
    obligation: &Obligation,
    shipped: Option<Release>,
    current: Release,
) -> Option<Judgement> {
    let reasoning = material.reasoning;
    if let Some(worked) = reasoning.deciding(&obligation.demand) {
        let is_early = reasoning.misses(&worked, shipped?);
        let counts_from_itself = worked.term.event() == Some(obligation.event);
        let verdict = match (is_early, counts_from_itself) {
            (false, _) => Verdict::Kept,
            (true, false) => Verdict::Early,
            (true, true) => Verdict::Unannounced,
        };
        return found(material, obligation, verdict, Some(worked));
    }
    if let Some(term) = obligation.demand.upper_term() {
        let worked = reasoning.work(*term);
        let bound = worked.bound.filter(|bound| !bound.open)?.release;
        let is_late = shipped.map_or(bound <= current, |shipped| shipped > bound);
        if shipped.is_none() && (!is_late || has_ended(material, obligation.event, current)) {
            return None;
        }
        let verdict = if is_late { Verdict::Late } else { Verdict::Kept };
        return found(material, obligation, verdict, Some(worked));
    }
    match obligation.demand {
        Demand::Requires(is_met) if obligation.code == "wrong-release" && shipped.is_some() => {
            let verdict = if is_met { Verdict::Kept } else { Verdict::WrongRelease };
            found(material, obligation, verdict, None)
        }
        Demand::Requires(is_met) if obligation.code == "step-missing" && shipped.is_some() => {
            let verdict = if is_met { Verdict::Kept } else { Verdict::Unannounced };
            found(material, obligation, verdict, None)
        }
        _ => None,
    }
}

fn found(
    material: Material<'_>,
    obligation: &Obligation,
    verdict: Verdict,
    worked: Option<Worked>,
) -> Option<Judgement> {
    let because = worked.map(|worked| material.reasoning.sentence(obligation, &worked));
    Some(Judgement {
        verdict,
        bound: worked.and_then(|worked| worked.bound).map(|bound| bound.release),
        rule: obligation.rule()?,
        code: obligation.code,
        because: because.unwrap_or_else(|| obligation.because.to_string()),
    })
}

/// Whether the life of an event is over: what did not happen in it can no longer.
fn has_ended(material: Material<'_>, event: Event, current: Release) -> bool {
    let removed = material.reasoning.release(event.sibling(EventKind::Removed));
    removed.is_some_and(|removed| removed <= current)
}

fn is_excepted(material: Material<'_>, event: Event, found: &Judgement) -> bool {
    let id = material.reasoning.model.id(event.element);
    material.findings.iter().any(|finding| {
        finding.exception.is_some()
            && finding.rule == found.rule
            && finding.code == found.code
            && finding.life == event.life
            && finding.element.as_deref() == Some(id)
    })
}

fn judgement<'a>(
    material: Material<'a>,
    event: Event,
    current: Release,
    found: Judgement,
    owner: Option<&'a str>,
) -> JudgementReport<'a> {
    let model = material.reasoning.model;
    let shipped = happened(material, event, current);
    let at = shipped.unwrap_or(current);
    let bound = found.bound.filter(|bound| !bound.is_never());
    let missed = bound.filter(|_| found.verdict != Verdict::Kept);
    JudgementReport {
        element: model.id(event.element),
        kind: model.element(event.element).kind_name(),
        owner,
        event: model.event_word(event.what),
        verdict: found.verdict,
        release: shipped.and_then(|release| material.names.moment(release)),
        bound: bound.and_then(|bound| material.names.moment(bound)),
        releases: missed.map(|bound| bound.0.abs_diff(at.0)),
        days: missed.and_then(|bound| model.calendar.days_between(bound, at)),
        rule: found.rule,
        because: found.because,
    }
}
