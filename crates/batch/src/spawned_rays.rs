//! Rays that leave the surface at many hits.

use crate::error::BatchError;
use estoc_core::glam::Vec3;
use estoc_core::{Hit, MeshEngine, QueryOptions, Ray};
use estoc_system::parallel::prelude::*;

/// Fewer rays are not worth waking other threads.
const INLINE_BELOW: usize = 1024;

/// Returns, for each hit, a ray from the hit point in the given direction and the options to cast
/// it with, as [`Hit::spawn_ray`] does for one hit. Serves shadows, reflections and occlusion,
/// without an epsilon. `engine` must be the one that was hit. Runs in the caller's rayon pool.
///
/// For a miss, or a hit of a triangle that the engine does not have, the ray has no direction: it
/// is undefined, hits nothing and is not cast ([`Ray::check`]).
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, batch::spawn_rays, glam::Vec3};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
/// let engine = BruteForce::new([0.0, 1.0].map(sheet));
/// let rays = [0.2, 2.0].map(|x| Ray::new([x, 0.2, 0.5], [0.0, 0.0, -1.0]));
/// let hits = Batch::new().closest_hits(&engine, &rays)?;
/// let (to_light, options) = spawn_rays(&engine, &hits, &[Vec3::Z; 2])?;
/// let shadow = Batch::new().options_each(&options).any_hits(&engine, &to_light)?;
/// assert_eq!(shadow, [true, false]);
/// # Ok::<(), estoc::BatchError>(())
/// ```
///
/// # Errors
/// [`BatchError::Length`] when the number of directions differs from that of the hits.
pub fn spawn_rays<E: MeshEngine + Sync + ?Sized>(
    engine: &E,
    hits: &[Option<Hit>],
    dirs: &[Vec3],
) -> Result<(Vec<Ray>, Vec<QueryOptions>), BatchError> {
    if hits.len() != dirs.len() {
        return Err(BatchError::Length {
            what: "directions",
            rays: hits.len(),
            found: dirs.len(),
        });
    }
    let spawn = |(hit, &dir): (&Option<Hit>, &Vec3)| {
        let found = hit.and_then(|hit| Some((hit, engine.triangle(hit.prim)?)));
        match found {
            Some((hit, triangle)) => hit.spawn_ray(&triangle, dir),
            None => (Ray::new(Vec3::ZERO, Vec3::ZERO), QueryOptions::new()),
        }
    };
    if hits.len() < INLINE_BELOW {
        return Ok(hits.iter().zip(dirs).map(spawn).unzip());
    }
    let (mut rays, mut options) = (Vec::new(), Vec::new());
    (hits.par_iter().zip(dirs).with_min_len(INLINE_BELOW / 4))
        .map(spawn)
        .unzip_into_vecs(&mut rays, &mut options);
    Ok((rays, options))
}
