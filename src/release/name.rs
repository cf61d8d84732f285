use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The name of a numbered minor release: `1.25`.
///
/// Ordered as semantic versions are (1.9 < 1.10). A leading `v` is accepted, and a patch number does not count, because
/// patch releases do not matter to any window: `v1.25.3` is release 1.25. It is printed as a calendar writes it:
/// `17.03`, `20.1.0`.
#[derive(Debug, Clone)]
pub struct ReleaseName {
    version: semver::Version,
    form: Form,
}

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One number: `24`, `2028`.
    One,
    /// Two numbers, the second one with at least so many digits: two in `17.03`.
    Two(usize),
    /// Three numbers, of which the last one is that of the patch: `20.1.0`.
    Three(u64),
}

impl ReleaseName {
    /// Reads a name; `None` if it is not two or three numbers separated by dots.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts = text.split('.');
        let major = number(parts.next()?)?;
        let written = parts.next()?;
        let minor = number(written)?;
        if let Some(patch) = parts.next() {
            number(patch)?;
        }
        let width = if written.starts_with('0') { written.len() } else { 0 };
        parts.next().is_none().then(|| Self {
            version: semver::Version::new(major, minor, 0),
            form: Form::Two(width),
        })
    }

    /// Reads a name of a calendar, which may also be one number, and is printed as written; `None` if it has another
    /// form.
    pub(crate) fn of_calendar(text: &str) -> Option<Self> {
        let Some(name) = Self::parse(text) else {
            return Some(Self {
                version: semver::Version::new(number(text)?, 0, 0),
                form: Form::One,
            });
        };
        let patch = text.split('.').nth(2).and_then(number);
        Some(Self {
            form: patch.map_or(name.form, Form::Three),
            ..name
        })
    }

    /// The release `major.minor`.
    pub fn new(major: u64, minor: u64) -> Self {
        Self {
            version: semver::Version::new(major, minor, 0),
            form: Form::Two(0),
        }
    }

    pub(crate) fn major(&self) -> u64 {
        self.version.major
    }

    /// The minor number.
    pub fn minor(&self) -> u64 {
        self.version.minor
    }

    /// The name `count` releases later: in the same major, or of the next numbers where a name is one number.
    #[must_use]
    pub(crate) fn later(&self, count: u64) -> Self {
        let (major, minor) = match self.form {
            Form::One => (self.major().saturating_add(count), 0),
            Form::Two(_) | Form::Three(_) => (self.major(), self.minor().saturating_add(count)),
        };
        self.numbered(major, minor)
    }

    /// The name of the first release of the next major one, written in the same form.
    #[must_use]
    pub(crate) fn next_major(&self) -> Self {
        self.numbered(self.major().saturating_add(1), 0)
    }

    fn numbered(&self, major: u64, minor: u64) -> Self {
        let form = match self.form {
            Form::Three(_) => Form::Three(0),
            Form::Two(_) if minor == 0 => Form::Two(0),
            other => other,
        };
        Self {
            version: semver::Version::new(major, minor, 0),
            form,
        }
    }

    /// Whether both names are one number, or neither is.
    pub(crate) fn is_written_like(&self, other: &Self) -> bool {
        (self.form == Form::One) == (other.form == Form::One)
    }

    /// By how many releases a name comes after another one, as [`Self::later`] counts; `None` if it never does.
    pub(crate) fn after(&self, other: &Self) -> Option<u64> {
        match other.form {
            _ if !self.is_written_like(other) => None,
            Form::One => self.major().checked_sub(other.major()),
            Form::Two(_) | Form::Three(_) if self.major() != other.major() => None,
            Form::Two(_) | Form::Three(_) => self.minor().checked_sub(other.minor()),
        }
        .filter(|ahead| *ahead > 0)
    }
}

impl PartialEq for ReleaseName {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
    }
}

impl Eq for ReleaseName {}

impl PartialOrd for ReleaseName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ReleaseName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.version.cmp(&other.version)
    }
}

impl Hash for ReleaseName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.version.hash(state);
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for ReleaseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form {
            Form::One => write!(f, "{}", self.major()),
            Form::Two(width) => write!(f, "{}.{:0width$}", self.major(), self.minor()),
            Form::Three(patch) => write!(f, "{}.{}.{patch}", self.major(), self.minor()),
        }
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
    fn what_is_written_is_printed() {
        for text in ["17.03", "17.3", "24", "2028", "1.25", "0.007", "20.1.0", "0.11.13"] {
            let name = ReleaseName::of_calendar(text).expect("it is a name");
            assert_eq!(name.to_string(), text);
        }
        let next = |text: &str| ReleaseName::of_calendar(text).map(|name| name.later(7).to_string());
        assert_eq!(next("17.03").as_deref(), Some("17.10"));
        assert_eq!(next("24").as_deref(), Some("31"));
        assert_eq!(next("20.1.3").as_deref(), Some("20.8.0"));
        assert_eq!(ReleaseName::parse("17.03"), ReleaseName::parse("17.3"));
    }

    #[test]
    fn names_of_one_number_and_of_two_do_not_follow_each_other() {
        let after = |later: &str, earlier: &str| {
            let [later, earlier] = [later, earlier].map(|text| ReleaseName::of_calendar(text).expect("it is a name"));
            later.after(&earlier)
        };
        assert_eq!(after("26", "24"), Some(2));
        assert_eq!(after("1.12", "1.9"), Some(3));
        assert_eq!(after("26.1", "24"), None);
        assert_eq!(after("2.0", "1.9"), None);
        assert_eq!(after("1.9", "1.9"), None);
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
