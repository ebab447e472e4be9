//! Where the tree of a file in `f64` lies among its vertices.

use crate::wide::WideTriangles;
use bytemuck::{Pod, Zeroable};
use estoc_core::glam::DVec3;
use estoc_mesh::parts::NarrowFrame;
use std::fmt;

/// The section [`Frame`](super::TreeSection::Frame): the frame of the tree, and what follows from the
/// corners of its triangles, so that a trusted file can be used before all of them are read.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FileFrame {
    /// The point at 0.
    origin: [f64; 3],
    /// The largest distance of a coordinate in the frame from what it was rounded to.
    error: f64,
    /// The box around all triangles, without -0; infinities of the wrong signs if there are none.
    bounds: [[f64; 3]; 2],
    /// The exponent of the unit.
    exponent: i32,
    /// 1 if every triangle has an area, otherwise 0.
    have_area: u32,
}

const _: () = assert!(size_of::<FileFrame>() == 88);

impl FileFrame {
    /// Returns the frame of triangles in `f64`, measured.
    /// Returns early, with part of the result, once `stop` returns true.
    pub(super) fn of(triangles: &WideTriangles, stop: &(impl Fn() -> bool + Sync)) -> Self {
        let frame = triangles.frame();
        let measured = triangles.measured(stop);
        FileFrame {
            // Adding 0 turns -0 into +0.
            origin: (frame.origin + DVec3::ZERO).to_array(),
            error: measured.error,
            bounds: measured.bounds.map(|corner| corner.to_array()),
            exponent: frame.exponent,
            have_area: measured.have_area.into(),
        }
    }

    pub(super) fn narrow_frame(&self) -> NarrowFrame {
        NarrowFrame {
            origin: DVec3::from_array(self.origin),
            exponent: self.exponent,
            error: self.error,
        }
    }

    pub(super) fn bounds(&self) -> [DVec3; 2] {
        self.bounds.map(DVec3::from_array)
    }

    pub(super) fn have_area(&self) -> bool {
        self.have_area != 0
    }

    /// Returns whether the error is finite, which that of a corner that is not finite never is.
    pub(super) fn is_finite(&self) -> bool {
        self.error.is_finite()
    }

    /// Returns what is wrong with the frame of triangles for which it has to be `measured`.
    pub(super) fn difference(&self, measured: &FileFrame) -> Option<String> {
        let differs = |what: &str, stored: &dyn fmt::Debug, found: &dyn fmt::Debug| {
            Some(format!(
                "{what} {stored:?}, where the triangles have {found:?}"
            ))
        };
        if self.error != measured.error {
            return differs("the error is", &self.error, &measured.error);
        }
        if self.bounds != measured.bounds {
            return differs("the bounds are", &self.bounds, &measured.bounds);
        }
        if self.have_area != measured.have_area {
            return differs("the flag of areas is", &self.have_area, &measured.have_area);
        }
        match self.narrow_frame().fits(self.bounds()) {
            true => None,
            false => Some("it does not fit the size and the place of the triangles".into()),
        }
    }

    /// Returns what is wrong with the numbers, whatever the corners are.
    pub(super) fn problem(&self) -> Option<String> {
        let frame = self.narrow_frame();
        match self.have_area {
            0 | 1 if frame.is_known() => None,
            0 | 1 => {
                let NarrowFrame {
                    origin, exponent, ..
                } = frame;
                Some(format!(
                    "no frame has the origin {origin} and the exponent {exponent}"
                ))
            }
            other => Some(format!("a flag is {other} instead of 0 or 1")),
        }
    }
}
