//! What is said of a rule.

use crate::cel::Unjudged;

/// What one expression may cost at most.
pub(crate) const MOST_COST: u64 = 10_000_000;

/// What the expressions of one schema may cost together.
pub(crate) const MOST_TOTAL_COST: u64 = 100_000_000;

/// From here on, a cost is that of a part without a bound, such as a text that `string()` gives.
const UNKNOWN_COST: u64 = u64::MAX / 10;

/// One rule, as written.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "the keys as CRDs have them")]
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

/// A key of a rule, or what all rules are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `rule`
    Rule,
    /// `messageExpression`
    MessageExpression,
    /// `optionalOldSelf`
    OptionalOldSelf,
    /// The value, which has no type.
    Value,
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

impl Judged {
    pub(super) fn add(&mut self, part: Part, class: ProblemClass, reason: String) {
        self.problems.push(Problem { part, class, reason });
    }

    pub(super) fn limit(&mut self, part: Part, cost: Option<u64>) {
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
}
