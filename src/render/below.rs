//! Names of elements below their headings, in a sentence or a list.

use crate::report::ElementsBelow;

use super::visible;

impl ElementsBelow<'_> {
    /// The ids.
    pub(super) fn in_full(&self) -> String {
        if self.names.len() > 1 && self.is_kind() {
            return format!("{} {}", inside(self.heading), self.names.join(", "));
        }
        let ids = by_version(&self.names)
            .into_iter()
            .map(|name| format!("{}{name}", self.before));
        ids.collect::<Vec<_>>().join(", ")
    }

    /// How many they are.
    pub(super) fn count(&self) -> String {
        let what = if self.is_kind() {
            inside(self.heading)
        } else {
            let s = if self.names.len() == 1 { "" } else { "s" };
            format!("element{s} of {}", visible(self.heading))
        };
        format!("{} {what}", self.names.len())
    }

    /// Whether the heading says what they are, and not what they are part of.
    pub(super) fn is_kind(&self) -> bool {
        self.before.ends_with(' ') && self.before.trim_end() != self.heading
    }
}

/// A heading within a sentence: "gates", "configuration keys", "HTTP endpoints".
pub(super) fn inside(heading: &str) -> String {
    let mut chars = heading.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            format!("{}{second}{}", first.to_lowercase(), chars.as_str())
        }
        _ => heading.to_owned(),
    }
}

/// Names that begin with the same version, together: `v1 Deployment, ReplicaSet`.
pub(super) fn by_version(names: &[&str]) -> Vec<String> {
    let mut together: Vec<(&str, String)> = Vec::new();
    for name in names {
        let version = name.split_once(' ').map(|(version, _)| version);
        let known = together.iter_mut().find(|(known, _)| Some(*known) == version);
        match (known, name.split_once(' ')) {
            (Some((_, all)), Some((_, kind))) => {
                all.push_str(", ");
                all.push_str(kind);
            }
            _ => together.push((version.unwrap_or_default(), (*name).to_owned())),
        }
    }
    together.into_iter().map(|(_, names)| names).collect()
}

/// So many elements are listed without being counted.
pub(super) const MANY: usize = 4;

/// The ids, below their headings.
pub(super) fn names(elements: &[ElementsBelow<'_>]) -> String {
    let names: Vec<String> = elements.iter().map(ElementsBelow::in_full).collect();
    visible(&names.join("; "))
}

/// "2 elements of apps; 53 gates"; the elements of several groups as one number.
pub(super) fn counted(elements: &[ElementsBelow<'_>]) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    let mut others = 0;
    let mut groups: Vec<&str> = Vec::new();
    for below in elements {
        let count = below.names.len();
        if !below.is_kind() {
            others += count;
            groups.push(below.heading);
        } else if let Some((_, known)) = kinds.iter_mut().find(|(heading, _)| *heading == below.heading) {
            *known += count;
        } else {
            kinds.push((below.heading, count));
        }
    }
    groups.dedup();
    let others = (others > 0).then(|| match groups.as_slice() {
        [only] => format!("{others} {} of {}", plural(others, "element"), visible(only)),
        _ => format!("{others} {}", plural(others, "element")),
    });
    let kinds = kinds.into_iter().map(|(heading, count)| {
        let mut only = elements.iter().filter(|below| below.heading == heading);
        match only.next().filter(|_| count == 1) {
            // What headings call several has no word for one.
            Some(only) => visible(&only.in_full()),
            None => format!("{count} {}", inside(heading)),
        }
    });
    others.into_iter().chain(kinds).collect::<Vec<_>>().join("; ")
}

fn plural(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{what}{s}")
}
