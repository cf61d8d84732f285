//! Whether a rule holds for every object of which something is known.

mod assumed;
mod compared;
mod found;
mod loops;
mod reader;
mod scope;
mod values;

use std::collections::BTreeSet;

use found::Outcomes;
use reader::Reader;
use scope::{Assumed, Scope};

use super::named;
use super::parser::{self, Parsed};

pub(crate) use values::{ANY_SIZE, Facts, Field, Known, LARGEST, Texts};

/// Texts of a field that are tried one by one.
const MOST_TEXTS: usize = 32;

/// Fields of one rule whose texts are tried.
const MOST_FIELDS: usize = 16;

/// Parts of one rule that are evaluated, each as often as it is.
const MOST_PARTS: usize = 20_000;

/// Whether a rule holds for every value of which this is known, now and before an update. If that is not known, it does
/// not. `left`: the parts of rules that may be evaluated still.
pub(crate) fn always_holds(rule: &str, value: &Known, left: &mut usize) -> bool {
    let Ok(Parsed {
        mut tree,
        root,
        unjudged,
    }) = parser::parse(rule)
    else {
        return false;
    };
    if !unjudged.is_empty() {
        return false;
    }
    named::rename(&mut tree, root);
    let scope = Scope::default()
        .with("self", value.clone())
        .with("oldSelf", value.clone());
    let mut reader = Reader {
        tree: &tree,
        left: (*left).min(MOST_PARTS),
    };
    let given = reader.left;
    let holds = reader.truth(root, &scope) == Outcomes::HOLDS || holds_by_text(&mut reader, root, value, &scope);
    *left -= given - reader.left;
    holds
}

