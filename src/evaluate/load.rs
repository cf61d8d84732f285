//! Loading: documents become a model and a law.

use crate::diagnostic::{Diagnostic, Severity, as_typed, did_you_mean};
use crate::document::{Diagnostics, Document, RULE, Word};
use crate::model::{Address, ElementId, Event, EventKind, ExtraKinds, LevelEntry, Model, known_releases};
use crate::policy::{
    Edition, EditionReference, Law, Level, LevelOrigin, Policy, builtin, builtin_file, editions, extends, named_from,
};
use crate::release::{AsOf, Release};
use crate::source::Span;

use super::editions::{in_turns, knowing_kinds, knowing_steps};
use super::levels::{LevelOption, level};
use super::pages::rule_tables;
use super::stated::check_exceptions;
use super::{DEFAULT_POLICY, Evaluation, Loaded};

/// How deep policies may extend one another.
const MOST_EXTENSIONS: usize = 16;

/// The input of an evaluation.
#[derive(Debug, Default)]
pub struct Load<'a> {
    models: &'a [Document<'a>],
    /// Policy files by the name they are referred to.
    policies: Vec<(String, Document<'a>)>,
    policy_override: Option<String>,
    as_of: Option<AsOf>,
    levels: Vec<LevelOption>,
    suppositions: Vec<Supposition>,
    /// How the command line chooses the model.
    pub address: Address,
    diagnostics: Vec<Diagnostic>,
}

/// A supposition about the last life of an element: an event in a release, or no such declaration.
pub type Supposition = (ElementId, EventKind, Option<Release>);

