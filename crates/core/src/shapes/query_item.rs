//! What queries are about.

use glam::{DVec3, Vec3};

/// What a query is about: a [`Ray`](crate::Ray) or a [`Ray64`](crate::Ray64), a point (`glam::Vec3`
/// or `glam::DVec3`), a [`MovingSphere`](crate::MovingSphere), or a reference to a
/// [`Region`](crate::Region).
pub trait QueryItem: Copy + Send + Sync {
    /// Whether engines may trace several such items together; see [`Technique`](crate::Technique).
    const IS_TRACED_TOGETHER: bool = false;

    /// Whether items close to each other find the same part of a tree.
    const IS_POSITION: bool = false;

    /// Returns whether there is anything to be found: not for an item with numbers such as NaN.
    fn is_defined(&self) -> bool;
}

impl QueryItem for Vec3 {
    const IS_POSITION: bool = true;

    fn is_defined(&self) -> bool {
        self.is_finite()
    }
}

impl QueryItem for DVec3 {
    const IS_POSITION: bool = true;

    fn is_defined(&self) -> bool {
        self.is_finite()
    }
}
