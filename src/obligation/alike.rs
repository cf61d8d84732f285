//! Obligations that are the same but for the element that they are on.

use crate::model::ElementId;

use super::{Anchor, Demand, Obligation, Obligations, Term};

impl Obligations {
    /// Whether the same obligations are on two elements, in the same order and for the same reasons.
    pub(crate) fn are_alike(&self, one: ElementId, other: ElementId) -> bool {
        let (mut own, mut others) = (self.of(one), self.of(other));
        loop {
            match (own.next(), others.next()) {
                (Some((_, own)), Some((_, other))) if own.is_like(other) => {}
                (None, None) => return true,
                _ => return false,
            }
        }
    }
}

impl Obligation {
    fn is_like(&self, other: &Self) -> bool {
        let demands = (&self.demand, &other.demand);
        (self.source, self.code) == (other.source, other.code)
            && self.event.of(other.event.element) == other.event
            && self.because == other.because
            && match demands {
                (Demand::NotBefore(own), Demand::NotBefore(others))
                | (Demand::NotAfter(own), Demand::NotAfter(others)) => {
                    own.is_like(others, (self.event.element, other.event.element))
                }
                (own, others) => own == others,
            }
    }
}

impl Term {
    /// Whether two terms count from the same: the same event of the own element, or of the same other one.
    fn is_like(&self, other: &Self, (own, others): (ElementId, ElementId)) -> bool {
        let is_rest = (self.reach, self.only_in) == (other.reach, other.only_in);
        is_rest
            && match (self.anchor, other.anchor) {
                (Anchor::Event(event), Anchor::Event(same)) if event.element == own => event.of(others) == same,
                (Anchor::Event(event), Anchor::Event(same)) => event == same && event.element != others,
                (anchor, same) => anchor == same,
            }
    }
}
