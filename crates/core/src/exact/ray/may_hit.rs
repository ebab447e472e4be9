//! The conservative box test with which trees prune: it may accept a box that the ray misses, but
//! never rejects one that contains a hit.

use super::PreparedRay;
use crate::shapes::{Aabb, Ray};

/// A ray prepared for [`Aabb::may_hit`].
///
/// # Why it never loses a hit
/// Let v = 2^-53. On an axis with d != 0 the parameter of a face, T = (face-o)/d, is computed as
/// `(face - o) * (1/d)` in `f64`: three roundings, so within 3.01 v |T|. Nothing underflows or
/// overflows, because |face-o| is 0 or in 2^-149 ..= 2^129 and 1/|d| in 2^-128 ..= 2^149. The
/// running maximum of entries and minimum of exits have the error of the value they took. A point
/// of the ray in the box has entry <= t <= exit exactly, so the computed numbers satisfy
/// `entry - 4v|entry| <= exit + 4v|exit|`; the test allows twice that.
///
/// On an axis with d = 0 the box contains the line, or not, for every t. There `1/d` is replaced by
/// 2^890 and the slab is widened by 2^700: origins inside or on a face get an interval beyond all
/// parameters (which are below 2^279) on both sides; origins outside are at least 2^-149 away,
/// which becomes 2^741, so the slab starts after or ends before all parameters. No infinity and no
/// NaN ever arises.
#[derive(Clone, Copy, Debug)]
pub struct BoxQuestion {
    origin: [f64; 3],
    inverse: [f64; 3],
    widen: [f64; 3],
    t_min: f64,
}

/// 2^890, in place of 1/0.
const STEEP: f64 = f64::from_bits((1023 + 890) << 52);
/// 2^700, beyond every parameter.
const BEYOND: f64 = f64::from_bits((1023 + 700) << 52);
/// Twice the bound that [`BoxQuestion`] proves sufficient.
const SLACK: f64 = 8.0 * f64::EPSILON / 2.0;

impl BoxQuestion {
    /// Prepares the ray.
    pub fn new(ray: &PreparedRay<'_>) -> Self {
        let dir = ray.dir();
        BoxQuestion {
            origin: ray.origin(),
            inverse: dir.map(|d| if d == 0.0 { STEEP } else { 1.0 / d }),
            widen: dir.map(|d| if d == 0.0 { BEYOND } else { 0.0 }),
            t_min: ray.t_min(),
        }
    }

    /// Returns `None` only if no parameter from `t_min` to `t_limit` puts the ray into the closed
    /// box. Otherwise returns a lower bound of all such parameters, to sort boxes and to prune
    /// with.
    ///
    /// The box must not be empty.
    #[inline]
    pub fn enter(&self, min: [f32; 3], max: [f32; 3], t_limit: f64) -> Option<f64> {
        let mut entry = f64::NEG_INFINITY;
        let mut exit = f64::INFINITY;
        for axis in 0..3 {
            let a = (f64::from(min[axis]) - self.origin[axis]) * self.inverse[axis];
            let b = (f64::from(max[axis]) - self.origin[axis]) * self.inverse[axis];
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            entry = entry.max(near - self.widen[axis]);
            exit = exit.min(far + self.widen[axis]);
        }
        let entry = entry - entry.abs() * SLACK;
        let exit = exit + exit.abs() * SLACK;
        (entry <= exit && entry <= t_limit && exit >= self.t_min).then_some(entry)
    }
}

impl Aabb {
    /// Returns whether the ray may hit something in the closed box, for trees: `true` whenever it
    /// does, and rarely otherwise. Rounded outward; [`Aabb::slab`] is exact.
    pub fn may_hit(&self, ray: &Ray) -> bool {
        if self.is_empty() {
            return false;
        }
        PreparedRay::new(ray).is_some_and(|ray| {
            BoxQuestion::new(&ray)
                .enter(self.min().into(), self.max().into(), ray.t_max())
                .is_some()
        })
    }
}
