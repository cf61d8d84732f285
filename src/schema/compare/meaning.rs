//! CEL rules by what they demand.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use crate::cel::canonical::{clauses, is_transition, names_old_self};
use crate::cel::clause::{Clause, is_implied};
use crate::cel::implied::Read;
use crate::schema::node::Schema;

use super::elsewhere::WORDS;
use super::readings::Readings;
use super::{held, normal, optional};

/// A rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The expression, without `optionalOldSelf` where that makes no difference.
    pub(super) text: String,
    /// The same, as written.
    pub(super) written: String,
    /// Everything that it requires, in a normal form.
    pub(super) meaning: String,
    /// Everything that it requires, as written.
    pub(super) demand: String,
    /// Its messages. The same rule may be repeated.
    pub(super) words: Vec<Json>,
    /// What must hold for it; `None` if that is not known.
    pub(super) clauses: Option<BTreeSet<Clause>>,
}

impl Rule {
    /// Whether it has no key that changes what it is about.
    pub(super) fn is_plain(&self) -> bool {
        self.clauses.is_some()
    }

    /// The rule as others are compared with it; `None` if it cannot be read, or has a key that changes what it is
    /// about.
    pub(super) fn read(&self, readings: &Readings) -> Option<Rc<Read>> {
        self.is_plain().then(|| readings.read(&self.text))?
    }

    /// What holds where it does: of a rule about updates, what names the old value.
    pub(super) fn clauses_held(&self) -> impl Iterator<Item = Clause> {
        let on_updates = is_transition(&self.text);
        let clauses = self.clauses.iter().flatten();
        clauses
            .filter(move |clause| !on_updates || names_old_self(clause))
            .cloned()
    }

    pub(super) fn is_implied(&self, by: &BTreeSet<Clause>) -> bool {
        let clauses = self.clauses.as_ref();
        clauses.is_some_and(|all| all.iter().all(|clause| is_implied(clause, by)))
    }
}

pub(super) type Rules = BTreeMap<String, Rule>;

/// Takes out whether an old value is optional, where the rule is the same as another one without that.
fn take_out_optional(demand: &mut Json) -> Option<()> {
    const KEY: &str = "optionalOldSelf";
    let keys = demand.as_object_mut()?;
    if !keys.get(KEY)?.as_bool()? {
        keys.remove(KEY);
        return Some(());
    }
    let plain = optional::as_plain(keys.get("rule")?.as_str()?)?;
    keys.remove(KEY);
    keys.insert("rule".to_owned(), Json::from(plain));
    Some(())
}

/// The expression of a rule.
fn text_of(demand: &Json) -> String {
    let text = demand.get("rule").and_then(Json::as_str);
    text.map_or_else(|| demand.to_string(), |text| text.trim().to_owned())
}

/// The rules by what they demand, or by their texts if they are not read.
pub(super) fn by_meaning(schema: &Schema, are_read: bool) -> Rules {
    let integers = held::integers(schema);
    let mut found: Rules = BTreeMap::new();
    for rule in &schema.rules {
        let mut demand = rule.clone();
        let mut words = Map::new();
        if let Some(keys) = demand.as_object_mut() {
            for key in WORDS {
                words.extend(keys.remove(key).map(|word| (key.to_owned(), word)));
            }
        }
        let (written, all_written) = (text_of(&demand), normal::word(&demand));
        let is_other = are_read && take_out_optional(&mut demand).is_some();
        let text = if is_other { text_of(&demand) } else { written.clone() };
        let is_plain = demand.as_object().is_some_and(|keys| keys.len() == 1);
        let demanded = are_read.then(|| clauses(&text, &integers)).flatten();
        if let (Some(Json::String(rule)), Some(demanded)) = (demand.get_mut("rule"), &demanded) {
            *rule = format!("{demanded:?}");
        }
        let meaning = normal::word(&demand);
        let known = found.entry(meaning.clone()).or_insert(Rule {
            text,
            written,
            demand: all_written,
            meaning,
            words: Vec::new(),
            clauses: demanded.filter(|_| is_plain),
        });
        let words = Json::Object(words);
        if !known.words.contains(&words) {
            known.words.push(words);
        }
    }
    for rule in found.values_mut() {
        rule.words.sort_by_key(normal::word);
    }
    found
}
