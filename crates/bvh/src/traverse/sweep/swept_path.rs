//! The path of a moving sphere in the form that the traversal reads, and when it meets boxes.
//!
//! Two lower bounds of the time when the sphere touches what is in a box: when its centre enters the
//! box widened by the radius, and when it comes as near to the box's centre as the radius and half
//! the box's diagonal together. The second one is the better for boxes smaller than the sphere.
//!
//! # Bounds
//! Let v = 2^-53. Coordinates of the path are those given times a power of two, exactly, and so is
//! the velocity, whose largest component is brought between 1 and 2; times are multiplied back,
//! exactly.
//!
//! - **Widened boxes.** Along an axis, the centre c and a face f, widened by the radius r, meet at
//!   `(f - (c + r)) / speed` or `(f - (c - r)) / speed`. The inner sum has two roundings, since a
//!   slack is added to the radius, and the difference a third: together less than `4v (|f| + |c| +
//!   r)`. The slack is 8v of these, with the reach of the tree for f. What is left are the roundings
//!   of the reciprocal and of the product, two of each time: entries are reduced by 16v of
//!   themselves before they are compared with exits.
//! - **No movement along an axis.** 2^900 takes the place of the reciprocal: a box that the widened
//!   centre is beside is met after every limit, or was left before the start, since limits are at
//!   most 2^800 here, or it is taken. Differences are less than 2^261, so nothing overflows but times along axes that
//!   the sphere hardly moves along, which are later than all. A sphere leaves the tree before 2^561.
//! - **Balls.** The vector u from the box's centre to the sphere's has, along each axis, two
//!   roundings of at most the reach and |c|, and the half diagonal a few of itself: the slack of the
//!   three axes, added to the radius, covers the first. With `b = u . w` and the velocity w, the
//!   centre is within R of the box's centre from the time `(-b - sqrt(D)) / w^2`, where `D = b^2 -
//!   w^2 (u^2 - R^2)`. The roundings of D and of b^2 amount to less than 30v of `w^2 (u^2 + R^2)`; as
//!   many as 128v are added to D. That also covers the rounding of b, 5v of `|u| |w|`, in the sum of
//!   b and the root, since neither is larger than `|w| (|u| + R)`. The sum has three roundings more
//!   and the time two, for which 64v of the sizes of b and of the root are subtracted. With
//!   w at least 1 nothing underflows that matters. What overflows is infinite or NaN, and then only
//!   the widened box counts.

use crate::wide::{WIDTH, WideTree};
use estoc_core::glam::DVec3;
use estoc_core::{MovingSphere64, larger, smaller};

/// The path along one axis.
#[derive(Clone, Copy, Debug)]
pub struct AxisPath {
    /// The centre plus and minus the radius and the slack.
    pub ahead: f64,
    pub behind: f64,
    by_speed: f64,
    pub center: f64,
    /// The normalised velocity.
    velocity: f64,
}

/// The path of a moving sphere, in units of the tree.
#[derive(Clone, Debug)]
pub struct SweptPath {
    pub axes: [AxisPath; 3],
    /// The radius with the slack of balls.
    pub radius: f64,
    /// The square of the normalised velocity, and what multiplies normalised times; zero where
    /// there is no movement.
    square: f64,
    slowness: f64,
}

/// When the sphere meets eight boxes, and which of them it meets within the limit.
pub struct Entries {
    pub times: [f64; WIDTH],
    pub hits: [bool; WIDTH],
}

/// 2^-50.
const SLACK: f64 = 4.0 * f64::EPSILON;
/// 128 and 64 times 2^-53.
const BALL_SLACK: f64 = 64.0 * f64::EPSILON;
const TIME_SLACK: f64 = 32.0 * f64::EPSILON;
/// 2^800, 2^900 and 2^260.
const LATEST: f64 = f64::from_bits((1023 + 800) << 52);
const BY_REST: f64 = f64::from_bits((1023 + 900) << 52);
const WIDEST: f64 = f64::from_bits((1023 + 259) << 52);
/// 2^258 and 2^-300.
const FARTHEST: f64 = f64::from_bits((1023 + 258) << 52);
const SLOWEST: f64 = f64::from_bits((1023 - 300) << 52);

