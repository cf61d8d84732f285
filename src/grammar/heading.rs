//! What lists show of an id: the heading above it, and the rest.

use super::extra_kind::{can_name_kind, preset_title};
use super::path::{CORE, ElementPath, Family};
use super::path_text::{CLI, CONFIG, named, parse_group, parse_name};

impl ElementPath<'_> {
    /// As a server names it: `apps/v1 Deployment`, and of the core group `v1 Endpoints`.
    pub(crate) fn server_name(&self) -> String {
        let text = self.to_string();
        match self.version() {
            Some(version) if version.family == Family::Api && version.group == CORE => heading(&text).1.to_owned(),
            _ => text,
        }
    }
}

/// The heading under which lists show an element (its group, its program, or `gates`), and the rest of its id.
pub(crate) fn heading(id: &str) -> (&str, &str) {
    if let Some((word, name)) = id.split_once(' ')
        && let Some(heading) = named(word).and_then(|kind| kind.row().section.heading())
    {
        return (heading, name);
    }
    if let Some((kind, name)) = id.split_once(' ').filter(|(word, _)| can_name_kind(word)) {
        return (preset_title(kind).unwrap_or(kind), name);
    }
    let split = match id.split_once(' ') {
        Some((CLI, rest)) => parse_name(rest, rest.find(' ')).map(|(_, rest)| rest.len()),
        Some((CONFIG, rest)) => parse_group(rest).map(|(_, rest)| rest.len() + 1),
        _ => parse_group(id).map(|(_, rest)| rest.len() + 1),
    };
    let (heading, rest) = id.split_at(id.len() - split.unwrap_or(0));
    match rest.get(1..) {
        Some(rest) => (heading, rest),
        None => (id, id),
    }
}

/// An id without the word that says what sort of element it is of: `kubectl drain` of `cli kubectl drain`. Any other
/// word may begin the name of what is outside of the project.
pub(crate) fn without_word(id: &str) -> &str {
    match id.split_once(' ') {
        Some((word, rest))
            if [CLI, CONFIG].contains(&word) || named(word).is_some() || preset_title(word).is_some() =>
        {
            rest
        }
        _ => id,
    }
}
