//! Comparisons of values: `a < b` and `b < c` are not true without `a < c`.
//!
//! Each comparison bounds the difference of two values. A set of them is contradictory if the bounds around a cycle add
//! up to less than nothing; and so is a value that must equal another one, and must not.

use super::formula::Truth;

/// The most values of comparisons that are put together: each step of a search adds up the bounds of all of them.
const MOST_VALUES: usize = 8;

/// Sums of bounds that cost one step of a search.
const SUMS_OF_A_STEP: usize = 64;

/// The greatest whole number up to which numbers with fractions are exact.
const MOST_EXACT: i128 = 1 << 53;

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

    /// The number, or none to add to the value.
    fn number(&self) -> i128 {
        match self {
            Self::Number(number) => i128::from(*number),
            Self::Value { .. } => 0,
        }
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

    /// The value that it compares with a number, if it does.
    pub(super) fn with_number(&self) -> Option<&str> {
        match &self.sides {
            [Side::Value { text, .. }, Side::Number(_)] | [Side::Number(_), Side::Value { text, .. }] => Some(text),
            _ => None,
        }
    }

    fn is_about_integers(&self) -> bool {
        self.sides.iter().all(Side::is_integer)
    }

    /// Whether a server may round one of its numbers, as it does where values have fractions.
    pub(super) fn may_be_rounded(&self) -> bool {
        let are_exact = self.sides.iter().all(|side| side.number().abs() <= MOST_EXACT);
        !are_exact && !self.is_about_integers()
    }
}

/// The comparisons among some conditions.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// By condition, those that have a value in common with another one, or one that is within limits.
    comparisons: Vec<Option<DifferenceBound>>,
    /// By value: the least and the greatest number that it can be. The first value is zero.
    limits: Vec<Option<[i64; 2]>>,
}

