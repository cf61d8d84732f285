//! What is supposed is the same as what would be written.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::collections::BTreeSet;

use lifecycle::evaluate::{Evaluation, Supposition};
use lifecycle::model::EventKind;
use lifecycle::stability::Stage;
use lifecycle::what_if::Changes;
use lifecycle::{Document, FileId};
use proptest::prelude::*;
use proptest::sample::Index;

use super::rich::rich;
use super::soonest::symbolic;
use super::worlds::{World, cases, evaluated_text, load, load_supposing, world};
use crate::grammar::heading;

/// A model with a declaration supposed, and the same with it written; none where it cannot be made.
fn both(world: &World, text: &str, supposed: Supposition) -> Option<(String, [Evaluation; 2])> {
    let base = load(world, text, None).ok()?;
    let model = base.model();
    let (element, what, release) = supposed;
    let release = model.calendar.name(release?);
    let changes = Changes {
        declarations: vec![format!("{}.{what}={release}", model.id(element))],
        ..Changes::default()
    };
    let documents = [Document::parse(FileId(0), text)];
    let written = changes.apply(&base, &documents).ok()?.remove(0);
    let evaluations = [
        load_supposing(world, text, None, &[supposed]).ok()?,
        load(world, &written, None).ok()?,
    ];
    Some((written, evaluations))
}

/// Findings by rule, code and group: of those about one entry, which is for all versions before it is written, one is
/// reported.
fn reported(evaluation: &Evaluation) -> BTreeSet<(&str, String, Option<&str>)> {
    let findings = evaluation.findings().iter();
    let parts = findings.map(|finding| {
        let group = finding.element.as_deref().map(|element| heading(element).0);
        (finding.rule, finding.code.to_string(), group)
    });
    parts.collect()
}

fn is_the_same(world: &World, text: &str, (at, what, later): (Index, EventKind, u32)) -> Result<(), TestCaseError> {
    let Ok(base) = load(world, text, None) else {
        return Ok(());
    };
    let model = base.model();
    let element = model.elements().nth(at.index(model.elements().len()));
    let element = element.expect("one of them").0;
    let release = model.calendar.next().plus(later);
    // An entry of a gate does not move.
    let gate = model.gate(element).filter(|_| what == EventKind::Deprecated);
    let is_entry = gate.is_some_and(|gate| gate.first(Stage::Deprecated).is_some());
    if is_entry
        || model.served_by(element) != [element]
        || model.calendar.find(&model.calendar.name(release)) != Ok(release)
    {
        return Ok(());
    }
    if let Some((written, [supposed, read])) = both(world, text, (element, what, Some(release))) {
        prop_assert_eq!(reported(&supposed), reported(&read), "{}", written);
    }
    Ok(())
}

fn declaration() -> impl Strategy<Value = (Index, EventKind, u32)> {
    let what = prop_oneof![Just(EventKind::Removed), Just(EventKind::Deprecated)];
    (any::<Index>(), what, 0_u32..6)
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_supposed_declaration_is_judged_like_a_written_one(world in world(), declared in declaration()) {
        is_the_same(&world, &world.text(), declared)?;
    }

    #[test]
    fn it_is_in_rich_models(rich in rich(), declared in declaration()) {
        is_the_same(&rich.world, &rich.text, declared)?;
    }
}

/// `Tuesday` is in two versions, and its entry is for both. Its deprecation in one of them extends that version.
#[test]
fn a_supposed_event_of_a_member_is_declared_for_one_version() {
    let (world, text) = symbolic(
        "[group.g.version]\nv1alpha1 = { introduced = \"X+4\" }\n\
         v1beta1 = { introduced = \"X\", deprecated = \"X+3\", removed = \"X+6\" }\n\
         [group.g.kind.Widget]\nversions = [\"v1alpha1\", \"v1beta1\"]\nenum.\"spec.day\".Tuesday = {}\n",
    );
    let base = evaluated_text(&world, &text);
    let model = base.model();
    let value = model.find("g/v1beta1 Widget .spec.day=Tuesday").expect("an element");
    let release = model.calendar.find("X+6").expect("a release");
    let supposed = (value, EventKind::Deprecated, Some(release));
    let (written, [supposed, read]) = both(&world, &text, supposed).expect("it can be written");
    assert!(reported(&read).len() > reported(&base).len(), "{written}");
    assert_eq!(reported(&supposed), reported(&read), "{written}");
}

/// An entry for a version that ends before the field begins would require it to stay served until then.
#[test]
fn a_version_in_which_a_field_never_begins_gets_no_entry() {
    let (world, text) = symbolic(
        "\n[group.g.version]\nv1alpha1 = { introduced = \"X\" }\nv1beta1 = { introduced = \"X+2\" }\n\
         v1 = { introduced = \"X+3\" }\n[group.g.kind.Widget]\nfield.size = { introduced = \"X+5\" }\n",
    );
    let base = evaluated_text(&world, &text);
    let changes = Changes {
        declarations: vec!["g/v1 Widget .size.deprecated=X+6".to_owned()],
        ..Changes::default()
    };
    let documents = [Document::parse(FileId(0), &text)];
    let written = changes.apply(&base, &documents).expect("it can be changed").remove(0);
    let listed = ["v1alpha1", "v1beta1", "v1"].map(|version| {
        let written = load(&world, &written, None).expect("it can be read");
        written.model().find(&format!("g/{version} Widget .size")).is_some()
    });
    assert_eq!(listed, [false, true, true], "{written}");
}
