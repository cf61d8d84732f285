//! `check --base`: the findings of changes over the history of a product, kinds of bases, and properties.
//!
//! The repositories are made with the library the program reads them with; no Git needs to be installed.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml lets tests do it, and means the functions marked so; these help them"
)]

use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use gix::refs::transaction::{PreviousValue, RefEdit};
use lifecycle::Document;
use lifecycle::Sources;
use lifecycle::diagnostic::{Diagnostic, Severity};
use lifecycle::evaluate::Load;
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Run, finish, folder, program, run_in, write};
use crate::support::evaluate;
use crate::worlds::cases;

/// A repository with its working tree.
pub struct Repository {
    folder: TempDir,
    git: gix::Repository,
}

impl Repository {
    /// A repository of these files, before its first commit, on the branch `main`.
    fn of(files: &[(&str, &str)]) -> Self {
        Self::with_ids(files, gix::hash::Kind::Sha1)
    }

    /// A repository with this kind of ids.
    fn with_ids(files: &[(&str, &str)], ids: gix::hash::Kind) -> Self {
        let folder = folder(files);
        let options = gix::create::Options {
            object_hash: Some(ids),
            ..gix::create::Options::default()
        };
        let kind = gix::create::Kind::WithWorktree;
        let git = gix::ThreadSafeRepository::init_opts(folder.path(), kind, options, gix::open::Options::default());
        let mut git = git.expect("a repository can be made").to_thread_local();
        git.refs.write_reflog = gix::refs::store::WriteReflog::Disable;
        let repository = Self { folder, git };
        repository.stand_on("main");
        repository
    }

    /// A repository of these files, committed on `main`.
    pub fn committed(files: &[(&str, &str)]) -> Self {
        let repository = Self::of(files);
        repository.commit("main");
        repository
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        write(&self.folder, name, text.as_bytes());
    }

    pub fn delete(&self, name: &str) {
        std::fs::remove_file(self.path().join(name)).expect("the file is there");
    }

    /// Changes a piece of a file that is there once.
    #[track_caller]
    pub fn replace(&self, name: &str, old: &str, new: &str) {
        let text = read(&self.path().join(name));
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {name}:\n{text}");
        self.write(name, &text.replace(old, new));
    }

    /// Commits the working tree on a branch, after what is there.
    pub fn commit(&self, branch: &str) -> ObjectId {
        let name = format!("refs/heads/{branch}");
        let parent = self.git.find_reference(&name).ok().map(|found| found.id().detach());
        let commit = self.commit_after(parent);
        self.point(&name, commit);
        commit
    }

    /// Commits the working tree after these commits.
    fn commit_after(&self, parents: impl IntoIterator<Item = ObjectId>) -> ObjectId {
        let author = gix::actor::Signature {
            name: "A. Author".into(),
            email: "author@example.com".into(),
            time: gix::date::Time::new(1_700_000_000, 0),
        };
        let commit = gix::objs::Commit {
            tree: self.tree(self.path()),
            parents: parents.into_iter().collect(),
            author: author.clone(),
            committer: author,
            encoding: None,
            message: "A change".into(),
            extra_headers: Vec::new(),
        };
        self.git
            .write_object(&commit)
            .expect("the commit can be written")
            .detach()
    }

    fn tree(&self, folder: &Path) -> ObjectId {
        let mut entries: Vec<Entry> = children(folder)
            .into_iter()
            .filter(|path| path.file_name().is_some_and(|name| name != ".git"))
            .map(|path| self.entry(&path))
            .collect();
        entries.sort();
        let tree = gix::objs::Tree { entries };
        self.git.write_object(&tree).expect("the tree can be written").detach()
    }

    fn entry(&self, path: &Path) -> Entry {
        let blob = |bytes: &[u8]| self.git.write_blob(bytes).expect("the file can be written").detach();
        let (kind, oid) = if let Ok(target) = path.read_link() {
            (EntryKind::Link, blob(target.to_string_lossy().as_bytes()))
        } else if path.is_dir() {
            (EntryKind::Tree, self.tree(path))
        } else {
            (EntryKind::Blob, blob(&bytes(path)))
        };
        let filename = path.file_name().expect("a file has a name").as_encoded_bytes();
        Entry {
            mode: kind.into(),
            filename: filename.into(),
            oid,
        }
    }

    /// Lets a reference, by its full name, point to an object.
    pub fn point(&self, name: &str, target: ObjectId) {
        self.git
            .reference(name, target, PreviousValue::Any, "")
            .expect("the reference can be written");
    }

    /// Lets `HEAD` name a branch.
    pub fn stand_on(&self, branch: &str) {
        let branch: gix::refs::FullName = format!("refs/heads/{branch}").try_into().expect("a branch has a name");
        self.head(gix::refs::Target::Symbolic(branch));
    }

    /// Lets `HEAD` name a commit.
    fn detach(&self, commit: ObjectId) {
        self.head(gix::refs::Target::Object(commit));
    }

    fn head(&self, target: gix::refs::Target) {
        let name = "HEAD".try_into().expect("HEAD is a name");
        let edit = RefEdit::update(name, target, PreviousValue::Any, "");
        self.git.edit_reference(edit).expect("HEAD can be written");
    }

    /// Writes what happened to `main` and `HEAD`, latest first, and lets `main` follow the branch of `origin`.
    fn log(&self, happened: &[(&str, ObjectId, ObjectId)]) {
        let line = |(what, from, to): &(&str, ObjectId, ObjectId)| {
            format!("{from} {to} A. Author <author@example.com> 1700000000 +0000\t{what}\n")
        };
        let log: String = happened.iter().rev().map(line).collect();
        self.write(".git/logs/HEAD", &log);
        self.write(".git/logs/refs/heads/main", &log);
        let config = self.path().join(".git/config");
        let follows = "[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n";
        self.write(".git/config", &format!("{}{follows}", read(&config)));
    }

    /// Leaves out an object, as a clone without all of the history does.
    fn forget(&self, object: ObjectId) {
        let hex = object.to_string();
        let (fan, rest) = hex.split_at(2);
        std::fs::remove_file(self.path().join(".git/objects").join(fan).join(rest)).expect("the object is there");
    }

    /// Runs the program at the root of the working tree.
    pub fn run(&self, arguments: &[&str]) -> Run {
        finish(program(self.path(), arguments), b"")
    }

    /// What is new since a base.
    #[track_caller]
    fn news(&self, base: &str) -> (Option<i32>, Vec<String>) {
        news(&self.run(&["check", "--format", "json", "--base", base]))
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests read the files they wrote")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file is there")
}

#[expect(clippy::disallowed_methods, reason = "the tests read the files they wrote")]
fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("the file is there")
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| entry.expect("the entry can be read").path())
        .collect()
}

/// How a run ended, and its findings in the form `severity rule code element`, in the order of their names.
#[track_caller]
fn news(run: &Run) -> (Option<i32>, Vec<String>) {
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}\n{}", run.out, run.err));
    let findings = report["diagnostics"].as_array().expect("a report lists findings");
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("-").to_owned();
    let mut reported: Vec<String> = findings
        .iter()
        .map(|finding| {
            ["severity", "rule", "code", "element"]
                .map(|key| word(finding, key))
                .join(" ")
        })
        .collect();
    reported.sort();
    (run.code, reported)
}

/// What a commit does to a file.
enum Edit {
    /// Another text in place of a piece that is there once.
    Replace(&'static str, &'static str, &'static str),
    /// A whole file.
    Write(&'static str, &'static str),
    Delete(&'static str),
}

use Edit::{Delete, Replace, Write};

/// One commit and its expected findings, compared with its parent.
struct Step {
    title: &'static str,
    /// Whether the main line continues from it; otherwise it is a proposal that is not merged.
    lands: bool,
    edits: &'static [Edit],
    exit: i32,
    news: &'static [&'static str],
}

const fn lands(title: &'static str, edits: &'static [Edit], exit: i32, news: &'static [&'static str]) -> Step {
    Step {
        title,
        lands: true,
        edits,
        exit,
        news,
    }
}

const fn proposed(title: &'static str, edits: &'static [Edit], exit: i32, news: &'static [&'static str]) -> Step {
    Step {
        lands: false,
        ..lands(title, edits, exit, news)
    }
}

const MODEL: &str = "lifecycle.toml";
const OPERATIONS: &str = "operations.toml";
const POLICY: &str = "policies/ours.toml";

