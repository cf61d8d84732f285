//! The model that a command is about: which one is meant, its files, its evaluation, and its base.

mod edited;
mod included;

use std::path::Path;

use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Evaluation, Load, Loaded, Supposition};
use lifecycle::model::Address;
use lifecycle::{Diagnostics, Document, Parsed};
use lifecycle::{FileId, Sources};

use crate::args::{ModelChoice, PolicyOptions};
use crate::built_in::BUILT_IN;
use crate::failure::{Failure, Result};
use crate::io::disk::{Disk, FileText, STANDARD_INPUT};
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::policy_files::{self, PolicyFile};
use crate::terminal::Terminal;

pub use edited::EditedText;
pub use included::{Included, REFUSED};

const DEFAULT_MODEL: &str = "lifecycle.toml";

pub fn find(choice: ModelChoice<'_>, disk: &Disk) -> Result<(String, FileTree)> {
    match choice {
        ModelChoice::File(name) => match of_the_program(name) {
            Some(help) if !Path::new(name).exists() => {
                Err(Failure::new(format!("cannot read {name}: there is no such file")).help(help))
            }
            _ => Ok((name.to_owned(), FileTree::Disk(disk.clone()))),
        },
        ModelChoice::Nearest => Ok((nearest()?, FileTree::Disk(disk.clone()))),
        ModelChoice::BuiltIn(name) => {
            let model = BUILT_IN.iter().find(|model| model.name == name);
            let model = model.ok_or_else(|| Failure::new(format!("there is no built-in model `{name}`")))?;
            Ok((model.file.to_owned(), FileTree::BuiltIn(model, disk.clone())))
        }
    }
}

/// How to name what comes with the program, if the name is one of that.
fn of_the_program(name: &str) -> Option<String> {
    if BUILT_IN.iter().any(|model| model.name == name) {
        return Some(format!(
            "name the model that comes with the program by `--builtin {name}`"
        ));
    }
    let is_policy = lifecycle::policy::BUILT_IN.iter().any(|policy| policy.name == name);
    is_policy.then(|| format!("name the policy by `--policy {name}`, beside a model"))
}

/// The nearest model file in the current folder or above, up to the root of a repository.
pub fn nearest() -> Result<String> {
    find_nearest()?.ok_or_else(|| {
        Failure::new(format!("no {DEFAULT_MODEL} here or above"))
            .help(format!("name one with `-m FILE`, use one that comes with the program (`--builtin {}`), or write one: `lifecycle init`", BUILT_IN.first().map_or("NAME", |model| model.name)))
    })
}

/// The same; `None` if there is none.
pub fn find_nearest() -> Result<Option<String>> {
    let start = std::env::current_dir().map_err(|problem| Failure::new(format!("no current folder: {problem}")))?;
    let mut up = String::new();
    for folder in start.ancestors() {
        // A broken link is an error of this model, not a reason to use another one.
        let found = folder.join(DEFAULT_MODEL).symlink_metadata();
        if found.is_ok_and(|found| !found.is_dir()) {
            return Ok(Some(format!("{up}{DEFAULT_MODEL}")));
        }
        if folder.join(".git").exists() {
            break;
        }
        up.push_str("../");
    }
    Ok(None)
}

/// How commands choose a model: the nearest one needs no options.
fn address(name: &str, tree: &FileTree) -> Result<Address> {
    Ok(match tree {
        FileTree::BuiltIn(model, _) => Address::built_in(model.name),
        FileTree::Disk(_) | FileTree::Commit(..) if find_nearest()?.as_deref() == Some(name) => Address::default(),
        FileTree::Disk(_) | FileTree::Commit(..) => Address::file(name),
    })
}

/// Which of two compared states of a model this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that is evaluated.
    Head,
    /// The one that it is compared with.
    Base,
}

impl Side {
    fn ids(self) -> impl Iterator<Item = FileId> {
        (self.first().0..u16::MAX).map(FileId)
    }

    fn first(self) -> FileId {
        match self {
            Self::Head => FileId(0),
            Self::Base => Sources::BASE,
        }
    }
}

