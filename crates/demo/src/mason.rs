//! The shapes that the hall is built of: boxes, surfaces of revolution, walls with arches.

use super::Polygons;
use std::collections::HashMap;
use std::f64::consts::PI;

pub(super) type WallPoint = [f64; 3];

/// Adds shapes to polygons. Coordinates are rounded to a thousandth, and equal corners are shared.
#[derive(Default)]
pub(super) struct Mason {
    pub(super) polygons: Polygons,
    corners: HashMap<[u32; 3], u32>,
}

impl Mason {
    /// Adds a face, counter-clockwise as seen from its front. Corners that coincide are merged; a
    /// face with fewer than three remaining corners is dropped.
    pub(super) fn face(&mut self, points: &[WallPoint]) {
        let mut face: Vec<u32> = points.iter().map(|&point| self.corner(point)).collect();
        face.dedup();
        while face.len() > 1 && face.first() == face.last() {
            face.pop();
        }
        if face.len() >= 3 {
            self.polygons.add_face(&face);
        }
    }

    fn corner(&mut self, point: WallPoint) -> u32 {
        let point = point.map(|x| ((x * 1000.0).round() / 1000.0) as f32 + 0.0);
        *self
            .corners
            .entry(point.map(f32::to_bits))
            .or_insert_with(|| self.polygons.add_position(point))
    }

    /// Adds a flat or curved patch: `at(i, j)` is the corner in column i and row j,
    /// counter-clockwise if columns run to the right and rows up.
    pub(super) fn patch(
        &mut self,
        columns: usize,
        rows: usize,
        at: impl Fn(usize, usize) -> WallPoint,
    ) {
        for j in 0..rows {
            for i in 0..columns {
                self.face(&[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }

    /// Adds a closed box between two opposite corners.
    pub(super) fn block(&mut self, low: WallPoint, high: WallPoint) {
        let at = |bits: usize| -> WallPoint {
            std::array::from_fn(|i| if bits >> i & 1 == 1 { high[i] } else { low[i] })
        };
        for face in [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ] {
            self.face(&face.map(at));
        }
    }

    /// Adds an upright prism over a polygon given counter-clockwise as seen from above, as pairs of
    /// x and z. The polygon itself closes the prism below and above.
    pub(super) fn prism(&mut self, outline: &[[f64; 2]], low: f64, high: f64) {
        let ring = |y: f64| -> Vec<WallPoint> { outline.iter().map(|&[x, z]| [x, y, z]).collect() };
        let (bottom, top) = (ring(low), ring(high));
        for i in 0..outline.len() {
            let next = (i + 1) % outline.len();
            self.face(&[bottom[i], bottom[next], top[next], top[i]]);
        }
        self.face(&top);
        self.face(&reversed(bottom));
    }

    /// Adds a surface of revolution about the vertical axis through `centre`. `profile` gives pairs
    /// of radius and height from bottom to top; the surface is closed where the profile starts or
    /// ends at radius 0.
    pub(super) fn turned(&mut self, centre: WallPoint, sides: usize, profile: &[[f64; 2]]) {
        let at = |i: usize, j: usize| {
            let [radius, height] = profile[j];
            let [x, z] = on_circle(i % sides, sides);
            [
                centre[0] + radius * x,
                centre[1] + height,
                centre[2] + radius * z,
            ]
        };
        self.patch(sides, profile.len() - 1, at);
    }

    /// Adds a bay of wall with an arched opening. `place` maps the wall's own coordinates (along
    /// it, up, and out of its front) to those of the scene without mirroring.
    pub(super) fn arched_bay(&mut self, bay: &ArchedBay, place: impl Fn(WallPoint) -> WallPoint) {
        let ArchedBay {
            half_width: w,
            bottom,
            top,
            thickness,
            ..
        } = *bay;
        let ArchedBay {
            radius: r,
            sill,
            spring,
            steps,
            ..
        } = *bay;
        let arch: Vec<[f64; 2]> = (0..=steps)
            .map(|i| {
                let angle = PI * i as f64 / steps as f64;
                [r * libm::cos(angle), spring + r * libm::sin(angle)]
            })
            .collect();
        let mut faces: Vec<Vec<[f64; 2]>> = vec![
            vec![
                [-w, bottom],
                [w, bottom],
                [w, sill],
                [r, sill],
                [-r, sill],
                [-w, sill],
            ],
            vec![[-w, sill], [-r, sill], [-r, spring], [-w, spring]],
            vec![[r, sill], [w, sill], [w, spring], [r, spring]],
            vec![[-w, spring], [-r, spring], [-r, top], [-w, top]],
            vec![[r, spring], [w, spring], [w, top], [r, top]],
        ];
        for pair in arch.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            faces.push(vec![a, [a[0], top], [b[0], top], b]);
        }
        if sill <= bottom {
            faces.remove(0);
        }
        let half = thickness / 2.0;
        for face in &faces {
            let put = |out: f64| face.iter().map(move |&[x, y]| [x, y, out]);
            self.face(&put(half).map(&place).collect::<Vec<_>>());
            self.face(&reversed(put(-half).map(&place).collect()));
        }
        // Around the opening: up the right side, over the arch, down the left side, along the sill.
        let mut edge = vec![[r, sill]];
        edge.extend(arch);
        edge.push([-r, sill]);
        if sill > bottom {
            edge.push([r, sill]);
        }
        for pair in edge.windows(2) {
            let [[ax, ay], [bx, by]] = [pair[0], pair[1]];
            let reveal = [
                [ax, ay, half],
                [bx, by, half],
                [bx, by, -half],
                [ax, ay, -half],
            ];
            self.face(&reveal.map(&place));
        }
        // Without a sill, the undersides of the wall beside the opening need faces of their own.
        if sill <= bottom {
            for [from, to] in [[-w, -r], [r, w]] {
                let foot = [
                    [from, sill, -half],
                    [to, sill, -half],
                    [to, sill, half],
                    [from, sill, half],
                ];
                self.face(&foot.map(&place));
            }
        }
    }
}

/// Returns the face with reversed orientation. It starts at the same corner, so that its
/// triangulation stays the same.
fn reversed(mut face: Vec<WallPoint>) -> Vec<WallPoint> {
    face[1..].reverse();
    face
}

/// Dimensions of a bay of wall; heights are above the floor.
pub(super) struct ArchedBay {
    pub(super) half_width: f64,
    pub(super) bottom: f64,
    pub(super) top: f64,
    pub(super) thickness: f64,
    /// Half the width of the opening.
    pub(super) radius: f64,
    /// Height of the lower edge of the opening.
    pub(super) sill: f64,
    /// Height at which the sides end and the half circle begins.
    pub(super) spring: f64,
    /// Number of segments of the half circle.
    pub(super) steps: usize,
}

/// Returns corner i of a regular polygon of radius 1 as x and z, counter-clockwise from above.
pub(super) fn on_circle(i: usize, sides: usize) -> [f64; 2] {
    let angle = 2.0 * PI * i as f64 / sides as f64;
    [libm::cos(angle), -libm::sin(angle)]
}

/// Divides each segment of a profile into `pieces` equal ones.
pub(super) fn refined(profile: &[[f64; 2]], pieces: usize) -> Vec<[f64; 2]> {
    let mut fine = vec![profile[0]];
    for pair in profile.windows(2) {
        for i in 1..=pieces {
            let t = i as f64 / pieces as f64;
            fine.push([0, 1].map(|k| pair[0][k] + t * (pair[1][k] - pair[0][k])));
        }
    }
    fine
}