/// A shop as it was when 1.4 was its newest release.
const SHOP: &[(&str, &str)] = &[
    (
        MODEL,
        r#"policy = "policies/ours.toml"
include = ["operations.toml"]

[calendar]
current = "1.4"
cadence = { months = 4 }
[calendar.releases]
"0.7" = 2022-01-11
"0.8" = 2022-05-10
"1.0" = 2023-01-10
"1.1" = 2023-05-09
"1.2" = 2023-09-12
"1.3" = 2024-01-09
"1.4" = 2024-05-14
"1.5" = 2024-09-10
"1.6" = 2025-01-14
"1.7" = 2025-05-13
"1.8" = 2025-09-09

[group."orders.example.com"]
preferred = { v1beta1 = "1.0", v1 = "1.3" }
[group."orders.example.com".version]
v1beta1 = { introduced = "1.0", deprecated = "1.3", removed = "1.6", replacement = "v1" }
v1 = { introduced = "1.2" }
[group."orders.example.com".kind.Order]
storage = { v1beta1 = "1.0", v1 = "1.3" }
subresource.status = {}
field."spec.items" = { tag = 1 }
field."spec.currency" = { introduced = "1.2", tag = 2, default = "EUR" }
[group."orders.example.com".kind.Refund]
storage = { v1beta1 = "1.1", v1 = "1.3" }
version.v1beta1 = { introduced = "1.1" }

[group."carts.example.com".version]
v1alpha1 = { introduced = "1.0", deprecated = "1.1", removed = "1.2", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."carts.example.com".kind.Cart]
field."spec.legacy".in = { v1alpha1 = { removed = "1.2", tombstone = true }, v1 = {} }

[config."shopd.config.example.com".version]
v1 = { introduced = "1.0" }
"#,
    ),
    (
        OPERATIONS,
        r#"[cli.shopctl]
audience = "user"
command.ship = { introduced = "1.0" }
flag."--output" = {}
flag."--colour" = { introduced = "1.0", deprecated = "1.3", removed = "1.7", replacement = "--color", warning = "use --color" }
flag."--color" = { introduced = "1.2" }

[gate.FastCheckout]
specs = [
  { stage = "alpha", since = "1.1", default = false },
  { stage = "beta", since = "1.3", default = true },
]
[gate.GiftWrap]
specs = [{ stage = "alpha", since = "1.4", default = false }]

[metric.orders_total]
specs = [{ stage = "STABLE", since = "1.1", type = "counter", labels = ["shop"] }]
[metric.checkout_seconds]
specs = [{ stage = "ALPHA", since = "1.3", type = "histogram" }]

[behavior.orders-freeze-on-payment]
introduced = "1.0"
[behavior.cancel-within-a-day]
introduced = "1.1"
deprecated = "1.4"
replacement = "cancel-until-shipped"
[behavior.cancel-until-shipped]
introduced = "1.4"
"#,
    ),
    (
        POLICY,
        r#"name = "shop"
edition = "2024"
extends = "kubernetes"

[rule.behavior-lifetime]
all = { after-deprecation = { months = 18, releases = 0 }, prefer = { days = 500 } }
"#,
    ),
];

