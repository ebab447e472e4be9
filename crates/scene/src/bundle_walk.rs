//! Traversal of a scene with up to sixteen rays that share it.
//!
//! The rays are mapped to the spaces of placements together, and traverse the trees of scenes and meshes
//! together, by the same bounds as single rays (`walk.rs`). A ray that is unfit for that goes on alone
//! from where that is found, and so do all rays at shapes.

use crate::inverse::Inverse;
use crate::mesh_sink::{MeshSink, counts, skipped};
use crate::placement_chain::PlacementChain;
use crate::snapshot::{SceneObject, SceneSnapshot};
use crate::walk::{SceneSink, Walk, error_of_composing};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_bvh::object_space::{
    BundleItemSink, BundleState, BundleTriangleSink, ItemSink, LANES, MappedRay, MappedRays,
    PlacedBundles, RayWindow, TriangleSink,
};
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, HitRule, PlacedPrimitive, PrimId, Queue, Technique, TechniqueCounts, Triangle, Want,
    WorldLine,
};

/// Fewer rays go alone.
const FEWEST: usize = 4;

/// At most this many rays enter a placement alone.
const FEW: u32 = 2;

type BundleRays<'r> = ArrayVec<(usize, PreparedRay<'r>), LANES>;

/// Traverses with all rays of a queue, sixteen at a time where that pays.
pub(crate) fn visit_in_bundles(
    scene: &SceneSnapshot,
    bytes: usize,
    queue: &mut Queue<'_, PlacedPrimitive>,
) -> TechniqueCounts {
    if scene.are_meshes() {
        return visit_placed_in_bundles(scene, None, queue);
    }
    let mut state = BundleState::new(bytes);
    let (mut bundled, mut alone) = (0, 0);
    let mut window = RayWindow::of(None);
    let mut rays = BundleRays::new();
    let mut collectors = ArrayVec::<_, LANES>::new();
    loop {
        rays.clear();
        let is_alone = state.is_alone();
        if is_alone {
            rays.extend(window.alone(queue).take(LANES));
        } else {
            window.next(queue, &mut rays);
        }
        if rays.is_empty() {
            return TechniqueCounts::of(Technique::Bundles, bundled)
                + TechniqueCounts::of(Technique::OneByOne, alone);
        }
        if is_alone || rays.len() < FEWEST {
            alone += rays.len();
            for &(place, ray) in &rays {
                trace_single(scene, queue, place, ray);
            }
            continue;
        }
        // In place: they are large.
        collectors.clear();
        for &(place, ray) in &rays {
            collectors.push(queue.collector(place, ray));
        }
        state.begin();
        let mut bundle = SceneBundle {
            rays: &rays,
            collectors: &mut collectors,
        };
        let unfit = bundle.world(scene, &mut state);
        state.end();
        (bundled, alone) = (bundled + rays.len() - unfit, alone + unfit);
        for (collector, &(place, _)) in collectors.iter_mut().zip(&rays) {
            queue.finish(place, collector);
        }
    }
}

/// Traverses with all rays of a queue in tiles of similar ones, where that is possible.
pub(crate) fn visit_in_tiles(
    scene: &SceneSnapshot,
    bytes: usize,
    queue: &mut Queue<'_, PlacedPrimitive>,
) -> TechniqueCounts {
    let mut left = Vec::new();
    let matrices = &|path| Some(*scene.last_placement(path, |_| {})?.matrix());
    let tiled = match scene.are_meshes() {
        true => scene.world.visit_in_tiles(matrices, queue, &mut left),
        false => None,
    };
    match tiled {
        None => visit_in_bundles(scene, bytes, queue),
        Some(tiled) if left.is_empty() => tiled,
        Some(tiled) => tiled + visit_placed_in_bundles(scene, Some(&left), queue),
    }
}

