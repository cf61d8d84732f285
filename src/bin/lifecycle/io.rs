//! Where bytes come from and go to: the disk, a commit, the tags of a repository.

pub mod bounds;
pub mod commit;
pub mod disk;
pub mod documents;
mod history;
mod ignored;
pub mod listing;
mod pattern;
mod repository;
mod settings;
pub mod tags;
pub mod tree;
pub mod tree_path;
pub mod write;
