//! Decides close calls of a ray and a triangle in a tile by exact arithmetic.

use super::ray_rows::GROUP;
use super::tile_beam::TileBeam;
use super::tile_mesh::TileMesh;
use super::tile_ray::TileRay;
use super::tile_rays::TileRays;
use super::triangle_table::Leaf;
use crate::traverse::kernel_ray::U;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;

/// The exact rays of a tile and the triangles of its tree.
#[derive(Clone, Copy)]
pub struct Exact<'a, M: TileMesh> {
    pub rays: &'a [M::Ray],
    pub mesh: M,
    pub beam: &'a TileBeam,
}

impl<M: TileMesh> Exact<'_, M> {
    /// Returns the number of the path to the tree among those of triangles to skip.
    #[inline(always)]
    pub(super) fn path_to_skip(self) -> u32 {
        self.mesh.placement().map_or(0, |placement| placement.skip)
    }

    /// Returns the number of the placement of the tree.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.mesh
            .placement()
            .map_or(0, |placement| placement.number)
    }

    /// Decides which rays of a group, given as bits, hit the triangle at a place of a leaf, and
    /// returns them. Unless `ANY` hit will do, those that hit it before anything else end there, by
    /// this number in the table. Where two hits are too close for `f32` to order them, the ray is
    /// marked to be traced alone.
    #[cold]
    #[inline(never)]
    pub(super) fn settle<const SHARED: bool, const ANY: bool>(
        self,
        rays: &mut TileRays,
        group: usize,
        close: u32,
        (leaf, place): (Leaf, usize),
        number: u32,
    ) -> u32 {
        const NEVER: f32 = f32::NEG_INFINITY;
        let mut close = close & rays.fitting[group];
        let mut hits = 0;
        while close != 0 {
            let lane = close.trailing_zeros() as usize % GROUP;
            close &= close - 1;
            let ray = self.rays.get(group * GROUP + lane);
            let [lows, highs] = &mut rays.last;
            let (end_low, end_high) = (&mut lows[group][lane], &mut highs[group][lane]);
            let Some(ray) = ray.and_then(PreparedRay::new) else {
                (*end_low, *end_high) = (NEVER, NEVER);
                continue;
            };
            let Some(touch) = self.mesh.touch(&ray, leaf, place) else {
                continue;
            };
            hits |= 1 << lane;
            if ANY {
                continue;
            }
            let [low, high] = self.span::<SHARED>(&ray, touch);
            // Without an earlier hit, the end is the ray's own, and the hit is known to be within.
            if rays.entry[group][lane] == 0 || high < *end_low {
                (*end_low, *end_high) = (low, high);
                rays.entry[group][lane] = number;
            } else if low <= *end_high {
                rays.alone[group] |= 1 << lane;
                (*end_low, *end_high) = (NEVER, NEVER);
            }
        }
        hits
    }

    /// Returns bounds of a hit's parameter in the tile's frame.
    ///
    /// In `f64` it is off by a few times 2^-53 of its terms and by what starts are off, and then rounded to `f32`, or
    /// off by 2^-150.
    fn span<const SHARED: bool>(self, ray: &PreparedRay<'_, M::Ray>, ends: [f64; 2]) -> [f32; 2] {
        let frame = &self.beam.frame;
        let z = frame.axes[2];
        let space = self.mesh.frame();
        let along = ray.dir()[z].abs() * M::Ray::unit(&space);
        if SHARED {
            let [low, high] = ends.inline_map(|t| match t > 0.0 {
                true => (-1.0 / (t * along)) as f32,
                false => f32::NEG_INFINITY,
            });
            return [
                low * (1.0 + 4.0 * U) - f32::MIN_POSITIVE,
                (high * (1.0 - 4.0 * U) + f32::MIN_POSITIVE).clamp(f32::MIN, -0.0),
            ];
        }
        let origin: f64 = ray.ray().framed_one(&space)[z].into();
        let start = (origin - frame.exact[2]) * f64::from(frame.forward);
        let [low, high] = ends.inline_map(|t| t * along);
        let off = |way: f64| {
            (start.abs() + way.abs()) * f64::from(2.0 * U)
                + f64::from(f32::MIN_POSITIVE + self.beam.off)
        };
        [
            (start + low - off(low)) as f32,
            (start + high + off(high)) as f32,
        ]
    }
}
