//! The element that a user names.

use lifecycle::model::{ElementId, Model};

use crate::failure::{Failure, Result};

pub fn find_element(model: &Model, name: &str) -> Result<ElementId> {
    match model.find_abbreviated(name).as_slice() {
        [element] => Ok(*element),
        [] => {
            let help = model.did_you_mean(name);
            let help = help.unwrap_or_else(|| "`lifecycle plan` lists the elements".to_owned());
            Err(Failure::new(format!("there is no element `{name}`")).help(help))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|element| model.id(*element)).collect();
            Err(Failure::new(format!("`{name}` is ambiguous")).help(format!("name one of: {}", ids.join(", "))))
        }
    }
}
