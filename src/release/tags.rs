//! Which tags of a repository are releases.

use super::ReleaseName;

/// The tags of a repository that are releases.
#[derive(Debug, PartialEq, Eq)]
pub struct ReleaseTags {
    /// Each tag with its minor release, by version: the first of a minor release is the one that dates it.
    pub tags: Vec<(ReleaseName, String)>,
    /// Whether all are pre-releases. Otherwise, pre-releases are left out.
    pub are_pre_releases: bool,
}

impl ReleaseTags {
    /// Those of some names that contain a version: `v1.8.0`, `api/v1.8`, `helm-chart-1.8.0`.
    pub fn among(names: impl IntoIterator<Item = String>) -> Self {
        let mut found: Vec<(semver::Version, String)> = Vec::new();
        for name in names {
            found.extend(version_in(&name).map(|version| (version, name)));
        }
        found.sort_unstable();
        let are_pre_releases = !found.is_empty() && found.iter().all(|(version, _)| !version.pre.is_empty());
        found.retain(|(version, _)| are_pre_releases || version.pre.is_empty());
        let tags = found.into_iter();
        Self {
            tags: tags
                .map(|(version, name)| (ReleaseName::new(version.major, version.minor), name))
                .collect(),
            are_pre_releases,
        }
    }
}

/// The version in the name of a tag, after any prefix that ends in no letter or digit, or in `v`.
fn version_in(tag: &str) -> Option<semver::Version> {
    let mut before = None;
    for (at, letter) in tag.char_indices() {
        let is_start = match before.replace(letter) {
            Some('v') | None => true,
            Some(before) => !before.is_alphanumeric() && before != '.',
        };
        if let (true, Some(version)) = (letter.is_ascii_digit() && is_start, parse(&tag[at..])) {
            return Some(version);
        }
    }
    None
}

/// A version, whose patch number may be left out.
fn parse(text: &str) -> Option<semver::Version> {
    if let Ok(version) = semver::Version::parse(text) {
        return Some(version);
    }
    let end = text.find(['-', '+']).unwrap_or(text.len());
    semver::Version::parse(&format!("{}.0{}", &text[..end], &text[end..])).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: &[&str]) -> ReleaseTags {
        ReleaseTags::among(names.iter().map(|name| (*name).to_owned()))
    }

    fn version(tag: &str) -> Option<String> {
        version_in(tag).map(|version| version.to_string())
    }

    #[test]
    fn the_version_in_a_tag_is_found_after_any_prefix() {
        assert_eq!(version("v1.2.3").as_deref(), Some("1.2.3"));
        assert_eq!(version("1.2").as_deref(), Some("1.2.0"));
        assert_eq!(version("gateway-api/v1.0").as_deref(), Some("1.0.0"));
        assert_eq!(version("helm-chart-4.0.1").as_deref(), Some("4.0.1"));
        assert_eq!(version("v1.6.0-rc.1").as_deref(), Some("1.6.0-rc.1"));
        assert_eq!(version("v1.6-rc.1").as_deref(), Some("1.6.0-rc.1"));
        assert_eq!(version("nightly"), None);
        assert_eq!(version("v2"), None);
        assert_eq!(version("1.2.3.4"), None);
    }

    #[test]
    fn pre_releases_count_only_where_there_is_nothing_else() {
        let one = (ReleaseName::new(1, 0), "v1.0.0-rc.1".to_owned());
        let two = (ReleaseName::new(1, 1), "v1.1.0".to_owned());
        assert_eq!(tags(&["v1.1.0", "v1.0.0-rc.1"]).tags, [two]);
        let only = tags(&["v1.0.0-rc.1", "latest"]);
        assert_eq!((only.tags, only.are_pre_releases), (vec![one], true));
    }
}
