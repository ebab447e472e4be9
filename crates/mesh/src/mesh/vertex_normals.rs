//! Normals of vertices.

use super::Mesh;
use estoc_core::glam::{DVec3, Vec3};

impl Mesh {
    /// Returns a normal of length 1 for each vertex of [`positions`](Mesh::positions): the mean of the normals
    /// of the triangles that use the vertex, weighted by their angles there (Thürmer and Wüthrich 1998,
    /// "Computing vertex normals from polygonal facets"), so that it does not depend on how faces are divided
    /// into triangles. Off a closed surface, it tells the side of a point whose closest point is the vertex
    /// (Bærentzen and Aanæs 2005, "Signed distance computation using the angle weighted pseudonormal"; exact
    /// signs are those of `PointQuery::signed_distance`).
    ///
    /// It is [`Vec3::ZERO`] for a vertex that only triangles without area use, or none, whatever its
    /// coordinates are, and where the weighted normals cancel. Vertices of equal position that triangles do not
    /// share have normals of their own, as those of hard edges need.
    ///
    /// The normals are computed in `f64` from [`Triangle::normal`](estoc_core::Triangle::normal) in the order
    /// of the triangles, and rounded once: not exact, but the same bits on every machine. Coordinates of any
    /// size neither overflow nor vanish.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let tent = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    /// let mesh = Mesh::try_new(tent, [[0, 1, 3], [0, 3, 2]])?;
    /// let normals = mesh.vertex_normals();
    /// assert_eq!(normals[0], [0.0, 0.8944272, 0.4472136].into());
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    #[must_use]
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut sums = vec![DVec3::ZERO; self.positions().len()];
        for (face, triangle) in self.indices().iter().zip(self.triangles()) {
            let Some(normal) = triangle.normal() else {
                continue;
            };
            for (&vertex, angle) in face.iter().zip(triangle.corner_angles()) {
                sums[vertex as usize] += angle * normal.as_dvec3();
            }
        }
        let unit = |sum: &DVec3| sum.normalize_or_zero().as_vec3() + Vec3::ZERO;
        sums.iter().map(unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc_demo::SplitMix64;
    use std::f32::consts::FRAC_1_SQRT_2;

    /// A cube with a corner at 0, whose faces are divided along diagonals that the bits of `split` choose.
    fn cube(split: u32, size: f32) -> Mesh {
        let corner = |i: u32| [0, 1, 2].map(|axis| size * (i >> axis & 1) as f32);
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let faces = quads
            .iter()
            .enumerate()
            .flat_map(|(i, &[a, b, c, d])| match split >> i & 1 {
                0 => [[a, b, c], [a, c, d]],
                _ => [[b, c, d], [b, d, a]],
            });
        Mesh::try_new((0..8).map(corner), faces).unwrap()
    }

    #[test]
    fn normals_of_a_cube_do_not_depend_on_its_diagonals() {
        for size in [1.0, f32::MAX, f32::from_bits(1)] {
            for split in 0..64 {
                for (i, normal) in cube(split, size).vertex_normals().into_iter().enumerate() {
                    let sign = |axis: usize| 2.0 * (i >> axis & 1) as f32 - 1.0;
                    let diagonal = Vec3::new(sign(0), sign(1), sign(2)) / 3.0_f32.sqrt();
                    assert!(
                        (normal - diagonal).length() < 3e-7,
                        "{size} {split}: {normal}"
                    );
                }
            }
        }
    }

    #[test]
    fn vertices_without_area_have_none() {
        let nan = f32::NAN;
        let corners = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [nan, nan, nan],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 5.0],
        ];
        // One without area, and a triangle from both sides.
        let faces = [[0, 1, 2], [0, 1, 4], [4, 1, 0], [0, 1, 5]];
        let normals = Mesh::try_new(corners, faces).unwrap().vertex_normals();
        let down = Vec3::NEG_Y;
        assert_eq!(
            normals,
            [down, down, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, down]
        );
        let bits = normals.iter().flat_map(Vec3::to_array).map(f32::to_bits);
        assert!(bits.into_iter().all(|bits| bits != (-0.0_f32).to_bits()));
        assert!(Mesh::default().vertex_normals().is_empty());
        // An edge of two faces.
        let ridge = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let ridge = Mesh::try_new(ridge, [[0, 1, 2], [0, 3, 1]]).unwrap();
        let expected = Vec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
        assert!((ridge.vertex_normals()[0] - expected).length() < 1e-7);
    }

    #[test]
    fn normals_are_those_of_the_law_of_cosines() {
        let mut random = SplitMix64::new(7);
        let mut number = || random.unit() as f32;
        for exponent in [-120, -40, 0, 60, 126] {
            let scale = f32::from_bits(((exponent + 127) as u32) << 23);
            let mut corner = || [number(), number(), number()].map(|x| x * scale);
            let corners: Vec<[f32; 3]> = (0..30).map(|_| corner()).collect();
            let faces: Vec<[u32; 3]> = (0..28).map(|i| [i, i + 1, i + 2]).collect();
            let mesh = Mesh::try_new(corners.clone(), faces.clone()).unwrap();
            let at = |i: u32| DVec3::from(corners[i as usize].map(f64::from)) / f64::from(scale);
            let mut sums = vec![DVec3::ZERO; 30];
            for face in faces {
                let [a, b, c] = face.map(at);
                let normal = (b - a).cross(c - a).normalize();
                for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
                    let [p, q, r] = [i, j, k].map(|i| at(face[i]));
                    let (x, y, z) = (p.distance(q), p.distance(r), q.distance(r));
                    let angle = ((x * x + y * y - z * z) / (2.0 * x * y)).acos();
                    sums[face[i] as usize] += angle * normal;
                }
            }
            for (normal, sum) in mesh.vertex_normals().iter().zip(sums) {
                let off = normal.as_dvec3().distance(sum.normalize());
                // The sum may be short.
                assert!(off < 3e-7 * 9.0 / sum.length(), "{exponent}: {off} {sum}");
            }
        }
    }
}
