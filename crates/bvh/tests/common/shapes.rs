//! Shapes from the tests of other projects. Closed ones share their vertices, so that seams and
//! poles have the same bits on both sides.

use super::Rng;
use estoc_mesh::Mesh;
use std::f64::consts::PI;

/// Vertices and faces that are not checked yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl Shape {
    pub(crate) fn mesh(&self) -> Mesh {
        Mesh::try_new(self.positions.iter().copied(), self.faces.iter().copied())
            .expect("a shape of finite vertices and faces in range")
    }

    /// Returns triangles that share no vertices.
    pub(crate) fn soup(triangles: impl IntoIterator<Item = [[f32; 3]; 3]>) -> Self {
        let positions: Vec<_> = triangles.into_iter().flatten().collect();
        let faces = (0..positions.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        Shape {
            faces: faces.collect(),
            positions,
        }
    }

    /// Returns random triangles in a cube, of about the given size.
    pub(crate) fn random(count: usize, size: f32, rng: &mut Rng) -> Self {
        Shape::soup((0..count).map(|_| {
            let at = rng.vec(-1.0, 1.0);
            [(); 3].map(|()| {
                let step = rng.vec(-size, size);
                [0, 1, 2].map(|i| at[i] + step[i])
            })
        }))
    }

    /// Returns the twelve triangles of a box, counter-clockwise from outside.
    pub(crate) fn cuboid(min: [f32; 3], max: [f32; 3]) -> Self {
        let corner = |i: usize| {
            [0, 1, 2].map(|axis| {
                if i >> axis & 1 == 0 {
                    min[axis]
                } else {
                    max[axis]
                }
            })
        };
        let quads = [
            [0, 4, 6, 2],
            [1, 3, 7, 5], // x
            [0, 1, 5, 4],
            [2, 6, 7, 3], // y
            [0, 2, 3, 1],
            [4, 5, 7, 6], // z
        ];
        Shape {
            positions: (0..8).map(corner).collect(),
            faces: quads
                .iter()
                .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
                .collect(),
        }
    }

    /// Returns the triangles of a box with some of the six faces, in the order -x, x, -y, y, -z, z, cut
    /// along the other diagonal.
    pub(crate) fn cuboid_with_turned(min: [f32; 3], max: [f32; 3], turned: &[usize]) -> Self {
        let mut shape = Shape::cuboid(min, max);
        for &face in turned {
            let [a, b, c] = shape.faces[2 * face];
            let d = shape.faces[2 * face + 1][2];
            shape.faces[2 * face] = [b, c, d];
            shape.faces[2 * face + 1] = [b, d, a];
        }
        shape
    }

    /// Cuts each triangle into four at the midpoints of its edges. Vertices are not shared, but the
    /// same midpoint has the same bits from both sides.
    pub(crate) fn subdivided(&self) -> Self {
        let middle = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|i| (a[i] + b[i]) / 2.0);
        Shape::soup(self.faces.iter().flat_map(|face| {
            let [a, b, c] = face.map(|i| self.positions[i as usize]);
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        }))
    }

    /// Returns a sphere by longitude and latitude. Each pole and each seam point is one vertex, or,
    /// with `split`, a vertex with the same bits for each longitude; then the poles have degenerate
    /// triangles, as in a rolled-up grid.
    pub(crate) fn sphere(radius: f64, across: u32, down: u32, split: bool) -> Self {
        let at = |longitude: u32, latitude: u32| {
            let theta = PI * f64::from(latitude) / f64::from(down);
            let phi = 2.0 * PI * f64::from(longitude % across) / f64::from(across);
            // sin(PI) is not quite zero; poles are points.
            let rho = if latitude == 0 || latitude == down {
                0.0
            } else {
                theta.sin()
            };
            [rho * phi.cos(), rho * phi.sin(), theta.cos()].map(|x| (radius * x) as f32)
        };
        let mut shape = Shape::default();
        let columns = if split { across + 1 } else { across };
        for latitude in 0..=down {
            shape
                .positions
                .extend((0..columns).map(|longitude| at(longitude, latitude)));
        }
        for (latitude, longitude) in (0..down).flat_map(|j| (0..across).map(move |i| (j, i))) {
            let name = |i: u32, j: u32| j * columns + i % columns;
            let [a, b] = [name(longitude, latitude), name(longitude + 1, latitude)];
            let [c, d] = [
                name(longitude, latitude + 1),
                name(longitude + 1, latitude + 1),
            ];
            shape.faces.extend([[a, c, d], [a, d, b]]);
        }
        shape
    }

    /// Returns a rectangle of `columns` by `rows` squares of two triangles each, from a corner
    /// along two edges.
    pub(crate) fn plane(
        corner: [f32; 3],
        along: [f32; 3],
        up: [f32; 3],
        [columns, rows]: [u32; 2],
    ) -> Self {
        let mut shape = Shape::default();
        for (j, i) in (0..=rows).flat_map(|j| (0..=columns).map(move |i| (j, i))) {
            let (u, v) = (i as f32 / columns as f32, j as f32 / rows as f32);
            shape
                .positions
                .push([0, 1, 2].map(|k| corner[k] + u * along[k] + v * up[k]));
        }
        for (j, i) in (0..rows).flat_map(|j| (0..columns).map(move |i| (j, i))) {
            let a = j * (columns + 1) + i;
            let c = a + columns + 1;
            shape.faces.extend([[a, a + 1, c + 1], [a, c + 1, c]]);
        }
        shape
    }

    /// Changes every vertex; faces stay.
    pub(crate) fn map(mut self, change: impl Fn([f32; 3]) -> [f32; 3]) -> Self {
        for position in &mut self.positions {
            *position = change(*position);
        }
        self
    }

    pub(crate) fn moved(self, by: [f32; 3]) -> Self {
        self.map(|p| [0, 1, 2].map(|i| p[i] + by[i]))
    }

    pub(crate) fn scaled(self, by: f32) -> Self {
        self.map(|p| p.map(|x| x * by))
    }

    /// Appends another shape's triangles.
    pub(crate) fn with(mut self, other: &Shape) -> Self {
        let shift = self.positions.len() as u32;
        self.positions.extend(&other.positions);
        self.faces
            .extend(other.faces.iter().map(|face| face.map(|i| i + shift)));
        self
    }
}
