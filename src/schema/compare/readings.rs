//! Rules that are read once, however many others they are compared with.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::cel::implied::{Read, read};

/// What was read, by the texts of the rules; `None` of those that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Readings(RefCell<BTreeMap<String, Option<Rc<Read>>>>);

impl Readings {
    /// A rule as others are compared with it; `None` if it cannot be read.
    pub(super) fn read(&self, rule: &str) -> Option<Rc<Read>> {
        let mut known = self.0.borrow_mut();
        if let Some(found) = known.get(rule) {
            return found.clone();
        }
        let found = read(rule).map(Rc::new);
        known.insert(rule.to_owned(), found.clone());
        found
    }
}
