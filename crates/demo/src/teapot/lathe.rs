//! Surfaces of revolution with round holes to which tubes are attached.

use super::curve::Curve;
use crate::Polygons;
use std::f64::consts::PI;
use std::ops::Range;

/// Consecutive rows of a profile: a section of a curve, in fractions of its length, divided evenly.
pub(super) struct Band<'a> {
    /// Radius and height.
    pub(super) curve: &'a Curve<2>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) rows: usize,
}

/// Returns the number of rows of bands.
pub(super) fn rows(bands: &[Band<'_>]) -> usize {
    bands.iter().map(|band| band.rows).sum()
}

/// A block of cells that is left out. Its edge is deformed to an ellipse, and the surrounding cells
/// are deformed with it.
pub(super) struct Hole<'a> {
    pub(super) band: &'a Band<'a>,
    pub(super) angle: f64,
    pub(super) half_angle: f64,
    pub(super) columns: Range<usize>,
    pub(super) rows: Range<usize>,
    /// The size of the ellipse relative to that of the block.
    pub(super) size: f64,
}

/// How far around a hole cells are deformed, in halves of its size.
const REACH: f64 = 1.9;

impl Hole<'_> {
    fn middle(&self) -> f64 {
        f64::midpoint(self.band.from, self.band.to)
    }

    fn half(&self) -> f64 {
        (self.band.to - self.band.from) / 2.0
    }

    /// Returns the offset from the centre, in halves of the width and height.
    fn offset(&self, angle: f64, share: f64) -> [f64; 2] {
        let mut turn = angle - self.angle;
        if turn > PI {
            turn -= 2.0 * PI;
        } else if turn < -PI {
            turn += 2.0 * PI;
        }
        [
            turn / self.half_angle,
            (share - self.middle()) / self.half(),
        ]
    }

    /// Maps squares around the centre to circles: fully at the edge, less and less outside.
    fn drawn(&self, angle: f64, share: f64) -> [f64; 2] {
        let [x, y] = self.offset(angle, share);
        let square = x.abs().max(y.abs());
        if square >= REACH {
            return [angle, share];
        }
        let fade = ((REACH - square) / (REACH - 1.0)).min(1.0);
        let weight = fade * fade * (3.0 - 2.0 * fade);
        let circle = self.size * square / (x * x + y * y).sqrt();
        let scale = 1.0 + weight * (circle - 1.0);
        [
            self.angle + scale * x * self.half_angle,
            self.middle() + scale * y * self.half(),
        ]
    }
}

/// The corners along the edge of a hole, once around, and their positions on the unit circle: to
/// the right and up, as seen when looking into the hole.
pub(super) struct Rim {
    pub(super) corners: Vec<u32>,
    pub(super) places: Vec<[f64; 2]>,
}

/// The corners of a surface of revolution about the y axis, in rows along the profile.
pub(super) struct Lathe<'a> {
    angles: &'a [f64],
    /// The curve of each row and the fraction of its length.
    rows: Vec<(&'a Curve<2>, f64)>,
    corners: Vec<u32>,
}

