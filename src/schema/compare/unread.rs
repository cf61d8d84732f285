//! New rules of the items of lists and the values of maps, or of fields far below. Rules of objects around them are not
//! compared with these: what both read decides whether one of them may demand the same.

use crate::cel::reads::Reads;
use crate::schema::node::{Additional, Schema};

use super::Comparison;
use super::elsewhere::{Object, own_rules};
use super::place::{Place, Way};
use super::restated::Wanted;

impl Comparison {
    pub(super) fn find_unread_items<'s>(
        &mut self,
        [old, new]: [&'s Schema; 2],
        object: &Object<'_>,
        place: &mut Place<'s>,
        found: &mut Vec<String>,
    ) {
        let lists = [old, new].map(|list| list.items.as_deref());
        let maps = [old, new].map(|map| match &map.additional {
            Some(Additional::Of(values)) => Some(&**values),
            _ => None,
        });
        for (way, sides) in [(Way::Item, lists), (Way::Value, maps)] {
            if let [Some(before), Some(after)] = sides {
                self.find_unread(&way, [before, after], object, place, found);
            }
        }
    }

    /// Finds the schemas with new rules that the old rules of an object around them may demand.
    pub(super) fn find_unread<'s>(
        &mut self,
        way: &Way<'s>,
        [old, new]: [&'s Schema; 2],
        object: &Object<'_>,
        place: &mut Place<'s>,
        found: &mut Vec<String>,
    ) {
        if object.sides[0].rules.is_empty() || !self.steps.visit() {
            return;
        }
        let length = place.enter(*way);
        if !new.rules.is_empty() && old.rules != new.rules && self.may_be_demanded([old, new], object, place) {
            self.around.entry(place.path().to_owned()).or_default().is_unknown = true;
            found.push(place.path().to_owned());
        }
        for (name, before) in &old.properties {
            if let Some(after) = new.properties.get(name) {
                let sides = [&*before.schema, &*after.schema];
                self.find_unread(&Way::Field(name), sides, object, place, found);
            }
        }
        self.find_unread_items([old, new], object, place, found);
        place.leave(length);
    }

    /// Whether the old rules of an object may demand what the new rules of a value in it do.
    fn may_be_demanded(&mut self, [old, new]: [&Schema; 2], object: &Object<'_>, place: &Place<'_>) -> bool {
        if !self.steps.read_rules(&[object.sides[0], new]) {
            return true;
        }
        let Some(held) = object.reads() else { return true };
        let steps = place.steps();
        let mut added = own_rules(new).filter(|rule| !own_rules(old).any(|known| known == *rule));
        let meets = added.any(|rule| {
            let reads = Reads::of(rule);
            reads.is_none_or(|reads| held.iter().any(|held| held.meet(&reads, &steps)))
        });
        if meets {
            return true;
        }
        // Where they exclude that there is a value, its rules reject nothing.
        let rules = self.asked.rules(object.sides, &self.readings);
        let never = place.is_never_there().map(|rule| Wanted { rule, integer: None });
        never.and_then(|never| self.is_demanded(&rules, never)) != Some(false)
    }
}
