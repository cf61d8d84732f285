//! What pictures are drawn from: one row per element.
//!
//! Releases are positions, so that no drawing needs a search.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::model::{ElementId, Group, Model};
use crate::release::Release;
use crate::report::{
    BandReport, ElementReport, Moment, PictureReport, RowReport, RowsReport, SCHEMA_VERSION, SpanReport,
    ViolationReport,
};
use crate::source::Sources;
use crate::timeline;

use super::bands::{self, Band};
use super::record::record;
use super::{Material, elements};

/// How many breaches of the policy a picture names.
const WORST: usize = 10;

/// All elements, from the first release to the last one listed or reached by the plan.
pub(crate) fn picture<'a>(material: Material<'a>, sources: &Sources<'_>) -> PictureReport<'a> {
    let model = material.reasoning.model;
    let elements = elements::all(material);
    let bands = bands::all(material);
    let axis = Axis::of(material, &elements, &bands);
    let mut roles = Roles::default();
    for group in model.groups.iter() {
        roles.add(material, &axis, group);
    }
    roles.leave_open(axis.count);
    let mut violations = violations(material.findings, sources, &axis);
    let mut groups: Vec<RowsReport<'a>> = Vec::new();
    let rows = model.elements().zip(elements).zip(&bands);
    for (((id, element), report), bands) in rows.filter(|(((id, _), _), _)| material.has(*id)) {
        let (group, label) = model.heading(id);
        let row = RowReport {
            id: report.id,
            label,
            parent: element.parent.map(|parent| model.id(parent)),
            kind: report.kind,
            stability: report.stability,
            depth: depth(model, id),
            replacement: report.replacement,
            migrate_to: report.migrate_to,
            owner: report.owner,
            tracking: report.tracking,
            bands: axis.bands(bands),
            preferred: roles.preferred.remove(&id).unwrap_or_default(),
            stored: roles.stored.remove(&id).unwrap_or_default(),
            earliest_removal: axis.moment(report.earliest_removal.as_ref()),
            earliest_removal_open: report.earliest_removal.is_some_and(|bound| bound.at_least),
            never_before_major: report.never_before_major,
            removal_due: axis.moment(report.removal_due.as_ref()),
            binding: report.binding,
            because: report.because,
            violations: violations.remove(&Some(report.id)).unwrap_or_default(),
            before: None,
            way: Vec::new(),
            usage: material.usage_by_day(id),
            consumers: material.consumers(id),
        };
        put(&mut groups, group, row);
    }
    PictureReport {
        schema_version: SCHEMA_VERSION,
        current: model.calendar.current().and_then(|current| axis.position(current)),
        policies: material.policies(),
        releases: axis.releases(material),
        groups,
        // What is left is about no element, or about an unknown one.
        violations: match material.selection {
            Some(_) => Vec::new(),
            None => violations.into_values().flatten().collect(),
        },
        record: Some(record(material).with_worst(WORST)).filter(|record| record.total.judged > 0),
        overlay: None,
    }
}

/// Adds a row to the last group, or to a new one if that has another name.
fn put<'a>(groups: &mut Vec<RowsReport<'a>>, group: &str, row: RowReport<'a>) {
    match groups.last_mut().filter(|last| last.group == group) {
        Some(last) => last.rows.push(row),
        None => groups.push(RowsReport {
            group: group.to_owned(),
            rows: vec![row],
        }),
    }
}

/// How deep an element lies below what it is part of.
fn depth(model: &Model, id: ElementId) -> usize {
    model.with_wholes(id).skip(1).count()
}

/// The releases of a picture. It begins with the first one, so that a release's position is its number.
struct Axis<'a> {
    positions: BTreeMap<&'a str, usize>,
    count: usize,
}

