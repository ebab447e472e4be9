//! The order in which the rows of a round are measured.

use estoc::demo::SplitMix64;

/// Generates random orders, the same in every run.
///
/// If the order were only rotated from round to round, each row would always follow the same
/// neighbour, and always suffer from what that neighbour leaves in the caches or as heat in the
/// chip.
pub(super) struct Shuffle {
    order: Vec<usize>,
    rng: SplitMix64,
}

impl Shuffle {
    /// Creates a generator of orders of `rows` rows.
    pub(super) fn new(rows: usize) -> Self {
        Shuffle {
            order: (0..rows).collect(),
            rng: SplitMix64::new(rows as u64),
        }
    }

    /// Returns the order of the next round: each row once, all orders equally likely (Fisher and
    /// Yates, in the form of Durstenfeld 1964, "Algorithm 235: Random permutation").
    pub(super) fn round(&mut self) -> &[usize] {
        for end in (2..=self.order.len()).rev() {
            self.order.swap(end - 1, self.rng.below(end));
        }
        &self.order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_round_has_each_row_once() {
        for rows in [0, 1, 2, 7] {
            let mut shuffle = Shuffle::new(rows);
            for _ in 0..20 {
                let mut round = shuffle.round().to_vec();
                round.sort_unstable();
                assert_eq!(round, (0..rows).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn each_row_comes_after_every_other_and_in_every_place() {
        let rows = 6;
        let mut shuffle = Shuffle::new(rows);
        let (mut neighbours, mut places) = (HashSet::new(), HashSet::new());
        for _ in 0..100 {
            let round = shuffle.round();
            neighbours.extend(round.windows(2).map(|pair| (pair[0], pair[1])));
            places.extend(round.iter().copied().enumerate());
        }
        assert_eq!(neighbours.len(), rows * (rows - 1));
        assert_eq!(places.len(), rows * rows);
    }

    #[test]
    fn runs_have_the_same_orders() {
        let [mut one, mut other] = [9, 9].map(Shuffle::new);
        for _ in 0..5 {
            assert_eq!(one.round(), other.round());
        }
    }
}
