//! The sun and the sky outside the hall.

use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use std::f64::consts::TAU;

/// Towards the sun: to the right of the nave, a little ahead.
const SUN: Vec3 = Vec3::new(0.56, 0.74, -0.26);
pub(super) const SUN_LIGHT: Vec3 = Vec3::new(40.0, 30.0, 18.5);
/// Radius of the sun's disc at distance 1; wider than the real one, for softer shadows.
const SUN_RADIUS: f64 = 0.008;

/// Towards a random point of the sun.
pub(super) fn towards_sun(rng: &mut SplitMix64) -> Vec3 {
    let wobble = Vec3::from_array(rng.direction().map(|x| (x * SUN_RADIUS) as f32));
    (SUN + wobble).normalize()
}

/// What comes from the sky in this direction.
pub(super) fn sky(dir: Vec3) -> Vec3 {
    let height = dir.y.max(0.0).sqrt();
    let horizon = Vec3::new(5.2, 5.4, 5.6);
    let zenith = Vec3::new(1.5, 2.6, 5.0);
    let ground = Vec3::new(1.6, 1.5, 1.3);
    if dir.y < 0.0 {
        ground
    } else {
        horizon.lerp(zenith, height)
    }
}

/// A direction about the normal, as likely as light from it counts (by its cosine).
pub(super) fn about(normal: Vec3, rng: &mut SplitMix64) -> Vec3 {
    let (height, turn) = (rng.between(-1.0, 1.0), TAU * rng.unit());
    let radius = (1.0 - height * height).sqrt();
    let on_sphere = Vec3::new(
        (radius * turn.cos()) as f32,
        (radius * turn.sin()) as f32,
        height as f32,
    );
    (normal + on_sphere).normalize_or(normal)
}

/// Scene light to display values from 0 to 1 (the curve of Narkowicz 2015, "ACES filmic tone
/// mapping curve"; then sRGB).
pub(super) fn developed(light: Vec3) -> Vec3 {
    let x = light * 0.62;
    let film = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    let shown = film.to_array().map(|x| {
        let x = x.clamp(0.0, 1.0);
        if x < 0.003_130_8 {
            12.92 * x
        } else {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        }
    });
    shown.into()
}
