//! Changes of one command that contradict each other. All of them are of the model as it is, so none is about what
//! another one adds or drops.

use std::collections::{BTreeMap, BTreeSet};

use super::{Changes, Unchangeable};

impl Changes {
    /// # Errors
    ///
    /// If two changes contradict each other.
    pub(super) fn check_conflicts(&self) -> Result<(), Unchangeable> {
        let set = self.declarations.iter().filter_map(|text| text.split_once('='));
        let set: Vec<_> = set
            .filter_map(|(event, value)| Some((event.trim().rsplit_once('.')?, value.trim())))
            .collect();
        let added: Vec<&str> = self.added.iter().map(|text| id_of(text)).collect();
        let dropped: Vec<&str> = self.dropped.iter().map(|text| text.trim()).collect();
        let one = "leave one of the changes out, or show them side by side: `-- --set …`";
        let mut values = BTreeMap::new();
        for ((element, event), value) in &set {
            if *values.entry((element, event)).or_insert(value) != value {
                return Err(Unchangeable::new(
                    format!("{element}.{event} is set to two values"),
                    one,
                ));
            }
        }
        for (what, ids) in [("added", &added), ("dropped", &dropped)] {
            if let Some(id) = repeated(ids) {
                return Err(Unchangeable::new(format!("{id} is {what} twice"), one));
            }
        }
        if let Some(id) = added.iter().find(|id| dropped.contains(id)) {
            let help = format!("`--set '{id}.introduced=RELEASE'` moves its introduction");
            return Err(Unchangeable::new(format!("{id} is dropped and added"), help));
        }
        if let Some(id) = named_in(&set, &dropped) {
            return Err(Unchangeable::new(
                format!("{id} is dropped, and something of it is set"),
                one,
            ));
        }
        named_in(&set, &added).map_or(Ok(()), |id| {
            let help = "declare it with all its events by `--patch FILE`, or add it first, with `--write`";
            Err(Unchangeable::new(
                format!("{id} is added, so nothing of it is set yet"),
                help,
            ))
        })
    }
}

/// The first element of which something is set, and that is one of these.
fn named_in<'a>(set: &[((&'a str, &str), &str)], ids: &[&str]) -> Option<&'a str> {
    let mut elements = set.iter().map(|((element, _), _)| *element);
    elements.find(|element| ids.contains(element))
}

/// The id of an element to add, without its release.
fn id_of(added: &str) -> &str {
    let at = added.rsplit_once('@').filter(|(id, _)| !id.ends_with(' '));
    at.map_or(added, |(id, _)| id).trim()
}

fn repeated<'a>(ids: &[&'a str]) -> Option<&'a str> {
    let mut known = BTreeSet::new();
    ids.iter().find(|id| !known.insert(**id)).copied()
}
