//! The resolution of a teapot.

use super::lathe::lathe_triangles;
use super::profiles::{
    HANDLE_ANGLE, LOWER_HOLE, SPOUT_ANGLE, SPOUT_HOLE, SPOUT_HOLE_INSIDE, Shapes, UPPER_HOLE,
};
use std::f64::consts::PI;

/// The numbers of columns, rows and rings of each part.
pub(super) struct Counts {
    pub(super) spout_columns: usize,
    pub(super) handle_columns: usize,
    pub(super) side_columns: usize,
    pub(super) underside: usize,
    pub(super) foot: usize,
    pub(super) below_holes: usize,
    /// Rows across each of the two holes of the handle.
    pub(super) handle_rows: usize,
    pub(super) spout_rows: usize,
    pub(super) between_holes: usize,
    pub(super) above_holes: usize,
    pub(super) rim: usize,
    pub(super) inside_above: usize,
    pub(super) inside_below: usize,
    pub(super) spout_rings: usize,
    pub(super) lip_rings: usize,
    pub(super) handle_rings: usize,
    pub(super) lid_columns: usize,
    pub(super) under_lid: usize,
    pub(super) cover: usize,
    pub(super) knob: usize,
}

impl Counts {
    pub(super) fn new(shapes: &Shapes, edge: f64) -> Self {
        let pieces = |length: f64, least: usize| ((length / edge).round() as usize).max(least);
        let belly = |from: f64, to: f64| shapes.belly.length() * (to - from);
        // Curved parts get shorter segments.
        let bent = |length: f64, least: usize| pieces(2.0 * length, least);
        let inside = |share: f64| shapes.inside.length() * share;
        let [spout, _] = shapes.belly.at(SPOUT_HOLE[0]);
        let [handle, _] = shapes.belly.at(UPPER_HOLE[0]);
        let [radius, _] = shapes.belly.at(0.5);
        let side = PI - SPOUT_ANGLE - HANDLE_ANGLE;
        Counts {
            spout_columns: pieces(2.0 * SPOUT_ANGLE * spout, 2),
            handle_columns: pieces(2.0 * HANDLE_ANGLE * handle, 2),
            side_columns: pieces(side * radius, 5),
            underside: pieces(shapes.underside.length(), 4),
            foot: bent(shapes.foot.length(), 3),
            below_holes: pieces(belly(0.0, LOWER_HOLE[0]), 1),
            handle_rows: pieces(belly(LOWER_HOLE[0], LOWER_HOLE[1]), 1),
            spout_rows: pieces(belly(SPOUT_HOLE[0], SPOUT_HOLE[1]), 2),
            between_holes: pieces(belly(SPOUT_HOLE[1], UPPER_HOLE[0]), 1),
            above_holes: pieces(belly(UPPER_HOLE[1], 1.0), 1),
            rim: bent(shapes.rim.length(), 3),
            inside_above: pieces(inside(SPOUT_HOLE_INSIDE[0]), 2),
            inside_below: pieces(inside(1.0 - SPOUT_HOLE_INSIDE[1]), 2),
            spout_rings: pieces(shapes.spout.length(), 5),
            lip_rings: bent(0.03, 2),
            handle_rings: pieces(shapes.handle.length(), 9),
            lid_columns: pieces(2.0 * PI * 0.32, 10),
            under_lid: bent(shapes.under_lid.length(), 9),
            cover: bent(shapes.cover.length(), 5),
            knob: bent(shapes.knob.length(), 5),
        }
    }

    pub(super) fn columns(&self) -> usize {
        self.spout_columns + self.handle_columns + 2 * self.side_columns
    }

    /// Returns the number of rows of the belly.
    fn belly(&self) -> usize {
        self.below_holes
            + self.handle_rows
            + self.spout_rows
            + self.between_holes
            + self.handle_rows
            + self.above_holes
    }

    /// Returns the number of rows of the pot's outside.
    pub(super) fn outside(&self) -> usize {
        self.underside + self.foot + self.belly() + self.rim
    }

    pub(super) fn pot_rows(&self) -> usize {
        self.outside() + self.inside_above + self.spout_rows + self.inside_below
    }

    fn all_spout_rings(&self) -> usize {
        2 * self.spout_rings + self.lip_rings
    }

    pub(super) fn triangles(&self) -> usize {
        let [spout, handle] = [
            [self.spout_columns, self.spout_rows],
            [self.handle_columns, self.handle_rows],
        ];
        let open = 2 * spout[0] * spout[1] + 2 * handle[0] * handle[1];
        let tube = |[columns, rows]: [usize; 2], rings| 4 * (columns + rows) * rings;
        lathe_triangles(self.columns(), self.pot_rows(), open)
            + tube(spout, self.all_spout_rings())
            + tube(handle, self.handle_rings)
            + lathe_triangles(self.lid_columns, self.under_lid + self.cover + self.knob, 0)
    }
}
