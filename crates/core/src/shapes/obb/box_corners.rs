//! Corners, centre, edges and bounds of an oriented box.

use super::Obb;
use super::edge_directions::{EdgeDirections, EnclosedRatio, Weights};
use crate::arithmetic::{Ratio, round};
use crate::shapes::Aabb;
use core::cmp::Ordering;
use glam::Vec3;

impl Obb {
    /// Returns the eight corners. Bit 0, 1, 2 of a corner's index is set if it is at the upper end
    /// of axis 0, 1, 2: the first corner is at all lower ends, the second differs in axis 0.
    ///
    /// Each coordinate is the `f32` nearest to that of the exact corner.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Obb, glam::Vec3};
    /// let cube = Obb::try_new([5.0, 5.0, 5.0], [Vec3::X, Vec3::Y, Vec3::Z], [1.0; 3]).unwrap();
    /// assert_eq!(cube.corners()[0], [4.0; 3].into());
    /// assert_eq!(cube.corners()[0b101], [6.0, 4.0, 6.0].into());
    /// ```
    pub fn corners(&self) -> [Vec3; 8] {
        let edges = EdgeDirections::of(&self.frame);
        core::array::from_fn(|place| {
            let weights = [0, 1, 2].map(|axis| {
                let bound = self.frame.extent(axis)[place >> axis & 1];
                [bound, bound]
            });
            nearest_vector(&edges, self.frame.reference(), weights)
        })
    }

    /// Returns the centre, each coordinate the `f32` nearest to the exact one.
    pub fn center(&self) -> Vec3 {
        let weights = [0, 1, 2].map(|axis| self.frame.extent(axis));
        nearest_vector(
            &EdgeDirections::of(&self.frame),
            self.frame.reference(),
            weights,
        )
    }

    /// Returns the vectors from the centre to the centres of the three upper faces: the box is the
    /// centre plus the sum of these, each times a number from -1 to 1. They are at right angles
    /// unless the box is sheared, and zero where it is flat. Each coordinate is the `f32` nearest
    /// to the exact one.
    pub fn half_edges(&self) -> [Vec3; 3] {
        let edges = EdgeDirections::of(&self.frame);
        [0, 1, 2].map(|axis| {
            let [low, high] = self.frame.extent(axis);
            let mut weights = [[0.0; 2]; 3];
            weights[axis] = [high, -low];
            nearest_vector(&edges, Vec3::ZERO, weights)
        })
    }

    /// Returns the outward normals, of length 1, of the three upper faces; those of the lower faces
    /// are their negatives. Each coordinate is the `f32` nearest to the exact one.
    pub fn normals(&self) -> [Vec3; 3] {
        [0, 1, 2].map(|axis| self.face_normal(axis, true))
    }

    /// Returns the smallest axis-aligned box of `f32`s that contains this box: its bounds are the
    /// exact ones rounded outward.
    pub fn bounds(&self) -> Aabb {
        let edges = EdgeDirections::of(&self.frame);
        let [min, max] = [false, true].map(|is_max| {
            Vec3::from_array([0, 1, 2].map(|i| outward(&self.extreme(&edges, i, is_max), is_max)))
        });
        // In order and finite: `fits_f32` was checked when the box was made.
        Aabb::of_points([min, max])
    }

    /// Returns whether all corners are in the range of `f32`.
    pub(super) fn fits_f32(&self) -> bool {
        let edges = EdgeDirections::of(&self.frame);
        let limit = f64::from(f32::MAX);
        (0..3).all(|coordinate| {
            let start = f64::from(self.frame.reference()[coordinate]);
            // Not `<=`: a sum that was rounded down to the limit is beyond it.
            start.abs() + edges.reach(coordinate) < limit
                || [false, true].into_iter().all(|is_max| {
                    let exact = (self.extreme(&edges, coordinate, is_max).exact)();
                    exact.cmp_f64(limit) != Ordering::Greater
                        && exact.cmp_f64(-limit) != Ordering::Less
                })
        })
    }

    /// Returns the least or greatest value of a coordinate in the box.
    fn extreme<'a>(
        &self,
        edges: &'a EdgeDirections<'_>,
        coordinate: usize,
        is_max: bool,
    ) -> EnclosedRatio<impl Fn() -> Ratio + use<'a>> {
        let weights = [0, 1, 2].map(|axis| {
            let upper = edges.rises(axis, coordinate) == is_max;
            let bound = self.frame.extent(axis)[usize::from(upper)];
            [bound, bound]
        });
        edges.coordinate(coordinate, self.frame.reference()[coordinate], weights)
    }
}

fn nearest_vector(edges: &EdgeDirections<'_>, start: Vec3, weights: Weights) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|i| {
        let found = edges.coordinate(i, start[i], weights);
        round(found.range).unwrap_or_else(|| (found.exact)().to_f32())
    }))
}

/// Rounds outward to the nearest `f32`.
fn outward<F: Fn() -> Ratio>(bound: &EnclosedRatio<F>, is_max: bool) -> f32 {
    let step = |nearest: f32, side: Ordering| match (side, is_max) {
        (Ordering::Greater, true) => nearest.next_up(),
        (Ordering::Less, false) => nearest.next_down(),
        _ => nearest,
    };
    // The nearest `f32`, or its neighbour if the number is on the outer side of it.
    let [low, high] = [bound.range.0, bound.range.1].map(|x| {
        let nearest = x as f32;
        step(nearest, x.total_cmp(&f64::from(nearest)))
    });
    if low == high {
        low + 0.0
    } else {
        let exact = (bound.exact)();
        let nearest = exact.to_f32();
        step(nearest, exact.cmp_f64(nearest.into())) + 0.0
    }
}
