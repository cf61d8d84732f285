//! The steps that comparisons take for what may grow faster than its text: rules, combinations and patterns.

use super::patterns::Patterns;
use crate::schema::node::Schema;

/// Steps for rules and combinations of all CRDs of a run.
const MOST_OF_RUN: usize = 2_000_000;

/// The same for one CRD. There may be 256 versions, each of which is compared with each.
const MOST_OF_CRD: usize = 1_000_000;

/// Bytes of rules that are read as one step.
pub(super) const BYTES_OF_A_STEP: usize = 8;

/// Bytes of alternatives that are compared as one step: each is written out several times.
pub(super) const BYTES_OF_ALTERNATIVES: usize = 2;

/// The steps that a run has taken. All its CRDs share them, so that many of them cost no more than a large one.
#[derive(Debug)]
pub(crate) struct Steps {
    /// Conditions of rules and alternatives that were read, and combinations of them that were tried.
    taken: usize,
    /// How many may be taken when the current CRD has been compared.
    end: usize,
    pub(super) patterns: Patterns,
    /// Whether more were needed for the current CRD.
    is_exhausted: bool,
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            taken: 0,
            end: MOST_OF_CRD,
            patterns: Patterns::default(),
            is_exhausted: false,
        }
    }
}

impl Steps {
    /// Begins with the next CRD.
    pub(crate) fn begin(&mut self) {
        self.end = MOST_OF_RUN.min(self.taken + MOST_OF_CRD);
        self.is_exhausted = false;
        self.patterns.is_exhausted = false;
    }

    /// Whether the current CRD needed more than it has. What was not compared may reject more than before.
    pub(crate) fn are_exhausted(&self) -> bool {
        self.is_exhausted || self.patterns.is_exhausted
    }

    pub(super) fn left(&self) -> usize {
        self.end - self.taken
    }

    /// Takes some steps. Returns whether more are left.
    pub(super) fn take(&mut self, steps: usize) -> bool {
        let left = self.left();
        self.taken += steps.min(left);
        self.is_exhausted |= steps >= left;
        steps < left
    }

    /// Takes a step to look at a schema for rules. Returns whether more are left.
    pub(super) fn visit(&mut self) -> bool {
        self.take(1)
    }

    /// Takes the steps to read the rules of some schemas. Returns whether there are so many.
    pub(super) fn read_rules(&mut self, schemas: &[&Schema]) -> bool {
        let rules = schemas.iter().flat_map(|schema| &schema.rules);
        let bytes: usize = rules.filter_map(|rule| Some(rule.get("rule")?.as_str()?.len())).sum();
        self.take(bytes / BYTES_OF_A_STEP)
    }

    /// Does what counts down the steps that are left.
    pub(super) fn count<T>(&mut self, work: impl FnOnce(&mut usize) -> T) -> T {
        let given = self.left();
        let mut left = given;
        let done = work(&mut left);
        self.taken += given - left;
        self.is_exhausted |= left == 0;
        done
    }
}

#[cfg(test)]
impl Steps {
    pub(super) fn taken(&self) -> usize {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::super::schemas;
    use super::*;

    fn read(schema: Json) -> Schema {
        serde_json::from_value(schema).expect("it is a schema")
    }

    /// The kinds and effects of the changes, and the steps that were taken for them.
    fn compared(sides: &[Schema; 2], steps: &mut Steps) -> (Vec<String>, usize) {
        let before = steps.taken();
        let changes = schemas(&sides[0], &sides[1], steps).expect("it is small");
        let kinds = changes
            .iter()
            .map(|change| format!("{} {:?}", change.kind.as_str(), change.effect));
        (kinds.collect(), steps.taken() - before)
    }

    /// Objects with rules about pairs of their fields.
    fn with_rules() -> [Schema; 2] {
        ["a", "b"].map(|value| {
            let rules: Vec<_> = (0..40)
                .map(|at| {
                    let (left, right) = (at % 10, at * 3 % 10);
                    json!({ "rule": format!("!has(self.f{left}) || self.f{right} != '{value}{at}'") })
                })
                .collect();
            let fields = (0..10).map(|at| (format!("f{at}"), json!({ "type": "string" })));
            let fields: serde_json::Map<_, _> = fields.collect();
            read(json!({ "type": "object", "properties": fields, "x-kubernetes-validations": rules }))
        })
    }

    /// Alternatives within each other, of which each is compared with each.
    fn with_alternatives() -> [Schema; 2] {
        ["a", "b"].map(|name| {
            let nested = (0..40).fold(json!({ "required": [name] }), |nested, _| {
                json!({ "anyOf": [nested, { "required": ["c"], "minProperties": 2 }, { "required": [name] }] })
            });
            let object = json!({ "type": "object", "additionalProperties": true, "maxProperties": 9 });
            let mut object = object.as_object().cloned().expect("it is an object");
            object.extend(nested.as_object().cloned().expect("it is an object"));
            read(Json::Object(object))
        })
    }

    #[test]
    fn schemas_of_a_crd_share_the_steps_for_their_rules() {
        let (sides, mut steps) = (with_rules(), Steps::default());
        let (first, taken) = compared(&sides, &mut steps);
        steps.take(steps.left() - taken / 2);
        compared(&sides, &mut steps);
        assert!(steps.are_exhausted());
        // Beyond the limit, rules are texts: they are not even read.
        let (last, beyond) = compared(&sides, &mut steps);
        assert_eq!((first, 0), (last, beyond));
    }

    #[test]
    fn crds_of_a_run_share_the_steps_for_their_combinations() {
        let (sides, mut steps) = (with_alternatives(), Steps::default());
        for left in [9_000, 9_000, 0, 0] {
            steps.begin();
            // What other schemas of the CRD take.
            steps.take(steps.left() - left);
            let (changes, of_crd) = compared(&sides, &mut steps);
            assert_eq!(
                (changes, of_crd),
                (vec!["combination-changed Unclear".to_owned()], left)
            );
            assert!(steps.are_exhausted());
        }
        assert_eq!(steps.taken(), MOST_OF_RUN);
    }

    #[test]
    fn what_one_crd_takes_leaves_the_next_one_its_own_steps() {
        let mut steps = Steps::default();
        assert!(!steps.take(MOST_OF_CRD));
        steps.begin();
        let of_next = compared(&with_rules(), &mut steps);
        assert!(!steps.are_exhausted());
        assert_eq!(of_next, compared(&with_rules(), &mut Steps::default()));
    }
}
