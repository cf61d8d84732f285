//! Comparisons of values: `a < b` and `b < c` are not true without `a < c`.
//!
//! Each comparison bounds the difference of two values. A set of them is contradictory if the bounds around a cycle add
//! up to less than nothing; and so is a value that must equal another one, and must not.

use super::formula::Truth;

/// The most values of comparisons that are put together.
const MOST_VALUES: usize = 8;

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Side {
    Number(i64),
    Value {
        /// Its canonical form.
        text: String,
        /// The least and the greatest number that it can be, if it is an integer.
        limits: Option<[i64; 2]>,
    },
}

impl Side {
    fn is_integer(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Value { limits: Some(_), .. })
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::Value { text, .. } => Some(text),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `==`
    Same,
}

/// A condition that compares two values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compared {
    pub(super) sides: [Side; 2],
    pub(super) sign: Sign,
}

impl Compared {
    /// The values that it compares.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().filter_map(Side::text)
    }

    pub(super) fn is_about_integers(&self) -> bool {
        self.sides.iter().all(Side::is_integer)
    }
}

/// The comparisons among some conditions.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// By condition, those that have a value in common with another one.
    comparisons: Vec<Option<Comparison>>,
    /// By value: the least and the greatest number that it can be. The first value is zero.
    limits: Vec<Option<[i64; 2]>>,
}

/// That the difference of two values, by their positions, is less than a number, at most that, or it.
#[derive(Debug)]
struct Comparison {
    values: [usize; 2],
    by: i64,
    sign: Sign,
    is_whole: bool,
    /// The first value that is compared with these, directly or not.
    component: usize,
}

impl Orders {
    pub(super) fn of<'c>(conditions: impl Iterator<Item = Option<&'c Compared>>) -> Self {
        let mut texts: Vec<&str> = Vec::new();
        let mut orders = Self {
            comparisons: Vec::new(),
            limits: vec![None],
        };
        for compared in conditions {
            let comparison = compared.map(|compared| {
                let [one, other] = compared.sides.each_ref().map(|side| match side {
                    Side::Number(_) => 0,
                    Side::Value { text, limits } => {
                        let known = texts.iter().position(|known| known == text);
                        let at = known.unwrap_or_else(|| {
                            texts.push(text);
                            orders.limits.push(*limits);
                            texts.len() - 1
                        });
                        at + 1
                    }
                });
                let by = match &compared.sides {
                    [Side::Number(number), _] => number.saturating_neg(),
                    [_, Side::Number(number)] => *number,
                    _ => 0,
                };
                Comparison {
                    values: [one, other],
                    by,
                    sign: compared.sign,
                    is_whole: compared.is_about_integers(),
                    component: one.max(other),
                }
            });
            orders.comparisons.push(comparison);
        }
        orders.join();
        orders
    }

    /// Notes which values are compared with each other, and drops comparisons that are with none.
    fn join(&mut self) {
        let mut components: Vec<usize> = (0..self.limits.len()).collect();
        for comparison in self.comparisons.iter().flatten() {
            let [one, other] = comparison.values;
            if one > 0 && other > 0 {
                let (kept, joined) = (components[one], components[other]);
                for of in components.iter_mut().filter(|of| **of == joined) {
                    *of = kept;
                }
            }
        }
        let mut counts = vec![0; components.len()];
        for comparison in self.comparisons.iter_mut().flatten() {
            comparison.component = components[comparison.component];
            counts[comparison.component] += 1;
        }
        let sizes: Vec<usize> = (0..components.len())
            .map(|component| components.iter().filter(|of| **of == component).count())
            .collect();
        for comparison in &mut self.comparisons {
            let is_useful = comparison.as_ref().is_some_and(|comparison| {
                let limits = comparison.values.map(|value| self.limits[value]);
                let has_limits = limits.iter().any(Option::is_some);
                (counts[comparison.component] > 1 || has_limits) && sizes[comparison.component] <= MOST_VALUES
            });
            comparison.take_if(|_| !is_useful);
        }
    }

    /// Whether there are values for which the last of some conditions, and those before, are what they are.
    pub(super) fn allow(&self, decided: &[Truth]) -> bool {
        let last = decided
            .len()
            .checked_sub(1)
            .and_then(|last| self.comparisons.get(last)?.as_ref());
        let Some(last) = last.filter(|_| decided.last().copied().flatten().is_some()) else {
            return true;
        };
        let own = self.comparisons.iter().zip(decided).filter_map(|(comparison, truth)| {
            let comparison = comparison.as_ref().filter(|own| own.component == last.component)?;
            Some((comparison, (*truth)?))
        });
        let mut differences = Differences::default();
        for (comparison, truth) in own {
            differences.add(comparison, truth, &self.limits);
        }
        differences.are_possible()
    }
}

