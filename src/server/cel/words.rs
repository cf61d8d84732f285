//! What is wrong with an expression, in words.

use crate::cel::tree::Span;

/// Characters of an expression that a message shows.
const LONGEST: usize = 60;

/// A part of an expression, on one line and not too long.
pub(super) fn written(text: &str, span: Span) -> String {
    let part = text.get(span.start..span.end).unwrap_or_default();
    let line = part.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The sign of an operator: `<` of `_<_`.
pub(super) fn sign(function: &str) -> &str {
    match function {
        "@in" => "in",
        "_?_:_" => "?:",
        _ => function.trim_matches('_'),
    }
}

/// `: did you mean …?`, if a name is alike.
pub(super) fn alike<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let plain = name.to_lowercase();
    let close = known.map(|other| (strsim::damerau_levenshtein(&plain, &other.to_lowercase()), other));
    let close = close.filter(|(distance, other)| *distance <= other.len().max(name.len()) / 3);
    match close.min() {
        Some((_, other)) => format!(": did you mean `{other}`?"),
        None => String::new(),
    }
}

/// What is called on a list, a map or an optional value.
const MACROS: [&str; 12] = [
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "filter",
    "map",
    "optMap",
    "optFlatMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
];

pub(super) fn is_macro(function: &str) -> bool {
    MACROS.contains(&function)
}

pub(super) fn no_function(function: &str, is_method: bool) -> String {
    match (is_macro(function), is_method) {
        (true, true) => format!("`{function}` has too few or too many arguments"),
        (true, false) => format!("`{function}` is called on a list or map: `list.{function}(x, …)`"),
        (false, true) => format!("there is no method `{function}`"),
        (false, false) if function == "has" => "`has()` takes one field: `has(self.name)`".to_owned(),
        (false, false) => format!("there is no function `{function}`"),
    }
}

/// What a function or operator does not take; each argument as written, and its type.
pub(super) fn no_overload(function: &str, is_method: bool, given: &[(String, String)]) -> String {
    let all: Vec<String> = given.iter().map(|(text, of)| format!("{of} (`{text}`)")).collect();
    match (function, &all[..]) {
        ("_?_:_", [condition, then, otherwise]) => {
            format!("`?:` takes a boolean and two values of one type, not {condition}, {then} and {otherwise}")
        }
        ("_[_]" | "_[?_]", [of, index]) => format!("{of} has no index that is {index}"),
        ("cel.@mapInsert" | "@sortByAssociatedKeys" | "@not_strictly_false", _) => {
            let texts: Vec<&str> = given.iter().map(|(text, _)| text.as_str()).collect();
            format!("the types in `{}` do not fit", texts.first().unwrap_or(&""))
        }
        (_, [one, other]) if function.ends_with('_') || function == "@in" => {
            format!("`{}` does not take {one} and {other}", sign(function))
        }
        (_, [only]) if function.ends_with('_') => format!("`{}` does not take {only}", sign(function)),
        (_, []) => format!("`{function}` takes arguments"),
        (_, [of]) if is_method => format!("{of} has no method `{function}` without arguments"),
        (_, [of, rest @ ..]) if is_method => format!("{of} has no method `{function}` that takes {}", rest.join(", ")),
        (_, all) => format!("`{function}` does not take {}", all.join(", ")),
    }
}
