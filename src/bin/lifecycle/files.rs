//! Files: which ones to read, and reading them within bounds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::commands::Failure;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// The name of a model where none is given.
const DEFAULT_MODEL: &str = "lifecycle.toml";

/// No file that people write is larger; a device that never ends is.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Files below one folder that are looked at.
const MOST_BELOW: usize = 100_000;

/// Folders are followed at most so deep.
const DEEPEST: usize = 64;

/// What some editors put at the head of a text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file that was read.
#[derive(Debug)]
pub struct Text {
    /// As the user named it, or as it was found.
    pub name: String,
    /// Its content, without a byte order mark.
    pub content: String,
    /// Whether it began with a byte order mark.
    pub marked: bool,
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
    let read = if name == STANDARD_INPUT {
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
    text(name, bytes)
}

/// Reads a file that is not to have more than so many bytes; standard input for `-`.
pub fn read_at_most(name: &str, most: usize) -> Result<Text, Failure> {
    let most = most as u64;
    let too_large = || {
        Failure::new(format!("{name} is larger than {} MiB", most >> 20))
            .help("name smaller files, or folders without it")
    };
    let mut bytes = Vec::new();
    let mut read = || {
        if name == STANDARD_INPUT {
            return std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
        }
        open(Path::new(name))?.take(most + 1).read_to_end(&mut bytes)
    };
    if Path::new(name)
        .metadata()
        .is_ok_and(|found| found.is_file() && found.len() > most)
    {
        return Err(too_large());
    }
    read().map_err(|problem| {
        Failure::new(format!("cannot read {name}: {problem}")).help("check the path, and who may read it")
    })?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    text(name, bytes)
}

/// What a folder comes to.
#[derive(Debug, Default)]
pub struct Below {
    /// The files, in the order of their names.
    pub files: Vec<String>,
    /// What was passed over, and why.
    pub skipped: Vec<String>,
}

impl Below {
    /// A file that was named by itself.
    pub fn one(file: &str) -> Self {
        Self {
            files: vec![file.to_owned()],
            skipped: Vec::new(),
        }
    }
}

/// The files below a folder with one of these endings. Links to folders are not followed, hidden folders are left out.
pub fn below(folder: &str, endings: &[&str]) -> Result<Below, Failure> {
    let root = Path::new(folder).canonicalize().ok();
    let mut folders = vec![(PathBuf::from(folder), 0)];
    let mut found = Below::default();
    while let Some((folder, depth)) = folders.pop() {
        found.files.extend(in_folder(&folder.to_string_lossy(), endings)?);
        if found.files.len() > MOST_BELOW || depth > DEEPEST {
            let message = format!(
                "{}: more than {MOST_BELOW} files, or folders more than {DEEPEST} deep",
                folder.display()
            );
            return Err(Failure::new(message).help("name the folders that count"));
        }
        let entries = folder.read_dir().into_iter().flatten().filter_map(Result::ok);
        for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            let path = entry.path();
            match entry.file_type() {
                Ok(sort) if sort.is_dir() => folders.push((path, depth + 1)),
                Ok(sort) if sort.is_symlink() => {
                    let reason = not_followed(&path, endings, root.as_deref());
                    let told = reason.map(|reason| format!("{}: {reason}", path.display()));
                    found.skipped.extend(told);
                }
                _ => {}
            }
        }
    }
    found.files.sort();
    found.skipped.sort();
    Ok(found)
}

/// Why a link below a folder is passed over; `None` if it is none that counts, or leads to what is read anyway.
fn not_followed(link: &Path, endings: &[&str], root: Option<&Path>) -> Option<&'static str> {
    let Ok(whole) = link.canonicalize() else {
        return may_count(link, endings).then_some(LEADS_NOWHERE);
    };
    let is_read = root
        .and_then(|root| whole.strip_prefix(root).ok())
        .is_some_and(is_shown);
    (whole.is_dir() && !is_read).then_some(TO_A_FOLDER)
}

/// Of a link that has no target.
pub const LEADS_NOWHERE: &str = "a link that leads nowhere";

/// Of a link to a folder.
pub const TO_A_FOLDER: &str = "a link to a folder, which is not followed; name that folder too if it counts";

/// Whether a link of such a name may stand for what is looked for: a file with one of these endings, or a folder.
pub fn may_count(link: &Path, endings: &[&str]) -> bool {
    link.extension()
        .is_none_or(|ending| endings.contains(&ending.to_string_lossy().to_ascii_lowercase().as_str()))
}

/// Whether no step of a path is hidden.
pub fn is_shown(path: &Path) -> bool {
    !path.iter().any(|step| step.to_string_lossy().starts_with('.'))
}

/// The content of a file as text, within bounds.
pub fn text(name: &str, bytes: Vec<u8>) -> Result<Text, Failure> {
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{name} is larger than {} MiB", LARGEST >> 20))
            .help("give a smaller file; a model can be spread over files with `include`"));
    }
    let text = String::from_utf8(bytes).map_err(|problem| not_utf8(name, &problem))?;
    let (content, marked) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (rest.to_owned(), true),
        None => (text, false),
    };
    Ok(Text {
        name: name.to_owned(),
        content,
        marked,
    })
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads files")]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// How files begin that gzip made (RFC 1952).
const GZIP: &[u8] = &[0x1f, 0x8b];

fn not_utf8(name: &str, problem: &std::string::FromUtf8Error) -> Failure {
    if problem.as_bytes().starts_with(GZIP) {
        return Failure::new(format!("{name}:1:1: compressed with gzip")).help("unpack it first (`gunzip`)");
    }
    let good = problem.utf8_error().valid_up_to();
    let before = &problem.as_bytes()[..good];
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Failure::new(format!("{name}:{line}:{column}: not UTF-8")).help("save the file in UTF-8")
}

/// The files in a folder, not below it, with one of these endings, in the order of their names.
pub fn in_folder(folder: &str, endings: &[&str]) -> Result<Vec<String>, Failure> {
    let failed = |problem: std::io::Error| {
        Failure::new(format!("cannot read {folder}: {problem}")).help("name a folder that is there")
    };
    let mut found = Vec::new();
    for entry in Path::new(folder).read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        // A name that is no text cannot be one that a template is asked for by.
        let name = path
            .to_str()
            .filter(|_| path.is_file() && endings.contains(&ending.as_str()));
        found.extend(name.map(str::to_owned));
    }
    found.sort();
    Ok(found)
}

/// The files that a pattern matches below a folder.
pub fn matching(pattern: &glob::Pattern, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let whole = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern.as_str());
    let found = glob::glob(&whole.to_string_lossy())
        .map_err(|problem| Failure::new(format!("`{}` is no pattern: {}", whole.display(), problem.msg)))?;
    let mut paths = Vec::new();
    for path in found {
        let path = path.map_err(|problem| {
            let place = problem.path().display();
            Failure::new(format!("cannot read {place}: {}", problem.error())).help("check who may read it")
        })?;
        if path.is_file() {
            paths.push(path);
        }
    }
    Ok(paths)
}
