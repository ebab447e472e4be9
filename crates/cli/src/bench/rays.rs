//! Rays of each kind for a mesh, of which the camera's depend on how pictures are made.

use crate::failure::Failure;
use estoc::glam::{DVec3, Vec3};
use estoc::{Batch, Bvh, Mesh, Ray};
pub(super) use estoc_demo::ray_kinds::side_for;
use estoc_demo::ray_kinds::{Frame, RayMaker, pixels_in_tiles};
use estoc_picture::{PictureError, Size, View};

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
mod tests {
    use super::*;
    use crate::bench::fingerprint;
    use estoc::RayQuery;
    use estoc::demo::DemoSpec;
    use estoc::scene::SceneSnapshot;
    use estoc_demo::ray_kinds::RayKind as Kind;
    use estoc_picture::{Target, ViewOptions};
    use std::sync::Arc;

    const SIDE: usize = 32;

    fn view_of(mesh: &Mesh, bvh: &Arc<Bvh>) -> View {
        let size = Size::try_new(SIDE, SIDE).unwrap();
        let world = SceneSnapshot::of_mesh(bvh.clone()).unwrap();
        let target = Target::mesh(&world, mesh);
        ViewOptions::new().view_as_given(target, size).unwrap()
    }

    fn rays_of(mesh: &Mesh) -> (Arc<Bvh>, Vec<(Kind, Vec<Ray>)>) {
        let bvh = Arc::new(Bvh::build(mesh));
        let view = view_of(mesh, &bvh);
        let maker = maker(mesh, &bvh, &view, SIDE).unwrap();
        let make = |kind: Kind| (kind, maker.rays(kind, SIDE * SIDE));
        let rays = Kind::ALL.into_iter().map(make).collect();
        (bvh, rays)
    }

    fn scene(name: &str) -> Mesh {
        name.parse::<DemoSpec>().unwrap().mesh()
    }

    #[test]
    fn pictures_have_as_many_pixels_as_are_asked_for() {
        let sides = [1, 256, 257, 1 << 18, 1 << 26].map(side_for);
        assert_eq!(sides, [16, 16, 32, 512, 8192]);
    }

    #[test]
    fn every_pixel_has_one_primary_ray_and_neighbours_are_near() {
        let mesh = scene("sphere?n=200");
        let view = view_of(&mesh, &Arc::new(Bvh::build(&mesh)));
        let rays = primary(&view, 48).unwrap();
        let camera = view.camera(Size::try_new(48, 48).unwrap()).unwrap();
        let mut dirs: Vec<_> = rays
            .iter()
            .map(|ray| ray.dir.to_array().map(f32::to_bits))
            .collect();
        let all =
            (0..48u8).flat_map(|x| (0..48u8).map(move |y| [x, y].map(|i| f32::from(i) + 0.5)));
        let mut pixels: Vec<_> = all
            .map(|p| camera.ray(p).dir.to_array().map(f32::to_bits))
            .collect();
        dirs.sort_unstable();
        pixels.sort_unstable();
        assert_eq!(dirs, pixels);
        let near = |pair: &[Ray]| (pair[0].dir - pair[1].dir).length() < 0.3;
        assert!(rays.chunks(16).all(|block| near(&[block[0], block[15]])));
    }

    #[test]
    fn each_kind_does_what_it_says() {
        for name in ["sphere?n=2000", "hall?n=1", "terrain?n=2000", "soup?n=2000"] {
            let mesh = scene(name);
            let (bvh, all) = rays_of(&mesh);
            for (kind, rays) in all {
                assert_eq!(rays.len(), SIDE * SIDE, "{name}, {kind:?}");
                assert!(
                    rays.iter().all(|ray| ray.check().is_ok()),
                    "{name}, {kind:?}"
                );
                let hits = rays.iter().filter(|ray| bvh.any_hit(ray)).count();
                // Nothing blocks rays that leave a sphere.
                let (least, most) = match (name, kind) {
                    ("sphere?n=2000", Kind::Diffuse | Kind::Ao) => (0, SIDE * SIDE / 20),
                    ("sphere?n=2000", Kind::Shadow) => (SIDE, SIDE * SIDE - SIDE),
                    // Terrain and loose triangles block few rays, a hall nearly all.
                    ("hall?n=1", Kind::Diffuse | Kind::Primary) => {
                        (SIDE * SIDE * 4 / 5, SIDE * SIDE)
                    }
                    (_, Kind::Primary | Kind::Random | Kind::RandomAny) => (SIDE, SIDE * SIDE),
                    _ => (0, SIDE * SIDE),
                };
                assert!(
                    (least..=most).contains(&hits),
                    "{name}, {kind:?}: {hits} hits"
                );
            }
        }
    }

    #[test]
    fn meshes_of_any_size_have_rays_that_can_be_cast() {
        let small = scene("soup?n=200");
        for size in [1e-38, 1e-20, 1e20, 6e37f32] {
            let corners = small
                .positions()
                .iter()
                .map(|p| p.to_array().map(|x| x * size));
            let mesh = Mesh::try_new(corners.collect::<Vec<_>>(), small.indices().iter().copied())
                .unwrap();
            let (bvh, all) = rays_of(&mesh);
            for (kind, rays) in all {
                let sound = rays.iter().filter(|ray| ray.check().is_ok()).count();
                assert_eq!(sound, SIDE * SIDE, "{size}, {kind:?}");
                if kind == Kind::Random {
                    assert!(rays.iter().any(|ray| bvh.any_hit(ray)), "{size}");
                }
            }
        }
    }

    #[test]
    fn where_nothing_is_seen_only_the_rays_from_there_are_missing() {
        let (_, all) = rays_of(&Mesh::default());
        for (kind, rays) in all {
            let expected = match kind {
                Kind::Primary | Kind::Random | Kind::RandomAny => SIDE * SIDE,
                Kind::Diffuse | Kind::Shadow | Kind::Ao => 0,
            };
            assert_eq!(rays.len(), expected, "{kind:?}");
        }
    }

    #[test]
    fn rays_are_always_the_same() {
        let mesh = scene("teapot?n=1");
        let prints = |mesh| {
            rays_of(mesh)
                .1
                .into_iter()
                .map(|(_, rays)| fingerprint::of_rays(&rays))
        };
        let one: Vec<String> = prints(&mesh).collect();
        assert_eq!(one, prints(&mesh).collect::<Vec<_>>());
        // Both random kinds have the same rays; all others differ.
        let mut distinct = one.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 5, "{one:?}");
    }
}