/// That the difference of two values, by their positions, is less than a number, at most that, or it.
#[derive(Debug)]
struct DifferenceBound {
    values: [usize; 2],
    by: i128,
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
                let [from, to] = compared.sides.each_ref().map(Side::number);
                let by = to - from;
                DifferenceBound {
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
                let is_open = comparison.component > 0 && counts[comparison.component] == 1;
                (!is_open || has_limits) && sizes[comparison.component] <= MOST_VALUES
            });
            comparison.take_if(|_| !is_useful);
        }
    }

    /// The steps that it costs to decide a condition.
    pub(super) fn cost(&self) -> usize {
        let values = self.limits.len().min(MOST_VALUES + 1);
        let are_compared = self.comparisons.iter().any(Option::is_some);
        if are_compared {
            values.pow(3) / SUMS_OF_A_STEP
        } else {
            0
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

/// The most that one value exceeds another one by: less than a number, or at most that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Most {
    by: i128,
    is_strict: bool,
}

impl Most {
    fn of(by: i128) -> Self {
        let is_strict = false;
        Self { by, is_strict }
    }

    /// Less than a number: of integers, at most one less.
    fn below(by: i128, is_whole: bool) -> Self {
        Self {
            by: by - i128::from(is_whole),
            is_strict: !is_whole,
        }
    }

    fn is_tighter(self, other: Self) -> bool {
        self.by < other.by || self.by == other.by && self.is_strict && !other.is_strict
    }

    fn plus(self, other: Self) -> Self {
        Self {
            by: self.by + other.by,
            is_strict: self.is_strict || other.is_strict,
        }
    }
}

/// What is known of the differences of some values.
#[derive(Default)]
struct Differences<'d> {
    values: Vec<usize>,
    /// By the positions of two values: the most that the first one exceeds the second one by.
    most: Vec<Vec<Option<Most>>>,
    /// Those that are not equal, by the positions of their values.
    unequal: Vec<([usize; 2], &'d DifferenceBound)>,
}

impl<'d> Differences<'d> {
    fn add(&mut self, bound: &'d DifferenceBound, truth: bool, limits: &[Option<[i64; 2]>]) {
        let [one, other] = bound.values.map(|value| self.position(value, limits));
        let DifferenceBound { by, is_whole, .. } = *bound;
        match (bound.sign, truth) {
            (Sign::Below, true) => self.limit([one, other], Most::below(by, is_whole)),
            (Sign::AtMost, true) => self.limit([one, other], Most::of(by)),
            (Sign::Below, false) => self.limit([other, one], Most::of(-by)),
            (Sign::AtMost, false) => self.limit([other, one], Most::below(-by, is_whole)),
            (Sign::Same, true) => {
                self.limit([one, other], Most::of(by));
                self.limit([other, one], Most::of(-by));
            }
            (Sign::Same, false) => self.unequal.push(([one, other], bound)),
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
            self.limit([zero, count - 1], Most::of(-i128::from(least)));
            self.limit([count - 1, zero], Most::of(i128::from(greatest)));
        }
        count - 1
    }

    fn limit(&mut self, [one, other]: [usize; 2], most: Most) {
        let known = &mut self.most[one][other];
        if known.is_none_or(|known| most.is_tighter(known)) {
            *known = Some(most);
        }
    }

    fn are_possible(&mut self) -> bool {
        loop {
            self.close();
            let mut own = 0..self.values.len();
            if own.any(|at| self.most[at][at].is_some_and(|most| most.is_tighter(Most::of(0)))) {
                return false;
            }
            let before = self.unequal.len();
            for ([one, other], bound) in std::mem::take(&mut self.unequal) {
                let DifferenceBound { by, is_whole, .. } = *bound;
                let is_at_most = self.most[one][other] == Some(Most::of(by));
                let is_at_least = self.most[other][one] == Some(Most::of(-by));
                match (is_at_most, is_at_least) {
                    (true, true) => return false,
                    (true, false) => self.limit([one, other], Most::below(by, is_whole)),
                    (false, true) => self.limit([other, one], Most::below(-by, is_whole)),
                    (false, false) => self.unequal.push(([one, other], bound)),
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
                    if let Some((first, second)) = both {
                        self.limit([one, other], first.plus(second));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAMES: [&str; 3] = ["a", "b", "c"];

    fn side(at: i64) -> Side {
        let name = usize::try_from(at).ok().and_then(|at| NAMES.get(at));
        name.map_or(Side::Number(at - 5), |name| Side::Value {
            text: (*name).to_owned(),
            limits: Some([-3, 3]),
        })
    }

    fn value(side: &Side, values: [i64; 3]) -> i64 {
        match side {
            Side::Number(number) => *number,
            Side::Value { text, .. } => NAMES
                .iter()
                .zip(values)
                .find(|(name, _)| text == *name)
                .map_or(0, |(_, own)| own),
        }
    }

    fn holds(compared: &Compared, values: [i64; 3]) -> bool {
        let [one, other] = compared.sides.each_ref().map(|side| value(side, values));
        match compared.sign {
            Sign::Below => one < other,
            Sign::AtMost => one <= other,
            Sign::Same => one == other,
        }
    }

    fn compared() -> impl Strategy<Value = Compared> {
        let sign = prop::sample::select(vec![Sign::Below, Sign::AtMost, Sign::Same]);
        (0..9_i64, 0..9_i64, sign).prop_map(|(one, other, sign)| Compared {
            sides: [side(one), side(other)],
            sign,
        })
    }

    proptest! {
        /// Sums of two values are not compared, so that whole values that exclude each other in pairs may be allowed.
        #[test]
        fn what_some_values_meet_is_allowed(
            all in prop::collection::vec((compared(), any::<bool>()), 1..7),
        ) {
            let orders = Orders::of(all.iter().map(|(compared, _)| Some(compared)));
            let decided: Vec<Truth> = all.iter().map(|(_, truth)| Some(*truth)).collect();
            let are_allowed = (1..=decided.len()).all(|count| orders.allow(&decided[..count]));
            let values = (0..343).map(|at| [at % 7 - 3, at / 7 % 7 - 3, at / 49 - 3]);
            let mut met = values.filter(|values| all.iter().all(|(compared, truth)| holds(compared, *values) == *truth));
            let is_met = met.next();
            prop_assert!(are_allowed || is_met.is_none(), "{all:?} {is_met:?}");
            let has_unequal = all.iter().any(|(compared, truth)| compared.sign == Sign::Same && !truth);
            prop_assert!(!are_allowed || is_met.is_some() || has_unequal, "{all:?}");
        }
    }
}
