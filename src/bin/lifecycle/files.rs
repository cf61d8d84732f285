//! Files: which ones to read, and reading them within bounds.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use lifecycle::document::{Document, Faults};
use lifecycle::policy::{builtin, editions, extends, named_from};
use lifecycle::source::FileId;

use crate::commands::Failure;

/// The name of a model where none is given.
const DEFAULT_MODEL: &str = "lifecycle.toml";

/// No file that people write is larger; a device that never ends is.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Policies one run reads at most: files that extend one another through their folders would never end.
const MOST_POLICIES: usize = 100;

/// Files one run reads at most.
const MOST_FILES: usize = 10_000;

/// A file that was read.
#[derive(Debug)]
pub struct Text {
    /// As the user named it, or as it was found.
    pub name: String,
    /// Its content, without a byte order mark.
    pub text: String,
}

/// Which model to read: the one given, or the nearest above the current folder, up to the root of a repository.
pub fn model_path(given: Option<&str>) -> Result<String, Failure> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let start = std::env::current_dir().map_err(|problem| Failure::new(format!("no current folder: {problem}")))?;
    let mut steps = String::new();
    for folder in start.ancestors() {
        if folder.join(DEFAULT_MODEL).is_file() {
            return Ok(format!("{steps}{DEFAULT_MODEL}"));
        }
        if folder.join(".git").exists() {
            break;
        }
        steps.push_str("../");
    }
    Err(Failure::new(format!("no {DEFAULT_MODEL} here or above"))
        .help("name the model, or begin one: `lifecycle explain model` shows how"))
}

/// Reads a file, or standard input for `-`.
pub fn read(name: &str) -> Result<Text, Failure> {
    let path = Path::new(name);
    let mut bytes = Vec::new();
    let read = if name == "-" {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        if path.is_dir() {
            return Err(Failure::new(format!("{name} is a folder")).help("name a file in it"));
        }
        open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
    };
    read.map_err(|problem| {
        let help = match problem.kind() {
            std::io::ErrorKind::NotFound => "check the path",
            std::io::ErrorKind::PermissionDenied => "check who may read it",
            _ => "check the file",
        };
        Failure::new(format!("cannot read {name}: {problem}")).help(help)
    })?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{name} is larger than {} MiB", LARGEST >> 20))
            .help("spread the model over files with `include`"));
    }
    let text = String::from_utf8(bytes).map_err(|problem| not_utf8(name, &problem))?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Ok(Text {
        name: name.to_owned(),
        text,
    })
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads files")]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

fn not_utf8(name: &str, problem: &std::string::FromUtf8Error) -> Failure {
    let good = problem.utf8_error().valid_up_to();
    let before = &problem.as_bytes()[..good];
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Failure::new(format!("{name}:{line}:{column}: not UTF-8")).help("save the file in UTF-8")
}

/// Reads the files a model includes, in the order of their names.
pub fn read_includes(model: &Document<'_>, name: &str, faults: &mut Faults) -> Result<Vec<Text>, Failure> {
    let folder = folder_of(name);
    let mut paths: Vec<PathBuf> = Vec::new();
    for word in model.includes() {
        let pattern = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(word.text);
        match glob::glob(&pattern.to_string_lossy()) {
            Ok(found) => {
                let before = paths.len();
                for path in found {
                    let path = path.map_err(|problem| {
                        let place = problem.path().display();
                        Failure::new(format!("cannot read {place}: {}", problem.error())).help("check who may read it")
                    })?;
                    if path.is_file() {
                        paths.push(path);
                    }
                }
                if paths.len() == before {
                    let help = "paths are taken from the folder of the file that includes them";
                    faults.at("include", word.span, format!("no file matches `{}`", word.text), help);
                }
            }
            Err(problem) => {
                let message = format!("`{}` is no pattern: {}", word.text, problem.msg);
                faults.at("include", word.span, message, "patterns know *, ** and ?");
            }
        }
    }
    if paths.len() > MOST_FILES {
        return Err(Failure::new(format!("{name} includes more than {MOST_FILES} files")));
    }
    paths.sort();
    // A file may be reached by several ways, by links even by endlessly many: each is read once.
    let mut seen: HashSet<PathBuf> = Path::new(name).canonicalize().into_iter().collect();
    paths.retain(|path| path.canonicalize().map_or(true, |whole| seen.insert(whole)));
    paths.iter().map(|path| read(&path.to_string_lossy())).collect()
}

fn folder_of(name: &str) -> PathBuf {
    match name {
        "-" => PathBuf::new(),
        _ => Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default(),
    }
}

/// A policy file, by the name that refers to it.
#[derive(Debug)]
pub struct PolicyFile {
    /// The name in the model, or in the policy that extends it.
    pub reference: String,
    /// The file.
    pub text: Text,
}

/// Reads the policy files that the choice or the model name, and the ones those extend. Built-in ones need no reading.
pub fn read_policies(chosen: Option<&str>, model: Option<(&Document<'_>, &str)>) -> Result<Vec<PolicyFile>, Failure> {
    // What is wanted, and the file that names it. Names are seen from the folder of the model, or from here.
    let mut wanted: Vec<(String, Option<String>)> = Vec::new();
    let base = model
        .filter(|_| chosen.is_none())
        .map_or_else(PathBuf::new, |(_, name)| folder_of(name));
    match (chosen, model) {
        (Some(chosen), _) => wanted.push((chosen.to_owned(), None)),
        (None, Some((document, name))) => {
            let mut ignored = Faults::default();
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
        let text = read(&path.to_string_lossy()).map_err(|failure| match by {
            Some(by) => Failure {
                message: format!("{} (a policy named in {by})", failure.message),
                ..failure
            },
            None => failure,
        })?;
        let document = Document::parse(FileId(0), &text.text);
        if let Some(word) = extends(&document) {
            wanted.push((named_from(&reference, word.text), Some(text.name.clone())));
        }
        drop(document);
        files.push(PolicyFile { reference, text });
    }
    Ok(files)
}
