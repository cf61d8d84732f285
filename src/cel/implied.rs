//! Whether all that some rules accept is accepted by another one, by the logic of its conditions: `a && b` implies
//! `a || c`, whatever they are.
//!
//! A condition is true, false, or fails with an error, which a server takes for a refusal. All combinations are tried
//! but those that cannot be: a field that is read without an error is set, a text does not equal two others, and
//! comparisons are in order (`a < b` and `b < c`). What the schema says of the values counts, too.

mod about;
mod atom;
mod atoms;
mod common;
mod forms;
mod formula;
mod held;
mod hoisted;
mod order;
mod presence;
mod relation;
mod search;
mod steps;
mod witness;

use atoms::Atoms;
use held::{MOST_OF_ALL, is_met};
use search::Relations;

pub(crate) use about::About;
pub(crate) use held::{Held, Read, read};
pub(crate) use search::MOST_ATOMS;
pub(crate) use steps::take;
pub(crate) use witness::{Limit, Trial, Value, accept_beyond};

/// The rules that others are compared with at most.
const MOST_RULES: usize = 4;

/// Whether every value that meets some rules meets another one; `None` if that was not found within the limits.
/// `left` is how many steps may be taken still: combinations that are tried, and conditions that are read.
pub(crate) fn follows(rule: &Read, by: &Held, about: &About<'_>, left: &mut usize) -> Option<bool> {
    take(rule.cost, left).then_some(())?;
    let concerning = by.concerning(rule);
    if presence::is_demanded(rule, &concerning, left) {
        return Some(true);
    }
    let mut atoms = Atoms::new(about);
    let wanted = atoms.formula(&rule.parsed.tree, rule.parsed.root);
    let own = atoms.len();
    if own > MOST_ATOMS {
        return concerning.is_empty().then_some(false);
    }
    let mut related = Vec::new();
    for other in concerning {
        take(rule.cost + other.cost, left).then_some(())?;
        let formula = atoms.formula(&other.parsed.tree, other.parsed.root);
        // A rule about other values says nothing about these.
        let is_linked = rule.links_values && other.links_values;
        if is_linked || formula.mentions_any_before(own) || atoms.are_related_from(own) {
            related.push((atoms.len(), other));
        }
        atoms.truncate(own);
    }
    // What says the least about other values is most likely what the rule follows from.
    related.sort_by_key(|(atoms, _)| *atoms);
    let (mut held, mut relations) = (Vec::new(), Relations::default());
    let mut is_met_by = is_met(&held, &wanted, (&atoms, &mut relations), left);
    let mut rest = Vec::new();
    for (_, other) in related {
        if is_met_by == Some(true) {
            return is_met_by;
        }
        let before = atoms.len();
        let formula = atoms.formula(&other.parsed.tree, other.parsed.root);
        if atoms.len() <= MOST_ATOMS && held.len() < MOST_RULES {
            held.push(formula);
            let is_met_by_all = is_met(&held, &wanted, (&atoms, &mut relations), left);
            is_met_by = is_met_by.and(is_met_by_all).or(is_met_by_all.filter(|is_met| *is_met));
        } else {
            atoms.truncate(before);
            rest.push(other);
        }
    }
    if rest.is_empty() || is_met_by.is_none() {
        return is_met_by.filter(|_| rest.is_empty());
    }
    // To find values that meet all rules but the wanted one takes fewer steps than to find that there are none.
    for other in rest {
        take(other.cost, left).then_some(())?;
        held.push(atoms.formula(&other.parsed.tree, other.parsed.root));
        (atoms.len() <= MOST_OF_ALL).then_some(())?;
    }
    is_met(&held, &wanted, (&atoms, &mut relations), left)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::rc::Rc;

    use super::*;
    use crate::cel::known::{ANY_SIZE, Facts, Field, Known};

    fn follows_from(rule: &str, by: &[&str]) -> bool {
        let by: Held = by
            .iter()
            .map(|rule| Rc::new(read(rule).expect("it can be read")))
            .collect();
        let rule = read(rule).expect("it can be read");
        let integers = BTreeSet::from(["self.n".to_owned()]);
        follows(&rule, &by, &About::with_integers(&integers), &mut 1_000_000) == Some(true)
    }

    /// Whether the first rule implies the second, and the second the first.
    fn both_ways(one: &str, other: &str) -> [bool; 2] {
        [follows_from(other, &[one]), follows_from(one, &[other])]
    }

    #[test]
    fn rules_are_compared_by_their_logic() {
        for (one, other, expected) in [
            // More ways to meet it.
            (
                "size(self.a) > 0",
                "size(self.a) > 0 || size(self.b) > 0",
                [true, false],
            ),
            (
                "self.m == 'X' ? self.v > 1.0 : true",
                "self.m == 'X' ? !has(self.v) || self.v > 1.0 : true",
                [true, false],
            ),
            (
                "self.m == 'X' ? self.a : true",
                "self.m == 'X' && self.b ? self.a : true",
                [false, false],
            ),
            (
                "has(self.b) && self.m == 'X' ? self.a : true",
                "self.m == 'X' && has(self.b) && has(self.c) ? self.a : true",
                [true, false],
            ),
            // A condition that may fail refuses what was accepted.
            (
                "self.m == 'X' && has(self.b) ? self.a : true",
                "self.m == 'X' && self.k == 'Y' && has(self.b) ? self.a : true",
                [false, false],
            ),
            // A field that was read is set.
            (
                "self.x == oldSelf.x",
                "has(self.x) && has(oldSelf.x) ? self.x == oldSelf.x : true",
                [true, false],
            ),
            ("has(self.x.y) && self.x.y == 1", "has(self.x)", [true, false]),
            ("self.kind == 'A'", "self.kind != 'B'", [true, false]),
            ("self.n == 3", "self.n <= 5 && self.n > 2", [true, false]),
            (
                "!has(self.e) || size(self.e) == 1",
                "(has(self.e) ? self.e : []).size() <= 1",
                [true, false],
            ),
            // The same, written with a default.
            (
                "!(has(self.l) && self.l.exists(k, k.contains('/')) && (has(self.r) && self.r != 'S' && self.r != 'N'))",
                "!((has(self.l) ? self.l : []).exists(k, k.contains(\"/\")) && !((has(self.r) ? self.r : 'N') in ['S', 'N']))",
                [true, true],
            ),
            (
                "(has(self.s) && has(self.s.l) && self.s.l.size() > 0) || !has(self.p)",
                "has(self.p) ? (((has(self.s) && has(self.s.l)) ? self.s.l : {}).size() > 0) : true",
                [true, true],
            ),
            (
                "(has(self.a) && self.a.startsWith('u')) ? !has(self.p) : true",
                "(has(self.a) ? self.a : '').startsWith('u') ? !has(self.p) : true",
                [true, true],
            ),
            ("self.s.startsWith('x')", "self.s.matches('^x')", [true, true]),
            (
                "self.s == 'xy'",
                "self.s.startsWith('x') && !self.s.contains('z')",
                [true, false],
            ),
            ("self.s.matches('^a+$')", "!self.s.endsWith('b')", [false, false]),
            // Of a map, other keys may be set.
            ("has(self.a)", "has(self.a) && self.all(k, k == 'a')", [false, true]),
            // Which fields are set, counted in another way.
            (
                "[has(self.a), has(self.b)].filter(x, x == true).size() == 1",
                "has(self.a) != has(self.b)",
                [true, true],
            ),
            (
                "[has(self.a), has(self.b)].exists_one(x, x)",
                "[has(self.a), has(self.b), has(self.c)].filter(x, x).size() <= 2",
                [true, false],
            ),
            (
                "[has(self.a), has(self.b)].filter(x, x).size() < 2",
                "[has(self.b.c), has(self.a)].filter(x, x).size() < 2",
                [false, false],
            ),
        ] {
            assert_eq!(both_ways(one, other), expected, "{one}\n{other}");
        }
    }

    /// The test of both takes thousands of steps by each of its conditions.
    #[test]
    fn what_rules_share_is_taken_for_one_condition() {
        let test = "(self.a || self.b) && (self.c || self.d) && (self.e || self.f) && (self.g || self.h)";
        let [one, other] = [
            "has(self.x) == has(self.y)",
            "(has(self.x) && has(self.y)) || !(has(self.x) || has(self.y))",
        ]
        .map(|then| read(&format!("{test} ? {then} : true")).expect("it can be read"));
        let cost = one.cost + other.cost;
        let by: Held = [Rc::new(other)].into_iter().collect();
        let mut left = 2 * cost + 100;
        let integers = BTreeSet::new();
        let about = About::with_integers(&integers);
        assert_eq!(follows(&one, &by, &about, &mut left), Some(true), "{left}");
    }

    /// One step of this search costs several: some are left when they do not suffice for another one.
    #[test]
    fn a_search_that_ran_out_of_steps_decides_nothing() {
        let pairs = (0..6).map(|at| format!("(self.a{at} == 'x' || self.b{at} == 'y' || self.a{at} == 'z')"));
        let pairs: Vec<String> = pairs.collect();
        let (rule, by) = (
            pairs.join(" && "),
            pairs.iter().rev().cloned().collect::<Vec<_>>().join(" && "),
        );
        let by: Held = read(&by).map(Rc::new).into_iter().collect();
        let rule = read(&rule).expect("it can be read");
        let answers: Vec<Option<bool>> = (0..4_000)
            .map(|mut left| follows(&rule, &by, &About::with_integers(&BTreeSet::new()), &mut left))
            .collect();
        assert!(!answers.contains(&Some(false)), "{answers:?}");
        assert!(answers.contains(&None) && answers.last() == Some(&None), "{answers:?}");
    }

    #[test]
    fn quantifiers_and_sums_are_compared_too() {
        for (one, other, expected) in [
            (
                "self.all(x, x.a == 'A')",
                "self.all(x, x.a == 'A' || x.b == 'B')",
                [true, false],
            ),
            ("self.exists(x, x.a && x.b)", "self.exists(x, x.a)", [true, false]),
            ("!self.exists(x, x.a || x.b)", "!self.exists(x, x.a)", [true, false]),
            (
                "self.exists_one(x, x.a)",
                "self.exists_one(x, x.a || x.b)",
                [false, false],
            ),
            (
                "self.all(a, a.t == 'H' ? self.exists_one(b, b.t == a.t && b.v == a.v) : true)",
                "self.all(a, a.t == 'H' && has(a.v) ? self.exists_one(b, b.t == a.t && has(b.v) && b.v == a.v) : true)",
                [true, false],
            ),
            (
                "self.all(p, self.all(q, p.n == q.n ? (!has(p.s) || p.s == '') && (!has(q.s) || q.s == '') || has(p.s) && p.s != '' && has(q.s) && q.s != '' : true))",
                "self.all(p, self.all(q, p.n == q.n ? (!has(p.s) || p.s == '') == (!has(q.s) || q.s == '') : true))",
                [true, true],
            ),
            (
                "self.all(p, self.all(q, p.g == q.g && p.n == q.n && (((!has(p.d) || p.d == '') && (!has(q.d) || q.d == '')) || has(p.d) && has(q.d) && p.d == q.d) ? (!has(p.s) || p.s == '') && (!has(q.s) || q.s == '') || has(p.s) && p.s != '' && has(q.s) && q.s != '' : true))",
                "self.all(p, self.all(q, p.g == q.g && p.n == q.n && (((!has(p.d) || p.d == '') && (!has(q.d) || q.d == '')) || has(p.d) && has(q.d) && p.d == q.d) ? (!has(p.s) || p.s == '') == (!has(q.s) || q.s == '') : true))",
                [true, true],
            ),
            // Only a section for one, and only a port for the other: now refused.
            (
                "self.all(p, self.all(q, p.n == q.n ? !has(p.s) && !has(q.s) && !has(p.o) && !has(q.o) || (has(p.s) || has(p.o)) && (has(q.s) || has(q.o)) : true))",
                "self.all(p, self.all(q, p.n == q.n ? has(p.s) == has(q.s) && has(p.o) == has(q.o) : true))",
                [false, true],
            ),
            // One of its own kind, with fewer others of that kind.
            (
                "self.all(p, self.exists_one(q, p.n == q.n && (has(p.h) && has(q.h) ? p.h == q.h : true)))",
                "self.all(p, self.exists_one(q, p.n == q.n && (has(p.h) && has(q.h) ? p.h == q.h : !has(p.h) && !has(q.h))))",
                [true, false],
            ),
            (
                "self.all(p, self.exists_one(q, p.n == q.n))",
                "self.all(p, self.exists_one(q, p.n == q.n && p.k == 'A'))",
                [false, false],
            ),
            (
                "self.a.all(p, self.b.exists_one(q, p.n == q.n))",
                "self.a.all(p, self.b.exists_one(q, p.n == q.n && (has(p.h) == has(q.h))))",
                [false, false],
            ),
            ("self.all(x, x.a)", "self.exists(x, x.a)", [false, false]),
            ("self.all(x, x.a)", "self.all(y, y.a)", [true, true]),
            ("self.a.all(x, x > 1)", "self.b.all(x, x > 1)", [false, false]),
            (
                "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
                "!(has(self.a) && has(self.b))",
                [true, true],
            ),
            (
                "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1",
                "has(self.a) != has(self.b)",
                [true, true],
            ),
            ("self.a", "self.a || self.b", [true, false]),
            ("self.a && self.b", "self.b && self.a", [true, true]),
            ("has(self.a.b)", "has(self.a.c)", [false, false]),
        ] {
            assert_eq!(both_ways(one, other), expected, "{one}\n{other}");
        }
    }

    #[test]
    fn a_rule_that_grows_by_its_conditions_is_left_out() {
        let mut nested = "0".to_owned();
        for at in 0..12 {
            nested = format!("(has(self.c{at}) ? {nested} : {at})");
        }
        assert!(read(&format!("{nested} < 3")).is_some());
        assert!(read(&format!("{nested} + {nested} < 3")).is_none());
        let by: Held = (0..50).filter_map(|_| read("self.a || self.b").map(Rc::new)).collect();
        let mut left = 100;
        let rule = read("self.a || self.c").expect("it can be read");
        let integers = BTreeSet::new();
        assert_eq!(follows(&rule, &by, &About::with_integers(&integers), &mut left), None);
        assert_eq!(left, 0);
    }

    #[test]
    fn several_rules_may_imply_one() {
        assert!(follows_from("self.a && self.b", &["self.a", "self.b"]));
        assert!(!follows_from("self.a && self.b", &["self.a", "self.c"]));
        // Rules that say more about other values leave room for the one that it follows from.
        let wide = "(has(self.w) ? 1 : 0) + (has(self.e) ? 1 : 0) <= 1";
        let listed =
            "!(has(self.l) && self.l.exists(k, k.contains('/')) && (has(self.r) && self.r != 'A' && self.r != 'B'))";
        let old = "(has(self.r) && self.r == 'D') ? (!has(self.e) || size(self.e) == 1) : true";
        let new = "((has(self.r) ? self.r : '') == 'D') ? ((has(self.e) ? self.e : []).size() <= 1) : true";
        assert!(follows_from(new, &[wide, listed, old]));
        assert!(!follows_from(new, &[wide, listed]));
        assert!(!follows_from("self.a || !self.a", &["self.c"]));
        // What another rule reads already does not fail here.
        let same = "oldSelf.l ? oldSelf.k.s == self.k.s : true";
        let frozen = "oldSelf.l && has(oldSelf.k.n) && has(self.k.n) ? oldSelf.k.n == self.k.n : true";
        let wider =
            "oldSelf.l && self.k.s != 'B' && has(oldSelf.k.n) && has(self.k.n) ? oldSelf.k.n == self.k.n : true";
        assert!(follows_from(wider, &[same, frozen]));
        assert!(!follows_from(wider, &[frozen]));
        let many: Vec<String> = (0..=MOST_ATOMS).map(|at| format!("self.a{at}")).collect();
        assert!(!follows_from(&many.join(" && "), &[&many.join(" && ")]));
    }

    /// Objects with two flags, whole numbers, a text of three, a list of texts, and fields that only some have.
    fn known() -> Known {
        let mut facts = Facts::default();
        let texts = |texts: &[&str]| Known::of_texts(texts.iter().map(|text| (*text).to_owned()));
        for (name, is_set, value) in [
            ("b", true, Known::Bool([true; 2])),
            ("c", false, Known::Bool([true; 2])),
            ("m", true, Known::Int([i64::MIN, i64::MAX])),
            ("n", true, Known::Int([i64::MIN, i64::MAX])),
            ("k", true, Known::Int([0, 9])),
            ("o", false, Known::Int([i64::MIN, i64::MAX])),
            ("p", false, Known::Int([i64::MIN, i64::MAX])),
            ("q", false, Known::Int([i64::MIN, i64::MAX])),
            ("d", true, Known::Real([f64::MIN, f64::MAX])),
            ("s", true, texts(&["u", "v", "w"])),
            ("t", true, texts(&["u", "v", "w"])),
            ("e", true, texts(&["x", "y", "z"])),
            (
                "l",
                true,
                Known::List {
                    items: Rc::new(texts(&["a", "b", "c"])),
                    sizes: ANY_SIZE,
                },
            ),
        ] {
            let is_set = is_set.then_some(true);
            facts.add(name, Field { is_set, value });
        }
        Known::Object(Rc::new(facts))
    }

    #[test]
    fn what_is_known_of_values_counts() {
        // It may be null, too.
        let integers = BTreeSet::from(["self.i".to_owned()]);
        let about = About {
            integers: &integers,
            value: known(),
        };
        for (one, other, expected) in [
            ("!self.b || self.m == 2", "self.b ? self.m == 2 : true", [true, true]),
            ("!self.c || self.m == 2", "self.c ? self.m == 2 : true", [false, true]),
            ("!self.b || self.o == 2", "self.b ? self.o == 2 : true", [true, true]),
            (
                "self.n != 1 || self.m == 2",
                "self.n == 1 ? self.m == 2 : true",
                [true, true],
            ),
            ("self.b == true", "self.b", [true, true]),
            ("self.b != false || self.n == 1", "self.b || self.n == 1", [true, true]),
            ("has(self.n) && self.n > 1", "self.n > 1", [true, true]),
            ("self.e != 'x'", "self.e == 'y' || self.e == 'z'", [true, true]),
            ("self.e != 'x'", "self.e == 'y'", [false, true]),
            ("self.e == 'w' || self.b", "self.b", [true, true]),
            ("self.n > 3 && self.n < 5", "self.n == 4", [true, true]),
            ("self.n > 3 && self.n < 6", "self.n == 4", [false, true]),
            (
                "self.n >= 1 && self.n <= 3 && self.n != 2",
                "self.n == 1 || self.n == 3",
                [true, true],
            ),
            ("self.k != 9", "self.k < 9", [true, true]),
            ("self.k >= 0 && self.b", "self.b", [true, true]),
            (
                "self.n == self.m || self.n <= self.m || self.b",
                "self.n <= self.m || self.b",
                [true, true],
            ),
            (
                "self.n < self.m && self.m < self.k",
                "self.n < self.m && self.m < self.k && self.n < self.k",
                [true, true],
            ),
            (
                "self.n < self.m && self.m < self.k",
                "self.n + 1 < self.k",
                [false, false],
            ),
            ("self.n < self.m", "self.n <= self.m", [true, false]),
            ("self.n < self.m", "!(self.m <= self.n)", [true, true]),
            // A comparison of numbers with fractions may be rounded, and a null is no number.
            (
                "self.d <= 9007199254740992",
                "self.d < 9007199254740993",
                [false, false],
            ),
            (
                "self.i != 5 || self.b",
                "self.i < 5 || self.i > 5 || self.b",
                [false, true],
            ),
            ("self.n != -9223372036854775808", "self.b || true", [true, false]),
            (
                "self.x < self.y",
                "self.x < self.y && (self.x < 3 || self.x >= 3)",
                [false, true],
            ),
            (
                "self.o <= self.p && self.p <= self.q",
                "self.o <= self.p && self.p <= self.q && self.o <= self.q",
                [true, true],
            ),
            (
                "self.b || self.s > self.t",
                "self.t < self.s ? true : self.b",
                [true, true],
            ),
            ("size(self.l) > 0", "size(self.l) != 0", [true, true]),
            (
                "self.l.size() == 1",
                "size(self.l) > 0 && size(self.l) < 2",
                [true, true],
            ),
            ("!self.l.exists(x, x == 'a')", "self.l.all(x, x != 'a')", [true, true]),
            (
                "!self.l.all(x, x == 'a')",
                "self.l.exists(y, !(y == 'a'))",
                [true, true],
            ),
            (
                "self.l.all(x, x != 'a' && x != 'b')",
                "self.l.all(x, x == 'c')",
                [true, true],
            ),
            ("self.l.exists(x, x == 'a')", "self.l.all(x, x == 'a')", [false, false]),
        ] {
            let rules = [one, other].map(|rule| read(rule).expect("it can be read"));
            let found = [[0, 1], [1, 0]].map(|[by, wanted]| {
                let held: Held = read([one, other][by]).map(Rc::new).into_iter().collect();
                follows(&rules[wanted], &held, &about, &mut 1_000_000)
            });
            assert_eq!(found, expected.map(Some), "{one}\n{other}");
        }
    }
}
