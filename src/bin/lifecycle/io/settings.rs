//! The settings of a repository, as far as they decide how it is read.

use std::path::Path;

/// The lines of a repository's own settings file. Files that it includes are not read.
pub struct Settings {
    entries: Vec<Setting>,
}

struct Setting {
    /// The section with its subsection, as in the file: `branch "main"`.
    section: String,
    key: String,
    value: String,
}

impl Settings {
    /// The settings of a shared Git folder; none where it has no such file.
    #[expect(clippy::disallowed_methods, reason = "the program is what reads files")]
    pub fn read(shared: &Path) -> Self {
        let bytes = std::fs::read(shared.join("config")).unwrap_or_default();
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    pub fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let mut section = String::new();
        for line in text.lines() {
            let mut line = line.trim();
            if let Some((header, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                header.trim().clone_into(&mut section);
                line = rest.trim();
            }
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            // A key alone is true.
            let (key, value) = line.split_once('=').unwrap_or((line, "true"));
            entries.push(Setting {
                section: section.clone(),
                key: key.trim().to_ascii_lowercase(),
                value: plain(value).to_owned(),
            });
        }
        Self { entries }
    }

    /// The last value of a key in a section, whose name is compared without its case, but not that of a subsection.
    pub fn get(&self, section: &str, key: &str) -> Option<&str> {
        let mut found = self
            .entries
            .iter()
            .filter(|entry| entry.is_in(section) && entry.key == key);
        found.next_back().map(|entry| entry.value.as_str())
    }

    /// Which objects a clone was made without: `blob:none`. `None` in a clone that has all of them.
    pub fn filter(&self) -> Option<&str> {
        let promised = self
            .entries
            .iter()
            .any(|entry| entry.key == "promisor" && entry.value == "true");
        let extension = self.get("extensions", "partialclone");
        let mut filters = self.entries.iter().filter(|entry| entry.key == "partialclonefilter");
        let filter = filters.next_back().map(|entry| entry.value.as_str());
        (promised || extension.is_some()).then(|| filter.unwrap_or("some objects"))
    }
}

impl Setting {
    fn is_in(&self, section: &str) -> bool {
        let own = self.section.split_once(char::is_whitespace);
        match (own, section.split_once(' ')) {
            (Some((own, below)), Some((name, wanted))) => own.eq_ignore_ascii_case(name) && below.trim() == wanted,
            (None, None) => self.section.eq_ignore_ascii_case(section),
            _ => false,
        }
    }
}

/// A value without quotes and without the comment after it.
fn plain(value: &str) -> &str {
    let value = value.trim();
    if let Some((quoted, _)) = value.strip_prefix('"').and_then(|value| value.split_once('"')) {
        return quoted;
    }
    value.split(['#', ';']).next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_found_as_git_finds_them() {
        let text = "# [core]\n[core]\n\tbare = false ; not\n[Extensions] objectFormat = sha256\n\trefStorage=\"files\"\n\
                    [branch \"main\"]\n\tremote = origin\n\tremote = fork\n[remote \"fork\"]\n\tpromisor\n\
                    \tpartialclonefilter = blob:none\n";
        let settings = Settings::parse(text);
        assert_eq!(settings.get("core", "bare"), Some("false"));
        assert_eq!(settings.get("extensions", "objectformat"), Some("sha256"));
        assert_eq!(settings.get("extensions", "refstorage"), Some("files"));
        assert_eq!(settings.get("branch \"main\"", "remote"), Some("fork"));
        assert_eq!(settings.get("branch \"Main\"", "remote"), None);
        assert_eq!(settings.get("branch", "remote"), None);
        assert_eq!(settings.filter(), Some("blob:none"));
        assert_eq!(Settings::parse("[core]\n").filter(), None);
    }
}