/// The life of the shop, from the commit after the first one on.
const STEPS: &[Step] = &[
    // What is added, planned, moved about.
    lands(
        "a kind that comes with the next release",
        &[Replace(
            MODEL,
            "[group.\"carts.example.com\".version]\n",
            "[group.\"orders.example.com\".kind.Parcel]\nversions = [\"v1\"]\nversion.v1 = { introduced = \"1.5\" }\n\n[group.\"carts.example.com\".version]\n",
        )],
        0,
        &[],
    ),
    lands(
        "a flag, a metric, a behavior and a gate that come with the next release",
        &[
            Replace(
                OPERATIONS,
                "flag.\"--output\" = {}\n",
                "flag.\"--output\" = {}\nflag.\"--watch\" = { introduced = \"1.5\" }\n",
            ),
            Replace(
                OPERATIONS,
                "[gate.FastCheckout]\n",
                "[gate.BulkRefunds]\nspecs = [{ stage = \"alpha\", since = \"1.5\", default = false }]\n[gate.FastCheckout]\n",
            ),
            Replace(
                OPERATIONS,
                "[metric.checkout_seconds]\n",
                "[metric.refunds_total]\nspecs = [{ stage = \"ALPHA\", since = \"1.5\" }]\n[metric.checkout_seconds]\n",
            ),
            Replace(
                OPERATIONS,
                "[behavior.cancel-within-a-day]\n",
                "[behavior.refunds-are-queued]\nintroduced = \"1.5\"\n[behavior.cancel-within-a-day]\n",
            ),
        ],
        0,
        &[],
    ),
    lands(
        "a gate is to reach GA, a behavior is to be deprecated",
        &[
            Replace(
                OPERATIONS,
                "default = true },\n]",
                "default = true },\n  { stage = \"GA\", since = \"1.6\", default = true, locked = true },\n]",
            ),
            Replace(
                OPERATIONS,
                "[behavior.orders-freeze-on-payment]\nintroduced = \"1.0\"\n",
                "[behavior.orders-freeze-on-payment]\nintroduced = \"1.0\"\ndeprecated = \"1.6\"\nreplacement = \"cancel-until-shipped\"\n",
            ),
        ],
        0,
        &[],
    ),
    lands(
        "comments, blank lines and another order",
        &[
            Replace(
                MODEL,
                "v1beta1 = { introduced = \"1.0\", deprecated = \"1.3\", removed = \"1.6\", replacement = \"v1\" }\nv1 = { introduced = \"1.2\" }\n",
                "# Served to everybody.\nv1 = { introduced = \"1.2\" }\n\n# Going away.\nv1beta1 = { replacement = \"v1\", removed = \"1.6\", deprecated = \"1.3\", introduced = \"1.0\" }\n",
            ),
            Replace(
                OPERATIONS,
                "[cli.shopctl]\n",
                "# The program for those who shop.\n[cli.shopctl]\n",
            ),
        ],
        0,
        &[],
    ),
    lands(
        "the carts move to a file of their own",
        &[
            Replace(
                MODEL,
                r#"[group."carts.example.com".version]
v1alpha1 = { introduced = "1.0", deprecated = "1.1", removed = "1.2", replacement = "v1" }
v1 = { introduced = "1.1" }
[group."carts.example.com".kind.Cart]
field."spec.legacy".in = { v1alpha1 = { removed = "1.2", tombstone = true }, v1 = {} }
"#,
                "",
            ),
            Replace(
                MODEL,
                "[\"operations.toml\"]",
                "[\"operations.toml\", \"groups/*.toml\"]",
            ),
            Write(
                "groups/carts.toml",
                r#"[group."carts.example.com".version.v1]
introduced = "1.1"
[group."carts.example.com".version.v1alpha1]
introduced = "1.0"
deprecated = "1.1"
removed = "1.2"
replacement = "v1"
[group."carts.example.com".kind.Cart]
field."spec.legacy".in = { v1alpha1 = { removed = "1.2", tombstone = true }, v1 = {} }
"#,
            ),
        ],
        0,
        &[],
    ),
    // Events of the past are moved or deleted.
    proposed(
        "the introduction of a behavior is moved",
        &[Replace(
            OPERATIONS,
            "[behavior.orders-freeze-on-payment]\nintroduced = \"1.0\"",
            "[behavior.orders-freeze-on-payment]\nintroduced = \"1.1\"",
        )],
        1,
        &["error history rewritten behavior orders-freeze-on-payment"],
    ),
    proposed(
        "the introduction of a version is moved, and reported for the version alone",
        &[
            Replace("groups/carts.toml", "introduced = \"1.1\"", "introduced = \"1.2\""),
            Replace("groups/carts.toml", "replacement = \"v1\"\n", ""),
        ],
        1,
        &[
            "error history replacement-dropped carts.example.com/v1alpha1",
            "error history rewritten carts.example.com/v1",
            "note version-replacement no-replacement carts.example.com/v1alpha1",
        ],
    ),
    proposed(
        "a field is declared younger than its kind, where nothing was declared before",
        &[Replace(
            MODEL,
            "\"spec.items\" = { tag = 1 }",
            "\"spec.items\" = { tag = 1, introduced = \"1.2\" }",
        )],
        1,
        &["error history rewritten orders.example.com/v1beta1 Order .spec.items"],
    ),
    proposed(
        "a deprecation is moved",
        &[Replace(OPERATIONS, "deprecated = \"1.4\"", "deprecated = \"1.3\"")],
        1,
        &["error history rewritten behavior cancel-within-a-day"],
    ),
    proposed(
        "a deprecation is taken away",
        &[Replace(OPERATIONS, "deprecated = \"1.4\"\n", "")],
        1,
        &["error history rewritten behavior cancel-within-a-day"],
    ),
    proposed(
        "a removal is moved",
        &[Replace(
            "groups/carts.toml",
            "removed = \"1.2\"\n",
            "removed = \"1.3\"\n",
        )],
        1,
        &[
            "error history rewritten carts.example.com/v1alpha1",
            "error round-trip no-counterpart carts.example.com/v1 Cart .spec.legacy",
            "warning element-removal removed-early carts.example.com/v1alpha1 Cart .spec.legacy",
        ],
    ),
    proposed(
        "a removal is taken away",
        &[Replace("groups/carts.toml", "removed = \"1.2\"\n", "")],
        1,
        &[
            "error history rewritten carts.example.com/v1alpha1",
            "error round-trip no-counterpart carts.example.com/v1 Cart .spec.legacy",
            "warning element-removal removed-early carts.example.com/v1alpha1 Cart .spec.legacy",
        ],
    ),
    proposed(
        "a removal is put off into the future",
        &[Replace(
            "groups/carts.toml",
            "removed = \"1.2\"\n",
            "removed = \"1.6\"\n",
        )],
        1,
        &[
            "error history rewritten carts.example.com/v1alpha1",
            "error round-trip no-counterpart carts.example.com/v1 Cart .spec.legacy",
            "warning element-removal removed-early carts.example.com/v1alpha1 Cart .spec.legacy",
        ],
    ),
    proposed(
        "what a gate was by default",
        &[Replace(
            OPERATIONS,
            "since = \"1.3\", default = true",
            "since = \"1.3\", default = false",
        )],
        1,
        &[
            "error history rewritten gate FastCheckout",
            "note gate-lifetime beta-off gate FastCheckout",
        ],
    ),
    proposed(
        "when a gate became beta",
        &[Replace(
            OPERATIONS,
            "since = \"1.3\", default = true",
            "since = \"1.2\", default = true",
        )],
        1,
        &["error history rewritten gate FastCheckout"],
    ),
    proposed(
        "that a gate was alpha",
        &[Replace(
            OPERATIONS,
            "  { stage = \"alpha\", since = \"1.1\", default = false },\n",
            "",
        )],
        1,
        &["error history rewritten gate FastCheckout"],
    ),
    proposed(
        "what a metric was",
        &[Replace(
            OPERATIONS,
            "type = \"counter\", labels = [\"shop\"]",
            "type = \"gauge\", labels = [\"shop\"]",
        )],
        1,
        &["error history rewritten metric orders_total"],
    ),
    proposed(
        "the storage version is declared to have moved earlier",
        &[Replace(
            MODEL,
            "{ v1beta1 = \"1.1\", v1 = \"1.3\" }",
            "{ v1beta1 = \"1.1\", v1 = \"1.4\" }",
        )],
        1,
        &["error history rewritten orders.example.com/v1 Refund"],
    ),
    // What an element that shipped was.
    proposed(
        "the number of a field in the wire format",
        &[Replace(MODEL, "tag = 1 }", "tag = 4 }")],
        1,
        &["error history rewritten orders.example.com/v1 Order .spec.items"],
    ),
    proposed(
        "the number and the default of a field, both gone",
        &[Replace(
            MODEL,
            "introduced = \"1.2\", tag = 2, default = \"EUR\" }",
            "introduced = \"1.2\" }",
        )],
        1,
        &[
            "error history rewritten orders.example.com/v1 Order .spec.currency",
            "error history rewritten orders.example.com/v1 Order .spec.currency",
        ],
    ),
    proposed(
        "the stability of a flag",
        &[Replace(
            OPERATIONS,
            "flag.\"--color\" = { introduced = \"1.2\" }",
            "flag.\"--color\" = { introduced = \"1.2\", stage = \"beta\" }",
        )],
        1,
        &["error history rewritten cli shopctl --color"],
    ),
    proposed(
        "the audience of a program",
        &[Replace(OPERATIONS, "audience = \"user\"", "audience = \"admin\"")],
        1,
        &[
            "error history rewritten cli shopctl --color",
            "error history rewritten cli shopctl --colour",
            "error history rewritten cli shopctl --output",
            "error history rewritten cli shopctl ship",
        ],
    ),
    proposed(
        "the date of a release",
        &[Replace(MODEL, "\"1.3\" = 2024-01-09", "\"1.3\" = 2024-01-16")],
        1,
        &["error history rewritten -"],
    ),
    proposed(
        "two releases are gone from the calendar",
        &[Replace(MODEL, "\"0.7\" = 2022-01-11\n\"0.8\" = 2022-05-10\n", "")],
        1,
        &["error history rewritten -", "error history rewritten -"],
    ),
    proposed(
        "an event is declared in a release that shipped without it",
        &[
            Replace(OPERATIONS, "deprecated = \"1.6\"", "deprecated = \"1.4\""),
            Replace(
                OPERATIONS,
                "flag.\"--color\" = { introduced = \"1.2\" }",
                "flag.\"--color\" = { introduced = \"1.2\", deprecated = \"1.4\", warning = \"it is on\" }",
            ),
        ],
        1,
        &[
            "error history backdated behavior orders-freeze-on-payment",
            "error history backdated cli shopctl --color",
        ],
    ),
    proposed(
        "an event is declared in a release that is put in between",
        &[
            Replace(
                MODEL,
                "\"0.8\" = 2022-05-10\n",
                "\"0.8\" = 2022-05-10\n\"0.9\" = 2022-09-13\n",
            ),
            Replace(
                OPERATIONS,
                "flag.\"--output\" = {}\n",
                "flag.\"--output\" = { deprecated = \"0.9\", warning = \"it is always on\" }\n",
            ),
        ],
        1,
        &[
            "error history backdated cli shopctl --output",
            "error history rewritten -",
        ],
    ),
    // Elements deleted from the model.
    proposed(
        "a behavior is deleted",
        &[Replace(
            OPERATIONS,
            "[behavior.cancel-within-a-day]\nintroduced = \"1.1\"\ndeprecated = \"1.4\"\nreplacement = \"cancel-until-shipped\"\n",
            "",
        )],
        1,
        &["error history deleted behavior cancel-within-a-day"],
    ),
    proposed(
        "a flag that has always been there is deleted",
        &[Replace(OPERATIONS, "flag.\"--output\" = {}\n", "")],
        1,
        &["error history deleted cli shopctl --output"],
    ),
    proposed(
        "a kind is deleted",
        &[Replace(
            MODEL,
            "[group.\"orders.example.com\".kind.Refund]\nstorage = { v1beta1 = \"1.1\", v1 = \"1.3\" }\nversion.v1beta1 = { introduced = \"1.1\" }\n",
            "",
        )],
        1,
        &[
            "error history deleted orders.example.com/v1 Refund",
            "error history deleted orders.example.com/v1beta1 Refund",
        ],
    ),
    proposed(
        "a group is deleted, with all that is in it",
        &[Delete("groups/carts.toml"), Replace(MODEL, ", \"groups/*.toml\"", "")],
        1,
        &[
            "error history deleted carts.example.com/v1",
            "error history deleted carts.example.com/v1alpha1",
        ],
    ),
    proposed(
        "a field is deleted that was there as long as its kind",
        &[Replace(MODEL, "field.\"spec.items\" = { tag = 1 }\n", "")],
        1,
        &[
            "error history deleted orders.example.com/v1 Order .spec.items",
            "error history deleted orders.example.com/v1beta1 Order .spec.items",
        ],
    ),
    proposed(
        "a gate and a metric are deleted",
        &[
            Replace(
                OPERATIONS,
                "[gate.GiftWrap]\nspecs = [{ stage = \"alpha\", since = \"1.4\", default = false }]\n",
                "",
            ),
            Replace(
                OPERATIONS,
                "[metric.checkout_seconds]\nspecs = [{ stage = \"ALPHA\", since = \"1.3\", type = \"histogram\" }]\n",
                "",
            ),
        ],
        1,
        &[
            "error history deleted gate GiftWrap",
            "error history deleted metric checkout_seconds",
        ],
    ),
    proposed(
        "a replacement is dropped",
        &[Replace(
            OPERATIONS,
            "deprecated = \"1.4\"\nreplacement = \"cancel-until-shipped\"\n",
            "deprecated = \"1.4\"\n",
        )],
        1,
        &["error history replacement-dropped behavior cancel-within-a-day"],
    ),
    proposed(
        "a replacement moves outside of the project",
        &[Replace(
            OPERATIONS,
            "deprecated = \"1.4\"\nreplacement = \"cancel-until-shipped\"\n",
            "deprecated = \"1.4\"\nreplacement = { external = \"the shop's own process\" }\n",
        )],
        0,
        &["note history replacement-changed behavior cancel-within-a-day"],
    ),
    proposed(
        "a name that was reserved is free",
        &[Replace("groups/carts.toml", ", tombstone = true", "")],
        1,
        &["error history tombstone-lifted carts.example.com/v1alpha1 Cart .spec.legacy"],
    ),
    // The law and the newest release.
    proposed(
        "the project's own policy grants less",
        &[Replace(POLICY, "months = 18", "months = 15")],
        1,
        &["error history window-shortened -"],
    ),
    proposed(
        "the project's own policy prefers less, which nobody could count on",
        &[Replace(POLICY, "prefer = { days = 500 }", "prefer = { days = 300 }")],
        0,
        &[],
    ),
    proposed(
        "the project's own policy grants less in two windows of a rule",
        &[Replace(
            POLICY,
            "[rule.behavior-lifetime]",
            "[rule.user-cli-lifetime]\nga = { after-deprecation = { months = 6, releases = 2 } }\nbeta = { after-deprecation = { months = 1, releases = 1 } }\n[rule.behavior-lifetime]",
        )],
        1,
        &["error history window-shortened -", "error history window-shortened -"],
    ),
    proposed(
        "the project takes a policy that grants less",
        &[Replace(
            MODEL,
            "policy = \"policies/ours.toml\"",
            "policy = \"kubernetes\"",
        )],
        1,
        &["error history window-shortened -"],
    ),
    proposed(
        "a policy that grants less holds from a release that is to come",
        &[Replace(
            MODEL,
            "policy = \"policies/ours.toml\"",
            "policy = [{ use = \"policies/ours.toml\" }, { use = \"kubernetes\", from = \"1.5\" }]",
        )],
        0,
        &[],
    ),
    proposed(
        "a policy that grants less holds from a release that has shipped",
        &[Replace(
            MODEL,
            "policy = \"policies/ours.toml\"",
            "policy = [{ use = \"policies/ours.toml\" }, { use = \"kubernetes\", from = \"1.4\" }]",
        )],
        1,
        &["error history window-shortened -"],
    ),
    proposed(
        "the newest release goes back",
        &[Replace(MODEL, "current = \"1.4\"", "current = \"1.3\"")],
        1,
        &["error history unshipped -"],
    ),
    proposed(
        "there is no newest release",
        &[Replace(MODEL, "current = \"1.4\"\n", "")],
        1,
        &["error history unshipped -"],
    ),
    // Warnings and notes.
    proposed(
        "an end comes sooner than announced",
        &[Replace(OPERATIONS, "removed = \"1.7\"", "removed = \"1.6\"")],
        0,
        &["warning history brought-forward cli shopctl --colour"],
    ),
    proposed(
        "the end of one kind comes sooner than that of its version",
        &[Replace(
            MODEL,
            "version.v1beta1 = { introduced = \"1.1\" }",
            "version.v1beta1 = { introduced = \"1.1\", removed = \"1.5\" }",
        )],
        1,
        &[
            "error version-lifetime early orders.example.com/v1beta1 Refund",
            "warning history brought-forward orders.example.com/v1beta1 Refund",
        ],
    ),
    lands(
        "a metric is described that was there all along",
        &[Replace(
            OPERATIONS,
            "[metric.refunds_total]\n",
            "[metric.carts_total]\nspecs = [{ stage = \"ALPHA\", since = \"1.2\" }]\n[metric.refunds_total]\n",
        )],
        0,
        &["warning history backfilled metric carts_total"],
    ),
    proposed(
        "an end is put off",
        &[Replace(OPERATIONS, "removed = \"1.7\"", "removed = \"1.8\"")],
        0,
        &["note history deferred cli shopctl --colour"],
    ),
    lands(
        "a plan is given up, and an element that was to come",
        &[
            Replace(
                OPERATIONS,
                "deprecated = \"1.6\"\nreplacement = \"cancel-until-shipped\"\n",
                "",
            ),
            Replace(OPERATIONS, "[behavior.refunds-are-queued]\nintroduced = \"1.5\"\n", ""),
        ],
        0,
        &[
            "note history withdrawn behavior orders-freeze-on-payment",
            "note history withdrawn behavior refunds-are-queued",
        ],
    ),
    proposed(
        "a deprecation is withdrawn",
        &[Replace(
            OPERATIONS,
            "deprecated = \"1.4\"\n",
            "deprecated = \"1.4\"\nundeprecated = \"1.5\"\n",
        )],
        0,
        &["note history undeprecated behavior cancel-within-a-day"],
    ),
    proposed(
        "a replacement is another one",
        &[Replace(
            OPERATIONS,
            "deprecated = \"1.4\"\nreplacement = \"cancel-until-shipped\"\n",
            "deprecated = \"1.4\"\nreplacement = \"orders-freeze-on-payment\"\n",
        )],
        0,
        &["note history replacement-changed behavior cancel-within-a-day"],
    ),
    // A release, and breaches of the rules.
    lands(
        "1.5 ships",
        &[Replace(MODEL, "current = \"1.4\"", "current = \"1.5\"")],
        0,
        &[],
    ),
    proposed(
        "what has just shipped is rewritten",
        &[Replace(
            OPERATIONS,
            "flag.\"--watch\" = { introduced = \"1.5\" }",
            "flag.\"--watch\" = { introduced = \"1.6\" }",
        )],
        1,
        &["error history rewritten cli shopctl --watch"],
    ),
    lands(
        "a gate that is alpha and on",
        &[Replace(
            OPERATIONS,
            "[gate.GiftWrap]\n",
            "[gate.Drones]\nspecs = [{ stage = \"alpha\", since = \"1.6\", default = true }]\n[gate.GiftWrap]\n",
        )],
        1,
        &["error gate-lifetime alpha-on gate Drones"],
    ),
    lands(
        "an unlike change beside it",
        &[Replace(
            OPERATIONS,
            "flag.\"--watch\"",
            "flag.\"--wait\" = { introduced = \"1.6\" }\nflag.\"--watch\"",
        )],
        0,
        &[],
    ),
    lands(
        "a removal that comes too early",
        &[Replace(
            OPERATIONS,
            "replacement = \"cancel-until-shipped\"\n",
            "replacement = \"cancel-until-shipped\"\nremoved = \"1.7\"\n",
        )],
        1,
        &["error behavior-lifetime early behavior cancel-within-a-day"],
    ),
    proposed(
        "one that was known becomes worse",
        &[Replace(OPERATIONS, "\nremoved = \"1.7\"\n", "\nremoved = \"1.6\"\n")],
        1,
        &[
            "error behavior-lifetime early behavior cancel-within-a-day",
            "warning history brought-forward behavior cancel-within-a-day",
        ],
    ),
    lands(
        "a calendar that goes on, and a removal that is better but still too early",
        &[
            Replace(
                MODEL,
                "\"1.8\" = 2025-09-09\n",
                "\"1.8\" = 2025-09-09\n\"1.9\" = 2026-01-13\n",
            ),
            Replace(OPERATIONS, "\nremoved = \"1.7\"\n", "\nremoved = \"1.8\"\n"),
        ],
        0,
        &["note history deferred behavior cancel-within-a-day"],
    ),
    lands(
        "a removal that comes in time",
        &[Replace(OPERATIONS, "\nremoved = \"1.8\"\n", "\nremoved = \"1.9\"\n")],
        0,
        &["note history deferred behavior cancel-within-a-day"],
    ),
    lands(
        "a violation under an exception",
        &[
            Replace(
                OPERATIONS,
                "removed = \"1.7\", replacement = \"--color\"",
                "removed = \"1.7\", replacement = \"--color\"",
            ),
            Replace(
                OPERATIONS,
                "[gate.GiftWrap]\n",
                "[gate.Balloons]\nspecs = [{ stage = \"alpha\", since = \"1.6\", default = true }]\n[gate.GiftWrap]\n",
            ),
            Write(
                "groups/exceptions.toml",
                "[[exception]]\nrule = \"gate-lifetime:alpha-on\"\nelement = \"gate Balloons\"\nreason = \"nothing else would lift it\"\napproved-by = \"api-reviewers\"\n",
            ),
        ],
        0,
        &["note gate-lifetime alpha-on gate Balloons"],
    ),
    proposed(
        "an exception does not cover what happens to history",
        &[
            Replace(
                OPERATIONS,
                "[gate.GiftWrap]\nspecs = [{ stage = \"alpha\", since = \"1.4\"",
                "[gate.GiftWrap]\nspecs = [{ stage = \"alpha\", since = \"1.3\"",
            ),
            Write(
                "groups/more.toml",
                "[[exception]]\nrule = \"gate-lifetime:regression\"\nelement = \"gate GiftWrap\"\nreason = \"we were wrong\"\napproved-by = \"api-reviewers\"\n",
            ),
        ],
        1,
        &[
            "error history rewritten gate GiftWrap",
            "warning exception unneeded gate GiftWrap",
        ],
    ),
    // A model that cannot be read, and its fix.
    lands(
        "a typo",
        &[Replace(OPERATIONS, "audience = \"user\"", "audiense = \"user\"")],
        2,
        &[],
    ),
    lands(
        "the typo is fixed: nothing could be compared",
        &[Replace(OPERATIONS, "audiense = \"user\"", "audience = \"user\"")],
        1,
        &[
            "error gate-lifetime alpha-on gate Drones",
            "note gate-lifetime alpha-on gate Balloons",
            "warning history unreadable-base -",
        ],
    ),
    lands(
        "the violation is fixed",
        &[Replace(
            OPERATIONS,
            "since = \"1.6\", default = true }]\n[gate.Balloons]",
            "since = \"1.6\", default = false }]\n[gate.Balloons]",
        )],
        0,
        &[],
    ),
];

