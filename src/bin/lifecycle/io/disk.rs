//! Files of the disk, read within bounds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// The largest file that is read, in bytes: a device may never end.
const LARGEST: u64 = 256 * 1024 * 1024;

const MOST_FILES: usize = 100_000;

const DEEPEST: usize = 64;

/// What some editors write before the text of a file.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

#[derive(Debug)]
pub struct FileText {
    /// As the user wrote it, or as it was found.
    pub name: String,
    /// Its content, without a byte order mark.
    pub content: String,
    /// Whether it began with a byte order mark.
    pub marked: bool,
}

/// Reads a file, or standard input for `-`.
pub fn read(name: &str) -> Result<FileText> {
    text(name, read_bytes(name, LARGEST)?)
}

/// Reads a file of at most so many bytes, or standard input for `-`.
pub fn read_at_most(name: &str, most: usize) -> Result<FileText> {
    let most = most as u64;
    let metadata = Path::new(name).metadata();
    if metadata.is_ok_and(|found| found.is_file() && found.len() > most) {
        return Err(too_large(name, most));
    }
    let bytes = read_bytes(name, most)?;
    if bytes.len() as u64 > most {
        return Err(too_large(name, most));
    }
    text(name, bytes)
}

fn too_large(name: &str, most: u64) -> Failure {
    Failure::new(format!("{name} is larger than {} MiB", most >> 20)).help("name smaller files, or a folder without it")
}

/// The bytes of a file, or of standard input for `-`: one more than `most` where there are more.
fn read_bytes(name: &str, most: u64) -> Result<Vec<u8>> {
    if is_folder(name) {
        return Err(Failure::new(format!("{name} is a folder")).help("name a file in it"));
    }
    let mut bytes = Vec::new();
    let read = if name == STANDARD_INPUT {
        std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes)
    } else {
        open(Path::new(name)).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
    };
    read.map_err(|problem| {
        let help = match problem.kind() {
            std::io::ErrorKind::NotFound => "check the path",
            std::io::ErrorKind::PermissionDenied => "check its permissions",
            _ => "check the file",
        };
        Failure::new(format!("cannot read {name}: {problem}")).help(help)
    })?;
    Ok(bytes)
}

#[derive(Debug, Default)]
pub struct FileList {
    pub files: Vec<String>,
    pub skipped: Vec<String>,
}

impl FileList {
    pub fn one(file: &str) -> Self {
        Self {
            files: vec![file.to_owned()],
            skipped: Vec::new(),
        }
    }
}

/// Whether a path is a folder. `-` is standard input.
pub fn is_folder(path: &str) -> bool {
    path != STANDARD_INPUT && Path::new(path).is_dir()
}

/// Whether a path exists and is no regular file, such as a pipe: it cannot be replaced by a new file.
pub fn is_stream(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// A file, standard input for `-`, or the files below a folder with one of these extensions.
pub fn list(path: &str, extensions: &[&str]) -> Result<FileList> {
    if is_folder(path) {
        below(path, extensions)
    } else {
        Ok(FileList::one(path))
    }
}

/// The files below a folder with one of these extensions. Links to folders are not followed, hidden folders are
/// skipped.
pub fn below(folder: &str, extensions: &[&str]) -> Result<FileList> {
    let root = Path::new(folder).canonicalize().ok();
    let mut folders = vec![(PathBuf::from(folder), 0)];
    let mut found = FileList::default();
    while let Some((folder, depth)) = folders.pop() {
        found.files.extend(in_folder(&folder.to_string_lossy(), extensions)?);
        if found.files.len() > MOST_FILES || depth > DEEPEST {
            let message = format!(
                "{}: more than {MOST_FILES} files, or folders more than {DEEPEST} deep",
                folder.display()
            );
            return Err(Failure::new(message).help("name the folders that have the files"));
        }
        let entries = folder.read_dir().into_iter().flatten().filter_map(Result::ok);
        for entry in entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')) {
            let path = entry.path();
            match entry.file_type() {
                Ok(sort) if sort.is_dir() => folders.push((path, depth + 1)),
                Ok(sort) if sort.is_symlink() => {
                    let reason = not_followed(&path, extensions, root.as_deref());
                    let skipped = reason.map(|reason| format!("{}: {reason}", path.display()));
                    found.skipped.extend(skipped);
                }
                _ => {}
            }
        }
    }
    found.files.sort();
    found.skipped.sort();
    Ok(found)
}

