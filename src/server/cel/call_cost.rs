//! What calls cost at most, and how large their results are.

use super::cost::Coster;
use super::declared::Part;
use super::estimate::{Argument, Call, Place};
use super::size::{Size, divided, scaled};
use super::types::{Library, Type};
use crate::cel::tree::{Expr, Literal};

/// Costs of a character of a text, and of one of a pattern.
const TEXT: f64 = 0.1;
const PATTERN: f64 = 0.25;

/// Bytes of an address.
const ADDRESS: u64 = 16;

/// Characters of the longest pattern of a format, and bytes of the longest value of one.
const FORMAT_PATTERN: f64 = 128.0;
const FORMAT_TEXT: u64 = 64;

/// Of one question to an authorizer.
const AUTHORIZATION: u64 = 350_000;

/// The cost of a call without that of its arguments, and the size of its result.
type Estimate = (u64, Option<Size>);

impl Coster<'_> {
    /// What one overload of a call costs, with its arguments, and the size of its result.
    pub(super) fn overload(&mut self, call: &Call<'_>) -> Estimate {
        let arguments = call.costs.iter().fold(0, |sum: u64, cost| sum.saturating_add(*cost));
        let estimate = self.of_lists(call).or_else(|| self.of_server(call));
        if let Some((cost, size)) = estimate {
            return (cost.saturating_add(arguments), size);
        }
        match (call.overload, call.arguments, call.costs) {
            ("logical_or" | "logical_and", ..) => (arguments, None),
            ("conditional", [_, then, otherwise], [condition, then_cost, otherwise_cost]) => {
                let size = known(then).or(known(otherwise));
                let contents = self.content(then.id).zip(self.content(otherwise.id));
                self.set_content(call.id, contents.map(|(one, other)| one.or(other)));
                let branch = *then_cost.max(otherwise_cost);
                (condition.saturating_add(branch), Some(size))
            }
            _ => {
                let (cost, size) = self.of_language(call);
                (cost.saturating_add(arguments), size)
            }
        }
    }

    /// The size as the server's libraries see it.
    fn seen(&self, of: &Argument) -> Size {
        of.size
            .or_else(|| self.declared_size(of.place))
            .unwrap_or(Size::UNKNOWN)
    }

    fn of_language(&mut self, call: &Call<'_>) -> Estimate {
        match (call.overload, call.target.as_ref(), call.arguments) {
            ("string_format", Some(target), _) => (scaled(known(target).most, TEXT), None),
            ("string_to_bytes", _, [of]) => {
                let size = known(of);
                let most = size.most.wrapping_mul(4);
                (scaled(size.most, TEXT), Some(Size { most, ..size }))
            }
            ("bytes_to_string", _, [of]) => {
                let size = known(of);
                let least = size.least / 4;
                (scaled(size.most, TEXT), Some(Size { least, ..size }))
            }
            ("strings_quote", _, [of]) => {
                let size = known(of);
                let quoted = Size {
                    least: size.least.wrapping_add(2),
                    most: size.most.wrapping_mul(2).wrapping_add(2),
                };
                (scaled(size.most, TEXT), Some(quoted))
            }
            ("starts_with_string" | "ends_with_string", _, [of]) => (scaled(known(of).most, TEXT), None),
            ("in_list", _, [_, list]) => (known(list).most, None),
            ("matches_string", Some(target), [pattern]) => (matching(known(target).most, known(pattern).most), None),
            ("contains_string", Some(target), [part]) => {
                let part = scaled(known(part).most, TEXT);
                (scaled(known(target).most, TEXT).saturating_mul(part), None)
            }
            ("add_string" | "add_bytes" | "add_list", _, [one, other]) => {
                let size = known(one).plus(known(other));
                let contents = self.content(one.id).zip(self.content(other.id));
                self.set_content(call.id, contents.map(|(one, other)| one.or(other)));
                let cost = if call.overload == "add_list" {
                    1
                } else {
                    scaled(size.most, TEXT)
                };
                (cost, Some(size))
            }
            ("equals" | "not_equals", _, [one, other]) => (compared(one, other), None),
            (overload, _, [one, other]) if is_text_comparison(overload) => (compared(one, other), None),
            _ => (1, None),
        }
    }

    /// Of lists and sets, which the language extends.
    fn of_lists(&self, call: &Call<'_>) -> Option<Estimate> {
        match (call.overload, call.target.as_ref(), call.arguments) {
            (
                "list_sets_contains_list" | "list_sets_intersects_list" | "list_sets_equivalent_list",
                _,
                [one, other],
            ) => {
                let factor = if call.overload == "list_sets_equivalent_list" {
                    2.0
                } else {
                    1.0
                };
                let product = self.seen(one).times(self.seen(other));
                Some((scaled(product.most, factor).saturating_add(1), None))
            }
            ("list_slice", Some(target), [from, to]) => {
                let from = self.integer(from, 0);
                let to = self.integer(to, self.seen(target).most);
                Some(allocated(1.0, Size::exactly(to.wrapping_sub(from))))
            }
            ("lists_range", None, [count]) => Some(allocated(1.0, Size::exactly(self.integer(count, u64::MAX)))),
            ("list_reverse" | "list_flatten", Some(target), []) => Some(allocated(1.0, self.seen(target))),
            ("list_flatten_int", Some(target), [depth]) => {
                let size = self.seen(target);
                let depth = self.integer(depth, u64::MAX);
                let cost = size.most.saturating_mul(depth).saturating_add(1 + 10);
                Some((cost, Some(size)))
            }
            ("list_distinct", Some(target), []) => Some(allocated(2.0, squared(self.seen(target)))),
            (overload, Some(target), arguments) => {
                let compared = match (overload.strip_suffix("_sort"), arguments) {
                    (Some(_), []) => target,
                    _ => match (overload.strip_suffix("_sortByAssociatedKeys"), arguments) {
                        (Some(_), [keys]) => keys,
                        _ => return None,
                    },
                };
                let is_text = overload.starts_with("list_string_") || overload.starts_with("list_bytes_");
                let factor = if is_text { 2.0 + TEXT } else { 2.0 };
                Some(allocated(factor, squared(self.seen(compared))))
            }
            _ => None,
        }
    }

    /// An integer as written, 0 if it is negative; or another number.
    fn integer(&self, of: &Argument, otherwise: u64) -> u64 {
        match self.checked.tree.get(of.id) {
            Expr::Literal(Literal::Int(number)) => u64::try_from(*number).unwrap_or_default(),
            _ => otherwise,
        }
    }

    /// Of the server's own libraries, by the names of functions: some share theirs with the language.
    fn of_server(&self, call: &Call<'_>) -> Option<Estimate> {
        let target = call.target.as_ref();
        match (call.function, target, call.arguments) {
            ("check", ..) => Some((AUTHORIZATION, None)),
            ("fieldSelector" | "labelSelector", _, [of]) => {
                let length = self.seen(of).most;
                let requirements = scaled(scaled(length, 0.5), 50.0);
                Some((
                    scaled(length, TEXT).saturating_add(requirements).saturating_add(10),
                    None,
                ))
            }
            ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", Some(target), _) => {
                Some((self.traversal(target), None))
            }
            ("url", _, [of]) => {
                let size = self.seen(of);
                Some((scaled(size.most, TEXT), Some(size)))
            }
            ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(target), _) => {
                let size = self.seen(target);
                Some((scaled(size.most, TEXT), Some(size)))
            }
            ("replace", Some(target), [from, to, ..]) => {
                let size = self.seen(target);
                let result = replaced(size, self.seen(from), self.seen(to));
                Some((scaled(size.most, 2.0 * TEXT), Some(result)))
            }
            ("split", Some(target), arguments) => {
                let size = self.seen(target).most;
                let most = match arguments {
                    [_, count, ..] => self.count(*count, size),
                    _ => size,
                };
                Some((scaled(size, 2.0 * TEXT), Some(Size::up_to(most))))
            }
            ("join", Some(target), arguments) => {
                let size = self.joined(target, arguments);
                Some((scaled(size.most, TEXT), Some(size)))
            }
            ("find" | "findAll", Some(target), [pattern, ..]) => {
                let size = self.seen(target).most;
                let cost = matching(size, self.seen(pattern).most);
                Some((cost, Some(Size::up_to(size))))
            }
            _ => self.of_values(call).map(|cost| (cost, None)),
        }
    }

    /// As written: a negative count is a very large one.
    fn count(&self, of: Argument, otherwise: u64) -> u64 {
        match self.checked.tree.get(of.id) {
            Expr::Literal(Literal::Int(number)) => number.cast_unsigned(),
            _ => otherwise,
        }
    }

    /// Of addresses, quantities, versions, formats and URLs.
    fn of_values(&self, call: &Call<'_>) -> Option<u64> {
        match (call.function, call.arguments) {
            ("ip", _) if call.overload == "cidr_ip" => Some(1),
            ("cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver", [of, ..]) => {
                Some(self.reading(of))
            }
            ("ip.isCanonical", [of, ..]) => Some(scaled(self.seen(of).most, 2.0 * TEXT)),
            ("containsIP", [of, ..]) => {
                let compared = scaled(2 * ADDRESS, TEXT);
                let is_text = call.overload == "cidr_contains_ip_string";
                Some(compared.saturating_add(if is_text { self.reading(of) } else { 0 }))
            }
            ("containsCIDR", [of, ..]) => {
                let compared = scaled(2 * ADDRESS, TEXT) + scaled(ADDRESS, TEXT) + 1;
                let is_text = call.overload == "cidr_contains_cidr_string";
                Some(compared.saturating_add(if is_text { self.reading(of) } else { 0 }))
            }
            ("validate", [of, ..]) => Some(scaled(self.reading(of), FORMAT_PATTERN * PATTERN)),
            ("_==_", [one, other]) => self.equal(one, other),
            _ => None,
        }
    }

    /// Of reading a text.
    fn reading(&self, of: &Argument) -> u64 {
        scaled(self.seen(of).most, TEXT)
    }

    /// Of comparing two values of a type of the server; `None` for other types.
    fn equal(&self, one: &Argument, other: &Argument) -> Option<u64> {
        let types = &self.checked.types;
        match (&types[one.id], &types[other.id]) {
            (Type::Library(one), Type::Library(other)) if one != other => None,
            (Type::Library(Library::Format), Type::Library(_)) => Some(scaled(FORMAT_TEXT, TEXT)),
            (Type::Library(Library::Url), Type::Library(_)) => {
                let most = other.size.map_or(1, |size| size.most);
                Some(scaled(most, TEXT))
            }
            (Type::Library(_), Type::Library(_)) => Some(1),
            _ => None,
        }
    }

    /// The size of the values of a list; `None` if it is no list.
    fn of_items(&self, list: &Argument) -> Option<(Size, &Type)> {
        let (Type::List(of) | Type::Map(of, _) | Type::Optional(of)) = &self.checked.types[list.id] else {
            return None;
        };
        let place = match list.place {
            Place::Nowhere => Place::Nowhere,
            place => self.below(place, Part::Items),
        };
        let size = self.declared_size(place).unwrap_or(Size::UNKNOWN);
        Some((size, of))
    }

    /// Of looking at each value of a list, or at each character of a string.
    fn traversal(&self, of: &Argument) -> u64 {
        let size = self.seen(of).most;
        match self.of_items(of) {
            Some((item, Type::Text | Type::Bytes)) => {
                let each = scaled(item.most, TEXT).saturating_add(1);
                size.saturating_mul(each)
            }
            Some(_) => size,
            None => scaled(size, TEXT),
        }
    }

    fn joined(&self, list: &Argument, arguments: &[Argument]) -> Size {
        let count = self.seen(list);
        let values = self.of_items(list).map(|(item, _)| count.times(item));
        let values = values.unwrap_or(Size::exactly(0));
        let Some(separator) = arguments.first() else {
            return values;
        };
        let separators = Size {
            least: count.least.saturating_sub(1),
            most: count.most.saturating_sub(1),
        };
        values.plus(self.seen(separator).times(separators))
    }
}

