//! The resolution of a teapot.

use super::curve::Curve;
use super::lathe::{Band, lathe_triangles, rows};
use super::profiles::{
    HANDLE_ANGLE, LOWER_HOLE, SPOUT_ANGLE, SPOUT_HOLE, SPOUT_HOLE_INSIDE, Shapes, UPPER_HOLE,
};
use std::f64::consts::PI;

/// The numbers of columns, rows and rings of each part.
pub(super) struct Counts<'a> {
    pub(super) spout_columns: usize,
    pub(super) handle_columns: usize,
    pub(super) side_columns: usize,
    /// The rows of the pot, first those of the outside.
    pub(super) pot: [Band<'a>; 12],
    pub(super) spout_rings: usize,
    pub(super) lip_rings: usize,
    pub(super) handle_rings: usize,
    pub(super) lid_columns: usize,
    pub(super) lid: [Band<'a>; 3],
}

/// The places of the bands of the pot with holes, and of the first one inside.
pub(super) const LOWER: usize = 3;
pub(super) const SPOUT: usize = 4;
pub(super) const UPPER: usize = 6;
pub(super) const INSIDE: usize = 9;
pub(super) const SPOUT_INSIDE: usize = 10;

impl<'a> Counts<'a> {
    pub(super) fn new(shapes: &'a Shapes, edge: f64) -> Self {
        let pieces = |length: f64, least: usize| ((length / edge).round() as usize).max(least);
        // Curved parts get shorter segments.
        let bent = |length: f64, least: usize| pieces(2.0 * length, least);
        let bent_band = |curve: &'a Curve<2>, least| Band {
            curve,
            from: 0.0,
            to: 1.0,
            rows: bent(curve.length(), least),
        };
        let section = |curve: &'a Curve<2>, [from, to]: [f64; 2], least| Band {
            curve,
            from,
            to,
            rows: pieces(curve.length() * (to - from), least),
        };
        let Shapes { belly, inside, .. } = shapes;
        let [top, bottom] = SPOUT_HOLE_INSIDE;
        let mut pot = [
            section(&shapes.underside, [0.0, 1.0], 4),
            bent_band(&shapes.foot, 3),
            section(belly, [0.0, LOWER_HOLE[0]], 1),
            section(belly, LOWER_HOLE, 1),
            section(belly, SPOUT_HOLE, 2),
            section(belly, [SPOUT_HOLE[1], UPPER_HOLE[0]], 1),
            section(belly, UPPER_HOLE, 1),
            section(belly, [UPPER_HOLE[1], 1.0], 1),
            bent_band(&shapes.rim, 3),
            section(inside, [0.0, top], 2),
            section(inside, [top, bottom], 2),
            section(inside, [bottom, 1.0], 2),
        ];
        // Both holes of a tube have as many rows.
        pot[UPPER].rows = pot[LOWER].rows;
        pot[SPOUT_INSIDE].rows = pot[SPOUT].rows;
        let [spout, _] = belly.at(SPOUT_HOLE[0]);
        let [handle, _] = belly.at(UPPER_HOLE[0]);
        let [radius, _] = belly.at(0.5);
        let side = PI - SPOUT_ANGLE - HANDLE_ANGLE;
        Counts {
            spout_columns: pieces(2.0 * SPOUT_ANGLE * spout, 2),
            handle_columns: pieces(2.0 * HANDLE_ANGLE * handle, 2),
            side_columns: pieces(side * radius, 5),
            pot,
            spout_rings: pieces(shapes.spout.length(), 5),
            lip_rings: bent(0.03, 2),
            handle_rings: pieces(shapes.handle.length(), 9),
            lid_columns: pieces(2.0 * PI * 0.32, 10),
            lid: [
                bent_band(&shapes.under_lid, 9),
                bent_band(&shapes.cover, 5),
                bent_band(&shapes.knob, 5),
            ],
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.spout_columns + self.handle_columns + 2 * self.side_columns
    }

    pub(super) fn triangles(&self) -> usize {
        let [spout, handle] = [
            [self.spout_columns, self.pot[SPOUT].rows],
            [self.handle_columns, self.pot[LOWER].rows],
        ];
        let open = 2 * spout[0] * spout[1] + 2 * handle[0] * handle[1];
        let tube = |[columns, rows]: [usize; 2], rings| 4 * (columns + rows) * rings;
        lathe_triangles(self.columns(), rows(&self.pot), open)
            + tube(spout, 2 * self.spout_rings + self.lip_rings)
            + tube(handle, self.handle_rings)
            + lathe_triangles(self.lid_columns, rows(&self.lid), 0)
    }
}
