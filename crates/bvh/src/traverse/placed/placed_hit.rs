//! A hit on what is placed in a world, and its numbers.

use super::inverse_map::InverseMap;
use super::placed_object::{Placed, PlacedObjects, PlacedTree};
use super::world_ray::WorldRay;
use crate::traverse::leaf_block::with_block;
use crate::traverse::plain_ray::leaf;
use estoc_core::exact::{BlurredRay, round_blurred, round_blurred_triangle};
use estoc_core::{Hit, PrimId, ScenePath};
use fearless_simd::{Simd, f32x4};

/// The first hit of a ray on placed meshes.
#[derive(Clone, Copy, Debug)]
pub struct FirstPlaced {
    /// The placements that lead to the mesh.
    pub path: ScenePath,
    /// The hit, or the triangle that is hit if the rounding of the numbers is not certain.
    pub hit: Result<Hit, PrimId>,
}

/// A hit, with an interval of its parameter in the world.
#[derive(Clone, Copy)]
pub(super) struct FoundHit {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) item: u32,
    /// The parameter from which on the ray was mapped.
    pub(super) start: f32,
    /// The first slot of a leaf of the mesh, its length, and the place in it; a length of 0 where the item is a
    /// world, of which the visitor knows more.
    pub(super) place: (usize, usize, usize),
}

/// The place of a hit in a world that is placed in the world.
pub(super) const IN_WORLD: (usize, usize, usize) = (0, 0, 0);

/// How a ray of a world was mapped to one that is placed in it.
pub(super) struct Outer<'a, S: Simd> {
    pub(super) world: &'a WorldRay<S>,
    pub(super) inverse: &'a InverseMap,
    pub(super) start: f32,
    pub(super) outer: Option<&'a Outer<'a, S>>,
    /// Whether it is the world itself, for a ray in `f64`.
    pub(super) is_here: bool,
}

impl<S: Simd> Outer<'_, S> {
    /// Returns the ray in the space of what is placed in the inner world and entered there at a parameter, with the
    /// parameters of the outermost, for triangles whose matrix is the product of so many more than one, and a bound
    /// of the errors of differences of their corners.
    fn blurred(
        &self,
        simd: S,
        (inverse, start): (&InverseMap, f32),
        composed: usize,
    ) -> (BlurredRay, f64) {
        simd.vectorize(
            #[inline(always)]
            || {
                let start = self.parameter(start.into());
                if self.is_here {
                    return (inverse.blurred(simd, self.world, start as f32), 0.0);
                }
                let own = (self.inverse, self.start);
                let (mut ray, edge_error) = match self.outer {
                    None => (self.inverse.blurred(simd, self.world, self.start), 0.0),
                    Some(outer) => outer.blurred(simd, own, composed),
                };
                let moved = self.inverse.moved_by_composing(composed);
                ray.origin_error += moved;
                inverse.blurred_again(simd, (&ray, edge_error + 2.0 * moved), start)
            },
        )
    }

    /// Returns a parameter in the outermost world of one in the inner world.
    fn parameter(&self, s: f64) -> f64 {
        let ends = self.inverse.ends(self.start);
        let own = (s + ends.start) / ends.unit;
        self.outer.map_or(own, |outer| outer.parameter(own))
    }
}

/// Returns a hit that has remained the first in a world that is placed by this path, as the outermost names it.
/// `inner` is it if it lies in a world that is placed in that.
#[inline(always)]
pub(super) fn inner_hit<S: Simd>(
    simd: S,
    (items, path): (&impl PlacedObjects, ScenePath),
    found: &FoundHit,
    inner: &Option<FirstPlaced>,
    outer: &Outer<'_, S>,
) -> Option<FirstPlaced> {
    if found.place.1 == 0 {
        return *inner;
    }
    placed_hit(
        simd,
        (items, path),
        found,
        #[inline(always)]
        |inverse, prim, corners| {
            let composed = path.numbers().len();
            let (ray, edge_error) = outer.blurred(simd, (inverse, found.start), composed);
            round_blurred_triangle(simd, (&ray, edge_error), prim, corners)
        },
    )
}

/// Returns a hit that has remained the first, with its numbers if their rounding is certain. `inner` is it if it
/// lies in a world that is placed in the world.
#[inline(always)]
pub(super) fn first_placed<S: Simd>(
    simd: S,
    items: &impl PlacedObjects,
    world: &WorldRay<S>,
    found: &FoundHit,
    inner: &Option<FirstPlaced>,
) -> Option<FirstPlaced> {
    if found.place.1 == 0 {
        return *inner;
    }
    placed_hit(
        simd,
        (items, ScenePath::ROOT),
        found,
        #[inline(always)]
        |inverse, prim, corners| {
            let ray = inverse.blurred(simd, world, found.start);
            round_blurred(simd, &ray, prim, corners)
        },
    )
}

/// Returns a hit on a mesh that is placed in the world of this path, of which `round` is to round the numbers.
#[inline(always)]
fn placed_hit<S: Simd>(
    simd: S,
    (items, path): (&impl PlacedObjects, ScenePath),
    found: &FoundHit,
    round: impl FnOnce(&InverseMap, PrimId, [[f32x4<S>; 3]; 3]) -> Option<Hit>,
) -> Option<FirstPlaced> {
    let Placed {
        number,
        inverse,
        tree,
    } = items.placed(found.item)?;
    let PlacedTree::Mesh(tree) = tree else {
        return None;
    };
    let (first, len, place) = found.place;
    let leaves = tree.leaves.blocks();
    let prim = leaves.prim(first, len, place);
    let rounded = with_block(
        simd,
        leaves,
        (first, len),
        #[inline(always)]
        |block| round(inverse, prim, leaf::corners(simd, block, place)),
    );
    Some(FirstPlaced {
        path: path.then(number)?,
        hit: rounded.ok_or(prim),
    })
}
