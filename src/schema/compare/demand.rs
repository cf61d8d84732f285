//! What a change of a keyword newly demands of values, as a rule: `maximum: 5` is `self <= 5`.

use serde_json::Value as Json;

use crate::cel::implied::{Limit, Trial};
use crate::pattern::Pattern;
use crate::schema::change::{Change, ChangeKind as Kind};
use crate::schema::format;
use crate::schema::node::Schema;
use crate::schema::path::with_ancestors;

use super::distinct::is_written_alike;
use super::elsewhere::by_presence;

/// What a change newly demands of a value.
#[derive(Debug, Default)]
pub(super) struct Demand {
    /// As a rule of the value.
    pub(super) rule: Option<String>,
    /// The same, to find values that it rejects.
    pub(super) limit: Option<Limit>,
    /// Whether it is about nothing but which fields are set.
    pub(super) is_about_fields: bool,
    /// Whether it is about how many fields are set.
    pub(super) counts_fields: bool,
}

impl Demand {
    /// What a change demands of a value, whose old and new schemas these are.
    pub(super) fn of(change: &Change, schemas: [&Schema; 2]) -> Self {
        let [_, value] = schemas;
        match change.kind {
            Kind::RequiredAdded => Self::of_fields(required(&change.path)),
            Kind::CombinationTightened => {
                let keyword = change.subject.as_deref().unwrap_or_default();
                let members = value.logic.get(keyword);
                Self::of_fields(members.and_then(|members| by_presence(keyword, members, value)))
            }
            Kind::BoundTightened => Self::of_bound(change, schemas).unwrap_or_default(),
            Kind::FormatChanged => Self::of_format(change).unwrap_or_default(),
            // Rules do not judge `null`, and an enum refuses it.
            Kind::EnumAdded if value.nullable => Self::default(),
            Kind::EnumAdded => Self::of_values(change).unwrap_or_default(),
            Kind::EnumValueRemoved => Self::without(change).unwrap_or_default(),
            _ => Self::of_pattern(change).unwrap_or_default(),
        }
    }

    fn of_fields(rule: Option<String>) -> Self {
        Self {
            is_about_fields: rule.is_some(),
            rule,
            ..Self::default()
        }
    }

    fn new(rule: String, limit: Limit) -> Self {
        Self {
            rule: Some(rule),
            limit: Some(limit),
            ..Self::default()
        }
    }

    fn of_bound(change: &Change, schemas: [&Schema; 2]) -> Option<Self> {
        let bound = change.new.as_ref()?.as_i64()?;
        let keyword = change.subject.as_deref()?;
        let (is_least, range) = match keyword {
            "maximum" | "maxLength" | "maxItems" | "maxProperties" => (false, [i64::MIN, bound]),
            "minimum" | "minLength" | "minItems" | "minProperties" => (true, [bound, i64::MAX]),
            _ => return None,
        };
        let is_length = ["maxLength", "minLength"].contains(&keyword);
        let mut formats = schemas.iter().map(|schema| schema.format.as_deref());
        if is_length && !formats.all(format::is_read_as_text) {
            return None;
        }
        let is_real = schemas[1].kind.as_deref() == Some("number");
        let (value, limit) = match keyword {
            "maximum" | "minimum" => ("self", Limit::Numbers(range)),
            _ if is_length => ("size(self)", Limit::Lengths(range)),
            _ => ("size(self)", Limit::Sizes(range)),
        };
        let sign = if is_least { ">=" } else { "<=" };
        let mut rule = format!("{value} {sign} {bound}");
        if is_real {
            // Rules may write it as a real, too.
            rule = format!("{rule} || {rule}.0");
        }
        Some(Self {
            counts_fields: keyword.ends_with("Properties"),
            ..Self::new(rule, limit)
        })
    }

    fn of_format(change: &Change) -> Option<Self> {
        let name = change.new.as_ref()?.as_str()?;
        let Some([least, most]) = format::range(name) else {
            return Self::of_text_format(name);
        };
        let range = [i64::try_from(least).ok()?, i64::try_from(most).ok()?];
        Some(Self::new(
            format!("{least} <= self && self <= {most}"),
            Limit::Numbers(range),
        ))
    }

    fn of_text_format(name: &str) -> Option<Self> {
        let rejected = format::rejected(name)?;
        let rejected = rejected.map(|text| Trial::Text(text.to_owned())).collect();
        Some(Self {
            rule: format::as_rule(name),
            limit: Some(Limit::Not(rejected)),
            ..Self::default()
        })
    }

    fn of_values(change: &Change) -> Option<Self> {
        let values = change.new.as_ref()?.as_array()?;
        let texts = values.iter().map(|value| value.as_str().map(str::to_owned));
        let numbers = values.iter().map(Json::as_i64);
        let limit = texts.collect::<Option<_>>().map(Limit::TextsOf);
        let limit = limit.or_else(|| numbers.collect::<Option<_>>().map(Limit::NumbersOf))?;
        Some(Self::new(format!("self in {}", Json::from(values.clone())), limit))
    }

    fn without(change: &Change) -> Option<Self> {
        let value = change.old.as_ref()?;
        let text = value.as_str().map(|text| Trial::Text(text.to_owned()));
        let trial = text.or_else(|| value.as_i64().map(Trial::Number))?;
        Some(Self::new(format!("self != {value}"), Limit::Not(vec![trial])))
    }

    fn of_pattern(change: &Change) -> Option<Self> {
        let pattern = change.new.as_ref()?.as_str()?;
        let rule = format!("self.matches({})", Json::from(pattern));
        Some(Self::new(rule, Limit::Pattern(Pattern::of(pattern)?)))
    }
}

/// That a field is set, as a rule of its object.
fn required(path: &str) -> Option<String> {
    let above = with_ancestors(path).nth(1).unwrap_or_default();
    let name = path.strip_prefix(above)?.strip_prefix('.')?;
    is_written_alike(name).then(|| format!("has(self.{name})"))
}
