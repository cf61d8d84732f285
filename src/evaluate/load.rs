//! From documents to a model and a law.

use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::document::{Diagnostics, Document, RULE, Word};
use crate::model::{ElementId, Event, EventKind, LevelEntry, Model};
use crate::policy::{
    Edition, EditionReference, Law, Level, LevelOrigin, Policy, builtin, editions, extends, named_from,
};
use crate::release::{AsOf, Release};
use crate::rules;
use crate::source::FileId;

use super::pages::{codes_of, gradable, gradable_codes, gradable_names, rule_tables};
use super::{DEFAULT_POLICY, Evaluation};

/// How deep policies may extend one another.
const MOST_EXTENSIONS: usize = 16;

/// What is to be evaluated.
#[derive(Debug)]
pub struct Load<'a> {
    models: &'a [Document<'a>],
    /// Policy files by the name they are referred to.
    policies: Vec<(String, Document<'a>)>,
    chosen: Option<String>,
    as_of: Option<AsOf>,
    levels: Vec<AskedLevel>,
    suppositions: Vec<Supposition>,
    faults: Vec<Diagnostic>,
}

/// What is supposed of the last life of an element: that something happens to it in a release, or that nobody said
/// when.
pub type Supposition = (ElementId, EventKind, Option<Release>);

/// A level as someone asked for it.
#[derive(Debug, Clone)]
struct AskedLevel {
    rule: String,
    code: Option<String>,
    severity: Severity,
    origin: LevelOrigin,
}

