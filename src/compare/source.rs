//! The formats of sources that are compared with a model.

use std::collections::{BTreeMap, BTreeSet};

use crate::grammar::ElementPath;
use crate::import::ImportError;
use crate::import::calendar::ReleaseDates;
use crate::import::deprecation_lists::{ListedApi, Tool, unknown_component};
use crate::import::gates::FeatureGates;
use crate::text::Unreadable;

use super::claims::Claims;

/// What a source can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceFormat {
    /// A model.
    Model,
    /// A tool's list of deprecated API versions.
    Deprecations(Tool),
    /// Kubernetes' versioned feature list.
    FeatureGates,
    /// Releases and their dates.
    Calendar,
}

impl SourceFormat {
    /// The format of files with this extension: JSON and YAML have several.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Model),
            "csv" => Some(Self::Calendar),
            _ => None,
        }
    }

    /// The format of a text, by words that only one format has.
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim_start();
        if text.starts_with(['[', '{']) && !text.starts_with("[[") {
            if text.contains("\"releaseDate\"") {
                return Some(Self::Calendar);
            }
            if text.contains("\"deprecated_version\"") || text.contains("\"removed_version\"") {
                return Some(Self::Deprecations(Tool::Kubepug));
            }
        }
        if text.lines().any(|line| line.starts_with("deprecated-versions:")) {
            return Some(Self::Deprecations(Tool::Pluto));
        }
        if text.contains("versionedSpecs:") {
            return Some(Self::FeatureGates);
        }
        let mut lines = text.lines();
        let is_model =
            lines.any(|line| line == "[calendar]" || line.starts_with("calendar.") || line.starts_with("[group."));
        is_model.then_some(Self::Model)
    }
}

impl Claims {
    /// Reads a source that is not a model. `component` is the product whose entries count, where a list has several;
    /// `model` is what the source will be compared with.
    ///
    /// # Errors
    ///
    /// If the text cannot be read as this format, or has nothing to compare.
    pub fn read(
        format: SourceFormat,
        name: &str,
        text: &str,
        component: Option<&str>,
        model: &Self,
    ) -> Result<Self, ImportError> {
        let claims = match format {
            SourceFormat::Deprecations(tool) => {
                let list = tool.read(text).map_err(|error| unreadable(name, &error))?;
                let (entries, left_out) = of_product(list.entries, component, model)
                    .map_err(|known| unknown_component(name, component.unwrap_or_default(), &known.join(", ")))?;
                let mut claims = Self::of_list(name, &entries, !tool.names_kinds());
                let skipped = list.skipped.iter();
                let skipped = skipped.map(|error| format!("{name}:{}: {error}", error.line));
                let left_out = left_out.iter();
                let left_out = left_out.map(|entries| format!("{name}: {entries}; compare them with --component"));
                claims.left_out.extend(skipped.chain(left_out));
                claims
            }
            SourceFormat::FeatureGates => {
                let mut list = FeatureGates::default();
                list.add(name, text).map_err(|error| unreadable(name, &error))?;
                Self::of_gates(name, &list)
            }
            SourceFormat::Calendar => {
                let mut dates = ReleaseDates::default();
                dates.add(name, text).map_err(|error| unreadable(name, &error))?;
                Self::of_calendar(name, &dates)
            }
            SourceFormat::Model => Self::default(),
        };
        if claims.elements.is_empty() {
            // A source without elements would agree with everything.
            let reason = claims
                .left_out
                .first()
                .map_or_else(String::new, |reason| format!(": {reason}"));
            let help = "name a source about elements of the model, or its format with --as";
            return Err(ImportError::new(format!("{name}: nothing to compare{reason}"), help));
        }
        Ok(claims)
    }
}

fn unreadable(name: &str, error: &Unreadable) -> ImportError {
    ImportError::unreadable(name, error, "fix the file, or name its format with --as")
}

/// The entries of a list that are about the product of another source, and in words what is left out.
///
/// Of a list with several products, the `chosen` one counts, or else those that have a group of that source.
///
/// # Errors
///
/// If no entry is of the chosen product: the products in the list.
pub fn of_product(
    entries: Vec<ListedApi>,
    chosen: Option<&str>,
    other: &Claims,
) -> Result<(Vec<ListedApi>, Vec<String>), Vec<String>> {
    let mut products: BTreeMap<String, Product> = BTreeMap::new();
    let paths = other.elements.keys().filter_map(|id| ElementPath::parse(id).ok());
    let groups: BTreeSet<String> = paths
        .filter_map(|path| Some(path.version()?.group.to_string()))
        .collect();
    for entry in &entries {
        let product = products.entry(entry.component().to_owned()).or_default();
        product.entries += 1;
        product.is_known |= groups.contains(&entry.api.group);
    }
    if chosen.is_some_and(|chosen| !products.contains_key(chosen)) {
        return Err(products.into_keys().collect());
    }
    let only = products.len() == 1;
    for (name, product) in &mut products {
        product.counts = match chosen {
            Some(chosen) => name == chosen,
            None => product.is_known || only,
        };
    }
    let left_out = products.iter().filter(|(_, product)| !product.counts);
    let left_out = left_out.map(|(name, product)| {
        let name = if name.is_empty() { "no component" } else { name };
        let entries = if product.entries == 1 { "entry" } else { "entries" };
        format!("{} {entries} of {name}", product.entries)
    });
    let left_out = left_out.collect();
    let kept = entries
        .into_iter()
        .filter(|entry| products.get(entry.component()).is_some_and(|product| product.counts))
        .collect();
    Ok((kept, left_out))
}

#[derive(Default)]
struct Product {
    entries: usize,
    is_known: bool,
    counts: bool,
}
