//! Rules of a value as rules of an object around it: `self <= 5` of the items of `a` is
//! `!has(self.a) || self.a.all(v1, (v1 <= 5))`.

use crate::cel::lexer::{Token, tokens};
use crate::schema::node::Schema;

use super::distinct::is_written_alike;
use super::place::Way;

/// A rule of a value as one of an object around it, by the steps that lead there, each with the schema that it leads
/// to; `None` where they may differ.
pub(super) fn lifted_by(rule: &str, way: &[(Way<'_>, &Schema)]) -> Option<String> {
    let mut value = "self".to_owned();
    let (mut lifted, mut end) = (String::new(), ")".to_owned());
    for (at, (step, schema)) in way.iter().enumerate() {
        if schema.nullable {
            return None;
        }
        match step {
            Way::Field(name) if is_written_alike(name) => {
                value.extend([".", name]);
                lifted.extend(["!has(", &value, ") || "]);
            }
            Way::Field(_) => return None,
            Way::Item | Way::Value => {
                let one = format!("v{at}");
                lifted.extend([&value, ".all(", &one, ", "]);
                end.push(')');
                value = match step {
                    Way::Value => format!("{value}[{one}]"),
                    _ => one,
                };
            }
        }
    }
    lifted.push('(');
    lifted.push_str(&named(rule, &value)?);
    lifted.push_str(&end);
    Some(lifted)
}

/// A rule with another name for its value.
fn named(rule: &str, value: &str) -> Option<String> {
    let mut named = String::new();
    let words = tokens(rule).ok()?;
    let mut copied = 0;
    for (at, (word, span)) in words.iter().enumerate() {
        if !matches!(word, Token::Name(name) if name == "self") {
            continue;
        }
        // A field of another value may have this name, too.
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        if before.is_some_and(|(word, _)| *word == Token::Sign(".")) {
            return None;
        }
        named.extend([rule.get(copied..span.start)?, value]);
        copied = span.end;
    }
    named.push_str(rule.get(copied..)?);
    Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_of_a_value_is_written_as_one_of_an_object_around_it() {
        let schema = Schema::default();
        let [a, b, item, value] = [Way::Field("a"), Way::Field("b"), Way::Item, Way::Value].map(|way| (way, &schema));
        for (way, expected) in [
            (vec![], "(self <= 5)"),
            (vec![a, b], "!has(self.a) || !has(self.a.b) || (self.a.b <= 5)"),
            (vec![a, item], "!has(self.a) || self.a.all(v1, (v1 <= 5))"),
            (
                vec![item, a, value, b],
                "self.all(v0, !has(v0.a) || v0.a.all(v2, !has(v0.a[v2].b) || (v0.a[v2].b <= 5)))",
            ),
        ] {
            assert_eq!(lifted_by("self <= 5", &way).as_deref(), Some(expected));
        }
    }
}
