//! The files that a model includes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lifecycle::{Diagnostics, Document};

use crate::failure::{Failure, Result};
use crate::io::disk::{FileText, folder_of};
use crate::io::tree::Reach;

const MOST_FILES: usize = 10_000;

/// The most patterns in `include`: each walks the folders again.
const MOST_PATTERNS: usize = 200;

/// The most folders in a pattern: each `**` may walk them all again.
const MOST_STEPS: usize = 64;

/// The most `**` in a pattern: each lets the others begin again in every folder.
const MOST_DEEP: usize = 4;

/// The files that a model includes, and what is not read.
#[derive(Debug, Default)]
pub struct Included {
    pub texts: Vec<FileText>,
    /// What a pattern has found, and is not read.
    pub skipped: Vec<String>,
}

/// The code of a pattern that leads to what is not read.
pub const REFUSED: &str = "refused";

impl Included {
    /// Reads the files that a model includes, in the order of their names. What is wrong with a pattern is added to
    /// `errors`.
    pub fn read(reach: &Reach<'_>, model: &Document<'_>, name: &str, errors: &mut Diagnostics) -> Result<Self> {
        let mut included = Self::default();
        let mut paths: Vec<PathBuf> = Vec::new();
        let words = model.includes();
        if let Some(word) = words.get(MOST_PATTERNS) {
            let message = format!(
                "{} patterns of files to include, more than {MOST_PATTERNS}",
                words.len()
            );
            errors.at("too-many", word.span, message, "a pattern with * includes many files");
            return Ok(included);
        }
        for word in words {
            if Path::new(word.text).components().count() > MOST_STEPS {
                let message = format!("a pattern of more than {MOST_STEPS} folders");
                errors.at("too-many", word.span, message, "`**` stands for any number of folders");
                continue;
            }
            if word.text.matches("**").count() > MOST_DEEP {
                let message = format!("a pattern with more than {MOST_DEEP} times `**`");
                errors.at(
                    "too-many",
                    word.span,
                    message,
                    "one `**` stands for any number of folders",
                );
                continue;
            }
            let pattern = match glob::Pattern::new(word.text) {
                Ok(pattern) => pattern,
                Err(problem) => {
                    let message = format!("`{}` is not a pattern: {}", word.text, problem.msg);
                    errors.at("include", word.span, message, "patterns may use *, ** and ?");
                    continue;
                }
            };
            let found = reach.matching(&pattern, &folder_of(name))?;
            included.skipped.extend(found.skipped);
            if let Some(refusal) = found.refusal {
                errors.at(REFUSED, word.span, refusal.message, refusal.help);
            } else if found.files.is_empty() {
                let help = "paths are relative to the folder of the file that includes them";
                errors.at("include", word.span, format!("no file matches `{}`", word.text), help);
            }
            paths.extend(found.files);
        }
        paths.sort_unstable();
        paths.dedup();
        if paths.len() > MOST_FILES {
            let failure = Failure::new(format!("{name} includes more than {MOST_FILES} files"));
            return Err(failure.help("join files, or narrow the patterns of `include`"));
        }
        // Several paths may lead to one file: each file is read once.
        let mut seen: BTreeSet<PathBuf> = reach.real_path(Path::new(name)).into_iter().collect();
        paths.retain(|path| reach.real_path(path).is_none_or(|real| seen.insert(real)));
        let texts = paths.iter().map(|path| reach.read(&path.to_string_lossy()));
        included.texts = texts.collect::<Result<_>>()?;
        Ok(included)
    }
}
