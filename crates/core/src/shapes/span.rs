//! The interval in which a line is inside a closed convex shape.

use crate::shapes::Ray;
use core::cmp::Ordering;

/// The parameters at which a ray's line enters and leaves a closed convex shape, as returned by
/// [`Aabb::slab`](crate::Aabb::slab), [`Obb::slab`](crate::Obb::slab) and
/// [`Sphere::chord`](crate::Sphere::chord).
///
/// Both are the `f32` nearest to the exact parameter, ties to even, in units of the direction's
/// length; zero is +0 and overflow is infinite. `entry` is negative when the line enters behind the
/// origin, as it does from inside; it is not clamped to the ray's interval. For a line that only
/// touches the shape the two are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Parameter of the point where the line enters.
    pub entry: f32,
    /// Parameter of the point where the line leaves.
    pub exit: f32,
}

/// One of the two ends of a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Entry,
    Exit,
}

/// A span before it is rounded, with the rules that all shapes share.
pub(crate) trait ExactSpan {
    /// Compares an end with a number that may be infinite but not NaN.
    fn cmp(&self, end: End, bound: f32) -> Ordering;

    /// Returns the nearest `f32` to an end, ties to even; overflow is infinite, and zero is +0.
    fn to_f32(&self, end: End) -> f32;

    /// Returns whether a parameter of the ray's interval is in the span. The interval must be
    /// defined; one at infinity contains no parameter.
    #[inline]
    fn overlaps(&self, ray: &Ray) -> bool {
        self.cmp(End::Entry, ray.t_max) != Ordering::Greater
            && self.cmp(End::Exit, ray.t_min) != Ordering::Less
            && ray.t_min < f32::INFINITY
            && ray.t_max > f32::NEG_INFINITY
    }

    #[inline]
    fn rounded(&self) -> Span {
        Span {
            entry: self.to_f32(End::Entry),
            exit: self.to_f32(End::Exit),
        }
    }

    /// Returns the first parameter in both the span and the interval, for a ray that overlaps.
    #[inline]
    fn enter_solid(&self, ray: &Ray) -> f32 {
        match self.cmp(End::Entry, ray.t_min) {
            Ordering::Less => ray.t_min + 0.0, // turns -0 into +0
            _ => self.to_f32(End::Entry),
        }
    }

    /// Returns the first end in the interval, for a ray that overlaps; `None` when it ends inside.
    #[inline]
    fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        if self.cmp(End::Entry, ray.t_min) != Ordering::Less {
            Some(self.to_f32(End::Entry))
        } else if self.cmp(End::Exit, ray.t_max) != Ordering::Greater {
            Some(self.to_f32(End::Exit))
        } else {
            None
        }
    }
}
