//! Findings about several elements: one entry declares the same for all of them.

use super::Diagnostic;

impl Diagnostic {
    /// The elements that it is about, with their lives.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (&str, u8)> {
        let own = self.element.as_deref().map(|id| (id, self.life));
        own.into_iter().chain(self.also.iter().map(|(id, life)| (&**id, *life)))
    }

    /// Takes in a finding that says the same about other elements.
    pub(crate) fn take_in(&mut self, other: Self) {
        let own = other.element.map(|id| (id.into_boxed_str(), other.life));
        self.also.extend(own.into_iter().chain(other.also));
    }
}
