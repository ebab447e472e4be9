//! The triangles of a leaf, to be compared with those and with the boxes of another tree.

use super::leaf_block::with_block;
use super::pair_bounds::{Direction, Reach};
use super::pair_space::{LANES, Narrow, PairSpace, Wide};
use crate::wide::{Axis, Child, WideTree};
use estoc_core::glam::DVec3;
use estoc_core::{InlineMap, larger, smaller};
use fearless_simd::Simd;

/// The triangles of a leaf of one side.
pub(super) struct LeafLanes {
    side: usize,
    pub(super) first: usize,
    pub(super) len: usize,
    /// By corner and axis, relative to the base.
    corners: [[Wide; 3]; 3],
    pub(super) boxes: [[Wide; 2]; 3],
    /// The ends on the side of the other tree, along the direction.
    pub(super) ends: Wide,
}

impl LeafLanes {
    #[inline(always)]
    pub(super) fn of<L: Simd, S: PairSpace>(
        simd: L,
        (tree, space): (&WideTree, &S),
        (leaf, side): (Child, usize),
        (base, reach): (DVec3, Reach),
        direction: Direction,
    ) -> Self {
        let (first, len) = match leaf {
            Child::Leaf { first, len } => (first, len),
            Child::Node(_) => (0, 0),
        };
        let rows = with_block(
            simd,
            tree.view(),
            (first, len),
            #[inline(always)]
            |block| {
                let axes = [Axis::X, Axis::Y, Axis::Z];
                [
                    axes.inline_map(|axis| *block.row::<0>(axis)),
                    axes.inline_map(|axis| *block.row::<1>(axis)),
                    axes.inline_map(|axis| *block.row::<2>(axis)),
                ]
            },
        );
        let down = |row: Narrow| row.inline_map(|x| tree.scale.down(x));
        let corners = rows.inline_map(|corner| space.points(corner.inline_map(down)));
        let boxes = [0, 1, 2].inline_map(|axis: usize| {
            let [a, b, c] = corners.each_ref().inline_map(|corner| &corner[axis]);
            [
                LANES.inline_map(|i| smaller(smaller(a[i], b[i]), c[i]) - reach.error),
                LANES.inline_map(|i| larger(larger(a[i], b[i]), c[i]) + reach.error),
            ]
        });
        let corners = corners.inline_map(|corner| {
            [0, 1, 2].inline_map(|axis: usize| corner[axis].inline_map(|x| x - base[axis]))
        });
        let [x, y, z] = direction.along.to_array();
        let [a, b, c] = corners.each_ref().inline_map(|[p, q, r]| {
            LANES.inline_map(|lane| p[lane] * x + q[lane] * y + r[lane] * z)
        });
        let ends = LANES.inline_map(|i| match side {
            0 => smaller(smaller(a[i], b[i]), c[i]),
            _ => larger(larger(a[i], b[i]), c[i]),
        });
        LeafLanes {
            side,
            first,
            len,
            corners,
            boxes,
            ends,
        }
    }

    #[inline(always)]
    pub(super) fn corners_of(&self, lane: usize) -> [DVec3; 3] {
        self.corners
            .inline_map(|corner| corner.inline_map(|axis| axis[lane]).into())
    }

    /// Returns lower bounds of the squared distances of the triangles from eight boxes of the other side, along
    /// the direction that the ends are given for.
    #[inline(always)]
    pub(super) fn squares_along(
        &self,
        boxes: &[[Wide; 2]; 3],
        (base, reach): (DVec3, Reach),
        direction: Direction,
    ) -> Wide {
        let along = direction.along.to_array();
        // The end of each box that is nearest to the leaf.
        let end_of = |lane: usize| {
            let end = |axis: usize| {
                let is_least = (along[axis] >= 0.0) == (self.side == 1);
                along[axis] * (boxes[axis][usize::from(!is_least)][lane] - base[axis])
            };
            end(0) + end(1) + end(2)
        };
        let ends = self.ends[..self.len].iter().copied();
        let end_of_leaf = match self.side {
            0 => ends.fold(f64::INFINITY, smaller),
            _ => ends.fold(f64::NEG_INFINITY, larger),
        };
        LANES.inline_map(|lane| match self.side {
            0 => direction.square_between(end_of_leaf, end_of(lane), reach),
            _ => direction.square_between(end_of(lane), end_of_leaf, reach),
        })
    }
}