/// The most that one value exceeds another one by; not quite so much if that is `true`.
type Most = (i64, bool);

/// What is known of the differences of some values.
#[derive(Default)]
struct Differences {
    values: Vec<usize>,
    /// By the positions of two values: the most that the first one exceeds the second one by.
    most: Vec<Vec<Option<Most>>>,
    /// Differences that two values do not have.
    unequal: Vec<([usize; 2], i64, bool)>,
}

impl Differences {
    fn add(&mut self, comparison: &Comparison, truth: bool, limits: &[Option<[i64; 2]>]) {
        let [one, other] = comparison.values.map(|value| self.position(value, limits));
        let (by, is_whole) = (comparison.by, comparison.is_whole);
        let less = i64::from(is_whole);
        match (comparison.sign, truth) {
            (Sign::Below, true) => self.limit([one, other], (by.saturating_sub(less), !is_whole)),
            (Sign::AtMost, true) => self.limit([one, other], (by, false)),
            (Sign::Below, false) => self.limit([other, one], (by.saturating_neg(), false)),
            (Sign::AtMost, false) => {
                let most = by.saturating_neg().saturating_sub(less);
                self.limit([other, one], (most, !is_whole));
            }
            (Sign::Same, true) => {
                self.limit([one, other], (by, false));
                self.limit([other, one], (by.saturating_neg(), false));
            }
            (Sign::Same, false) => self.unequal.push(([one, other], by, is_whole)),
        }
    }

    fn position(&mut self, value: usize, limits: &[Option<[i64; 2]>]) -> usize {
        if let Some(at) = self.values.iter().position(|known| *known == value) {
            return at;
        }
        self.values.push(value);
        let count = self.values.len();
        for row in &mut self.most {
            row.push(None);
        }
        self.most.push(vec![None; count]);
        if let Some([least, greatest]) = limits[value] {
            let zero = self.position(0, limits);
            let ends = [
                ([zero, count - 1], least.checked_neg()),
                ([count - 1, zero], Some(greatest).filter(|most| *most < i64::MAX)),
            ];
            for (values, most) in ends {
                if let Some(most) = most {
                    self.limit(values, (most, false));
                }
            }
        }
        count - 1
    }

    fn limit(&mut self, [one, other]: [usize; 2], most: Most) {
        let known = &mut self.most[one][other];
        if known.is_none_or(|known| is_tighter(most, known)) {
            *known = Some(most);
        }
    }

    fn are_possible(&mut self) -> bool {
        loop {
            self.close();
            let mut own = 0..self.values.len();
            if own.any(|at| self.most[at][at].is_some_and(|most| is_tighter(most, (0, false)))) {
                return false;
            }
            let before = self.unequal.len();
            for ([one, other], by, is_whole) in std::mem::take(&mut self.unequal) {
                let at_end = self.most[one][other] == Some((by, false));
                let at_start = self.most[other][one] == Some((by.saturating_neg(), false));
                let less = i64::from(is_whole);
                match (at_end, at_start) {
                    (true, true) => return false,
                    (true, false) => self.limit([one, other], (by.saturating_sub(less), !is_whole)),
                    (false, true) => {
                        self.limit([other, one], (by.saturating_neg().saturating_sub(less), !is_whole));
                    }
                    (false, false) => self.unequal.push(([one, other], by, is_whole)),
                }
            }
            if self.unequal.len() == before {
                return true;
            }
        }
    }

    /// Adds up what is known: `a - c` is at most `a - b` and `b - c`.
    fn close(&mut self) {
        let all = 0..self.values.len();
        for between in all.clone() {
            for one in all.clone() {
                for other in all.clone() {
                    let both = self.most[one][between].zip(self.most[between][other]);
                    let sum =
                        both.and_then(|(first, second)| Some((first.0.checked_add(second.0)?, first.1 || second.1)));
                    if let Some(sum) = sum {
                        self.limit([one, other], sum);
                    }
                }
            }
        }
    }
}

fn is_tighter(one: Most, other: Most) -> bool {
    one.0 < other.0 || one.0 == other.0 && one.1 && !other.1
}
