//! Rounds a number that can only be compared to the nearest `f32`.

use core::cmp::Ordering;

/// Returns the `f32` nearest to a number between `low` and `high`, ties to even; `compare` compares
/// the number with a given one. Zero is +0.
pub(crate) fn nearest(low: f32, high: f32, compare: impl Fn(f64) -> Ordering) -> f32 {
    let (mut low, mut high) = (place(low), place(high));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match compare(number(middle)) {
            Ordering::Less => high = middle,
            Ordering::Equal => return at(middle),
            Ordering::Greater => low = middle,
        }
    }
    if low == high {
        return at(low);
    }
    // Exact: the sum of two neighbours has at most 25 bits.
    match compare(0.5 * (number(low) + number(high))) {
        Ordering::Less => at(low),
        Ordering::Greater => at(high),
        Ordering::Equal => at(if low % 2 == 0 { low } else { high }),
    }
}

/// Returns the number of `f32`s between 0 and this one, negative below 0; none may be NaN.
fn place(x: f32) -> i64 {
    let size = i64::from(x.to_bits() & (u32::MAX >> 1));
    if x.is_sign_negative() { -size } else { size }
}

/// Returns the `f32` at a place.
fn at(place: i64) -> f32 {
    let size = f32::from_bits(place.unsigned_abs() as u32);
    if place < 0 { -size } else { size }
}

/// Returns the number at a place; for infinity, the one that would follow the largest `f32`, since
/// numbers from the middle of both on are rounded to infinity.
fn number(place: i64) -> f64 {
    /// 2^128.
    const BEYOND: f64 = 2.0 * (1u128 << 127) as f64;
    match at(place) {
        f32::INFINITY => BEYOND,
        f32::NEG_INFINITY => -BEYOND,
        x => x.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_machine_rounds() {
        let mut bits = 1u64;
        for round in 0..20_000 {
            bits = bits
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let x = match round % 4 {
                // Any number, and those around the middle of two `f32`s.
                0 => f64::from_bits(bits),
                1 => f64::from(f32::from_bits((bits >> 32) as u32)),
                n => {
                    let x = f32::from_bits((bits >> 32) as u32);
                    let middle = 0.5 * (f64::from(x) + f64::from(x.next_up()));
                    if n == 2 { middle } else { middle.next_up() }
                }
            };
            if !x.is_finite() {
                continue;
            }
            let compare = |other: f64| x.total_cmp(&other);
            let compare = |other| match x == other {
                true => Ordering::Equal,
                false => compare(other),
            };
            let found = nearest(f32::NEG_INFINITY, f32::INFINITY, compare);
            assert_eq!(found, x as f32, "{x:e}");
        }
    }
}
