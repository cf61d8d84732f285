//! Which model a command is about: a file, or one that comes with the program.

use crate::commands::Failure;
use crate::files;
use crate::store::Store;

/// A model embedded in the program.
#[derive(Debug)]
pub struct BuiltInModel {
    /// The name it is asked for by.
    pub name: &'static str,
    /// The name of its text in messages.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The models that come with the program.
pub const BUILT_IN: &[BuiltInModel] = &[BuiltInModel {
    name: "kubernetes",
    file: "built-in:kubernetes",
    text: include_str!("../../../examples/kubernetes/lifecycle.toml"),
}];

/// What was chosen on the command line.
#[derive(Debug, Clone, Copy)]
pub enum Chosen<'c> {
    /// A file; `None` for the nearest one above the current folder.
    File(Option<&'c str>),
    /// One of [`BUILT_IN`], by its name.
    BuiltIn(&'c str),
}

impl Chosen<'_> {
    /// The name of the model, and where it is read from.
    pub fn find(self) -> Result<(String, Store), Failure> {
        match self {
            Self::File(given) => Ok((files::model_path(given)?, Store::Disk)),
            Self::BuiltIn(name) => {
                let model = BUILT_IN.iter().find(|model| model.name == name);
                let model = model.ok_or_else(|| Failure::new(format!("there is no built-in model `{name}`")))?;
                Ok((model.file.to_owned(), Store::BuiltIn(model)))
            }
        }
    }

    /// The file that was named or found.
    ///
    /// # Errors
    ///
    /// If there is none: a built-in model cannot do `what`.
    pub fn file(self, what: &str) -> Result<String, Failure> {
        match self {
            Self::File(given) => files::model_path(given),
            Self::BuiltIn(name) => Err(Failure::new(format!("the built-in model `{name}` cannot {what}"))
                .help("name the file of a model of your own")),
        }
    }
}
