//! Masks: which primitives a ray sees.

use crate::shapes::PrimId;
use alloc::vec::Vec;

/// A mask of 32 bits for each primitive, stored once per run of equal masks.
///
/// A ray sees a primitive when `ray & group != 0`, where `ray` is
/// [`QueryOptions::mask`](crate::QueryOptions::mask) and `group` the mask stored here. Rays and
/// primitives have all bits set by default. A primitive with a mask of 0 is never seen, and a ray
/// with a mask of 0 sees nothing. Other libraries call these geometry masks (Embree) or instance
/// masks.
///
/// The runs need not match the number of primitives: primitives beyond the last run have all bits
/// set, and runs beyond the last primitive have no effect.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{PrimId, query::Masks};
/// let masks = Masks::from_runs([(2, 0b01), (3, 0b10)]);
/// assert_eq!(masks.get(PrimId::new(1).unwrap()), 0b01);
/// assert_eq!(masks.get(PrimId::new(4).unwrap()), 0b10);
/// assert_eq!(masks.get(PrimId::new(5).unwrap()), u32::MAX);
/// assert!(masks.shows_all(0b11) && !masks.shows_all(0b01));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Masks {
    /// The ends of the runs, ascending. The number of all ids fits in 32 bits.
    ends: Vec<u32>,
    masks: Vec<u32>,
    /// Each mask once, ascending.
    distinct: Vec<u32>,
    /// The bits that all masks share; 0 without runs.
    common: u32,
}

impl Masks {
    /// Returns the masks of runs, given as (number of primitives, mask) in the order of the ids.
    /// Empty runs are left out, and so is what lies beyond [`PrimId::MAX`].
    pub fn from_runs(runs: impl IntoIterator<Item = (usize, u32)>) -> Self {
        let mut masks = Masks::default();
        let mut end = 0u32;
        for (count, mask) in runs {
            let start = end;
            // At u32::MAX, all ids have a mask.
            end = end.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            if end == start {
                continue;
            }
            match masks.masks.last() {
                Some(&last) if last == mask => *masks.ends.last_mut().expect("as many") = end,
                _ => {
                    masks.ends.push(end);
                    masks.masks.push(mask);
                }
            }
        }
        masks.distinct.clone_from(&masks.masks);
        masks.distinct.sort_unstable();
        masks.distinct.dedup();
        let all = masks.distinct.iter().copied();
        masks.common = all.reduce(|a, b| a & b).unwrap_or_default();
        masks
    }

    /// Returns the 32 bits of a mask that a file or a table holds as a number, signed, so that -1 is
    /// all bits, or not; `None` beyond 32 bits.
    ///
    /// ```
    /// # mod estoc { pub mod query { pub use estoc_core::*; } }
    /// use estoc::query::Masks;
    /// assert_eq!(Masks::bits_of(-1), Some(u32::MAX));
    /// assert_eq!(Masks::bits_of(0x8000_0000), Masks::bits_of(i32::MIN.into()));
    /// assert_eq!(Masks::bits_of(1 << 32), None);
    /// ```
    pub fn bits_of(number: i64) -> Option<u32> {
        let signed = || i32::try_from(number).ok().map(i32::cast_unsigned);
        u32::try_from(number).ok().or_else(signed)
    }

    /// Returns the mask of a primitive.
    pub fn get(&self, prim: PrimId) -> u32 {
        let prim = prim.get();
        let run = self.ends.partition_point(|&end| end <= prim);
        self.masks.get(run).copied().unwrap_or(u32::MAX)
    }

