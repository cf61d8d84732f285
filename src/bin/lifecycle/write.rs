//! Writing files so that whatever happens there is the old one or the new one, whole.

use std::fs::Permissions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::commands::Failure;

/// Names under which the program's own streams appear: writing there would take over what they are redirected to.
const STREAMS: [&str; 4] = ["/dev/std", "/dev/fd/", "/proc/self/", "/proc/thread-self/"];

/// A file's new content, on the disk beside it, not yet in its place.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    target: PathBuf,
}

impl Staged {
    /// Writes the content to a temporary file in the folder of the target, with the target's permissions.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the target is as it was.
    pub fn new(target: &Path, content: &[u8]) -> io::Result<Self> {
        // A link stays a link: what it points at is written.
        let target = match target.canonicalize() {
            Ok(target) => target,
            Err(_) if target.is_symlink() => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link to nothing"));
            }
            Err(_) => target.to_path_buf(),
        };
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let prefix = target.file_name().unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{prefix}.");
        builder.prefix(&prefix).suffix(".new");
        let permissions = target.metadata().map(|found| found.permissions()).ok();
        // A rename would pass over it: what the folder lets happen, the file does not.
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        if let Some(permissions) = permissions.clone().or_else(ordinary) {
            builder.permissions(permissions);
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        if let Some(permissions) = permissions {
            // The mask of the process may have taken some away.
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self { file, target })
    }

    /// Puts the content in place: from one moment to the next the target is the new file.
    ///
    /// # Errors
    ///
    /// If it cannot be; the target is as it was.
    pub fn commit(self) -> io::Result<()> {
        self.file.persist(&self.target).map_err(|problem| problem.error)?;
        Ok(())
    }
}

/// The permissions of a new file, of which the mask of the process takes away what it does; those of temporary files
/// are stricter.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn ordinary() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary() -> Option<Permissions> {
    None
}

/// Refuses what `--output` must not write: a stream of the program, and a file that the run reads.
pub fn refuse_input(flag: &str, typed: &str, path: &str, inputs: &[&str]) -> Result<(), Failure> {
    if STREAMS.iter().any(|stream| path.starts_with(stream)) {
        let message = format!("{flag} {typed}: a stream of this program is no file");
        return Err(Failure::new(message).help(format!("without {flag} it is printed")));
    }
    let own = whole(path);
    match inputs.iter().find(|input| whole(input) == own) {
        Some(input) => {
            let message = format!("{flag} would overwrite {input}, which is read");
            Err(Failure::new(message).help("name another file"))
        }
        None => Ok(()),
    }
}

/// A file in one way of naming it, whether or not it is there yet.
pub fn whole(path: &str) -> PathBuf {
    let path = Path::new(path);
    let from_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let found = path.canonicalize().ok().or_else(from_folder);
    found.unwrap_or_else(|| path.to_path_buf())
}

/// Writes a file so that it is whole or not there; to a stream or a device, straight.
pub fn write_whole(path: &str, content: &[u8]) -> Result<(), Failure> {
    let target = Path::new(path);
    let failed = |problem: io::Error| cannot_write(path, &problem);
    if target.is_dir() {
        return Err(Failure::new(format!("cannot write {path}: it is a folder")).help("name a file in it"));
    }
    if target.exists() && !target.is_file() {
        return write_straight(target, content).map_err(failed);
    }
    Staged::new(target, content).and_then(Staged::commit).map_err(failed)
}

/// Why a file cannot be written, and what to do.
pub fn cannot_write(path: &str, problem: &io::Error) -> Failure {
    let help = match problem.kind() {
        io::ErrorKind::NotFound => "make the folder first",
        io::ErrorKind::PermissionDenied => "check who may write there",
        _ => "check the path",
    };
    // Of the file that was to take its place nobody knows.
    let problem = problem.to_string();
    let problem = problem.split(" at path ").next().unwrap_or_default();
    Failure::new(format!("cannot write {path}: {problem}")).help(help)
}

#[expect(clippy::disallowed_methods, reason = "the program is what writes files")]
fn write_straight(target: &Path, content: &[u8]) -> io::Result<()> {
    std::fs::write(target, content)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Which file the child below writes.
    const TARGET: &str = "LIFECYCLE_TEST_TARGET";

    #[expect(clippy::disallowed_methods, reason = "the test is about files")]
    fn read(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "the test is about files")]
    fn with_file(content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lifecycle.toml");
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[test]
    fn what_is_committed_is_there_and_nothing_else() {
        let (folder, path) = with_file("old");
        Staged::new(&path, b"new").unwrap().commit().unwrap();
        assert_eq!(read(&path), "new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_process_that_dies_between_writing_and_renaming_leaves_the_old_file() {
        let (_folder, path) = with_file("old");
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "write::tests::child_that_dies", "--ignored"])
            .env(TARGET, &path)
            .output()
            .unwrap();
        assert!(!child.status.success());
        assert_eq!(read(&path), "old");
        // Whoever comes next is not disturbed by what is left.
        Staged::new(&path, b"new").unwrap().commit().unwrap();
        assert_eq!(read(&path), "new");
    }

    #[test]
    #[ignore = "the child of the test above"]
    #[expect(clippy::disallowed_methods, reason = "how the parent tells it")]
    fn child_that_dies() {
        let Ok(path) = std::env::var(TARGET) else { return };
        let staged = Staged::new(Path::new(&path), b"new").unwrap();
        assert_eq!(std::fs::read(staged.file.path()).unwrap(), b"new");
        std::process::abort();
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, path) = with_file("old");
        let mode = |mode| Permissions::from_mode(mode);
        std::fs::set_permissions(&path, mode(0o664)).unwrap();
        let link = folder.path().join("link.toml");
        symlink(&path, &link).unwrap();
        Staged::new(&link, b"new").unwrap().commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(read(&path), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o664);
    }
}
