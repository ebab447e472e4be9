//! What all rays of a packet have in common.

use super::beam_rays::BeamRays;
use super::packet_hull::PacketHull;
use super::packet_vectors::{Part, load};
use super::ray_arrays::{Fitting, Lanes, RayArrays};
use crate::traverse::kernel_ray::U;
use crate::wide::{Axis, WideTree};
use estoc_core::InlineMap;
use fearless_simd::{Simd, SimdBase};

/// Slopes that differ by more than twice this have too little in common.
const WIDEST: f32 = 0.5;
/// So have rays that start farther apart than this part of the tree's reach.
const FARTHEST: f32 = 0.1;

/// The origin and the axis of a packet's parameter. The definition and the bounds of the errors are
/// in `beam_rays.rs`.
pub struct Frame {
    /// The axes, in cyclic order, of which the last is the one along which rays go.
    pub axes: [usize; 3],
    /// 1 or -1: the direction along that axis.
    pub forward: f32,
    pub origin: [f32; 3],
    /// Whether all rays start at the origin.
    pub is_shared: bool,
    /// The largest distance between starts of rays.
    pub apart: f32,
}

impl Frame {
    #[inline(always)]
    fn of<S: Simd>(simd: S, group: &RayArrays<'_>, fitting: &Fitting, part: Part) -> Self {
        let last = fitting.axis;
        let axes = [(last + 1) % 3, (last + 2) % 3, last];
        let x = range(simd, &group.origin[axes[0]], part);
        let y = range(simd, &group.origin[axes[1]], part);
        let z = range(simd, &group.origin[axes[2]], part);
        let first = if fitting.forward > 0.0 { z[0] } else { z[1] };
        Frame {
            axes,
            forward: fitting.forward,
            origin: [middle(x), middle(y), first],
            is_shared: x[0] == x[1] && y[0] == y[1] && z[0] == z[1],
            apart: (x[1] - x[0]).max(y[1] - y[0]).max(z[1] - z[0]),
        }
    }
}

/// A packet, without the numbers of each ray.
pub struct Beam {
    /// The axes of the frame.
    pub axes: [Axis; 3],
    pub frame: Frame,
    /// The slopes of the middle.
    pub slope: [f32; 2],
    /// The largest differences of slopes from these, and of positions in the plane from the origin.
    pub slopes: [f32; 2],
    pub offsets: [f32; 2],
    /// The bound of the errors of positions that are not relative ones.
    pub slack: f32,
    pub planes: PacketHull,
    /// Where the first ray starts.
    pub least: f32,
}

impl Beam {
    /// Prepares a beam. All lanes of the part must have rays that fit. Returns `None` if they have
    /// too little in common.
    #[inline(always)]
    pub fn of<S: Simd>(
        simd: S,
        group: &RayArrays<'_>,
        fitting: &Fitting,
        part: Part,
        tree: &WideTree,
        rays: &mut BeamRays,
    ) -> Option<Self> {
        rays.part = part;
        let frame = Frame::of(simd, group, fitting, part);
        if frame.apart > FARTHEST * tree.measures.reach {
            return None;
        }
        let ranges = rays.set_whole_slopes(simd, group, &frame);
        let [x, y] = ranges;
        if (x[1] - x[0]).max(y[1] - y[0]) > 2.0 * WIDEST {
            return None;
        }
        let mut places = [[0.0; 2]; 2];
        if !frame.is_shared {
            places = rays.set_offsets(simd, group, &frame);
        }
        let slope = [middle(x), middle(y)];
        let slopes = rays.set_slopes(simd, group, &frame, slope);
        let first = rays.set_ends(simd, group, &frame);

        let [x, y, z] = frame.origin;
        let farthest = x.abs().max(y.abs()).max(z.abs());
        let off = 12.0 * U * frame.apart;
        // The errors of `f64`, from corners to the plane across: a few times 2^-53.
        let way = tree.measures.reach + farthest + frame.apart;
        let slack = way * f32::from_bits((127 - 49) << 23) + off;
        // With two roundings of the positions in the plane.
        let mut moved = f32::MIN_POSITIVE;
        let mut hull = [[x; 2], [y; 2]];
        if !frame.is_shared {
            moved += off + 2.0 * U * (farthest + 4.0 * frame.apart);
            for i in 0..2 {
                hull[i][0] += places[i][0] - moved;
                hull[i][1] += places[i][1] + moved;
            }
        }
        let planes = PacketHull::of(&frame, hull, ranges);
        for i in 0..2 {
            match planes.is_open(frame.axes[i]) {
                true => rays.set_open(i),
                false => rays.set_slabs(simd, group, &frame, i, moved),
            }
        }
        const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
        let [px, py] = places;
        Some(Beam {
            axes: frame.axes.inline_map(|axis| AXES[axis]),
            frame,
            slope,
            slopes,
            offsets: [px[1].max(-px[0]), py[1].max(-py[0])],
            slack,
            planes,
            least: if first > 0.0 { first } else { 0.0 },
        })
    }
}

#[inline(always)]
fn middle([low, high]: [f32; 2]) -> f32 {
    low + (high - low) * 0.5
}

/// Returns the least and the greatest of a number of each ray.
#[inline(always)]
fn range<S: Simd>(simd: S, lanes: &Lanes, part: Part) -> [f32; 2] {
    let mut least = load(simd, lanes, part.vectors::<S>().start);
    let mut most = least;
    for vector in part.vectors::<S>() {
        let numbers = load(simd, lanes, vector);
        (least, most) = (least.min(numbers), most.max(numbers));
    }
    [least.reduce_min(), most.reduce_max()]
}
