//! Normals in the world.

use super::{PlacedTriangle, PlacementMatrix};
use crate::arithmetic::{Dyadic, exact, exact_cross, exact_dot, exact_unit, widen};
use glam::Vec3;

impl PlacedTriangle {
    /// Returns the unit normal of the triangle in the world, on the side from which a ray comes that hits
    /// its front: a mirror turns it around, and so does [`reversed`](PlacedTriangle::reversed). Each
    /// coordinate is the nearest `f32`. `None` if the triangle has no area or is not finite.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod scene { pub use estoc_core::*; } }
    /// use estoc::{Triangle, glam::DAffine3, scene::{PlacedTriangle, PlacementMatrix}};
    /// let triangle = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// let mirror = PlacementMatrix::try_new(&DAffine3::from_scale([-2.0, 1.0, 1.0].into()))?;
    /// let placed = PlacedTriangle::new(triangle, mirror);
    /// assert_eq!(placed.normal(), Some([0.0, 0.0, -1.0].into()));
    /// # Ok::<(), estoc::scene::MatrixError>(())
    /// ```
    pub fn normal(&self) -> Option<Vec3> {
        if !self.triangle.is_finite() {
            return None;
        }
        let normal = exact_unit(&self.world().normal());
        let turned = if self.reversed {
            Vec3::ZERO - normal
        } else {
            normal
        };
        (normal != Vec3::ZERO).then_some(turned)
    }
}

impl PlacementMatrix {
    /// Returns the unit vector along a normal of the object in the world, such as a shading normal: along
    /// its product with the inverse transpose of the matrix. Each coordinate is the nearest `f32`. `None`
    /// if the normal is 0 or not finite.
    pub fn normal_to_world(&self, normal: impl Into<Vec3>) -> Option<Vec3> {
        let normal = normal.into();
        if !normal.is_finite() || normal == Vec3::ZERO {
            return None;
        }
        let normal = exact(widen(normal));
        let [x, y, z] = self.rows().map(|[x, y, z, _]| exact([x, y, z]));
        // The inverse transpose is the matrix of cofactors over the determinant, whose sign counts.
        let cofactors = [
            exact_cross(&y, &z),
            exact_cross(&z, &x),
            exact_cross(&x, &y),
        ];
        let sign = exact_dot(&x, &cofactors[0]).sign();
        let image = cofactors.map(|row| exact_dot(&row, &normal));
        let image = image.map(|x| {
            if sign < 0 {
                Dyadic::from_f64(0.0).sub(&x)
            } else {
                x
            }
        });
        Some(exact_unit(&image))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Triangle;
    use glam::{DAffine3, DMat3, DQuat, DVec3};

    /// Also for matrices whose cofactors are beyond the range of `f64`, and mirrors.
    #[test]
    fn normals_of_edges_and_of_the_surface_agree() {
        let triangle = Triangle::new([0.5, 0.25, -1.0], [2.0, 0.0, 0.5], [-1.0, 3.0, 0.125]);
        let own = triangle.normal().expect("it has an area");
        let turned = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0));
        for size in [1e-250, 1e-30, 1.0, 1e250] {
            for mirror in [1.0, -1.0] {
                let scale = DMat3::from_diagonal(DVec3::new(mirror, 0.5, 3.0) * size);
                let map =
                    DAffine3::from_mat3_translation(turned * scale, DVec3::new(1e7, 0.0, 3.0));
                let matrix = PlacementMatrix::try_new(&map).expect("it has an inverse");
                let placed = PlacedTriangle::new(triangle, matrix);
                let (of_triangle, of_normal) = (
                    placed.normal().expect("it has an area"),
                    matrix.normal_to_world(own).expect("it is not 0"),
                );
                // A mirror turns the triangle, and not the normal that it is given.
                assert!(
                    (of_triangle * mirror as f32 - of_normal).length() < 1e-6,
                    "{size}"
                );
                assert!((of_normal.length() - 1.0).abs() < 1e-6);
                let reversed = PlacedTriangle {
                    reversed: true,
                    ..placed
                };
                assert_eq!(reversed.normal(), Some(-of_triangle));
            }
        }
        let flat = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]);
        assert_eq!(
            PlacedTriangle::new(flat, PlacementMatrix::IDENTITY).normal(),
            None
        );
        assert_eq!(PlacementMatrix::IDENTITY.normal_to_world([0.0; 3]), None);
        assert_eq!(
            PlacementMatrix::IDENTITY.normal_to_world([0.0, f32::NAN, 1.0]),
            None
        );
    }
}
