//! What an expression costs at most, as servers estimate it before any object exists.

use std::collections::HashMap;

use super::check::Checked;
use super::declared::{Declared, Part};
use super::estimate::{Argument, Call, Content, Place};
use super::size::Size;
use super::types::Type;
use crate::cel::tree::{Entry, Expr, Id, Item, Literal, Loop};

const LIST: u64 = 10;
const MAP: u64 = 30;
const MESSAGE: u64 = 40;

/// The cost of an expression at most.
pub(super) fn cost(checked: &Checked, declared: &Declared) -> u64 {
    let nodes = checked.tree.len();
    let mut coster = Coster {
        checked,
        declared,
        places: vec![Place::Nowhere; nodes],
        locals: HashMap::new(),
        sizes: vec![None; nodes],
        contents: vec![None; nodes],
    };
    coster.cost(checked.root)
}

#[derive(Debug, Clone, Copy)]
struct Local {
    place: Place,
    size: Option<Size>,
    content: Option<Content>,
}

pub(super) struct Coster<'c> {
    pub(super) checked: &'c Checked,
    declared: &'c Declared,
    places: Vec<Place>,
    locals: HashMap<String, Vec<Local>>,
    sizes: Vec<Option<Size>>,
    contents: Vec<Option<Content>>,
}

