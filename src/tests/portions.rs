//! A portion of a model is planned and judged as it is within its model.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::Evaluation;
use lifecycle::model::ElementId;
use lifecycle::{Document, FileId};
use proptest::prelude::*;

use super::rich::rich;
use super::worlds::{World, cases, load, with_policies, world};

/// The plan of some elements, and the findings about them.
fn answers(evaluation: &Evaluation, elements: &[ElementId]) -> (Vec<String>, Vec<Diagnostic>) {
    let assignment = evaluation.assignment();
    let planned = elements.iter().flat_map(|id| assignment.of(*id));
    let planned = planned.map(|planned| format!("{:?} {:?}", planned.event, planned.release));
    let model = evaluation.model();
    let about = evaluation.findings().iter().filter(|finding| {
        let element = finding.element.as_deref().and_then(|id| model.find(id));
        element.is_some_and(|id| elements.contains(&id))
    });
    (planned.collect(), about.cloned().collect())
}

/// Compares the portion around each element with the model.
fn are_planned_alone(world: &World, text: &str) -> Result<(), TestCaseError> {
    let Ok(whole) = load(world, text, None) else {
        return Ok(());
    };
    let documents = [Document::parse(FileId(0), text)];
    let mut seen: Vec<Vec<ElementId>> = Vec::new();
    for (id, _) in whole.model().elements() {
        if seen.iter().any(|portion| portion.contains(&id)) {
            continue;
        }
        let loaded = with_policies(world, &documents).read().expect("a model");
        let alone = loaded.around([id]).evaluate().expect("a plan");
        let elements: Vec<ElementId> = alone.model().judged().collect();
        prop_assert!(elements.contains(&id));
        prop_assert!(
            seen.iter().flatten().all(|other| !elements.contains(other)),
            "portions overlap"
        );
        prop_assert_eq!(
            answers(&alone, &elements),
            answers(&whole, &elements),
            "around {}",
            whole.model().id(id)
        );
        seen.push(elements);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_portion_is_planned_and_judged_as_within_its_model(world in world()) {
        are_planned_alone(&world, &world.text())?;
    }

    #[test]
    fn a_portion_of_a_rich_model_is_too(rich in rich()) {
        are_planned_alone(&rich.world, &rich.text)?;
    }
}
