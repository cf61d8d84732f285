//! The cost of what is worked out anew whenever an event moves, which no limit on the text of a model bounds.
//!
//! Whether the ends of two versions leave an overlap depends on the ends of others, which move when it does not. How
//! often they do depends on the releases, not on the size of the text: 900 versions that begin one after another are
//! worked out 900 times. So the steps are counted, and beyond a limit the model is refused.

use std::cell::Cell;

/// The most steps that the overlaps of a model may take: each pair of lives that is compared is one.
const MOST_STEPS: usize = 20_000_000;

/// How many steps each element adds to [`MOST_STEPS`].
const STEPS_OF_ELEMENT: usize = 512;

/// How many steps a life is that is looked up.
pub(crate) const STEPS_OF_LIFE: usize = 16;

/// The steps that are left.
#[derive(Debug)]
pub(crate) struct Steps {
    most: usize,
    left: Cell<usize>,
}

impl Steps {
    /// Those of a model with so many elements.
    pub(crate) fn of(elements: usize) -> Self {
        Self::at_most(MOST_STEPS + elements * STEPS_OF_ELEMENT)
    }

    pub(crate) fn at_most(most: usize) -> Self {
        Self {
            most,
            left: Cell::new(most),
        }
    }

    /// Counts some.
    pub(crate) fn take(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Whether none is left: what has been worked out is not complete.
    pub(crate) fn are_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// How many there were.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// How many have been taken.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.most - self.left.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_model_may_take_more_steps() {
        let steps = Steps::of(3);
        steps.take(MOST_STEPS + 3 * STEPS_OF_ELEMENT - 1);
        assert!(!steps.are_spent());
        steps.take(1);
        assert!(steps.are_spent());
    }
}
