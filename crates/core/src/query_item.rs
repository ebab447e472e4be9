//! What queries are about.

use glam::{DVec3, Vec3};

/// What a query is about: a [`Ray`](crate::Ray) or a [`Ray64`](crate::Ray64), a point (`glam::Vec3`
/// or `glam::DVec3`), a [`MovingSphere`](crate::MovingSphere), or a reference to a
/// [`Region`](crate::Region).
pub trait QueryItem: Copy + Send + Sync {
    /// Returns whether there is anything to be found: not for an item with numbers such as NaN.
    fn is_defined(&self) -> bool;
}

impl QueryItem for Vec3 {
    fn is_defined(&self) -> bool {
        self.is_finite()
    }
}

impl QueryItem for DVec3 {
    fn is_defined(&self) -> bool {
        self.is_finite()
    }
}