impl<'a> Load<'a> {
    /// The main document of a model, and the ones it includes.
    pub fn new(models: &'a [Document<'a>]) -> Self {
        Self {
            models,
            ..Self::default()
        }
    }

    /// Adds a policy file under the name that the model uses; an extended policy under the name that [`named_from`]
    /// makes.
    pub fn add_policy(&mut self, name: impl Into<String>, document: Document<'a>) {
        self.policies.push((name.into(), document));
    }

    /// Uses this policy instead of that of the model.
    pub fn choose_policy(&mut self, name: impl Into<String>) {
        self.policy_override = Some(name.into());
    }

    /// Uses this moment instead of the calendar's `current`.
    pub fn as_of(&mut self, moment: AsOf) {
        self.as_of = Some(moment);
    }

    /// Sets the severity of all findings of a rule (`version-lifetime`, `4a`), or of one (`4a:early`, or as it is
    /// printed), over those of model and policy. `words` are the typed option.
    pub fn set_level(&mut self, rule: &str, severity: Severity, words: impl Into<String>) {
        let name = as_typed(rule);
        let (rule, code) = match name.split_once(':') {
            Some((rule, code)) => (rule, Some(code.to_owned())),
            None => (&*name, None),
        };
        self.levels.push(LevelOption {
            rule: rule.to_owned(),
            code,
            severity,
            origin: LevelOrigin::CommandLine(words.into()),
        });
    }

    /// Supposes this instead of the model's declaration.
    pub fn suppose(&mut self, supposition: Supposition) {
        self.suppositions.push(supposition);
    }

    /// Adds errors found while the files were gathered.
    pub fn add_errors(&mut self, diagnostics: Vec<Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Reads, plans and checks.
    ///
    /// # Errors
    ///
    /// The errors in the files, if they cannot be read as a model and a law.
    pub fn evaluate(self) -> Result<Evaluation, Vec<Diagnostic>> {
        self.read()?.evaluate()
    }

    /// Reads a model and its law.
    ///
    /// # Errors
    ///
    /// The errors in the files.
    pub fn read(self) -> Result<Loaded, Vec<Diagnostic>> {
        let mut diagnostics = Diagnostics::default();
        for diagnostic in &self.diagnostics {
            diagnostics.push(diagnostic.clone());
        }
        let model = Model::read_with(self.models, &self.kinds(), &mut diagnostics);
        let stated = model.as_ref().and_then(|model| model.calendar.current());
        let model = model.map(|model| self.at_moment(model, &mut diagnostics));
        let law = self
            .law(model.as_ref(), &mut diagnostics)
            .map(|law| self.with_levels(law, model.as_ref(), &mut diagnostics));
        let model = model.map(|model| knowing_kinds(model, law.as_ref()));
        let model = model.map(|model| knowing_steps(model, law.as_ref(), &mut diagnostics));
        let model = model.map(|model| self.supposing(model));
        if let (Some(model), Some(law)) = (&model, &law) {
            check_exceptions(model, law, &mut diagnostics);
        }
        let mut diagnostics = diagnostics.into_vec();
        diagnostics.sort_by(Diagnostic::listing_order);
        let unusable = diagnostics.iter().any(|found| found.severity == Severity::Error);
        match (model, law) {
            (Some(model), Some(law)) if !unusable => Ok(Loaded {
                model,
                law,
                warnings: diagnostics,
                stated,
                as_of: self.as_of,
            }),
            _ => Err(diagnostics),
        }
    }

    /// The kinds of elements that the policy files declare. Reading the policies reports what is wrong with them.
    fn kinds(&self) -> ExtraKinds {
        let mut kinds = ExtraKinds::default();
        for (_, document) in &self.policies {
            document.kinds(&mut kinds, &mut Diagnostics::default());
        }
        kinds
    }

    fn supposing(&self, mut model: Model) -> Model {
        model.address = self.address.clone();
        for (element, what, release) in &self.suppositions {
            let life = model.last_life(*element);
            model.suppose(Event::new(*element, life, *what), *release);
        }
        model
    }

    fn at_moment(&self, mut model: Model, diagnostics: &mut Diagnostics) -> Model {
        let Some(moment) = &self.as_of else { return model };
        match model.calendar.as_of(moment) {
            Ok(current) => model.calendar = model.calendar.with_current(Some(current)),
            Err(problem) => {
                let help = known_releases(&model.calendar, &problem);
                let diagnostic = Diagnostic::error(RULE, "unknown-release", format!("--as-of: {problem}"));
                diagnostics.push(diagnostic.help(help));
            }
        }
        model
    }

    /// The law of a run without a model: the chosen policy, or the default.
    ///
    /// # Errors
    ///
    /// The errors in the policy files and the typed severities.
    pub fn law_alone(&self) -> Result<Law, Vec<Diagnostic>> {
        let mut diagnostics = Diagnostics::default();
        let law = self.law(None, &mut diagnostics);
        let law = law.map(|law| self.with_levels(law, None, &mut diagnostics));
        match law {
            Some(law) if diagnostics.errors() == 0 => Ok(law),
            _ => Err(diagnostics.into_vec()),
        }
    }

    /// The law with the severities of the model and, over those, the typed ones.
    fn with_levels(&self, law: Law, model: Option<&Model>, diagnostics: &mut Diagnostics) -> Law {
        let mut of_model: Vec<&LevelEntry> = model.map_or(&[][..], |model| &model.levels).iter().collect();
        // A severity of one finding overrides that of its rule, in any order.
        of_model.sort_by_key(|entry| entry.code.is_some());
        let of_model = of_model.into_iter().map(|entry| LevelOption {
            rule: entry.rule.text.clone(),
            code: entry.code.as_ref().map(|code| code.text.clone()),
            severity: entry.severity,
            origin: LevelOrigin::Model(entry.code.as_ref().unwrap_or(&entry.rule).span),
        });
        let levels: Vec<Level> = of_model
            .chain(self.levels.iter().cloned())
            .filter_map(|option| level(&law, option, diagnostics))
            .collect();
        law.with_levels(levels)
    }

    /// The chosen policy, the editions of the model, or the default.
    fn law(&self, model: Option<&Model>, diagnostics: &mut Diagnostics) -> Option<Law> {
        if let Some(name) = &self.policy_override {
            let edition = single(self.policy(name, diagnostics)?);
            return Some(Law::new(self.turned(name, edition, model, diagnostics)));
        }
        let named = self
            .models
            .first()
            .map_or_else(Vec::new, |main| editions(main, diagnostics));
        if named.is_empty() {
            return Some(Law::new(vec![single(self.policy(DEFAULT_POLICY, diagnostics)?)]));
        }
        let before = diagnostics.errors();
        let found: Vec<Edition> = named
            .iter()
            .filter_map(|reference| {
                let edition = self.edition(reference, model, diagnostics)?;
                Some(self.turned(reference.policy.text, edition, model, diagnostics))
            })
            .flatten()
            .collect();
        (diagnostics.errors() == before && !found.is_empty()).then(|| Law::new(found))
    }

    /// An edition, and those that its policy names for some releases.
    fn turned(
        &self,
        name: &str,
        edition: Edition,
        model: Option<&Model>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<Edition> {
        in_turns(edition, model, |turn| {
            let (stated, span) = &turn.policy;
            let mut own = Diagnostics::default();
            let policy = self.policy(&named_from(name, stated), &mut own);
            push_at(*span, own, diagnostics);
            policy
        })
    }

    /// One of the editions a model names.
    fn edition(
        &self,
        reference: &EditionReference<'_>,
        model: Option<&Model>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Edition> {
        let policy = self.policy_named_at(reference.policy, diagnostics);
        let from = match (reference.from, model) {
            (Some(word), Some(model)) => model.calendar.find(word.text).map_err(|error| {
                let help = "name a release of the calendar";
                diagnostics.at("unknown-release", word.span, error.to_string(), help);
            }),
            _ => Ok(Release(0)),
        };
        Some(Edition {
            from: from.ok()?,
            since_stated: reference.from.is_some(),
            named_at: Some(reference.policy.span),
            policy: policy?,
        })
    }

    /// A policy that a file names: errors about the name have its place.
    fn policy_named_at(&self, name: Word<'_>, diagnostics: &mut Diagnostics) -> Option<Policy> {
        let mut own = Diagnostics::default();
        let policy = self.policy(name.text, &mut own);
        push_at(name.span, own, diagnostics);
        policy
    }

    /// Reads a policy by its name, with the policies that it extends.
    ///
    /// # Errors
    ///
    /// The errors in its files, or that there is no such policy.
    pub fn policy_named(&self, name: &str) -> Result<Policy, Vec<Diagnostic>> {
        let mut diagnostics = Diagnostics::default();
        match self.policy(name, &mut diagnostics) {
            Some(policy) if diagnostics.errors() == 0 => Ok(policy),
            _ => Err(diagnostics.into_vec()),
        }
    }

    fn policy(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Policy> {
        self.policy_at_depth(name, diagnostics, 0)
    }

    fn policy_at_depth(&self, name: &str, diagnostics: &mut Diagnostics, depth: usize) -> Option<Policy> {
        if depth > MOST_EXTENSIONS {
            let message = format!("policy `{name}` extends itself");
            diagnostics.push(
                Diagnostic::error(RULE, "policy-ring", message).help("remove `extends` from one of these policies"),
            );
            return None;
        }
        if let Some((_, document)) = self.policies.iter().find(|(known, _)| known == name) {
            let base = match extends(document) {
                Some(word) => {
                    let mut own = Diagnostics::default();
                    let base = self.policy_at_depth(&named_from(name, word.text), &mut own, depth + 1);
                    push_at(word.span, own, diagnostics);
                    Some(base?)
                }
                None => None,
            };
            return Some(Policy::read(document, base.as_ref(), &rule_tables(), diagnostics));
        }
        builtin_policy(name).or_else(|| {
            diagnostics.push(unknown_policy(name));
            None
        })
    }
}

/// Adds errors, those without a place at this one.
fn push_at(span: Span, errors: Diagnostics, diagnostics: &mut Diagnostics) {
    for error in errors.into_vec() {
        diagnostics.push(if error.primary.is_some() {
            error
        } else {
            error.at(span, "")
        });
    }
}

/// A built-in policy, read.
pub fn builtin_policy(name: &str) -> Option<Policy> {
    let text = builtin(name)?;
    let document = Document::parse(builtin_file(name), text);
    let base = extends(&document).and_then(|word| builtin_policy(word.text));
    let mut diagnostics = Diagnostics::default();
    Some(Policy::read(&document, base.as_ref(), &rule_tables(), &mut diagnostics))
}

/// The error about a name that is neither a built-in policy nor a file.
pub fn unknown_policy(name: &str) -> Diagnostic {
    let known: Vec<&str> = crate::policy::BUILT_IN.iter().map(|policy| policy.name).collect();
    let longer = known.iter().find(|known| !name.is_empty() && known.starts_with(name));
    let help = did_you_mean(name, known.iter().copied())
        .or_else(|| longer.map(|known| format!("did you mean `{known}`?")))
        .unwrap_or_else(|| format!("built-in policies: {}; name a file by its path", known.join(", ")));
    Diagnostic::error(RULE, "unknown-policy", format!("there is no policy `{name}`")).help(help)
}

fn single(policy: Policy) -> Edition {
    Edition {
        from: Release(0),
        since_stated: false,
        named_at: None,
        policy,
    }
}
