//! SARIF 2.1.0, for code scanning and editors.

mod log;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::diagnostic::Known;
use crate::report::{DiagnosticReport, EditReport, LabelReport, PageReport};
use crate::source::Sources;

use super::ci::{most_severe_first, places};
use super::{Findings, json, numbered_fact};
use log::{
    ArtifactChange, ArtifactLocation, Driver, Finding, FindingProperties, Fingerprints, Fix, Help, Invocation,
    Location, Log, LogicalLocation, Message, Notification, PhysicalLocation, Region, Replacement, Rule, RuleProperties,
    Run, RunProperties, Suppression, Tool,
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base of URIs: the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// GitHub refuses runs with more results.
const MOST_RESULTS: usize = 25_000;

/// GitHub refuses results with more locations.
const MOST_PLACES: usize = 1_000;

/// Prints the findings as one run; the pages are its rules.
pub(super) fn report(given: &Findings<'_>, mut out: &mut dyn Write) -> io::Result<()> {
    let (findings, pages) = (&given.report.diagnostics, given.pages);
    let listed: Vec<&DiagnosticReport<'_>> = if findings.len() > MOST_RESULTS {
        most_severe_first(findings).into_iter().take(MOST_RESULTS).collect()
    } else {
        findings.iter().collect()
    };
    let indices = (0..).zip(pages).map(|(index, page)| (page.slug, index)).collect();
    let writing = Writing {
        given,
        indices,
        compared: given.judged_against.is_some() || findings.iter().any(|finding| finding.known.is_some()),
    };
    let run = Run {
        tool: Tool { driver: driver(pages) },
        column_kind: "unicodeCodePoints",
        invocations: invocations(findings),
        results: Results { writing, listed },
        properties: given
            .judged_against
            .map(|judged_against| RunProperties { judged_against }),
    };
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run],
    };
    json::value(&log, &mut out)
}

/// The results, each made while it is written.
struct Results<'r> {
    writing: Writing<'r>,
    listed: Vec<&'r DiagnosticReport<'r>>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.listed.iter().map(|finding| self.writing.result(finding)))
    }
}

