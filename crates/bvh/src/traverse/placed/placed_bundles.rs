//! Bundles of rays at placed meshes, one after the other: their answers, and what they reuse.

use super::found_lanes::Found;
use super::placed_bundle::{MeshRoom, PlacedBundle, WorldRoom};
use super::placed_hit::{FirstPlaced, first_placed};
use super::placed_object::PlacedObjects;
use super::placed_walk::PlacedSkip;
use super::world_lanes::WorldLanes;
use crate::traverse::bundle::LANES;
use crate::traverse::bundle::bundle_leaf::BundleProgress;
use crate::traverse::bundle::bundle_trial::Trial;
use crate::traverse::bundle::bundle_walk::{Shared, Stack, walk};
use crate::traverse::bundle::ray_bundle::Bundle;
use crate::traverse::bundle::ray_lanes::RayLanes;
use crate::traverse::bundle::ray_window::NumberedRay;
use crate::traverse::for_many;
use crate::traverse::mapped::LARGE;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::ItemTree;
use arrayvec::ArrayVec;
use estoc_core::ScenePath;
use fearless_simd::{Level, Simd};

/// What traversals of bundles at placed meshes reuse, and what recent ones had in common.
pub struct PlacedBundles<'r> {
    bundle: Bundle<'r>,
    world: WorldLanes,
    stack: Stack,
    mesh: MeshRoom,
    inner: WorldRoom,
    found: Found,
    trial: Trial,
    /// Whether kernels are fit for the tree's frame.
    pub(crate) is_fit: bool,
}

impl<'r> PlacedBundles<'r> {
    /// Returns them on the heap: they are too large for the stacks of some threads.
    pub fn new() -> Box<Self> {
        Box::new(PlacedBundles {
            bundle: Bundle::new(),
            world: WorldLanes::new(),
            stack: Stack::new(),
            mesh: MeshRoom {
                lanes: RayLanes::new(),
                stack: Stack::new(),
                progress: BundleProgress::new(),
                shared: Shared::default(),
            },
            inner: WorldRoom {
                lanes: RayLanes::new(),
                world: WorldLanes::new(),
                stack: Stack::new(),
                found: Found::new(),
            },
            found: Found::new(),
            trial: Trial::of_placed_meshes(),
            is_fit: true,
        })
    }

    /// Returns whether the next sixteen rays are faster one by one, as recent ones had too little in common.
    pub fn is_alone(&mut self) -> bool {
        let is_alone = self.trial.is_alone();
        if is_alone {
            self.trial.pass(LANES as u32);
        }
        is_alone
    }

    /// Returns the rays of the next bundle, to be filled.
    pub fn rays(&mut self) -> &mut ArrayVec<NumberedRay<'r>, LANES> {
        &mut self.bundle.rays
    }

    /// Returns whether a ray of the last bundle, for any hit, hits something; `None` if that is not certain, or if
    /// there is no such ray.
    pub fn any(&self, lane: usize) -> Option<bool> {
        if lane >= LANES {
            return None;
        }
        let is_hit = self.found.hit >> lane & 1 == 1;
        (is_hit || self.is_certain(lane)).then_some(is_hit)
    }

    fn is_certain(&self, lane: usize) -> bool {
        (self.bundle.ready & !self.found.unsure) >> lane & 1 == 1
    }
}

/// Traverses with the rays of a bundle, of the same octant, until each has some hit.
pub(crate) fn any_bundle(
    of: (&ItemTree, &impl PlacedObjects),
    level: Level,
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'_>,
) {
    let _ = for_many!(level, simd => trace(simd, Any, of, skips, bundles));
}

/// Traverses with the rays of a bundle, of the same octant. Passes on each with its first hit; with `None` if
/// that is not certain.
pub(crate) fn closest_bundle<'r>(
    (tree, items): (&ItemTree, &impl PlacedObjects),
    level: Level,
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'r>,
    answer: &mut dyn FnMut(NumberedRay<'r>, Option<Option<FirstPlaced>>),
) {
    let done = for_many!(level, simd => {
        trace(simd, Closest, (tree, items), skips, bundles);
        for (lane, of) in bundles.bundle.rays.iter().enumerate() {
            let first = match (bundles.is_certain(lane), &bundles.found.best[lane]) {
                (false, _) => None,
                (true, None) => Some(None),
                (true, Some(best)) => {
                    let world = bundles.world.ray(simd, lane);
                    first_placed(simd, items, &world, best, &bundles.found.inner[lane]).map(Some)
                }
            };
            answer(*of, first);
        }
    });
    if done.is_none() {
        bundles.bundle.rays.iter().for_each(|&of| answer(of, None));
    }
}

#[inline(always)]
fn trace<S: Simd, W: Wanted, I: PlacedObjects>(
    simd: S,
    wanted: W,
    (tree, items): (&ItemTree, &I),
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'_>,
) {
    let PlacedBundles {
        bundle,
        world,
        stack,
        mesh,
        inner,
        found,
        trial,
        is_fit,
    } = bundles;
    found.begin(&[0.0; LANES]);
    if !*is_fit || tree.nodes.is_empty() || bundle.rays.is_empty() {
        bundle.ready = 0;
        return;
    }
    let raw = bundle.prepare(simd, &tree.measures);
    if bundle.ready == 0 {
        return;
    }
    world.set(raw, &tree.measures);
    found.begin(&world.t_max);
    mesh.shared = Shared::default();
    let mut visitor = PlacedBundle {
        wanted,
        tree,
        items,
        is_large: tree.nodes.len() >= LARGE,
        skips,
        skips_any: skips.iter().any(Option::is_some),
        world,
        path: ScenePath::ROOT,
        outer: None,
        mesh,
        inner: Some(inner),
        found,
    };
    let lanes = (&mut bundle.lanes, bundle.ready);
    let shared = walk(simd, Closest, &tree.nodes, lanes, stack, &mut visitor);
    trial.take(shared.and(mesh.shared));
}
