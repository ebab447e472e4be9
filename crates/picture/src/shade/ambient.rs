//! Ambient occlusion: how much of the sky a point sees, up to a distance.
//!
//! Rays leave the point with a density proportional to the cosine. The sky is a little brighter
//! above, so that open surfaces also show their shape.

use super::sobol::Sobol;
use super::survey::Survey;
use super::{Look, Shader, Sight, SkyRay, SkyRays, backdrop};
use estoc::glam::Vec3;

/// Camera rays per sample.
const LOOKS: u32 = 4;
/// Rays towards the sky per camera ray.
pub(super) const RAYS: u32 = 4;
/// The distance up to which obstacles count, as a share of the median distance of what is seen.
const REACH: f32 = 0.3;
const CLAY: Vec3 = Vec3::new(0.96, 0.95, 0.935);

pub(super) struct AmbientShader {
    reach: f32,
    up: Vec3,
}

impl AmbientShader {
    pub(super) fn new(distances: &Survey, up: Vec3) -> Self {
        AmbientShader {
            up,
            reach: REACH * distances.quantile(0.5),
        }
    }
}

impl Shader for AmbientShader {
    fn light(&self, seen: &Sight<'_>, sky: &[SkyRay]) -> Option<Vec3> {
        seen.hit?;
        if sky.is_empty() {
            return Some(CLAY);
        }
        let open = sky.iter().filter(|ray| !ray.is_blocked);
        let bright = open.map(|ray| 0.7 + 0.3 * ray.dir.dot(self.up));
        // Not `sum`, which begins with -0.
        let open = bright.fold(0.0, |open, bright| open + bright);
        Some(open / RAYS as f32 * CLAY)
    }

    fn backdrop(&self, look: &Look) -> Vec3 {
        backdrop(look).map(f32::sqrt)
    }

    fn sky_rays(&self, seen: &Sight<'_>, rays: &mut SkyRays) {
        let &Sight { scene, look, hit } = seen;
        let (Some(hit), Some((normal, _))) = (hit, seen.facing_normal()) else {
            return;
        };
        let points = Sobol::new(look.pixel);
        for k in 0..RAYS {
            let dir = above(normal, points.point(look.number * RAYS + k));
            let Some(ray) = scene.target.leave(&look.ray, hit, dir) else {
                return;
            };
            rays.push(ray.with_interval(ray.t_min, self.reach), hit.id());
        }
    }

    /// Returns [`LOOKS`]: edges need many camera rays per pixel, each with few rays towards the
    /// sky.
    fn looks_per_sample(&self) -> u32 {
        LOOKS
    }

    /// Squares the mean share of the sky: perceived brightness is about the square root of light.
    fn develop(&self, share: Vec3) -> Vec3 {
        share * share
    }
}

/// Returns a direction above the surface with a density proportional to the cosine to the normal.
/// Maps a point of the square to the disc below (Shirley and Chiu 1997), which keeps neighbours
/// together.
fn above(normal: Vec3, [x, y]: [f32; 2]) -> Vec3 {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};
    let (a, b) = (2.0 * x - 1.0, 2.0 * y - 1.0);
    let (radius, angle) = if a.abs() > b.abs() {
        (a, FRAC_PI_4 * (b / a))
    } else if b != 0.0 {
        (b, FRAC_PI_2 - FRAC_PI_4 * (a / b))
    } else {
        (0.0, 0.0)
    };
    let (right, ahead) = across(normal);
    let level = right * (radius * libm::cosf(angle)) + ahead * (radius * libm::sinf(angle));
    let height = (1.0 - radius * radius).max(0.0).sqrt();
    (level + normal * height).normalize_or(normal)
}

/// Returns two directions at right angles to a normal and to each other (Duff et al. 2017,
/// "Building an Orthonormal Basis, Revisited").
fn across(n: Vec3) -> (Vec3, Vec3) {
    let sign = 1.0f32.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (
        Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vec3::new(b, sign + n.y * n.y * a, -n.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_lie_above_the_surface_and_follow_the_cosine() {
        for normal in [Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::new(0.6, -0.48, 0.64)] {
            let points = Sobol::new(7);
            let count = 1024;
            let heights: Vec<f32> = (0..count)
                .map(|i| {
                    let dir = above(normal, points.point(i));
                    assert!((dir.length() - 1.0).abs() < 1e-6);
                    dir.dot(normal)
                })
                .collect();
            assert!(heights.iter().all(|height| *height >= -1e-6));
            // The mean cosine of directions with cosine density is two thirds.
            let mean = heights.iter().sum::<f32>() / count as f32;
            assert!((mean - 2.0 / 3.0).abs() < 1e-3, "{normal}: {mean}");
        }
    }
}
