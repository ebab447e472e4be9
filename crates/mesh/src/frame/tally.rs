//! What rounding did to the vertices of a file.

use super::{FileFrame, RoundedCoordinate};
use crate::report::rounding::RoundingLoss;
use estoc_core::glam::DVec3;
use estoc_system::{Growth, NoMemory};

/// The largest movement so far, and the vertices as in the file if they are surveyed.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The square of the largest movement.
    farthest: f64,
    /// The largest movement along an axis of those whose square underflows.
    least: f64,
    in_file: Vec<DVec3>,
}

impl Tally {
    /// Adds a vertex.
    #[inline]
    pub(crate) fn add(
        &mut self,
        corner: &[RoundedCoordinate; 3],
        frame: &FileFrame,
    ) -> Result<(), NoMemory> {
        let moved = corner.map(|coordinate| coordinate.moved);
        let [x, y, z] = moved.map(|moved| moved * moved);
        let square = x + y + z;
        if square == 0.0 {
            self.least = moved.iter().fold(self.least, |most, x| most.max(x.abs()));
        }
        // A vertex that is not finite has not moved; its face is refused.
        if square > self.farthest && square < f64::INFINITY {
            self.farthest = square;
        }
        if frame.surveys || frame.keeps {
            let in_file = corner.map(|coordinate| coordinate.in_file);
            self.in_file.try_push(in_file.into())?;
        }
        Ok(())
    }

    pub(crate) fn loss(&self) -> RoundingLoss {
        RoundingLoss {
            largest_movement: self.farthest.sqrt().max(self.least),
            ..RoundingLoss::default()
        }
    }

    /// Moves the vertices of the file out.
    pub(crate) fn take_in_file(&mut self) -> Vec<DVec3> {
        core::mem::take(&mut self.in_file)
    }

    pub(crate) fn shrink(&mut self) {
        self.in_file.trim();
    }
}
