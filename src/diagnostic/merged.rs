//! Findings about several elements: one entry declares the same for all of them.

use super::Diagnostic;

impl Diagnostic {
    /// Itself, and what it has taken in about other elements.
    pub(crate) fn each(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }

    /// Takes in a finding that says the same about other elements.
    pub(crate) fn take_in(&mut self, mut other: Self) {
        let also = std::mem::take(&mut other.also);
        self.also.push(other);
        self.also.extend(also);
    }
}
