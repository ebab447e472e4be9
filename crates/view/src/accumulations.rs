//! Light of frames that are refined, kept between requests.

use crate::bounds;
use estoc_picture::{Accumulation, Shade, Size, View};
use std::sync::{Mutex, PoisonError};

/// What a frame shows. Frames of one key differ only in their number of samples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameKey {
    pub(crate) client: String,
    pub(crate) generation: u64,
    pub(crate) time: Option<f64>,
    pub(crate) view: View,
    pub(crate) size: Size,
    pub(crate) shade: Shade,
}

/// The light of the last frame of some clients, the latest last.
#[derive(Default)]
pub(crate) struct Accumulations(Mutex<Vec<(FrameKey, Accumulation)>>);

impl Accumulations {
    /// Takes the light of a frame; empty if there is none. What else the client has is forgotten.
    pub(crate) fn take(&self, key: &FrameKey) -> Accumulation {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = kept.extract_if(.., |(other, _)| other.client == key.client);
        let same = of_client.filter(|(other, _)| other == key).last();
        same.map(|(_, light)| light).unwrap_or_default()
    }

    /// Keeps the light of a frame, and forgets the oldest beyond the bounds.
    pub(crate) fn keep(&self, key: FrameKey, light: Accumulation) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| other.client != key.client);
        kept.push((key, light));
        let pixels = |kept: &[(FrameKey, Accumulation)]| -> usize {
            kept.iter().map(|(key, _)| key.size.pixel_count()).sum()
        };
        while kept.len() > bounds::KEPT || pixels(&kept) > bounds::KEPT_PIXELS {
            kept.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc::glam::Vec3;
    use estoc_picture::ViewProjection;

    #[test]
    fn the_latest_frames_are_kept() {
        let view = View {
            eye: Vec3::Z,
            at: Vec3::ZERO,
            up: Vec3::Y,
            projection: ViewProjection::Perspective(40.0),
        };
        let key = |client: usize, side| FrameKey {
            client: client.to_string(),
            generation: 1,
            time: None,
            view,
            size: Size::try_new(side, side).unwrap(),
            shade: Shade::Ao,
        };
        let all = Accumulations::default();
        let count = || all.0.lock().unwrap().len();
        for client in 0..bounds::KEPT + 3 {
            all.keep(key(client, 10), Accumulation::default());
        }
        assert_eq!(count(), bounds::KEPT);
        // A frame of another size replaces that of the client.
        all.keep(key(10, 20), Accumulation::default());
        assert_eq!(count(), bounds::KEPT);
        all.take(&key(10, 10));
        assert_eq!(count(), bounds::KEPT - 1);
        // Two of these have too many pixels.
        all.keep(key(20, 2896), Accumulation::default());
        all.keep(key(21, 2896), Accumulation::default());
        all.keep(key(22, 2896), Accumulation::default());
        assert!(count() <= 2);
    }
}
