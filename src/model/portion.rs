//! Portions of a model: what is planned and judged alike whatever the rest of the model says.
//!
//! A *unit* is what a file declares under one name: a group with its versions, kinds and members, a program with its
//! commands, a gate, a metric, a behavior. What the law demands of a unit follows from the unit, from those that it
//! refers to and from those that refer to it, such as a gate from what it guards; from nothing else of the model but
//! its calendar. So a portion that is closed under references is planned and judged alone as it is within its model. A
//! change of one unit is judged by the portion around it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::grammar::{FileSection, heading};

use super::{Command, ElementId, ElementKind, ExtraElement, Gate, Group, Metric, Model};

/// The elements of a portion.
#[derive(Debug, Clone)]
pub(crate) struct Portion(Arc<[bool]>);

/// The keys under which a file declares a unit: `["group", "apps"]`, `["gate", "Frobber2D"]`.
pub(crate) type UnitKeys = [String; 2];

/// The units of a model, by their positions, and which refer to one another.
#[derive(Debug)]
struct Units<'m> {
    model: &'m Model,
    /// The first element of each; its elements stand side by side.
    firsts: Vec<ElementId>,
    references: HashMap<usize, Vec<usize>>,
}

impl Portion {
    /// The number of its elements.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().filter(|is_within| **is_within).count()
    }
}

impl Model {
    /// This model with only a portion of it to be planned and judged.
    #[must_use]
    pub(crate) fn only(mut self, portion: Portion) -> Self {
        self.portion = Some(portion);
        self
    }

    /// Whether an element is planned and judged.
    pub(crate) fn judges(&self, id: ElementId) -> bool {
        self.portion.as_ref().is_none_or(|portion| portion.0[id.0 as usize])
    }

    /// The elements that are planned and judged.
    pub(crate) fn judged(&self) -> impl Iterator<Item = ElementId> {
        let ids = self.elements().map(|(id, _)| id);
        ids.filter(|id| self.judges(*id))
    }

    /// The groups that are planned and judged.
    pub(crate) fn judged_groups(&self) -> impl Iterator<Item = &Group> {
        let groups = self.groups.iter();
        groups.filter(|group| first_of(group).is_none_or(|first| self.judges(first)))
    }

    /// The commands and flags that are planned and judged.
    pub(crate) fn judged_commands(&self) -> impl Iterator<Item = &Command> {
        self.commands.iter().filter(|command| self.judges(command.element))
    }

    /// The gates that are planned and judged.
    pub(crate) fn judged_gates(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| self.judges(gate.element))
    }

    /// The metrics that are planned and judged.
    pub(crate) fn judged_metrics(&self) -> impl Iterator<Item = &Metric> {
        self.metrics.iter().filter(|metric| self.judges(metric.element))
    }

    /// The behaviors that are planned and judged.
    pub(crate) fn judged_behaviors(&self) -> impl Iterator<Item = ElementId> {
        self.behaviors.iter().copied().filter(|behavior| self.judges(*behavior))
    }

    /// The elements of kinds that are not built in, as far as they are planned and judged.
    pub(crate) fn judged_extras(&self) -> impl Iterator<Item = &ExtraElement> {
        self.extras.iter().filter(|extra| self.judges(extra.element))
    }

    /// The portion around some elements.
    pub(crate) fn portion_around(&self, elements: impl IntoIterator<Item = ElementId>) -> Portion {
        let units = Units::of(self);
        let around = elements.into_iter().map(|id| units.unit_of(id));
        units.portion(&units.reached_from(around))
    }

    /// What is about some elements, by the smallest portions that they are in, each with its number of elements.
    pub(crate) fn by_portion<T>(&self, items: Vec<T>, element: fn(&T) -> ElementId) -> Vec<(usize, Vec<T>)> {
        let mut portions: Vec<(usize, Vec<T>)> = Vec::new();
        if items.is_empty() {
            return portions;
        }
        let units = Units::of(self);
        let mut portion_of: HashMap<usize, usize> = HashMap::new();
        for item in items {
            let unit = units.unit_of(element(&item));
            let at = *portion_of.entry(unit).or_insert(portions.len());
            if at == portions.len() {
                let reached = units.reached_from([unit]);
                let size = reached.iter().map(|unit| units.elements(*unit).len()).sum();
                portion_of.extend(reached.into_iter().map(|unit| (unit, at)));
                portions.push((size, Vec::new()));
            }
            portions[at].1.push(item);
        }
        portions
    }

    /// Of two models that differ in the units with these keys only, the portions around what differs. `None` if a key
    /// is of no unit.
    pub(crate) fn portions_around<'k>(
        [before, after]: [&Self; 2],
        changed: impl IntoIterator<Item = &'k UnitKeys>,
    ) -> Option<[Portion; 2]> {
        let units = [before, after].map(Units::of);
        let mut reached = [BTreeSet::new(), BTreeSet::new()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        for keys in changed {
            let known = (0..2).filter_map(|side| Some((side, units[side].find(keys)?)));
            let count = open.len();
            open.extend(known);
            if open.len() == count {
                return None;
            }
        }
        while let Some((side, unit)) = open.pop() {
            if !reached[side].insert(unit) {
                continue;
            }
            let references = units[side].references.get(&unit).into_iter().flatten();
            open.extend(references.map(|other| (side, *other)));
            let other = units[1 - side].find(&units[side].keys(unit));
            open.extend(other.map(|other| (1 - side, other)));
        }
        let [one, other] = units;
        Some([one.portion(&reached[0]), other.portion(&reached[1])])
    }
}

