//! How stable an element is, and which of two is at least as stable.
//!
//! The levels and their order are those of the Kubernetes deprecation policy and API-change process. `a >= b` reads "a
//! is at least as stable as b":
//!
//! ```
//! use lifecycle::stability::Track;
//! assert!(Track::Ga > Track::Beta && Track::Beta > Track::Alpha);
//! ```

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

/// A level of stability, least stable first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Track {
    /// May change or be removed in any release, without notice.
    Alpha,
    /// Will be completed in some form; removed only after a deprecation window.
    Beta,
    /// Generally available, also called stable.
    #[strum(to_string = "ga", serialize = "stable")]
    Ga,
}

impl Track {
    /// As policy files and reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads `alpha`, `beta`, `GA` or `stable`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Ga { "GA" } else { self.as_str() })
    }
}

/// The stage of a feature gate, in the order in which a gate moves through them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Stage {
    /// Off by default.
    Alpha,
    /// On by default, as a rule.
    Beta,
    /// The feature is permanent; the gate no longer decides anything.
    #[strum(to_string = "ga", serialize = "stable")]
    Ga,
    /// The gate itself will be removed.
    Deprecated,
}

impl Stage {
    /// As reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads `alpha`, `beta`, `GA`, `stable` or `deprecated`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// The stability of what the gate guards while the gate is in this stage.
    pub(crate) fn track(self) -> Track {
        match self {
            Self::Alpha => Track::Alpha,
            Self::Beta => Track::Beta,
            Self::Ga | Self::Deprecated => Track::Ga,
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deprecated => f.write_str("deprecated"),
            other => other.track().fmt(f),
        }
    }
}

/// The stability class of a metric, least stable first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, strum::EnumString, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum MetricStability {
    /// For the developers of the component; no promise.
    Internal,
    /// No promise.
    Alpha,
    /// Labels may be added, not removed.
    Beta,
    /// Name, type and labels stay.
    #[strum(to_string = "stable", serialize = "ga")]
    Stable,
}

impl MetricStability {
    /// As policy files and reports write it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the four names, in any case; GA is STABLE.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    /// The nearest level of the other elements.
    pub(crate) fn track(self) -> Track {
        match self {
            Self::Internal | Self::Alpha => Track::Alpha,
            Self::Beta => Track::Beta,
            Self::Stable => Track::Ga,
        }
    }
}

impl fmt::Display for MetricStability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str().to_ascii_uppercase())
    }
}

/// How stable an element is, in the terms of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Level {
    /// Of a gate.
    Stage(Stage),
    /// Of a metric.
    Class(MetricStability),
    /// Of anything else.
    Track(Track),
}

impl Level {
    /// As reports write it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Stage(stage) => stage.as_str(),
            Self::Class(class) => class.as_str(),
            Self::Track(track) => track.as_str(),
        }
    }
}

/// As people write it: `beta`, `GA`, and of metrics `STABLE`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stage(stage) => stage.fmt(f),
            Self::Class(class) => class.fmt(f),
            Self::Track(track) => track.fmt(f),
        }
    }
}

/// The parts of an API version's name: `v2beta1` is major 2, beta, number 1.
///
/// A name that is not of the form `vN[alpha|beta]N` has no parts and ranks last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionName {
    text: String,
    parts: Option<(u32, Track, u32)>,
}

impl VersionName {
    /// Any text is a version name; only its form decides whether it has parts.
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            parts: parts(text),
        }
    }

    /// As written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The track in the name, if it has the standard form.
    pub(crate) fn track(&self) -> Option<Track> {
        self.parts.map(|(_, track, _)| track)
    }

    /// The number of its design: of v2beta1, 2; `None` for a name of another form.
    pub(crate) fn major(&self) -> Option<u32> {
        self.parts.map(|(major, ..)| major)
    }

    /// Orders by how eligible a version is as the preferred one: GA, then beta, then alpha; then major; then number.
    /// v2 > v1 > v1beta2 > v1alpha3 > any other name.
    pub(crate) fn rank(&self, other: &Self) -> Ordering {
        // Kubernetes sorts odd names last and among themselves by the alphabet, the first one first.
        let [own, others] =
            [self, other].map(|version| version.parts.map(|(major, track, number)| (track, major, number)));
        own.cmp(&others).then_with(|| match self.parts {
            None => other.text.cmp(&self.text),
            Some(_) => Ordering::Equal,
        })
    }

    /// Orders by age of the design: major, then track, then number. v2alpha1 > v1 > v1beta2.
    /// This is the order of display (descending) and of succession (a successor is higher).
    pub(crate) fn generation(&self, other: &Self) -> Ordering {
        self.parts.cmp(&other.parts).then_with(|| match self.parts {
            None => other.text.cmp(&self.text),
            Some(_) => Ordering::Equal,
        })
    }
}

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parts(text: &str) -> Option<(u32, Track, u32)> {
    let rest = text.strip_prefix('v')?;
    let (major, rest) = leading_number(rest)?;
    if rest.is_empty() {
        return Some((major, Track::Ga, 0));
    }
    let (track, rest) = match rest.strip_prefix("alpha") {
        Some(rest) => (Track::Alpha, rest),
        None => (Track::Beta, rest.strip_prefix("beta")?),
    };
    match leading_number(rest)? {
        (number, "") => Some((major, track, number)),
        _ => None,
    }
}

/// A number from 1 on, without leading zeros, and what follows it.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.starts_with('0') {
        return None;
    }
    digits.parse().ok().map(|number| (number, rest))
}

/// What a level promises, as a page: what `explain alpha`, `explain beta` and `explain stable` print.
///
/// The source is the description of the levels in the Kubernetes API-change process.
pub fn promise(level: &str) -> Option<&'static str> {
    match Track::parse(level)? {
        Track::Alpha => Some(include_str!("alpha.md")),
        Track::Beta => Some(include_str!("beta.md")),
        Track::Ga => Some(include_str!("stable.md")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_rank_by_track_then_major_then_number() {
        let mut names = ["foo", "v1alpha3", "v2alpha1", "v1beta2", "v1", "v10", "v2", "v1beta10"]
            .map(VersionName::new)
            .to_vec();
        names.sort_by(|a, b| b.rank(a));
        let names: Vec<_> = names.iter().map(VersionName::as_str).collect();
        assert_eq!(
            names,
            ["v10", "v2", "v1", "v1beta10", "v1beta2", "v2alpha1", "v1alpha3", "foo"]
        );
    }

    #[test]
    fn display_puts_the_newer_major_first() {
        let newer = VersionName::new("v2alpha1");
        assert!(newer.generation(&VersionName::new("v1")).is_gt());
        assert!(newer.rank(&VersionName::new("v1")).is_lt());
    }

    #[test]
    fn odd_names_have_no_track() {
        for name in [
            "v0",
            "v01",
            "v1gamma1",
            "v1beta",
            "v1beta0",
            "1",
            "v1beta1x",
            "v99999999999",
        ] {
            assert_eq!(VersionName::new(name).track(), None, "{name}");
        }
    }
}
