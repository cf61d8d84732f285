//! What a run reads: a model, the files it includes, its policies.

use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::{Document, Faults};
use lifecycle::evaluate::{Evaluation, Load};
use lifecycle::source::{FileId, Sources};

use crate::args::Judgement;
use crate::commands::Failure;
use crate::files::{self, PolicyFile, Text};
use crate::terminal::Terminal;

/// The files a model asks for besides itself.
pub struct Gathered {
    included: Vec<Text>,
    policies: Vec<PolicyFile>,
    faults: Vec<Diagnostic>,
}

impl Gathered {
    /// Reads what the first of a model's documents asks for, and the policy that was chosen.
    pub fn of(
        documents: &[Document<'_>],
        main: &Text,
        judgement: &Judgement,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        terminal.detail(&format!("model: {}", main.name));
        let first = documents.first().map(|first| (first, main.name.as_str()));
        let mut faults = Faults::default();
        let included = match first {
            Some((document, name)) => files::read_includes(document, name, &mut faults)?,
            None => Vec::new(),
        };
        let policies = files::read_policies(judgement.policy.as_deref(), first)?;
        for text in &included {
            terminal.detail(&format!("included: {}", text.name));
        }
        for file in &policies {
            terminal.detail(&format!("policy: {}", file.text.name));
        }
        Ok(Self {
            included,
            policies,
            faults: faults.into_vec(),
        })
    }

    /// Evaluates a model's documents with the files gathered for it.
    pub fn evaluate<'a>(
        &'a self,
        mut documents: Vec<Document<'a>>,
        judgement: &Judgement,
    ) -> Result<Evaluation, Vec<Diagnostic>> {
        let id = |at: usize| FileId(u16::try_from(at).unwrap_or(u16::MAX));
        let mut others = (1..).map(id);
        for (text, id) in self.included.iter().zip(&mut others) {
            documents.push(Document::parse(id, &text.text));
        }
        let mut load = Load::new(&documents);
        load.add_faults(self.faults.clone());
        for (file, id) in self.policies.iter().zip(others) {
            load.add_policy(&file.reference, Document::parse(id, &file.text.text));
        }
        if let Some(policy) = &judgement.policy {
            load.choose_policy(policy);
        }
        if let Some(moment) = &judgement.as_of {
            load.as_of(moment.clone());
        }
        let evaluated = load.evaluate();
        std::mem::forget(documents);
        evaluated
    }

    /// All texts, in the order of their ids.
    pub fn sources<'s>(&'s self, main: &'s Text) -> Sources<'s> {
        let mut sources = Sources::new();
        let policies = self.policies.iter().map(|file| &file.text);
        for text in std::iter::once(main).chain(&self.included).chain(policies) {
            sources.add(&text.name, &text.text);
        }
        sources
    }
}
