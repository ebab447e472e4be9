//! Rays of another space, one in each lane.

use crate::traverse::bundle::LANES;
use crate::traverse::mapped::MappedRay;

/// A number of each ray.
type Wide = [f64; LANES];

/// Sixteen rays in the space of a tree, with bounds of their errors, as in [`MappedRay`]. Nothing before
/// their origins counts.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct MappedRays {
    /// By axis, the points at the parameters `start`.
    pub origin: [Wide; 3],
    /// By axis, the directions.
    pub dir: [Wide; 3],
    /// Bounds the error of each coordinate of the origin.
    pub origin_error: Wide,
    /// Bounds the error of each coordinate of the direction.
    pub dir_error: Wide,
    /// The parameter of the origin, which is finite.
    pub start: Wide,
}

impl MappedRays {
    /// Sixteen times the same ray, which no lane needs.
    pub const NONE: MappedRays = MappedRays {
        origin: [[0.0; LANES]; 3],
        dir: [[1.0; LANES]; 3],
        origin_error: [0.0; LANES],
        dir_error: [0.0; LANES],
        start: [0.0; LANES],
    };

    /// Sets the ray of a lane. Returns whether that is possible: whether its least parameter is finite.
    pub fn set(&mut self, lane: usize, ray: &MappedRay) -> bool {
        if !ray.t_min.is_finite() {
            return false;
        }
        let ray = match ray.t_min == ray.start {
            true => *ray,
            false => ray.starting_at(ray.t_min),
        };
        for axis in 0..3 {
            self.origin[axis][lane] = ray.origin[axis];
            self.dir[axis][lane] = ray.dir[axis];
        }
        self.origin_error[lane] = ray.origin_error;
        self.dir_error[lane] = ray.dir_error;
        self.start[lane] = ray.start;
        true
    }

    /// Returns the ray of a lane, which is below [`LANES`].
    #[inline(always)]
    pub fn get(&self, lane: usize) -> MappedRay {
        MappedRay {
            origin: [
                self.origin[0][lane],
                self.origin[1][lane],
                self.origin[2][lane],
            ],
            dir: [self.dir[0][lane], self.dir[1][lane], self.dir[2][lane]],
            origin_error: self.origin_error[lane],
            dir_error: self.dir_error[lane],
            start: self.start[lane],
            t_min: self.start[lane],
        }
    }
}
