//! Where a model's files are read from: the disk, or a commit.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lifecycle::document::{Diagnostics, Document, Word};
use lifecycle::policy::{builtin, editions, extends, named_from};
use lifecycle::source::FileId;

use crate::chosen::BuiltInModel;
use crate::commands::Failure;
use crate::definitions::{ENDINGS, names};
use crate::files::{self, Below, STANDARD_INPUT, Text};
use crate::git::Commit;

/// Policies one run reads at most: files that extend one another through their folders would never end.
const MOST_POLICIES: usize = 100;

/// Files one run reads at most.
const MOST_FILES: usize = 10_000;

/// Where files are.
#[derive(Debug)]
pub enum Store {
    /// On the disk.
    Disk,
    /// In a commit of a repository.
    Commit(Box<Commit>),
    /// The model in the program, policies on the disk.
    BuiltIn(&'static BuiltInModel),
}

/// A policy file, by the name that refers to it.
#[derive(Debug)]
pub struct PolicyFile {
    /// The name in the model, or in the policy that extends it.
    pub reference: String,
    /// The file.
    pub text: Text,
}

impl Store {
    /// Reads a file; from the disk, standard input for `-`.
    pub fn read(&self, name: &str) -> Result<Text, Failure> {
        match self {
            Self::BuiltIn(model) if name == model.file => Ok(Text {
                name: name.to_owned(),
                content: model.text.to_owned(),
                marked: false,
            }),
            Self::Disk | Self::BuiltIn(_) => files::read(name),
            Self::Commit(commit) => {
                let label = commit.label(name);
                let bytes = commit.read(name)?;
                let bytes = bytes.ok_or_else(|| Failure::new(format!("there is no {label}")));
                let text = bytes.and_then(|bytes| files::text(&label, bytes));
                text.map_err(|failure| Failure {
                    in_commit: true,
                    ..failure
                })
            }
        }
    }

    /// Reads a file that is not to have more than so many bytes. Those of a commit are read as they are.
    pub fn read_at_most(&self, name: &str, most: usize) -> Result<Text, Failure> {
        match self {
            Self::Commit(_) => self.read(name),
            Self::Disk | Self::BuiltIn(_) => files::read_at_most(name, most),
        }
    }

    /// A file, or the files below a folder that may define something, in the order of their names, with what was passed
    /// over. A commit may have none.
    pub fn below(&self, path: &str) -> Result<Below, Failure> {
        match self {
            Self::Commit(commit) => commit.below(path, &ENDINGS),
            Self::Disk | Self::BuiltIn(_) => Ok(names(path)?.found),
        }
    }

    /// The model in the program, if it is that.
    pub fn built_in(&self) -> Option<&'static BuiltInModel> {
        match self {
            Self::BuiltIn(model) => Some(model),
            Self::Disk | Self::Commit(_) => None,
        }
    }

    /// Whether there is such a file. What cannot be told is left to reading it.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::BuiltIn(model) if name == model.file => true,
            Self::Disk | Self::BuiltIn(_) => name == STANDARD_INPUT || Path::new(name).exists(),
            Self::Commit(commit) => commit.read(name).map_or(true, |found| found.is_some()),
        }
    }

    /// The files a model includes, in the order of their names.
    pub fn includes(&self, model: &Document<'_>, name: &str, faults: &mut Diagnostics) -> Result<Vec<Text>, Failure> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for word in model.includes() {
            let found = self.matching(word, &folder_of(name), faults)?;
            if let Some([]) = found.as_deref() {
                let help = "paths are taken from the folder of the file that includes them";
                faults.at("include", word.span, format!("no file matches `{}`", word.text), help);
            }
            paths.extend(found.into_iter().flatten());
        }
        if paths.len() > MOST_FILES {
            return Err(Failure::new(format!("{name} includes more than {MOST_FILES} files")));
        }
        paths.sort();
        self.only_once(name, &mut paths);
        paths.iter().map(|path| self.read(&path.to_string_lossy())).collect()
    }

    /// A file may be reached by several ways, on the disk by links even by endlessly many: each is read once.
    fn only_once(&self, name: &str, paths: &mut Vec<PathBuf>) {
        match self {
            Self::Disk | Self::BuiltIn(_) => {
                let mut seen: HashSet<PathBuf> = Path::new(name).canonicalize().into_iter().collect();
                paths.retain(|path| path.canonicalize().map_or(true, |whole| seen.insert(whole)));
            }
            Self::Commit(commit) => {
                let mut seen = HashSet::from([commit.whole(name)]);
                paths.retain(|path| seen.insert(commit.whole(&path.to_string_lossy())));
            }
        }
    }

    /// The files that a pattern of `include` matches; `None` where it is no pattern, which is told.
    fn matching(
        &self,
        word: Word<'_>,
        folder: &Path,
        faults: &mut Diagnostics,
    ) -> Result<Option<Vec<PathBuf>>, Failure> {
        let pattern = match glob::Pattern::new(word.text) {
            Ok(pattern) => pattern,
            Err(problem) => {
                let message = format!("`{}` is no pattern: {}", word.text, problem.msg);
                faults.at("include", word.span, message, "patterns know *, ** and ?");
                return Ok(None);
            }
        };
        match self {
            Self::Disk | Self::BuiltIn(_) => files::matching(&pattern, folder).map(Some),
            Self::Commit(commit) => commit.matching(&pattern, folder).map(Some),
        }
    }

    /// Reads the policy files that the choice or the model name, and the ones those extend. Built-in ones need no
    /// reading.
    pub fn policies(
        &self,
        chosen: Option<&str>,
        model: Option<(&Document<'_>, &str)>,
    ) -> Result<Vec<PolicyFile>, Failure> {
        // What is wanted, and the file that names it. Names are seen from the folder of the model, or from here.
        let mut wanted: Vec<(String, Option<String>)> = Vec::new();
        let base = model
            .filter(|_| chosen.is_none())
            .map_or_else(PathBuf::new, |(_, name)| folder_of(name));
        match (chosen, model) {
            (Some(chosen), _) => wanted.push((chosen.to_owned(), None)),
            (None, Some((document, name))) => {
                let mut ignored = Diagnostics::default();
                let named = editions(document, &mut ignored);
                let by = Some(name.to_owned());
                wanted.extend(named.iter().map(|edition| (edition.policy.text.to_owned(), by.clone())));
            }
            (None, None) => {}
        }
        let mut files: Vec<PolicyFile> = Vec::new();
        while let Some((reference, by)) = wanted.pop() {
            let known = builtin(&reference).is_some() || files.iter().any(|file| file.reference == reference);
            // What does not look like a path is a built-in policy's name with a slip in it; evaluation says so.
            let path_like = reference.contains(['/', '\\']) || Path::new(&reference).extension().is_some();
            if known || !path_like || files.len() >= MOST_POLICIES {
                continue;
            }
            let path = base.join(&reference);
            let text = self.read(&path.to_string_lossy()).map_err(|failure| match by {
                Some(by) => Failure {
                    message: format!("{} (a policy named in {by})", failure.message),
                    ..failure
                },
                None => failure,
            })?;
            let document = Document::parse(FileId(0), &text.content);
            if let Some(word) = extends(&document) {
                wanted.push((named_from(&reference, word.text), Some(text.name.clone())));
            }
            drop(document);
            files.push(PolicyFile { reference, text });
        }
        Ok(files)
    }
}

/// The folder of a model, from which its paths are taken; of one from standard input, the current folder.
pub fn folder_of(name: &str) -> PathBuf {
    match name {
        STANDARD_INPUT => PathBuf::new(),
        _ => Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default(),
    }
}