#[derive(Debug)]
pub struct ModelFiles {
    /// Those that declare the model, its main file first.
    pub models: Vec<FileText>,
    /// What a pattern has found, and is not read.
    skipped: Vec<String>,
    policies: Vec<PolicyFile>,
    errors: Vec<Diagnostic>,
    address: Address,
    side: Side,
}

#[derive(Debug)]
pub struct LoadedModel {
    pub files: ModelFiles,
    /// The evaluation, or the errors in the files.
    pub evaluated: Result<Evaluation, Vec<Diagnostic>>,
}

impl LoadedModel {
    pub fn read(name: &str, tree: &FileTree, options: &PolicyOptions, side: Side) -> Result<Self> {
        let (ReadModel { files, read }, _) = ReadModel::read_with(name, tree, options, side, |_, _| ())?;
        let evaluated = read.and_then(Loaded::evaluate);
        Ok(Self { files, evaluated })
    }
}

/// A model that is not evaluated yet.
#[derive(Debug)]
pub struct ReadModel {
    pub files: ModelFiles,
    /// The model and its law, or the errors in the files.
    pub read: Result<Loaded, Vec<Diagnostic>>,
}

impl ReadModel {
    /// Reads a model, and makes something of it and the documents, unless these have errors.
    pub fn read_with<T>(
        name: &str,
        tree: &FileTree,
        options: &PolicyOptions,
        side: Side,
        make: impl FnOnce(&Loaded, &[Document<'_>]) -> T,
    ) -> Result<(Self, Option<T>)> {
        let main = tree.read_main(name)?;
        let document = Document::parse(side.first(), &main.content);
        let mut errors = Diagnostics::default();
        let included = Included::read(&tree.within(name), &document, name, &mut errors)?;
        let mut files = ModelFiles {
            models: included.texts,
            skipped: included.skipped,
            policies: policy_files::read_for_model(tree, &document, name, options.policy.as_deref())?,
            errors: errors.into_vec(),
            address: address(name, tree)?,
            side,
        };
        let (read, made) = files.read_main((document, std::iter::empty()), options, make);
        files.models.insert(0, main);
        Ok((Self { files, read }, made))
    }
}

fn document(id: FileId, text: &str, parsed: Option<Parsed>) -> Document<'_> {
    match parsed {
        Some(parsed) => Document::parsed(id, text, parsed),
        None => Document::parse(id, text),
    }
}

impl ModelFiles {
    /// Reads the model of a main file with the included files, while `models` are those alone; of some of these it is
    /// known what is read of them.
    fn read_main<'t, T>(
        &'t self,
        (main, parsed): (Document<'t>, impl Iterator<Item = Option<Parsed>>),
        options: &PolicyOptions,
        make: impl FnOnce(&Loaded, &[Document<'_>]) -> T,
    ) -> (Result<Loaded, Vec<Diagnostic>>, Option<T>) {
        let included = self.side.ids().skip(1).zip(&self.models);
        let parsed = parsed.chain(std::iter::repeat_with(|| None));
        let included = included.zip(parsed);
        let included = included.map(|((id, text), parsed)| document(id, &text.content, parsed));
        let documents: Vec<_> = std::iter::once(main).chain(included).collect();
        let read = self.load(&documents, options).read();
        let made = read.as_ref().ok().map(|read| make(read, &documents));
        (read, made)
    }

    /// Evaluates other texts in place of those of the model, with the same policies.
    pub fn evaluate_instead(&self, texts: &[String], options: &PolicyOptions) -> Result<Evaluation, Vec<Diagnostic>> {
        self.load(&self.documents(texts), options).evaluate()
    }

    /// Evaluates the model as if more were declared.
    pub fn evaluate_supposing(
        &self,
        suppositions: &[Supposition],
        options: &PolicyOptions,
    ) -> Result<Evaluation, Vec<Diagnostic>> {
        let documents = self.documents(self.models.iter().map(|text| &text.content));
        let mut load = self.load(&documents, options);
        for supposition in suppositions {
            load.suppose(*supposition);
        }
        load.evaluate()
    }

    fn documents<'t>(&self, texts: impl IntoIterator<Item = &'t String>) -> Vec<Document<'t>> {
        let texts = self.side.ids().zip(texts);
        texts.map(|(id, text)| Document::parse(id, text)).collect()
    }

