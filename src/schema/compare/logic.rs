//! `allOf`, `anyOf`, `oneOf`, `not`.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::schema::change::{ChangeKind, Effect};
use crate::schema::node::Schema;

use super::{Comparison, Found, normal};

const KEYWORDS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

impl Comparison {
    pub(super) fn logic(&mut self, old: &Schema, new: &Schema) {
        for keyword in KEYWORDS {
            let (before, after) = (members(old, keyword), members(new, keyword));
            if before.is_empty() && after.is_empty() {
                continue;
            }
            let gone = only(&before, &after);
            let come = only(&after, &before);
            let Some((kind, effect)) = judged(keyword, &gone, &come, before.is_empty(), after.is_empty()) else {
                continue;
            };
            let told = |words: &[&str]| (!words.is_empty()).then(|| Json::from(words.join(", ")));
            let found = Found::new(kind, effect).of(keyword);
            self.push(found.between(told(&gone), told(&come)));
        }
    }
}

/// The members of a keyword and how often each is there.
fn members(schema: &Schema, keyword: &str) -> BTreeMap<String, usize> {
    let mut members: BTreeMap<String, usize> = BTreeMap::new();
    for member in schema.logic.get(keyword).into_iter().flatten() {
        let count = members.entry(normal::schema(member)).or_default();
        *count += 1;
    }
    let implied = keyword == "anyOf" && schema.says("x-kubernetes-int-or-string");
    let alternatives = [r#"{"type":"integer"}"#, r#"{"type":"string"}"#];
    if implied && members.keys().map(String::as_str).eq(alternatives) {
        // What the other keyword says already.
        members.clear();
    }
    if keyword != "oneOf" {
        // Said twice is said once.
        for count in members.values_mut() {
            *count = 1;
        }
    }
    members
}

fn only<'m>(these: &'m BTreeMap<String, usize>, those: &BTreeMap<String, usize>) -> Vec<&'m str> {
    let only = these.iter().filter(|(word, count)| those.get(*word) != Some(count));
    only.map(|(word, _)| word.as_str()).collect()
}

fn judged(
    keyword: &str,
    gone: &[&str],
    come: &[&str],
    was_empty: bool,
    is_empty: bool,
) -> Option<(ChangeKind, Effect)> {
    let tightened = (ChangeKind::CombinationTightened, Effect::Narrower);
    let loosened = (ChangeKind::CombinationLoosened, Effect::Wider);
    let changed = (ChangeKind::CombinationChanged, Effect::Unclear);
    let judged = match (gone.is_empty(), come.is_empty()) {
        (true, true) => return None,
        _ if was_empty => tightened,
        _ if is_empty => loosened,
        (false, false) => changed,
        (true, false) => match keyword {
            "allOf" => tightened,
            "anyOf" => loosened,
            "oneOf" => (ChangeKind::AlternativeAdded, Effect::Unclear),
            _ => changed,
        },
        (false, true) => match keyword {
            "allOf" => loosened,
            "anyOf" => tightened,
            // A value that matched two of them is valid now.
            "oneOf" => (ChangeKind::CombinationTightened, Effect::Unclear),
            _ => changed,
        },
    };
    Some(judged)
}
