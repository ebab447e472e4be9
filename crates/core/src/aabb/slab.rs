//! Ray against box by slabs, exactly.

use super::Aabb;
use super::parameter::Parameter;
use crate::Ray;
use core::cmp::Ordering;

/// Where the ray's line enters and leaves a box, to the nearest `f32`, ties to even, in
/// units of the direction's length.
///
/// `entry` is negative when the line enters behind the origin, as it does from inside; it is
/// not clamped to the ray's interval. Overflow is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// Parameter of the point where the line enters.
    pub entry: f32,
    /// Parameter of the point where the line leaves.
    pub exit: f32,
}

/// The same, exactly.
pub(super) struct ExactSlab {
    pub(super) entry: Parameter,
    /// The axis of the face entered, the lowest when it is an edge or a corner.
    pub(super) entry_axis: usize,
    exit: Parameter,
}

impl Aabb {
    /// Where the ray meets the closed box, if its interval does: both decided as in exact
    /// arithmetic.
    ///
    /// An axis that the ray is parallel to is decided by containment, bounds included: a ray
    /// that runs in a face hits. The empty box is missed, and undefined rays miss
    /// ([`Ray::check`]).
    ///
    /// Kay and Kajiya 1986, "Ray Tracing Complex Scenes".
    ///
    /// ```
    /// use estoc_core::{Aabb, Ray};
    /// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    /// let inside = unit.slab(&Ray::new([0.0; 3], [0.0, 2.0, 0.0])).unwrap();
    /// assert_eq!((inside.entry, inside.exit), (-0.5, 0.5));
    /// ```
    pub fn slab(&self, ray: &Ray) -> Option<Slab> {
        let slab = self.exact_slab(ray)?;
        Some(Slab {
            entry: slab.entry.to_f32(),
            exit: slab.exit.to_f32(),
        })
    }

    /// The first parameter in the ray's interval at which it is in the closed box: where it
    /// enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        let slab = self.exact_slab(ray)?;
        match slab.entry.cmp_f32(ray.t_min) {
            Ordering::Less => Some(ray.t_min + 0.0), // turns -0 into +0
            _ => Some(slab.entry.to_f32()),
        }
    }

    /// The first parameter in the ray's interval at which it is on the box's surface: where
    /// it enters, or where it leaves when it starts inside (a face that it runs along counts
    /// as inside).
    pub fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        let slab = self.exact_slab(ray)?;
        if slab.entry.cmp_f32(ray.t_min) != Ordering::Less {
            Some(slab.entry.to_f32())
        } else if slab.exit.cmp_f32(ray.t_max) != Ordering::Greater {
            Some(slab.exit.to_f32())
        } else {
            None // the interval ends inside
        }
    }

    pub(super) fn exact_slab(&self, ray: &Ray) -> Option<ExactSlab> {
        ray.check().ok()?;
        if self.is_empty() {
            return None;
        }
        let mut both: Option<ExactSlab> = None;
        for axis in 0..3 {
            let (o, d) = (ray.origin[axis], ray.dir[axis]);
            let (min, max) = (self.min[axis], self.max[axis]);
            if d == 0.0 {
                if o < min || o > max {
                    return None;
                }
                continue;
            }
            let (near, far) = if d > 0.0 { (min, max) } else { (max, min) };
            let entry = Parameter::new(near, o, d);
            let exit = Parameter::new(far, o, d);
            both = Some(match both {
                None => ExactSlab {
                    entry,
                    entry_axis: axis,
                    exit,
                },
                Some(slab) => {
                    let later = slab.entry.cmp(&entry) == Ordering::Less;
                    ExactSlab {
                        entry: if later { entry } else { slab.entry },
                        entry_axis: if later { axis } else { slab.entry_axis },
                        exit: earlier(slab.exit, exit),
                    }
                }
            });
        }
        let slab = both?; // some axis has d != 0
        let meets = slab.entry.cmp(&slab.exit) != Ordering::Greater
            && slab.entry.cmp_f32(ray.t_max) != Ordering::Greater
            && slab.exit.cmp_f32(ray.t_min) != Ordering::Less
            // An interval at infinity holds no parameter.
            && ray.t_min < f32::INFINITY
            && ray.t_max > f32::NEG_INFINITY;
        meets.then_some(slab)
    }
}

fn earlier(a: Parameter, b: Parameter) -> Parameter {
    if a.cmp(&b) == Ordering::Greater { b } else { a }
}
