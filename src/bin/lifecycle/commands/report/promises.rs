//! The promises of earlier states: the model at tags or revisions.

use lifecycle::evaluate::Promise;

use crate::args::{ModelChoice, PolicyOptions, Record};
use crate::failure::{Failure, Result};
use crate::io::disk::{Disk, STANDARD_INPUT, folder_of};
use crate::io::tags::Tags;
use crate::io::tree::FileTree;
use crate::io::tree_path::TreePath;
use crate::model_files::{self, LoadedModel, Side};
use crate::summary::counted;
use crate::terminal::Terminal;

/// The promises of each earlier state that has the model, oldest first, with the name of the state.
pub(super) fn earlier(arguments: &Record, disk: &Disk, terminal: &mut Terminal) -> Result<Vec<(String, Vec<Promise>)>> {
    let (model, tree) = model_files::find(arguments.model.choice(), disk)?;
    let is_builtin = matches!(arguments.model.choice(), ModelChoice::BuiltIn(_));
    if is_builtin || model == STANDARD_INPUT || !matches!(tree, FileTree::Disk(_)) {
        let error = Failure::new("--promises: the model has no history: it is no file of a Git repository");
        return Err(error.help("name the file of a model in a Git repository"));
    }
    let revisions = revisions(arguments, &model, terminal)?;
    // Each state knows best what had shipped in it.
    let options = PolicyOptions {
        as_of: None,
        ..arguments.model.policy.clone()
    };
    let (mut states, mut without, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    for (name, revision) in revisions {
        let TreePath { tree, path, .. } = TreePath::compared_with(&revision, &model, None, disk)?;
        if !tree.has(&path) {
            without.push(name);
            continue;
        }
        match state(&path, &tree, &options)? {
            Ok(promises) => states.push((name, promises)),
            Err(reason) => unreadable.push(format!("{name}: {reason}")),
        }
    }
    if let [first, ..] = without.as_slice() {
        terminal.note(&format!(
            "{model} is not in {} of the states, such as {first}",
            without.len()
        ));
    }
    terminal.warn_some("warning: skipped ", &unreadable);
    Ok(states)
}

/// What is read: the name of each state, and its revision.
fn revisions(arguments: &Record, model: &str, terminal: &mut Terminal) -> Result<Vec<(String, String)>> {
    if !arguments.at.is_empty() {
        return Ok(arguments.at.iter().map(|rev| (rev.clone(), rev.clone())).collect());
    }
    let folder = folder_of(model);
    let folder = if folder.as_os_str().is_empty() {
        ".".into()
    } else {
        folder
    };
    let tags = Tags::of(&folder.to_string_lossy(), &arguments.tags)?;
    if let Some(ignored) = tags.ignored() {
        terminal.note(&ignored);
    }
    terminal.warn_some("warning: skipped ", &tags.skipped);
    let releases = tags.releases.iter();
    Ok(releases
        .map(|tag| (tag.name.clone(), format!("refs/tags/{}", tag.name)))
        .collect())
}

/// The promises of a state, or why its model cannot be used.
fn state(path: &str, tree: &FileTree, options: &PolicyOptions) -> Result<Result<Vec<Promise>, String>> {
    let loaded = match LoadedModel::read(path, tree, options, Side::Base) {
        Err(failure) if failure.in_commit => return Ok(Err(failure.message)),
        loaded => loaded?,
    };
    Ok(match loaded.evaluated {
        Ok(evaluation) => Ok(evaluation.promises_made()),
        Err(errors) => {
            let first = errors.first().map(|error| error.message.clone()).unwrap_or_default();
            Err(format!("{} in its files: {first}", counted(errors.len(), "error")))
        }
    })
}
