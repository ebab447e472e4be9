//! Closed convex meshes on an integer grid: corners, midpoints of edges, ray origins and directions
//! are all exactly representable in `f32`, so the right answers are known by construction.

use std::collections::HashMap;

/// A point in whole units; a mesh of radius 1 has [`RADIUS`] units.
pub(super) type Point = [i64; 3];

/// Units in a length of 1: every coordinate and every difference here is a whole number of
/// units below 2^24, which `f32` holds exactly.
pub(super) const RADIUS: i64 = 4096;

/// A closed convex mesh with faces that are counterclockwise from outside.
pub(super) struct Solid {
    pub(super) name: &'static str,
    /// Even numbers of units, so that midpoints are whole numbers.
    pub(super) corners: Vec<Point>,
    pub(super) faces: Vec<[u32; 3]>,
}

/// Returns all meshes of the test.
pub(super) fn all() -> Vec<Solid> {
    vec![sphere(), cube(), spindle()]
}

/// Returns the sphere: an octahedron with edges divided by twelve, 1,152 triangles.
fn sphere() -> Solid {
    const DIVISIONS: i64 = 12;
    let on_sphere = |p: Point| {
        let p = p.map(|x| x as f64);
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.map(|x| even(x / length * RADIUS as f64))
    };
    let mut builder = SolidBuilder::default();
    for signs in 0..8 {
        let sign = |axis: u32| if signs >> axis & 1 == 0 { 1 } else { -1 };
        let turns = sign(0) * sign(1) * sign(2) < 0;
        // Barycentric coordinates on a face of the octahedron.
        let at = |i: i64, j: i64| {
            let k = DIVISIONS - i - j;
            on_sphere([i * sign(0), j * sign(1), k * sign(2)])
        };
        for i in 0..DIVISIONS {
            for j in 0..DIVISIONS - i {
                builder.face([at(i, j), at(i + 1, j), at(i, j + 1)], turns);
                if i + j + 1 < DIVISIONS {
                    builder.face([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], turns);
                }
            }
        }
    }
    builder.build("sphere")
}

/// Returns the cube: 16 by 16 squares a side, 3,072 triangles, many of them in one plane and along
/// the faces of boxes.
fn cube() -> Solid {
    const SQUARES: i64 = 16;
    let step = 2 * RADIUS / SQUARES;
    let mut builder = SolidBuilder::default();
    for axis in 0..3 {
        for side in [-RADIUS, RADIUS] {
            let at = |i: i64, j: i64| {
                let mut p = [0; 3];
                p[axis] = side;
                p[(axis + 1) % 3] = i * step - RADIUS;
                p[(axis + 2) % 3] = j * step - RADIUS;
                p
            };
            let turns = side < 0;
            for i in 0..SQUARES {
                for j in 0..SQUARES {
                    builder.face([at(i, j), at(i + 1, j), at(i + 1, j + 1)], turns);
                    builder.face([at(i, j), at(i + 1, j + 1), at(i, j + 1)], turns);
                }
            }
        }
    }
    builder.build("cube")
}

/// Returns the spindle: two cones of 64 long thin triangles on a common rim.
fn spindle() -> Solid {
    const SIDES: i64 = 64;
    let rim = |i: i64| {
        let angle = std::f64::consts::TAU * (i % SIDES) as f64 / SIDES as f64;
        let [x, y] = [angle.cos(), angle.sin()].map(|x| even(x * RADIUS as f64));
        [x, y, 0]
    };
    let mut builder = SolidBuilder::default();
    for i in 0..SIDES {
        builder.face([rim(i), rim(i + 1), [0, 0, RADIUS]], false);
        builder.face([rim(i), rim(i + 1), [0, 0, -RADIUS]], true);
    }
    builder.build("spindle")
}

/// Returns the even number nearest to `x`.
fn even(x: f64) -> i64 {
    (x / 2.0).round() as i64 * 2
}

/// Collects faces and merges equal corners.
#[derive(Default)]
struct SolidBuilder {
    corners: Vec<Point>,
    numbers: HashMap<Point, u32>,
    faces: Vec<[u32; 3]>,
}

impl SolidBuilder {
    fn face(&mut self, corners: [Point; 3], turns: bool) {
        let [a, b, c] = corners.map(|corner| {
            *self.numbers.entry(corner).or_insert_with(|| {
                self.corners.push(corner);
                (self.corners.len() - 1) as u32
            })
        });
        self.faces.push(if turns { [a, c, b] } else { [a, b, c] });
    }

    fn build(self, name: &'static str) -> Solid {
        Solid {
            name,
            corners: self.corners,
            faces: self.faces,
        }
    }
}

impl Solid {
    /// Returns the edges, each once.
    pub(super) fn edges(&self) -> Vec<[u32; 2]> {
        let sides = self.faces.iter();
        let sides = sides.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        sides.filter(|[a, b]| a < b).collect()
    }

    /// Returns the position of each corner, then the midpoint of each edge.
    pub(super) fn targets(&self) -> Vec<Point> {
        let at = |corner: u32| self.corners[corner as usize];
        let middle = |[a, b]: [u32; 2]| {
            let (a, b) = (at(a), at(b));
            [0, 1, 2].map(|axis| (a[axis] + b[axis]) / 2)
        };
        let middles = self.edges().into_iter().map(middle);
        self.corners.iter().copied().chain(middles).collect()
    }

    /// Returns whether a point is inside and on no face.
    pub(super) fn is_inside(&self, p: Point) -> bool {
        self.faces.iter().all(|&face| self.height(face, p) < 0)
    }

    /// Returns a number that is positive where the point is on the outer side of a face's
    /// plane, 0 on the plane.
    fn height(&self, face: [u32; 3], p: Point) -> i64 {
        let [a, b, c] = face.map(|corner| self.corners[corner as usize]);
        let from_a = |p: Point| [0, 1, 2].map(|axis| p[axis] - a[axis]);
        let ([e, f], p) = ([from_a(b), from_a(c)], from_a(p));
        // Factors are below 2^14, so the sum is below 2^45.
        (e[1] * f[2] - e[2] * f[1]) * p[0]
            + (e[2] * f[0] - e[0] * f[2]) * p[1]
            + (e[0] * f[1] - e[1] * f[0]) * p[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn solids_are_closed_and_convex() {
        for solid in all() {
            let name = solid.name;
            let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
            let all: Vec<[u32; 2]> = solid.faces.iter().flat_map(sides).collect();
            let set: HashSet<[u32; 2]> = all.iter().copied().collect();
            assert_eq!(
                set.len(),
                all.len(),
                "{name}: an edge is used twice in one direction"
            );
            assert!(
                all.iter().all(|&[a, b]| set.contains(&[b, a])),
                "{name} is open"
            );
            for &face in &solid.faces {
                let most = solid.corners.iter().map(|&p| solid.height(face, p)).max();
                assert_eq!(most, Some(0), "{name} is not convex at {face:?}");
            }
            let is_even = |p: &Point| p.iter().all(|x| x % 2 == 0 && x.abs() <= RADIUS);
            assert!(solid.corners.iter().all(is_even), "{name}");
            assert!(solid.is_inside([0; 3]) && !solid.is_inside([0, 0, RADIUS]));
        }
    }
}
