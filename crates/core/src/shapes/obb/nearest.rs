//! The nearest of many oriented boxes.

use super::Obb;
use super::crossing::BoxLine;
use super::ray::Meeting;
use crate::shapes::{BoxHit, Ray};
use core::cmp::Ordering;

impl Obb {
    /// Returns the index of the first of these boxes along the ray, with its [`hit`](Obb::hit): the
    /// least exact parameter, and the lowest index where several boxes have it.
    ///
    /// Boxes that contain the start of the ray all have `t_min`. The time is linear in the number
    /// of boxes.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Aabb, Obb, Ray, glam::{Mat4, Vec3}};
    /// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    /// let at = |x| Obb::from_model(&unit, &Mat4::from_translation(Vec3::X * x)).unwrap();
    /// let boxes = [at(9.0), at(5.0), at(5.0), at(-5.0)];
    /// let (place, hit) = Obb::nearest(&boxes, &Ray::new([0.0; 3], [1.0, 0.0, 0.0])).unwrap();
    /// assert_eq!((place, hit.t), (1, 4.0));
    /// ```
    pub fn nearest<'a>(
        boxes: impl IntoIterator<Item = &'a Obb>,
        ray: &Ray,
    ) -> Option<(usize, BoxHit)> {
        let mut nearest: Option<(usize, BoxLine<'_>, Meeting)> = None;
        for (place, obb) in boxes.into_iter().enumerate() {
            let line = BoxLine::new(obb, ray)?; // undefined rays hit nothing
            let Some(meeting) = line.meet() else {
                continue;
            };
            let is_nearer = match (&nearest, &meeting) {
                (None, _) => true,
                // The nearest one so far is hit beyond `t_min`, since the loop ends at `Inside`.
                (Some(_), Meeting::Inside) => true,
                (Some((_, best, Meeting::Entry(old))), Meeting::Entry(new)) => {
                    line.cmp_with(new, best, old) == Ordering::Less
                }
                (Some((_, _, Meeting::Inside)), _) => false,
            };
            if is_nearer {
                let is_first = matches!(meeting, Meeting::Inside);
                nearest = Some((place, line, meeting));
                if is_first {
                    break; // nothing comes before `t_min`
                }
            }
        }
        nearest.map(|(place, line, meeting)| (place, line.hit(&meeting)))
    }
}
