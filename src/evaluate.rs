//! The order of the steps: documents to model and law, to obligations, to plan and findings, to the report.
//!
//! ```
//! use lifecycle::document::Document;
//! use lifecycle::evaluate::{Evaluation, Load};
//! use lifecycle::source::Sources;
//!
//! let text = r#"
//! calendar.releases = { "1.0" = 2024-01-01, "1.1" = 2024-05-01 }
//! group."example.com".version.v1 = { introduced = "1.0", removed = "1.1" }
//! "#;
//! let mut sources = Sources::new();
//! let file = sources.add("lifecycle.toml", text);
//! let documents = [Document::parse(file, text)];
//! let evaluation = Load::new(&documents).evaluate().map_err(|faults| format!("{faults:?}"))?;
//! assert_eq!(evaluation.findings()[0].rule, "version-lifetime");
//! # Ok::<(), String>(())
//! ```

use crate::answer::{self, Material, ReleaseNames};
use crate::check;
use crate::derivation::Reasoning;
use crate::diagnostic::{Diagnostic, Severity, did_you_mean};
use crate::document::{Document, Faults, RULE, Word};
use crate::model::{ElementId, Happening, Model};
use crate::obligation::Obligations;
use crate::plan::{self, Assignment, Intentions};
use crate::policy::{Edition, EditionReference, Law, Policy, builtin, editions, extends, named_from};
use crate::release::{AsOf, Release};
use crate::report::{Derivation, Report};
use crate::rules;
use crate::source::{FileId, Sources};

/// The policy that judges where a model names none.
pub const DEFAULT_POLICY: &str = "kubernetes";

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
    faults: Vec<Diagnostic>,
}

/// A model with its law, planned and checked.
#[derive(Debug)]
pub struct Evaluation {
    model: Model,
    law: Law,
    obligations: Obligations,
    intentions: Intentions,
    assignment: Assignment,
    findings: Vec<Diagnostic>,
    names: ReleaseNames,
}