/// Makes the changes of a step, and returns the differences from its expected findings.
fn walk(repository: &Repository, step: &Step) -> Option<String> {
    for edit in step.edits {
        match edit {
            Replace(name, old, new) => repository.replace(name, old, new),
            Write(name, text) => repository.write(name, text),
            Delete(name) => repository.delete(name),
        }
    }
    let commit = repository.commit(if step.lands { "main" } else { "proposal" });
    let (code, mut reported) = repository.news(&format!("{commit}~1"));
    reported.retain(|finding| step.exit != 2 || !finding.starts_with("error model"));
    let mut wanted = step.news.to_vec();
    wanted.sort_unstable();
    (code != Some(step.exit) || reported != wanted)
        .then(|| format!("{}: exit {code:?}, and\n    {}", step.title, reported.join("\n    ")))
}

#[test]
fn every_commit_of_a_history_is_judged_by_what_it_changes() {
    let repository = Repository::committed(SHOP);
    let (code, reported) = news(&repository.run(&["check", "--format", "json"]));
    assert_eq!(
        (code, reported.as_slice()),
        (Some(0), [].as_slice()),
        "the first commit breaks nothing"
    );
    let mut wrong = Vec::new();
    for step in STEPS {
        let before = files(repository.path());
        let main = repository
            .git
            .find_reference("main")
            .expect("there is a main line")
            .id()
            .detach();
        repository.point("refs/heads/proposal", main);
        repository.stand_on(if step.lands { "main" } else { "proposal" });
        wrong.extend(walk(&repository, step));
        if !step.lands {
            restore(&repository, &before);
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        STEPS.len(),
        wrong.join("\n")
    );
}

/// The files of a working tree with their texts.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let inside = |path: &PathBuf| path.file_name().is_some_and(|name| name != ".git");
    let text = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            let text = read(&path);
            vec![(path, text)]
        }
    };
    children(folder).into_iter().filter(inside).flat_map(text).collect()
}

