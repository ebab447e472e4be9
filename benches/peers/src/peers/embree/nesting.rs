//! How deep a library's instances may nest, which is decided when it is compiled
//! (`RTC_MAX_INSTANCE_LEVEL_COUNT`).

use super::MEDIUM;
use super::abi::{self, Arguments, Handle, RayHit};
use super::flush::FlushToZero;
use super::library::Library;
use super::structure::Structure;
use crate::ray::Ray;
use crate::scenes;
use crate::worlds::{Changing, Placing};
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
    let mesh = Arc::new(scenes::Scene::of_mesh("triangle", &mesh).expect("valid"));
    let mut nested = Structure::of_meshes(library, MEDIUM, &[mesh], 1)?;
    for depth in 0..DEEPEST {
        nested.place(&[Placing::by_identity(0)])?;
        nested.commit();
        if !is_hit(library, nested.handle()) {
            return Ok(depth);
        }
    }
    Ok(DEEPEST)
}

fn is_hit(library: &Library, scene: Handle) -> bool {
    let ray = Ray {
        origin: [0.0, 0.0, -1.0],
        t_max: f32::INFINITY,
        dir: [0.0, 0.0, 1.0],
    };
    let mut longer = Longer {
        both: RayHit::from(&ray),
        _more: [abi::INVALID; 64],
    };
    let mut arguments = Arguments::new(abi::RAY_QUERY_FLAG_INCOHERENT);
    let both: *mut Longer = &raw mut longer;
    let _flush = FlushToZero::on();
    // SAFETY: the scene is committed and alive; the other two are exclusive, aligned and laid out as
    // the header says, with room for the numbers of more levels.
    unsafe { (library.intersect1)(scene, both.cast(), &raw mut arguments) };
    longer.both.hit.geometry != abi::INVALID
}
