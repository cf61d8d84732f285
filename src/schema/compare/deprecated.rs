//! Deprecated versions beside which nothing as stable is served.

use crate::schema::change::{ChangeKind as Kind, Effect};
use crate::schema::definition::{Definition, Version};
use crate::stability::{Track, VersionName};

use super::Comparison;

impl Comparison {
    /// Reports that a deprecated version has no replacement that is as stable, where the old state did not have that.
    pub(super) fn replacement(&mut self, name: &str, old: &Definition, new: &Definition) {
        if let Some(kind) = lack(name, new).filter(|kind| lack(name, old) != Some(*kind)) {
            self.push(kind, Effect::Same);
        }
    }
}

/// What the deprecation of a version lacks. An alpha version may end at any time, and needs no replacement.
fn lack(name: &str, definition: &Definition) -> Option<Kind> {
    let version = definition
        .versions
        .get(name)
        .filter(|version| serves_deprecated(version))?;
    let own = VersionName::new(name).track().filter(|track| *track > Track::Alpha)?;
    let others = definition.versions.iter();
    let others = others.filter(|(other, version)| *other != name && version.served && !version.deprecated);
    let tracks = others.map(|(other, _)| VersionName::new(other).track());
    // How stable a version of another name is, nobody says.
    let tracks: Vec<Track> = tracks.collect::<Option<_>>()?;
    match tracks.into_iter().max() {
        Some(most) if most >= own => None,
        Some(_) => Some(Kind::DeprecatedForLessStable),
        None if names_other_group(version, definition, own) => None,
        None => Some(Kind::DeprecatedWithoutReplacement),
    }
}

fn serves_deprecated(version: &Version) -> bool {
    version.served && version.deprecated
}

/// Whether the warning of a version names one of another group that is as stable: "use apps/v1 Deployment".
fn names_other_group(version: &Version, definition: &Definition, own: Track) -> bool {
    let words = version.warning.as_deref().unwrap_or_default().split_whitespace();
    let mut versions = words.filter_map(|word| word.split_once('/'));
    versions.any(|(group, version)| {
        let version = version.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        group != definition.group && VersionName::new(version).track().is_some_and(|track| track >= own)
    })
}
