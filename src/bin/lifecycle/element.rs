//! The element that a user names.

use lifecycle::model::{ElementId, Model};

use crate::failure::{Failure, Result};

/// The most elements that a message names.
const MOST_NAMED: usize = 5;

pub fn find_element(model: &Model, name: &str) -> Result<ElementId> {
    match model.find_abbreviated(name).as_slice() {
        [element] => Ok(*element),
        [] => {
            let lists = model.command_line(&format!("plan --element '{name}'"));
            let pattern = (name.contains('*') && !name.contains('\''))
                .then(|| format!("name one element, not a pattern; `{lists}` lists what it matches"));
            let help = pattern.or_else(|| model.did_you_mean(name));
            let help = help.unwrap_or_else(|| format!("`{}` lists the elements", model.command_line("plan --all")));
            Err(Failure::new(format!("there is no element `{name}`")).help(help))
        }
        several => {
            let named = several.iter().take(MOST_NAMED);
            let ids: Vec<&str> = named.map(|element| model.id(*element)).collect();
            let more = if several.len() > ids.len() { ", …" } else { "" };
            let help = format!("name one of: {}{more}", ids.join(", "));
            Err(Failure::new(format!("`{name}` is ambiguous")).help(help))
        }
    }
}