/// Whether a rule holds whichever text one of the fields has.
fn holds_by_text(reader: &mut Reader<'_>, root: usize, value: &Known, scope: &Scope) -> bool {
    let Known::Object(facts) = value else { return false };
    let named = reader.tree.fields();
    let listed = facts.all().filter_map(|(name, field)| match &field.value {
        Known::Text(Texts { of: Some(texts), .. }) => {
            let are_tried = named.contains(name) && (2..=MOST_TEXTS).contains(&texts.len());
            are_tried.then_some((name, texts))
        }
        _ => None,
    });
    let mut listed = listed.take(MOST_FIELDS);
    listed.any(|(name, texts)| {
        texts.iter().all(|text| {
            let said = Assumed {
                texts: Some((BTreeSet::from([text.clone()]), true)),
                ..Assumed::default()
            };
            reader.truth(root, &scope.assume(format!("self.{name}"), said)) == Outcomes::HOLDS
        })
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_rule_is_decided_by_what_is_known() {
        let mut facts = Facts::default();
        let field = |is_set, texts: &[&str]| Field {
            is_set: Some(is_set),
            value: if texts.is_empty() {
                Known::Any
            } else {
                Known::of_texts(texts.iter().map(|text| (*text).to_owned()))
            },
        };
        facts.add("new", field(false, &[]));
        facts.add("other", field(false, &[]));
        facts.add("type", field(true, &["a", "b"]));
        facts.add(
            "mode",
            Field {
                is_set: None,
                ..field(true, &["a"])
            },
        );
        let known = Known::Object(Rc::new(facts));
        for (rule, expected) in [
            ("!(!has(self.new) && self.type == 'c')", true),
            ("has(self.new) == has(self.other)", true),
            ("has(self.new) == false || self.new > 1", true),
            ("self.type != 'a' || (has(self.new) == has(self.other))", true),
            ("self.type in ['a', 'b', 'c']", true),
            ("!(self.type in ['c'])", true),
            ("self.type in ['a'] ? has(self.new) : true", false),
            ("self.type in ['a'] || self.type == 'b'", true),
            ("self.type == 'a' ? !has(self.new) : self.type == 'b'", true),
            ("self.type in ['a'] || self.type == 'c'", false),
            ("has(self.new) ? self.size > 1 : self.type != 'c'", true),
            ("self.type != 'a'", false),
            ("has(self.type)", true),
            ("has(self.new)", false),
            // Reading a field that is not set fails.
            ("self.mode != 'c'", false),
            ("self.mode != 'c' || !has(self.new)", true),
            ("self.mode == 'c' || !has(self.new) || self.mode == 'a'", true),
            ("self.mode == 'c' || self.mode == 'a'", false),
            ("!(self.mode == 'c' && has(self.new))", true),
            ("has(x.new) || !has(x.new)", false),
            ("self.all(self, !has(self.new))", false),
            ("oldSelf.type != 'c'", true),
            ("(has(self.a) ? 1 : 0) + (has(self.new) ? 1 : 0) <= 1", true),
            ("(has(self.new) ? 1 : 0) + (has(self.other) ? 1 : 0) < 1", true),
            ("(has(self.new) ? self.new : 0) == 0", true),
            ("(has(self.new) ? 1 : 2) == (has(self.type) ? 1 : 2)", false),
            ("(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1", false),
            ("(has(self.a) ? 1 : 0) + (has(self.new) ? 1 : 0) >= 1", false),
            // `has()` of a field of a field may fail.
            ("(has(self.a.b) ? 1 : 0) <= 1", false),
            ("9223372036854775807 + 1 > 0", false),
            ("[has(self.type), has(self.new)].filter(x, x == true).size() == 1", true),
            (
                "[has(self.type), has(self.new), has(self.other)].filter(x, x).size() <= 1",
                true,
            ),
            ("[has(self.type), has(self.new)].exists_one(x, x)", true),
            ("[has(self.a), has(self.new)].filter(x, x == true).size() == 1", false),
            (
                "[has(self.type), has(self.new)].filter(x, x == true).size() == 2",
                false,
            ),
            // Both may be of another value.
            ("oldSelf.type == 'a' ? self.type == 'a' : true", false),
            ("(self.type == 'a' ? 1 : 0) + (self.type == 'b' ? 1 : 0) == 1", true),
            ("self.type.matches('^[a-z]$')", true),
            ("self.type.matches('^[b-z]$')", false),
            ("(self.type + self.type).size() == 2", true),
            ("!has(", false),
        ] {
            assert_eq!(always_holds(rule, &known, &mut { 1_000_000 }), expected, "{rule}");
        }
    }

    /// A list of at most eight objects with a required `type` and up to eight `ports`, now with `new`.
    fn listed() -> Known {
        let always = |value| Field {
            is_set: Some(true),
            value,
        };
        let list = |items| Known::List {
            items: Rc::new(items),
            sizes: [0, 8],
        };
        let mut item = Facts::default();
        item.add("type", always(Known::of_texts(["A", "B"].map(str::to_owned))));
        item.add("ports", always(list(Known::Int([1, 9]))));
        let is_set = Some(false);
        item.add(
            "new",
            Field {
                is_set,
                value: Known::Any,
            },
        );
        let mut facts = Facts::default();
        facts.add("list", always(list(Known::Object(Rc::new(item)))));
        let Some(Field { value: listed, .. }) = facts.get("list").cloned() else {
            unreachable!("it was added")
        };
        facts.add(
            "maybe",
            Field {
                is_set: None,
                value: listed,
            },
        );
        Known::Object(Rc::new(facts))
    }

    #[test]
    fn a_rule_about_items_is_decided_by_what_is_known_of_them() {
        let value = listed();
        for (rule, expected) in [
            ("self.list.all(x, !has(x.new) || x.new > 1)", true),
            (
                "self.list.all(x, !has(x.new) || self.list.exists_one(y, has(y.new) && x.new == y.new))",
                true,
            ),
            ("self.list.all(x, x.type == 'C' ? has(x.new) : true)", true),
            ("self.list.all(x, x.type != 'A' || has(x.new))", false),
            ("self.list.all(x, x.type in ['A', 'B'])", true),
            ("self.list.all(x, x.type == 'A' || x.type == 'B')", true),
            ("self.list.all(x, x.type == 'A')", false),
            ("!self.list.exists(x, has(x.new))", true),
            ("self.list.exists(x, !has(x.new))", false),
            ("self.list.size() == 0 || self.list.exists(x, !has(x.new))", true),
            ("self.list.filter(x, has(x.new)).size() == 0", true),
            ("self.list.filter(x, x.type == 'A').size() <= 8", true),
            ("self.list.filter(x, x.type == 'A').size() <= 7", false),
            ("self.list.map(x, x.type).all(t, t in ['A', 'B'])", true),
            ("self.list.all(i, x, i >= 0 && !has(x.new))", true),
            // Reading a field that may not be set fails.
            ("self.maybe.all(x, !has(x.new))", false),
            ("!has(self.maybe) || self.maybe.all(x, !has(x.new))", true),
            ("has(self.maybe) ? self.maybe.all(x, !has(x.new)) : true", true),
            (
                "has(self.maybe) && self.list.size() > 0 ? !has(self.maybe[0].new) : true",
                false,
            ),
            (
                "!has(self.maybe) || (self.list + self.maybe).all(x, !has(x.new))",
                false,
            ),
            ("(has(self.maybe) ? self.maybe : []).all(x, !has(x.new))", true),
            ("self.list.all(x, !has(x.other))", false),
            ("self.other.all(x, !has(x.new))", false),
        ] {
            assert_eq!(always_holds(rule, &value, &mut { 1_000_000 }), expected, "{rule}");
        }
    }

    #[test]
    fn what_a_long_rule_costs_is_limited() {
        let maybe = |_| Field {
            is_set: None,
            value: Known::of_texts((0..32).map(|at| format!("a{at}"))),
        };
        let mut facts = Facts::default();
        for at in 0..200 {
            facts.add(&format!("a{at}"), maybe(at));
        }
        let value = Known::Object(Rc::new(facts));
        let each = |part: &dyn Fn(usize) -> String| (0..200).map(part).collect::<Vec<_>>().join(" || ");
        // Each part may fail, or say of one more field that it is not set.
        let rules = [
            each(&|at| format!("self.a{at}.startsWith('b')")),
            each(&|at| format!("self.a{at}.matches('^(a|b)*[0-9]+x$')")),
            each(&|at| format!("!has(self.a{at}) && self.a{at} == 'x'")),
        ];
        for rule in &rules {
            let mut left = 1_000_000;
            assert!(!always_holds(rule, &value, &mut left), "{rule}");
            assert!(left >= 1_000_000 - MOST_PARTS, "{left}");
        }
        let longest = rules[0].len();
        assert!(always_holds(
            &format!("!has(self.a0) || self.a0.size() < {longest}"),
            &value,
            &mut { 1_000_000 }
        ));
    }

    #[test]
    fn bounds_of_lists_imply_those_of_sums() {
        let value = listed();
        let each = |at: usize| format!("(self.list.size() > {at} ? self.list[{at}].ports.size() : 0)");
        let sum = |count: usize| (0..count).map(each).collect::<Vec<_>>().join(" + ");
        for (rule, expected) in [
            ("size(self.list) + self.list.size() <= 16".to_owned(), true),
            ("size(self.list) + self.list.size() < 16".to_owned(), false),
            (
                "self.list.all(x, x.ports.size() + self.list.size() <= 16)".to_owned(),
                true,
            ),
            ("self.list.all(x, x.ports.all(p, p > 0 && p < 10))".to_owned(), true),
            ("self.list.all(x, x.ports.all(p, p > 1))".to_owned(), false),
            (format!("{} <= 64", sum(8)), true),
            (format!("{} <= 63", sum(8)), false),
            ("self.list[0].ports.size() <= 8".to_owned(), false),
            (
                "self.list.size() == 0 || self.list[0].ports.size() <= 8".to_owned(),
                true,
            ),
            (
                "self.list.size() <= 1 || self.list[2].ports.size() <= 8".to_owned(),
                false,
            ),
            (
                "[has(self.list), has(self.new)].filter(x, x).size() >= 1".to_owned(),
                true,
            ),
            (
                "[has(self.maybe), has(self.new)].filter(x, x).size() >= 1".to_owned(),
                false,
            ),
            ("[has(self.list), has(self.maybe)].exists(x, x)".to_owned(), true),
            ("[has(self.list), has(self.maybe)].exists_one(x, x)".to_owned(), false),
        ] {
            assert_eq!(always_holds(&rule, &value, &mut { 1_000_000 }), expected, "{rule}");
        }
        assert!(!always_holds("size(self.list) <= 8", &value, &mut { 3 }));
    }
}
