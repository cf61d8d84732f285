//! Ranges of sizes, with the arithmetic of servers.

/// The size of a string, list or map, at least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub least: u64,
    pub most: u64,
}

impl Size {
    pub(super) const UNKNOWN: Self = Self {
        least: 0,
        most: u64::MAX,
    };

    pub(super) const fn exactly(size: u64) -> Self {
        Self {
            least: size,
            most: size,
        }
    }

    pub(super) const fn up_to(most: u64) -> Self {
        Self { least: 0, most }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_mul(other.least),
            most: self.most.saturating_mul(other.most),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

/// A product, rounded up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "servers estimate in floating-point numbers too; a cast saturates as they do"
)]
pub(super) fn scaled(amount: u64, factor: f64) -> u64 {
    (amount as f64 * factor).ceil() as u64
}

/// A quotient, rounded up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "as above"
)]
pub(super) fn divided(amount: u64, by: u64) -> u64 {
    (amount as f64 / by as f64).ceil() as u64
}