impl SweptPath {
    /// Returns the path of a sphere in the space of the tree's triangles; `None` if it begins farther away than
    /// 2^258 units of the tree, or its speed is neither 0 nor in 2^-300 to 2^258 units; no number of `f32` is there.
    pub fn of(sphere: &MovingSphere64, tree: &WideTree) -> Option<Self> {
        let up = f64::from(tree.scale.up(1.0));
        // An infinite radius reaches everything, as does this one.
        let radius = (sphere.radius * up).min(WIDEST);
        let reach = f64::from(tree.measures.reach);
        let (center, velocity) = (sphere.center * up, sphere.velocity * up);
        let fastest = velocity.abs().max_element();
        let rests = sphere.velocity == DVec3::ZERO;
        let is_usual = rests || (SLOWEST..=FARTHEST).contains(&fastest);
        // In this form NaN is refused.
        if !(is_usual && center.abs().max_element() <= FARTHEST) {
            return None;
        }
        // The inverse of the greatest power of two that is not above the fastest.
        let slowness = match fastest > 0.0 {
            true => 1.0 / f64::from_bits(fastest.to_bits() >> 52 << 52),
            false => 0.0,
        };
        let axis = |i: usize| {
            let (center, speed) = (center[i], velocity[i]);
            let wide = radius + SLACK * (center.abs() + radius + reach);
            AxisPath {
                ahead: center + wide,
                behind: center - wide,
                by_speed: if speed == 0.0 { BY_REST } else { 1.0 / speed },
                center,
                velocity: speed * slowness,
            }
        };
        let axes = [axis(0), axis(1), axis(2)];
        let [x, y, z] = axes.map(|axis| axis.center.abs() + reach);
        Some(SweptPath {
            radius: radius + SLACK * (radius + x + y + z),
            square: axes.iter().map(|axis| axis.velocity * axis.velocity).sum(),
            slowness,
            axes,
        })
    }

    /// Returns when the sphere meets boxes, given by axis, low and high faces.
    #[inline(always)]
    pub fn entries(&self, faces: [[&[f32; WIDTH]; 2]; 3], limit: f64) -> Entries {
        let mut entry = [0.0f64; WIDTH];
        let mut exit = [smaller(limit, LATEST); WIDTH];
        for (axis, [low, high]) in self.axes.iter().zip(faces) {
            // Faces in the order in which the centre meets them.
            let (first, last, first_from, last_from) = match axis.by_speed > 0.0 {
                true => (low, high, axis.ahead, axis.behind),
                false => (high, low, axis.behind, axis.ahead),
            };
            for lane in 0..WIDTH {
                let begin = (f64::from(first[lane]) - first_from) * axis.by_speed;
                let end = (f64::from(last[lane]) - last_from) * axis.by_speed;
                entry[lane] = larger(begin, entry[lane]);
                exit[lane] = smaller(end, exit[lane]);
            }
        }
        let near = self.ball_entries(faces);
        let mut times = [0.0; WIDTH];
        let mut hits = [false; WIDTH];
        for lane in 0..WIDTH {
            let widened = entry[lane] * (1.0 - 8.0 * f64::EPSILON);
            // The ball's is infinite where it is missed, and never NaN.
            times[lane] = larger(near[lane], widened);
            hits[lane] = times[lane] <= exit[lane];
        }
        Entries { times, hits }
    }

    /// Returns when the sphere's centre comes as near to the centres of boxes as the radius and half
    /// the diagonals; infinity where it does not, and negative numbers where it is or that is not
    /// known.
    #[inline(always)]
    fn ball_entries(&self, faces: [[&[f32; WIDTH]; 2]; 3]) -> [f64; WIDTH] {
        let (mut along, mut distance, mut diagonal) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        for (axis, [low, high]) in self.axes.iter().zip(faces) {
            for lane in 0..WIDTH {
                let (low, high) = (f64::from(low[lane]), f64::from(high[lane]));
                let from = axis.center - (low + high) * 0.5;
                let extent = high - low;
                along[lane] += from * axis.velocity;
                distance[lane] += from * from;
                diagonal[lane] += extent * extent;
            }
        }
        let by_square = self.slowness / self.square;
        let mut entries = [0.0; WIDTH];
        for lane in 0..WIDTH {
            let near = self.radius + 0.5 * diagonal[lane].sqrt();
            let (along, reach) = (along[lane], near * near);
            let gap = distance[lane] - reach - BALL_SLACK * (distance[lane] + reach);
            let discriminant = along * along - self.square * gap;
            let root = discriminant.sqrt();
            let entry = (-along - root - TIME_SLACK * (along.abs() + root)) * by_square;
            // Apart for good: the centre rests, moves away, or passes too far away.
            let rests = self.square == 0.0;
            let misses = gap > 0.0 && (rests || along > 0.0 || discriminant < 0.0);
            let entry = if misses { f64::INFINITY } else { entry };
            // NaN becomes a number.
            entries[lane] = larger(entry, -1.0);
        }
        entries
    }
}
