//! What if: changes of a model, made to its texts before anything is written.
//!
//! A change is an edit of the files, whatever asks for it: a declaration, a slipped release, another calendar or
//! policy, an element more or less, a patch. The edited texts are evaluated as any model is, so that what a change
//! shows is what the edited files give; there is no second plan. Changes are made in this order: patches, elements
//! dropped, elements added, the calendar, slips, the policy, declarations.

mod conflicts;
mod days;
mod declaration;
mod elements;

use std::collections::{BTreeMap, BTreeSet};

use crate::document::Document;
use crate::evaluate::{Evaluation, Extent, Keys, Loaded};
use crate::import::Value;
use crate::import::update::rewrite::Rewrite;
use crate::model::{ElementId, Model};
use crate::source::FileId;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Declarations: `autoscaling/v2beta1.deprecated=1.23`; nothing after `=` deletes one.
    pub declarations: Vec<String>,
    /// Releases that move: `1.38=+3w`.
    pub slips: Vec<String>,
    /// Whether releases after those that slip keep their days.
    pub only: bool,
    /// Another calendar: the name and the text of a list of releases and dates.
    pub calendar: Option<(String, String)>,
    /// Another policy, by its name or its path from the folder of the model.
    pub policy: Option<String>,
    /// Elements to add: `gate Frobber2D@1.38`.
    pub added: Vec<String>,
    /// Elements to drop.
    pub dropped: Vec<String>,
    /// Model files laid over the model: names and texts.
    pub patches: Vec<(String, String)>,
}

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unchangeable {
    /// The reason.
    pub message: String,
    /// The next step.
    pub help: String,
}

/// The texts of a changed model.
#[derive(Debug)]
pub struct Edited {
    /// In the order of the documents.
    pub texts: Vec<String>,
    /// What the changes may reach.
    pub extent: Extent,
}

impl Unchangeable {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

impl Changes {
    /// Each change, as the user asked for it.
    pub fn words(&self) -> Vec<String> {
        let patches = self.patches.iter().map(|(name, _)| format!("patch {name}"));
        let dropped = self.dropped.iter().map(|element| format!("drop {element}"));
        let added = self.added.iter().map(|element| format!("add {element}"));
        let calendar = self.calendar.iter().map(|(name, _)| format!("calendar {name}"));
        let only = if self.only { " (only)" } else { "" };
        let slips = self.slips.iter().map(|slip| format!("slip {slip}{only}"));
        let policy = self.policy.iter().map(|policy| format!("policy {policy}"));
        let declarations = self.declarations.iter().map(|declaration| format!("set {declaration}"));
        let all = patches.chain(dropped).chain(added).chain(calendar);
        all.chain(slips).chain(policy).chain(declarations).collect()
    }

    /// The texts of a model with the changes. `base` is the model as it is, read from these documents, the main one
    /// first.
    ///
    /// # Errors
    ///
    /// If a change does not fit the model, or the way its files are written.
    pub fn apply(&self, base: &Evaluation, documents: &[Document<'_>]) -> Result<Vec<String>, Unchangeable> {
        let edited = self.edited(
            (base.model(), &|element| base.reasoning().ever_begins(element)),
            documents,
        );
        edited.map(|edited| edited.texts)
    }

    /// The same for a model that is read and not evaluated, with what the changes may reach.
    ///
    /// # Errors
    ///
    /// If a change does not fit the model, or the way its files are written.
    pub fn edit(&self, base: &Loaded, documents: &[Document<'_>]) -> Result<Edited, Unchangeable> {
        self.edited((base.model(), &|element| base.ever_begins(element)), documents)
    }

    fn edited(&self, (base, begins): (&Model, Begins<'_>), documents: &[Document<'_>]) -> Result<Edited, Unchangeable> {
        self.check_conflicts()?;
        let mut changed = Changed {
            base,
            begins,
            documents,
            rewrite: Rewrite::default(),
            inherited: BTreeMap::new(),
        };
        for (name, text) in &self.patches {
            changed.patch(name, text)?;
        }
        for element in &self.dropped {
            changed.dropped(element)?;
        }
        for element in &self.added {
            changed.added(element)?;
        }
        changed.days(self)?;
        if let Some(policy) = &self.policy {
            changed
                .rewrite
                .set(vec!["policy".to_owned()], Value::Text(policy.clone()));
        }
        for declaration in &self.declarations {
            changed.declare(declaration)?;
        }
        let rewritten = changed.rewrite.apply(documents);
        let texts = rewritten
            .map_err(|problem| Unchangeable::new(problem.0, "edit the file, and compare with `check --base`"))?;
        Ok(Edited {
            texts,
            extent: extent(&changed.rewrite),
        })
    }
}

/// What some edits may reach: of a model, the portion around what they declare.
fn extent(rewrite: &Rewrite) -> Extent {
    let Some(places) = rewrite.places() else {
        return Extent::Whole;
    };
    let places: Vec<&[String]> = places.map(|place| place.path.as_slice()).collect();
    if !places.is_empty() && places.iter().all(|path| is_release(path)) {
        return Extent::Days;
    }
    let keys = places.into_iter().map(|path| match path {
        [section, name, ..] => Some([section.clone(), name.clone()]),
        _ => None,
    });
    let keys: Option<BTreeSet<_>> = keys.collect();
    keys.map_or(Extent::Whole, |keys| Extent::Around(Keys(keys)))
}

/// Whether keys lead to the entry of a release.
fn is_release(path: &[String]) -> bool {
    matches!(path, [calendar, releases, _, ..] if calendar == "calendar" && releases == "releases")
}

/// Whether an element ever begins: what it is part of may end before that by the plan.
type Begins<'b> = &'b dyn Fn(ElementId) -> bool;

/// A model with the changes made so far.
struct Changed<'c> {
    base: &'c Model,
    begins: Begins<'c>,
    documents: &'c [Document<'c>],
    rewrite: Rewrite,
    /// The entries that get lives of their own, because what changes is of the last one of those that they inherit.
    inherited: BTreeMap<Vec<String>, Inherited>,
}

/// The lives of an entry: how many come before the last one, and what changes of that.
struct Inherited {
    earlier: usize,
    last: Vec<(String, Value)>,
}

impl Changed<'_> {
    fn patch(&mut self, name: &str, text: &str) -> Result<(), Unchangeable> {
        let document = Document::parse(FileId(0), text);
        if let Some(error) = document.syntax_errors().first() {
            let message = format!("{name}: {}", error.message);
            return Err(Unchangeable::new(
                message,
                "a patch is TOML with the keys of a model file",
            ));
        }
        let files = ["include", "schemas"];
        if let Some(key) = files.into_iter().find(|key| document.root().get(key).is_some()) {
            let message = format!("{name}: `{key}` names files, which a change is not tried with");
            return Err(Unchangeable::new(
                message,
                "edit the file, and compare with `check --base`",
            ));
        }
        self.rewrite.lay(&document);
        Ok(())
    }
}