impl<'a> Lathe<'a> {
    /// Adds the corners; `angles` go around once, counter-clockwise from above. A profile begins
    /// and ends on the axis, where the surface has a single corner each.
    pub(super) fn new(
        polygons: &mut Polygons,
        angles: &'a [f64],
        bands: &[Band<'a>],
        holes: &[&Hole<'a>],
    ) -> Self {
        let mut rows = vec![(bands[0].curve, bands[0].from)];
        for band in bands {
            rows.extend((1..=band.rows).map(|i| {
                let share = i as f64 / band.rows as f64;
                (band.curve, band.from + share * (band.to - band.from))
            }));
        }
        let last = rows.len() - 1;
        let mut corners = Vec::with_capacity(rows.len() * angles.len());
        for (row, &(curve, share)) in rows.iter().enumerate() {
            if row == 0 || row == last {
                let [_, height] = curve.at(share);
                let pole = polygons.add_position([0.0, height as f32, 0.0]);
                corners.extend(angles.iter().map(|_| pole));
                continue;
            }
            for (column, &angle) in angles.iter().enumerate() {
                let inside = |hole: &&&Hole<'_>| {
                    hole.rows.start < row
                        && row < hole.rows.end
                        && hole.columns.start < column
                        && column < hole.columns.end
                };
                if holes.iter().any(|hole| inside(&hole)) {
                    corners.push(u32::MAX);
                    continue;
                }
                let mut place = [angle, share];
                for hole in holes.iter().filter(|h| std::ptr::eq(h.band.curve, curve)) {
                    let [angle, share] = place;
                    place = hole.drawn(angle, share);
                }
                let [angle, share] = place;
                let [radius, height] = curve.at(share);
                // The sine of pi in `f64` is not quite 0.
                let point = [
                    radius * libm::cos(angle),
                    height,
                    -radius * libm::sin(angle),
                ]
                .map(|x| if x.abs() < 1e-12 { 0.0 } else { x as f32 });
                corners.push(polygons.add_position(point));
            }
        }
        Lathe {
            angles,
            rows,
            corners,
        }
    }

    fn corner(&self, column: usize, row: usize) -> u32 {
        let columns = self.angles.len();
        self.corners[row * columns + column % columns]
    }

    /// Adds the faces between these rows, except in holes.
    pub(super) fn add_faces(
        &self,
        polygons: &mut Polygons,
        rows: Range<usize>,
        holes: &[&Hole<'_>],
    ) {
        let last = self.rows.len() - 2;
        for row in rows {
            for column in 0..self.angles.len() {
                if holes
                    .iter()
                    .any(|hole| hole.rows.contains(&row) && hole.columns.contains(&column))
                {
                    continue;
                }
                let at = |i: usize, j: usize| self.corner(column + i, row + j);
                match row {
                    0 => polygons.add_face(&[at(0, 0), at(1, 1), at(0, 1)]),
                    row if row == last => polygons.add_face(&[at(0, 0), at(1, 0), at(0, 1)]),
                    _ => polygons.add_face(&[at(0, 0), at(1, 0), at(1, 1), at(0, 1)]),
                }
            }
        }
    }

    /// Returns the edge of a hole in which a tube begins: counter-clockwise, from the first column
    /// and row.
    pub(super) fn rim(&self, hole: &Hole<'_>) -> Rim {
        self.edge(hole, false)
    }

    /// Returns the edge of a hole in which a tube ends: clockwise, from the first column and the
    /// last row, in the order of the tube's corners.
    pub(super) fn far_rim(&self, hole: &Hole<'_>) -> Rim {
        self.edge(hole, true)
    }

    fn edge(&self, hole: &Hole<'_>, mirrored: bool) -> Rim {
        let (columns, rows) = (&hole.columns, &hole.rows);
        let right = columns.clone().map(|column| (column, rows.start));
        let up = rows.clone().map(|row| (columns.end, row));
        let left = (columns.start + 1..=columns.end).rev();
        let left = left.map(|column| (column, rows.end));
        let down = (rows.start + 1..=rows.end).rev();
        let down = down.map(|row| (columns.start, row));
        let around = right.chain(up).chain(left).chain(down);
        let (corners, places) = around
            .map(|(column, row)| {
                let (row, up) = match mirrored {
                    true => (rows.start + rows.end - row, -1.0),
                    false => (row, 1.0),
                };
                let (_, share) = self.rows[row];
                let [x, y] = hole.offset(self.angles[column], share);
                let length = (x * x + y * y).sqrt();
                (self.corner(column, row), [x / length, up * y / length])
            })
            .unzip();
        Rim { corners, places }
    }
}

/// Returns the number of triangles of a lathe's faces.
pub(super) fn lathe_triangles(columns: usize, rows: usize, open_cells: usize) -> usize {
    // Cells at the axis have only three corners.
    2 * (columns * (rows - 1) - open_cells)
}
