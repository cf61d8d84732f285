//! The order of steps of `scan`.

use std::collections::BTreeMap;
use std::fmt;

use super::{Evaluation, NotCovered};
use crate::answer;
use crate::baseline::{self, Severities, Suppressions};
use crate::diagnostic::{Diagnostic, UsedEvent};
use crate::model::{ElementId, Family, Kind, MemberName, Version};
use crate::policy::Law;
use crate::release::Release;
use crate::report::{ElementReport, LifeReport, Moment, Report};
use crate::scan::{self, Fate, KindFate, Member, MemberPart, Surface, Uses, VersionFate};
use crate::source::{FileId, Sources, Span};
use crate::text::Unreadable;

/// The objects of texts, compared with what models declare.
#[derive(Debug, Default)]
pub struct Scan {
    surfaces: Vec<Surface>,
    coverage: Vec<Coverage>,
    findings: Vec<Diagnostic>,
    /// How many objects were found.
    pub objects: usize,
    /// How many objects no model knows, by group, or by version where a model has the group.
    pub unknown: BTreeMap<String, usize>,
    /// How many uses are left out, because they were over before the first release of the scope.
    pub earlier: usize,
    base: Option<String>,
    baseline: Option<String>,
}

/// The releases that a scan is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'r> {
    /// The release in use. What it has, or no longer has, already is left out.
    pub from: Option<&'r str>,
    /// The release that objects are meant for; `None`: the current one of the model.
    pub to: Option<&'r str>,
}

/// What a model knows, for a line that says so.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The name of the model.
    pub model: String,
    /// The first and the last listed release.
    pub releases: (String, String),
    /// The release that objects are meant for, and its date if it has not shipped.
    pub to: (String, Option<String>),
    /// The groups.
    pub groups: Vec<String>,
}

/// `lifecycle.toml knows the releases 1.0 to 1.36 and 2 groups: a, b`.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = &self.releases;
        let plural = if self.groups.len() == 1 { "" } else { "s" };
        let (model, groups) = (&self.model, self.groups.len());
        write!(
            f,
            "{model} knows the releases {first} to {last} and {groups} API group{plural}"
        )
    }
}

/// What one text had.
#[derive(Debug, Default)]
pub struct Scanned {
    /// The places of its findings.
    pub places: Vec<Span>,
    /// The lines of documents that are templates.
    pub templates: Vec<u32>,
    /// Documents that cannot be read.
    pub unreadable: Vec<Unreadable>,
}

impl Scanned {
    /// A text in which documents that may have secrets are unreadable, except for the places of findings; `None` where
    /// nothing has to be hidden.
    pub fn masked(&self, text: &str) -> Option<String> {
        scan::masked(text, &self.places)
    }
}

impl Scan {
    /// Nothing scanned yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a model. Of several that declare a group, the first one counts.
    ///
    /// # Errors
    ///
    /// If the model does not know a release of the scope.
    pub fn add_model(&mut self, name: &str, evaluation: &Evaluation, scope: Scope<'_>) -> Result<(), NotCovered> {
        let calendar = &evaluation.model.calendar;
        let from = scope.from.map(|from| evaluation.find_known(from)).transpose()?;
        let to = match scope.to {
            Some(to) => evaluation.find_known(to)?,
            None => calendar
                .current()
                .unwrap_or_else(|| Release(calendar.listed().saturating_sub(1))),
        };
        let judge = Judge { evaluation, from, to };
        let surface = judge.surface();
        let moment = evaluation.moment(to);
        let ahead = calendar.current().is_none_or(|current| to > current);
        self.coverage.push(Coverage {
            model: name.to_owned(),
            releases: (
                calendar.name(Release(0)),
                calendar.name(Release(calendar.listed().saturating_sub(1))),
            ),
            to: (
                calendar.name(to),
                moment
                    .filter(|_| ahead)
                    .and_then(|moment| moment.date)
                    .map(str::to_owned),
            ),
            groups: surface.groups.keys().cloned().collect(),
        });
        self.surfaces.push(surface);
        Ok(())
    }

    /// What each model knows.
    pub fn coverage(&self) -> &[Coverage] {
        &self.coverage
    }

