//! Small meshes for scenes of many: a box, and closed buildings with recessed windows. All stand on
//! y = 0.

use super::mason::{Mason, WallPoint};
use super::{Material, Polygons};

/// Triangles of a bay: a frame of four quads, four reveals, and a pane.
const BAY: usize = 18;
/// The height of a storey.
const STOREY: f64 = 3.0;
/// How far windows are recessed.
const DEPTH: f64 = 0.2;

/// Generates a box of side 1 with square patches: 12 k^2 triangles for the nearest whole k.
pub(super) fn unit_box(n: usize) -> Polygons {
    let mut mason = begin("box", [0.62, 0.62, 0.6]);
    let k = ((n as f64 / 12.0).sqrt().round() as usize).max(1);
    let part = |i: usize| i as f64 / k as f64;
    // Each face by its own coordinates, both from 0 to 1.
    let faces: [fn(f64, f64) -> WallPoint; 6] = [
        |a, b| [a - 0.5, b, 0.5],
        |a, b| [0.5 - a, b, -0.5],
        |a, b| [0.5, b, 0.5 - a],
        |a, b| [-0.5, b, a - 0.5],
        |a, b| [a - 0.5, 1.0, 0.5 - b],
        |a, b| [a - 0.5, 0.0, b - 0.5],
    ];
    for face in faces {
        mason.patch(k, k, |i, j| face(part(i), part(j)));
    }
    mason.polygons
}

/// Generates a tower on a square; `n` decides how many storeys it has.
pub(super) fn tower(n: usize) -> Polygons {
    let mut mason = begin("tower", [0.55, 0.6, 0.68]);
    let walls = Walls::new(&rectangle(18.0, 18.0), 3.0);
    let storeys = (n as f64 / (BAY * walls.bays()) as f64).round().max(1.0);
    walls.add(&mut mason, storeys as usize);
    let square: &[usize] = &[0, 1, 2, 3];
    walls.close(&mut mason, &[square], 0.0, false);
    walls.close(&mut mason, &[square], storeys * STOREY, true);
    mason.polygons
}

/// Generates a building of five storeys around three sides of a court; `n` decides how many windows
/// it has.
pub(super) fn court(n: usize) -> Polygons {
    const STOREYS: usize = 5;
    let mut mason = begin("court", [0.72, 0.52, 0.42]);
    let outline = [
        [-20.0, 15.0],
        [-10.0, 15.0],
        [-10.0, -5.0],
        [10.0, -5.0],
        [10.0, 15.0],
        [20.0, 15.0],
        [20.0, -15.0],
        [10.0, -15.0],
        [-10.0, -15.0],
        [-20.0, -15.0],
    ];
    let wings: [&[usize]; 3] = [&[0, 1, 2, 8, 9], &[2, 3, 7, 8], &[3, 4, 5, 6, 7]];
    let walls = Walls::of_size(&outline, n, STOREYS);
    walls.add(&mut mason, STOREYS);
    walls.close(&mut mason, &wings, 0.0, false);
    walls.close(&mut mason, &wings, STOREYS as f64 * STOREY, true);
    mason.polygons
}