/// Does the same as [`visit_in_bundles`] for a scene of placed meshes, whose kernels leave few rays open, with these
/// rays if any are given.
fn visit_placed_in_bundles<'r>(
    scene: &SceneSnapshot,
    given: Option<&[(usize, PreparedRay<'r>)]>,
    queue: &mut Queue<'r, PlacedPrimitive>,
) -> TechniqueCounts {
    let mut bundles = PlacedBundles::new();
    let (mut bundled, mut alone) = (0, 0);
    let mut window = RayWindow::of(given);
    loop {
        let is_alone = bundles.is_alone();
        let rays = bundles.rays();
        rays.clear();
        let is_fit = match is_alone {
            true => {
                rays.extend(window.alone(queue).take(LANES));
                false
            }
            false => window.next(queue, rays) == Some(true),
        };
        let count = rays.len();
        if count == 0 {
            return TechniqueCounts::of(Technique::Bundles, bundled)
                + TechniqueCounts::of(Technique::OneByOne, alone);
        }
        if !is_fit || count < FEWEST {
            alone += count;
            for &(place, ray) in rays.iter() {
                trace_single(scene, queue, place, ray);
            }
            continue;
        }
        bundled += count;
        let mut ids = [None; LANES];
        for (to, &(place, _)) in ids.iter_mut().zip(rays.iter()) {
            if let HitRule::EveryBut(skip) = queue.hit_rule(place) {
                *to = Some(skip);
            }
        }
        let skips = ids.each_ref().map(|id| id.as_ref().and_then(skipped));
        if queue.want() == Want::First {
            let answer = &mut |(place, ray): (usize, PreparedRay<'r>), found: Option<_>| match found
            {
                Some(found) => queue.certified(place, scene.first_of(ray.ray(), found)),
                None => trace_single(scene, queue, place, ray),
            };
            scene.world.closest_bundle(&skips, &mut bundles, answer);
            continue;
        }
        scene.world.any_bundle(&skips, &mut bundles);
        for lane in 0..count {
            let known = bundles.any(lane);
            let (place, ray) = bundles.rays()[lane];
            match known {
                Some(is_hit) => queue.counted(place, usize::from(is_hit)),
                None => trace_single(scene, queue, place, ray),
            }
        }
    }
}

/// Completes one ray.
fn trace_single<'r>(
    scene: &SceneSnapshot,
    queue: &mut Queue<'r, PlacedPrimitive>,
    place: usize,
    ray: PreparedRay<'r>,
) {
    if scene.are_meshes() && queue.complete_by_single_call(scene, place, &ray) {
        return;
    }
    let mut collector = queue.collector(place, ray);
    single(&ray, &mut collector).world(scene);
    queue.finish(place, &mut collector);
}

/// Returns the walk of one ray.
fn single<'a, 'r>(
    ray: &'a PreparedRay<'r>,
    collector: &'a mut Collector<'r, PlacedPrimitive>,
) -> Walk<'a, Collector<'r, PlacedPrimitive>> {
    Walk {
        line: WorldLine::of(ray),
        t_min: ray.t_min(),
        ray: Some(ray),
        sink: collector,
    }
}

/// Rays on their way through a scene.
struct SceneBundle<'a, 'r> {
    rays: &'a [(usize, PreparedRay<'r>)],
    collectors: &'a mut [Collector<'r, PlacedPrimitive>],
}

impl<'r> SceneBundle<'_, 'r> {
    /// Traverses with all of them. Returns the number of those that were unfit to share that.
    fn world(&mut self, scene: &SceneSnapshot, state: &mut BundleState) -> usize {
        let mut mapped = MappedRays::NONE;
        let (mut lanes, mut unfit) = (0, 0);
        for (lane, (_, ray)) in self.rays.iter().enumerate() {
            let WorldLine { origin, dir } = WorldLine::of(ray);
            let fits = mapped.set(
                lane,
                &MappedRay {
                    origin,
                    dir,
                    origin_error: 0.0,
                    dir_error: 0.0,
                    start: 0.0,
                    t_min: ray.t_min(),
                },
            );
            state.t_limit[lane] = self.collectors[lane].t_limit();
            match fits {
                true => lanes |= 1 << lane,
                false => unfit |= 1 << lane,
            }
        }
        let mut sink = BundleSink {
            bundle: self,
            scene,
            chain: None,
            rays: &mapped,
        };
        unfit |= scene
            .world
            .tree
            .visit_bundled((&mapped, lanes), state, &mut sink);
        state.traverse_alone(unfit);
        each(unfit, |lane| {
            let (_, ray) = &self.rays[lane];
            single(ray, &mut self.collectors[lane]).world(scene);
        });
        unfit.count_ones() as usize
    }

    /// Calls `go` with the walk of each of these rays.
    fn one_by_one(
        &mut self,
        lanes: u32,
        state: &mut BundleState,
        mut go: impl FnMut(usize, &mut Walk<'_, Collector<'r, PlacedPrimitive>>) -> Option<f64>,
    ) {
        each(lanes, |lane| {
            let (_, ray) = &self.rays[lane];
            let visited = go(lane, &mut single(ray, &mut self.collectors[lane]));
            state.record(lane, visited);
        });
    }
}

