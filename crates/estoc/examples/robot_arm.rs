//! A robot arm that turns its joints, and a light barrier that it must not cross: `cargo run --features
//! examples -p estoc --example robot_arm`.
//!
//! Each link is placed by the product of the joints before it. Moving a joint moves all links behind it;
//! `commit` then refits the tree over the links.

use estoc::demo::DemoSpec;
use estoc::glam::{DAffine3, DQuat, DVec3};
use estoc::scene::{Placement, PlacementMatrix, Scene};
use estoc::{Bvh, Ray, RayQuery};
use std::error::Error;
use std::sync::Arc;

const LINKS: usize = 4;

/// Returns where the links are when every joint has turned by an angle: each begins where the one before
/// ends, two units on.
fn places(angle: f64) -> [DAffine3; LINKS] {
    let mut end = DAffine3::IDENTITY;
    std::array::from_fn(|_| {
        end *= DAffine3::from_quat(DQuat::from_rotation_z(-angle));
        let link = end * DAffine3::from_scale(DVec3::new(0.6, 2.0, 0.6));
        end *= DAffine3::from_translation(DVec3::Y * 2.0);
        link
    })
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Of side 1, from its own origin up.
    let link = Arc::new(Bvh::build(&"box".parse::<DemoSpec>()?.mesh()));
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for (number, place) in places(0.0).iter().enumerate() {
        let name = format!("link {number}");
        ids.push(scene.add(Placement::try_new(link.clone(), place)?.name(name))?);
    }
    let barrier = Ray::new([4.5, 3.0, -9.0], [0.0, 0.0, 1.0]);
    let mut first = None;
    for frame in 0..90 {
        for (id, place) in ids.iter().zip(places(f64::from(frame) * 0.01)) {
            scene.set_matrix(*id, PlacementMatrix::try_new(&place)?)?;
        }
        let world = scene.commit();
        if let (None, Some(hit)) = (&first, world.closest_hit(&barrier)) {
            let name = world
                .details(&hit)
                .and_then(|details| details.placement.get_name());
            first = Some((frame, name.unwrap_or("?").to_owned()));
        }
    }
    match first {
        Some((frame, name)) => println!("{name} crosses the barrier in frame {frame}"),
        None => println!("the barrier is not crossed"),
    }
    Ok(())
}
