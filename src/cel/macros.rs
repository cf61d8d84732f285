//! Macros: calls that stand for other expressions, which servers judge instead.

use super::tree::{Expr, Id, Item, Literal, Loop, Span, Tree};
use super::unread::Stop;

/// The accumulator of a loop. No name in an expression is the same.
const ACCUMULATOR: &str = "@result";

/// A call as written: the function, the value that it is a method of, the arguments.
type Call = (String, Option<Id>, Vec<Id>);

/// A call, or what it stands for.
pub(crate) fn call(tree: &mut Tree, call: Call, span: Span) -> Result<Id, Stop> {
    let mut expansion = Expansion { tree, span };
    let (function, target, arguments) = call;
    let expanded = match (target, &arguments[..]) {
        (None, [of]) if function == "has" => Some(expansion.has(*of)),
        (Some(range), arguments) => expansion.method(&function, range, arguments),
        _ => None,
    };
    expanded.unwrap_or_else(|| expansion.call(&function, target, arguments))
}

struct Expansion<'t> {
    tree: &'t mut Tree,
    span: Span,
}

type Expanded = Result<Id, Stop>;

impl Expansion<'_> {
    fn add(&mut self, expr: Expr) -> Expanded {
        Ok(self.tree.add(expr, self.span)?)
    }

    fn call(&mut self, function: &str, target: Option<Id>, arguments: Vec<Id>) -> Expanded {
        let function = function.to_owned();
        self.add(Expr::Call {
            function,
            target,
            arguments,
        })
    }

    fn literal(&mut self, literal: Literal) -> Expanded {
        self.add(Expr::Literal(literal))
    }

    fn accumulated(&mut self) -> Expanded {
        self.add(Expr::Name(ACCUMULATOR.to_owned()))
    }

    fn has(&mut self, of: Id) -> Expanded {
        match self.tree.get(of).clone() {
            Expr::Select { operand, field, .. } => self.add(Expr::Select {
                operand,
                field,
                tests: true,
            }),
            _ => Err(Stop::Wrong("`has()` takes a field: `has(self.name)`".to_owned())),
        }
    }

    fn method(&mut self, function: &str, range: Id, arguments: &[Id]) -> Option<Expanded> {
        Some(match (function, arguments) {
            ("all" | "exists" | "exists_one", [variable, test]) => self
                .variable(*variable, function)
                .and_then(|variable| self.quantifier(function, range, (variable, None), *test)),
            ("all" | "exists" | "exists_one" | "existsOne", [first, second, test]) => self
                .variables([*first, *second], function)
                .and_then(|variables| self.quantifier(function, range, variables, *test)),
            ("map", [variable, value]) => self.map(range, *variable, None, *value),
            ("map", [variable, filter, value]) => self.map(range, *variable, Some(*filter), *value),
            ("filter", [variable, filter]) => self.map(range, *variable, Some(*filter), *variable),
            ("optMap" | "optFlatMap", [variable, value]) => self.optional(function, range, *variable, *value),
            ("sortBy", [variable, key]) => self.sort_by(range, *variable, *key),
            ("transformList" | "transformMap" | "transformMapEntry", [first, second, rest @ ..]) => {
                let (filter, value) = match rest {
                    [value] => (None, *value),
                    [filter, value] => (Some(*filter), *value),
                    _ => return None,
                };
                self.variables([*first, *second], function)
                    .and_then(|variables| self.transform(function, range, variables, (filter, value)))
            }
            _ => return None,
        })
    }

    fn variable(&self, id: Id, function: &str) -> Result<String, Stop> {
        match self.tree.get(id) {
            Expr::Name(name) if name == "__result__" => Err(Stop::Wrong(format!(
                "`{function}` cannot have a variable with the name `{name}`"
            ))),
            Expr::Name(name) => Ok(name.clone()),
            _ => Err(Stop::Wrong(format!(
                "`{function}` takes a name for each value, as in `list.{function}(x, …)`"
            ))),
        }
    }

    fn variables(&self, ids: [Id; 2], function: &str) -> Result<(String, Option<String>), Stop> {
        let first = self.variable(ids[0], function)?;
        let second = self.variable(ids[1], function)?;
        if first == second {
            let message = format!("`{function}` has two variables with the name `{first}`");
            return Err(Stop::Wrong(message));
        }
        Ok((first, Some(second)))
    }

    fn quantifier(&mut self, function: &str, range: Id, variables: (String, Option<String>), test: Id) -> Expanded {
        let so_far = self.accumulated()?;
        let (start, condition, step) = match function {
            "all" => {
                let condition = self.call("@not_strictly_false", None, vec![so_far])?;
                let so_far = self.accumulated()?;
                let step = self.call("_&&_", None, vec![so_far, test])?;
                (Literal::Bool(true), condition, step)
            }
            "exists" => {
                let none = self.call("!_", None, vec![so_far])?;
                let condition = self.call("@not_strictly_false", None, vec![none])?;
                let so_far = self.accumulated()?;
                let step = self.call("_||_", None, vec![so_far, test])?;
                (Literal::Bool(false), condition, step)
            }
            _ => {
                let one = self.literal(Literal::Int(1))?;
                let more = self.call("_+_", None, vec![so_far, one])?;
                let so_far = self.accumulated()?;
                let step = self.call("_?_:_", None, vec![test, more, so_far])?;
                (Literal::Int(0), self.literal(Literal::Bool(true))?, step)
            }
        };
        let mut result = self.accumulated()?;
        if matches!(start, Literal::Int(_)) {
            let one = self.literal(Literal::Int(1))?;
            result = self.call("_==_", None, vec![result, one])?;
        }
        let start = self.literal(start)?;
        self.repeat((range, variables), (start, step), condition, result)
    }

    fn repeat(
        &mut self,
        (range, (variable, second)): (Id, (String, Option<String>)),
        (start, step): (Id, Id),
        condition: Id,
        result: Id,
    ) -> Expanded {
        self.add(Expr::Loop(Box::new(Loop {
            range,
            variable,
            second,
            accumulator: ACCUMULATOR.to_owned(),
            start,
            condition,
            step,
            result,
        })))
    }

    /// A step for the values that a filter takes.
    fn filtered(&mut self, filter: Option<Id>, step: Id) -> Expanded {
        let Some(filter) = filter else {
            return Ok(step);
        };
        let unchanged = self.accumulated()?;
        self.call("_?_:_", None, vec![filter, step, unchanged])
    }

    /// Adds a value to a list.
    fn appending(&mut self, value: Id) -> Expanded {
        let so_far = self.accumulated()?;
        let item = Item {
            value,
            is_optional: false,
        };
        let list = self.add(Expr::List(vec![item]))?;
        self.call("_+_", None, vec![so_far, list])
    }

    fn map(&mut self, range: Id, variable: Id, filter: Option<Id>, value: Id) -> Expanded {
        let name = self.variable(variable, "map")?;
        let step = self.appending(value)?;
        let step = self.filtered(filter, step)?;
        let start = self.add(Expr::List(Vec::new()))?;
        let condition = self.literal(Literal::Bool(true))?;
        let result = self.accumulated()?;
        self.repeat((range, (name, None)), (start, step), condition, result)
    }

    fn transform(
        &mut self,
        function: &str,
        range: Id,
        variables: (String, Option<String>),
        (filter, value): (Option<Id>, Id),
    ) -> Expanded {
        let (start, step) = match function {
            "transformList" => (Expr::List(Vec::new()), self.appending(value)?),
            _ => {
                let mut arguments = vec![self.accumulated()?];
                if function == "transformMap" {
                    arguments.push(self.add(Expr::Name(variables.0.clone()))?);
                }
                arguments.push(value);
                (Expr::Map(Vec::new()), self.call("cel.@mapInsert", None, arguments)?)
            }
        };
        let step = self.filtered(filter, step)?;
        let start = self.add(start)?;
        let condition = self.literal(Literal::Bool(true))?;
        let result = self.accumulated()?;
        self.repeat((range, variables), (start, step), condition, result)
    }

    /// A loop without values, which gives `value` a name within `result`.
    fn bind(&mut self, name: String, value: Id, result: Id) -> Expanded {
        let range = self.add(Expr::List(Vec::new()))?;
        let condition = self.literal(Literal::Bool(false))?;
        let step = self.add(Expr::Name(name.clone()))?;
        self.add(Expr::Loop(Box::new(Loop {
            range,
            variable: "#unused".to_owned(),
            second: None,
            accumulator: name,
            start: value,
            condition,
            step,
            result,
        })))
    }

    fn optional(&mut self, function: &str, target: Id, variable: Id, value: Id) -> Expanded {
        let Expr::Name(name) = self.tree.get(variable).clone() else {
            let message = format!("`{function}` takes a name for the value, as in `x.{function}(y, …)`");
            return Err(Stop::Wrong(message));
        };
        let present = self.call("hasValue", Some(target), Vec::new())?;
        let copied = self.tree.copy(target)?;
        let content = self.call("value", Some(copied), Vec::new())?;
        let mut result = self.bind(name, content, value)?;
        if function == "optMap" {
            result = self.call("optional.of", None, vec![result])?;
        }
        let none = self.call("optional.none", None, Vec::new())?;
        self.call("_?_:_", None, vec![present, result, none])
    }

    fn sort_by(&mut self, target: Id, variable: Id, key: Id) -> Expanded {
        let kind = self.tree.get(target);
        if matches!(kind, Expr::Literal(_) | Expr::Map(_) | Expr::Message { .. }) {
            return Err(Stop::Wrong("`sortBy` sorts lists only".to_owned()));
        }
        let name = "@__sortBy_input__".to_owned();
        let input = self.add(Expr::Name(name.clone()))?;
        let keys = self.map(input, variable, None, key)?;
        let list = self.add(Expr::Name(name.clone()))?;
        let sorted = self.call("@sortByAssociatedKeys", Some(list), vec![keys])?;
        self.bind(name, target, sorted)
    }
}
