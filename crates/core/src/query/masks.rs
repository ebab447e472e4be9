//! Which groups of primitives a ray sees.

use crate::PrimId;
use alloc::vec::Vec;

/// A mask of 32 bits for each primitive, stored once for each run of equal ones.
///
/// A ray sees a primitive when `ray & group != 0`, where `ray` is
/// [`QueryOptions::mask`](crate::QueryOptions::mask) and `group` the mask stored here. Primitives
/// without a mask have all bits set, and so have rays; a mask of 0 is never seen, nor does it
/// see anything.
///
/// ```
/// use estoc_core::{Masks, PrimId};
/// let masks = Masks::from_runs([(2, 0b01), (3, 0b10)]);
/// assert_eq!(masks.get(PrimId::new(1).unwrap()), 0b01);
/// assert_eq!(masks.get(PrimId::new(4).unwrap()), 0b10);
/// assert_eq!(masks.get(PrimId::new(5).unwrap()), u32::MAX);
/// assert!(masks.shows_all(0b11) && !masks.shows_all(0b01));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// Where runs end, each after the one before.
    ends: Vec<u64>,
    masks: Vec<u32>,
    /// Each mask once.
    distinct: Vec<u32>,
}

impl Masks {
    /// Returns the masks of runs, given as (number of primitives, mask) in the order of the ids.
    pub fn from_runs(runs: impl IntoIterator<Item = (usize, u32)>) -> Self {
        let mut masks = Masks::default();
        let mut end = 0u64;
        for (count, mask) in runs {
            if count == 0 {
                continue;
            }
            end = end.saturating_add(count as u64);
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
        masks
    }

    /// Returns the mask of a primitive.
    pub fn get(&self, prim: PrimId) -> u32 {
        let prim = u64::from(prim.get());
        let run = self.ends.partition_point(|&end| end <= prim);
        self.masks.get(run).copied().unwrap_or(u32::MAX)
    }

    /// Returns the runs, as [`from_runs`](Masks::from_runs) takes them, as few as there can be.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = (usize, u32)> + '_ {
        let mut start = 0;
        self.ends.iter().zip(&self.masks).map(move |(&end, &mask)| {
            let count = (end - start) as usize;
            start = end;
            (count, mask)
        })
    }

    /// Returns whether a ray with this mask sees every primitive.
    pub fn shows_all(&self, ray: u32) -> bool {
        ray != 0 && self.distinct.iter().all(|mask| mask & ray != 0)
    }

    /// Returns whether a ray with this mask sees the primitive.
    #[inline]
    pub fn shows(&self, prim: PrimId, ray: u32) -> bool {
        self.get(prim) & ray != 0
    }
}
