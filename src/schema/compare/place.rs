//! Where a schema is within an object, in paths and in rules.

use crate::cel::reads::Step;
use crate::schema::path::step;

use super::distinct::is_written_alike;

/// A step from a schema to one in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way<'s> {
    Field(&'s str),
    /// To the items of a list.
    Item,
    /// To the values of a map.
    Value,
}

impl Way<'_> {
    fn text(self) -> String {
        match self {
            Self::Field(name) => step(name),
            Self::Item => "[]".to_owned(),
            Self::Value => "{}".to_owned(),
        }
    }

    pub(super) fn step(self) -> Step {
        match self {
            Self::Field(name) if is_written_alike(name) => Step::Field(name.to_owned()),
            // Rules write it in another way.
            Self::Field(_) => Step::Any,
            Self::Item | Self::Value => Step::Each,
        }
    }
}

/// A schema within an object.
#[derive(Debug)]
pub(super) struct Place<'s> {
    /// Its path, with that of the object.
    path: String,
    ways: Vec<Way<'s>>,
}

impl<'s> Place<'s> {
    /// A field, from the path of an object on.
    pub(super) fn of(path: &str, names: impl Iterator<Item = &'s str> + Clone) -> Self {
        Self {
            path: names.clone().fold(path.to_owned(), |path, name| path + &step(name)),
            ways: names.map(Way::Field).collect(),
        }
    }

    /// A schema by the steps to it, where its path does not matter.
    pub(super) fn at(ways: impl Iterator<Item = Way<'s>>) -> Self {
        Self {
            path: String::new(),
            ways: ways.collect(),
        }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Goes to a schema in it. Returns what [`Self::leave`] needs.
    pub(super) fn enter(&mut self, way: Way<'s>) -> usize {
        let length = self.path.len();
        self.path.push_str(&way.text());
        self.ways.push(way);
        length
    }

    pub(super) fn leave(&mut self, length: usize) {
        self.ways.pop();
        self.path.truncate(length);
    }

    pub(super) fn steps(&self) -> Vec<Step> {
        self.ways.iter().map(|way| way.step()).collect()
    }

    /// A rule of the object by which it never has a value here: `!has(self.a) || size(self.a) == 0` of the items of
    /// `a`.
    pub(super) fn is_never_there(&self) -> Option<String> {
        let (mut rule, mut end) = (String::new(), String::new());
        let mut value = "self".to_owned();
        for (at, way) in self.ways.iter().enumerate() {
            let is_last = at + 1 == self.ways.len();
            match way {
                Way::Field(name) if is_written_alike(name) => {
                    value.extend([".", name]);
                    rule.extend(["!has(", &value, ")", if is_last { "" } else { " || " }]);
                }
                Way::Field(_) => return None,
                Way::Item | Way::Value => {
                    rule.extend(["size(", &value, ") == 0"]);
                    if !is_last {
                        let one = format!("v{at}");
                        rule.extend([" || ", &value, ".all(", &one, ", "]);
                        end.push(')');
                        value = match way {
                            Way::Value => format!("{value}[{one}]"),
                            _ => one,
                        };
                    }
                }
            }
        }
        Some(rule + &end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_there_is_no_value_is_a_rule_of_the_object() {
        for (ways, expected) in [
            (vec![Way::Field("a")], "!has(self.a)"),
            (vec![Way::Field("a"), Way::Item], "!has(self.a) || size(self.a) == 0"),
            (
                vec![Way::Field("a"), Way::Item, Way::Field("b"), Way::Value],
                "!has(self.a) || size(self.a) == 0 || self.a.all(v1, !has(v1.b) || size(v1.b) == 0)",
            ),
            (
                vec![Way::Field("a"), Way::Value, Way::Field("b")],
                "!has(self.a) || size(self.a) == 0 || self.a.all(v1, !has(self.a[v1].b))",
            ),
        ] {
            let place = Place {
                path: String::new(),
                ways,
            };
            assert_eq!(place.is_never_there().as_deref(), Some(expected));
        }
    }
}