/// Calls `go` with the number of each bit.
fn each(mut bits: u32, mut go: impl FnMut(usize)) {
    while bits != 0 {
        go(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Goes on with the placements of a scene.
struct BundleSink<'w, 'a, 'r> {
    bundle: &'w mut SceneBundle<'a, 'r>,
    scene: &'w SceneSnapshot,
    /// `None` for the world itself.
    chain: Option<&'w PlacementChain<'w>>,
    rays: &'w MappedRays,
}

impl BundleItemSink for BundleSink<'_, '_, '_> {
    fn prefetch(&self, item: u32) {
        self.scene.world.items.prefetch(item);
    }

    fn enter(&mut self, item: u32, lanes: u32, entry: &[f64; LANES], state: &mut BundleState) {
        let (scene, chain, rays) = (self.scene, self.chain, self.rays);
        let alone = |bundle: &mut SceneBundle<'_, '_>, lanes: u32, state: &mut BundleState| {
            state.traverse_alone(lanes);
            bundle.one_by_one(lanes, state, |lane, walk| {
                let mut sink = SceneSink {
                    walk,
                    scene,
                    chain,
                    ray: Some(&rays.get(lane)),
                };
                sink.enter(item, entry[lane])
            });
        };
        if lanes.count_ones() <= FEW {
            return alone(self.bundle, lanes, state);
        }
        let (placed, placement) = scene.placed_as(item);
        let inner = PlacementChain::to(chain, placed.number(), placement);
        let mut seeing = lanes;
        each(lanes, |lane| {
            seeing &= !(u32::from(!self.bundle.collectors[lane].may_see(inner.mask)) << lane);
        });
        let is_shared = matches!(
            placement.object(),
            SceneObject::Mesh(_) | SceneObject::Scene(_)
        );
        if !is_shared || seeing.count_ones() <= FEW {
            return alone(self.bundle, seeing, state);
        }
        let more = match (chain, placement.object()) {
            (None, SceneObject::Scene(_)) => error_of_composing(placement),
            _ => 0.0,
        };
        let mut from = rays.start;
        for (from, &entry) in from.iter_mut().zip(entry) {
            *from = if entry > *from { entry } else { *from };
        }
        let bundle = &mut *self.bundle;
        let left = state.with_mapped(
            |mapped| {
                let from = (&from, more);
                let tree = &scene.world.tree;
                tree.vectorize(|| Inverse(&placed.inverse).map_many(rays, from, mapped))
            },
            |mapped, state| match placement.object() {
                SceneObject::Scene(scene) => {
                    let mut sink = BundleSink {
                        bundle,
                        scene,
                        chain: Some(&inner),
                        rays: mapped,
                    };
                    scene
                        .world
                        .tree
                        .visit_bundled((mapped, seeing), state, &mut sink)
                }
                SceneObject::Mesh(mesh) => {
                    let mut sink = BundledMesh {
                        collectors: bundle.collectors,
                        chain: &inner,
                        mesh,
                    };
                    mesh.visit_bundled((mapped, seeing), state, &mut sink)
                }
                SceneObject::Shapes(_) | SceneObject::User(_) => seeing,
            },
        );
        alone(self.bundle, left.unwrap_or(seeing), state);
    }
}

/// Offers the triangles of a placed mesh to the collectors.
struct BundledMesh<'a, 'r> {
    collectors: &'a mut [Collector<'r, PlacedPrimitive>],
    chain: &'a PlacementChain<'a>,
    mesh: &'a Bvh,
}

impl<'r> BundledMesh<'_, 'r> {
    /// Returns the sink of one ray.
    fn of_lane(&mut self, lane: usize) -> MeshSink<'_, Collector<'r, PlacedPrimitive>> {
        MeshSink {
            sink: &mut self.collectors[lane],
            chain: self.chain,
            mesh: self.mesh,
        }
    }
}

impl BundleTriangleSink for BundledMesh<'_, '_> {
    fn counts(&self, lane: usize) -> Option<(bool, HitRule<PrimId>)> {
        counts(&self.collectors[lane], self.chain)
    }

    fn offer(&mut self, lane: usize, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        self.of_lane(lane).offer(prim, triangle)
    }

    fn count(&mut self, lane: usize, hits: usize) -> ControlFlow<()> {
        self.of_lane(lane).count(hits)
    }
}
