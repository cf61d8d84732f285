//! Which tags of a repository are releases.

use std::collections::{BTreeMap, BTreeSet};

use super::ReleaseName;

/// The tags of a repository that are releases.
#[derive(Debug, PartialEq, Eq)]
pub struct ReleaseTags {
    /// Each tag with its minor release, by version: the first of a minor release is the one that dates it.
    pub tags: Vec<(ReleaseName, String)>,
    /// Whether all are pre-releases. Otherwise, pre-releases are left out.
    pub are_pre_releases: bool,
    /// What is before their versions, without `v`, where they are one series.
    pub prefix: String,
    /// The names with another prefix, by version.
    pub other_series: Vec<String>,
}

/// A name with a version in it.
struct Tag {
    version: semver::Version,
    name: String,
    /// What is before the version, without `v`.
    prefix: String,
}

impl ReleaseTags {
    /// Those of some names that contain a version: `v1.8.0`, `api/v1.8`, `helm-chart-1.8.0`.
    pub fn among(names: impl IntoIterator<Item = String>) -> Self {
        Self::of(String::new(), Tag::all(names), Vec::new())
    }

    /// Those of one series of versions. If two minor releases have no prefix but `v`, these are the releases, or else
    /// those with the prefix of the most minor releases. Pre-releases count where there is nothing else.
    pub fn of_one_series(names: impl IntoIterator<Item = String>) -> Self {
        let found = Tag::all(names);
        let series = series(&found);
        let (own, others) = found.into_iter().partition(|tag| tag.prefix == series);
        Self::of(series, own, others)
    }

    fn of(prefix: String, mut found: Vec<Tag>, others: Vec<Tag>) -> Self {
        let are_pre_releases = !found.is_empty() && found.iter().all(|tag| !tag.version.pre.is_empty());
        found.retain(|tag| are_pre_releases || tag.version.pre.is_empty());
        let tags = found.into_iter().map(|tag| (tag.release(), tag.name));
        Self {
            tags: tags.collect(),
            are_pre_releases,
            prefix,
            other_series: others.into_iter().map(|tag| tag.name).collect(),
        }
    }
}

impl Tag {
    /// Those of some names, by version.
    fn all(names: impl IntoIterator<Item = String>) -> Vec<Self> {
        let mut found: Vec<Self> = names.into_iter().filter_map(Self::read).collect();
        found.sort_unstable_by(|one, other| (&one.version, &one.name).cmp(&(&other.version, &other.name)));
        found
    }

    /// A name with a version, after any prefix that ends in no letter or digit, or in `v`.
    fn read(name: String) -> Option<Self> {
        let (prefix, version) = version_in(&name)?;
        let prefix = prefix.strip_suffix('v').unwrap_or(prefix).to_owned();
        Some(Self { version, name, prefix })
    }

    fn release(&self) -> ReleaseName {
        ReleaseName::new(self.version.major, self.version.minor)
    }
}

/// The prefix of the releases.
fn series(tags: &[Tag]) -> String {
    let has_releases = tags.iter().any(|tag| tag.version.pre.is_empty());
    let mut minors: BTreeMap<&str, BTreeSet<ReleaseName>> = BTreeMap::new();
    for tag in tags.iter().filter(|tag| tag.version.pre.is_empty() || !has_releases) {
        minors.entry(&tag.prefix).or_default().insert(tag.release());
    }
    let plain = minors.get("").filter(|minors| minors.len() > 1);
    let most = minors.iter().rev().max_by_key(|(_, minors)| minors.len());
    let most = most.filter(|_| plain.is_none());
    most.map_or_else(String::new, |(prefix, _)| (*prefix).to_owned())
}

/// What is before the version in the name of a tag, and the version.
fn version_in(tag: &str) -> Option<(&str, semver::Version)> {
    let mut before = None;
    for (at, letter) in tag.char_indices() {
        let is_start = match before.replace(letter) {
            Some('v') | None => true,
            Some(before) => !before.is_alphanumeric() && before != '.',
        };
        if let (true, Some(version)) = (letter.is_ascii_digit() && is_start, parse(&tag[at..])) {
            return Some((&tag[..at], version));
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
        version_in(tag).map(|(_, version)| version.to_string())
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

    #[test]
    fn a_series_of_other_versions_is_left_out() {
        let found = |names: &[&str]| {
            let found = ReleaseTags::of_one_series(names.iter().map(|name| (*name).to_owned()));
            let tags: Vec<String> = found.tags.into_iter().map(|(_, name)| name).collect();
            (tags.join(" "), found.other_series.join(" "))
        };
        let expected = |tags: &str, others: &str| (tags.to_owned(), others.to_owned());
        assert_eq!(
            found(&[
                "v1.0.0",
                "1.1.0",
                "monthly-2025.12",
                "chart-0.1.0",
                "chart-0.2.0",
                "chart-0.3.0"
            ]),
            expected("v1.0.0 1.1.0", "chart-0.1.0 chart-0.2.0 chart-0.3.0 monthly-2025.12")
        );
        assert_eq!(
            found(&["v1.0.0", "api/v1.0.0", "api/v1.1.0", "api/v1.1.1"]),
            expected("api/v1.0.0 api/v1.1.0 api/v1.1.1", "v1.0.0")
        );
        assert_eq!(
            found(&["v2.0.0-rc.1", "v2.1.0-rc.1", "api/v1.0.0", "api/v1.0.1"]),
            expected("api/v1.0.0 api/v1.0.1", "v2.0.0-rc.1 v2.1.0-rc.1")
        );
        // Of equally many, the first by name.
        assert_eq!(found(&["b/1.0", "a/1.0"]), expected("a/1.0", "b/1.0"));
    }
}
