//! How deep a library's instances may nest, which is decided when it is compiled
//! (`RTC_MAX_INSTANCE_LEVEL_COUNT`).

use super::abi::{self, Arguments, Handle, RayHit};
use super::device::Device;
use super::flush::FlushToZero;
use super::library::Library;
use super::placed::PlacedScene;
use super::settings::{Quality, Settings};
use super::single::{self, theirs};
use crate::ray::Ray;
use crate::scenes;
use crate::worlds::Placing;
use estoc::Mesh;
use std::sync::Arc;

/// The deepest nesting that is tried.
const DEEPEST: usize = 4;

/// The answer of a library with more levels than `abi` declares is longer.
#[repr(C, align(16))]
struct Longer {
    both: RayHit,
    _more: [u32; 64],
}

/// Returns the number of levels at which a ray finds a triangle in scenes placed in scenes; at most
/// [`DEEPEST`].
pub(super) fn levels(library: &Arc<Library>) -> Result<usize, String> {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::try_new(corners, [[0, 1, 2]]).expect("finite corners");
    let mesh = scenes::Scene::of_mesh("triangle", &mesh).expect("valid");
    let settings = Settings::of(Quality::Medium);
    let _flush = FlushToZero::on();
    let device = Device::open(library, settings, 1)?;
    let bottom = device.scene(settings)?;
    // SAFETY: the scene is alive, and not used any more when the mesh is dropped.
    unsafe {
        device.attach_mesh(bottom, &mesh)?;
        (library.commit_scene)(bottom);
    }
    let place = Placing {
        object: 0,
        matrix: [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
    };
    let mut nested: Vec<PlacedScene> = Vec::new();
    for _ in 0..DEEPEST {
        let below = nested.last().map_or(bottom, PlacedScene::handle);
        let mut scene = PlacedScene::new(&device, settings, &[below], &[place])?;
        scene.commit(&device);
        nested.push(scene);
    }
    let found = nested
        .iter()
        .take_while(|scene| is_hit(library, scene.handle()));
    let found = found.count();
    for scene in nested.into_iter().rev() {
        scene.release(&device);
    }
    // SAFETY: the handle is alive and ours, and is used no more.
    unsafe { (library.release_scene)(bottom) };
    Ok(found)
}

fn is_hit(library: &Library, scene: Handle) -> bool {
    let ray = Ray {
        origin: [0.0, 0.0, -1.0],
        t_max: f32::INFINITY,
        dir: [0.0, 0.0, 1.0],
    };
    let mut longer = Longer {
        both: RayHit {
            ray: theirs(&ray),
            hit: single::NO_HIT,
        },
        _more: [abi::INVALID; 64],
    };
    let mut arguments = Arguments::new(abi::INCOHERENT);
    let both: *mut Longer = &raw mut longer;
    // SAFETY: the scene is committed and alive; the other two are exclusive, aligned and laid out as
    // the header says, with room for the numbers of more levels.
    unsafe { (library.intersect1)(scene, both.cast(), &raw mut arguments) };
    longer.both.hit.geometry != abi::INVALID
}
