//! A mesh, or a world, that is placed in the world of a tile's rays.
//!
//! The rays stay in the world. The boxes of nodes and the corners of triangles are taken there instead, once for
//! all rays of the tile.
//!
//! # Bounds
//! Let v = 2^-53, u = 2^-24, and S be the greatest sum of the sizes of the terms of a coordinate in the world:
//! of the translation, and of the factors times the reach of the tree.
//!
//! A coordinate of a corner has three products and three sums, off by v of at most S in total for the products
//! and for each sum: by less than `4.1 v S`. So Z is off by that besides, and x' and y' by 2.5 times as much
//! (`tile_triangles.rs`), less than `10.3 v S`. That is less than 0.21 of `70 v S`, and 1.5 times that less than
//! 0.55 of it: slack that is larger by `70 v S` suffices for edge functions. As the world's boxes contain the
//! exact corners, no coordinate exceeds what is said there.
//!
//! A face of a box has the factors and the translation in `f32`, three products and three sums: it is off by less
//! than `6.1 u S`, and for what underflows by less than 2^-126 of one and of the reach. Faces that are farther
//! out by `16 u S` have the margin of `7 u` that box tests need (`kernel_ray.rs`), too, as none exceeds S. What is
//! left covers a few v S, by which the composed matrix of a world in a world is rounded.

use super::tile_triangles::CornerLanes;
use crate::traverse::kernel_ray::U;
use crate::wide::{Measures, Node, WIDTH};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{
    InlineMap, PlacedTriangle, PlacementMatrix, PrimId, RayTest, ScenePath, ScenePrim, Triangle,
};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x8, f64x8};

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;

/// 2^40: sums of terms that are larger are not taken to the world.
const LARGEST: f64 = (1u64 << 40) as f64;

/// How a mesh or a world is placed in the world of a tile's rays.
#[derive(Clone, Copy)]
pub struct TilePlacement {
    pub matrix: PlacementMatrix,
    pub path: ScenePath,
    /// The number of it among those that the tile has met.
    pub number: u32,
    /// The number of the path among those of triangles to skip.
    pub skip: u32,
    /// What the slack is larger by.
    pub slack: f32,
    /// Bounds the error of each coordinate of a corner.
    pub off: f32,
    factors: [[f32; 3]; 3],
    low: [f32; 3],
    high: [f32; 3],
    /// The box in the world of all that is placed.
    bounds: [[f32; 3]; 2],
}

impl TilePlacement {
    /// Returns the placement of a tree with these measures in a box of the world; `None` if its numbers are unfit.
    pub fn of(
        matrix: PlacementMatrix,
        path: ScenePath,
        measures: &Measures,
        bounds: [[f32; 3]; 2],
    ) -> Option<Self> {
        let rows = matrix.rows();
        let reach = f64::from(measures.reach);
        let sums = rows
            .inline_map(|[x, y, z, m]: [f64; 4]| m.abs() + (x.abs() + y.abs() + z.abs()) * reach);
        let most = sums[0].max(sums[1]).max(sums[2]);
        if most > LARGEST || measures.plain < 0.0 {
            return None;
        }
        let lost = f64::from(f32::MIN_POSITIVE) * (1.0 + reach);
        let pads = sums.inline_map(|sum: f64| sum * f64::from(16.0 * U) + lost);
        let [x, y, z] = rows;
        let narrow = |[x, y, z, _]: [f64; 4]| [x as f32, y as f32, z as f32];
        let moved = [x[3], y[3], z[3]];
        Some(TilePlacement {
            matrix,
            path,
            number: 0,
            skip: u32::MAX,
            off: (most * (4.2 * V)) as f32 * (1.0 + 2.0 * U) + f32::MIN_POSITIVE,
            slack: (most * (70.0 * V)) as f32 * (1.0 + 2.0 * U),
            factors: rows.inline_map(narrow),
            low: [0, 1, 2].inline_map(|axis| (moved[axis] - pads[axis]) as f32),
            high: [0, 1, 2].inline_map(|axis| (moved[axis] + pads[axis]) as f32),
            bounds,
        })
    }

    /// Returns a node with its boxes in the world.
    #[inline(always)]
    pub fn node<S: Simd>(&self, simd: S, of: &Node) -> Node {
        let splat = |x: f32| f32x8::splat(simd, x);
        let [x, y, z] = of.faces.inline_map(|[low, high]: [[f32; WIDTH]; 2]| {
            (f32x8::load_array(simd, low), f32x8::load_array(simd, high))
        });
        let is_there = x.0.simd_le(x.1);
        let mut faces = of.faces;
        for (axis, faces) in faces.iter_mut().enumerate() {
            let (mut low, mut high) = (splat(self.low[axis]), splat(self.high[axis]));
            for (factor, face) in self.factors[axis].into_iter().zip([x, y, z]) {
                let (a, b) = (face.0 * splat(factor), face.1 * splat(factor));
                (low, high) = (low + a.min(b), high + a.max(b));
            }
            let low = low.max(splat(self.bounds[0][axis]));
            let high = high.min(splat(self.bounds[1][axis]));
            is_there
                .select(low, splat(f32::INFINITY))
                .store_array(&mut faces[0]);
            is_there
                .select(high, splat(f32::NEG_INFINITY))
                .store_array(&mut faces[1]);
        }
        Node { faces, ..*of }
    }

    /// Returns points in the world, by these of its axes.
    #[inline(always)]
    pub(super) fn image<S: Simd>(
        &self,
        simd: S,
        [x, y, z]: CornerLanes<S>,
        axes: [usize; 3],
    ) -> CornerLanes<S> {
        let rows = self.matrix.rows();
        axes.inline_map(
            #[inline(always)]
            |axis: usize| {
                let [a, b, c, moved] = rows[axis].inline_map(|x: f64| f64x8::splat(simd, x));
                x.mul_add(a, y.mul_add(b, z.mul_add(c, moved)))
            },
        )
    }

    /// Returns the corners of a triangle in the world.
    #[inline(always)]
    pub fn corners(&self, triangle: &Triangle) -> [[f64; 3]; 3] {
        let rows = self.matrix.rows();
        [triangle.p0, triangle.p1, triangle.p2].inline_map(|p: Vec3| {
            let [x, y, z] = p.to_array().inline_map(f64::from);
            rows.inline_map(|[a, b, c, moved]: [f64; 4]| x * a + (y * b + (z * c + moved)))
        })
    }

    /// Returns a triangle as it is placed, with its name.
    pub fn placed(&self, prim: PrimId, triangle: Triangle) -> (ScenePrim, PlacedTriangle) {
        (
            ScenePrim::triangle(self.path, prim),
            PlacedTriangle::new(triangle, self.matrix),
        )
    }

    /// Returns bounds of the parameter at which a ray hits a triangle.
    pub(super) fn touch(
        &self,
        ray: &PreparedRay<'_>,
        (prim, triangle): (PrimId, Triangle),
    ) -> Option<[f64; 2]> {
        let (id, placed) = self.placed(prim, triangle);
        let touch = placed.touch(ray, id, f64::INFINITY)?;
        Some([touch.t_low(), touch.t_high()])
    }
}
