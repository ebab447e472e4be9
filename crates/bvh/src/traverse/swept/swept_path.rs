//! The path of a moving sphere in the form that the traversal reads, and when it meets boxes.
//!
//! # Bounds
//! Let v = 2^-53. Coordinates of the path are those given times a power of two, exactly. Along an
//! axis, the centre c and a face f of a box, widened by the radius r, meet at the time
//! `(f - (c + r)) / speed` or `(f - (c - r)) / speed`. The inner sum has two roundings, since a slack
//! is added to the radius, and the difference a third: together less than `4v (|f| + |c| + r)`. The
//! slack is `8v` of these, with the reach of the tree for f. What is left are the roundings of the
//! reciprocal and of the product, two of each time: entries are reduced by 16v of themselves before
//! they are compared with exits.
//!
//! Along an axis without movement, 2^900 takes the place of the reciprocal: a box that the widened
//! centre is beside is met after every limit, or was left before the start, since limits are at
//! most 2^800 here, or it is taken. Differences are less than 2^260, so nothing overflows.

use crate::wide::{WIDTH, WideTree};
use estoc_core::SweepCollector;

/// The path along one axis.
#[derive(Clone, Copy)]
struct AxisPath {
    /// The centre plus and minus the radius and the slack.
    ahead: f64,
    behind: f64,
    by_speed: f64,
}

/// The path of a moving sphere, in units of the tree.
pub(super) struct SweptPath {
    axes: [AxisPath; 3],
}

/// When the sphere meets eight boxes, and which of them it meets within the limit.
pub(super) struct Entries {
    pub(super) times: [f64; WIDTH],
    pub(super) hits: [bool; WIDTH],
}

/// 2^-50.
const SLACK: f64 = 4.0 * f64::EPSILON;
/// 2^800, 2^900 and 2^260.
const LATEST: f64 = f64::from_bits((1023 + 800) << 52);
const BY_REST: f64 = f64::from_bits((1023 + 900) << 52);
const WIDEST: f64 = f64::from_bits((1023 + 259) << 52);

impl SweptPath {
    pub(super) fn of(collector: &SweepCollector, tree: &WideTree) -> Self {
        let up = f64::from(tree.scale.up(1.0));
        // An infinite radius reaches everything, as does this one.
        let radius = (f64::from(collector.radius()) * up).min(WIDEST);
        let reach = f64::from(tree.measures.reach);
        let (center, velocity) = (collector.center(), collector.velocity());
        let axis = |i: usize| {
            let (center, speed) = (f64::from(center[i]) * up, f64::from(velocity[i]) * up);
            let wide = radius + SLACK * (center.abs() + radius + reach);
            AxisPath {
                ahead: center + wide,
                behind: center - wide,
                by_speed: if speed == 0.0 { BY_REST } else { 1.0 / speed },
            }
        };
        SweptPath {
            axes: [axis(0), axis(1), axis(2)],
        }
    }

    /// Returns when the sphere meets boxes, given by axis, low and high faces.
    #[inline(always)]
    pub(super) fn entries(&self, faces: [[&[f32; WIDTH]; 2]; 3], limit: f64) -> Entries {
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
        let mut times = [0.0; WIDTH];
        let mut hits = [false; WIDTH];
        for lane in 0..WIDTH {
            times[lane] = entry[lane] * (1.0 - 8.0 * f64::EPSILON);
            hits[lane] = times[lane] <= exit[lane];
        }
        Entries { times, hits }
    }
}

/// Returns the larger number, as one instruction does.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
