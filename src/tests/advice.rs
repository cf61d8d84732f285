//! Next steps that are followed: the finding is gone, and no error is new.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use crate::document::{Edit, apply, edit};
use crate::source::Span;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::{Evaluation, Supposition};
use lifecycle::model::{ElementId, Event, EventKind, Model};
use proptest::prelude::*;

use super::rich::rich;
use super::support::evaluate;
use super::worlds::{cases, load_supposing};

/// A next step as a change of the model.
struct Step {
    text: String,
    suppositions: Vec<Supposition>,
}

/// The events that a next step dates, with the names of their releases: `removed = "1.5"`, or `move the removal to
/// 1.5`.
fn dated(model: &Model, finding: &Diagnostic) -> Vec<(EventKind, String)> {
    let help = finding.help.as_deref().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = help;
    while let Some((before, after)) = rest.split_once(" = \"") {
        let key = before
            .rsplit(|letter: char| !letter.is_ascii_lowercase())
            .next()
            .unwrap_or_default();
        let Some((release, then)) = after.split_once('"') else {
            break;
        };
        let what = model.event_named(key).filter(|_| release != "…");
        found.extend(what.map(|what| (what, release.to_owned())));
        rest = then;
    }
    let again = help
        .strip_prefix("add \"")
        .and_then(|rest| rest.split_once("\" to `deprecated`"));
    found.extend(again.map(|(release, _)| (EventKind::Deprecated, release.to_owned())));
    if let Some((_, release)) = help.split_once("move the removal to ") {
        let end = release.find([';', ',']).unwrap_or(release.len());
        found.push((EventKind::Removed, release[..end].to_owned()));
    }
    if found.is_empty()
        && let Some(release) = help.strip_prefix("move it to ")
        && let Some(what) = finding.event.as_ref().and_then(|event| model.event_named(&event.what))
    {
        let end = release.find([';', ',', ':']).unwrap_or(release.len());
        let release = release[..end].trim_end_matches(" or earlier");
        found.push((what, release.to_owned()));
    }
    found
}

/// The elements that a next step is about.
fn about(evaluation: &Evaluation, finding: &Diagnostic) -> Vec<ElementId> {
    let model = evaluation.model();
    let Some(element) = finding.element.as_deref().and_then(|id| model.find(id)) else {
        return Vec::new();
    };
    let help = finding.help.as_deref().unwrap_or_default();
    if let Some((_, names)) = help.split_once("\" for ")
        && let Some((names, _)) = names.split_once(", or add")
    {
        let kinds = names
            .split(", ")
            .filter_map(|name| model.find(&format!("{} {name}", model.id(element))));
        return kinds.collect();
    }
    vec![element]
}

/// The elements for which a next step dates an event: kinds may be deprecated apart from their version.
fn announced_for(evaluation: &Evaluation, finding: &Diagnostic, what: EventKind) -> Vec<ElementId> {
    let help = finding.help.as_deref().unwrap_or_default();
    let apart = help.split_once("` of ").filter(|_| what == EventKind::Deprecated);
    let Some((before, names)) = apart else {
        return about(evaluation, finding);
    };
    let names = names.split(", ").take_while(|name| !name.starts_with("and move"));
    let kinds = names.filter_map(|name| evaluation.model().find(name));
    let whole = before.starts_with("declare").then(|| about(evaluation, finding));
    whole.into_iter().flatten().chain(kinds).collect()
}

