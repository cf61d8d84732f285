//! Rules in CEL (`x-kubernetes-validations`), judged as servers of Kubernetes 1.36 do: grammar, names, types, literals
//! and the estimated cost.
//!
//! A server also refuses what it cannot compile, so nothing here guesses: what is not known is [`Unjudged`]. The grammar
//! is read by a parser of our own, as that of the crate `cel` brings 57 crates along.

mod call_cost;
mod calls;
mod check;
mod cost;
mod declared;
mod functions;
mod lexer;
mod literal;
mod literals;
mod macros;
mod parser;
mod primary;
mod size;
#[cfg(test)]
mod tests;
mod times;
mod tree;
mod types;
mod unify;
mod words;

use serde_json::Value;

use check::Checked;
use declared::Declared;
use types::Type;

/// What one expression may cost at most.
pub(crate) const MOST_COST: u64 = 10_000_000;

/// What the expressions of one schema may cost together.
pub(crate) const MOST_TOTAL_COST: u64 = 100_000_000;

/// From here on, a cost is that of a part without a bound, such as a text that `string()` gives.
const UNKNOWN_COST: u64 = u64::MAX / 10;

/// Characters of an expression.
const LONGEST: usize = 100_000;

/// One rule, as written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule<'r> {
    /// `rule`
    pub rule: &'r str,
    /// `messageExpression`
    pub message_expression: Option<&'r str>,
    /// `optionalOldSelf`
    pub optional_old_self: Option<bool>,
}

/// What a server says of a rule.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// Whether the rule compares with the value before an update.
    pub uses_old_self: bool,
    /// Why the server refuses the rule.
    pub problems: Vec<Problem>,
    /// What is not certain: neither an error nor its absence.
    pub unjudged: Vec<Unjudged>,
    /// The cost of the rule, as often as it runs; `None` if it is not known.
    pub rule_cost: Option<u64>,
    /// The cost of the message.
    pub message_cost: Option<u64>,
}

/// One reason to refuse a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The key of the rule that it is about.
    pub part: Part,
    /// What kind of reason it is.
    pub class: ProblemClass,
    /// The reason, in words.
    pub reason: String,
}

/// A key of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `rule`
    Rule,
    /// `messageExpression`
    MessageExpression,
    /// `optionalOldSelf`
    OptionalOldSelf,
}

/// A kind of reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemClass {
    /// The rule does not compile.
    Compile,
    /// The expression of the message does not compile.
    MessageExpression,
    /// An expression costs too much.
    Cost,
}

/// What is not judged in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// It nests too deep.
    Deep,
    /// Its macros or types are too large.
    Large,
    /// It has what only servers after 1.36 know.
    Newer(String),
    /// It names a type that is not in the schema.
    Type(String),
}

/// Why an expression is not judged further.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Wrong(String),
    Unjudged(Unjudged),
}

impl From<Unjudged> for Stop {
    fn from(unjudged: Unjudged) -> Self {
        Self::Unjudged(unjudged)
    }
}

/// Judges a rule of a schema.
///
/// `schema` is the structural schema of `self`. At the root of objects, and in embedded ones (`is_root`), rules see
/// `apiVersion`, `kind`, `metadata.name` and `metadata.generateName` too. `cardinality` is how often the rule runs at
/// most: the product of `maxItems` and `maxProperties` of the lists and maps around it, `None` if one has no bound.
pub(crate) fn judge(schema: &Value, is_root: bool, cardinality: Option<u64>, rule: &Rule<'_>) -> Judged {
    let mut judged = Judged::default();
    if rule.rule.trim().is_empty() {
        return judged;
    }
    let Some(declared) = Declared::of(schema, is_root) else {
        let reason = "rules cannot judge a value without a type".to_owned();
        judged.add(Part::Rule, ProblemClass::Compile, reason);
        return judged;
    };
    let is_optional = rule.optional_old_self == Some(true);
    if let Some(checked) = judged.compile(&declared, is_optional, (Part::Rule, rule.rule)) {
        judged.uses_old_self = checked.uses_old_self;
        let often = cardinality.unwrap_or_else(|| declared.most_often());
        judged.rule_cost = judged.cost(&checked, &declared).map(|cost| cost.saturating_mul(often));
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
        && let Some(checked) = judged.compile(&declared, is_optional, (Part::MessageExpression, message))
    {
        judged.message_cost = judged.cost(&checked, &declared);
        judged.limit(Part::MessageExpression, judged.message_cost);
    }
    judged
}

impl Judged {
    fn add(&mut self, part: Part, class: ProblemClass, reason: String) {
        self.problems.push(Problem { part, class, reason });
    }

    fn limit(&mut self, part: Part, cost: Option<u64>) {
        let Some(cost) = cost.filter(|cost| *cost > MOST_COST) else {
            return;
        };
        let times = cost / MOST_COST;
        let factor = match times {
            100.. => "more than 100 times".to_owned(),
            2.. => format!("{times} times"),
            _ => "more than".to_owned(),
        };
        let part_of = match cost {
            UNKNOWN_COST.. => ": the size of a part has no bound",
            _ => "",
        };
        let reason = format!("costs {factor} the most that servers allow{part_of}");
        self.add(part, ProblemClass::Cost, reason);
    }

    fn cost(&self, checked: &Checked, declared: &Declared) -> Option<u64> {
        let is_certain = self.unjudged.is_empty();
        is_certain.then(|| cost::cost(checked, declared))
    }

    fn compile(&mut self, declared: &Declared, is_optional: bool, (part, text): (Part, &str)) -> Option<Checked> {
        let class = match part {
            Part::MessageExpression => ProblemClass::MessageExpression,
            _ => ProblemClass::Compile,
        };
        match compiled(declared, is_optional, (part, text)) {
            Ok(checked) => {
                self.unjudged.extend(checked.unjudged.iter().cloned());
                Some(checked)
            }
            Err(stops) => {
                for stop in stops {
                    match stop {
                        Stop::Wrong(reason) => self.add(part, class, reason),
                        Stop::Unjudged(unjudged) => self.unjudged.push(unjudged),
                    }
                }
                None
            }
        }
    }
}

fn compiled(declared: &Declared, is_optional: bool, (part, text): (Part, &str)) -> Result<Checked, Vec<Stop>> {
    let wrong = |reason: String| Err(vec![Stop::Wrong(reason)]);
    if text.chars().count() > LONGEST {
        return wrong(format!("the expression has more than {LONGEST} characters"));
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
        Some(found) if *found != wanted => wrong(format!("{key}, not {}", found.one())),
        _ => Ok(checked),
    }
}
