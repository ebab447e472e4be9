//! Spheres and boxes of cases.

use estoc_core::glam::{DVec3, Mat4, Vec3};
use estoc_core::{Aabb, Obb, Shape, Sphere};

/// A sphere or a box, as it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CaseShape {
    /// A sphere.
    Sphere(Sphere),
    /// An axis-aligned box.
    Aabb(Aabb),
    /// A box of three axes.
    Axes {
        /// Its centre.
        center: Vec3,
        /// The directions that its faces are perpendicular to.
        axes: [Vec3; 3],
        /// Half its size along each.
        half_sizes: Vec3,
    },
    /// The image of a box under a matrix.
    Model {
        /// The box.
        local: Aabb,
        /// The columns of the matrix.
        columns: [Vec3; 3],
        /// Its translation.
        translation: Vec3,
    },
}

impl CaseShape {
    /// Returns the shape, unless it is one that is refused.
    pub fn shape(&self) -> Option<Shape> {
        Some(match self {
            CaseShape::Sphere(sphere) => (*sphere).into(),
            CaseShape::Aabb(bounds) => (*bounds).into(),
            CaseShape::Axes {
                center,
                axes,
                half_sizes,
            } => Obb::try_new(*center, *axes, *half_sizes).ok()?.into(),
            CaseShape::Model {
                local,
                columns,
                translation,
            } => {
                let [x, y, z] = columns.map(|column| column.extend(0.0));
                let model = Mat4::from_cols(x, y, z, translation.extend(1.0));
                Obb::from_model(local, &model).ok()?.into()
            }
        })
    }

    /// Returns the middle and three vectors from there to the surface, rounded; `None` for a shape
    /// without points.
    pub fn frame(&self) -> Option<[DVec3; 4]> {
        let along = |[x, y, z]: [DVec3; 3], sizes: DVec3| [x * sizes.x, y * sizes.y, z * sizes.z];
        let wide = |v: Vec3| v.as_dvec3();
        let (center, [x, y, z]) = match self {
            CaseShape::Sphere(sphere) => {
                let radius = DVec3::splat(sphere.radius().into());
                (wide(sphere.center()), along(DVec3::AXES, radius))
            }
            CaseShape::Aabb(bounds) if bounds.is_empty() => return None,
            CaseShape::Aabb(bounds) => {
                let (min, max) = (wide(bounds.min()), wide(bounds.max()));
                ((min + max) / 2.0, along(DVec3::AXES, (max - min) / 2.0))
            }
            CaseShape::Axes {
                center,
                axes,
                half_sizes,
            } => (wide(*center), along(axes.map(wide), wide(*half_sizes))),
            CaseShape::Model {
                local,
                columns,
                translation,
            } => {
                let (min, max) = (wide(local.min()), wide(local.max()));
                let columns = columns.map(wide);
                let [x, y, z] = along(columns, (min + max) / 2.0);
                (
                    wide(*translation) + x + y + z,
                    along(columns, (max - min) / 2.0),
                )
            }
        };
        Some([center, x, y, z])
    }
}
