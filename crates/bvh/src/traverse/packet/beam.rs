//! What all rays of a packet have in common.

use super::group::{Fitting, Group, Lanes, RAYS};
use super::planes::Planes;
use super::vectors::{Part, load, store};
use crate::traverse::ray::U;
use crate::wide::{Axis, WideTree};
use fearless_simd::{Simd, SimdBase, SimdNarrow, SimdWiden};

/// A packet's rays, by how they differ from the one in their middle.
pub(super) struct Beam {
    pub(super) axes: [Axis; 3],
    pub(super) forward: f32,
    /// A point of the plane that parameters are counted from.
    pub(super) origin: [f32; 3],
    /// The slopes of the middle.
    pub(super) slope: [f32; 2],
    /// The most that slopes differ from it, and places in the plane from the origin.
    pub(super) slopes: [f32; 2],
    pub(super) offsets: [f32; 2],
    /// What places may be off by, other than relatively.
    pub(super) slack: f32,
    /// Whether all rays start in the origin.
    pub(super) is_shared: bool,
    pub(super) planes: Planes,
    /// Where the first ray starts.
    pub(super) least: f32,
}

/// The numbers of each ray.
pub(super) struct BeamRays {
    /// The lanes that are in use.
    pub(super) part: Part,
    /// Slopes less the middle's.
    pub(super) slope: [Lanes; 2],
    /// Places in the plane of the origin less the origin.
    pub(super) offset: [Lanes; 2],
    /// `offset_x * slope_y - offset_y * slope_x`.
    pub(super) moment: Lanes,
    /// The parameter of a face at `x` is `x inverse + near` or `+ far`, for near and far faces.
    pub(super) inverse: [Lanes; 2],
    pub(super) near: [Lanes; 2],
    pub(super) far: [Lanes; 2],
    /// Where the ray starts at the earliest and at the latest.
    pub(super) from: [Lanes; 2],
    /// The end that matters lies between these: the ray's own, or the first hit so far.
    pub(super) low: Lanes,
    pub(super) high: Lanes,
}

impl BeamRays {
    pub(super) fn new() -> Self {
        BeamRays {
            part: Part::ALL,
            slope: [[0.0; RAYS]; 2],
            offset: [[0.0; RAYS]; 2],
            moment: [0.0; RAYS],
            inverse: [[0.0; RAYS]; 2],
            near: [[0.0; RAYS]; 2],
            far: [[0.0; RAYS]; 2],
            from: [[0.0; RAYS]; 2],
            low: [0.0; RAYS],
            high: [0.0; RAYS],
        }
    }
}

/// Beyond this, slopes have nothing in common.
const WIDEST: f32 = 0.2;
/// Nor rays that start farther apart than this part of the tree.
const FARTHEST: f32 = 0.02;

