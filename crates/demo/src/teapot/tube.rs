//! Tubes that bend in the plane z = 0, from one hole to another.

use super::lathe::Rim;
use crate::Polygons;
use std::ops::Range;

/// An elliptic cross-section of a tube.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    /// The centre in x and y.
    pub(super) centre: [f64; 2],
    /// The direction of the tube, of length 1.
    pub(super) along: [f64; 2],
    /// The half size along z.
    pub(super) wide: f64,
    /// The half size in the plane of the bend.
    pub(super) tall: f64,
    /// How strongly the ring is deformed towards the hole where the tube begins: 1 there, then
    /// less.
    pub(super) near: f64,
    /// The same for the hole where the tube ends.
    pub(super) far: f64,
}

impl Ring {
    /// Returns the point of the ellipse at a position on the unit circle.
    fn point(&self, [right, up]: [f64; 2], side: f64) -> [f64; 3] {
        let up = up * self.tall * side;
        [
            self.centre[0] - up * self.along[1],
            self.centre[1] + up * self.along[0],
            -side * right * self.wide,
        ]
    }
}

/// The corners of a tube, ring by ring.
pub(super) struct Tube {
    rings: Vec<Vec<u32>>,
}

impl Tube {
    /// Adds the corners. `side` is 1 for a tube that leaves along +x and -1 for one that leaves
    /// along -x.
    pub(super) fn new(
        polygons: &mut Polygons,
        side: f64,
        near: &Rim,
        rings: &[Ring],
        far: &Rim,
    ) -> Self {
        let gap = |polygons: &Polygons, rim: &Rim, ring: &Ring, i: usize| -> [f64; 3] {
            let corner = polygons.positions()[rim.corners[i] as usize].to_array();
            let point = ring.point(near.places[i], side);
            std::array::from_fn(|k| f64::from(corner[k]) - point[k])
        };
        let last = rings.len() - 1;
        let gaps: Vec<[[f64; 3]; 2]> = (0..near.corners.len())
            .map(|i| {
                [
                    gap(polygons, near, &rings[0], i),
                    gap(polygons, far, &rings[last], i),
                ]
            })
            .collect();
        let mut tube = vec![near.corners.clone()];
        for ring in &rings[1..last] {
            let corners = near.places.iter().zip(&gaps).map(|(&place, [begin, end])| {
                let point = ring.point(place, side);
                let drawn: [f64; 3] =
                    std::array::from_fn(|k| point[k] + ring.near * begin[k] + ring.far * end[k]);
                polygons.add_position(drawn.map(|x| x as f32))
            });
            tube.push(corners.collect());
        }
        tube.push(far.corners.clone());
        Tube { rings: tube }
    }

    /// Adds the faces between these rings.
    pub(super) fn add_faces(&self, polygons: &mut Polygons, rings: Range<usize>) {
        for ring in rings {
            let [from, to] = [&self.rings[ring], &self.rings[ring + 1]];
            for i in 0..from.len() {
                let next = (i + 1) % from.len();
                polygons.add_face(&[from[i], from[next], to[next], to[i]]);
            }
        }
    }
}
