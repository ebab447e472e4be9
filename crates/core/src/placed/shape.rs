//! What lists of shapes hold.

use crate::shapes::{Aabb, Obb, Sphere, obb::Frame};

/// A sphere or a box of a scene: a [`Sphere`], an [`Aabb`] or an [`Obb`], which convert into it.
///
/// It is solid and closed, as those are, and their rules hold for numbers that are not usual: a
/// radius of 0 is a point, a box may be flat, a line or a point, and [`Aabb::EMPTY`] has no points.
/// Numbers that are NaN or infinite, negative radii and inverted boxes are errors when a sphere or a
/// box is made.
///
/// An [`Obb`] is the set that its constructor documents, for the `f32`s given: with axes, which are
/// used as they are, all points with `|axes[i] . (p - center)| <= half_sizes[i]`; with a model matrix,
/// the exact image of a box. No rotation is rounded, since none is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape(pub(super) Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Sphere(Sphere),
    Aabb(Aabb),
    Obb(Frame),
}

impl Shape {
    /// Returns two opposite corners of an axis-aligned box around the shape, slightly too large;
    /// `None` for a shape without points.
    pub fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let wide = |bounds: &Aabb| {
            let corner = |p: glam::Vec3| p.to_array().map(f64::from);
            [corner(bounds.min()), corner(bounds.max())]
        };
        match &self.0 {
            Kind::Sphere(sphere) => {
                let center = sphere.center().to_array().map(f64::from);
                let radius = f64::from(sphere.radius());
                Some([
                    center.map(|x| (x - radius).next_down()),
                    center.map(|x| (x + radius).next_up()),
                ])
            }
            Kind::Aabb(bounds) => (!bounds.is_empty()).then(|| wide(bounds)),
            // A frame that has made a box once makes it again.
            Kind::Obb(frame) => Some(wide(&Obb::of_frame(*frame).ok()?.bounds())),
        }
    }
}

impl From<Sphere> for Shape {
    fn from(sphere: Sphere) -> Self {
        Shape(Kind::Sphere(sphere))
    }
}

impl From<Aabb> for Shape {
    fn from(bounds: Aabb) -> Self {
        Shape(Kind::Aabb(bounds))
    }
}

impl From<Obb> for Shape {
    fn from(obb: Obb) -> Self {
        Shape(Kind::Obb(obb.frame()))
    }
}