    fn load<'d>(&'d self, documents: &'d [Document<'d>], options: &PolicyOptions) -> Load<'d> {
        let mut load = Load::new(documents);
        load.add_errors(self.errors.clone());
        load.address = options.of(self.address.clone());
        for (file, id) in self.policies.iter().zip(self.side.ids().skip(documents.len())) {
            load.add_policy(&file.reference, Document::parse(id, &file.text.content));
        }
        options.apply_to(&mut load);
        load
    }

    /// The texts of this changed model and of the model as it was, which may have the same places.
    pub fn sources_with<'s>(&'s self, before: &'s Self) -> Sources<'s> {
        let mut sources = Sources::new();
        if self.side != before.side {
            before.add_to(&mut sources);
        }
        self.add_to(&mut sources);
        sources
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
    pub fn texts(&self) -> impl Iterator<Item = &FileText> {
        self.models.iter().chain(self.policies.iter().map(|file| &file.text))
    }

    pub fn model_texts(&self) -> Vec<String> {
        self.models.iter().map(|text| text.content.clone()).collect()
    }

    pub fn changed<'f>(&'f self, after: &'f [String]) -> Vec<(&'f FileText, &'f String)> {
        let pairs = self.models.iter().zip(after);
        pairs.filter(|(before, after)| before.content != **after).collect()
    }

    /// Prints which files are skipped, and with `--verbose` which are used.
    pub fn list(&self, terminal: &mut Terminal) {
        terminal.warn_some("warning: skipped ", &self.skipped);
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

/// The state that a model is compared with.
#[derive(Debug)]
pub struct Base {
    pub tree: FileTree,
    /// The name of its model there.
    pub name: String,
    pub model: BaseModel,
}

#[derive(Debug)]
pub enum BaseModel {
    Loaded(Box<LoadedModel>),
    Missing,
    /// Its files cannot be used, for this reason.
    Unreadable(String),
}

impl Base {
    /// Reads the base that a user names: a Git revision, a model file, or a folder that has the model's file.
    pub fn read(named: &str, model: &str, options: &PolicyOptions, disk: &Disk) -> Result<Self> {
        let (tree, name) = find_base(named, model, disk)?;
        let model = BaseModel::read(&name, &tree, options)?;
        Ok(Self { tree, name, model })
    }

    pub fn loaded(&self) -> Option<&LoadedModel> {
        match &self.model {
            BaseModel::Loaded(loaded) => Some(loaded),
            BaseModel::Missing | BaseModel::Unreadable(_) => None,
        }
    }

    pub fn loaded_mut(&mut self) -> Option<&mut LoadedModel> {
        match &mut self.model {
            BaseModel::Loaded(loaded) => Some(loaded),
            BaseModel::Missing | BaseModel::Unreadable(_) => None,
        }
    }
}

impl BaseModel {
    fn read(name: &str, tree: &FileTree, options: &PolicyOptions) -> Result<Self> {
        if !tree.has(name) {
            return Ok(Self::Missing);
        }
        let mut loaded = match LoadedModel::read(name, tree, options, Side::Base) {
            Err(failure) if failure.in_commit => return Ok(Self::Unreadable(failure.message)),
            loaded => loaded?,
        };
        if loaded.evaluated.is_err() && options.as_of.is_some() {
            // The base may not have that release yet.
            let without = PolicyOptions {
                as_of: None,
                ..options.clone()
            };
            loaded = LoadedModel::read(name, tree, &without, Side::Base)?;
        }
        Ok(Self::Loaded(Box::new(loaded)))
    }
}

/// The tree of the base, and the name of its model there.
fn find_base(named: &str, model: &str, disk: &Disk) -> Result<(FileTree, String)> {
    let TreePath { tree, path, .. } = TreePath::base_of(named, model, disk)?;
    if !matches!(tree, FileTree::Disk(_)) || !Path::new(&path).is_dir() {
        return Ok((tree, path));
    }
    if model == STANDARD_INPUT {
        return Err(
            Failure::new("a model from standard input has no file name to look for in a folder")
                .help("name a file as the base"),
        );
    }
    let file = Path::new(model).file_name().unwrap_or_default();
    Ok((tree, Path::new(&path).join(file).to_string_lossy().into_owned()))
}