/// The next step of a finding, if it says what to declare and when, or what to delete.
fn step(evaluation: &Evaluation, text: &str, finding: &Diagnostic) -> Option<Step> {
    let model = evaluation.model();
    let mut step = Step {
        text: text.to_owned(),
        suppositions: Vec::new(),
    };
    let mut edits: Vec<Edit> = Vec::new();
    let help = finding.help.as_deref().unwrap_or_default();
    if !finding.fix.is_empty() {
        // Another next step is in words only: `fix` tries the edit, and drops it if it does not help.
        if dated(model, finding).is_empty() && !help.starts_with("add `") {
            return None;
        }
        let fix: Option<Vec<Edit>> = finding.fix.iter().map(|change| edit(text, change)).collect();
        step.text = apply(text, &fix?);
        return Some(step);
    }
    let deleted = help.starts_with("delete `") && help.contains("` until ");
    let what = finding.event.as_ref().and_then(|event| model.event_named(&event.what));
    let dated = match what.filter(|_| deleted) {
        Some(what) => vec![(what, None)],
        None => dated(model, finding)
            .into_iter()
            .map(|(what, name)| (what, Some(name)))
            .collect(),
    };
    for (what, name) in dated {
        for element in announced_for(evaluation, finding, what) {
            let event = Event {
                life: finding.life,
                ..Event::new(element, 0, what)
            };
            let declared = model.in_force(event).map(|declared| declared.span);
            let place = declared.filter(|span| text[span.start as usize..].starts_with('"'));
            if let (Some(span), Some(name)) = (place, &name) {
                edits.push(Edit {
                    span,
                    text: format!("\"{name}\""),
                });
                continue;
            }
            if let (Some(edit), None) = (place.and_then(|span| deletion(text, span)), &name) {
                edits.push(edit);
                continue;
            }
            if finding.life + 1 != model.lives(element) {
                return None;
            }
            let Some(name) = &name else {
                step.suppositions.extend(deleted_with(model, event));
                continue;
            };
            let release = model.calendar.find(name).ok()?;
            step.suppositions.push((element, what, Some(release)));
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    edits.dedup_by_key(|edit| edit.span.start);
    step.text = apply(text, &edits);
    (!edits.is_empty() || !step.suppositions.is_empty()).then_some(step)
}

/// The edit that deletes a value with its key.
fn deletion(text: &str, value: Span) -> Option<Edit> {
    let (start, end) = (value.start as usize, value.end as usize);
    let before = text[..start].strip_suffix(" = ")?;
    let key = before.rfind([' ', '\n', ','])? + 1;
    let range = if text[..key].ends_with(", ") {
        key - 2..end
    } else if text[end..].starts_with(", ") {
        key..end + 2
    } else {
        key..end
    };
    Some(Edit {
        span: Span::of(value.file, range),
        text: String::new(),
    })
}

/// An event, not declared, and those that the same value declares.
fn deleted_with(model: &Model, event: Event) -> Vec<Supposition> {
    let declared = model.find_declared(event).map(|declared| declared.span);
    let sharing = model.elements().map(|(element, _)| event.of(element));
    let sharing = sharing.filter(|other| {
        let span = model.find_declared(*other).map(|declared| declared.span);
        *other == event || (span.is_some() && span == declared)
    });
    sharing.map(|event| (event.element, event.what, None)).collect()
}

fn what_of(finding: &Diagnostic) -> Option<&str> {
    finding.event.as_ref().map(|event| &*event.what)
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.rule == other.rule
        && one.code == other.code
        && one.element == other.element
        && one.life == other.life
        && what_of(one) == what_of(other)
}

/// Reads a text as a model, with suppositions.
type Read<'r> = dyn Fn(&str, &[Supposition]) -> Result<Evaluation, Vec<Diagnostic>> + 'r;

/// What is wrong with following the next steps of a model's findings, and the number of steps followed.
///
/// What else has to be done is another finding, with a next step of its own ([`has_its_own_step`]): about a part that
/// is declared to be removed with or after its owner, which stays now, about the gate of what stays, about what follows
/// an event that moves to a release of another kind, or about a counterpart whose end is wrong too. A step that needs an
/// exception too is only read, and so is one that leaves the release of an event to a later check.
pub(super) fn misleading(text: &str, read: &Read<'_>) -> (usize, Vec<String>) {
    let Ok(before) = read(text, &[]) else {
        return (0, Vec::new());
    };
    let (mut followed, mut wrong) = (0, Vec::new());
    let findings = before.findings().iter();
    for finding in findings.filter(|finding| finding.severity >= Severity::Warning) {
        let Some(mut step) = step(&before, text, finding) else {
            continue;
        };
        followed += 1;
        let help = finding.help.as_deref().unwrap_or_default();
        if help.contains("check --remove") {
            ask(&mut step, about(&before, finding), read);
        }
        let found = format!("{}; {help}\n  after it: ", finding.message);
        let after = match read(&step.text, &step.suppositions) {
            Ok(after) => after,
            Err(errors) => {
                wrong.extend(errors.first().map(|error| format!("{found}{}", error.message)));
                continue;
            }
        };
        // Past a deadline, or between two rules, nothing but an exception helps.
        let is_excused = help.contains("and add an exception") || help.contains("record a baseline");
        let is_asked = help.ends_with("` names then");
        let left = after.findings().iter().find(|other| {
            is_same(finding, other) && !is_excused && !is_asked && !is_of_the_version(&before, finding, other)
        });
        let added = after.findings_added_to(&before);
        let new = added.iter().find(|new| {
            let is_known = before.findings().iter().any(|known| is_same(known, new));
            let is_error = new.severity == Severity::Error && !new.lacks_words();
            is_error
                && !is_known
                && !has_its_own_step(new)
                && !is_part(finding, new)
                && !is_version_of(finding, new)
                && !is_gate_within(before.model(), finding, new)
                && !is_of_one_entry(finding, new)
                && !is_caused_by_a_wrong_end(&before, new)
                && !is_of_the_version(&before, finding, new)
        });
        wrong.extend(left.or(new).map(|other| format!("{found}{}", other.message)));
    }
    (followed, wrong)
}

/// Whether a finding appears only once the step before it is taken: the deadline of a deprecation and a named
/// replacement are judged once the deprecation is declared, and the dependents of a gate while it is there.
fn has_its_own_step(finding: &Diagnostic) -> bool {
    let mut rules = finding
        .because
        .iter()
        .filter_map(|fact| fact.rule)
        .chain([finding.rule]);
    rules.any(|rule| rule.ends_with("replacement"))
        || finding.code == "not-deprecated-in-time"
        || finding.code.ends_with("-stable")
        || finding.code.starts_with("dependency-")
}

/// Whether two findings are about what one value declares for several versions: those that have a member in one release
/// are others than in another one.
fn is_of_one_entry(one: &Diagnostic, other: &Diagnostic) -> bool {
    let places = [one, other].map(|finding| {
        finding
            .primary
            .as_ref()
            .map(|label| (label.span.file, label.span.start))
    });
    places[0].is_some() && places[0] == places[1]
}

/// Whether a finding about a kind is there because it now takes from its version what is found wrong there before.
fn is_of_the_version(before: &Evaluation, found: &Diagnostic, left: &Diagnostic) -> bool {
    let mut known = before.findings().iter();
    !is_of_one_entry(found, left) && known.any(|known| is_of_one_entry(known, left) && what_of(known) == what_of(left))
}

/// Whether the cause of a finding is the end of another element, about which there is a finding before.
fn is_caused_by_a_wrong_end(before: &Evaluation, finding: &Diagnostic) -> bool {
    let mut known = before.findings().iter();
    finding.caused_by.is_some()
        && known.any(|known| {
            known.element == finding.caused_by && what_of(known) == Some("removed") && known.severity == Severity::Error
        })
}

/// Whether a finding is about a part of what another one is about.
fn is_part(whole: &Diagnostic, part: &Diagnostic) -> bool {
    let ids = whole.element.as_deref().zip(part.element.as_deref());
    ids.is_some_and(|(whole, part)| part != whole && part.starts_with(whole))
}

/// Whether a finding repeats another one about a kind for its version, whose entry declares the same.
fn is_version_of(kind: &Diagnostic, version: &Diagnostic) -> bool {
    (kind.rule, &kind.code) == (version.rule, &version.code) && is_part(version, kind)
}

/// Whether a finding is about a gate that guards what another one is about, or a part of it.
fn is_gate_within(model: &Model, guarded: &Diagnostic, gate: &Diagnostic) -> bool {
    let Some(whole) = guarded.element.as_deref() else {
        return false;
    };
    let within = model
        .elements()
        .filter(|(element, _)| model.id(*element).starts_with(whole));
    let mut gates = within.flat_map(|(element, _)| model.gates_guarding(element));
    gates.any(|guarding| Some(model.id(guarding.element)) == gate.element.as_deref())
}

/// Adds the removals that judged ones name once the deprecations of a step are declared.
fn ask(step: &mut Step, elements: Vec<ElementId>, read: &Read<'_>) {
    let withdrawn = elements.iter().map(|element| (*element, EventKind::Removed, None));
    let suppositions: Vec<Supposition> = step.suppositions.iter().copied().chain(withdrawn).collect();
    let announced = read(&step.text, &suppositions).expect("a deprecation can be declared");
    let ends = elements.into_iter().map(|element| {
        let soonest = announced.reasoning().soonest_end(element).release;
        (
            element,
            EventKind::Removed,
            Some(soonest).filter(|soonest| !soonest.is_never()),
        )
    });
    step.suppositions.extend(ends);
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_next_step_that_is_followed_removes_its_finding_and_brings_no_new_error(rich in rich()) {
        let (_, wrong) = misleading(&rich.text, &|text, more| load_supposing(&rich.world, text, None, more));
        prop_assert!(wrong.is_empty(), "{:#?}", wrong);
    }
}

/// The next steps of a model with nine symbolic releases, of which four have shipped.
fn next_steps(tables: &str) -> Vec<String> {
    next_steps_of("", tables)
}

/// The same under a policy, named in a line of its own.
fn next_steps_of(policy: &str, tables: &str) -> Vec<String> {
    let calendar =
        "[calendar]\ncurrent = \"X+3\"\ncadence = { months = 4 }\nsymbolic = { origin = \"X\", count = 9 }\n";
    let evaluation = evaluate(&format!("{policy}{calendar}{tables}")).expect("it can be read");
    let findings = evaluation.findings().iter();
    findings.filter_map(|finding| finding.help.clone()).collect()
}

#[test]
fn what_is_declared_to_follow_moves_too() {
    let metric = "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\n";
    let steps = next_steps(&format!(
        "{metric}deprecated = \"X+4\"\nhidden = \"X+5\"\nremoved = \"X+6\"\n"
    ));
    let moved = "move it to X+7: hidden = \"X+7\", and removed = \"X+8\"";
    assert!(steps.iter().any(|step| step == moved), "{steps:?}");
}

#[test]
fn a_kind_that_withdrew_a_deprecation_of_its_own_announces_the_end_that_it_shares() {
    let steps = next_steps(
        "[group.g.version]\nv1beta1 = { introduced = \"X\", removed = \"X+5\" }\n[group.g.kind.Widget]\n\
         version.v1beta1 = { deprecated = \"X+1\", undeprecated = \"X+2\" }\n",
    );
    let step = "add \"X+4\" to `deprecated` of g/v1beta1 Widget, and move the removal to X+7";
    assert!(steps.iter().any(|own| own == step), "{steps:?}");
}

#[test]
fn what_is_hidden_without_a_deprecation_is_announced_and_moves() {
    let steps = next_steps("[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+5\"\n");
    let announced = "declare `deprecated = \"X+4\"`, and move it to X+7: hidden = \"X+7\"";
    assert!(steps.iter().any(|step| step == announced), "{steps:?}");
}

#[test]
fn the_release_that_hides_what_another_edition_judges_is_asked_for() {
    let metric = "[metric.m]\nspecs = [{ stage = \"STABLE\", since = \"X\" }]\nhidden = \"X+5\"\n";
    let policy = "policy = [{ use = \"kubernetes\" }, { use = \"kubernetes-2021\", from = \"X+5\" }]\n";
    let steps = next_steps_of(policy, metric);
    let asked = "declare `deprecated = \"X+4\"`, and `hidden` in the release that `lifecycle check` names then";
    assert!(steps.iter().any(|step| step == asked), "{steps:?}");
}

#[test]
fn an_end_that_waits_for_more_than_its_window_is_announced_for_that_release() {
    let steps = next_steps(
        "[group.g.version]\nv1beta1 = { introduced = \"X+3\", replacement = \"v1beta2\" }\n\
         v1beta2 = { lives = [{ introduced = \"X\", removed = \"X+1\" }, { introduced = \"X+7\" }] }\n\
         [group.g.kind.Widget]\nversion.v1beta1 = { introduced = \"X+3\", removed = \"X+4\" }\n",
    );
    let step = "declare `deprecated = \"X+4\"`, and move the removal to X+8";
    assert!(steps.iter().any(|own| own == step), "{steps:?}");
}

#[test]
fn a_life_that_would_reach_into_the_next_one_is_joined_with_it() {
    let behavior =
        "lives = [{ introduced = \"X\", deprecated = \"X+3\", removed = \"X+4\" }, { introduced = \"X+5\" }]";
    let steps = next_steps(&format!("[behavior.b]\n{behavior}\n"));
    let joined = "make one life of this one and the next: it is back in X+5";
    assert!(steps.iter().any(|step| step == joined), "{steps:?}");
}

#[test]
fn what_ends_in_a_later_life_is_not_joined_with_it() {
    let version = "v1alpha1 = { lives = [{ introduced = \"X\", removed = \"X+4\" }, { introduced = \"X+4\" }] }";
    let field = "field.\"spec.size\".in.v1alpha1 = { introduced = \"X\", removed = \"X+5\" }";
    let steps = next_steps(&format!(
        "[group.g.version]\n{version}\n[group.g.kind.Widget]\n{field}\n"
    ));
    let until = "delete `removed` until then";
    assert!(steps.iter().any(|step| step == until), "{steps:?}");
}

#[test]
fn past_its_deadline_a_deprecation_is_declared_and_excused() {
    let beta = "v1beta1 = { introduced = \"X\" }\nv1 = { introduced = \"X+2\" }";
    let calendar =
        "[calendar]\ncurrent = \"X+6\"\ncadence = { months = 4 }\nsymbolic = { origin = \"X\", count = 9 }\n";
    let evaluation = evaluate(&format!("{calendar}[group.g.version]\n{beta}\n")).expect("it can be read");
    let steps: Vec<&str> = evaluation
        .findings()
        .iter()
        .filter_map(|finding| finding.help.as_deref())
        .collect();
    let step = "declare it: deprecated = \"X+7\"; X+3 has shipped: record a baseline or add an exception";
    assert!(steps.contains(&step), "{steps:?}");
}

#[test]
fn an_end_that_a_deprecation_makes_that_of_another_class_has_no_release_in_its_next_step() {
    let flag = r#"
[gate.G]
specs = [{ stage = "beta", since = "X", default = true }, { stage = "GA", since = "X+4", default = true }]
warning = "w"
operational = false
[cli.tool]
audience = "user"
[cli.tool.flag]
"--old" = { stage = "GA", introduced = "X", removed = "X+4", gated-by = "G" }
"#;
    let steps = next_steps(flag);
    let asked =
        r#"declare `deprecated = "X+4"`, and the release that `lifecycle check --remove "cli tool --old@X+4"` names"#;
    assert!(steps.iter().any(|step| step == asked), "{steps:?}");
}

#[test]
fn a_removal_does_not_move_past_the_withdrawal_of_its_deprecation() {
    let version = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X+3", undeprecated = "X+6" }
[group.g.kind.Widget]
version.v1beta1 = { introduced = "X+2", removed = "X+5" }
"#;
    let steps = next_steps(version);
    assert!(
        steps
            .iter()
            .any(|step| step == "delete `removed` until it is deprecated again"),
        "{steps:?}"
    );
}

#[test]
fn a_deprecation_after_a_withdrawn_one_is_added_to_the_same_key() {
    let version = r#"
[group.g.version]
v1beta1 = { introduced = "X", deprecated = "X", undeprecated = "X+1", removed = "X+4" }
v1 = { introduced = "X" }
"#;
    let steps = next_steps(version);
    let again = "add \"X+4\" to `deprecated`, and move the removal to X+7";
    assert!(steps.iter().any(|step| step == again), "{steps:?}");
}

/// Two rules bound one end, of which one counts from the end itself.
#[test]
fn an_end_that_two_rules_bound_has_one_next_step() {
    let version = r#"
[group.g.version]
v1beta1 = { introduced = "X" }
v1 = { introduced = "X+6" }
[group.g.kind.Widget]
versions = ["v1beta1", "v1"]
version.v1beta1 = { removed = "X+4" }
"#;
    let steps = next_steps(version);
    let announced = "declare `deprecated = \"X+4\"`, and move the removal to X+7";
    assert_eq!(steps.iter().filter(|step| *step == announced).count(), 2, "{steps:?}");
}

#[test]
fn a_life_does_not_reach_into_the_next_one_by_what_follows_a_move() {
    let version = r#"
[group.g.version]
v1beta1 = { introduced = "X" }
v2beta1 = { lives = [{ introduced = "X+2", deprecated = "X+4", removed = "X+7" }, { introduced = "X+7" }] }
v2 = { introduced = "X+6" }
"#;
    let steps = next_steps_of("policy = \"kubernetes-2019\"\n", version);
    let joined = "make one life of this one and the next: it is back in X+7";
    assert!(steps.iter().any(|step| step == joined), "{steps:?}");
}

#[test]
fn a_next_step_about_a_later_life_of_a_kind_is_that_of_its_version() {
    let version = r#"
[group.g.version]
v1beta1 = { lives = [{ introduced = "X", removed = "X+2" }, { introduced = "X+3", removed = "X+5" }] }
[group.g.kind.Widget]
versions = ["v1beta1"]
version.v1beta1 = { introduced = "X+3" }
"#;
    let calendar =
        "[calendar]\ncurrent = \"X+3\"\ncadence = { months = 4 }\nsymbolic = { origin = \"X\", count = 9 }\n";
    let evaluation = evaluate(&format!("{calendar}{version}")).expect("it can be read");
    let early = evaluation.findings().iter().find(|finding| finding.code == "early");
    let early = early.expect("the removal is too early");
    assert_eq!(
        (early.element.as_deref(), early.life),
        (Some("g/v1beta1"), 1),
        "{early:?}"
    );
}
