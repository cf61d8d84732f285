//! Literals that servers read when they compile a rule: patterns, durations, formats, lists.

use super::check::Checked;
use super::times::{is_duration, is_timestamp};
use super::types::Type;
use super::words;
use crate::cel::tree::{Expr, Id, Item, Literal};
use crate::server::patterns;

/// What is wrong with the literals of an expression.
pub(super) fn check(checked: &Checked, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut exempt = vec![false; checked.tree.len()];
    let mut reached = vec![false; checked.tree.len()];
    reached[checked.root] = true;
    // Children have smaller numbers than what they are part of.
    for id in (0..checked.tree.len()).rev().filter(|id| *id <= checked.root) {
        if !reached[id] {
            continue;
        }
        let expr = checked.tree.get(id);
        let is_format = matches!(expr, Expr::Call { function, .. } if function == "format");
        for child in expr.children() {
            reached[child] = true;
            exempt[child] |= exempt[id] || is_format;
        }
        let reason = match expr {
            Expr::Call {
                function,
                target,
                arguments,
            } => of_call(checked, function, *target, arguments),
            Expr::List(_) | Expr::Map(_) if !exempt[id] => mixed(checked, id),
            _ => None,
        };
        if let Some(reason) = reason {
            let part = words::written(text, checked.tree.span(id));
            found.push(format!("`{part}`: {reason}"));
        }
    }
    found.reverse();
    found.dedup();
    found
}

fn of_call(checked: &Checked, function: &str, target: Option<Id>, arguments: &[Id]) -> Option<String> {
    match (function, target, arguments) {
        ("matches", Some(_), [pattern]) | ("find" | "findAll", Some(_), [pattern, ..]) => pattern_of(checked, *pattern),
        // The server takes the text for a pattern too.
        ("matches", None, [of, pattern]) => pattern_of(checked, *of).or_else(|| pattern_of(checked, *pattern)),
        ("format", Some(target), [values]) => {
            let Expr::List(items) = checked.tree.get(*values) else {
                return None;
            };
            let values: Vec<Id> = items.iter().map(|item| item.value).collect();
            format_of(checked, checked.tree.text(target)?, &values)
        }
        (_, None, [only]) => conversion(function, checked, *only),
        _ => None,
    }
}

fn pattern_of(checked: &Checked, pattern: Id) -> Option<String> {
    let pattern = checked.tree.text(pattern)?;
    let reason = patterns::refused(pattern)?;
    Some(format!("the pattern `{pattern}` {reason}"))
}

/// Why a conversion of a literal fails. Where that is not certain, it does not.
fn conversion(function: &str, checked: &Checked, of: Id) -> Option<String> {
    let text = match checked.tree.get(of) {
        Expr::Literal(Literal::Text(text)) => text,
        Expr::Literal(literal) => return number(function, literal),
        _ => return None,
    };
    let is_valid = match function {
        "duration" => is_duration(text),
        "timestamp" => is_timestamp(text),
        "int" => text.parse::<i64>().is_ok(),
        "uint" => text.parse::<u64>().is_ok() && !text.starts_with('+'),
        "double" => text.parse::<f64>().is_ok() || text.contains(['x', 'X', '_']),
        "bool" => matches!(
            text.as_str(),
            "1" | "t" | "T" | "TRUE" | "true" | "True" | "0" | "f" | "F" | "FALSE" | "false" | "False"
        ),
        _ => true,
    };
    let name = Type::named(function)?.one();
    (!is_valid).then(|| format!("`{text}` is not {name}"))
}

