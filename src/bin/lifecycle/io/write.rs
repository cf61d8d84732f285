//! Writing files atomically: at any moment there is the whole old file or the whole new one.
//!
//! A path that a person types is trusted, and may be anywhere: CI writes `--output ../lifecycle.sarif`. What is at
//! that path is not: CI types the same path for every change, and a change may put a link there. So nothing is written
//! through a link, not even one that leads to another file of the repository, which nobody named; and a folder on the
//! way that is a link in the repository does not lead out of it (see [`super::bounds`]). Model files are written where
//! they were read: in the repository, or below the folder of the model or one that is allowed.

use std::fs::Permissions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, Result};

use super::bounds::real_path;
use super::disk::{self, Disk};

/// A file's new content, in a temporary file that is not yet renamed.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    target: PathBuf,
}

impl Staged {
    /// Writes the content to a temporary file in the folder of the target, with the target's permissions.
    pub fn new(target: &Path, content: &[u8]) -> io::Result<Self> {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let prefix = target.file_name().unwrap_or_default().to_string_lossy();
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{prefix}.");
        builder.prefix(&prefix).suffix(".new");
        let permissions = target.metadata().map(|found| found.permissions()).ok();
        // A rename asks the folder for permission, not the file.
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        if let Some(permissions) = permissions.clone().or_else(default_permissions) {
            builder.permissions(permissions);
        }
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        if let Some(permissions) = permissions {
            // The umask may have cleared some.
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self {
            file,
            target: target.to_path_buf(),
        })
    }

    /// Renames the temporary file to the target.
    pub fn commit(self) -> io::Result<()> {
        self.file.persist(&self.target).map_err(|problem| problem.error)?;
        Ok(())
    }
}

/// The permissions of a new file before the umask: those of temporary files are stricter.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn default_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<Permissions> {
    None
}

/// Refuses an output path that names no file, is a stream of the program or a link, or is a file that the run reads.
pub fn refuse_input(disk: &Disk, flag: &str, (typed, path): (&str, &str), inputs: &[&str]) -> Result<()> {
    if disk::is_own_stream(path) {
        let message = format!("{flag} {typed}: this is a stream of the program, not a file");
        return Err(Failure::new(message).help(format!("leave out {flag} to print it")));
    }
    if path.is_empty() || path == disk::STANDARD_INPUT {
        return Err(
            Failure::new(format!("{flag} {typed}: it names no file")).help(format!("leave out {flag} to print it"))
        );
    }
    refuse_link(disk, path)?;
    let own = real_path(Path::new(path));
    match inputs.iter().find(|input| real_path(Path::new(input)) == own) {
        Some(input) => {
            let message = format!("{flag} would overwrite {input}, which is an input");
            Err(Failure::new(message).help("name another file"))
        }
        None => Ok(()),
    }
}

/// Refuses a path that is a link, or that a link leads out of the repository.
pub fn refuse_link(disk: &Disk, path: &str) -> Result<()> {
    disk.refuse_planted_links(path)?;
    if !Path::new(path).is_symlink() {
        return Ok(());
    }
    let message = format!("cannot write {path}: it is a link, and nothing is written through a link");
    Err(Failure::new(message).help("name the file that it leads to, or delete the link"))
}

/// Writes a file atomically; a stream or a device directly.
pub fn write_whole(disk: &Disk, path: &str, content: &[u8]) -> Result<()> {
    refuse_link(disk, path)?;
    let target = Path::new(path);
    if target.is_dir() {
        return Err(Failure::new(format!("cannot write {path}: it is a folder")).help("name a file in it"));
    }
    let written = if disk::is_stream(target) {
        write_directly(target, content)
    } else {
        Staged::new(target, content).and_then(Staged::commit)
    };
    written.map_err(|problem| cannot_write(path, &problem))
}

/// Removes a file that was just written, and that nobody can use.
pub fn take_back(path: &str) -> Result<()> {
    std::fs::remove_file(path).map_err(|problem| cannot_write(path, &problem))
}

pub fn cannot_write(path: &str, problem: &io::Error) -> Failure {
    let help = match problem.kind() {
        io::ErrorKind::NotFound => "create the folder first",
        io::ErrorKind::PermissionDenied => "check the permissions of the folder and the file",
        _ => "check the path",
    };
    // The name of the temporary file helps nobody.
    let problem = problem.to_string();
    let problem = problem.split(" at path ").next().unwrap_or_default();
    Failure::new(format!("cannot write {path}: {problem}")).help(help)
}

#[expect(clippy::disallowed_methods, reason = "the program is what writes files")]
fn write_directly(target: &Path, content: &[u8]) -> io::Result<()> {
    std::fs::write(target, content)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

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
            .args(["--exact", "io::write::tests::child_that_dies", "--ignored"])
            .env(TARGET, &path)
            .output()
            .unwrap();
        assert!(!child.status.success());
        assert_eq!(read(&path), "old");
        // The temporary file that is left does not disturb the next run.
        Staged::new(&path, b"new").unwrap().commit().unwrap();
        assert_eq!(read(&path), "new");
    }

    #[test]
    #[ignore = "the child of the test above"]
    #[expect(clippy::disallowed_methods, reason = "the parent passes the path")]
    fn child_that_dies() {
        let Ok(path) = std::env::var(TARGET) else { return };
        let staged = Staged::new(Path::new(&path), b"new").unwrap();
        assert_eq!(std::fs::read(staged.file.path()).unwrap(), b"new");
        std::process::abort();
    }

    #[test]
    #[cfg(unix)]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = with_file("old");
        std::fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
        Staged::new(&path, b"new").unwrap().commit().unwrap();
        assert_eq!(read(&path), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o664);
    }
}