impl<'a> Load<'a> {
    /// The main document of a model, and the ones it includes.
    pub fn new(models: &'a [Document<'a>]) -> Self {
        Self {
            models,
            policies: Vec::new(),
            chosen: None,
            as_of: None,
            levels: Vec::new(),
            suppositions: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Makes a policy file known under the name by which the model refers to it; one that another policy extends, under
    /// the name that [`named_from`] makes of that.
    pub fn add_policy(&mut self, name: impl Into<String>, document: Document<'a>) {
        self.policies.push((name.into(), document));
    }

    /// Judges by this policy, whatever the model says.
    pub fn choose_policy(&mut self, name: impl Into<String>) {
        self.chosen = Some(name.into());
    }

    /// Judges as of this moment, whatever the calendar says is current.
    pub fn as_of(&mut self, moment: AsOf) {
        self.as_of = Some(moment);
    }

    /// Gives all findings of a rule (`version-lifetime`, `4a`), or one of them (`4a:early`), this severity, whatever
    /// model and policy say. `words` are how it was asked for.
    pub fn set_level(&mut self, rule: &str, severity: Severity, words: impl Into<String>) {
        let (rule, code) = match rule.split_once(':') {
            Some((rule, code)) => (rule, Some(code.to_owned())),
            None => (rule, None),
        };
        self.levels.push(AskedLevel {
            rule: rule.to_owned(),
            code,
            severity,
            origin: LevelOrigin::CommandLine(words.into()),
        });
    }

    /// Judges as if this were declared, whatever the model says of it.
    pub fn suppose(&mut self, supposition: Supposition) {
        self.suppositions.push(supposition);
    }

    /// Adds faults that were found while the files were gathered.
    pub fn add_faults(&mut self, faults: Vec<Diagnostic>) {
        self.faults.extend(faults);
    }

    /// Reads, plans and checks.
    ///
    /// # Errors
    ///
    /// The faults of the files, if they cannot be read as a model and a law.
    pub fn evaluate(self) -> Result<Evaluation, Vec<Diagnostic>> {
        let mut faults = Diagnostics::default();
        for fault in &self.faults {
            faults.push(fault.clone());
        }
        let model = Model::read(self.models, &mut faults);
        let stated = model.as_ref().and_then(|model| model.calendar.current());
        let model = model.map(|model| self.at_moment(model, &mut faults));
        let model = model.map(|model| self.supposing(model));
        let law = self
            .law(model.as_ref(), &mut faults)
            .map(|law| self.graded(law, model.as_ref(), &mut faults));
        if let (Some(model), Some(law)) = (&model, &law) {
            check_exceptions(model, law, &mut faults);
        }
        let mut faults = faults.into_vec();
        faults.sort_by(Diagnostic::listing_order);
        let unusable = faults.iter().any(|fault| fault.severity == Severity::Error);
        match (model, law) {
            (Some(model), Some(law)) if !unusable => Ok(Evaluation {
                current: stated,
                ..Evaluation::new(model, law, faults)
            }),
            _ => Err(faults),
        }
    }

    fn supposing(&self, mut model: Model) -> Model {
        for (element, what, release) in &self.suppositions {
            let life = model.last_life(*element);
            model.suppose(Event::new(*element, life, *what), *release);
        }
        model
    }

    fn at_moment(&self, mut model: Model, faults: &mut Diagnostics) -> Model {
        let Some(moment) = &self.as_of else { return model };
        match model.calendar.as_of(moment) {
            Ok(current) => model.calendar = model.calendar.with_current(Some(current)),
            Err(problem) => {
                let last = model.calendar.name(Release(model.calendar.listed().saturating_sub(1)));
                let help = format!("the calendar lists {} to {last}", model.calendar.name(Release(0)));
                let fault = Diagnostic::error(RULE, "unknown-release", format!("--as-of: {problem}"));
                faults.push(fault.help(help));
            }
        }
        model
    }

    /// The law of a run without a model: of the policy chosen, or of the default one.
    ///
    /// # Errors
    ///
    /// The faults of the policy's files and of the levels asked for.
    pub fn law_alone(&self) -> Result<Law, Vec<Diagnostic>> {
        let mut faults = Diagnostics::default();
        let law = self.law(None, &mut faults);
        let law = law.map(|law| self.graded(law, None, &mut faults));
        match law {
            Some(law) if faults.is_empty() => Ok(law),
            _ => Err(faults.into_vec()),
        }
    }

    /// The law with the levels of the model, and nearer than those the ones asked for.
    fn graded(&self, law: Law, model: Option<&Model>, faults: &mut Diagnostics) -> Law {
        let mut of_model: Vec<&LevelEntry> = model.map_or(&[][..], |model| &model.levels).iter().collect();
        // One for a single finding counts more than one for its rule, in whatever order they stand.
        of_model.sort_by_key(|entry| entry.code.is_some());
        let of_model = of_model.into_iter().map(|entry| AskedLevel {
            rule: entry.rule.text.clone(),
            code: entry.code.as_ref().map(|code| code.text.clone()),
            severity: entry.severity,
            origin: LevelOrigin::Model(entry.code.as_ref().unwrap_or(&entry.rule).span),
        });
        let levels: Vec<Level> = of_model
            .chain(self.levels.iter().cloned())
            .filter_map(|asked| level(&law, asked, faults))
            .collect();
        law.with_levels(levels)
    }

    /// The editions the model names, or the one chosen, or the default.
    fn law(&self, model: Option<&Model>, faults: &mut Diagnostics) -> Option<Law> {
        if let Some(name) = &self.chosen {
            let policy = self.policy(name, faults)?;
            return Some(single(policy));
        }
        let named = self.models.first().map_or_else(Vec::new, |main| editions(main, faults));
        if named.is_empty() {
            return Some(single(self.policy(DEFAULT_POLICY, faults)?));
        }
        let before = faults.count();
        let found: Vec<Edition> = named
            .iter()
            .filter_map(|reference| self.edition(reference, model, faults))
            .collect();
        (faults.count() == before && !found.is_empty()).then(|| Law::new(found))
    }

    /// One of the editions a model names.
    fn edition(
        &self,
        reference: &EditionReference<'_>,
        model: Option<&Model>,
        faults: &mut Diagnostics,
    ) -> Option<Edition> {
        let policy = self.policy_named_at(reference.policy, faults);
        let from = match (reference.from, model) {
            (Some(word), Some(model)) => match model.calendar.find(word.text) {
                Ok(release) => Some(release),
                Err(problem) => {
                    let help = "name a release of the calendar";
                    faults.at("unknown-release", word.span, problem.to_string(), help);
                    None
                }
            },
            _ => Some(Release(0)),
        };
        Some(Edition {
            from: from?,
            since_stated: reference.from.is_some(),
            named_at: Some(reference.policy.span),
            policy: policy?,
        })
    }

    /// A policy that a file names: what is wrong with the name is told where it stands.
    fn policy_named_at(&self, name: Word<'_>, faults: &mut Diagnostics) -> Option<Policy> {
        let mut own = Diagnostics::default();
        let policy = self.policy(name.text, &mut own);
        for fault in own.into_vec() {
            faults.push(match fault.primary {
                Some(_) => fault,
                None => fault.at(name.span, ""),
            });
        }
        policy
    }

    /// Reads one policy by its name, with the ones it extends.
    ///
    /// # Errors
    ///
    /// The faults of its files, or that there is no such policy.
    pub fn policy_named(&self, name: &str) -> Result<Policy, Vec<Diagnostic>> {
        let mut faults = Diagnostics::default();
        let policy = self.policy(name, &mut faults);
        match policy {
            Some(policy) if faults.is_empty() => Ok(policy),
            _ => Err(faults.into_vec()),
        }
    }

    fn policy(&self, name: &str, faults: &mut Diagnostics) -> Option<Policy> {
        self.policy_at_depth(name, faults, 0)
    }

    fn policy_at_depth(&self, name: &str, faults: &mut Diagnostics, depth: usize) -> Option<Policy> {
        if depth > MOST_EXTENSIONS {
            let message = format!("policy `{name}` extends itself");
            faults.push(Diagnostic::error(RULE, "policy-ring", message).help("let one of the policies extend nothing"));
            return None;
        }
        if let Some((_, document)) = self.policies.iter().find(|(known, _)| known == name) {
            let base = match extends(document) {
                Some(word) => {
                    let mut own = Diagnostics::default();
                    let base = self.policy_at_depth(&named_from(name, word.text), &mut own, depth + 1);
                    for fault in own.into_vec() {
                        faults.push(match fault.primary {
                            Some(_) => fault,
                            None => fault.at(word.span, ""),
                        });
                    }
                    Some(base?)
                }
                None => None,
            };
            return Some(Policy::read(document, base.as_ref(), &rule_tables(), faults));
        }
        builtin_policy(name).or_else(|| {
            faults.push(unknown_policy(name));
            None
        })
    }
}

/// A built-in policy, read. Its places are not in the user's sources and are left out.
pub fn builtin_policy(name: &str) -> Option<Policy> {
    let text = builtin(name)?;
    let document = Document::parse(FileId(u16::MAX), text);
    let base = extends(&document).and_then(|word| builtin_policy(word.text));
    let mut faults = Diagnostics::default();
    Some(Policy::read(&document, base.as_ref(), &rule_tables(), &mut faults))
}

/// The fault of naming a policy that is neither built in nor a file that was read.
pub fn unknown_policy(name: &str) -> Diagnostic {
    let known: Vec<&str> = crate::policy::BUILT_IN.iter().map(|policy| policy.name).collect();
    let help = did_you_mean(name, known.iter().copied())
        .unwrap_or_else(|| format!("built in are {}; a file is named by its path", known.join(", ")));
    Diagnostic::error(RULE, "unknown-policy", format!("there is no policy `{name}`")).help(help)
}

fn single(policy: Policy) -> Law {
    Law::new(vec![Edition {
        from: Release(0),
        since_stated: false,
        named_at: None,
        policy,
    }])
}

/// A level by the lasting name of its rule; what names no rule in force, or no finding of it, is a fault.
fn level(law: &Law, asked: AskedLevel, faults: &mut Diagnostics) -> Option<Level> {
    let newest = law.editions().last()?;
    let fault = |message: String, help: String| match &asked.origin {
        LevelOrigin::Model(span) => Diagnostic::error(RULE, "unknown-rule", message)
            .at(*span, "")
            .help(help),
        LevelOrigin::CommandLine(words) => {
            Diagnostic::error(RULE, "unknown-rule", format!("{words}: {message}")).help(help)
        }
    };
    let Some(rule) = gradable(&newest.policy, &asked.rule) else {
        let help = did_you_mean(&asked.rule, gradable_names())
            .unwrap_or_else(|| "`lifecycle rules` lists the rules and their findings".to_owned());
        faults.push(fault(format!("there is no rule `{}` to grade", asked.rule), help));
        return None;
    };
    if rules::find(rule).is_some() && !law.rule(rule).in_force() {
        let message = format!("{rule} is not in force in {}", newest.policy.name);
        let idle = fault(message, "leave it out, or judge by a policy that has it".to_owned());
        // A model may be judged by another policy for once.
        let typed = matches!(asked.origin, LevelOrigin::CommandLine(_));
        faults.push(if typed { idle } else { idle.severity(Severity::Warning) });
        return None;
    }
    let codes = gradable_codes(rule);
    if let Some(code) = asked.code.as_deref().filter(|code| !codes.contains(code)) {
        let help = did_you_mean(code, codes.iter().copied())
            .unwrap_or_else(|| format!("findings of {rule}: {}", codes_of(rule).join(", ")));
        faults.push(fault(format!("there is no finding `{code}` of {rule}"), help));
        return None;
    }
    Some(Level {
        rule,
        code: asked.code,
        severity: asked.severity,
        origin: asked.origin,
    })
}

fn check_exceptions(model: &Model, law: &Law, faults: &mut Diagnostics) {
    let Some(newest) = law.editions().last() else { return };
    for exception in &model.exceptions {
        if rules::find_in(&newest.policy, &exception.rule.text).is_none() {
            let known = rules::RULES.iter().map(|rule| rule.slug);
            let help = did_you_mean(&exception.rule.text, known)
                .unwrap_or_else(|| "`lifecycle explain` lists the rules".to_owned());
            let message = format!("there is no rule `{}`", exception.rule.text);
            faults.at("unknown-rule", exception.rule.span, message, help);
        }
    }
}