/// Makes the working tree what it was.
fn restore(repository: &Repository, before: &[(PathBuf, String)]) {
    for (path, _) in files(repository.path()) {
        std::fs::remove_file(path).expect("the file is there");
    }
    for (path, text) in before {
        let name = path.strip_prefix(repository.path()).expect("the file is in the tree");
        repository.write(&name.to_string_lossy(), text);
    }
}

#[test]
fn what_was_there_before_is_counted_and_listed_where_it_is_asked_for() {
    let gate = "[gate.Drones]\nspecs = [{ stage = \"alpha\", since = \"1.3\", default = true }]\n";
    let repository = Repository::committed(&[(MODEL, &format!("{}{gate}", model("1.0")))]);
    repository.write(MODEL, &format!("# Moved down.\n\n{}\n{gate}", model("1.0")));
    repository
        .run(&["check", "--base", "HEAD"])
        .ended(0)
        .says(&["no new policy violations; 1 known in HEAD; --all lists them"])
        .silent_on(&["alpha-on"]);
    repository
        .run(&["check", "--base", "HEAD", "--all"])
        .ended(0)
        .says(&["alpha-on", "1 known in HEAD"])
        .silent_on(&["--all lists them"]);
    let all = repository.run(&["check", "--base", "HEAD", "--all", "--format", "json"]);
    assert_news(&news(&all), 0, &["error gate-lifetime alpha-on gate Drones"]);
    repository.run(&["check"]).ended(1);
}

#[test]
fn what_to_do_about_a_deletion_depends_on_how_the_element_ends() {
    let life = |removed: &str| format!("{}deprecated = \"1.0\"\n{removed}", model("1.0"));
    for (removed, help) in [
        ("", "declare when the element is removed: `removed = \"…\"`"),
        ("removed = \"1.1\"\n", "its removal in 1.1 is part of the history"),
        ("removed = \"1.3\"\n", "the element stays until its removal in 1.3"),
    ] {
        let repository = Repository::committed(&[(MODEL, &life(removed))]);
        repository.write(MODEL, &format!("{CALENDAR}{}", behavior("other", "1.3")));
        let run = repository.run(&["check", "--base", "HEAD"]);
        run.ended(1)
            .says(&["[history: deleted]: the entry of behavior kept was deleted", help]);
    }
}

#[test]
fn an_earlier_current_release_and_a_missing_one_have_different_messages() {
    for (current, words) in [
        (
            "current = \"1.1\"\n",
            "1.2 had shipped, but `current` is now an earlier release",
        ),
        ("", "1.2 had shipped, but the calendar no longer has `current`"),
    ] {
        let repository = Repository::committed(&[(MODEL, &model("1.0"))]);
        repository.replace(MODEL, "current = \"1.2\"\n", current);
        repository.run(&["check", "--base", "HEAD"]).ended(1).says(&[words]);
    }
}

/// Four releases, of which three have shipped.
const CALENDAR: &str = r#"[calendar]
current = "1.2"
[calendar.releases]
"1.0" = 2024-01-10
"1.1" = 2024-05-10
"1.2" = 2024-09-10
"1.3" = 2025-01-10
"#;

#[test]
fn a_change_of_the_calendar_is_reported_at_its_line() {
    // The calendar is no part of the first lines: they are comments.
    let before = format!("# One.\n# Two.\n{}", model("1.0"));
    let repository = Repository::committed(&[(MODEL, &before)]);
    let (date, other) = ("\"1.1\" = 2024-05-10", "\"1.1\" = 2024-05-11");
    for (old, new, wanted) in [
        (date, other, "rewritten|line=7,endLine=7,col=1,endColumn=19"),
        ("\"1.1\" = 2024-05-10\n", "", "rewritten|line=5,endLine=5,"),
        (
            "current = \"1.2\"",
            "current = \"1.1\"",
            "unshipped|line=4,endLine=4,col=11,endColumn=16",
        ),
        ("current = \"1.2\"\n", "", "unshipped|line=3,endLine=3,col=2,"),
    ] {
        repository.write(MODEL, &before.replacen(old, new, 1));
        let run = repository.run(&["check", "--base", "main", "--format", "github"]);
        let (code, place) = wanted.split_once('|').expect("a code and a place");
        let wanted = format!("::error file=lifecycle.toml,{place}");
        let title = format!("history ({code})");
        let found = run
            .out
            .lines()
            .any(|line| line.starts_with(&wanted) && line.contains(&title));
        assert!(found, "{new}: {}", run.all());
    }
}

/// A model of one behavior, there since a release.
fn model(since: &str) -> String {
    format!("{CALENDAR}{}", behavior("kept", since))
}

fn behavior(name: &str, since: &str) -> String {
    format!("[behavior.{name}]\nintroduced = \"{since}\"\n")
}

/// A repository in which the behavior is introduced in 1.0 on `main`, and in 1.1 in the working tree.
fn rewriting() -> Repository {
    let repository = Repository::committed(&[(MODEL, &model("1.0"))]);
    repository.write(MODEL, &model("1.1"));
    repository
}

const REWRITTEN: &str = "error history rewritten behavior kept";

#[track_caller]
fn assert_news(found: &(Option<i32>, Vec<String>), exit: i32, wanted: &[&str]) {
    assert_eq!(*found, (Some(exit), wanted.iter().map(ToString::to_string).collect()));
}

mod bases {
    use super::*;

    #[test]
    fn every_way_to_name_a_commit_leads_to_it() {
        let repository = rewriting();
        let first = repository.git.head_id().expect("there is a commit").detach();
        let tag = gix::objs::Tag {
            target: first,
            target_kind: gix::objs::Kind::Commit,
            name: "v1.2".into(),
            tagger: None,
            message: "1.2".into(),
            signature: None,
        };
        let tag = repository
            .git
            .write_object(&tag)
            .expect("the tag can be written")
            .detach();
        repository.point("refs/tags/v1.2", tag);
        repository.point("refs/tags/light", first);
        repository.point("refs/heads/release-1.2", first);
        repository.point("refs/remotes/origin/main", first);
        let second = repository.commit("main");
        repository.log(&[
            ("commit: A change", first, second),
            ("checkout: moving from light to main", first, first),
        ]);
        let full = first.to_string();
        for base in [
            "HEAD~1",
            "@~1",
            "main@{1}",
            "@{-1}",
            "@{upstream}",
            "main@{u}",
            "v1.2^{}",
            "v1.2^{commit}",
            "v1.2^0",
            "HEAD^",
            "main~1",
            "release-1.2",
            "refs/heads/release-1.2",
            "v1.2",
            "light",
            "origin/main",
            &full,
            &full[..8],
        ] {
            let (code, reported) = repository.news(base);
            assert_eq!(
                (code, reported.as_slice()),
                (Some(1), [REWRITTEN.to_owned()].as_slice()),
                "{base}"
            );
        }
        assert_news(&repository.news("HEAD"), 0, &[]);
    }

    #[test]
    fn what_came_to_the_base_after_the_change_began_is_not_taken_as_deleted() {
        let repository = Repository::committed(&[(MODEL, &model("1.0"))]);
        let began = repository.git.head_id().expect("there is a commit").detach();
        repository.write(MODEL, &format!("{}{}", model("1.0"), behavior("meanwhile", "1.2")));
        repository.commit("main");
        repository.write(MODEL, &format!("{}{}", model("1.0"), behavior("mine", "1.3")));
        let change = repository.commit_after([began]);
        repository.point("refs/heads/change", change);
        repository.stand_on("change");
        assert_news(&repository.news("main"), 0, &[]);
        repository.write(MODEL, &model("1.1"));
        assert_news(&repository.news("main"), 1, &[REWRITTEN]);
    }

    #[test]
    fn histories_that_have_nothing_in_common_are_refused() {
        let repository = rewriting();
        let other = repository.commit_after([]);
        repository.point("refs/heads/other", other);
        repository
            .run(&["check", "--base", "other"])
            .ended(2)
            .says(&["other and the checked-out commit have no common ancestor", "help"]);
    }

    #[test]
    fn a_file_and_a_folder_are_bases_without_a_repository() {
        let folder = folder(&[
            (MODEL, &model("1.1")),
            ("old.toml", &model("1.0")),
            ("before/lifecycle.toml", &model("1.0")),
            ("empty/other.toml", ""),
        ]);
        for base in [
            "old.toml",
            "./old.toml",
            "before",
            "before/",
            "./before",
            "before/lifecycle.toml",
        ] {
            let found = news(&run_in(&folder, &["check", "--format", "json", "--base", base]));
            assert_news(&found, 1, &[REWRITTEN]);
        }
        run_in(&folder, &["check", "--base", "empty"]).ended(0).says(&[
            "history: no-base",
            "nothing was compared, and every finding counts as new",
        ]);
        run_in(&folder, &["check", "--base", "main"]).ended(2).says(&[
            "is in no Git repository that can be read",
            "help: name a file or a folder as the base",
        ]);
    }

    #[test]
    fn a_name_that_is_both_path_and_revision_is_refused() {
        let repository = rewriting();
        repository.write("main/lifecycle.toml", &model("1.1"));
        repository.run(&["check", "--base", "main"]).ended(2).says(&[
            "`main` is both a revision and a path",
            "`./main`",
            "`refs/heads/main`",
        ]);
        assert_news(&repository.news("./main"), 0, &[]);
        assert_news(&repository.news("refs/heads/main"), 1, &[REWRITTEN]);
    }

