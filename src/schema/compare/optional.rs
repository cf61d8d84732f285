//! Rules that ask whether there is an old value (`optionalOldSelf`), and demand nothing where there is none.

use crate::cel::lexer::tokens;

const NAME: &str = "oldSelf";

/// The words by which a rule asks whether there is an old value.
const HAS_VALUE: [&str; 5] = [NAME, ".", "hasValue", "(", ")"];

/// The same rule as one without `optionalOldSelf`: `!oldSelf.hasValue() || self == oldSelf.value()` is
/// `self == oldSelf`. `None` if it is of another form.
pub(super) fn as_plain(rule: &str) -> Option<String> {
    let words = tokens(rule).ok()?;
    let texts = words.iter().map(|(_, span)| rule.get(span.start..span.end));
    let texts: Vec<&str> = texts.collect::<Option<_>>()?;
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let own = match texts.split_first() {
        Some((&"!", rest)) => rest.strip_prefix(&HAS_VALUE)?.strip_prefix(&["||"])?,
        _ => match texts.strip_prefix(&HAS_VALUE)?.strip_prefix(&["?"])? {
            [own @ .., ":", "true"] => own,
            _ => return None,
        },
    };
    // A condition binds less than what is before it.
    if own.contains(&"?") {
        return None;
    }
    let (mut plain, mut rest) = (Vec::new(), own);
    // A text that has the name is a word with its quotes.
    let mut names_old = false;
    while let Some((first, others)) = rest.split_first() {
        plain.push(*first);
        rest = if *first == NAME {
            names_old = true;
            others.strip_prefix(&[".", "value", "(", ")"])?
        } else {
            others
        };
    }
    names_old.then(|| plain.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_demands_nothing_without_an_old_value_is_plain() {
        for (rule, expected) in [
            (
                "!oldSelf.hasValue() || self == oldSelf.value()",
                Some("self == oldSelf"),
            ),
            (
                "oldSelf.hasValue() ? self.a == oldSelf.value().a : true",
                Some("self . a == oldSelf . a"),
            ),
            ("oldSelf.hasValue() && self == oldSelf.value()", None),
            ("oldSelf.hasValue() ? self == oldSelf.value() : false", None),
            ("!oldSelf.hasValue() || self == 'a'", None),
            ("!oldSelf.hasValue() || self == oldSelf.orValue('a')", None),
            (
                "!oldSelf.hasValue() || oldSelf.hasValue() || self == oldSelf.value()",
                None,
            ),
            ("!oldSelf.hasValue() || self.a ? self == oldSelf.value() : true", None),
        ] {
            assert_eq!(as_plain(rule).as_deref(), expected, "{rule}");
        }
    }
}