/// Generates a house of two storeys with a gabled roof; `n` decides how many windows it has.
pub(super) fn house(n: usize) -> Polygons {
    const STOREYS: usize = 2;
    const RIDGE: f64 = 4.0;
    let mut mason = begin("house", [0.8, 0.76, 0.66]);
    let [length, width] = [14.0, 9.0];
    let walls = Walls::of_size(&rectangle(length, width), n, STOREYS);
    walls.add(&mut mason, STOREYS);
    walls.close(&mut mason, &[&[0, 1, 2, 3]], 0.0, false);
    let tiles = Material::matte("tiles", [0.5, 0.2, 0.14]);
    mason.polygons.begin_part_of("house", "roof", tiles);
    let eaves = STOREYS as f64 * STOREY;
    let ridge = |x: f64| [x * length / 2.0, eaves + RIDGE, 0.0];
    // The front, the right gable, the back, the left gable: the ends of the ridge above them.
    let ends = [[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
    for (edge, [right, left]) in ends.into_iter().enumerate() {
        for bay in 0..walls.edges[edge].bays {
            let [a, b] = [bay, bay + 1].map(|bay| walls.at(edge, bay, eaves));
            mason.face(&[a, b, ridge(left)]);
        }
        let corner = walls.at(edge + 1, 0, eaves);
        mason.face(&[corner, ridge(right), ridge(left)]);
    }
    mason.polygons
}

fn begin(name: &str, diffuse: [f32; 3]) -> Mason {
    let mut mason = Mason::default();
    let material = Material::matte(name, diffuse);
    mason.polygons.begin_part_of(name, "", material);
    mason
}

/// Returns the corners of a rectangle around the origin as x and z, counter-clockwise as seen from
/// above, from the left end of the front.
fn rectangle(length: f64, width: f64) -> [[f64; 2]; 4] {
    let (x, z) = (length / 2.0, width / 2.0);
    [[-x, z], [x, z], [x, -z], [-x, -z]]
}

/// Upright walls around an outline, divided into bays.
struct Walls {
    edges: Vec<Edge>,
}

struct Edge {
    from: [f64; 2],
    to: [f64; 2],
    bays: usize,
}

impl Walls {
    /// Returns walls with bays of about this width.
    fn new(outline: &[[f64; 2]], width: f64) -> Self {
        let edges = outline.iter().enumerate().map(|(i, &from)| {
            let to = outline[(i + 1) % outline.len()];
            let bays = (length(from, to) / width).round().max(1.0) as usize;
            Edge { from, to, bays }
        });
        Walls {
            edges: edges.collect(),
        }
    }

    /// Returns walls with bays of a width that makes about `n` triangles.
    fn of_size(outline: &[[f64; 2]], n: usize, storeys: usize) -> Self {
        let around: f64 = Walls::new(outline, 1.0)
            .edges
            .iter()
            .map(|edge| length(edge.from, edge.to))
            .sum();
        Walls::new(outline, around * (BAY * storeys) as f64 / n as f64)
    }

    fn bays(&self) -> usize {
        self.edges.iter().map(|edge| edge.bays).sum()
    }

    /// Returns the corner before this bay of an edge.
    fn at(&self, edge: usize, bay: usize, y: f64) -> WallPoint {
        let Edge { from, to, bays } = self.edges[edge % self.edges.len()];
        let share = bay as f64 / bays as f64;
        let [x, z] = match bay == bays {
            true => to,
            false => [0, 1].map(|i| from[i] + share * (to[i] - from[i])),
        };
        [x, y, z]
    }

    /// Adds what closes the walls above or below. `parts` are convex parts of the outline, each by its
    /// corners.
    fn close(&self, mason: &mut Mason, parts: &[&[usize]], y: f64, is_above: bool) {
        for part in parts {
            let (ring, centre) = self.ring(part, y);
            for (i, &from) in ring.iter().enumerate() {
                let to = ring[(i + 1) % ring.len()];
                let [from, to] = if is_above { [from, to] } else { [to, from] };
                mason.face(&[centre, from, to]);
            }
        }
    }

    /// Returns the corners of bays around a part of the outline, counter-clockwise as seen from above,
    /// and a point inside.
    fn ring(&self, part: &[usize], y: f64) -> (Vec<WallPoint>, WallPoint) {
        let mut ring = Vec::new();
        let mut sum = [0.0; 3];
        for (i, &corner) in part.iter().enumerate() {
            let is_wall = part[(i + 1) % part.len()] == (corner + 1) % self.edges.len();
            let bays = if is_wall { self.edges[corner].bays } else { 1 };
            ring.extend((0..bays).map(|bay| self.at(corner, bay, y)));
            let at = self.at(corner, 0, y);
            sum = [0, 1, 2].map(|i| sum[i] + at[i]);
        }
        (ring, sum.map(|x| x / part.len() as f64))
    }

    /// Adds the walls, open above and below.
    fn add(&self, mason: &mut Mason, storeys: usize) {
        for (edge, Edge { from, to, bays }) in self.edges.iter().enumerate() {
            let length = length(*from, *to);
            // Into the building.
            let inwards = [0, 1].map(|i| DEPTH * (to[i] - from[i]) / length);
            let inwards = [inwards[1], 0.0, -inwards[0]];
            for storey in 0..storeys {
                let [low, high] = [storey, storey + 1].map(|storey| storey as f64 * STOREY);
                for bay in 0..*bays {
                    let (a, b) = (self.at(edge, bay, low), self.at(edge, bay + 1, low));
                    add_bay(mason, [a, b], high - low, inwards);
                }
            }
        }
    }
}

/// Adds a bay of wall with a recessed window, from the left to the right end of its lower edge.
fn add_bay(mason: &mut Mason, [left, right]: [WallPoint; 2], height: f64, inwards: WallPoint) {
    let at = |across: f64, up: f64| -> WallPoint {
        let [x, y, z] = [0, 1, 2].map(|i| left[i] + across * (right[i] - left[i]));
        [x, y + up * height, z]
    };
    let above = |[x, y, z]: WallPoint| [x, y + height, z];
    let outer = [left, right, above(right), above(left)];
    let window = [at(0.25, 0.3), at(0.75, 0.3), at(0.75, 0.8), at(0.25, 0.8)];
    let pane = window.map(|p| [0, 1, 2].map(|i| p[i] + inwards[i]));
    for i in 0..4 {
        let next = (i + 1) % 4;
        mason.face(&[outer[i], outer[next], window[next], window[i]]);
        mason.face(&[window[i], window[next], pane[next], pane[i]]);
    }
    mason.face(&pane);
}

fn length(from: [f64; 2], to: [f64; 2]) -> f64 {
    let [x, z] = [0, 1].map(|i| to[i] - from[i]);
    (x * x + z * z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc_core::glam::Vec3;
    use std::collections::HashMap;

    #[test]
    fn buildings_are_closed_and_face_outwards() {
        for n in [1, 500, 9000] {
            for (name, mesh) in [
                ("box", unit_box(n)),
                ("tower", tower(n)),
                ("court", court(n)),
                ("house", house(n)),
            ] {
                let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
                let mut volume = 0.0;
                for face in mesh.faces() {
                    let p = |i: usize| mesh.positions()[face[i] as usize];
                    for i in 0..face.len() {
                        *edges
                            .entry((face[i], face[(i + 1) % face.len()]))
                            .or_default() += 1;
                        volume += p(0).dot(p(i).cross(p((i + 1) % face.len()))) / 6.0;
                    }
                }
                for (&(a, b), &count) in &edges {
                    assert_eq!(
                        (count, edges.get(&(b, a))),
                        (1, Some(&1)),
                        "{name}, {n}: edge {a} {b}"
                    );
                }
                assert!(volume > 0.9, "{name}, {n}: {volume}");
                let lowest = mesh.positions().iter().copied().reduce(Vec3::min);
                assert_eq!(lowest.unwrap().y, 0.0, "{name}, {n}");
            }
        }
    }
}
