//! The sun and the sky outside the hall, and how a film shows light.

use estoc::glam::Vec3;

/// Towards the sun: to the right of the nave, a little ahead. Of length 1 within 1 %.
pub(super) const SUN: Vec3 = Vec3::new(0.58, 0.767, -0.27);
/// What a white surface that faces the sun sends back.
pub(super) const SUN_LIGHT: Vec3 = Vec3::new(14.0, 10.2, 6.2);

/// What comes from the sky in this direction.
pub(super) fn sky(dir: Vec3) -> Vec3 {
    let horizon = Vec3::new(5.2, 5.4, 5.6);
    let zenith = Vec3::new(1.5, 2.6, 5.0);
    let ground = Vec3::new(1.6, 1.5, 1.3);
    if dir.y < 0.0 {
        ground
    } else {
        horizon.lerp(zenith, dir.y.sqrt())
    }
}

/// Scene light on film, from 0 to 1 (the curve of Narkowicz 2015, "ACES filmic tone mapping
/// curve").
pub(super) fn exposed(light: Vec3) -> Vec3 {
    let x = light * 0.6;
    let film = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    film.clamp(Vec3::ZERO, Vec3::ONE)
}

/// Film as sRGB.
pub(super) fn developed(film: Vec3) -> [u8; 3] {
    film.to_array().map(|x| {
        let x = if x < 0.003_130_8 {
            12.92 * x
        } else {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        };
        (x * 255.0 + 0.5) as u8
    })
}
