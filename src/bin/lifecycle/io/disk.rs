//! Files of the disk, read within bounds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

use super::bounds::{Bounds, Refusal, real_path, refuse_planted_links, repository_around};
use super::ignored::Ignored;
use super::listing::{FileList, below, in_folder};

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// The largest file that is read, in bytes: a device may never end.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Paths of the program's own streams: a file renamed to one would replace what it is redirected to.
const STREAMS: [&str; 4] = ["/dev/std", "/dev/fd/", "/proc/self/", "/proc/thread-self/"];

/// The device that tools name for a file that does not exist.
const EMPTY: &str = "/dev/null";

/// What some editors write before the text of a file.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

#[derive(Debug, Clone)]
pub struct FileText {
    /// As the user wrote it, or as it was found.
    pub name: String,
    /// Its content, without a byte order mark.
    pub content: String,
    /// Whether it began with a byte order mark.
    pub marked: bool,
}

/// The disk, with the folders that the command line allows.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    /// Their real paths.
    allowed: Vec<PathBuf>,
}

impl Disk {
    /// The disk with the folders of `--allow-folder`.
    pub fn allowing(folders: &[String]) -> Result<Self> {
        let allowed = folders.iter().map(|folder| {
            let real = real_path(Path::new(folder)).filter(|real| real.is_dir());
            real.ok_or_else(|| {
                Failure::new(format!("--allow-folder {folder}: there is no such folder"))
                    .help("name an existing folder")
            })
        });
        Ok(Self {
            allowed: allowed.collect::<Result<_>>()?,
        })
    }

    /// Reads a file that a user typed, or standard input for `-`.
    pub fn read(&self, typed: &str) -> Result<FileText> {
        self.refuse_planted_links(typed)?;
        text(typed, read_bytes(typed, LARGEST)?)
    }

    /// Reads a file that a user typed, of at most so many bytes, or standard input for `-`.
    pub fn read_at_most(&self, typed: &str, most: usize) -> Result<FileText> {
        self.refuse_planted_links(typed)?;
        read_found(typed, most)
    }

    /// A file of any length that a user typed, or standard input for `-`, and its length if that is known.
    pub fn stream(&self, typed: &str) -> Result<(Box<dyn Read>, Option<u64>)> {
        self.refuse_planted_links(typed)?;
        if typed == STANDARD_INPUT {
            return Ok((Box::new(std::io::stdin().lock()), None));
        }
        let path = Path::new(typed);
        if path.is_dir() {
            return Err(Failure::new(format!("{typed} is a folder")).help("name the files in it"));
        }
        let file = open(typed, path)?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file);
        let length = length.map(|found| found.len());
        Ok((Box::new(file), length))
    }

    /// Reads a model or a baseline that a user typed or the program found. Even without a repository, a link does not
    /// lead out of its folder.
    pub fn read_main(&self, name: &str) -> Result<FileText> {
        let path = Path::new(name);
        if path.is_symlink() && !is_own_stream(name) {
            self.within(name).find(path).map_err(Failure::from)?;
        }
        self.read(name)
    }

    /// A file that a user typed, `-`, or the files below a folder with one of these extensions.
    pub fn list(&self, typed: &str, extensions: &[&str]) -> Result<FileList> {
        self.refuse_planted_links(typed)?;
        if is_folder(typed) {
            return below(typed, extensions, &Bounds::of_folder(typed, &self.allowed), |_, _| {
                false
            });
        }
        Ok(FileList::one(typed))
    }

    /// The same, without what files named `.gitignore` exclude from the repository.
    pub fn list_unignored(&self, typed: &str, extensions: &[&str]) -> Result<FileList> {
        self.refuse_planted_links(typed)?;
        if !is_folder(typed) {
            return Ok(FileList::one(typed));
        }
        let mut ignored = Ignored::around(typed, read_patterns);
        let bounds = Bounds::of_folder(typed, &self.allowed);
        let mut list = below(typed, extensions, &bounds, |path, is_folder| {
            ignored.has(path, is_folder)
        })?;
        list.skipped.extend(ignored.unreadable);
        Ok(list)
    }

    /// The files with one of these extensions in a folder that a user typed, but not below it.
    pub fn in_folder(&self, typed: &str, extensions: &[&str]) -> Result<FileList> {
        self.refuse_planted_links(typed)?;
        in_folder(typed, extensions, &Bounds::of_folder(typed, &self.allowed))
    }

    /// What a file may name.
    pub fn within(&self, file: &str) -> Bounds {
        Bounds::of_file(file, &folder_of(file), &self.allowed)
    }

    /// What a file in a folder may name.
    pub fn within_folder(&self, folder: &Path) -> Bounds {
        Bounds::of_folder(&folder.to_string_lossy(), &self.allowed)
    }

    /// The folders of the command line alone.
    pub fn allowed_alone(&self) -> Bounds {
        Bounds::alone(&self.allowed)
    }

    /// Refuses a typed path that a link leads out of the repository.
    pub fn refuse_planted_links(&self, typed: &str) -> Result<()> {
        if typed == STANDARD_INPUT {
            return Ok(());
        }
        refuse_planted_links(Path::new(typed), &self.allowed).map_err(Failure::from)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.message).help(refusal.help)
    }
}

