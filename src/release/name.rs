use std::fmt;

/// The name of a numbered minor release: `1.25`.
///
/// Ordered as semantic versions are (1.9 < 1.10). A leading `v` is accepted, and a patch number is dropped, because
/// patch releases do not matter to any window: `v1.25.3` is release 1.25.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReleaseName(semver::Version);

impl ReleaseName {
    /// Reads a name; `None` if it is not two or three numbers separated by dots.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts = text.split('.');
        let major = number(parts.next()?)?;
        let minor = number(parts.next()?)?;
        if let Some(patch) = parts.next() {
            number(patch)?;
        }
        match parts.next() {
            None => Some(Self::new(major, minor)),
            Some(_) => None,
        }
    }

    /// The release `major.minor`.
    pub fn new(major: u64, minor: u64) -> Self {
        Self(semver::Version::new(major, minor, 0))
    }

    pub(crate) fn major(&self) -> u64 {
        self.0.major
    }

    /// The minor number.
    pub fn minor(&self) -> u64 {
        self.0.minor
    }

    /// The name `count` minor releases later in the same major.
    #[must_use]
    pub(crate) fn later(&self, count: u64) -> Self {
        Self::new(self.major(), self.minor().saturating_add(count))
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for ReleaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_comes_after_nine() {
        assert!(ReleaseName::parse("1.10") > ReleaseName::parse("1.9"));
    }

    #[test]
    fn a_patch_release_is_its_minor() {
        assert_eq!(ReleaseName::parse("v1.25.3"), ReleaseName::parse("1.25"));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "1",
            "1.",
            "1.x",
            "1.2.3.4",
            "1.-2",
            "+1.2",
            "1.2 ",
            "99999999999999999999.1",
        ] {
            assert_eq!(ReleaseName::parse(text), None, "{text}");
        }
    }
}
