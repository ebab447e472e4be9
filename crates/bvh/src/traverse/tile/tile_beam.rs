//! What all rays of a tile have in common.

use super::hull_lines::{Line, NARROWEST, between, by_slopes, spread};
use super::ray_rows::{GROUP, load};
use super::tile_frame::{Begin, Frame};
use super::tile_hull::TileHull;
use super::tile_ray::FrameErrors;
use super::tile_rays::{NUMBERS, TileRays};
use crate::traverse::kernel_ray::U;
use crate::wide::{Axis, Measures};
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase, f32x16};

/// Rays that lie farther apart than this part of the tree's reach, where the frame begins, have too
/// little in common.
const FARTHEST: f32 = 0.1;
const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// What all rays of a tile have in common.
pub struct TileBeam {
    pub frame: Frame,
    /// The axes of the frame.
    pub axes: [Axis; 3],
    /// The slopes of the middle.
    pub slope: [f32; 2],
    /// The largest absolute values of numbers, of which the moment's is an upper bound.
    pub widest: [f32; NUMBERS],
    /// The bound of the errors that are not relative ones; see `tile_triangles.rs`.
    pub slack: f32,
    /// Bounds how far a Z is off, besides its roundings.
    pub off: f32,
    /// Bounds how far faces of boxes are off, as seen from the frame's origin: at least 2^-126.
    pub off_boxes: f32,
    pub planes: TileHull,
    /// The greatest last end, or the end of the tree; infinite for rays from one point.
    pub limit: f32,
    /// The margin of groups.
    pub margin: f32,
    /// Whether some rays start in front of the frame's plane.
    pub has_starts: bool,
}

/// The frame, the slopes of the middle, where the frame begins, and the largest slopes and offsets.
type BeamParts<'b, S> = (Frame, [f32; 2], &'b Begin, [f32x16<S>; 4], FrameErrors);

impl TileBeam {
    /// Returns the beam of rays from one point, given the ranges of their whole slopes and whether
    /// some start in front of it, and sets the hulls of groups.
    #[inline(always)]
    pub(super) fn of_point<S: Simd>(
        simd: S,
        rays: &mut TileRays,
        groups: usize,
        (frame, slope, begin, sizes, errors): BeamParts<'_, S>,
        slopes: [[f32; 2]; 2],
        has_starts: bool,
    ) -> Self {
        let mut widest = [0.0; NUMBERS];
        let mut bounds = [[Line::default(); 2]; 2];
        for i in 0..2 {
            widest[i] = sizes[i].reduce_max();
            rays.hulls.set_slopes(simd, groups, i, slope[i], widest[i]);
            bounds[i] = spread(slopes[i], [frame.origin[i]; 2]);
        }
        let off_boxes = errors.of_boxes.at(begin.way);
        TileBeam {
            axes: frame.axes.inline_map(|axis| AXES[axis]),
            planes: TileHull::of(&frame, bounds, off_boxes),
            frame,
            slope,
            widest,
            // 2^-48
            slack: begin.way * f32::from_bits((127 - 48) << 23) * errors.slack,
            off: begin.way * errors.share,
            off_boxes,
            limit: f32::INFINITY,
            margin: 0.0,
            has_starts,
        }
    }

    /// Returns the beam of rays from several points; `None` if they have too little in common.
    #[inline(always)]
    pub(super) fn of_points<S: Simd>(
        simd: S,
        rays: &TileRays,
        groups: usize,
        (frame, slope, begin, sizes, errors): BeamParts<'_, S>,
        measures: &Measures,
    ) -> Option<Self> {
        let [sx, sy, ox, oy] = sizes;
        let (sx, sy) = (sx.reduce_max(), sy.reduce_max());
        let (ox, oy) = (ox.reduce_max(), oy.reduce_max());
        let widest = ox.max(oy);
        let are_close = widest <= FARTHEST * measures.reach;
        if !are_close {
            return None;
        }
        let moment = (ox * sy + oy * sx) * (1.0 + 4.0 * U);
        let slack = begin.way * f32::from_bits((127 - 47) << 23) * errors.slack;
        let end = begin.way * (1.0 + 16.0 * U);
        let first = load(simd, &rays.hulls.first).reduce_min().max(0.0);
        let last = rays.hulls.last_end(simd).min(end);
        let margin = (last + widest) * (24.0 * U);
        let places = slack + f32::MIN_POSITIVE + (begin.farthest + widest) * (4.0 * U);
        // Rays without an end are bounded by their slopes, so that no margin depends on the size of
        // the tree.
        let is_long = !begin.is_reversed && last >= end;
        let is_short = last - first < NARROWEST * (last + widest);
        if is_short && !is_long {
            return None;
        }
        let mut bounds = [[Line::default(); 2]; 2];
        for (i, bounds) in bounds.iter_mut().enumerate() {
            let moved = if is_long { places } else { places + margin };
            let groups = groups.min(GROUP);
            let rows = (&rays.whole[i][..groups], &rays.numbers[2 + i][..groups]);
            let [below, above] = match is_long {
                true => by_slopes(simd, rows),
                false => between(simd, rows, (first, last)),
            };
            *bounds = [
                Line {
                    offset: below.offset + frame.origin[i] - moved,
                    ..below
                },
                Line {
                    offset: above.offset + frame.origin[i] + moved,
                    ..above
                },
            ];
        }
        let off_boxes = errors.of_boxes.at(begin.way);
        Some(TileBeam {
            axes: frame.axes.inline_map(|axis| AXES[axis]),
            planes: TileHull::of(&frame, bounds, off_boxes),
            frame,
            slope,
            widest: [sx, sy, ox, oy, moment],
            slack,
            off: begin.way * errors.share,
            off_boxes,
            limit: last,
            margin,
            has_starts: true,
        })
    }
}