fn known(of: &Argument) -> Size {
    of.size.unwrap_or(Size::UNKNOWN)
}

/// Of making a list.
fn allocated(factor: f64, size: Size) -> Estimate {
    let cost = scaled(size.most, factor).saturating_add(1 + 10);
    (cost, Some(size))
}

fn squared(size: Size) -> Size {
    size.times(size)
}

fn matching(text: u64, pattern: u64) -> u64 {
    let text = scaled(text.saturating_add(1), TEXT);
    text.saturating_mul(scaled(pattern, PATTERN))
}

fn compared(one: &Argument, other: &Argument) -> u64 {
    scaled(known(one).most.min(known(other).most), TEXT)
}

fn is_text_comparison(overload: &str) -> bool {
    let compared = ["less_", "less_equals_", "greater_", "greater_equals_"];
    let rest = compared.iter().filter_map(|prefix| overload.strip_prefix(prefix));
    rest.into_iter().any(|of| matches!(of, "string" | "bytes"))
}

/// The size of a string after each `from` in it became `to`.
fn replaced(size: Size, from: Size, to: Size) -> Size {
    let (longest_count, kept_most) = match from.least {
        0 => (size.most.saturating_add(1), size.most),
        _ if to.most <= from.least => (0, size.most),
        least => (divided(size.most, least), 0),
    };
    let (shortest_count, kept_least) = match from.most {
        0 => (size.least.saturating_add(1), size.least),
        _ if from.most <= to.least => (0, size.least),
        most => (divided(size.least, most), 0),
    };
    Size {
        least: shortest_count.saturating_mul(to.least).saturating_add(kept_least),
        most: longest_count.saturating_mul(to.most).saturating_add(kept_most),
    }
}