    /// Scans a text.
    pub fn add(&mut self, file: FileId, text: &str) -> Scanned {
        let read = scan::read(text);
        let mut uses = Uses::default();
        for document in &read.documents {
            uses.add(&self.surfaces, document);
        }
        let all = uses.all.len();
        uses.all.retain(|found| !found.fate.is_old);
        self.earlier += all - uses.all.len();
        self.objects += uses.objects;
        for (what, count) in uses.unknown {
            *self.unknown.entry(what).or_default() += count;
        }
        let findings = scan::findings(&uses.all, file, text);
        let scanned = Scanned {
            places: findings.iter().filter_map(Diagnostic::span).collect(),
            templates: read.templates,
            unreadable: read.unreadable,
        };
        self.findings.extend(findings);
        scanned
    }

    /// The findings.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// Marks the findings that an earlier state has too; `name` is its name in messages.
    pub fn compare_with(&mut self, name: &str, base: &Self) {
        baseline::mark_base(&mut self.findings, &base.findings);
        self.base = Some(name.to_owned());
    }

    /// Marks the findings that a baseline lists, and adds its entries whose findings are fixed, and those that the
    /// baseline of the base lacks.
    pub fn suppress(&mut self, law: &Law, suppressions: Suppressions<'_>) {
        let severities = Severities {
            fixed: law.severity_outside(&baseline::PAGE, "fixed"),
            added: law.severity_outside(&baseline::PAGE, "added"),
        };
        let about = suppressions.baseline.suppress(
            &mut self.findings,
            self.base.as_deref().zip(suppressions.base),
            severities,
            (|finding| law.silences(&finding.rule, &finding.code), |_| false),
        );
        self.findings.extend(about);
        self.baseline = Some(suppressions.file.to_owned());
    }

    /// The report: the findings in the order of their places, or only those that are not known.
    pub fn report(&mut self, sources: &Sources<'_>, all: bool) -> Report<'static> {
        self.findings.sort_by(Diagnostic::listing_order);
        let mut report = Report {
            compared: baseline::compared(self.findings.iter(), self.base.as_deref(), self.baseline.as_deref()),
            ..answer::error_report(&self.findings, sources)
        };
        if !all {
            report.leave_out_known();
        }
        report
    }
}

impl Evaluation {
    /// A release that the model lists, or in which it declares or plans something: of later ones it cannot say what
    /// they have.
    fn find_known(&self, name: &str) -> Result<Release, NotCovered> {
        let release = self.model.calendar.find(name)?;
        if release <= self.last_covered() {
            return Ok(release);
        }
        Err(self.not_covered(name))
    }
}

/// Says what happens to elements between two releases.
#[derive(Clone, Copy)]
struct Judge<'e> {
    evaluation: &'e Evaluation,
    from: Option<Release>,
    to: Release,
}