impl<'a> Load<'a> {
    /// The main document of a model, and the ones it includes.
    pub fn new(models: &'a [Document<'a>]) -> Self {
        Self {
            models,
            policies: Vec::new(),
            chosen: None,
            as_of: None,
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
        let mut faults = Faults::default();
        for fault in &self.faults {
            faults.push(fault.clone());
        }
        let model = Model::read(self.models, &mut faults).map(|model| self.at_moment(model, &mut faults));
        let law = self.law(model.as_ref(), &mut faults);
        if let (Some(model), Some(law)) = (&model, &law) {
            check_exceptions(model, law, &mut faults);
        }
        let mut faults = faults.into_vec();
        faults.sort_by(Diagnostic::listing_order);
        let unusable = faults.iter().any(|fault| fault.severity == Severity::Error);
        match (model, law) {
            (Some(model), Some(law)) if !unusable => Ok(Evaluation::new(model, law, faults)),
            _ => Err(faults),
        }
    }

    fn at_moment(&self, mut model: Model, faults: &mut Faults) -> Model {
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

    /// The editions the model names, or the one chosen, or the default.
    fn law(&self, model: Option<&Model>, faults: &mut Faults) -> Option<Law> {
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
    fn edition(&self, reference: &EditionReference<'_>, model: Option<&Model>, faults: &mut Faults) -> Option<Edition> {
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
            policy: policy?,
        })
    }

    /// A policy that a file names: what is wrong with the name is told where it stands.
    fn policy_named_at(&self, name: Word<'_>, faults: &mut Faults) -> Option<Policy> {
        let mut own = Faults::default();
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
        let mut faults = Faults::default();
        let policy = self.policy(name, &mut faults);
        match policy {
            Some(policy) if faults.is_empty() => Ok(policy),
            _ => Err(faults.into_vec()),
        }
    }

    fn policy(&self, name: &str, faults: &mut Faults) -> Option<Policy> {
        let policy = self.policy_at_depth(name, faults, 0)?;
        rules::check_policy(&policy, faults);
        Some(policy)
    }

    fn policy_at_depth(&self, name: &str, faults: &mut Faults, depth: usize) -> Option<Policy> {
        if depth > MOST_EXTENSIONS {
            let message = format!("policy `{name}` extends itself");
            faults.push(Diagnostic::error(RULE, "policy-ring", message).help("let one of the policies extend nothing"));
            return None;
        }
        if let Some((_, document)) = self.policies.iter().find(|(known, _)| known == name) {
            let base = match extends(document) {
                Some(word) => {
                    let mut own = Faults::default();
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
            return Some(Policy::read(document, base.as_ref(), faults));
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
    let mut faults = Faults::default();
    Some(Policy::read(&document, base.as_ref(), &mut faults))
}

/// The fault of naming a policy that is neither built in nor a file that was read.
pub fn unknown_policy(name: &str) -> Diagnostic {
    let known: Vec<&str> = crate::policy::BUILT_IN.iter().map(|policy| policy.name).collect();
    let help = did_you_mean(name, known.iter().copied())
        .unwrap_or_else(|| format!("built in are {}; a file is named by its path", known.join(", ")));
    Diagnostic::error(RULE, "unknown-policy", format!("there is no policy `{name}`")).help(help)
}

/// The report of files that could not be read: their faults, and nothing else.
pub fn faults_report(faults: &[Diagnostic], sources: &Sources<'_>) -> Report<'static> {
    answer::faults_report(faults, sources)
}

fn single(policy: Policy) -> Law {
    Law::new(vec![Edition {
        from: Release(0),
        since_stated: false,
        policy,
    }])
}

fn check_exceptions(model: &Model, law: &Law, faults: &mut Faults) {
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

impl Evaluation {
    /// Plans and checks a model under a law. `warnings` are what reading it found, none of them an error.
    pub fn new(model: Model, law: Law, warnings: Vec<Diagnostic>) -> Self {
        let stated = rules::state(&model, &law);
        let (obligations, intentions) = plan::intend(&model, &law, stated);
        let assignment = plan::solve(&model, &obligations, &intentions.open);
        let reasoning = Reasoning {
            model: &model,
            obligations: &obligations,
            assignment: &assignment,
        };
        let mut findings = check::check(reasoning, &law, &intentions);
        // What a rule says of a reference it judges need not be said twice.
        let judged = |place| {
            let mut unknown = findings.iter().filter(|finding| finding.code == "unknown");
            unknown.any(|finding| finding.primary.as_ref().map(|label| label.span) == place)
        };
        let warnings: Vec<Diagnostic> = warnings
            .into_iter()
            .filter(|warning| !judged(warning.primary.as_ref().map(|label| label.span)))
            .collect();
        findings.extend(warnings);
        findings.sort_by(Diagnostic::listing_order);
        Self {
            names: ReleaseNames::of(&model.calendar),
            model,
            law,
            obligations,
            intentions,
            assignment,
            findings,
        }
    }

    /// The surface.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The editions that judge.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// What law and plan demand.
    pub fn obligations(&self) -> &Obligations {
        &self.obligations
    }

    /// Which events are open.
    pub fn intentions(&self) -> &Intentions {
        &self.intentions
    }

    /// When the open events fall.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// What is wrong, in the order of its places.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// What there is to reason from.
    pub fn reasoning(&self) -> Reasoning<'_> {
        Reasoning {
            model: &self.model,
            obligations: &self.obligations,
            assignment: &self.assignment,
        }
    }

    /// The report.
    pub fn report(&self, sources: &Sources<'_>) -> Report<'_> {
        answer::report(self.material(), sources)
    }

    /// Why the events of an element fall where they do; `only` one sort of event, or all.
    pub fn derivation(&self, sources: &Sources<'_>, element: ElementId, only: Option<Happening>) -> Derivation<'_> {
        answer::derivation(self.material(), sources, element, only)
    }

    fn material(&self) -> Material<'_> {
        Material {
            reasoning: self.reasoning(),
            law: &self.law,
            findings: &self.findings,
            names: &self.names,
        }
    }
}