impl Coster<'_> {
    fn cost(&mut self, id: Id) -> u64 {
        match self.checked.tree.get(id) {
            Expr::Literal(_) => 0,
            Expr::Name(name) => {
                self.places[id] = match self.local(name) {
                    Some(local) => local.place,
                    None => Place::At(self.declared.root()),
                };
                1
            }
            Expr::Select { operand, field, tests } => self.select(id, *operand, field, *tests),
            Expr::Call {
                function,
                target,
                arguments,
            } => self.call(id, function, *target, arguments),
            Expr::List(items) => self.list(id, items),
            Expr::Map(entries) => self.map(id, entries),
            Expr::Message { values, .. } => {
                let sum = values
                    .iter()
                    .fold(0, |sum: u64, value| sum.saturating_add(self.cost(*value)));
                sum.saturating_add(MESSAGE)
            }
            Expr::Loop(of) if self.is_binding(of) => self.binding(id, of),
            Expr::Loop(of) => self.repeat(id, of),
        }
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.get(name)?.last()
    }

    fn push(&mut self, name: &str, local: Local) {
        self.locals.entry(name.to_owned()).or_default().push(local);
    }

    fn pop(&mut self, name: &str) {
        if let Some(all) = self.locals.get_mut(name) {
            all.pop();
        }
    }

    fn place(&self, id: Id) -> Place {
        if let Expr::Name(name) = self.checked.tree.get(id)
            && let Some(local) = self.local(name)
        {
            return local.place;
        }
        self.places[id]
    }

    /// The place of a part. A path that has but one step is that of the root, whatever the step is.
    pub(super) fn below(&self, place: Place, part: Part<'_>) -> Place {
        match place {
            Place::Nowhere => Place::At(self.declared.root()),
            Place::At(of) => self.declared.part(of, part).map_or(Place::Lost, Place::At),
            Place::Lost => Place::Lost,
        }
    }

    pub(super) fn declared_size(&self, place: Place) -> Option<Size> {
        match place {
            Place::At(of) => Some(Size::up_to(self.declared.largest(of))),
            _ => None,
        }
    }

    fn select(&mut self, id: Id, operand: Id, field: &str, tests: bool) -> u64 {
        let cost = self.cost(operand);
        if tests {
            return cost;
        }
        self.places[id] = self.below(self.place(operand), Part::Field(field));
        let has_fields = match &self.checked.types[operand] {
            Type::Map(..) | Type::Object(_) => true,
            Type::Library(library) => library.is_structured(),
            _ => false,
        };
        cost.saturating_add(u64::from(has_fields))
    }

    fn argument(&mut self, id: Id) -> Argument {
        Argument {
            id,
            place: self.place(id),
            size: self.size(id),
        }
    }

    fn call(&mut self, id: Id, function: &str, target: Option<Id>, arguments: &[Id]) -> u64 {
        if let ("dyn", [of]) = (function, arguments) {
            let cost = self.cost(*of);
            self.copy_sizes(id, *of);
            return cost.saturating_add(1);
        }
        let mut costs = Vec::new();
        let mut known = Vec::new();
        for argument in arguments {
            costs.push(self.cost(*argument));
            known.push(self.argument(*argument));
        }
        let overloads = &self.checked.overloads[id];
        if overloads.is_empty() {
            return 0;
        }
        let target_cost = target.map_or(0, |target| self.cost(target));
        let target = target.map(|target| self.argument(target));
        let mut most: u64 = 0;
        let mut result: Option<Size> = None;
        for overload in overloads {
            let call = Call {
                id,
                function,
                overload,
                target,
                arguments: &known,
                costs: &costs,
            };
            let (cost, size) = self.overload(&call);
            most = most.max(cost);
            result = match (result, size) {
                (Some(before), Some(size)) => Some(before.or(size)),
                (before, size) => before.or(size),
            };
            if let ("index_list" | "index_map", [of, ..]) = (*overload, arguments) {
                let is_list = *overload == "index_list";
                let part = if is_list { Part::Items } else { Part::Values };
                result = self.content(*of).map(|content| content.value);
                self.places[id] = self.below(self.place(*of), part);
            }
            if result.is_none() {
                result = self.size(id);
            }
        }
        self.set_size(id, result);
        target_cost.saturating_add(most)
    }

    fn list(&mut self, id: Id, items: &[Item]) -> u64 {
        let mut sum = LIST;
        let mut value = nothing(items.is_empty());
        for item in items {
            sum = sum.saturating_add(self.cost(item.value));
            value = value.or(self.size_or_unknown(item.value));
        }
        self.contents[id] = Some(Content {
            is_map: false,
            key: Size::exactly(1),
            value,
        });
        sum
    }

    fn map(&mut self, id: Id, entries: &[Entry]) -> u64 {
        let mut sum = MAP;
        let mut key = nothing(entries.is_empty());
        let mut value = key;
        for entry in entries {
            sum = sum.saturating_add(self.cost(entry.key));
            sum = sum.saturating_add(self.cost(entry.value.value));
            key = key.or(self.size_or_unknown(entry.key));
            value = value.or(self.size_or_unknown(entry.value.value));
        }
        let is_map = true;
        self.contents[id] = Some(Content { is_map, key, value });
        sum
    }

    /// Whether a loop only gives a value a name.
    fn is_binding(&self, of: &Loop) -> bool {
        let tree = &self.checked.tree;
        let has_none = matches!(tree.get(of.range), Expr::List(items) if items.is_empty());
        has_none && matches!(tree.get(of.condition), Expr::Literal(Literal::Bool(false)))
    }

    fn push_accumulator(&mut self, of: &Loop) {
        let local = Local {
            place: self.place(of.start),
            size: self.size(of.start),
            content: self.content(of.start),
        };
        self.push(&of.accumulator, local);
    }

    fn binding(&mut self, id: Id, of: &Loop) -> u64 {
        let cost = self.cost(of.range).saturating_add(self.cost(of.start));
        self.push_accumulator(of);
        let cost = cost.saturating_add(self.cost(of.result));
        self.pop(&of.accumulator);
        self.copy_sizes(id, of.result);
        cost
    }

    fn repeat(&mut self, id: Id, of: &Loop) -> u64 {
        let mut sum = self.cost(of.range).saturating_add(self.cost(of.start));
        self.push_accumulator(of);
        self.push_variables(of);
        let once = self.cost(of.condition).saturating_add(self.cost(of.step));
        self.pop(&of.variable);
        if let Some(second) = &of.second {
            self.pop(second);
        }
        sum = sum.saturating_add(self.cost(of.result));
        self.pop(&of.accumulator);
        let count = self.size_or_unknown(of.range);
        sum = sum.saturating_add(count.most.saturating_mul(once));
        match self.checked.tree.get(of.start) {
            Expr::Literal(_) => {
                let size = self.size(of.start);
                self.set_size(id, size);
            }
            Expr::List(_) | Expr::Map(_) => {
                self.set_size(id, Some(count));
                self.contents[id] = self.content(of.step).or(self.contents[id]);
            }
            _ => {}
        }
        sum
    }

    fn push_variables(&mut self, of: &Loop) {
        let content = self.content(of.range);
        let place = self.place(of.range);
        let is_list = match content {
            Some(content) => !content.is_map,
            None => matches!(self.checked.types[of.range], Type::List(_)),
        };
        let key = (
            content.map(|content| content.key),
            if is_list { Part::Indices } else { Part::Keys },
        );
        let value = (
            content.map(|content| content.value),
            if is_list { Part::Items } else { Part::Values },
        );
        match &of.second {
            Some(second) => {
                self.push_part(&of.variable, place, key);
                self.push_part(second, place, value);
            }
            None if is_list => self.push_part(&of.variable, place, value),
            None => self.push_part(&of.variable, place, key),
        }
    }

    fn push_part(&mut self, name: &str, of: Place, (size, part): (Option<Size>, Part<'_>)) {
        let local = Local {
            place: self.below(of, part),
            size,
            content: None,
        };
        self.push(name, local);
    }

    pub(super) fn set_size(&mut self, id: Id, size: Option<Size>) {
        self.sizes[id] = size.or(self.sizes[id]);
    }

    pub(super) fn set_content(&mut self, id: Id, content: Option<Content>) {
        self.contents[id] = content.or(self.contents[id]);
    }

    fn copy_sizes(&mut self, to: Id, from: Id) {
        let size = self.size(from);
        self.set_size(to, size);
        let content = self.content(from);
        self.set_content(to, content);
    }

    pub(super) fn size_or_unknown(&mut self, id: Id) -> Size {
        self.size(id).unwrap_or(Size::UNKNOWN)
    }

    fn size(&mut self, id: Id) -> Option<Size> {
        if let Some(size) = self.sizes[id].or_else(|| written(self.checked.tree.get(id))) {
            return Some(size);
        }
        if let Some(size) = self.declared_size(self.place(id)) {
            self.sizes[id] = Some(size);
            return Some(size);
        }
        if self.checked.types[id].is_scalar() {
            return Some(Size::exactly(1));
        }
        match self.checked.tree.get(id) {
            Expr::Name(name) => self.local(name)?.size,
            _ => None,
        }
    }

    pub(super) fn content(&self, id: Id) -> Option<Content> {
        if let Some(content) = self.contents[id] {
            return Some(content);
        }
        match self.checked.tree.get(id) {
            Expr::Name(name) => self.local(name)?.content,
            _ => None,
        }
    }
}

/// The range that any size extends.
fn nothing(is_empty: bool) -> Size {
    Size {
        least: if is_empty { 0 } else { u64::MAX },
        most: 0,
    }
}

/// The size of what is written in the expression itself.
fn written(expr: &Expr) -> Option<Size> {
    let size = match expr {
        Expr::Literal(Literal::Text(text)) => text.chars().count(),
        Expr::Literal(Literal::Bytes(bytes)) => bytes.len(),
        Expr::Literal(_) => 1,
        Expr::List(items) => items.len(),
        Expr::Map(entries) => entries.len(),
        _ => return None,
    };
    u64::try_from(size).ok().map(Size::exactly)
}
