//! Smoothing of what few random rays left grainy.

use super::image::Size;
use estoc::glam::Vec3;
use rayon::prelude::*;

/// What tells surfaces apart.
#[derive(Clone, Copy, Default)]
pub(super) struct Guide {
    pub(super) normal: Vec3,
    pub(super) place: Vec3,
    pub(super) depth: f32,
}

/// Blurs within surfaces, wider with each pass (Dammertz et al. 2010, "Edge-avoiding
/// a-trous wavelet transform for fast global illumination filtering"). `likeness`, from 0
/// to 1, says how much one pixel tells of another.
pub(super) fn smooth(
    values: &mut Vec<Vec3>,
    guides: &[Guide],
    size: Size,
    passes: u32,
    likeness: impl Fn(&Guide, &Guide) -> f32 + Sync,
) {
    let Size { width, height } = size;
    for pass in 0..passes {
        let step = 1i64 << pass;
        let source = &*values;
        let blurred = (0..width * height)
            .into_par_iter()
            .map(|index| {
                let (x, y) = ((index % width) as i64, (index / width) as i64);
                let here = &guides[index];
                let (mut sum, mut total) = (Vec3::ZERO, 0.0);
                for (j, row_share) in (-2..=2).zip(KERNEL) {
                    for (i, share) in (-2..=2).zip(KERNEL) {
                        let (x, y) = (x + i * step, y + j * step);
                        if x < 0 || y < 0 || x >= width as i64 || y >= height as i64 {
                            continue;
                        }
                        let other = y as usize * width + x as usize;
                        let weight = row_share * share * likeness(here, &guides[other]).max(1e-6);
                        sum += weight * source[other];
                        total += weight;
                    }
                }
                sum / total
            })
            .collect();
        *values = blurred;
    }
}

const KERNEL: [f32; 5] = [1.0 / 16.0, 1.0 / 4.0, 3.0 / 8.0, 1.0 / 4.0, 1.0 / 16.0];

/// 1 on the same plane, less where the other point leaves it or faces elsewhere.
pub(super) fn same_surface(here: &Guide, other: &Guide) -> f32 {
    let facing = here.normal.dot(other.normal).max(0.0);
    let away = (other.place - here.place).dot(here.normal).abs() / (0.01 * here.depth + 1e-6);
    facing.powi(16) / (1.0 + away * away)
}

/// 1 at the same distance from the eye, less nearer or farther.
pub(super) fn same_depth(here: &Guide, other: &Guide) -> f32 {
    let apart = (other.depth - here.depth) / (0.15 * here.depth.min(other.depth) + 1e-6);
    1.0 / (1.0 + apart * apart)
}