/// Reports what was left out, if anything was.
fn invocations(findings: &[DiagnosticReport<'_>]) -> Vec<Invocation> {
    let all = findings.len();
    let results =
        (all > MOST_RESULTS).then(|| format!("Only the {MOST_RESULTS} most severe of {all} findings are listed."));
    let places = (findings.iter().any(|finding| finding.labels.len() > MOST_PLACES))
        .then(|| format!("Only the first {MOST_PLACES} locations of a finding are listed."));
    let notifications = results.into_iter().chain(places).map(|text| Notification {
        level: "warning",
        message: Message { text },
    });
    let invocation = Invocation {
        execution_successful: true,
        tool_execution_notifications: notifications.collect(),
    };
    let some = !invocation.tool_execution_notifications.is_empty();
    some.then_some(invocation).into_iter().collect()
}

fn driver<'r>(pages: &'r [PageReport<'r>]) -> Driver<'r> {
    let version = env!("CARGO_PKG_VERSION");
    Driver {
        name: "lifecycle",
        version,
        semantic_version: version,
        information_uri: Some(env!("CARGO_PKG_HOMEPAGE")).filter(|homepage| !homepage.is_empty()),
        rules: pages.iter().map(rule).collect(),
    }
}

fn rule<'r>(page: &'r PageReport<'r>) -> Rule<'r> {
    Rule {
        id: page.slug,
        name: pascal_case(page.slug),
        short_description: Message { text: page.title },
        full_description: Message { text: page.title },
        help: Help {
            text: page.page,
            markdown: page.page,
        },
        properties: page.number.map(|number| RuleProperties { number }),
    }
}

/// `version-lifetime` as `VersionLifetime`.
fn pascal_case(slug: &str) -> String {
    let mut name = String::with_capacity(slug.len());
    for word in slug.split('-') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// What is needed to write a result.
struct Writing<'r> {
    given: &'r Findings<'r>,
    /// The positions of the rules.
    indices: BTreeMap<&'r str, usize>,
    /// Whether the findings were compared with a base or a baseline.
    compared: bool,
}

impl Writing<'_> {
    fn result<'f>(&self, finding: &'f DiagnosticReport<'_>) -> Finding<'f> {
        let text = match &finding.help {
            Some(help) => format!("{}\n{help}", finding.message),
            None => finding.message.clone(),
        };
        let (own, further) = places(finding);
        // Files of the base are not checked out.
        let here = further.iter().filter(|label| label.region.span.file < Sources::BASE);
        let related = (1..).zip(here.take(MOST_PLACES - 1));
        Finding {
            rule_id: finding.rule,
            rule_index: self.indices.get(finding.rule).copied(),
            level: finding.severity.as_str(),
            message: Message { text },
            locations: self.location(own, finding.element.as_deref()).into_iter().collect(),
            related_locations: related.map(|(id, label)| self.related(id, label)).collect(),
            partial_fingerprints: Fingerprints {
                lifecycle_finding: &finding.fingerprint,
            },
            baseline_state: self.compared.then_some(match finding.known {
                Some(_) => "unchanged",
                None => "new",
            }),
            suppressions: self.suppressions(finding),
            fixes: self.fixes(finding),
            properties: FindingProperties {
                code: &finding.code,
                number: finding.number.as_deref(),
                because: finding.because.iter().map(numbered_fact).collect(),
                earliest: finding.earliest.map(|moment| moment.release),
            },
        }
    }

    /// The location of a finding and its element.
    fn location<'f>(&self, own: Option<&'f LabelReport>, element: Option<&'f str>) -> Option<Location<'f>> {
        let place = own.map(|label| self.physical(label)).or_else(|| {
            Some(PhysicalLocation {
                artifact_location: self.artifact(self.given.stands_in?),
                region: Region::START,
            })
        });
        let element = element.map(|fully_qualified_name| LogicalLocation { fully_qualified_name });
        (place.is_some() || element.is_some()).then(|| Location {
            id: None,
            physical: place,
            logical: element.into_iter().collect(),
            message: own.and_then(words),
        })
    }

    /// The number makes equal places different, as the format requires.
    fn related<'f>(&self, id: usize, label: &'f LabelReport) -> Location<'f> {
        Location {
            id: Some(id),
            physical: Some(self.physical(label)),
            logical: Vec::new(),
            message: words(label),
        }
    }

    fn physical(&self, label: &LabelReport) -> PhysicalLocation {
        PhysicalLocation {
            artifact_location: self.artifact(&label.region.file),
            region: Region::of(&label.region),
        }
    }

    fn artifact(&self, file: &str) -> ArtifactLocation {
        let path = (self.given.path)(file);
        let is_absolute = path.starts_with('/');
        let scheme = if is_absolute { "file://" } else { "" };
        ArtifactLocation {
            uri: format!("{scheme}{}", percent_encoded(&path)),
            uri_base_id: (!is_absolute).then_some(ROOT),
        }
    }

    /// The format requires all results to have this list, or none.
    fn suppressions(&self, finding: &DiagnosticReport<'_>) -> Option<Vec<Suppression>> {
        let suppression = (finding.known == Some(Known::Baseline)).then_some(Suppression {
            kind: "external",
            justification: "listed in the baseline",
        });
        self.compared.then(|| suppression.into_iter().collect())
    }

    /// The edits that fix a finding, by file.
    fn fixes<'f>(&self, finding: &'f DiagnosticReport<'_>) -> Vec<Fix<'f>> {
        let mut files: Vec<&str> = Vec::new();
        for edit in &finding.fix {
            if !files.contains(&edit.region.file.as_str()) {
                files.push(&edit.region.file);
            }
        }
        let changes = files.into_iter().map(|file| ArtifactChange {
            artifact_location: self.artifact(file),
            replacements: finding
                .fix
                .iter()
                .filter(|edit| edit.region.file == file)
                .map(replacement)
                .collect(),
        });
        let changes: Vec<_> = changes.collect();
        if changes.is_empty() {
            return Vec::new();
        }
        vec![Fix {
            description: finding.help.as_deref().map(|text| Message { text }),
            artifact_changes: changes,
        }]
    }
}

/// The text of a place.
fn words(label: &LabelReport) -> Option<Message<&str>> {
    let text = label.text.as_str();
    (!text.is_empty()).then_some(Message { text })
}

fn replacement(edit: &EditReport) -> Replacement<'_> {
    Replacement {
        deleted_region: Region::of(&edit.region),
        inserted_content: Message { text: &edit.text },
    }
}

/// A path in a URI. A colon is escaped as well: the text before it would read as a scheme.
fn percent_encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