/// The first of the elements of a group.
fn first_of(group: &Group) -> Option<ElementId> {
    group.versions.iter().map(|version| version.element).min()
}

impl<'m> Units<'m> {
    fn of(model: &'m Model) -> Self {
        let alone = model
            .elements()
            .filter(|(_, element)| element.parent.is_none() && !element.kind.is_version());
        let mut firsts: Vec<ElementId> = model.groups.iter().filter_map(first_of).collect();
        let mut last_program = None;
        for (id, element) in alone {
            let is_command = element.kind.row().section == FileSection::Cli;
            let program = is_command.then(|| heading(model.id(id)).0);
            if program.is_none() || program != last_program {
                firsts.push(id);
            }
            last_program = program;
        }
        firsts.sort_unstable();
        let mut units = Self {
            model,
            firsts,
            references: HashMap::new(),
        };
        units.connect();
        units
    }

    fn connect(&mut self) {
        let model = self.model;
        let with_keys = model
            .elements()
            .filter_map(|(id, element)| Some((id, element.attributes()?)));
        let named = with_keys.flat_map(|(id, attributes)| {
            let references = attributes.replacement.iter().chain(&attributes.gated_by);
            references.filter_map(move |reference| Some((id, reference.target?)))
        });
        let needed = model.gates.iter().flat_map(|gate| {
            let references = gate.depends_on.iter();
            references.filter_map(|reference| Some((gate.element, reference.target?)))
        });
        for (from, to) in named.chain(needed) {
            let (from, to) = (self.unit_of(from), self.unit_of(to));
            if from != to {
                self.references.entry(from).or_default().push(to);
                self.references.entry(to).or_default().push(from);
            }
        }
    }

    fn unit_of(&self, id: ElementId) -> usize {
        self.firsts.partition_point(|first| *first <= id).saturating_sub(1)
    }

    /// These units, and all that references connect with them.
    fn reached_from(&self, units: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = units.into_iter().collect();
        let mut reached = BTreeSet::new();
        while let Some(unit) = open.pop() {
            if reached.insert(unit) {
                open.extend(self.references.get(&unit).into_iter().flatten());
            }
        }
        reached
    }

    /// The positions of the elements of a unit.
    fn elements(&self, unit: usize) -> Range<usize> {
        let end = self.firsts.get(unit + 1).map(|next| next.0 as usize);
        self.firsts[unit].0 as usize..end.unwrap_or(self.model.elements().len())
    }

    fn keys(&self, unit: usize) -> UnitKeys {
        let keys = self.model.element(self.firsts[unit]).path().keys();
        let mut keys = keys.into_iter();
        [(); 2].map(|()| keys.next().unwrap_or_default())
    }

    /// The unit with these keys. Units are in the order of the sections of a file and, in one, in that of their names.
    fn find(&self, keys: &UnitKeys) -> Option<usize> {
        let [root, name] = keys;
        let mut sections = ElementKind::ALL.into_iter().map(|kind| kind.row().section);
        let wanted = sections
            .find(|section| section.as_str() == root)
            .unwrap_or(FileSection::Extra);
        let start = self.firsts.partition_point(|first| self.section(*first) < wanted);
        let end = self.firsts.partition_point(|first| self.section(*first) <= wanted);
        if wanted == FileSection::Extra {
            return (start..end).find(|unit| self.keys(*unit) == *keys);
        }
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.keys(middle)[1] < *name {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < end && self.keys(low) == *keys).then_some(low)
    }

    fn section(&self, id: ElementId) -> FileSection {
        self.model.element(id).kind.row().section
    }

    fn portion(&self, units: &BTreeSet<usize>) -> Portion {
        let mut within = vec![false; self.model.elements().len()];
        for unit in units {
            within[self.elements(*unit)].fill(true);
        }
        Portion(within.into())
    }
}
