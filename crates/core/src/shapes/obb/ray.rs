//! Ray tests of an oriented box.

use super::Obb;
use super::crossing::{BoxLine, Crossing, Stretch};
use crate::arithmetic::{Bounded, Dyadic, unit};
use crate::shapes::{BoxFace, BoxHit, Ray, Span, box_hit::point_at, span::ExactSpan};
use core::cmp::Ordering;

/// The first hit of a ray on a solid box, before it is rounded.
#[derive(Clone, Copy)]
pub(super) enum Meeting {
    /// The ray starts in the box or on it.
    Inside,
    /// The ray enters later.
    Entry(Crossing),
}

impl Obb {
    /// Returns where the ray's line enters and leaves the closed box, if they meet in the ray's
    /// interval. All decisions are those of exact arithmetic.
    ///
    /// Entry and exit are those of the whole line, not clamped to the interval: `entry` is negative
    /// when the origin is inside. A pair of faces that the ray is parallel to is decided by
    /// containment, bounds included: a ray in a face hits. Undefined rays miss ([`Ray::check`]).
    ///
    /// Kay and Kajiya 1986, "Ray Tracing Complex Scenes", whose slabs have any orientation.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Aabb, Obb, Ray, glam::{Mat4, Vec4}};
    /// let column = |x, y, z| Vec4::new(x, y, z, 0.0);
    /// let (x, y, z) = (column(3.0, 4.0, 0.0), column(-4.0, 3.0, 0.0), column(0.0, 0.0, 5.0));
    /// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    /// let turned = Obb::from_model(&unit, &Mat4::from_cols(x, y, z, Vec4::W)).unwrap();
    /// let inside = turned.slab(&Ray::new([0.0; 3], [6.0, 8.0, 0.0])).unwrap();
    /// assert_eq!((inside.entry, inside.exit), (-0.5, 0.5));
    /// ```
    pub fn slab(&self, ray: &Ray) -> Option<Span> {
        self.stretch(ray).map(|stretch| stretch.rounded())
    }

    /// Returns the first parameter in the ray's interval at which it is in the closed box: where it
    /// enters, or `t_min` when it starts inside. From inside a ray with `t_min` 0 that is 0.
    pub fn enter_solid(&self, ray: &Ray) -> Option<f32> {
        self.stretch(ray).map(|stretch| stretch.enter_solid(ray))
    }

    /// Returns the first parameter in the ray's interval at which it is on the box's surface: where
    /// it enters, or where it leaves when it starts inside (a face that it runs along counts as
    /// inside).
    pub fn enter_surface(&self, ray: &Ray) -> Option<f32> {
        self.stretch(ray)?.enter_surface(ray)
    }

    /// Returns the first hit of the ray on the closed solid box, with its point and normal, by the
    /// rule of [`Aabb::woo`](crate::Aabb::woo).
    ///
    /// A ray whose line enters beyond `t_min` hits there, on the entered face. On an edge or a
    /// corner the face across the box's lowest axis counts. A flat box has two coincident faces,
    /// and the ray enters the one that faces it. A ray that starts in the box or on it hits at
    /// `t_min`, and the normal is its reversed direction, of length 1. Whether there is a hit is
    /// decided as in [`slab`](Obb::slab).
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Obb, Ray, glam::Vec3};
    /// let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    /// let cube = Obb::try_new([10.0, 0.0, 0.0], turned, [1.0; 3]).unwrap();
    /// let hit = cube.hit(&Ray::new([4.0, -8.0, 0.5], [0.6, 0.8, 0.0])).unwrap();
    /// assert_eq!((hit.t, hit.normal), (9.0, [-0.6, -0.8, 0.0].into()));
    /// ```
    pub fn hit(&self, ray: &Ray) -> Option<BoxHit> {
        let line = BoxLine::new(self, ray)?;
        let meeting = line.meet()?;
        Some(line.hit(&meeting))
    }

    fn stretch<'a>(&'a self, ray: &'a Ray) -> Option<Stretch<'a>> {
        BoxLine::new(self, ray)?.stretch()
    }
}

impl BoxLine<'_> {
    pub(super) fn meet(&self) -> Option<Meeting> {
        let entry = self.stretch()?.entry;
        Some(match self.cmp_f32(&entry, self.ray.t_min) {
            Ordering::Greater => Meeting::Entry(entry),
            _ => Meeting::Inside,
        })
    }

    pub(super) fn hit(&self, meeting: &Meeting) -> BoxHit {
        match meeting {
            Meeting::Inside => BoxHit::from_inside(self.ray),
            Meeting::Entry(entry) => BoxHit {
                t: self.to_f32(entry),
                point: point_at(self.ray, entry.range, || self.exact(entry)),
                normal: self.obb.face_normal(entry.axis, entry.is_max),
                face: Some(BoxFace {
                    axis: entry.axis,
                    is_max: entry.is_max,
                }),
            },
        }
    }
}

impl Obb {
    /// Returns the outward normal of a face, of length 1.
    pub(super) fn face_normal(&self, axis: usize, is_max: bool) -> glam::Vec3 {
        // n points to the greater bound.
        let along = is_max != self.is_mirrored;
        let turn = |x: f64| Bounded::rounded(if along { x } else { -x });
        unit(self.planes[axis].normal.map(turn), || {
            let normal = self.frame.exact_normal(axis);
            if along {
                normal
            } else {
                normal.map(Dyadic::neg)
            }
        })
    }
}