    /// Returns the runs, in the form of [`from_runs`](Masks::from_runs), with equal neighbours
    /// merged.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = (usize, u32)> + '_ {
        let mut start = 0;
        self.ends.iter().zip(&self.masks).map(move |(&end, &mask)| {
            let count = (end - start) as usize;
            start = end;
            (count, mask)
        })
    }

    /// Returns whether a ray with this mask sees every primitive, in a run or beyond.
    pub fn shows_all(&self, ray: u32) -> bool {
        if self.common & ray != 0 {
            return true;
        }
        if ray == u32::MAX {
            return self.distinct.first() != Some(&0);
        }
        ray != 0 && self.distinct.iter().all(|mask| mask & ray != 0)
    }

    /// Returns whether a ray with this mask sees the primitive.
    #[inline]
    pub fn shows(&self, prim: PrimId, ray: u32) -> bool {
        self.get(prim) & ray != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(runs: &[(usize, u32)]) -> Masks {
        Masks::from_runs(runs.iter().copied())
    }

    fn get(masks: &Masks, prim: u32) -> u32 {
        masks.get(PrimId::new(prim).unwrap())
    }

    #[test]
    fn equal_runs_are_merged_and_empty_ones_left_out() {
        let runs = [
            (0, 9),
            (2, 1),
            (0, 7),
            (3, 1),
            (1, 2),
            (0, 2),
            (4, 1),
            (0, 5),
        ];
        let masks = masks(&runs);
        assert_eq!(masks.runs().collect::<Vec<_>>(), [(5, 1), (1, 2), (4, 1)]);
        assert_eq!(masks.runs().len(), 3);
        assert_eq!(masks, Masks::from_runs(masks.runs()));
        let each: Vec<u32> = (0..12).map(|prim| get(&masks, prim)).collect();
        let beyond = u32::MAX;
        assert_eq!(each, [1, 1, 1, 1, 1, 2, 1, 1, 1, 1, beyond, beyond]);
    }

    #[test]
    fn without_runs_all_bits_are_set() {
        for masks in [Masks::default(), masks(&[]), masks(&[(0, 1)])] {
            assert_eq!(masks, Masks::default());
            assert_eq!(masks.runs().len(), 0);
            assert_eq!(get(&masks, 0), u32::MAX);
            assert_eq!(masks.get(PrimId::MAX), u32::MAX);
            assert!(masks.shows_all(1) && masks.shows_all(1 << 31));
            assert!(!masks.shows_all(0));
        }
    }

    #[test]
    fn a_mask_of_0_neither_sees_nor_is_seen() {
        let masks = masks(&[(1, 0), (1, u32::MAX)]);
        let [hidden, shown, beyond] = [0, 1, 2].map(|prim| PrimId::new(prim).unwrap());
        assert!(!masks.shows(hidden, u32::MAX) && !masks.shows(hidden, 0));
        assert!(masks.shows(shown, 1) && !masks.shows(shown, 0));
        assert!(masks.shows(beyond, 1) && !masks.shows(beyond, 0));
        assert!(!masks.shows_all(u32::MAX));
    }

    #[test]
    fn a_ray_that_shares_a_bit_with_each_sees_all() {
        let masks = masks(&[(1, 0b0011), (5, 0b0110), (2, 0b0011)]);
        for ray in 0..16 {
            let all = (0..9).all(|prim| masks.shows(PrimId::new(prim).unwrap(), ray));
            assert_eq!(masks.shows_all(ray), all, "{ray:b}");
        }
        assert!(masks.shows_all(0b0010) && !masks.shows_all(0b0100));
    }

    #[test]
    fn the_last_id_has_a_mask_and_nothing_lies_beyond() {
        let ids = PrimId::MAX.index() + 1;
        let last_alone = masks(&[(ids - 1, 1), (1, 2), (1, 4), (usize::MAX, 8)]);
        assert_eq!(get(&last_alone, PrimId::MAX.get() - 1), 1);
        assert_eq!(last_alone.get(PrimId::MAX), 2);
        let runs: Vec<_> = last_alone.runs().collect();
        assert_eq!(runs, [(ids - 1, 1), (1, 2)]);
        // A mask that no primitive has hides nothing.
        assert!(last_alone.shows_all(3));
        let too_long = masks(&[(3, 1), (usize::MAX, 2), (usize::MAX, 2)]);
        assert_eq!(too_long.get(PrimId::MAX), 2);
        assert_eq!(too_long.runs().collect::<Vec<_>>(), [(3, 1), (ids - 3, 2)]);
    }
}
