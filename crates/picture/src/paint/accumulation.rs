//! Light of a picture that more samples are added to.

use crate::picture::Size;
use crate::shade::Shade;
use crate::view::View;
use estoc::glam::Vec3;

/// The light of the samples of a picture, to which [`Paint::accumulate`](crate::Paint::accumulate) adds
/// more. It takes 12 bytes for each pixel.
#[derive(Clone, Debug, Default)]
pub struct Accumulation {
    of: Option<(View, Size, Shade)>,
    samples: u32,
    /// For each tile the sums of its pixels, in the order in which they are traced.
    tiles: Vec<Vec<Vec3>>,
}

impl Accumulation {
    /// Returns the number of samples, 0 if it is empty.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Takes the light of a picture with at most this number of samples, and leaves nothing.
    pub(super) fn take(&mut self, view: &View, size: Size, shade: Shade, samples: u32) -> Self {
        let of = Some((*view, size, shade));
        let taken = std::mem::take(self);
        match taken.of == of && taken.samples <= samples {
            true => taken,
            false => Accumulation {
                of,
                ..Accumulation::default()
            },
        }
    }

    pub(super) fn set_samples(&mut self, samples: u32) {
        self.samples = samples;
    }

    /// Returns the sums of each tile, empty ones if there is no light.
    pub(super) fn of_tiles(&mut self, count: usize) -> &mut [Vec<Vec3>] {
        self.tiles.resize(count, Vec::new());
        &mut self.tiles
    }
}
