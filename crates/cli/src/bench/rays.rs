//! Rays of each kind for a mesh, of which the camera's depend on how pictures are made.

use crate::failure::Failure;
use estoc::glam::{DVec3, Vec3};
use estoc::{Batch, Bvh, Mesh, Ray};
use estoc_demo::ray_kinds::{Frame, RayMaker, TILE, pixels_in_tiles};
use estoc_picture::{PictureError, Size, View};

/// Returns the side of the smallest picture of at least `count` pixels, in whole tiles.
pub(super) fn side_for(count: u32) -> usize {
    let tiles = (1..).find(|tiles| (tiles * TILE).pow(2) >= count as usize);
    tiles.unwrap_or(1) * TILE
}

/// Prepares rays of each kind from the primary rays of a picture with this side.
pub(super) fn maker(mesh: &Mesh, bvh: &Bvh, view: &View, side: usize) -> Result<RayMaker, Failure> {
    let frame = Frame::of(mesh);
    let rays = primary(view, side)?;
    let normal = |hit: estoc::Hit| {
        let [a, b, c] = mesh.triangle(hit.prim)?.corners().map(Vec3::as_dvec3);
        Some((hit.t, (b - a).cross(c - a).normalize_or(DVec3::Z)))
    };
    let hits = Batch::new()
        .closest_hits(bvh, &rays)?
        .into_iter()
        .map(|hit| normal(hit?));
    let light = light(&frame, view);
    Ok(RayMaker::new(frame, frame.diagonal(), light, rays, hits))
}

/// Returns the position of the light: above the mesh and to the side, or near the eye if the eye is
/// inside the box.
fn light(frame: &Frame, view: &View) -> DVec3 {
    let (eye, up) = (view.eye.as_dvec3(), view.up.as_dvec3());
    let Frame { low, size } = *frame;
    let (from, way) = match eye.cmpge(low).all() && eye.cmple(low + size).all() {
        true => (eye, up * 0.05),
        false => {
            let aside = DVec3::new(0.3, 1.0, 0.4).normalize();
            (low + 0.5 * size, aside * 1.5)
        }
    };
    from + way * frame.diagonal()
}

/// Returns the primary rays of a square picture.
fn primary(view: &View, side: usize) -> Result<Vec<Ray>, Failure> {
    let size = Size::try_new(side, side).map_err(|error| Failure::Usage(error.to_string()))?;
    let camera = view.camera(size).map_err(PictureError::from)?;
    let middle = |pixel: [usize; 2]| pixel.map(|place| place as f32 + 0.5);
    let pixels = pixels_in_tiles(side);
    Ok(pixels.map(|pixel| camera.ray(middle(pixel))).collect())
}

#[cfg(test)]
mod tests;
