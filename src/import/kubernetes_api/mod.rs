//! The Go packages of the Kubernetes API, and of projects that are built alike: kinds per release, and what the code
//! says of their lives.
//!
//! A package has a folder a group version. In it
//!
//! - `register.go` names the group, the version and the types that are registered in them;
//! - `zz_generated.prerelease-lifecycle.go` has methods that tell in which release a kind was introduced, deprecated
//!   and
//!   removed, and what replaces it. That is what an API server goes by when it warns and when it stops to serve;
//! - `types.go` has the comments those methods are generated from, and the marks of generated clients.
//!
//! A **kind** is a type that is registered in its own package's group version, which is what objects can be written
//! in. Not kinds are lists, which live with what they list; options, which are the parameters of requests
//! (`PodLogOptions`); types of other packages (`metav1.Status`), which all groups share; and what in no release has a
//! client, a list or a marker: it only travels within other objects. Packages of the internal version are no API.
//! Kinds that are sent to a server without being stored there (`AdmissionReview`, `Scale`) are kinds: their versions
//! are promised as those of others are.
//!
//! Where a method says something, it counts; else what the comments say in so many words. What neither says is taken
//! from when a kind is first and last seen. Go is read as text: nothing is run.

mod calendar;
mod file;
mod lives;
mod package;
mod syntax;
mod tokens;
mod told;

pub use file::{Found, read};
pub use lives::fold;
pub use package::{Kinds, Release, Source};
pub use told::Told;

/// Bytes of one file: eight times the largest of the Kubernetes API.
pub const LARGEST: usize = 4 << 20;

/// The group without a name, as models call it.
const CORE: &str = "core";

/// Whether a file in Go is looked at, by its path: that is no test and no generated code but that of lifecycles, not
/// in a folder that Go's tools pass over or that is a copy of other projects.
pub fn is_wanted(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path.as_str()));
    let generated = name.starts_with("zz_generated.") || name.ends_with("generated.go") || name.ends_with(".pb.go");
    let passed_over = |folder: &str| folder == "vendor" || folder == "testdata" || folder.starts_with('_');
    !name.ends_with("_test.go")
        && (!generated || name == "zz_generated.prerelease-lifecycle.go")
        && !folders.split('/').any(passed_over)
}
