//! Where bytes come from and go to: the disk, a commit, the tags of a repository.

pub mod commit;
pub mod disk;
mod history;
mod repository;
pub mod tags;
pub mod tree;
pub mod tree_path;
pub mod write;
