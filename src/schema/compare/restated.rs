//! Keywords of a field that say what a rule of its object says already: `maximum: 5` and `!has(self.n) || self.n <= 5`.

use serde_json::Value as Json;

use crate::cel::implied::{Held, follows, read};
use crate::schema::change::{Change, ChangeKind as Kind, Effect};
use crate::schema::node::{Property, Schema};

use super::distinct::is_written_alike;
use super::elsewhere::{lifted, own_rules};
use super::naming::is_named;
use super::{Comparison, held};

impl Comparison {
    /// Corrects the changes, from the first one on, of keywords of a field that the old rules of its object demand.
    pub(super) fn where_demanded(&mut self, first: usize, object: &Schema, (name, field): (&str, &Property)) {
        let of_field = self.changes.iter().enumerate().skip(first);
        let narrower = of_field.filter(|(_, change)| change.effect == Effect::Narrower && change.path == self.path);
        let rules = narrower.filter_map(|(at, change)| Some((at, as_rule(change, name, field)?)));
        let rules: Vec<(usize, String)> = rules.collect();
        if rules.is_empty() || !is_named(name, own_rules(object)) || !self.steps.read_rules(&[object]) {
            return;
        }
        let held: Held = own_rules(object).filter_map(read).collect();
        let integers = held::integers(object);
        for (at, rule) in rules {
            let is_demanded = self.steps.count(|left| follows(&read(&rule)?, &held, &integers, left));
            if is_demanded == Some(true) {
                let change = &mut self.changes[at];
                if change.kind == Kind::RequiredAdded {
                    change.subject = Some("required".to_owned());
                } else if change.kind == Kind::EnumAdded {
                    change.subject = Some("enum".to_owned());
                }
                (change.kind, change.effect) = (Kind::Restated, Effect::Same);
            }
        }
    }
}

/// What a change of a field newly demands, as a rule of its object; `None` if that is not known.
fn as_rule(change: &Change, name: &str, field: &Property) -> Option<String> {
    let demanded = match change.kind {
        Kind::RequiredAdded => return is_written_alike(name).then(|| format!("has(self.{name})")),
        Kind::EnumAdded => {
            let values = change.new.as_ref()?.as_array()?;
            values
                .iter()
                .all(Json::is_string)
                .then(|| format!("self in {}", Json::from(values.clone())))?
        }
        Kind::BoundTightened => {
            let bound = change.new.as_ref()?.as_i64()?;
            let (value, sign) = match change.subject.as_deref()? {
                "maximum" => ("self", "<="),
                "minimum" => ("self", ">="),
                "maxLength" | "maxItems" | "maxProperties" => ("size(self)", "<="),
                "minLength" | "minItems" | "minProperties" => ("size(self)", ">="),
                _ => return None,
            };
            format!("{value} {sign} {bound}")
        }
        _ => return None,
    };
    lifted(&demanded, &[(name, field)])
}