fn number(function: &str, literal: &Literal) -> Option<String> {
    let is_valid = match (function, literal) {
        ("uint", Literal::Int(number)) => *number >= 0,
        ("uint", Literal::Double(number)) => *number >= 0.0 && *number < 18_446_744_073_709_551_615.0,
        ("int", Literal::Uint(number)) => i64::try_from(*number).is_ok(),
        ("int", Literal::Double(number)) => number.abs() <= 9_223_372_036_854_775_807.0,
        ("timestamp", Literal::Int(seconds)) => (-62_135_596_800..=253_402_300_799).contains(seconds),
        ("string", Literal::Bytes(bytes)) => std::str::from_utf8(bytes).is_ok(),
        _ => true,
    };
    (!is_valid).then(|| "the value cannot be converted".to_owned())
}

/// A list or map with values of several types.
fn mixed(checked: &Checked, id: Id) -> Option<String> {
    let (keys, values): (Vec<Type>, Vec<Type>) = match checked.tree.get(id) {
        Expr::List(items) => {
            let values = items.iter().map(|item| content(checked, *item));
            (Vec::new(), values.collect())
        }
        Expr::Map(entries) => entries
            .iter()
            .map(|entry| {
                let key = checked.types[entry.key].clone();
                (key, content(checked, entry.value))
            })
            .unzip(),
        _ => return None,
    };
    let (first, other) = two_types(&keys).or_else(|| two_types(&values))?;
    Some(format!("all values must have one type, not {first} and {other}"))
}

/// The type of a value of a list or map: of an optional one, what it contains.
fn content(checked: &Checked, item: Item) -> Type {
    match (&checked.types[item.value], item.is_optional) {
        (Type::Optional(of), true) => (**of).clone(),
        (of, _) => of.clone(),
    }
}

/// Two of the types that differ.
fn two_types(all: &[Type]) -> Option<(String, String)> {
    let first = all.first()?;
    let other = all.iter().find(|of| *of != first)?;
    Some((first.one(), other.one()))
}

/// What is wrong with a format such as `%s is %d` for its values.
fn format_of(checked: &Checked, format: &str, values: &[Id]) -> Option<String> {
    let mut rest = format;
    let mut used = 0;
    while let Some((_, after)) = rest.split_once('%') {
        if let Some(after) = after.strip_prefix('%') {
            rest = after;
            continue;
        }
        let after = match after.strip_prefix('.') {
            Some(precision) => {
                let after = precision.trim_start_matches(|c: char| c.is_ascii_digit());
                if after.len() == precision.len() || after.is_empty() {
                    return Some("the format has a `.` without a precision".to_owned());
                }
                after
            }
            None => after,
        };
        let Some(verb) = after.chars().next() else {
            return Some("the format ends with `%`".to_owned());
        };
        let Some(value) = values.get(used) else {
            return Some(format!("the format takes more than {used} values"));
        };
        if let Some(reason) = clause(checked, verb, *value) {
            return Some(reason);
        }
        used += 1;
        rest = after.get(verb.len_utf8()..).unwrap_or_default();
    }
    (values.len() > used).then(|| format!("the format takes {used} values, not {}", values.len()))
}

fn clause(checked: &Checked, verb: char, value: Id) -> Option<String> {
    let of = &checked.types[value];
    let fits = match verb {
        's' => is_shown(checked, value),
        'd' | 'o' => matches!(of, Type::Int | Type::Uint),
        'f' | 'e' => matches!(of, Type::Double | Type::Text),
        'b' => matches!(of, Type::Int | Type::Uint | Type::Bool),
        'x' | 'X' => matches!(of, Type::Int | Type::Uint | Type::Text | Type::Bytes),
        _ => return Some(format!("`%{verb}` has no meaning in a format")),
    };
    let fits = fits || of.is_open();
    (!fits).then(|| format!("`%{verb}` does not take {}", of.one()))
}

fn is_shown(checked: &Checked, value: Id) -> bool {
    let parts = match checked.tree.get(value) {
        Expr::List(_) | Expr::Map(_) => checked.tree.get(value).children(),
        _ => Vec::new(),
    };
    let of = &checked.types[value];
    !matches!(of, Type::Object(_) | Type::Library(_) | Type::Optional(_))
        && parts.into_iter().all(|part| is_shown(checked, part))
}
