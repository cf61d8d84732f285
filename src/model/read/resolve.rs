//! From the names users write to the elements they mean.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::document::{Diagnostics, RULE};

use super::super::{ElementId, ElementKind, Gate, Model, Reference};

/// Resolves every reference of the model. Gates and the elements of exceptions must exist; a replacement that does not
/// is rule 3's to judge for versions and kinds, and told here for the others.
pub(super) fn references(model: &mut Model, faults: &mut Diagnostics) {
    let names = gate_names(model);
    let with_attributes: Vec<usize> = model
        .elements
        .iter()
        .enumerate()
        .filter(|(_, element)| element.attributes.is_some())
        .map(|(at, _)| at)
        .collect();
    for at in with_attributes {
        let Some(mut attributes) = model.elements[at].attributes.take() else {
            continue;
        };
        let id = ElementId(u32::try_from(at).unwrap_or(u32::MAX));
        if let Some(replacement) = &mut attributes.replacement {
            replacement.target = replacement_of(model, id, &replacement.text);
        }
        if let Some(gate) = &mut attributes.gated_by {
            gate.target = gate_named(&names, &gate.text);
            match gate.target.and_then(|gate| gate_mut(&mut model.gates, gate)) {
                Some(gate) => gate.guards.push(id),
                None => unknown_gate(model, gate, faults),
            }
        }
        model.elements[at].attributes = Some(attributes);
    }
    depends_on(model, &names, faults);
    exceptions(model, faults);
    unresolved_replacements(model, faults);
}

/// What a replacement names: nearest first (a version of the group, a part of the same kind, a flag of the same
/// command), then anything by its id.
fn replacement_of(model: &Model, of: ElementId, text: &str) -> Option<ElementId> {
    let element = model.element(of);
    let sibling = |version: &str| {
        let group = model.group_of(of)?;
        let version = group.versions.iter().find(|known| known.name.as_str() == version)?;
        Some((group, version.element))
    };
    let near = match element.kind {
        ElementKind::ApiVersion | ElementKind::ConfigVersion => sibling(text).map(|(_, version)| version),
        ElementKind::Kind | ElementKind::ConfigKind => {
            let same_kind = sibling(text).and_then(|(group, version)| model.kind_in(group, element.name(), version));
            let beside = || model.kind_in(model.group_of(of)?, text, element.parent?);
            same_kind.or_else(beside)
        }
        ElementKind::Field => model.find(&format!(
            "{} .{}",
            model.id(element.parent?),
            text.trim_start_matches('.')
        )),
        ElementKind::EnumValue => {
            let path = element.name().split_once('=').map(|(path, _)| path)?;
            model.find(&format!("{} .{path}={text}", model.id(element.parent?)))
        }
        ElementKind::Subresource => model.find(&format!("{}/{text}", model.id(element.parent?))),
        ElementKind::Annotation => model.find(&format!("{} @{text}", model.id(element.parent?))),
        ElementKind::Flag | ElementKind::Command => {
            let before = element.name().rsplit_once(' ').map(|(before, _)| before)?;
            model.find(&format!("cli {before} {text}"))
        }
        ElementKind::Gate => model.find(&format!("gate {text}")),
        ElementKind::Metric => model.find(&format!("metric {text}")),
        ElementKind::Behavior => model.find(&format!("behavior {text}")),
    };
    near.or_else(|| model.find(text))
}

/// Gates by their names.
fn gate_names(model: &Model) -> HashMap<String, ElementId> {
    let name = |gate: &Gate| model.element(gate.element).name().to_owned();
    model.gates.iter().map(|gate| (name(gate), gate.element)).collect()
}

fn gate_mut(gates: &mut [Gate], element: ElementId) -> Option<&mut Gate> {
    let at = gates.binary_search_by_key(&element, |gate| gate.element).ok()?;
    gates.get_mut(at)
}

fn gate_named(names: &HashMap<String, ElementId>, name: &str) -> Option<ElementId> {
    names.get(name.strip_prefix("gate ").unwrap_or(name)).copied()
}

fn unknown_gate(model: &Model, reference: &Reference, faults: &mut Diagnostics) {
    let names = model.gates.iter().map(|gate| model.element(gate.element).name());
    let help = did_you_mean(&reference.text, names)
        .unwrap_or_else(|| format!("declare it: [gate.{}] specs = [{{ … }}]", reference.text));
    let message = format!("there is no gate `{}`", reference.text);
    faults.push(
        Diagnostic::error(RULE, "unknown-reference", message)
            .at(reference.span, "no such gate")
            .help(help),
    );
}

fn depends_on(model: &mut Model, names: &HashMap<String, ElementId>, faults: &mut Diagnostics) {
    let mut unknown = Vec::new();
    let mut dependents = Vec::new();
    for gate in &mut model.gates {
        for reference in &mut gate.depends_on {
            reference.target = gate_named(names, &reference.text);
            match reference.target {
                Some(target) => dependents.push((target, gate.element)),
                None => unknown.push(reference.clone()),
            }
        }
    }
    for (target, dependent) in dependents {
        if let Some(gate) = gate_mut(&mut model.gates, target) {
            gate.dependents.push(dependent);
        }
    }
    for reference in unknown {
        unknown_gate(model, &reference, faults);
    }
}

fn exceptions(model: &mut Model, faults: &mut Diagnostics) {
    let mut exceptions = std::mem::take(&mut model.exceptions);
    for exception in &mut exceptions {
        exception.element.target = model.find(&exception.element.text);
        if exception.element.target.is_none() {
            let help = did_you_mean(&exception.element.text, model.ids())
                .unwrap_or_else(|| "write its id as `lifecycle plan` prints it".to_owned());
            let message = format!("there is no element `{}`", exception.element.text);
            faults.push(
                Diagnostic::error(RULE, "unknown-reference", message)
                    .at(exception.element.span, "no such element")
                    .help(help),
            );
        }
    }
    model.exceptions = exceptions;
}

fn unresolved_replacements(model: &Model, faults: &mut Diagnostics) {
    let judged = |kind: ElementKind| kind.is_version() || kind.is_kind();
    for (_, element) in model.elements().filter(|(_, element)| !judged(element.kind)) {
        let Some(replacement) = element.attributes().and_then(|said| said.replacement.as_ref()) else {
            continue;
        };
        if replacement.target.is_none() {
            let message = format!("the replacement `{}` is no element of this model", replacement.text);
            faults.push(
                Diagnostic::error(RULE, "unknown-reference", message)
                    .severity(Severity::Warning)
                    .at(replacement.span, "not declared")
                    .help("declare it, or write its id as `lifecycle plan` prints it"),
            );
        }
    }
}
