//! The steps that a policy names between the deprecation of an element and its removal.

use crate::document::{Diagnostics, Table, Value};
use crate::grammar::{Duty, MOST_STEPS, can_name_step};

use super::key::Readable;
use super::period::{Allowed, read_kinds, read_or_false};
use super::{RuleLaw, StepLaw};

/// The keys of a step, each with what it means.
pub(crate) const STEP_KEYS: &[(&str, &str)] = &[
    ("name", "its name, by which models declare it and reports name it"),
    ("duty", "what it means for users"),
    (
        "after",
        "not sooner than this after the step before, or the deprecation",
    ),
    ("in", "the kinds of release that may take it"),
    ("required", "`true`: nothing is removed without it"),
];

/// Reads the list of steps of a class, which replaces that of the extended policy; `false` removes it.
pub(super) fn read(
    rule: &mut RuleLaw,
    readable: Readable<'_>,
    value: Value<'_>,
    kinds: &[String],
    diagnostics: &mut Diagnostics,
) {
    let inherited = rule.steps.remove(&readable.class);
    if value.as_bool() == Some(false) {
        if inherited.is_none() {
            let message = "the extended policy has no `steps` here";
            diagnostics.at("no-effect", value.span(), message, "delete this key");
        }
        return;
    }
    let items = value.list(diagnostics);
    if items.len() > MOST_STEPS {
        let message = format!("a list of at most {MOST_STEPS} steps is needed");
        let help = "leave out the steps that no element has to take";
        diagnostics.at("wrong-type", value.span(), message, help);
        return;
    }
    let mut steps: Vec<StepLaw> = Vec::new();
    for table in items
        .into_iter()
        .filter_map(|item| item.table(diagnostics))
        .collect::<Vec<_>>()
    {
        let Some(step) = one(readable, table, kinds, diagnostics) else {
            continue;
        };
        if steps.iter().any(|known| known.name == step.name) {
            let message = format!("the step `{}` stands twice in the list", step.name);
            let help = "give each step a name of its own";
            diagnostics.at("duplicate", table.span(), message, help);
            continue;
        }
        steps.push(step);
    }
    rule.steps.insert(readable.class, steps);
}

fn one(readable: Readable<'_>, table: Table<'_>, kinds: &[String], diagnostics: &mut Diagnostics) -> Option<StepLaw> {
    let (mut name, mut duty) = (None, None);
    let mut step = StepLaw {
        name: String::new(),
        duty: Duty::Document,
        after: None,
        only_in: Vec::new(),
        required: false,
    };
    let known: Vec<&str> = STEP_KEYS.iter().map(|(key, _)| *key).collect();
    for (key, value) in table.entries() {
        match key.name {
            "name" => name = value.word(diagnostics),
            "duty" if readable.only_step.is_none() => duty = value.word(diagnostics),
            "after" => {
                let plain = readable.only_step.is_some();
                let allowed = if plain { Allowed::Plain } else { Allowed::Full(kinds) };
                step.after = read_or_false(value, allowed, diagnostics);
            }
            "in" => step.only_in = read_kinds(value, kinds, diagnostics),
            "required" => step.required = value.boolean(diagnostics) == Some(true),
            _ => diagnostics.unknown_key(&key, &known),
        }
    }
    let Some(name) = name else {
        diagnostics.missing_key(table.span(), "name", "a step has a name: `name = \"runtime\"`");
        return None;
    };
    if let Some(only) = readable.only_step {
        if name.text != only {
            let message = format!("`{}` is no step of these elements", name.text);
            diagnostics.at("name", name.span, message, format!("their only step is `{only}`"));
            return None;
        }
    } else if !can_name_step(name.text) {
        let message = format!("`{}` cannot name a step", name.text);
        let help = "use small letters, digits and dashes, and no word that models have for another event: `runtime`";
        diagnostics.at("name", name.span, message, help);
        return None;
    } else if let Some(word) = duty {
        match Duty::parse(word.text) {
            Some(duty) => step.duty = duty,
            None => diagnostics.unknown_word("a duty", word.text, word.span, Duty::NAMES),
        }
    } else {
        let help = format!("say what it means for users: {}", Duty::NAMES.join(", "));
        diagnostics.missing_key(table.span(), "duty", &help);
    }
    name.text.clone_into(&mut step.name);
    Some(step)
}
