//! Which of several moving objects does a click hit? `cargo run --features examples -p estoc --example
//! pick_moving`.
//!
//! Objects are moved before each picture. `commit` refits the tree over them and copies no mesh; the
//! click is answered for the world as it is then.

use estoc::camera::{FieldOfView, Viewport};
use estoc::demo::DemoSpec;
use estoc::glam::{DAffine3, DQuat, DVec3};
use estoc::scene::{Placement, PlacementMatrix, Scene};
use estoc::{Bvh, Camera, RayQuery};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for (name, demo) in [
        ("teapot", "teapot"),
        ("ball", "sphere?n=2000"),
        ("box", "box"),
    ] {
        let bvh = Bvh::build(&demo.parse::<DemoSpec>()?.mesh());
        // In the middle of its own space, and of size 2.
        let (min, max) = (bvh.bounds().min().as_dvec3(), bvh.bounds().max().as_dvec3());
        let fit = DAffine3::from_scale(DVec3::splat(2.0 / (max - min).max_element()))
            * DAffine3::from_translation((min + max) * -0.5);
        ids.push((scene.add(Placement::try_new(bvh, &fit)?.name(name))?, fit));
    }
    let camera = Camera::look_at(
        Viewport::new(640.0, 480.0),
        [0.0, -12.0, 0.0],
        [0.0; 3],
        [0.0, 0.0, 1.0],
        FieldOfView::vertical_degrees(40.0),
    )?;
    for step in 0..4 {
        // On a circle seen from the side, a third of it apart.
        for (place, (id, fit)) in ids.iter().enumerate() {
            let angle = f64::from(step) * 0.5 + place as f64 * (std::f64::consts::TAU / 3.0);
            let at = DVec3::new(angle.cos() * 3.0, angle.sin() * 3.0, 0.0);
            let map = DAffine3::from_rotation_translation(DQuat::from_rotation_z(angle), at) * *fit;
            scene.set_matrix(*id, PlacementMatrix::try_new(&map)?)?;
        }
        let world = scene.commit();
        let picked = world.closest_hit(&camera.ray([320.0, 240.0]));
        let name = picked.and_then(|hit| world.details(&hit)?.placement.get_name());
        println!("step {step}: {}", name.unwrap_or("nothing"));
    }
    Ok(())
}
