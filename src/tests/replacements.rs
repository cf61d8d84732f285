//! Nothing is named as a replacement that its readers cannot move to: in the plan, in the notes of each release, and in
//! warning headers.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeMap;

use lifecycle::Sources;
use lifecycle::answer::Range;
use lifecycle::evaluate::Evaluation;
use lifecycle::model::succession::named;
use lifecycle::model::{ElementId, Event, EventKind};
use lifecycle::release::Release;
use lifecycle::report::{AnnouncementReport, Moment, SubjectReport};
use proptest::prelude::*;

use super::support::evaluate;
use super::worlds::{World, cases, evaluated_text, world};

/// The text of a world in which some versions name others as their replacement, of any group and any stability.
pub(super) fn with_replacements(world: &World, choices: &[(usize, bool)]) -> String {
    let text = world.text();
    let mut group = String::new();
    let mut ids: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line
            .strip_prefix("[group.\"")
            .and_then(|rest| rest.strip_suffix("\".version]"))
        {
            name.clone_into(&mut group);
        } else if let Some((version, _)) = line.split_once(" = { introduced")
            && version.starts_with('v')
            && !version.contains('.')
        {
            ids.push(format!("{group}/{version}"));
        }
    }
    let mut choices = choices.iter().cycle();
    let lines = text.lines().map(|line| {
        let is_life = line.starts_with('v') && line.contains(" = { introduced") || line.starts_with("version.");
        match (choices.next(), ids.len()) {
            (Some((at, true)), count) if count > 0 && is_life && !line.contains("replacement") => {
                line.replace(" }", &format!(", replacement = \"{}\" }}", ids[at % count]))
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

pub(super) struct Checker<'e> {
    evaluation: &'e Evaluation,
    releases: BTreeMap<String, Release>,
}

impl<'e> Checker<'e> {
    pub(super) fn new(evaluation: &'e Evaluation) -> Self {
        let calendar = &evaluation.model().calendar;
        let releases = (0..200).map(Release).map(|release| (calendar.name(release), release));
        Self {
            evaluation,
            releases: releases.collect(),
        }
    }

    fn release(&self, moment: Option<&Moment<'_>>) -> Release {
        moment.map_or(Release::NEVER, |moment| self.releases[moment.release])
    }

    /// When an element is served: from each introduction to the removal.
    fn lives(&self, element: ElementId) -> Vec<(Release, Release)> {
        let model = self.evaluation.model();
        let kinds = model
            .elements()
            .filter(|(_, other)| other.parent == Some(element) && other.kind.is_kind());
        let mut owners: Vec<ElementId> = kinds.map(|(id, _)| id).collect();
        if owners.is_empty() {
            owners.push(element);
        }
        let reasoning = self.evaluation.reasoning();
        let lives = owners
            .iter()
            .flat_map(|owner| (0..model.lives(*owner)).map(|life| (*owner, life)));
        lives
            .map(|(owner, life)| {
                let [since, until] = [EventKind::Introduced, EventKind::Removed]
                    .map(|what| reasoning.release(Event::new(owner, life, what)));
                (since.unwrap_or(Release(0)), until.unwrap_or(Release::NEVER))
            })
            .collect()
    }

    /// Whether what is named is served in a release; for "never", whether it stays.
    fn serves(&self, id: &str, release: Release) -> bool {
        let element = self
            .evaluation
            .model()
            .find(id)
            .unwrap_or_else(|| panic!("{id} is an element"));
        self.lives(element).iter().any(|(since, until)| {
            if release.is_never() {
                until.is_never()
            } else {
                (*since..*until).contains(&release)
            }
        })
    }

    /// Since when an element is served without a gap up to the last life of one of its parts.
    fn served_since(&self, element: ElementId) -> Option<Release> {
        let model = self.evaluation.model();
        let last = model.served_by(element).into_iter().map(|part| {
            let begin = model.last_event(part, EventKind::Introduced);
            self.evaluation.reasoning().release(begin).unwrap_or(Release(0))
        });
        let lives = self.lives(element);
        let mut since = last.min()?;
        // One release back as long as there is one that serves it.
        while let Some(before) = since.0.checked_sub(1).map(Release)
            && lives.iter().any(|(begin, until)| (*begin..*until).contains(&before))
        {
            since = before;
        }
        Some(since)
    }

    /// The replacements that a subject names and that are not served when it is named, or when it is removed.
    fn wrong_in(&self, of: &SubjectReport<'_>, named_in: Release, whole: bool) -> Vec<String> {
        let removed = self.release(of.removed.as_ref()).max(named_in);
        // Of a version, all kinds are removed together only with the last of them.
        let end = if whole { named_in } else { removed };
        let named = [of.replacement, of.migrate_to].into_iter().flatten();
        let wrong = named.filter(|id| !self.serves(id, named_in) || !self.serves(id, end));
        wrong
            .map(|id| format!("{} names {id} in {named_in:?}, removed {removed:?}", of.id))
            .collect()
    }

    fn wrong_in_announcement(&self, item: &AnnouncementReport<'_>, readers: Option<Release>) -> Vec<String> {
        let named_in = readers.unwrap_or_else(|| self.release(Some(&item.release)));
        let mut wrong = self.wrong_in(&item.element, named_in, !item.kinds.is_empty());
        wrong.extend(item.kinds.iter().flat_map(|kind| self.wrong_in(kind, named_in, false)));
        wrong
    }

    fn wrong_in_notes(&self, release: Release, since: Option<Release>) -> Vec<String> {
        let range = Range {
            release: Some(release),
            since,
            tentative: false,
            declared: false,
        };
        let notes = self.evaluation.notes(&Sources::new(), range);
        let readers = since.map(|_| release);
        let mut wrong = Vec::new();
        for of in &notes.releases {
            let items = of.sections.iter().flat_map(|section| &section.items).chain(&of.urgent);
            wrong.extend(items.flat_map(|item| self.wrong_in_announcement(item, readers)));
        }
        for removal in &notes.removals {
            let named_in = readers.unwrap_or_else(|| self.release(Some(&removal.release)));
            for api in &removal.apis {
                wrong.extend(api.elements.iter().flat_map(|of| self.wrong_in(of, named_in, false)));
                let missing = api.migrate_to.filter(|id| !self.serves(id, named_in));
                wrong.extend(missing.map(|id| format!("the guide names {id} in {named_in:?}")));
            }
            wrong.extend(removal.others.iter().flat_map(|of| self.wrong_in(of, named_in, false)));
        }
        for removal in &notes.standing.removals {
            let apis = removal.apis.iter().flat_map(|api| &api.elements);
            wrong.extend(
                apis.chain(&removal.others)
                    .flat_map(|of| self.wrong_in(of, release, false)),
            );
        }
        let unscheduled = notes.unscheduled.iter().chain(&notes.standing.unscheduled);
        wrong.extend(unscheduled.flat_map(|of| self.wrong_in(of, release, false)));
        for api in &notes.warnings.apis {
            let Some((_, id)) = api.warning.split_once("; use ") else {
                continue;
            };
            let removed = self.release(api.removed.as_ref());
            if !self.serves(id, release) || !self.serves(id, removed) {
                wrong.push(format!("in {release:?}: {}", api.header));
            }
        }
        wrong
    }

    /// What the plan names: served when the element is deprecated (now, if that is past, and not before it is there)
    /// and when it is removed. A declared replacement that is introduced later is not removed before.
    fn wrong_in_plan(&self) -> Vec<String> {
        let model = self.evaluation.model();
        let current = model.calendar.current().unwrap_or(Release(0));
        let mut wrong = Vec::new();
        for element in self.evaluation.elements() {
            let id = model.find(element.id).expect("it is an element");
            let removed = self.release(element.removed.as_ref());
            let deprecated = self.release(element.deprecated.as_ref().or(element.removed.as_ref()));
            let begins = self.served_since(id);
            let named_in = deprecated.max(current).max(begins.unwrap_or(current)).min(removed);
            let is_declared = named(model, id).is_some();
            for other in [element.replacement, element.migrate_to].into_iter().flatten() {
                let there = if is_declared {
                    let target = model.find(other).expect("it is an element");
                    self.lives(target)
                        .iter()
                        .any(|(_, until)| until.is_never() || *until > removed)
                } else {
                    self.serves(other, named_in) && self.serves(other, removed)
                };
                if !there {
                    wrong.push(format!("the plan names {other} for {}", element.id));
                }
            }
        }
        wrong
    }

    pub(super) fn wrong(&self) -> Vec<String> {
        let mut wrong = self.wrong_in_plan();
        for release in (0..14).map(Release) {
            wrong.extend(self.wrong_in_notes(release, None));
        }
        wrong.extend(self.wrong_in_notes(Release(9), Some(Release(2))));
        wrong
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn what_is_named_as_a_replacement_is_served_then_and_at_the_removal(
        world in world(),
        choices in prop::collection::vec((0_usize..12, prop::bool::weighted(0.3)), 1..20),
    ) {
        let text = world.text();
        let wrong = Checker::new(&evaluated_text(&world, &text)).wrong();
        prop_assert!(wrong.is_empty(), "{:#?}\n{}", wrong, text);
        let text = with_replacements(&world, &choices);
        let wrong = Checker::new(&evaluated_text(&world, &text)).wrong();
        prop_assert!(wrong.is_empty(), "{:#?}\n{}", wrong, text);
    }
}

const CHAIN: &str = "
policy = \"kubernetes\"
[calendar]
cadence = { months = 4 }
symbolic = { origin = \"X\", count = 16 }
[group.\"example.com\".version]
";

/// What the plan names for `example.com/v1beta1`.
fn planned(versions: &str) -> [Option<String>; 2] {
    let evaluation = evaluate(&format!("{CHAIN}{versions}")).expect("it can be read");
    let elements = evaluation.elements();
    let mut own = elements.iter().filter(|element| element.id == "example.com/v1beta1");
    let own = own.next().expect("it is planned");
    [own.replacement, own.migrate_to].map(|id| id.map(str::to_owned))
}

#[test]
fn a_version_that_is_introduced_after_the_removal_is_no_target() {
    let chain = "
v1beta1 = { introduced = \"X\" }
v1beta2 = { introduced = \"X+1\" }
v1 = { introduced = \"X+9\" }
";
    assert_eq!(planned(chain), [(); 2].map(|()| Some("example.com/v1beta2".to_owned())));
}

/// `v1` is less stable than `v1beta1` until its gate is beta.
#[test]
fn a_version_that_a_gate_makes_less_stable_is_no_replacement_until_then() {
    let deprecated = |release: &str| {
        format!(
            "
v1beta1 = {{ introduced = \"X\", deprecated = \"{release}\" }}
v1 = {{ introduced = \"X+2\", gated-by = \"G\" }}
[gate.G]
specs = [{{ stage = \"alpha\", since = \"X+2\", default = false }}, {{ stage = \"beta\", since = \"X+6\", default = true }}]
"
        )
    };
    let named = [(); 2].map(|()| Some("example.com/v1".to_owned()));
    for kinds in ["", "[group.\"example.com\".kind.A]\n"] {
        assert_eq!(planned(&format!("{}{kinds}", deprecated("X+3"))), [None, None]);
        assert_eq!(planned(&format!("{}{kinds}", deprecated("X+6"))), named);
    }
}

#[test]
fn a_version_that_comes_after_the_deprecation_of_all_kinds_is_no_replacement() {
    let of_kind = |release: &str| {
        format!(
            "
v1alpha1 = {{ introduced = \"X\" }}
v1beta1 = {{ introduced = \"X\", deprecated = \"X+4\", removed = \"X+8\" }}
v1 = {{ introduced = \"X+4\" }}
[group.\"example.com\".kind.A.version.v1beta1]
deprecated = \"{release}\"
"
        )
    };
    assert_eq!(planned(&of_kind("X+3")), [None, None]);
    assert_eq!(
        planned(&of_kind("X+4")),
        [(); 2].map(|()| Some("example.com/v1".to_owned()))
    );
}

/// The entry of the version is older than the kind, which has a deprecation of its own.
#[test]
fn a_version_that_is_away_when_all_kinds_are_deprecated_is_no_replacement() {
    let text = "
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v2beta1 = { lives = [{ introduced = \"X\", removed = \"X+5\" }, { introduced = \"X+7\" }] }
[group.\"example.com\".kind.A.version.v1beta1]
introduced = \"X+1\"
deprecated = [\"X+1\", \"X+5\"]
undeprecated = \"X+3\"
";
    assert_eq!(planned(text), [None, None]);
}

/// The other version ends with the kind that enters the one it replaces only later.
#[test]
fn notes_name_no_version_that_ends_with_the_last_kind_of_the_one_it_replaces() {
    let text = "
v1beta1 = { introduced = \"X\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X+1\", deprecated = \"X+2\" }
[group.\"example.com\".kind.A.version.v1beta1]
introduced = \"X+2\"
[group.\"example.com\".kind.B]
";
    let current = CHAIN.replace("cadence", "current = \"X\"\ncadence");
    let evaluation = evaluate(&format!("{current}{text}")).expect("it can be read");
    let wrong = Checker::new(&evaluation).wrong();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One kind has left the version when the other enters it: the version is there all the time.
#[test]
fn a_version_that_comes_after_the_deprecation_is_no_replacement_because_kinds_are_away() {
    let text = "
v1beta1 = { introduced = \"X\", deprecated = \"X\" }
v2beta1 = { introduced = \"X+1\" }
[group.\"example.com\".kind.A.version.v1beta1]
introduced = \"X+1\"
deprecated = \"X+1\"
[group.\"example.com\".kind.B.version.v1beta1]
lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }]
";
    assert_eq!(planned(text), [None, None]);
}

#[test]
fn a_version_that_is_removed_first_is_no_replacement() {
    let first = "
v1beta1 = { introduced = \"X\", deprecated = \"X+2\", removed = \"X+8\", replacement = \"v1beta2\" }
v1beta2 = { introduced = \"X+1\", deprecated = \"X+2\", removed = \"X+5\" }
";
    assert_eq!(planned(first), [None, None]);
    let v1 = "v1 = { introduced = \"X+2\" }\n";
    assert_eq!(
        planned(&format!("{first}{v1}")),
        [(); 2].map(|()| Some("example.com/v1".to_owned()))
    );
}

#[test]
fn another_group_replaces_a_version_only_if_each_of_its_kinds_moves_there() {
    let kinds = |of_ingress: &str| {
        format!(
            r#"
v1beta1 = {{ introduced = "X", deprecated = "X+2" }}
[group."example.com".kind]
Deployment = {{ version.v1beta1 = {{ replacement = "apps.example/v1 Deployment" }} }}
Ingress = {{ version.v1beta1 = {{ {of_ingress} }} }}
[group."apps.example".version]
v1 = {{ introduced = "X+1" }}
[group."apps.example".kind]
Deployment = {{}}
Ingress = {{}}
[group."network.example".version]
v1 = {{ introduced = "X+1" }}
[group."network.example".kind.Ingress]
"#
        )
    };
    let apps = [(); 2].map(|()| Some("apps.example/v1".to_owned()));
    assert_eq!(planned(&kinds("replacement = \"apps.example/v1 Ingress\"")), apps);
    assert_eq!(
        planned(&kinds("replacement = \"network.example/v1 Ingress\"")),
        [None, None]
    );
    assert_eq!(planned(&kinds("")), [None, None]);
}

#[test]
fn a_kind_that_enters_a_deprecated_version_does_not_move_its_deprecation() {
    let text = r#"
v1beta1 = { introduced = "X", deprecated = "X+2" }
v1 = { introduced = "X+1" }
[group."example.com".kind]
Widget = {}
Gadget = { version.v1beta1 = { introduced = "X+4" } }
"#;
    let evaluation = evaluate(&format!("{CHAIN}{text}")).expect("it can be read");
    let elements = evaluation.elements();
    let version = elements.iter().find(|element| element.id == "example.com/v1beta1");
    let deprecated = version.and_then(|version| version.deprecated);
    assert_eq!(deprecated.map(|moment| moment.release), Some("X+2"));
}

/// Its first life ends while the replacement is served; the one to come has no end.
#[test]
fn what_comes_back_for_good_is_not_moved_from() {
    let again = "
v1beta1 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+2\" }], replacement = \"v1alpha1\" }
v1alpha1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+6\" }
[group.\"example.com\".kind.Widget]
versions = [\"v1beta1\", \"v1alpha1\"]
";
    assert_eq!(planned(again), [None, None]);
}

#[test]
fn a_declared_replacement_that_comes_later_is_in_the_plan_and_in_no_note_before() {
    let later = "
v1beta1 = { introduced = \"X\", deprecated = \"X+2\", removed = \"X+6\", replacement = \"v1\" }
v1 = { introduced = \"X+4\" }
";
    assert_eq!(planned(later), [(); 2].map(|()| Some("example.com/v1".to_owned())));
    let evaluation = evaluate(&format!("{CHAIN}{later}")).expect("it can be read");
    let named_in = |release: u32| {
        let range = Range {
            release: Some(Release(release)),
            ..Range::default()
        };
        let notes = evaluation.notes(&Sources::new(), range);
        let api = notes.warnings.apis.first().map(|api| api.warning.clone());
        let sections = notes.releases.iter().flat_map(|of| &of.sections);
        let items = sections.flat_map(|section| &section.items);
        let old = items
            .map(|item| &item.element)
            .find(|of| of.id == "example.com/v1beta1");
        let named = old.map(|of| (of.migrate_to.map(str::to_owned), of.replacement_to_come));
        (api, named)
    };
    let header = "example.com/v1beta1 is deprecated in vX+2+, unavailable in vX+6+";
    assert_eq!(named_in(2), (Some(header.to_owned()), Some((None, true))));
    assert_eq!(named_in(4).0, Some(format!("{header}; use example.com/v1")));
    assert_eq!(named_in(6), (None, Some((Some("example.com/v1".to_owned()), false))));
}
