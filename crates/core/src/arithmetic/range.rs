//! Ranges of sizes in which bounds hold.

/// Positive numbers between two powers of two, as bits: one subtraction and one comparison tell whether
/// a number is in it.
pub(crate) struct Range {
    least: u64,
    size: u64,
}

impl Range {
    /// Returns the numbers from one power of two to another, given by their exponents.
    pub(crate) const fn of_powers(least: i32, greatest: i32) -> Self {
        let least = power_of_two(least).to_bits();
        Range {
            least,
            size: power_of_two(greatest).to_bits() - least,
        }
    }

    /// Negative numbers and NaN are in no range.
    #[inline(always)]
    pub(crate) const fn contains(&self, x: f64) -> bool {
        x.to_bits().wrapping_sub(self.least) <= self.size
    }

    /// Returns the least and the greatest of them.
    #[inline(always)]
    pub(crate) const fn ends(&self) -> [f64; 2] {
        [
            f64::from_bits(self.least),
            f64::from_bits(self.least + self.size),
        ]
    }
}

/// Returns a power of two that is a normal number.
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
