//! Picking: a teapot moves across the window while clicks follow a path; for each click, prints
//! whether it hit the teapot, and where: `cargo run --features examples -p estoc --example
//! pick_teapot`.
//!
//! The mesh itself is never transformed. A box that rotates with the teapot rejects most misses
//! before any triangle is tested; for the others the ray is transformed into the teapot's
//! space.

use estoc::demo::DemoSpec;
use estoc::glam::{EulerRot, Mat4, Quat, Vec3};
use estoc::{
    Bvh, Camera, Obb, RayQuery,
    camera::{FieldOfView, Viewport},
};
use std::error::Error;

/// In pixels, one per frame.
const CLICKS: [[f32; 2]; 12] = [
    [180.0, 320.0],
    [306.0, 266.0],
    [250.0, 252.0],
    [350.0, 350.0],
    [305.0, 327.0],
    [399.0, 278.0],
    [300.0, 200.0],
    [440.0, 296.0],
    [604.0, 269.0],
    [630.0, 250.0],
    [700.0, 150.0],
    [575.0, 236.0],
];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let teapot = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&teapot);
    let camera = Camera::look_at(
        Viewport::new(800.0, 600.0),
        [0.0, 1.2, 6.0],
        [0.0, 0.4, 0.0],
        [0.0, 1.0, 0.0],
        FieldOfView::VerticalRadians(40f32.to_radians()),
    )?;

    let mut picked = 0;
    for (frame, pixel) in CLICKS.into_iter().enumerate() {
        let model = teapot_at(frame as f32 / CLICKS.len() as f32);
        print!("frame {frame:2}, click at {:3}, {}: ", pixel[0], pixel[1]);
        let around = Obb::from_model(&teapot.bounds(), &model)?;
        if around.enter_solid(&camera.ray(pixel)).is_none() {
            println!("missed, and so is the box around it");
            continue;
        }
        let Some(hit) = bvh.closest_hit(&camera.object_ray(pixel, &model)?) else {
            println!("missed, though the ray enters the box around it");
            continue;
        };
        picked += 1;
        let place = teapot.details(&hit).ok_or("hits have details")?;
        let marker = model.transform_point3(place.point);
        println!(
            "picked triangle {}, {} {} of {}; a marker stands at {marker:.3}",
            hit.prim,
            place.object.unwrap_or("no object"),
            place.group.unwrap_or("without group"),
            place.material.map_or("nothing", |material| &material.name),
        );
    }
    println!("{picked} of {} clicks picked the teapot", CLICKS.len());
    Ok(())
}

/// Moves from left to right, rotating and growing.
fn teapot_at(time: f32) -> Mat4 {
    let turn = Quat::from_euler(EulerRot::YXZ, 4.0 * time, 0.3, 0.2 * (9.0 * time).sin());
    let size = Vec3::splat(0.7 + 0.4 * time);
    let place = Vec3::new(3.2 * time - 1.6, 0.1 * (12.0 * time).sin(), 0.0);
    Mat4::from_scale_rotation_translation(size, turn, place)
}
