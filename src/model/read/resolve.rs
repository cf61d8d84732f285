//! Resolves references to elements.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::document::{Diagnostics, RULE};
use crate::source::Span;

use super::super::{ElementId, ElementKind, ElementPath, Gate, KindPath, MemberName, Model, Reference, VersionPath};

/// Resolves every reference of the model. Gates and the elements of exceptions must exist. A missing replacement of a
/// version or kind is reported by rule 3, any other one here.
pub(super) fn references(model: &mut Model, diagnostics: &mut Diagnostics) {
    let names = gate_names(model);
    for at in 0..model.elements.len() {
        let Some(mut attributes) = model.elements_mut()[at].attributes.take() else {
            continue;
        };
        let id = ElementId(u32::try_from(at).unwrap_or(u32::MAX));
        if let Some(replacement) = attributes.replacement.as_mut().filter(|other| !other.is_external) {
            replacement.target = replacement_of(model, id, &replacement.text);
        }
        if let Some(gate) = &mut attributes.gated_by {
            gate.target = gate_named(&names, &gate.text);
            match gate.target.and_then(|gate| gate_mut(&mut model.gates, gate)) {
                Some(gate) => gate.guards.push(id),
                None => unknown_gate(model, gate, diagnostics),
            }
        }
        model.elements_mut()[at].attributes = Some(attributes);
    }
    depends_on(model, &names, diagnostics);
    exceptions(model, diagnostics);
    unresolved_replacements(model, diagnostics);
}

/// The element that a replacement names: one nearby (a version of the group, a member of the same kind, a flag of the
/// same command), or else any by its id.
fn replacement_of(model: &Model, of: ElementId, text: &str) -> Option<ElementId> {
    let path = model.element(of).path();
    let near = siblings(path, text);
    let mut near = near.iter().filter_map(|near| model.find_path(near));
    let first = near.next();
    // `kubectl alpha debug` is replaced by `debug`, not by itself.
    let other = first.into_iter().chain(near).find(|other| *other != of);
    other.or_else(|| model.find(text)).or(first)
}

/// The ids that a bare name may mean in the entry of an element.
fn siblings<'a>(path: ElementPath<'a>, name: &'a str) -> Vec<ElementPath<'a>> {
    let text = Cow::Borrowed(name);
    match path {
        ElementPath::Version(version) => vec![
            VersionPath {
                version: text,
                ..version
            }
            .into(),
        ],
        ElementPath::Kind(KindPath { version, kind }) => {
            let other = VersionPath {
                version: text.clone(),
                ..version.clone()
            };
            vec![other.with_kind(kind).into(), version.with_kind(text).into()]
        }
        ElementPath::Member(kind, member) => vec![kind.with_member(match member {
            MemberName::Subresource(_) => MemberName::Subresource(text),
            MemberName::Field(_) => MemberName::Field(name.trim_start_matches('.').into()),
            MemberName::Value { path, .. } => MemberName::Value { path, value: text },
            MemberName::Annotation(_) => MemberName::Annotation(text),
        })],
        ElementPath::Command { program, command } => beside_command(&program, &command, text),
        ElementPath::Flag { program, command, .. } => {
            let flag = ElementPath::Flag {
                program: program.clone(),
                command: command.clone(),
                flag: text.clone(),
            };
            let mut near = vec![flag];
            near.extend(
                command
                    .is_none()
                    .then_some(ElementPath::Command { program, command: text }),
            );
            near
        }
        ElementPath::Named(kind, _) => vec![ElementPath::Named(kind, text)],
        ElementPath::Extra { kind, .. } => vec![ElementPath::Extra { kind, name: text }],
    }
}

/// Next to `create job` are `create cronjob`, the program's commands and its flags.
fn beside_command<'a>(program: &Cow<'a, str>, command: &str, text: Cow<'a, str>) -> Vec<ElementPath<'a>> {
    let command = match command.rsplit_once(' ') {
        Some((before, _)) => format!("{before} {text}").into(),
        None => text.clone(),
    };
    let top = ElementPath::Command {
        program: program.clone(),
        command: text.clone(),
    };
    let flag = ElementPath::Flag {
        program: program.clone(),
        command: None,
        flag: text,
    };
    let command = ElementPath::Command {
        program: program.clone(),
        command,
    };
    vec![command, top, flag]
}