/// Why a link below a folder is skipped; `None` if its name is not one of those sought, or its target is read anyway.
fn not_followed(link: &Path, extensions: &[&str], root: Option<&Path>) -> Option<&'static str> {
    let Ok(target) = link.canonicalize() else {
        return may_be_sought(link, extensions).then_some(BROKEN_LINK);
    };
    let is_read = root
        .and_then(|root| target.strip_prefix(root).ok())
        .is_some_and(is_shown);
    (target.is_dir() && !is_read).then_some(LINK_TO_FOLDER)
}

pub const BROKEN_LINK: &str = "broken link";

pub const LINK_TO_FOLDER: &str = "link to a folder, not followed; name that folder too to include it";

/// Whether a link of such a name may stand for a file with one of these extensions, or for a folder.
pub fn may_be_sought(link: &Path, extensions: &[&str]) -> bool {
    link.extension().is_none() || has_extension(link, extensions)
}

/// Whether a path ends in one of these extensions, in either case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extensions.contains(&extension.to_ascii_lowercase().as_str())
}

/// Whether no part of a path is hidden.
pub fn is_shown(path: &Path) -> bool {
    !path.iter().any(|part| part.to_string_lossy().starts_with('.'))
}

pub fn text(name: &str, bytes: Vec<u8>) -> Result<FileText> {
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{name} is larger than {} MiB", LARGEST >> 20))
            .help("give a smaller file; a model can be spread over files with `include`"));
    }
    let text = String::from_utf8(bytes).map_err(|problem| not_utf8(name, &problem))?;
    let (content, marked) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (rest.to_owned(), true),
        None => (text, false),
    };
    Ok(FileText {
        name: name.to_owned(),
        content,
        marked,
    })
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads files")]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

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

/// The files in a folder itself with one of these extensions, in the order of their names.
pub fn in_folder(folder: &str, extensions: &[&str]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let entries = Path::new(folder)
        .read_dir()
        .map_err(|problem| no_folder(folder, &problem))?;
    for entry in entries {
        let path = entry.map_err(|problem| no_folder(folder, &problem))?.path();
        // No template can be named by what is not UTF-8.
        if let Some(name) = path.to_str()
            && path.is_file()
            && has_extension(&path, extensions)
        {
            found.push(name.to_owned());
        }
    }
    found.sort();
    Ok(found)
}

fn no_folder(folder: &str, problem: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {folder}: {problem}")).help("name an existing folder")
}

pub fn matching(pattern: &glob::Pattern, folder: &Path) -> Result<Vec<PathBuf>> {
    let whole = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern.as_str());
    let found = glob::glob(&whole.to_string_lossy())
        .map_err(|problem| Failure::new(format!("`{}` is no pattern: {}", whole.display(), problem.msg)))?;
    let mut paths = Vec::new();
    for path in found {
        let path = path.map_err(|problem| {
            let place = problem.path().display();
            Failure::new(format!("cannot read {place}: {}", problem.error())).help("check its permissions")
        })?;
        if path.is_file() {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// A file's name as seen from the root of the repository.
pub fn from_repository_root(name: &str) -> String {
    let Ok(here) = std::env::current_dir() else {
        return joined("", name);
    };
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    let folder = root.and_then(|root| here.strip_prefix(root).ok());
    let folder = folder.map_or_else(String::new, |folder| folder.to_string_lossy().replace('\\', "/"));
    joined(&folder, name)
}

/// A name as seen from above a folder: `../lifecycle.toml` of `apis/widgets` is `apis/lifecycle.toml`.
fn joined(folder: &str, name: &str) -> String {
    if name.starts_with('/') || name == STANDARD_INPUT {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split(is_separator)) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_separator(letter: char) -> bool {
    letter == '/' || (cfg!(windows) && letter == '\\')
}

/// The one path of a file, links followed; the file need not exist yet.
pub fn real_path(path: &str) -> PathBuf {
    let path = Path::new(path);
    let found = path.canonicalize().ok().or_else(|| path_of_new(path));
    found.unwrap_or_else(|| path.to_path_buf())
}

fn path_of_new(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// The folder that paths in a file are relative to; of standard input, the current folder.
pub fn folder_of(name: &str) -> PathBuf {
    match name {
        STANDARD_INPUT => PathBuf::new(),
        _ => Path::new(name).parent().map(Path::to_path_buf).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_from_the_root_of_the_repository() {
        assert_eq!(joined("apis/widgets", "../lifecycle.toml"), "apis/lifecycle.toml");
        assert_eq!(joined("", "./a//b.toml"), "a/b.toml");
        assert_eq!(joined("", "../b.toml"), "../b.toml");
        assert_eq!(joined("a", "/b.toml"), "/b.toml");
    }
}
