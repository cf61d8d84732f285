//! A model with all the files it asks for, read and evaluated.

use lifecycle::diagnostic::Diagnostic;
use lifecycle::document::{Diagnostics, Document};
use lifecycle::evaluate::{Evaluation, Load, Supposition};
use lifecycle::source::{FileId, Sources};

use crate::args::Judgement;
use crate::commands::Failure;
use crate::files::Text;
use crate::store::{PolicyFile, Store};
use crate::terminal::Terminal;

/// Which of two states of a model is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that is checked.
    Head,
    /// The one that it is held against.
    Base,
}

impl Side {
    fn first(self) -> FileId {
        match self {
            Self::Head => FileId(0),
            Self::Base => Sources::BASE,
        }
    }
}

/// The files of a model.
#[derive(Debug)]
pub struct Files {
    /// Those that declare the model, its main file first.
    pub models: Vec<Text>,
    policies: Vec<PolicyFile>,
    faults: Vec<Diagnostic>,
    side: Side,
}

/// A model that was read.
#[derive(Debug)]
pub struct Loaded {
    /// Its files.
    pub files: Files,
    /// The model and its law, planned and checked; or what is wrong with the files.
    pub evaluated: Result<Evaluation, Vec<Diagnostic>>,
}

impl Loaded {
    /// Reads a model and evaluates it.
    pub fn of(name: &str, store: &Store, judgement: &Judgement, side: Side) -> Result<Self, Failure> {
        let main = store.read(name)?;
        let document = Document::parse(side.first(), &main.content);
        let mut faults = Diagnostics::default();
        let mut files = Files {
            models: store.includes(&document, name, &mut faults)?,
            policies: store.policies(judgement.policy.as_deref(), Some((&document, name)))?,
            faults: faults.into_vec(),
            side,
        };
        let evaluated = files.evaluate_with(document, judgement);
        files.models.insert(0, main);
        Ok(Self { files, evaluated })
    }
}

impl Files {
    /// Evaluates a main file with the included files, which do not hold it yet.
    fn evaluate_with<'t>(
        &'t self,
        main: Document<'t>,
        judgement: &Judgement,
    ) -> Result<Evaluation, Vec<Diagnostic>> {
        let mut documents = vec![main];
        for (text, id) in self.models.iter().zip(ids(self.side).skip(1)) {
            documents.push(Document::parse(id, &text.content));
        }
        self.load(&documents, documents.len(), |load| judgement.instruct(load))
    }

    /// Evaluates other texts in place of those of the model, with the same policies.
    pub fn evaluate_instead(&self, texts: &[String], judgement: &Judgement) -> Result<Evaluation, Vec<Diagnostic>> {
        let documents = ids(self.side).zip(texts).map(|(id, text)| Document::parse(id, text));
        self.load(&documents.collect::<Vec<_>>(), texts.len(), |load| {
            judgement.instruct(load);
        })
    }

    /// Evaluates the model as if more had been declared.
    pub fn evaluate_supposing(
        &self,
        suppositions: &[Supposition],
        judgement: &Judgement,
    ) -> Result<Evaluation, Vec<Diagnostic>> {
        let documents = ids(self.side)
            .zip(&self.models)
            .map(|(id, text)| Document::parse(id, &text.content));
        self.load(&documents.collect::<Vec<_>>(), self.models.len(), |load| {
            judgement.instruct(load);
            for supposition in suppositions {
                load.suppose(*supposition);
            }
        })
    }

    /// Evaluates a model's documents; `files` is how many files they are.
    fn load(
        &self,
        documents: &[Document<'_>],
        files: usize,
        instruct: impl FnOnce(&mut Load<'_>),
    ) -> Result<Evaluation, Vec<Diagnostic>> {
        let mut load = Load::new(documents);
        load.add_faults(self.faults.clone());
        for (file, id) in self.policies.iter().zip(ids(self.side).skip(files)) {
            load.add_policy(&file.reference, Document::parse(id, &file.text.content));
        }
        instruct(&mut load);
        load.evaluate()
    }

    /// Adds all texts, in the order of their ids.
    pub fn add_to<'s>(&'s self, sources: &mut Sources<'s>) {
        for text in self.texts() {
            match self.side {
                Side::Head => sources.add(&text.name, &text.content),
                Side::Base => sources.add_base(&text.name, &text.content),
            };
        }
    }

    /// All files that were read: the main file, those it includes, the policies.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.models.iter().chain(self.policies.iter().map(|file| &file.text))
    }

    /// Tells those who ask for more which files are used.
    pub fn announce(&self, terminal: &Terminal) {
        let of = match self.side {
            Side::Head => "",
            Side::Base => "base ",
        };
        for (at, text) in self.models.iter().enumerate() {
            let what = if at == 0 { "model" } else { "included" };
            terminal.detail(&format!("{of}{what}: {}", text.name));
        }
        for file in &self.policies {
            terminal.detail(&format!("{of}policy: {}", file.text.name));
        }
    }
}

/// The ids of a side's files.
fn ids(side: Side) -> impl Iterator<Item = FileId> {
    (side.first().0..u16::MAX).map(FileId)
}
