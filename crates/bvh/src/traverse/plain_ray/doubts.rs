//! What `f32` leaves open for a plain ray, settled exactly where it is met.

use super::super::nearest_certain::NearestCertain;
use super::decider::Decider;
use crate::traverse::ray_target::Place;
use crate::wide::{WIDTH, WideTree};
use estoc_core::exact::Touch;
use fearless_simd::Simd;

/// The number of triangles in doubt of one leaf from which a ray is likely to lie in the plane of
/// many.
pub(in crate::traverse) const CROWD: u32 = 3;

/// What the doubts of a ray have led to so far.
pub(in crate::traverse) struct Doubts<T = Touch> {
    /// The nearest hit when doubts were last settled, with its certificate; it is stale once a
    /// certain hit has replaced it.
    nearest: Option<(Place, T)>,
    /// The number of triangles of a leaf from which those parallel to the ray are dropped first.
    crowd: u32,
}

impl<T: Copy> Doubts<T> {
    /// Returns none. A constant would be copied with all its unused bytes.
    #[inline(always)]
    pub(in crate::traverse) fn new() -> Self {
        Doubts {
            nearest: None,
            crowd: CROWD,
        }
    }

    /// Returns the nearest hit after a leaf whose hits are not all certain, or not in their order.
    #[cold]
    #[inline(never)]
    pub(in crate::traverse) fn settle<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        ray: &impl Decider<Touch = T>,
        (kept, maybe, first, len): (NearestCertain, u32, usize, usize),
    ) -> NearestCertain {
        let mut left = left(simd, tree, ray, (maybe, first, len), &mut self.crowd);
        if left == 0 {
            return kept;
        }
        if let Some(place) = kept.place()
            && self.nearest.as_ref().is_none_or(|(of, _)| *of != place)
        {
            let touch = ray.touched(tree, place);
            debug_assert!(
                touch.is_some_and(|touch| ray.interval(&touch).0 <= kept.limit()),
                "a hit that is certain up to {} in {place:?}",
                kept.limit()
            );
            self.nearest = touch.map(|touch| (place, touch));
        }
        while left != 0 {
            let place = (first, len, left.trailing_zeros() as usize % WIDTH);
            left &= left - 1;
            let Some(touch) = ray.touched(tree, place) else {
                continue;
            };
            let is_nearer = |(_, nearest): &(Place, T)| ray.is_nearer(&touch, nearest);
            if self.nearest.as_ref().is_none_or(is_nearer) {
                self.nearest = Some((place, touch));
            }
        }
        match &self.nearest {
            None => NearestCertain::NONE,
            Some((place, touch)) => {
                let (low, high) = ray.interval(touch);
                NearestCertain::at(*place, low, high)
            }
        }
    }

    /// Returns whether the ray seems to lie in the plane of many triangles.
    #[inline(always)]
    pub(in crate::traverse) fn is_in_plane(&self) -> bool {
        self.crowd == 1
    }

    /// Returns whether a certificate is stored.
    #[inline(always)]
    pub(in crate::traverse) fn exist(&self) -> bool {
        self.nearest.is_some()
    }

    /// Returns the hit of a triangle by its certificate.
    #[cold]
    #[inline(never)]
    pub(in crate::traverse) fn certified<D: Decider<Touch = T>>(
        &self,
        tree: &WideTree,
        ray: &D,
        place: Place,
    ) -> Option<D::Hit> {
        match &self.nearest {
            Some((of, touch)) if *of == place => ray.hit(touch),
            _ => {
                let touch = ray.touched(tree, place);
                debug_assert!(touch.is_some(), "a certain hit in {place:?}");
                ray.hit(&touch?)
            }
        }
    }
}

/// Looks at the triangles of a leaf that are in doubt, for any hit. Returns `None` if the ray hits
/// one of them, otherwise the new `crowd`, which begins as [`CROWD`].
#[cold]
#[inline(never)]
pub(in crate::traverse) fn any<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &impl Decider,
    (maybe, first, len): (u32, usize, usize),
    mut crowd: u32,
) -> Option<u32> {
    let left = left(simd, tree, ray, (maybe, first, len), &mut crowd);
    let mut places = (0..WIDTH).filter(|place| left >> place & 1 == 1);
    let is_hit = |place| ray.touched(tree, (first, len, place)).is_some();
    (!places.any(is_hit)).then_some(crowd)
}

/// Returns whether all triangles of a leaf are certainly parallel to the ray.
#[cold]
#[inline(never)]
pub(super) fn are_parallel<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &impl Decider,
    (first, len): (usize, usize),
) -> bool {
    let there = (1 << len) - 1;
    left(simd, tree, ray, (there, first, len), &mut 1) == 0
}

/// Returns the triangles in `maybe`; if there are at least `crowd`, without those that are certainly
/// parallel to the ray, which seems to lie in the plane of many.
fn left<S: Simd>(
    simd: S,
    tree: &WideTree,
    ray: &impl Decider,
    (maybe, first, len): (u32, usize, usize),
    crowd: &mut u32,
) -> u32 {
    if maybe.count_ones() < *crowd {
        return maybe;
    }
    let parallel = ray.parallel(simd, tree.view(), (first, len));
    if maybe & parallel != 0 {
        *crowd = 1; // more are likely
    }
    maybe & !parallel
}
