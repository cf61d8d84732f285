//! How often tests compare elements: the cost of an answer, which no clock has to measure.
//!
//! Whoever looks for an event, an obligation or an element in a list compares elements. So a search within a loop shows
//! as a count that grows faster than the model.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

pub(super) fn count() {
    COUNT.set(COUNT.get() + 1);
}

/// The comparisons that some work makes, in its thread.
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNT.get();
    let result = work();
    (result, COUNT.get() - before)
}