impl Judge<'_> {
    fn surface(self) -> Surface {
        let model = self.evaluation.model();
        let mut ids: Vec<ElementId> = Vec::new();
        for group in &model.groups {
            ids.extend(group.versions.iter().map(|version| version.element));
            for kind in &group.kinds {
                ids.extend(kind.versions.iter().flatten());
                ids.extend(kind.members.iter().flat_map(|member| member.versions.iter().flatten()));
            }
        }
        let reports = answer::elements_of(self.evaluation.material(), ids);
        let fates: BTreeMap<ElementId, Fate> = reports
            .into_iter()
            .map(|(id, report)| (id, self.fate(&report)))
            .collect();
        let mut groups: BTreeMap<String, BTreeMap<String, VersionFate>> = BTreeMap::new();
        // API groups come first: a configuration with the name of one is not asked for.
        for group in &model.groups {
            let is_named = group.family == Family::Config && groups.contains_key(&group.name);
            if is_named {
                continue;
            }
            let versions = group.versions.iter().enumerate().map(|(at, version)| {
                let kinds = group.kinds.iter().filter_map(|kind| kind_fate(kind, at, &fates));
                (
                    version.name.as_str().to_owned(),
                    version_fate(version, kinds.collect(), &fates),
                )
            });
            groups.insert(group.name.clone(), versions.collect());
        }
        let law = self.evaluation.law();
        let codes = scan::PAGE.codes.iter().map(|(code, _)| *code);
        Surface {
            groups,
            severities: codes
                .map(|code| (code, law.severity_outside(&scan::PAGE, code)))
                .collect(),
        }
    }

    fn fate(self, report: &ElementReport<'_>) -> Fate {
        let last = LifeReport {
            introduced: report.introduced,
            deprecated: report.deprecated,
            removed: report.removed,
        };
        let lives = report.earlier_lives.iter().chain([&last]);
        // The life that the release is in, or the last one before it.
        let mut begun = lives.filter(|life| life.introduced.is_none_or(|introduced| self.is_by(introduced, self.to)));
        let Some(life) = begun.next_back() else {
            return Fate {
                id: report.id.to_owned(),
                ..Fate::default()
            };
        };
        let [deprecated, removed] =
            [life.deprecated, life.removed].map(|moment| moment.filter(|moment| self.is_by(*moment, self.to)));
        let newest = removed.or(deprecated);
        Fate {
            id: report.id.to_owned(),
            deprecated: deprecated.map(event),
            removed: removed.map(event),
            replacement: report.migrate_to.or(report.replacement).map(str::to_owned),
            is_old: self
                .from
                .is_some_and(|from| newest.is_some_and(|moment| self.is_by(moment, from))),
        }
    }

    /// Whether something has happened by a release. What has no certain release has not.
    fn is_by(self, moment: Moment<'_>, release: Release) -> bool {
        let found = self.evaluation.model().calendar.find(moment.release);
        !moment.at_least && found.is_ok_and(|found| found <= release)
    }
}

fn event(moment: Moment<'_>) -> UsedEvent {
    UsedEvent {
        release: moment.release.to_owned(),
        date: moment.date.map(str::to_owned),
        date_kind: moment.date_kind,
        declared: moment.declared == Some(true),
    }
}

fn version_fate(
    version: &Version,
    kinds: BTreeMap<String, KindFate>,
    fates: &BTreeMap<ElementId, Fate>,
) -> VersionFate {
    VersionFate {
        fate: fates.get(&version.element).cloned().unwrap_or_default(),
        kinds,
    }
}

fn kind_fate(kind: &Kind, at: usize, fates: &BTreeMap<ElementId, Fate>) -> Option<(String, KindFate)> {
    let element = kind.versions.get(at).copied().flatten()?;
    let own = fates.get(&element)?;
    let members = kind.members.iter().filter_map(|member| {
        let fate = fates.get(&member.versions.get(at).copied().flatten()?)?;
        let happens = differs(fate.deprecated.as_ref(), own.deprecated.as_ref())
            || differs(fate.removed.as_ref(), own.removed.as_ref());
        let part = part(&member.parts()).filter(|_| happens)?;
        Some(Member {
            fate: fate.clone(),
            part,
        })
    });
    let members = members.collect();
    let fate = own.clone();
    Some((kind.name.clone(), KindFate { fate, members }))
}

/// Whether something happens to a part of a kind that does not happen to the kind as a whole.
fn differs(part: Option<&UsedEvent>, whole: Option<&UsedEvent>) -> bool {
    part.is_some_and(|part| whole.is_none_or(|whole| part.release != whole.release))
}

fn part(name: &MemberName<'_>) -> Option<MemberPart> {
    Some(match name {
        MemberName::Subresource(_) => return None,
        MemberName::Field(path) => MemberPart::Field(steps(path)),
        MemberName::Value { path, value } => MemberPart::Value(steps(path), value.to_string()),
        MemberName::Annotation(key) => MemberPart::Annotation(key.to_string()),
    })
}

/// The steps of a path: `spec.ports[].name` is `spec`, `ports`, `[]`, `name`.
fn steps(path: &str) -> Vec<String> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part
            .trim_end_matches("[]")
            .trim_end_matches("{}")
            .trim_end_matches("[]");
        let mut signs = &part[name.len()..];
        steps.push(name.to_owned());
        while let Some((sign, rest)) = signs.split_at_checked(2) {
            steps.push(sign.to_owned());
            signs = rest;
        }
    }
    steps
}
