//! The list of elements, by far the largest part of the report of a large model.

use std::fmt::Debug;

use serde::{Serialize, Serializer};

use super::ElementReport;

/// Makes the entries of [`ElementReports`].
pub trait MakeElements: Debug {
    /// How many elements there are.
    fn count(&self) -> usize;

    /// The element at a position below [`Self::count`].
    fn element(&self, at: usize) -> ElementReport<'_>;

    /// Its id.
    fn id(&self, at: usize) -> &str;

    /// Whether the elements at two positions are known to differ in nothing but their ids.
    fn are_alike(&self, one: usize, other: usize) -> bool;
}

/// Each element with its bounds. An entry is made when it is read, so that the list is never held as a whole.
#[derive(Debug, Default)]
pub struct ElementReports<'a>(Option<Box<dyn MakeElements + 'a>>);

impl<'a> ElementReports<'a> {
    /// The elements that `elements` makes.
    pub fn new(elements: impl MakeElements + 'a) -> Self {
        Self(Some(Box::new(elements)))
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |elements| elements.count())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What makes the elements.
    pub fn maker(&self) -> Option<&dyn MakeElements> {
        self.0.as_deref().map(|elements| elements as &dyn MakeElements)
    }

    /// The elements, in the model's order.
    pub fn iter(&self) -> impl Iterator<Item = ElementReport<'_>> {
        let elements = self.0.as_deref().into_iter();
        elements.flat_map(|elements| (0..elements.count()).map(|at| elements.element(at)))
    }
}

impl Serialize for ElementReports<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
