//! The slab test of a line and an oriented box in `f64` with intervals, for all but close calls.

use super::crossing::{BoxLine, Crossing, Stretch};
use crate::arithmetic::{Interval, largest, vector::dot};

/// What `f64` decides about a ray and a box.
pub(super) enum Quick<'a> {
    /// A certain hit, with its faces.
    Meets(Stretch<'a>),
    /// A certain miss.
    Misses,
    /// Too close to decide: a contact, an edge, parallel faces, or numbers of extreme sizes.
    Open,
}

impl<'a> BoxLine<'a> {
    /// Performs the slab test with intervals.
    ///
    /// The errors of `PlanePair::gap` and `BoxLine::slope` grow with the terms of a dot product;
    /// `size * largest` is no less than their sum, so G = 8u of it (u = 2^-53) plus the slack of
    /// the bounds bounds the error of the gap, and F = 8u of it that of the slope f. Where F <=
    /// 2^-20 |f|, the true quotient is within `(G + |t| F) / (|f| - F)` of the computed
    /// `t = g * (1/f)`, plus 2u |t| for its own roundings. `1/(|f| - F)` is less than 1.001 times
    /// the computed `|1/f|`; 8u |t| cover the roundings of this, and the least normal number covers
    /// subnormal ones (`crossing.rs` has the magnitudes).
    ///
    /// An interval is monotone in t, so where two faces are so close that their computed parameters
    /// parameters come in the wrong order, the lesser one still bounds the entry.
    #[inline]
    pub(super) fn quick_stretch(&self) -> Quick<'a> {
        const EIGHT_U: f64 = 4.0 * f64::EPSILON;
        const STEEP: f64 = (1u64 << 20) as f64;
        let far = largest(self.delta) * EIGHT_U;
        let long = largest(self.dir) * EIGHT_U;
        let (mut entries, mut exits) = ([(0.0, 0.0); 3], [(0.0, 0.0); 3]);
        let mut entry = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let mut exit = (f64::INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let planes = &self.obb.planes[axis];
            let slope = dot(planes.normal, self.dir);
            let slope_error = planes.size * long;
            if slope_error * STEEP > slope.abs() {
                return Quick::Open;
            }
            let inverse = 1.0 / slope;
            let height = dot(planes.normal, self.delta);
            let steep = inverse.abs() * 1.001;
            let absolute = (planes.size * far + planes.slack) * steep + f64::MIN_POSITIVE;
            let relative = slope_error * steep + EIGHT_U;
            let around = |t: f64| {
                let error = absolute + t.abs() * relative;
                (t - error, t + error)
            };
            let a = (planes.bounds[0].value - height) * inverse;
            let b = (planes.bounds[1].value - height) * inverse;
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            entries[axis] = around(near);
            exits[axis] = around(far);
            entry = (entry.0.max(entries[axis].0), entry.1.max(entries[axis].1));
            exit = (exit.0.min(exits[axis].0), exit.1.min(exits[axis].1));
        }
        let (t_min, t_max) = (f64::from(self.ray.t_min), f64::from(self.ray.t_max));
        if entry.0 > exit.1 || entry.0 > t_max || exit.1 < t_min {
            return Quick::Misses;
        }
        let meets = entry.1 <= exit.0 && entry.1 <= t_max && exit.0 >= t_min;
        let entered = only(&entries, |range| range.1 >= entry.0);
        let left = only(&exits, |range| range.0 <= exit.1);
        match (meets, entered, left) {
            (true, Some(i), Some(o)) => Quick::Meets(Stretch {
                line: *self,
                entry: self.crossing(i, false, entries[i]),
                exit: self.crossing(o, true, exits[o]),
            }),
            _ => Quick::Open,
        }
    }

    fn crossing(&self, axis: usize, leaves: bool, range: Interval) -> Crossing {
        // Along the normal the line leaves by the face with the greater bound.
        let along = dot(self.obb.planes[axis].normal, self.dir) > 0.0;
        Crossing {
            axis,
            is_max: (leaves == along) != self.obb.is_mirrored,
            range,
        }
    }
}

/// Returns the only axis for which this holds; `None` if several do.
fn only(ranges: &[Interval; 3], test: impl Fn(&Interval) -> bool) -> Option<usize> {
    match [0, 1, 2].map(|axis| test(&ranges[axis])) {
        [true, false, false] => Some(0),
        [false, true, false] => Some(1),
        [false, false, true] => Some(2),
        _ => None,
    }
}