impl<'a> Axis<'a> {
    /// All releases listed, and as many more as bands, bounds and findings reach.
    fn of(material: Material<'a>, elements: &[ElementReport<'a>], bands: &[Vec<Band>]) -> Self {
        let names = &material.names.0;
        let positions = names.iter().enumerate().map(|(at, (name, ..))| (name.as_str(), at));
        let mut axis = Self {
            positions: positions.collect(),
            count: names.len(),
        };
        let calendar = &material.reasoning.model.calendar;
        let of_bands = bands.iter().flatten().map(|band| band.from);
        let of_findings = material.findings.iter().filter_map(|finding| finding.earliest);
        let reached = of_bands.chain(of_findings).chain(calendar.current());
        let bounds = elements
            .iter()
            .flat_map(|element| [&element.earliest_removal, &element.removal_due]);
        let last = reached
            .filter_map(|release| axis.position(release))
            .chain(bounds.filter_map(|bound| axis.moment(bound.as_ref())))
            .max();
        let listed = calendar.listed() as usize;
        axis.count = last.map_or(listed, |last| listed.max(last + 1)).min(names.len());
        axis
    }

    /// The position of a release; `None` if it is not drawn.
    fn position(&self, release: Release) -> Option<usize> {
        usize::try_from(release.0).ok().filter(|at| *at < self.count)
    }

    fn moment(&self, moment: Option<&Moment<'a>>) -> Option<usize> {
        let at = self.positions.get(moment?.release).copied();
        at.filter(|at| *at < self.count)
    }

    fn releases(&self, material: Material<'a>) -> Vec<Moment<'a>> {
        let releases = (0..u32::MAX).map(Release).take(self.count);
        releases.filter_map(|release| material.names.moment(release)).collect()
    }

    fn bands(&self, bands: &[Band]) -> Vec<BandReport> {
        let ends = bands.iter().skip(1).map(|next| self.position(next.from));
        let reports = bands.iter().zip(ends.chain([None])).filter_map(|(band, until)| {
            Some(BandReport {
                state: band.state,
                from: self.position(band.from)?,
                until,
                declared: band.declared,
                level: band.level,
            })
        });
        reports.collect()
    }
}

/// While versions are preferred and stored.
#[derive(Default)]
struct Roles {
    preferred: BTreeMap<ElementId, Vec<SpanReport>>,
    stored: BTreeMap<ElementId, Vec<SpanReport>>,
}

impl Roles {
    fn add(&mut self, material: Material<'_>, axis: &Axis<'_>, group: &Group) {
        let reasoning = material.reasoning;
        let last = Release(u32::try_from(axis.count.saturating_sub(1)).unwrap_or(u32::MAX));
        let timeline = timeline::group_until(reasoning.model, material.law, reasoning.assignment, group, last);
        for row in &timeline.rows {
            let Some(at) = axis.position(row.release) else { continue };
            if let Some(preferred) = row.preferred {
                extend(&mut self.preferred, group.versions[preferred].element, at);
            }
            if let Some(stored) = row.storage_of_all() {
                extend(&mut self.stored, group.versions[stored].element, at);
            }
            for (kind, stored) in group.kinds.iter().zip(&row.storage) {
                if let Some(element) = stored.and_then(|stored| kind.versions[stored]) {
                    extend(&mut self.stored, element, at);
                }
            }
        }
    }

    /// Spans that reach the last release drawn are open.
    fn leave_open(&mut self, end: usize) {
        for spans in self.preferred.values_mut().chain(self.stored.values_mut()) {
            if let Some(last) = spans.last_mut().filter(|last| last.until == Some(end)) {
                last.until = None;
            }
        }
    }
}

/// Adds a release to the spans of an element.
fn extend(roles: &mut BTreeMap<ElementId, Vec<SpanReport>>, element: ElementId, at: usize) {
    let spans = roles.entry(element).or_default();
    match spans.last_mut().filter(|last| last.until == Some(at)) {
        Some(last) => last.until = Some(at + 1),
        None => spans.push(SpanReport {
            from: at,
            until: Some(at + 1),
        }),
    }
}

/// The findings by the ids of their elements.
fn violations<'a>(
    findings: &'a [Diagnostic],
    sources: &Sources<'_>,
    axis: &Axis<'_>,
) -> BTreeMap<Option<&'a str>, Vec<ViolationReport<'a>>> {
    let mut by_element: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.known.is_none()) {
        let place = finding.primary.as_ref().and_then(|label| sources.locate(label.span));
        let of_element = by_element.entry(finding.element.as_deref()).or_default();
        of_element.push(ViolationReport {
            rule: finding.rule,
            number: finding.number.as_deref(),
            code: &finding.code,
            severity: finding.severity,
            message: finding.message.clone(),
            at: finding.earliest.and_then(|release| axis.position(release)),
            file: place.map(|(file, _)| file.to_owned()),
            line: place.map(|(_, place)| place.line),
            help: finding.help.as_deref(),
        });
    }
    by_element
}
