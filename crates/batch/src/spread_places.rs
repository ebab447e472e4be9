//! Places that are spread evenly over a list, to sample it.

/// Returns the index, below `count`, of what to sample. The indices are spread evenly, the middle
/// first, and do not align with the rows of a picture (multiples of the golden ratio: a Weyl
/// sequence).
pub(crate) fn place(sample: usize, count: usize) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let turn = (1u64 << 63).wrapping_add((sample as u64).wrapping_mul(GOLDEN));
    ((u128::from(turn) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spread_and_within() {
        for groups in [4, 5, 64, 1000, 1 << 40] {
            let places: Vec<usize> = (0..64).map(|sample| place(sample, groups)).collect();
            assert!(places.iter().all(|&place| place < groups));
            for quarter in 0..4 {
                let within = |p: &&usize| **p as u128 * 4 / groups as u128 == quarter;
                assert!(
                    places.iter().filter(within).count() >= 8,
                    "{groups}: {quarter}"
                );
            }
        }
    }
}
