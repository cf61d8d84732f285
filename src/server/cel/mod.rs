//! Rules in CEL (`x-kubernetes-validations`), judged as servers of Kubernetes 1.36 do: grammar, names, types, literals
//! and the estimated cost.
//!
//! What a server accepts is never an error here: what is not known is [`Unjudged`](crate::cel::Unjudged).

mod call_cost;
mod calls;
mod check;
mod cost;
mod declared;
mod estimate;
mod functions;
mod literals;
mod size;
mod times;
mod types;
mod unify;
mod verdict;
mod words;

use serde_json::Value;

use crate::cel::{Stop, parser};

use check::Checked;
pub(crate) use declared::Declared;
use types::Type;
pub(crate) use verdict::{Judged, MOST_TOTAL_COST, Part, ProblemClass, Rule};
#[cfg(test)]
pub(crate) use verdict::{MOST_COST, Problem};

/// Characters of an expression.
const LONGEST: usize = 100_000;

/// Judges a rule of a schema.
///
/// `schema` is the structural schema of `self`. At the root of objects, and in embedded ones (`is_root`), rules see
/// `apiVersion`, `kind`, `metadata.name` and `metadata.generateName` too. `cardinality` is how often the rule runs at
/// most: the product of `maxItems` and `maxProperties` of the lists and maps around it, `None` if one has no bound.
pub(crate) fn judge(schema: &Value, is_root: bool, cardinality: Option<u64>, rule: &Rule<'_>) -> Judged {
    judge_of(Declared::of(schema, is_root).as_ref(), cardinality, rule)
}

/// Judges a rule of a schema, of which it is known what it declares. Reading that takes as long as the schema is large.
pub(crate) fn judge_of(declared: Option<&Declared>, cardinality: Option<u64>, rule: &Rule<'_>) -> Judged {
    let mut judged = Judged::default();
    if rule.rule.trim().is_empty() {
        return judged;
    }
    let Some(declared) = declared else {
        let reason = "rules cannot judge a value without a type".to_owned();
        judged.add(Part::Value, ProblemClass::Compile, reason);
        return judged;
    };
    let is_optional = rule.optional_old_self == Some(true);
    if let Some(checked) = compile(&mut judged, declared, is_optional, (Part::Rule, rule.rule)) {
        judged.uses_old_self = checked.uses_old_self;
        let often = cardinality.unwrap_or_else(|| declared.most_often());
        judged.rule_cost = certain_cost(&judged, &checked, declared).map(|cost| cost.saturating_mul(often));
        judged.limit(Part::Rule, judged.rule_cost);
        if rule.optional_old_self.is_some() && !checked.uses_old_self {
            let reason = "`optionalOldSelf` is set, but the rule does not use `oldSelf`".to_owned();
            judged.add(Part::OptionalOldSelf, ProblemClass::Compile, reason);
        }
    }
    if !judged.problems.is_empty() && judged.rule_cost.is_none() {
        // A server does not read the message then.
        return judged;
    }
    let message = rule.message_expression.filter(|message| !message.trim().is_empty());
    if let Some(message) = message
        && let Some(checked) = compile(&mut judged, declared, is_optional, (Part::MessageExpression, message))
    {
        judged.message_cost = certain_cost(&judged, &checked, declared);
        judged.limit(Part::MessageExpression, judged.message_cost);
    }
    judged
}

fn certain_cost(judged: &Judged, checked: &Checked, declared: &Declared) -> Option<u64> {
    let is_certain = judged.unjudged.is_empty();
    is_certain.then(|| cost::cost(checked, declared))
}

fn compile(judged: &mut Judged, declared: &Declared, is_optional: bool, (part, text): (Part, &str)) -> Option<Checked> {
    let class = match part {
        Part::MessageExpression => ProblemClass::MessageExpression,
        _ => ProblemClass::Compile,
    };
    match compiled(declared, is_optional, (part, text)) {
        Ok(checked) => {
            judged.unjudged.extend(checked.unjudged.iter().cloned());
            Some(checked)
        }
        Err(stops) => {
            for stop in stops {
                match stop {
                    Stop::Wrong(reason) => judged.add(part, class, reason),
                    Stop::Unjudged(unjudged) => judged.unjudged.push(unjudged),
                }
            }
            None
        }
    }
}

fn compiled(declared: &Declared, is_optional: bool, (part, text): (Part, &str)) -> Result<Checked, Vec<Stop>> {
    if text.chars().count() > LONGEST {
        return Err(vec![Stop::Wrong(format!(
            "the expression has more than {LONGEST} characters"
        ))]);
    }
    let parsed = parser::parse(text).map_err(|stop| vec![stop])?;
    let checked = check::check(declared, is_optional, text, parsed)?;
    if !checked.unjudged.is_empty() {
        // The types of some parts are not known: those of the whole and of lists may not be what they seem.
        return Ok(checked);
    }
    let reasons = literals::check(&checked, text);
    if !reasons.is_empty() {
        return Err(reasons.into_iter().map(Stop::Wrong).collect());
    }
    let (wanted, key) = match part {
        Part::MessageExpression => (Type::Text, "a message must be a string"),
        _ => (Type::Bool, "a rule must be a boolean"),
    };
    match checked.types.get(checked.root) {
        Some(found) if *found != wanted => Err(vec![Stop::Wrong(format!("{key}, not {}", found.one()))]),
        _ => Ok(checked),
    }
}
