//! Filters of Tera's names whose results may be much longer than what they are given, or take time that grows with its
//! square: here they have a limit.

use std::borrow::Cow;
use std::collections::HashSet;

use tera::{Kwargs, State, StringInput, TeraResult, Value};

use super::used::LONGEST_VALUE;

/// Replaces each `from` by `to`. If one of the texts is marked as safe, the other is escaped, and so is the result.
#[expect(clippy::needless_pass_by_value, reason = "Tera passes them by value")]
pub(super) fn replace(text: StringInput<'_>, arguments: Kwargs, state: &State<'_>) -> TeraResult<Value> {
    let from = arguments.must_get::<&str>("from")?;
    let to = arguments.must_get::<StringInput<'_>>("to")?;
    let is_safe = state.autoescaping_enabled() && (text.is_safe() || to.is_safe());
    let (text, to) = if is_safe {
        (text.rendered(state)?, to.rendered(state)?)
    } else {
        (Cow::Borrowed(text.as_str()), Cow::Borrowed(to.as_str()))
    };
    let growth = to.len().saturating_sub(from.len());
    if growth > 0 {
        let added = text.matches(from).count().saturating_mul(growth);
        bounded("replace", text.len().saturating_add(added))?;
    }
    let replaced = text.replace(from, &to);
    Ok(if is_safe {
        Value::safe_string(&replaced)
    } else {
        Value::from(replaced)
    })
}

/// Joins the items of a list with `sep` between them. If one of the texts is marked as safe, the others are escaped.
#[expect(clippy::needless_pass_by_value, reason = "Tera passes them by value")]
pub(super) fn join(items: &[Value], arguments: Kwargs, state: &State<'_>) -> TeraResult<Value> {
    let between = arguments.get::<StringInput<'_>>("sep")?;
    let has_safe_item = items.iter().any(|item| item.is_string() && item.is_safe());
    let has_safe = has_safe_item || between.as_ref().is_some_and(StringInput::is_safe);
    let is_safe = state.autoescaping_enabled() && has_safe;
    let between = match &between {
        Some(between) if is_safe => between.rendered(state)?,
        Some(between) => Cow::Borrowed(between.as_str()),
        None => Cow::Borrowed(""),
    };
    let mut joined = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            joined.push_str(&between);
        }
        if is_safe && !item.is_undefined() {
            joined.push_str(&state.escape_if_needed(item)?);
        } else if !is_safe {
            joined.push_str(&item.to_string());
        }
        bounded("join", joined.len())?;
    }
    Ok(if is_safe {
        Value::safe_string(&joined)
    } else {
        Value::from(joined)
    })
}

/// The items of a list without those that are written like an earlier one. Tera compares each with all others.
#[expect(clippy::needless_pass_by_value, reason = "Tera passes them by value")]
pub(super) fn unique(items: Vec<Value>, _: Kwargs, _: &State<'_>) -> Vec<Value> {
    let mut known: HashSet<(bool, String)> = HashSet::new();
    let first = items.iter().filter(|item| known.insert(written(item)));
    first.cloned().collect()
}

/// By what two values are the same: a number differs from a text that is written like it, and 1 is 1.0.
pub(super) fn written(value: &Value) -> (bool, String) {
    let text = value.to_string();
    match text.strip_suffix(".0").filter(|_| !value.is_string()) {
        Some(whole) => (false, whole.to_owned()),
        None => (value.is_string(), text),
    }
}

fn bounded(filter: &str, length: usize) -> TeraResult<()> {
    if length <= LONGEST_VALUE {
        return Ok(());
    }
    let message = format!("`{filter}` would make more than {LONGEST_VALUE} characters; make the text shorter");
    Err(tera::Error::message(message))
}
