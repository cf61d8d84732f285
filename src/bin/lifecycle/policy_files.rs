//! The policy files that a model, another policy or the command line names.

use std::path::Path;

use lifecycle::diagnostic::Diagnostic;
use lifecycle::evaluate::{Load, unknown_policy};
use lifecycle::policy::{Law, builtin, editions, extends, named_from};
use lifecycle::{Diagnostics, Document};
use lifecycle::{FileId, Sources};

use crate::args::PolicyOptions;
use crate::failure::{Failure, Result};
use crate::io::bounds::{real_path, relative};
use crate::io::disk::{Disk, FileText, folder_of};
use crate::io::tree::{FileTree, Reach};

/// The most policy files of one run: files that extend one another through their folders would never end.
const MOST_POLICIES: usize = 100;

/// A policy file, and the name that refers to it.
#[derive(Debug, Clone)]
pub struct PolicyFile {
    /// The name in the model, in the policy that extends it, or on the command line.
    pub reference: String,
    pub text: FileText,
}

/// Reads the policy file `chosen` on the command line, and the ones it extends. A built-in policy has no file.
pub fn read_chosen(chosen: Option<&str>, disk: &Disk) -> Result<Vec<PolicyFile>> {
    read_chosen_in(&FileTree::Disk(disk.clone()), chosen)
}

fn read_chosen_in(tree: &FileTree, chosen: Option<&str>) -> Result<Vec<PolicyFile>> {
    let mut files = Vec::new();
    if let Some(chosen) = chosen.filter(|chosen| is_file(chosen)) {
        let text = tree.read_typed(chosen)?;
        let wanted = files_extended(chosen, &text);
        files.push(PolicyFile {
            reference: chosen.to_owned(),
            text,
        });
        read_all(&tree.within(chosen), Path::new(""), wanted, &mut files)?;
    }
    Ok(files)
}

/// Reads the policy files that a model names, or the one `chosen` instead, and the ones they extend.
pub fn read_for_model(
    tree: &FileTree,
    model: &Document<'_>,
    name: &str,
    chosen: Option<&str>,
) -> Result<Vec<PolicyFile>> {
    if chosen.is_some() {
        return read_chosen_in(tree, chosen);
    }
    let named = editions(model, &mut Diagnostics::default());
    let wanted = named
        .iter()
        .map(|edition| (edition.policy.text.to_owned(), name.to_owned()));
    let mut files = Vec::new();
    read_all(&tree.within(name), &folder_of(name), wanted.collect(), &mut files)?;
    Ok(files)
}

/// A policy as a model names it: a file by its path from the folder of the model.
pub fn named_in(model: &str, typed: &str) -> String {
    let folder = real_path(&Path::new(".").join(folder_of(model)));
    let file = real_path(Path::new(typed)).filter(|_| is_file(typed));
    let path = folder.zip(file).and_then(|(folder, file)| relative(&folder, &file));
    path.map_or_else(|| typed.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// Refuses a policy that a model in a folder cannot name: it comes with the program, or is a file that exists.
pub fn ensure_found(reference: &str, folder: &Path) -> Result<()> {
    if is_file(reference) && !folder.join(reference).exists() {
        let error = Failure::new(format!("cannot read {reference}: there is no such file"));
        return Err(error.help("write the policy first, or name one that `lifecycle policies` lists"));
    }
    if is_file(reference) || builtin(reference).is_some() {
        return Ok(());
    }
    let unknown = unknown_policy(reference);
    Err(Failure::from_diagnostics(&[unknown], &Sources::new()))
}

/// Whether a policy is a file. A name that does not look like a path is a mistyped built-in policy, which the
/// evaluation reports.
pub fn is_file(reference: &str) -> bool {
    let is_path = reference.contains(['/', '\\']) || Path::new(reference).extension().is_some();
    is_path && builtin(reference).is_none()
}

/// A policy by its name, and the file that names it.
type Wanted = (String, String);

/// Reads policies by names relative to a folder.
fn read_all(reach: &Reach<'_>, folder: &Path, mut wanted: Vec<Wanted>, files: &mut Vec<PolicyFile>) -> Result<()> {
    while let Some((reference, by)) = wanted.pop() {
        let known = files.iter().any(|file| file.reference == reference);
        if known || !is_file(&reference) || files.len() >= MOST_POLICIES {
            continue;
        }
        let path = folder.join(&reference);
        let text = reach.read(&path.to_string_lossy()).map_err(|failure| Failure {
            message: format!("{} (a policy named in {by})", failure.message),
            ..failure
        })?;
        wanted.extend(files_extended(&reference, &text));
        files.push(PolicyFile { reference, text });
    }
    Ok(())
}

fn files_extended(reference: &str, text: &FileText) -> Vec<Wanted> {
    let document = Document::parse(FileId(0), &text.content);
    let extended = extends(&document).map(|word| (named_from(reference, word.text), text.name.clone()));
    extended.into_iter().collect()
}

/// The law that the command line chooses, without a model. Adds the policy files to the sources.
pub fn law_without_model<'f>(
    files: &'f [PolicyFile],
    options: &PolicyOptions,
    sources: &mut Sources<'f>,
) -> Result<Law, Vec<Diagnostic>> {
    let mut load = load(files, sources);
    options.apply_to(&mut load);
    load.law_alone()
}

fn load<'f>(files: &'f [PolicyFile], sources: &mut Sources<'f>) -> Load<'f> {
    let mut load = Load::new(&[]);
    for file in files {
        let id = sources.add(&file.text.name, &file.text.content);
        load.add_policy(&file.reference, Document::parse(id, &file.text.content));
    }
    load
}