    #[test]
    fn a_revision_that_is_misspelt_is_guessed() {
        let repository = rewriting();
        let first = repository.git.head_id().expect("there is a commit").detach();
        repository.point("refs/remotes/origin/main", first);
        repository
            .run(&["check", "--base", "mian"])
            .ended(2)
            .says(&["there is no revision, file or folder `mian`", "did you mean `main`?"]);
        repository
            .run(&["check", "--base", "origin/mian"])
            .ended(2)
            .says(&["did you mean `origin/main`?"]);
        repository
            .run(&["check", "--base", "something-else"])
            .ended(2)
            .says(&["name a branch, a tag or a commit, or fetch it first"]);
    }

    #[test]
    fn a_model_is_found_in_its_base_from_wherever_it_is_checked() {
        let repository = Repository::committed(&[
            (
                "shop/lifecycle.toml",
                &format!("include = [\"apis/*.toml\", \"../common/*.toml\"]\n{}", model("1.0")),
            ),
            ("shop/apis/a.toml", &behavior("included", "1.0")),
            ("common/b.toml", &behavior("common", "1.0")),
            ("shop/deep/er/note.txt", ""),
        ]);
        repository.replace("shop/lifecycle.toml", "introduced = \"1.0\"", "introduced = \"1.1\"");
        repository.write("shop/apis/a.toml", &behavior("included", "1.1"));
        let absolute = repository.path().join("shop/lifecycle.toml");
        let absolute = absolute.to_str().expect("the path is text");
        for (from, name) in [
            ("", Some("shop/lifecycle.toml")),
            ("", Some("./shop/../shop/lifecycle.toml")),
            ("shop", None),
            ("shop/deep/er", None),
            ("common", Some("../shop/lifecycle.toml")),
            ("common", Some(absolute)),
        ] {
            let arguments = ["check", "--format", "json", "--base", "HEAD"].into_iter().chain(name);
            let arguments: Vec<&str> = arguments.collect();
            let run = finish(program(&repository.path().join(from), &arguments), b"");
            assert_news(
                &news(&run),
                1,
                &["error history rewritten behavior included", REWRITTEN],
            );
        }
    }

