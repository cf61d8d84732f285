//! Lifetimes that go for all rules, and the kinds of releases that windows count: what the tables of rules build on.

use crate::document::{Diagnostics, Document, Value};
use crate::release::is_kind_name;
use crate::source::Span;

use super::class::read_class;
use super::key::Readable;
use super::{Class, Key, LIFETIME, Period, Policy, RuleLaw, RuleTable, StepLaw};

/// The page on lifetimes, windows and kinds of releases.
pub const WINDOWS_PAGE: &str = include_str!("windows.md");

/// The most kinds of releases that a policy may list.
const MOST_KINDS: usize = 8;

impl Policy {
    /// Reads what the tables of rules build on: the kinds of releases, and the lifetimes that go for all rules.
    pub(super) fn read_first(&mut self, document: &Document<'_>, tables: &[RuleTable], diagnostics: &mut Diagnostics) {
        if let Some((_, value)) = document.root().get("kinds") {
            self.read_kinds(value, diagnostics);
        }
        if let Some((key, value)) = document.root().get("lifetime") {
            self.read_lifetimes(key.span, value, tables, diagnostics);
        }
    }

    fn read_kinds(&mut self, value: Value<'_>, diagnostics: &mut Diagnostics) {
        for word in value.words(diagnostics) {
            if !is_kind_name(word.text) || ["major", "minor"].contains(&word.text) {
                let help = "name a kind besides `major` and `minor`, by lower-case letters, digits and hyphens";
                diagnostics.at("kind", word.span, "this cannot be added as a kind of release", help);
            } else if self.kinds.len() >= MOST_KINDS {
                let message = format!("a policy lists at most {MOST_KINDS} kinds of releases");
                diagnostics.at("kind", word.span, message, "list those that its windows count");
            } else if !self.kinds.iter().any(|kind| kind == word.text) {
                self.kinds.push(word.text.to_owned());
            }
        }
    }

    /// Lifetimes by stability, for every rule about a lifetime: the table of a rule overrides them.
    fn read_lifetimes(&mut self, place: Span, value: Value<'_>, tables: &[RuleTable], diagnostics: &mut Diagnostics) {
        let Some(table) = value.table(diagnostics) else { return };
        let kinds = self.kinds.clone();
        // What is said of all comes first, so that what is said of one overrides it.
        let (all, own): (Vec<_>, Vec<_>) = table.entries().partition(|(key, _)| key.name == "all");
        for (key, value) in all.into_iter().chain(own) {
            let tracks = tracks_of(key.name);
            if tracks.is_empty() {
                diagnostics.unknown_key(&key, &["all", "alpha", "beta", "ga"]);
                continue;
            }
            let mut own = Diagnostics::default();
            for (table, class) in classes_with_lifetime(tables) {
                if tracks.contains(&class.as_of_lifetime()) {
                    let rule = self.rules.entry(table.slug.to_owned()).or_default();
                    rule.span.get_or_insert(place);
                    own = Diagnostics::default();
                    let stages = (!has_named_steps(table)).then(|| Stages::of(rule, class));
                    let readable = Readable {
                        class,
                        keys: LIFETIME,
                        only_step: None,
                    };
                    read_class(rule, readable, value, &kinds, &mut own);
                    // Gates and metrics have stages instead of the steps of other elements.
                    if let Some(stages) = stages {
                        stages.restore(rule, class);
                    }
                }
            }
            // Each rule finds the same errors.
            for error in own.into_vec() {
                diagnostics.push(error);
            }
        }
    }
}

/// The classes that a table of `[lifetime]` is about; none if there is no such table.
pub(super) fn tracks_of(name: &str) -> &'static [Class] {
    match name {
        "all" => &[Class::Alpha, Class::Beta, Class::Ga],
        "alpha" => &[Class::Alpha],
        "beta" => &[Class::Beta],
        "ga" => &[Class::Ga],
        _ => &[],
    }
}

/// What a class sets for steps.
struct Stages {
    steps: Option<Vec<StepLaw>>,
    after: Option<Period>,
}

impl Stages {
    fn of(rule: &RuleLaw, class: Class) -> Self {
        Self {
            steps: rule.steps.get(&class).cloned(),
            after: rule.windows.get(&(class, Key::AfterSteps)).cloned(),
        }
    }

    fn restore(self, rule: &mut RuleLaw, class: Class) {
        rule.steps.remove(&class);
        rule.windows.remove(&(class, Key::AfterSteps));
        rule.steps.extend(self.steps.map(|steps| (class, steps)));
        rule.windows
            .extend(self.after.map(|after| ((class, Key::AfterSteps), after)));
    }
}

/// Whether the elements of a rule have the steps that a policy names.
pub(super) fn has_named_steps(table: &RuleTable) -> bool {
    table.keys.is_some_and(|keys| keys.only_step.is_none())
}

/// The classes of the rules about lifetimes.
pub(super) fn classes_with_lifetime(tables: &[RuleTable]) -> impl Iterator<Item = (&RuleTable, Class)> {
    let classes = tables.iter().flat_map(|table| {
        table
            .keys
            .map_or(&[][..], |keys| keys.classes)
            .iter()
            .map(move |class| (table, class))
    });
    let with_lifetime = classes.filter(|(_, (_, keys))| keys.contains(&Key::AfterDeprecation));
    with_lifetime.map(|(table, (class, _))| (table, *class))
}
