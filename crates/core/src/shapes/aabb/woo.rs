//! The first hit of a ray on a box, with the normal of the entered face.

use super::Aabb;
use crate::shapes::{BoxFace, BoxHit, Ray, box_hit::point_at};
use core::cmp::Ordering;
use glam::Vec3;

impl Aabb {
    /// Returns the first hit of the ray on the closed solid box, with its point and outward normal.
    /// All decisions are those of exact arithmetic.
    ///
    /// A ray whose line enters beyond `t_min` hits there, on the entered face; on an edge or a
    /// corner the face across the lowest axis counts. A ray that starts in the box or on it hits at
    /// `t_min`, and the normal is its reversed direction, of length 1. So `t` is that of
    /// [`enter_solid`](Aabb::enter_solid). Whether there is a hit is decided as in
    /// [`slab`](Aabb::slab): bounds are included, and undefined rays and the empty box miss.
    ///
    /// Woo 1990, "Fast Ray-Box Intersection", Graphics Gems I, p. 395. The three candidate faces
    /// are the entries of the slabs, and the greatest is the one on the box.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Aabb, Ray};
    /// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    /// let hit = unit.woo(&Ray::new([-3.0, 0.5, 0.0], [2.0, 0.0, 0.0])).unwrap();
    /// assert_eq!((hit.t, hit.normal), (1.0, [-1.0, 0.0, 0.0].into()));
    /// let inside = unit.woo(&Ray::new([0.0; 3], [0.0, 5.0, 0.0])).unwrap();
    /// assert_eq!((inside.t, inside.normal), (0.0, [0.0, -1.0, 0.0].into()));
    /// ```
    pub fn woo(&self, ray: &Ray) -> Option<BoxHit> {
        let slab = self.exact_slab(ray)?;
        if slab.entry.cmp_f32(ray.t_min) != Ordering::Greater {
            return Some(BoxHit::from_inside(ray));
        }
        let axis = slab.entry_axis;
        let is_max = ray.dir[axis] < 0.0;
        let mut normal = Vec3::ZERO;
        normal[axis] = if is_max { 1.0 } else { -1.0 };
        let mut point = point_at(ray, slab.entry.range(), || slab.entry.ratio());
        point[axis] = if is_max { self.max } else { self.min }[axis] + 0.0;
        Some(BoxHit {
            t: slab.entry.to_f32(),
            point,
            normal,
            face: Some(BoxFace { axis, is_max }),
        })
    }
}
