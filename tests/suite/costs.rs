//! What the worst known inputs cost: counts of results and bytes of output, which grow with the input and not faster.

#![cfg(test)]

use std::fmt::Write as _;

use crate::support::findings;

/// The most that twice the input may cost, in tenths of what the input costs.
const TWICE: usize = 22;

/// Forty releases, the last but one of which is current.
fn calendar() -> String {
    let mut text = String::from("[calendar]\ncurrent = \"1.38\"\ncadence = { months = 4 }\n[calendar.releases]\n");
    for release in 0..40 {
        let _ = writeln!(
            text,
            "\"1.{release}\" = {}-{:02}-01",
            2000 + release / 3,
            release % 3 * 4 + 1
        );
    }
    text
}

/// One kind in many versions, and fields in every other version, in every second, and so on.
fn versions_with_gaps(versions: usize, fields: usize) -> String {
    let mut text = calendar() + "[group.\"a.example.com\".version]\n";
    for version in 1..=versions {
        let _ = writeln!(text, "v{version} = {{ introduced = \"1.{}\" }}", version % 38);
    }
    text += "[group.\"a.example.com\".kind.Widget.field]\n";
    for field in 0..fields {
        let present = (1..=versions).filter(|version| version / (field + 1) % 2 == 0);
        let present: Vec<String> = present.map(|version| format!("v{version} = {{}}")).collect();
        let _ = writeln!(text, "\"spec.f{field}\" = {{ in = {{ {} }} }}", present.join(", "));
    }
    text
}

fn grows_with_its_input(what: &str, cost: impl Fn(usize) -> usize, size: usize) {
    let (once, twice) = (cost(size), cost(2 * size));
    assert!(once > 0, "{what}: the cost of {size} is counted");
    assert!(
        twice * 10 <= once * TWICE,
        "{what}: {size} costs {once}, {} costs {twice}",
        2 * size
    );
}

#[test]
fn findings_about_conversion_grow_with_the_versions_of_a_kind() {
    grows_with_its_input(
        "findings",
        |versions| findings(&versions_with_gaps(versions, 4)).len(),
        200,
    );
    let most = 900 * 20 * 2;
    let found = findings(&versions_with_gaps(900, 20)).len();
    assert!(found <= most, "900 versions with 20 fields have {found} findings");
}

#[test]
fn a_field_of_one_of_many_versions_has_one_finding() {
    let mut text = versions_with_gaps(100, 0);
    text += "\"spec.lonely\" = { in = { v37 = {} } }\n";
    let found = findings(&text);
    let lonely = found
        .iter()
        .filter(|finding| finding.code == "no-counterpart")
        .map(|finding| finding.message.as_str());
    assert_eq!(
        lonely.collect::<Vec<_>>(),
        [
            "a.example.com/v37 Widget .spec.lonely has no counterpart in a.example.com/v76 Widget in 1.37 \
          (nor in v38, v77, v39 and others): an object converted there and back loses it"
        ]
    );
}
