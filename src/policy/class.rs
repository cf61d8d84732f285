//! What a policy sets for a class of elements: windows, and which releases may carry an event.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{self, Diagnostics, RULE, Table, Value};
use crate::grammar::ExtraKind;
use crate::source::Span;

use super::key::Readable;
use super::period::{Allowed, read_kinds, read_or_false};
use super::{Class, Key, RuleLaw, Shape, steps};

/// Reads the table of a class; a key that its rule does not read is an error.
pub(super) fn read_class(
    rule: &mut RuleLaw,
    readable: Readable<'_>,
    value: Value<'_>,
    kinds: &[String],
    diagnostics: &mut Diagnostics,
) {
    let Some(table) = value.table(diagnostics) else { return };
    for (key, value) in table.entries() {
        read_key(rule, readable, (key, value), kinds, diagnostics);
    }
    if let Some((key, _)) = table.get(Key::AfterDeprecation.as_str()) {
        bound_otherwise(rule, readable.class, table, key.span, diagnostics);
    }
}

/// Reads the table of a kind of elements that is not built in: what goes for all of it, and tables by class.
pub(super) fn read_kind(
    rule: &mut RuleLaw,
    kind: &ExtraKind,
    value: Value<'_>,
    kinds: &[String],
    diagnostics: &mut Diagnostics,
) {
    let Some(table) = value.table(diagnostics) else { return };
    for (key, value) in table.entries() {
        let class = kind
            .classes
            .iter()
            .find(|(class, _)| class.eq_ignore_ascii_case(key.name));
        let of = (kind.name.clone(), class.map(|(class, _)| class.clone()));
        let own = rule.of_kinds.entry(of).or_default();
        match class {
            Some((_, track)) => read_class(own, Readable::lifetime((*track).into()), value, kinds, diagnostics),
            None => read_key(own, Readable::lifetime(Class::All), (key, value), kinds, diagnostics),
        }
    }
}

fn read_key(
    rule: &mut RuleLaw,
    readable: Readable<'_>,
    (key, value): (document::Key<'_>, Value<'_>),
    kinds: &[String],
    diagnostics: &mut Diagnostics,
) {
    let class = readable.class;
    match key.name.parse().ok().filter(|key| readable.keys.contains(key)) {
        Some(Key::Remove) => read_remove(rule, class, value, kinds, diagnostics),
        Some(Key::Steps) => steps::read(rule, readable, value, kinds, diagnostics),
        Some(Key::Deprecate) => read_only_in(rule, (class, Key::Deprecate), value, kinds, diagnostics),
        Some(Key::ActionRequired) => set(&mut rule.no_action, class, value.boolean(diagnostics) == Some(false)),
        Some(window) => {
            let inherited = rule.windows.remove(&(class, window));
            if value.as_bool() == Some(false) && inherited.is_none() {
                let message = format!("the extended policy has no `{}` here", key.name);
                diagnostics.at("no-effect", value.span(), message, "delete this key");
            }
            // What follows the hiding of a metric counts months and releases, as the window before it does.
            let is_full =
                window.shape() == Shape::FullWindow && (readable.only_step.is_none() || window != Key::AfterSteps);
            let allowed = if is_full { Allowed::Full(kinds) } else { Allowed::Plain };
            rule.windows
                .extend(read_or_false(value, allowed, diagnostics).map(|read| ((class, window), read)));
        }
        None => {
            let known: Vec<&str> = readable.keys.iter().map(|key| key.as_str()).collect();
            diagnostics.unknown_key(&key, &known);
        }
    }
}

fn warning(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(RULE, "inherited", message).severity(Severity::Warning)
}

/// A window beside an inherited bound that makes it pointless, or that it contradicts.
fn bound_otherwise(rule: &RuleLaw, class: Class, table: Table<'_>, place: Span, diagnostics: &mut Diagnostics) {
    let Some(window) = rule.period(class, Key::AfterDeprecation) else {
        return;
    };
    if rule.next_major.contains(&class) && table.get(Key::Remove.as_str()).is_none() {
        let message = "the extended policy has `remove = \"next-major\"` here, which this window does not shorten";
        let help = "add `remove = \"any\"`, and the window alone decides; or `remove = \"next-major\"` to keep both";
        diagnostics.push(warning(message).at(place, "").help(help));
    }
    let due = rule.period(class, Key::RemoveWithin);
    if let Some(due) = due.filter(|due| due.is_shorter_than(window) && table.get(Key::RemoveWithin.as_str()).is_none())
    {
        let message = format!("the extended policy has `remove-within` of {due} here, which ends before this window");
        let help = "set `remove-within` too; `remove-within = false` takes it out";
        diagnostics.push(warning(message).at(place, "").help(help));
    }
}

fn set(classes: &mut BTreeSet<Class>, class: Class, is_in: bool) {
    if is_in {
        classes.insert(class);
    } else {
        classes.remove(&class);
    }
}

/// `"next-major"`, `"any"`, or the kinds of release that may remove.
fn read_remove(rule: &mut RuleLaw, class: Class, value: Value<'_>, kinds: &[String], diagnostics: &mut Diagnostics) {
    let Some(word) = value.as_word() else {
        set(&mut rule.next_major, class, false);
        read_only_in(rule, (class, Key::Remove), value, kinds, diagnostics);
        return;
    };
    if !["next-major", "any"].contains(&word.text) {
        diagnostics.unknown_word("a time of removal", word.text, word.span, &["next-major", "any"]);
    }
    rule.only_in.remove(&(class, Key::Remove));
    set(&mut rule.next_major, class, word.text == "next-major");
}

/// The kinds of release that may carry an event; `false` allows all again.
fn read_only_in(
    rule: &mut RuleLaw,
    at: (Class, Key),
    value: Value<'_>,
    kinds: &[String],
    diagnostics: &mut Diagnostics,
) {
    rule.only_in.remove(&at);
    if value.as_bool() == Some(false) {
        return;
    }
    let named = read_kinds(value, kinds, diagnostics);
    if !named.is_empty() {
        rule.only_in.insert(at, named);
    }
}