/// Gates by their names.
fn gate_names(model: &Model) -> HashMap<String, ElementId> {
    let gates = model.gates.iter().map(|gate| gate.element);
    gates
        .map(|gate| (model.element(gate).name().to_owned(), gate))
        .collect()
}

fn gate_mut(gates: &mut [Gate], element: ElementId) -> Option<&mut Gate> {
    let at = gates.binary_search_by_key(&element, |gate| gate.element).ok()?;
    gates.get_mut(at)
}

/// A gate by its name or its id.
fn gate_named(names: &HashMap<String, ElementId>, text: &str) -> Option<ElementId> {
    if let Some(gate) = names.get(text) {
        return Some(*gate);
    }
    let path = ElementPath::parse(text).ok()?;
    (path.element_kind() == ElementKind::Gate)
        .then(|| names.get(&*path.last_name()))?
        .copied()
}

/// Warns of, or refuses, a reference to nothing.
fn unknown(severity: Severity, message: String, (span, label): (Span, &str), help: String) -> Diagnostic {
    let unknown = Diagnostic::error(RULE, "unknown-reference", message);
    unknown.severity(severity).at(span, label).help(help)
}

/// The most names that are looked for among those that the model has: these are compared one by one.
const MOST_GUESSED: usize = 50;

/// "Did you mean", for the first names that the model does not have.
fn guess<'n>(typed: &str, names: impl Iterator<Item = &'n str>, diagnostics: &Diagnostics) -> Option<String> {
    if diagnostics.count() >= MOST_GUESSED {
        return None;
    }
    did_you_mean(typed, names)
}

fn unknown_gate(model: &Model, reference: &Reference, diagnostics: &mut Diagnostics) {
    let names = model.gates.iter().map(|gate| model.element(gate.element).name());
    let help = guess(&reference.text, names, diagnostics)
        .unwrap_or_else(|| format!("declare it: [gate.{}] specs = [{{ … }}]", reference.text));
    let message = format!("there is no gate `{}`", reference.text);
    diagnostics.push(unknown(
        Severity::Error,
        message,
        (reference.span, "no such gate"),
        help,
    ));
}

fn depends_on(model: &mut Model, names: &HashMap<String, ElementId>, diagnostics: &mut Diagnostics) {
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
        unknown_gate(model, &reference, diagnostics);
    }
}

fn exceptions(model: &mut Model, diagnostics: &mut Diagnostics) {
    let mut exceptions = std::mem::take(&mut model.exceptions);
    for exception in &mut exceptions {
        exception.element.target = model.find(&exception.element.text);
        if exception.element.target.is_none() {
            let help = guess(&exception.element.text, model.ids(), diagnostics)
                .unwrap_or_else(|| "write its id as `lifecycle plan` prints it".to_owned());
            let message = format!("there is no element `{}`", exception.element.text);
            let place = (exception.element.span, "no such element");
            diagnostics.push(unknown(Severity::Error, message, place, help));
        }
    }
    model.exceptions = exceptions;
}

fn unresolved_replacements(model: &Model, diagnostics: &mut Diagnostics) {
    for (_, element) in model.elements() {
        if element.kind.is_version() || element.kind.is_kind() {
            continue;
        }
        let Some(replacement) = element.attributes().and_then(|own| own.replacement.as_ref()) else {
            continue;
        };
        if replacement.target.is_none() && !replacement.is_external {
            let message = format!("the replacement `{}` is not declared in this model", replacement.text);
            let help = "declare it, or write its id as `lifecycle plan` prints it".to_owned();
            diagnostics.push(unknown(
                Severity::Warning,
                message,
                (replacement.span, "not declared"),
                help,
            ));
        }
    }
}