impl Beam {
    /// All lanes must have rays that fit. `None` if they have too little in common.
    #[inline(always)]
    pub(super) fn of<S: Simd>(
        simd: S,
        group: &Group<'_>,
        fitting: &Fitting,
        part: Part,
        tree: &WideTree,
        rays: &mut BeamRays,
    ) -> Option<Self> {
        rays.part = part;
        let z_axis = fitting.axis;
        let axes = [(z_axis + 1) % 3, (z_axis + 2) % 3, z_axis];
        let forward = S::f32s::splat(simd, fitting.forward);

        // Where they start.
        let ox = range(simd, &group.origin[axes[0]], part);
        let oy = range(simd, &group.origin[axes[1]], part);
        let oz = range(simd, &group.origin[axes[2]], part);
        let is_shared = ox[0] == ox[1] && oy[0] == oy[1] && oz[0] == oz[1];
        let origin = [
            middle(ox),
            middle(oy),
            if fitting.forward > 0.0 { oz[0] } else { oz[1] },
        ];
        let apart = (ox[1] - ox[0]).max(oy[1] - oy[0]).max(oz[1] - oz[0]);
        if apart > FARTHEST * tree.measures.reach {
            return None;
        }

        // How they go on.
        let infinity = S::f32s::splat(simd, f32::INFINITY);
        let (mut least, mut most) = ([infinity; 2], [-infinity; 2]);
        let [dir_x, dir_y, dir_z] = axes.map(|axis| &group.dir[axis]);
        for vector in part.vectors::<S>() {
            let z = load(simd, dir_z, vector).abs();
            let x = load(simd, dir_x, vector) / z;
            let y = load(simd, dir_y, vector) / z;
            least = [least[0].min(x), least[1].min(y)];
            most = [most[0].max(x), most[1].max(y)];
            if !is_shared {
                store::<S>(&mut rays.slope[0], vector, x);
                store::<S>(&mut rays.slope[1], vector, y);
            }
        }
        let ranges = [
            [least[0].reduce_min(), most[0].reduce_max()],
            [least[1].reduce_min(), most[1].reduce_max()],
        ];
        let slope = ranges.map(middle);
        let width = |i: usize| ranges[i][1] - ranges[i][0];
        if width(0).max(width(1)) > 2.0 * WIDEST {
            return None;
        }

        // Where they pass through the plane of the origin.
        let mut places = [[0.0; 2]; 2];
        if !is_shared {
            let (mut least, mut most) = ([infinity; 2], [-infinity; 2]);
            for vector in part.vectors::<S>() {
                let z =
                    load(simd, &group.origin[axes[2]], vector) - S::f32s::splat(simd, origin[2]);
                let z = z * forward;
                for i in 0..2 {
                    let x = load(simd, &group.origin[axes[i]], vector);
                    let x = x - S::f32s::splat(simd, origin[i]);
                    let x = x - load(simd, &rays.slope[i], vector) * z;
                    store::<S>(&mut rays.offset[i], vector, x);
                    (least[i], most[i]) = (least[i].min(x), most[i].max(x));
                }
            }
            places = [
                [least[0].reduce_min(), most[0].reduce_max()],
                [least[1].reduce_min(), most[1].reduce_max()],
            ];
        }

        // How their slopes differ from the middle's, to a few u of the difference.
        let middle_x = S::f64s::splat(simd, f64::from(-slope[0]));
        let middle_y = S::f64s::splat(simd, f64::from(-slope[1]));
        let zero = S::f32s::splat(simd, 0.0);
        let mut widest = [zero; 2];
        for vector in part.vectors::<S>() {
            let z = load(simd, dir_z, vector).abs();
            let x = beside::<S>(load(simd, dir_x, vector), z, middle_x) / z;
            let y = beside::<S>(load(simd, dir_y, vector), z, middle_y) / z;
            widest = [widest[0].max(x.abs()), widest[1].max(y.abs())];
            store::<S>(&mut rays.slope[0], vector, x);
            store::<S>(&mut rays.slope[1], vector, y);
            if !is_shared {
                let ox = load(simd, &rays.offset[0], vector);
                let oy = load(simd, &rays.offset[1], vector);
                store::<S>(&mut rays.moment, vector, ox * y - oy * x);
            }
        }

        // Ends.
        let (down, up) = (1.0 - 8.0 * U, 1.0 + 8.0 * U);
        let down = S::f32s::splat(simd, down);
        let up = S::f32s::splat(simd, up);
        let tiny = S::f32s::splat(simd, f32::MIN_POSITIVE);
        let mut first = infinity;
        for vector in part.vectors::<S>() {
            let z = load(simd, dir_z, vector).abs();
            let start = load(simd, &group.origin[axes[2]], vector);
            let start = (start - S::f32s::splat(simd, origin[2])) * forward;
            let from = load(simd, &group.ends[0], vector) * z;
            let to = load(simd, &group.ends[1], vector) * z;
            let (early, late) = (start * down - tiny, start * up + tiny);
            let (from_low, to_low) = (from * down + early, to * down + early);
            let (from_high, to_high) = (from * up + late, to * up + late);
            store::<S>(&mut rays.from[0], vector, from_low);
            store::<S>(&mut rays.from[1], vector, from_high);
            store::<S>(&mut rays.low, vector, to_low);
            store::<S>(&mut rays.high, vector, to_high);
            first = first.min(from_low);
        }
        let first = first.reduce_min();

        let way =
            tree.measures.reach + origin.iter().fold(0.0, |way, x| f32::max(way, x.abs())) + apart;
        let b_e = 12.0 * U * apart;
        let slack = way * 2f32.powi(-49) + b_e;
        let mut moved = f32::MIN_POSITIVE;
        if !is_shared {
            moved += b_e + 2.0 * U * (origin[0].abs().max(origin[1].abs()) + apart * 4.0);
        }
        let beam_range = |i: usize| {
            if is_shared {
                return [origin[i]; 2];
            }
            [
                origin[i] + places[i][0] - moved,
                origin[i] + places[i][1] + moved,
            ]
        };
        let planes = Planes::of(
            axes,
            fitting.forward,
            origin[2],
            [beam_range(0), beam_range(1)],
            ranges,
        );
        for i in 0..2 {
            fill_slabs::<S>(simd, group, rays, axes, i, origin[i], moved, is_shared, planes.is_open(axes[i]));
        }
        const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
        let offsets = places.map(|[low, high]| high.max(-low));
        Some(Beam {
            axes: axes.map(|axis| AXES[axis]),
            forward: fitting.forward,
            origin,
            slope,
            slopes: [widest[0].reduce_max(), widest[1].reduce_max()],
            offsets,
            slack,
            is_shared,
            planes,
            least: if first > 0.0 { first } else { 0.0 },
        })
    }
}

/// What slabs need of each ray.
#[inline(always)]
fn fill_slabs<S: Simd>(
    simd: S,
    group: &Group<'_>,
    rays: &mut BeamRays,
    axes: [usize; 3],
    i: usize,
    origin: f32,
    moved: f32,
    is_shared: bool,
    is_open: bool,
) {
    let part = rays.part;
    if is_open {
        // They do not tell anything.
        rays.inverse[i] = [0.0; RAYS];
        rays.near[i] = [-1.0; RAYS];
        rays.far[i] = [f32::MAX; RAYS];
        return;
    }
    for vector in part.vectors::<S>() {
        let z = load(simd, &group.dir[axes[2]], vector).abs();
        let inverse = z / load(simd, &group.dir[axes[i]], vector);
        let mut place = S::f32s::splat(simd, -origin);
        if !is_shared {
            place = place - load(simd, &rays.offset[i], vector);
        }
        let product = place * inverse;
        let pad = product.abs() * S::f32s::splat(simd, 8.0 * U)
            + inverse.abs() * S::f32s::splat(simd, 2.0 * moved);
        store::<S>(&mut rays.inverse[i], vector, inverse);
        store::<S>(&mut rays.near[i], vector, product - pad);
        store::<S>(&mut rays.far[i], vector, product + pad);
    }
}

#[inline(always)]
fn middle([low, high]: [f32; 2]) -> f32 {
    low + (high - low) * 0.5
}

/// `x + slope * z`, rounded once.
#[inline(always)]
fn beside<S: Simd>(x: S::f32s, z: S::f32s, slope: S::f64s) -> S::f32s {
    let (x0, x1) = x.widen();
    let (z0, z1) = z.widen();
    (x0 + slope * z0).narrow(x1 + slope * z1)
}

/// The least and the greatest of a number.
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