    #[test]
    fn the_base_of_a_model_is_in_the_repository_of_its_folder() {
        let main = format!("include = [\"apis/*.toml\"]\n{}", model("1.0"));
        let inner = Repository::committed(&[
            ("shop/lifecycle.toml", &main),
            ("shop/apis/a.toml", &behavior("a", "1.0")),
        ]);
        inner.replace("shop/lifecycle.toml", "introduced = \"1.0\"", "introduced = \"1.1\"");
        inner.write("shop/apis/a.toml", &behavior("a", "1.1"));
        let outer = Repository::committed(&[("README.md", "Another repository.\n")]);
        let name = inner.path().join("shop/lifecycle.toml");
        let name = name.to_str().expect("the path is text");
        let nowhere = folder(&[]);
        for from in [outer.path(), nowhere.path()] {
            let arguments = ["check", "--format", "json", "--base", "HEAD", name];
            let run = finish(program(from, &arguments), b"");
            assert_news(&news(&run), 1, &["error history rewritten behavior a", REWRITTEN]);
        }
        let mistaken = ["check", "--base", "mian", name];
        finish(program(nowhere.path(), &mistaken), b"")
            .ended(2)
            .says(&["did you mean `main`?"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_in_the_base_too() {
        use std::os::unix::fs::symlink;
        let repository = Repository::of(&[
            (
                "real/lifecycle.toml",
                &format!("include = [\"*.toml\"]\n{}", model("1.0")),
            ),
            ("elsewhere/part.toml", &behavior("linked", "1.0")),
        ]);
        symlink("real", repository.path().join("link")).expect("a link can be made");
        symlink("../elsewhere/part.toml", repository.path().join("real/part.toml")).expect("a link can be made");
        symlink("real/lifecycle.toml", repository.path().join("file.toml")).expect("a link can be made");
        symlink("round.toml", repository.path().join("round.toml")).expect("a link can be made");
        repository.commit("main");
        let outside = tempfile::tempdir().expect("there is room for a folder");
        symlink(repository.path(), outside.path().join("way")).expect("a link can be made");
        repository.replace("real/lifecycle.toml", "introduced = \"1.0\"", "introduced = \"1.1\"");
        repository.write("elsewhere/part.toml", &behavior("linked", "1.1"));
        let outside = outside.path().join("way/real/lifecycle.toml");
        for name in [
            "link/lifecycle.toml",
            "real/lifecycle.toml",
            outside.to_str().expect("the path is text"),
        ] {
            let run = repository.run(&["check", "--format", "json", "--base", "HEAD", name]);
            assert_news(&news(&run), 1, &[REWRITTEN, "error history rewritten behavior linked"]);
        }
    }

    #[test]
    fn files_that_a_pattern_finds_are_those_of_each_side() {
        for pattern in ["apis/*.toml", "**/*.toml"] {
            let main = format!("include = [\"{pattern}\"]\n{}", model("1.0"));
            let repository = Repository::committed(&[
                (MODEL, &main),
                ("apis/a.toml", &behavior("deleted", "1.0")),
                ("apis/b.toml", &behavior("moved", "1.0")),
            ]);
            repository.delete("apis/a.toml");
            repository.delete("apis/b.toml");
            repository.write("apis/c.toml", &behavior("moved", "1.0"));
            repository.write("apis/d.toml", &behavior("planned", "1.3"));
            assert_news(&repository.news("HEAD"), 1, &["error history deleted behavior deleted"]);
        }
    }

    #[test]
    fn a_folder_with_brackets_in_its_name_is_no_pattern_in_the_base_either() {
        let main = format!("include = [\"apis/*.toml\"]\n{}", model("1.0"));
        let repository = Repository::committed(&[
            ("a[b]/lifecycle.toml", &main),
            ("a[b]/apis/a.toml", &behavior("deleted", "1.0")),
            ("a[b]/apis/b.toml", &behavior("other", "1.0")),
        ]);
        repository.delete("a[b]/apis/a.toml");
        let run = repository.run(&["check", "--format", "json", "--base", "HEAD", "a[b]/lifecycle.toml"]);
        assert_news(&news(&run), 1, &["error history deleted behavior deleted"]);
    }

    #[test]
    fn each_side_is_judged_by_its_own_policy() {
        let strict = "name = \"ours\"\nextends = \"kubernetes\"\n[rule.behavior-lifetime]\nall = { after-deprecation = { months = 24 } }\n";
        let main = format!("policy = \"ours.toml\"\n{}", model("1.0"));
        let repository = Repository::committed(&[(MODEL, &main), ("ours.toml", strict)]);
        repository.write("ours.toml", &strict.replace("24", "36"));
        assert_news(&repository.news("HEAD"), 0, &[]);
        repository.write("ours.toml", &strict.replace("24", "12"));
        assert_news(&repository.news("HEAD"), 1, &["error history window-shortened -"]);
        // The file is deleted along with its name in the model.
        repository.delete("ours.toml");
        repository.write(MODEL, &model("1.0"));
        assert_news(&repository.news("HEAD"), 1, &["error history window-shortened -"]);
    }

    #[test]
    fn a_base_without_the_model_makes_everything_new() {
        let repository = Repository::committed(&[("README.md", "A shop.\n")]);
        repository.write(MODEL, &model("1.0"));
        repository.run(&["check", "--base", "HEAD"]).ended(0).says(&[
            "history: no-base",
            "nothing was compared, and every finding counts as new",
        ]);
    }

    #[test]
    fn a_change_that_fixes_an_unreadable_base_passes() {
        let unreadable = ["warning history unreadable-base -"];
        let broken = model("1.0").replace("introduced", "introducde");
        let policy = format!("policy = \"ours.toml\"\n{}", model("1.0"));
        let include = format!("include = [\"apis/*.toml\"]\n{}", model("1.0"));
        for text in [&broken, &policy, &include, &"[calendar\n".to_owned()] {
            let repository = Repository::committed(&[(MODEL, text)]);
            repository.write(MODEL, &model("1.1"));
            assert_news(&repository.news("HEAD"), 0, &unreadable);
            let failing = repository.run(&["check", "--base", "HEAD", "--fail-on", "warning"]);
            failing.ended(1).says(&["the base cannot be read: ", "HEAD:"]);
            repository.write(MODEL, "[calendar\n");
            repository.run(&["check", "--base", "HEAD"]).ended(2);
        }
        let repository = Repository::of(&[]);
        write(&repository.folder, MODEL, b"# caf\xe9\n");
        repository.commit("main");
        repository.write(MODEL, &model("1.0"));
        assert_news(&repository.news("HEAD"), 0, &unreadable);
    }

    #[test]
    fn a_model_from_standard_input_is_held_against_a_file() {
        let repository = Repository::committed(&[(MODEL, &model("1.0")), ("before/lifecycle.toml", &model("1.0"))]);
        let run = |base: &str| {
            let command = program(repository.path(), &["check", "-", "--format", "json", "--base", base]);
            finish(command, model("1.1").as_bytes())
        };
        assert_news(&news(&run(MODEL)), 1, &[REWRITTEN]);
        run("HEAD")
            .ended(2)
            .says(&["standard input has no path in the repository", "name a file"]);
        run("before")
            .ended(2)
            .says(&["a model from standard input has no file name", "name a file"]);
    }

    #[test]
    fn a_detached_head_and_one_before_its_first_commit_have_bases() {
        let repository = rewriting();
        let second = repository.commit("proposal");
        let first = repository.git.head_id().expect("there is a commit").detach();
        let second_after_first = repository.commit_after([first]);
        repository.detach(second_after_first);
        assert_news(&repository.news("main"), 1, &[REWRITTEN]);
        assert_ne!(second, second_after_first);
        repository.stand_on("not-born");
        assert_news(&repository.news("main"), 1, &[REWRITTEN]);
        Repository::of(&[(MODEL, &model("1.0"))])
            .run(&["check", "--base", "HEAD"])
            .ended(2)
            .says(&["there is no revision, file or folder `HEAD`"]);
    }

    #[test]
    fn references_that_git_has_packed_are_found() {
        let repository = rewriting();
        let main = repository.git.head_id().expect("there is a commit").detach();
        repository.write(
            ".git/packed-refs",
            &format!("# pack-refs with: peeled fully-peeled sorted \n{main} refs/heads/main\n{main} refs/tags/v1.0\n"),
        );
        repository.delete(".git/refs/heads/main");
        for base in ["main", "HEAD", "v1.0", "refs/heads/main"] {
            assert_news(&repository.news(base), 1, &[REWRITTEN]);
        }
    }

    #[test]
    fn a_repository_with_sha256_ids_is_read() {
        let repository = Repository::with_ids(&[(MODEL, &model("1.0"))], gix::hash::Kind::Sha256);
        let first = repository.commit("main").to_string();
        assert_eq!(first.len(), 64);
        repository.write(MODEL, &model("1.1"));
        for base in ["main", "HEAD", &first, &first[..12], "HEAD^{}"] {
            assert_news(&repository.news(base), 1, &[REWRITTEN]);
        }
        repository.point(
            "refs/tags/v1.0.0",
            repository.git.head_id().expect("there is a commit").detach(),
        );
        let import = ["import", "crds", "--git", "."];
        repository.run(&import).says(&["no CustomResourceDefinition was found"]);
    }

    #[test]
    fn a_repository_in_another_format_is_refused_by_name() {
        for (setting, words) in [
            (
                "refstorage = reftable",
                &["reftable", "git refs migrate --ref-format=files", "git worktree add"][..],
            ),
            ("objectFormat = sha512", &["sha512", "git worktree add"]),
        ] {
            let repository = rewriting();
            let settings = format!("[core]\n\trepositoryformatversion = 1\n[extensions]\n\t{setting}\n");
            repository.write(".git/config", &settings);
            repository.write("before/lifecycle.toml", &model("1.0"));
            for arguments in [
                &["check", "--base", "main"][..],
                &["lint", ".", "--base", "main"],
                &["diff", "main:crd", "crd"],
                &["diff", "main", MODEL],
                &["import", "crds", "--git", "."],
            ] {
                repository.run(arguments).ended(2).says(words);
            }
            // What needs no commit works.
            assert_news(&repository.news("./before"), 1, &[REWRITTEN]);
            repository.run(&["check"]).ended(0);
        }
    }

    #[test]
    fn a_partial_clone_without_the_base_is_refused_by_name() {
        let settings = "[remote \"origin\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n";
        let repository = rewriting();
        repository.write(".git/config", settings);
        assert_news(&repository.news("main"), 1, &[REWRITTEN]);
        let text = repository
            .git
            .write_blob(model("1.0"))
            .expect("it can be written")
            .detach();
        repository.forget(text);
        for arguments in [
            &["check", "--base", "main"][..],
            &["diff", "main:lifecycle.toml", MODEL],
        ] {
            repository.run(arguments).ended(2).says(&[
                "this is a partial clone (blob:none), which lacks a part of main",
                "git fetch --refetch --no-filter",
            ]);
        }
        let tree = repository
            .git
            .head_commit()
            .expect("there is one")
            .tree_id()
            .expect("it has files")
            .detach();
        repository.forget(tree);
        repository
            .run(&["check", "--base", "main"])
            .ended(2)
            .says(&["this is a partial clone (blob:none)"]);
    }

    #[test]
    fn a_linked_worktree_has_the_history_of_its_repository() {
        let repository = Repository::committed(&[(MODEL, &model("1.0"))]);
        let first = repository.git.head_id().expect("there is a commit").detach();
        let administration = repository.path().join(".git/worktrees/beside");
        let beside = folder(&[
            (MODEL, &model("1.1")),
            (".git", &format!("gitdir: {}\n", administration.display())),
        ]);
        let at = beside.path().join(".git");
        repository.write(".git/worktrees/beside/HEAD", &format!("{first}\n"));
        repository.write(".git/worktrees/beside/commondir", "../..\n");
        repository.write(".git/worktrees/beside/gitdir", &format!("{}\n", at.display()));
        for base in ["main", "HEAD"] {
            let run = run_in(&beside, &["check", "--format", "json", "--base", base]);
            assert_news(&news(&run), 1, &[REWRITTEN]);
        }
    }

    /// A clone without history: the merge of a change into `main`, as it is checked out for a pull request.
    fn shallow() -> (Repository, ObjectId, ObjectId) {
        let repository = Repository::committed(&[(MODEL, &model("1.2"))]);
        let root = repository.git.head_id().expect("there is a commit").detach();
        repository.write(MODEL, &model("1.0"));
        let main = repository.commit_after([root]);
        repository.write(MODEL, &model("1.1"));
        let change = repository.commit_after([root]);
        let merge = repository.commit_after([main, change]);
        repository.detach(merge);
        repository.forget(root);
        repository.forget(change);
        repository
            .git
            .find_reference("main")
            .expect("there is one")
            .delete()
            .expect("it can go");
        (repository, main, merge)
    }

    #[test]
    fn a_shallow_clone_that_has_the_base_is_enough() {
        let (repository, main, merge) = shallow();
        repository.write(".git/shallow", &format!("{main}\n{merge}\n"));
        repository.point("refs/remotes/origin/main", main);
        assert_news(&repository.news("origin/main"), 1, &[REWRITTEN]);
    }

    #[test]
    fn the_error_about_a_shallow_clone_without_the_base_names_what_to_fetch() {
        let (repository, main, merge) = shallow();
        repository.write(".git/shallow", &format!("{merge}\n"));
        repository.forget(main);
        repository
            .run(&["check", "--base", "origin/main"])
            .ended(2)
            .says(&["git fetch origin main:refs/remotes/origin/main", "fetch-depth: 0"]);
        for base in ["HEAD~1", "HEAD^1", &main.to_string()] {
            repository
                .run(&["check", "--base", base])
                .ended(2)
                .says(&["this clone is shallow", "git fetch --unshallow"])
                .silent_on(&["refs/remotes"]);
        }
    }

    #[test]
    fn a_shallow_clone_without_the_common_ancestor_is_an_error() {
        let (repository, main, merge) = shallow();
        let later = repository.commit_after([main]);
        repository.forget(main);
        repository.write(".git/shallow", &format!("{later}\n{merge}\n"));
        repository.point("refs/remotes/origin/main", later);
        repository.run(&["check", "--base", "origin/main"]).ended(2).says(&[
            "this clone is shallow",
            "git fetch --unshallow",
            "fetch-depth: 0",
        ]);
    }
}

/// What is new in a text since another one; `None` if it cannot be read.
fn between(base: &str, text: &str) -> Option<Vec<Diagnostic>> {
    let document = [Document::parse(Sources::BASE, base)];
    let base = Load::new(&document).evaluate().expect("the base can be read");
    let mut evaluation = evaluate(text).ok()?;
    evaluation.compare_with("base", &base);
    let news = evaluation.findings().iter().filter(|finding| finding.known.is_none());
    Some(news.cloned().collect())
}

fn is_breach(finding: &Diagnostic) -> bool {
    finding.rule == "history" && finding.severity == Severity::Error
}

/// What can happen besides.
const ATTIC: &str = r#"
[group."attic.example.com"]
preferred = { v1alpha1 = "1.0", v1 = "1.1" }
[group."attic.example.com".version]
v1alpha1 = { introduced = "1.0", deprecated = ["1.1", "1.3"], undeprecated = "1.2", removed = "1.4", migrated = "1.4", dropped = "1.4" }
v1alpha2 = { lives = [{ introduced = "1.0", removed = "1.1" }, { introduced = "1.2", deprecated = "1.3", removed = "1.4" }] }
v1 = { introduced = "1.1" }
[group."attic.example.com".kind.Box]
storage = { v1alpha1 = "1.0", v1 = "1.2" }
enum."spec.shape".Round = { tolerated = "1.1", introduced = "1.2" }
annotation."example.com/label" = { introduced = "1.1", deprecated = "1.3" }
[metric.boxes_total]
specs = [{ stage = "BETA", since = "1.0" }, { stage = "STABLE", since = "1.1" }]
deprecated = "1.2"
hidden = "1.3"
removed = "1.4"
[gate.Attic]
specs = [{ stage = "beta", since = "1.0", default = true }, { stage = "GA", since = "1.2", default = true, locked = true }]
deprecated = "1.3"
removed = "1.4"
"#;

/// The shop in one file, under a built-in policy.
fn whole_shop() -> String {
    let text = |name: &str| {
        SHOP.iter()
            .find(|(file, _)| *file == name)
            .expect("the shop has the file")
            .1
    };
    let (_, model) = text(MODEL)
        .split_once("\n\n")
        .expect("the calendar comes after the files");
    format!("{model}\n{}{ATTIC}", text(OPERATIONS))
}

#[test]
fn every_edit_of_a_shipped_release_is_reported() {
    let base = whole_shop();
    let calendar = base.find("[group.").expect("groups come after the calendar");
    let releases: Vec<String> = (0..=8).map(|minor| format!("\"1.{minor}\"")).collect();
    let mut edits = 0;
    let mut silent = Vec::new();
    for shipped in &releases[..=4] {
        for (at, _) in base[calendar..].match_indices(shipped.as_str()) {
            let at = calendar + at;
            for other in releases.iter().filter(|other| *other != shipped) {
                let text = format!("{}{other}{}", &base[..at], &base[at + shipped.len()..]);
                let Some(news) = between(&base, &text) else { continue };
                edits += 1;
                if !news.iter().any(is_breach) {
                    let line = base[..at].matches('\n').count();
                    silent.push(format!("{other} in {}", base.lines().nth(line).unwrap_or_default()));
                }
            }
        }
    }
    assert!(edits > 100, "{edits} edits could be read");
    assert!(silent.is_empty(), "{} of {edits}:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn every_deletion_of_a_shipped_line_is_reported() {
    let base = whole_shop();
    let calendar = base.find("[group.").expect("groups come after the calendar");
    let mut edits = 0;
    let mut silent = Vec::new();
    let mut at = calendar;
    for line in base[calendar..].split_inclusive('\n') {
        let text = format!("{}{}", &base[..at], &base[at + line.len()..]);
        at += line.len();
        if line.starts_with('[') || line.trim().is_empty() {
            continue;
        }
        let Some(news) = between(&base, &text) else { continue };
        edits += 1;
        if !news.iter().any(is_breach) {
            silent.push(line);
        }
    }
    assert!(edits > 15, "{edits} edits could be read");
    assert!(silent.is_empty(), "{} of {edits}:\n{}", silent.len(), silent.concat());
}

/// An element with a life in the releases 1.0 to 1.9, of which those up to 1.4 have shipped.
#[derive(Debug, Clone)]
struct Item {
    sort: u8,
    introduced: u32,
    deprecated: Option<u32>,
    removed: Option<u32>,
}

/// The newest release that has shipped.
const SHIPPED: u32 = 4;

fn item() -> impl Strategy<Value = Item> {
    let after = || prop::option::of(0_u32..3);
    (0_u8..5, 0_u32..6, after(), after()).prop_map(|(sort, introduced, deprecated, removed)| Item {
        sort,
        introduced,
        deprecated: deprecated.map(|after| introduced + after),
        removed: removed.map(|after| introduced + deprecated.unwrap_or(0) + after + 1),
    })
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    prop::collection::vec(item(), 1..6)
}

impl Item {
    fn text(&self, number: usize) -> String {
        let release = |key: &str, minor: Option<u32>| minor.map(|minor| format!("{key} = \"1.{minor}\""));
        let introduced = release("introduced", Some(self.introduced));
        let ends = [release("deprecated", self.deprecated), release("removed", self.removed)];
        let ends: Vec<String> = ends.into_iter().flatten().collect();
        let life: Vec<String> = introduced.into_iter().chain(ends.iter().cloned()).collect();
        let (life, ends) = (life.join(", "), ends.join("\n"));
        let since = self.introduced;
        match self.sort {
            0 => format!("behavior.b{number} = {{ {life} }}\n"),
            1 => format!("cli.tool{number} = {{ audience = \"user\", flag.\"--on\" = {{ {life} }} }}\n"),
            2 => format!(
                "group.\"g{number}.example.com\" = {{ version.v1beta1 = {{ {life} }}, kind.Thing.field.\"spec.size\" = {{}} }}\n"
            ),
            3 => format!(
                "[gate.G{number}]\nspecs = [{{ stage = \"alpha\", since = \"1.{since}\", default = false }}]\n{ends}\n"
            ),
            _ => format!("[metric.m{number}]\nspecs = [{{ stage = \"BETA\", since = \"1.{since}\" }}]\n{ends}\n"),
        }
    }

    fn id(&self, number: usize) -> String {
        match self.sort {
            0 => format!("behavior b{number}"),
            1 => format!("cli tool{number} --on"),
            2 => format!("g{number}.example.com/v1beta1"),
            3 => format!("gate G{number}"),
            _ => format!("metric m{number}"),
        }
    }

    /// Its releases, to be changed.
    fn release(&mut self, which: usize) -> Option<&mut u32> {
        match which {
            0 => Some(&mut self.introduced),
            1 => self.deprecated.as_mut(),
            _ => self.removed.as_mut(),
        }
    }
}

fn text(items: &[Item]) -> String {
    let mut pieces: Vec<(bool, String)> = (0..)
        .zip(items)
        .map(|(number, item)| (item.sort > 2, item.text(number)))
        .collect();
    // What has no header of its own comes before the first one.
    pieces.sort_by_key(|(header, _)| *header);
    let releases: Vec<String> = (0..12)
        .map(|minor| format!("\"1.{minor}\" = {}-0{}-10", 2020 + minor / 3, 1 + minor % 3 * 4))
        .collect();
    let calendar = format!(
        "calendar = {{ current = \"1.{SHIPPED}\", releases = {{ {} }} }}\n",
        releases.join(", ")
    );
    let pieces = pieces.into_iter().map(|(_, piece)| piece);
    std::iter::once(calendar).chain(pieces).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_model_brings_nothing_new_to_itself(items in items()) {
        let text = text(&items);
        let news = between(&text, &text).expect("the model can be read");
        prop_assert!(news.is_empty(), "{news:?}");
    }

    /// Ends, and whole elements, in releases to come.
    #[test]
    fn what_is_planned_in_addition_breaks_no_history(
        items in items(),
        more in prop::collection::vec((item(), 1_u32..4), 0..3),
        ends in prop::collection::vec((any::<bool>(), any::<bool>()), 6),
    ) {
        let base = text(&items);
        let mut planned = items.clone();
        for (item, (deprecated, removed)) in planned.iter_mut().zip(ends) {
            let open = item.removed.is_none();
            if deprecated && open && item.deprecated.is_none() {
                item.deprecated = Some(item.introduced.max(SHIPPED) + 1);
            }
            if removed && open {
                item.removed = Some(item.introduced.max(item.deprecated.unwrap_or(0)).max(SHIPPED) + 2);
            }
        }
        planned.extend(more.into_iter().map(|(item, after)| Item {
            introduced: SHIPPED + after,
            deprecated: None,
            removed: None,
            ..item
        }));
        let news = between(&base, &text(&planned)).expect("the plan can be read");
        let about_history: Vec<&Diagnostic> = news.iter().filter(|finding| finding.rule == "history").collect();
        prop_assert!(about_history.is_empty(), "{about_history:?}");
    }

    #[test]
    fn a_release_that_shipped_is_not_edited_unseen(
        items in items(),
        at in any::<prop::sample::Index>(),
        which in 0_usize..3,
        other in 0_u32..12,
    ) {
        let base = text(&items);
        let at = at.index(items.len());
        let mut edited = items.clone();
        let release = edited[at].release(which);
        prop_assume!(release.as_ref().is_some_and(|release| **release <= SHIPPED && **release != other));
        if let Some(release) = release {
            *release = other;
        }
        let news = between(&base, &text(&edited));
        // An end before the beginning is an error in the file.
        prop_assume!(news.is_some());
        let news = news.unwrap_or_default();
        let id = items[at].id(at);
        let reported = news.iter().any(|finding| is_breach(finding) && finding.element.as_ref() == Some(&id));
        prop_assert!(reported, "{id} {which} {other}: {news:?}");
    }
}

#[test]
fn what_one_entry_declares_for_many_versions_is_one_finding() {
    let model = |count: usize, introduced: &str| {
        let versions: String = (1..=count).fold(String::new(), |versions, at| {
            versions + &format!("v{at} = {{ introduced = \"1.0\" }}\n")
        });
        format!(
            "[calendar]\ncurrent = \"1.2\"\n[calendar.releases]\n\"1.0\" = 2024-01-10\n\"1.1\" = 2024-05-10\n\
             \"1.2\" = 2024-09-10\n[group.g.version]\n{versions}[group.g.kind.W.field]\n\
             \"spec.a\" = {{ introduced = \"{introduced}\" }}\n\"spec.b\" = {{ introduced = \"{introduced}\" }}\n"
        )
    };
    for (count, names) in [
        (1, "1.2"),
        (3, "1.2; the same holds in v2, v1"),
        (9, "1.2; the same holds in v8, v7, v6, v5, v4, v3, v2, v1"),
        (
            10,
            "1.2; the same holds in v9, v8, v7, v6, v5, v4, v3 and 2 more versions",
        ),
    ] {
        let folder = folder(&[
            ("base.toml", &model(count, "1.1")),
            ("lifecycle.toml", &model(count, "1.2")),
        ]);
        let run = run_in(&folder, &["check", "--base", "base.toml", "--format", "json"]);
        let report: Value = serde_json::from_str(&run.out).expect("it is JSON");
        let found = report["diagnostics"].as_array().expect("findings");
        let rewritten = found.iter().filter(|finding| finding["code"] == "rewritten");
        let messages: Vec<&str> = rewritten.filter_map(|finding| finding["message"].as_str()).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages.iter().all(|message| message.ends_with(names)), "{messages:?}");
    }
}
