//! The element that a user names.

use lifecycle::model::{ElementId, Model};

use crate::failure::Failure;

/// The most candidates that a message lists.
const MOST_CANDIDATES: usize = 5;

/// The element with this id, or the only one whose id ends in it after its group's name: `v1beta1 Widget`.
pub fn find_element(model: &Model, name: &str) -> Result<ElementId, Failure> {
    if let Some(id) = model.find(name) {
        return Ok(id);
    }
    let ending = format!("/{name}");
    let candidates: Vec<(ElementId, &str)> = model
        .elements()
        .map(|(id, _)| (id, model.id(id)))
        .filter(|(_, id)| !name.is_empty() && id.ends_with(&ending))
        .take(MOST_CANDIDATES)
        .collect();
    match candidates.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let help = model.did_you_mean(name);
            let help = help.unwrap_or_else(|| "`lifecycle plan` lists the elements".to_owned());
            Err(Failure::new(format!("there is no element `{name}`")).help(help))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|(_, id)| *id).collect();
            Err(Failure::new(format!("`{name}` is ambiguous")).help(format!("name one of: {}", ids.join(", "))))
        }
    }
}
