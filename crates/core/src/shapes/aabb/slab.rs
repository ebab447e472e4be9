//! The slab test of a ray and a box, exactly.

use super::Aabb;
use super::parameter::Parameter;
use crate::shapes::{
    Ray, Span,
    span::{End, ExactSpan},
};
use core::cmp::Ordering;

/// The parameters at which a line enters and leaves a box, exactly.
pub(super) struct ExactSlab {
    pub(super) entry: Parameter,
    /// The axis of the face entered, the lowest one at an edge or a corner.
    pub(super) entry_axis: usize,
    exit: Parameter,
}

impl Aabb {
    /// Returns where the ray's line enters and leaves the closed box, if they meet in the ray's
    /// interval. All decisions are those of exact arithmetic.
    ///
    /// An axis that the ray is parallel to is decided by containment, bounds included: a ray in a
    /// face hits. The empty box and undefined rays ([`Ray::check`]) miss.
    ///
    /// Kay and Kajiya 1986, "Ray Tracing Complex Scenes".
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Aabb, Ray};
    /// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    /// let inside = unit.slab(&Ray::new([0.0; 3], [0.0, 2.0, 0.0])).unwrap();
    /// assert_eq!((inside.entry, inside.exit), (-0.5, 0.5));
    /// ```
    pub fn slab(&self, ray: &Ray) -> Option<Span> {
        self.exact_slab(ray).map(|slab| slab.rounded())
    }

    /// Returns the first parameter in the ray's interval at which it is in the closed box: where it
    /// enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        self.exact_slab(ray).map(|slab| slab.enter_solid(ray))
    }

    /// Returns the first parameter in the ray's interval at which it is on the box's surface: where
    /// it enters, or where it leaves when it starts inside (a face that it runs along counts as
    /// inside).
    pub fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        self.exact_slab(ray)?.enter_surface(ray)
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
        let meets = slab.entry.cmp(&slab.exit) != Ordering::Greater && slab.overlaps(ray);
        meets.then_some(slab)
    }
}

fn earlier(a: Parameter, b: Parameter) -> Parameter {
    if a.cmp(&b) == Ordering::Greater { b } else { a }
}

impl ExactSpan for ExactSlab {
    fn cmp(&self, end: End, bound: f32) -> Ordering {
        self.end(end).cmp_f32(bound)
    }

    fn to_f32(&self, end: End) -> f32 {
        self.end(end).to_f32()
    }
}

impl ExactSlab {
    fn end(&self, end: End) -> Parameter {
        match end {
            End::Entry => self.entry,
            End::Exit => self.exit,
        }
    }
}