/// Reads a file that is within bounds.
pub fn read_named(name: &str, bounds: &Bounds) -> Result<FileText> {
    let real = bounds.find(Path::new(name)).map_err(Failure::from)?;
    if real.exists() && !real.is_file() && !real.is_dir() {
        return Err(Refusal::no_file(name).into());
    }
    text(name, read_path(name, &real, LARGEST)?)
}

/// A file that is within bounds, or the files below a folder with one of these extensions.
pub fn list_named(name: &str, extensions: &[&str], bounds: &Bounds) -> Result<FileList> {
    let real = bounds.find(Path::new(name)).map_err(Failure::from)?;
    if real.is_dir() {
        return below(name, extensions, bounds, |_, _| false);
    }
    if real.exists() && !real.is_file() {
        return Err(Refusal::no_file(name).into());
    }
    // A file of that name is not standard input.
    Ok(FileList::one(if name == STANDARD_INPUT { "./-" } else { name }))
}

/// Opens a file that was found below a folder, of at most so many bytes.
pub fn open_found(name: &str, most: usize) -> Result<File> {
    refuse_larger(name, most as u64)?;
    open(name, Path::new(name))
}

fn refuse_larger(name: &str, most: u64) -> Result<()> {
    let metadata = Path::new(name).metadata();
    if metadata.is_ok_and(|found| found.is_file() && found.len() > most) {
        return Err(too_large(name, most));
    }
    Ok(())
}

/// Reads a file that was found below a folder, of at most so many bytes.
pub fn read_found(name: &str, most: usize) -> Result<FileText> {
    let most = most as u64;
    refuse_larger(name, most)?;
    let bytes = read_bytes(name, most)?;
    if bytes.len() as u64 > most {
        return Err(too_large(name, most));
    }
    text(name, bytes)
}

/// Bytes of one file of patterns.
const MOST_PATTERNS: usize = 1 << 20;

fn read_patterns(name: &str) -> Result<String> {
    Ok(read_found(name, MOST_PATTERNS)?.content)
}

pub fn too_large(name: &str, most: u64) -> Failure {
    Failure::new(format!("{name} is larger than {} MiB", most >> 20)).help("name smaller files, or a folder without it")
}

/// The bytes of a file, or of standard input for `-`: one more than `most` where there are more.
fn read_bytes(name: &str, most: u64) -> Result<Vec<u8>> {
    if name != STANDARD_INPUT {
        return read_path(name, Path::new(name), most);
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes);
    read.map_err(|problem| cannot_read(name, &problem))?;
    Ok(bytes)
}

/// The bytes of a file, which messages call `name`.
fn read_path(name: &str, path: &Path, most: u64) -> Result<Vec<u8>> {
    if path.is_dir() {
        return Err(Failure::new(format!("{name} is a folder")).help("name a file in it"));
    }
    let mut bytes = Vec::new();
    let read = open(name, path)?.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|problem| cannot_read(name, &problem))?;
    Ok(bytes)
}

pub fn cannot_read(name: &str, problem: &std::io::Error) -> Failure {
    let help = match problem.kind() {
        std::io::ErrorKind::NotFound => "check the path",
        std::io::ErrorKind::PermissionDenied => "check its permissions",
        _ => "check the file",
    };
    Failure::new(format!("cannot read {name}: {problem}")).help(help)
}

/// Whether a path is a folder. `-` is standard input.
pub fn is_folder(path: &str) -> bool {
    path != STANDARD_INPUT && Path::new(path).is_dir()
}

/// Whether a path is that of a stream of the program.
pub fn is_own_stream(path: &str) -> bool {
    STREAMS.iter().any(|stream| path.starts_with(stream))
}

/// Whether a path exists and is no regular file, such as a pipe: it cannot be replaced by a new file.
pub fn is_stream(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

pub fn text(name: &str, bytes: Vec<u8>) -> Result<FileText> {
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{name} is larger than {} MiB", LARGEST >> 20))
            .help("give a smaller file; a model can be spread over files with `include`"));
    }
    let text = text_from(name, 1, bytes)?;
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

/// The text of a file from a line on.
pub fn text_from(name: &str, line: u32, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|problem| not_utf8(name, line, &problem))
}

/// Opens a file, which messages call `name`. A pipe may wait forever for a writer, so only those that a shell passes to
/// the program are opened: standard input, and what `<(command)` stands for.
#[expect(clippy::disallowed_methods, reason = "the program is what reads files")]
fn open(name: &str, path: &Path) -> Result<File> {
    if is_stream(path) && !is_own_stream(&path.to_string_lossy()) && path != Path::new(EMPTY) {
        return Err(Refusal::no_file(name).into());
    }
    File::open(path).map_err(|problem| cannot_read(name, &problem))
}

const GZIP: &[u8] = &[0x1f, 0x8b];

fn not_utf8(name: &str, first: u32, problem: &std::string::FromUtf8Error) -> Failure {
    if problem.as_bytes().starts_with(GZIP) {
        return Failure::new(format!("{name}:1:1: compressed with gzip")).help("unpack it first (`gunzip`)");
    }
    let good = problem.utf8_error().valid_up_to();
    let before = &problem.as_bytes()[..good];
    let before = String::from_utf8_lossy(before);
    let line = before.matches('\n').count() + first as usize;
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
    Failure::new(format!("{name}:{line}:{column}: not UTF-8")).help("save the file in UTF-8")
}

/// A file's name as seen from the root of the repository.
pub fn from_repository_root(name: &str) -> String {
    let Ok(here) = std::env::current_dir() else {
        return joined("", name);
    };
    let root = repository_around(&here);
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
