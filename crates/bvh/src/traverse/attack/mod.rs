//! A search for hits and boxes that the kernels lose, and for hits that they make up: hostile
//! triangles, rays that graze them, and exact arithmetic as the judge. `ESTOC_LONG=1` looks at
//! more than ten million cases a level.

pub(super) mod cases;
mod groups;
mod spans;

use super::leaf_ray::LeafRay;
use super::leaf_test::leaf_test;
use super::level::SimdLevel;
use super::node_test::node_test;
use super::order::key;
use super::ray::{KernelRay, Prepared, U};
use super::walk::last_key;
use crate::builder::Watch;
use crate::wide::{Child, LeafWriter, Node, Scale, Tag, WIDTH, WideTree};
use cases::{case, cut};
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Aabb, PrimId, Ray, Triangle};
use estoc_memory::Arena;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use fearless_simd::{Level, SimdBase, SimdMask};
use std::fmt;

/// One node over eight triangles, each in a lane of its own; in the leaves they lie together.
pub(super) struct Scene {
    pub(super) tree: WideTree,
}

impl Scene {
    pub(super) fn of(triangles: [Triangle; WIDTH]) -> Self {
        let watch = Watch::new(None, None);
        let scale = Scale::of(WIDTH, |i| triangles[i], &watch).unwrap_or_default();
        let scaled = triangles.map(|t| {
            let [a, b, c] = t.corners().map(|p| p.map(|x| scale.up(x)));
            Triangle::new(a, b, c)
        });
        let mut leaves = LeafWriter::with_triangles(WIDTH);
        leaves.write(0, scaled.into_iter().enumerate().map(|(i, t)| (prim(i), t)));
        let mut node = Node::EMPTY;
        for (lane, t) in scaled.iter().enumerate() {
            let bounds = Aabb::of_triangle(t);
            let (min, max) = (bounds.min().into(), bounds.max().into());
            node.set(
                lane,
                min,
                max,
                Child::Leaf {
                    first: lane,
                    len: 1,
                },
            );
        }
        Scene {
            tree: WideTree::new(Arena::of(vec![node]), leaves.finish(), scale),
        }
    }

    /// The lanes that pass, of the node and of the leaf, up to a limit.
    fn passing(&self, level: Level, ray: &KernelRay, t_limit: f64) -> Passing {
        let limit = ray.ends.limit(t_limit);
        let (node, block) = (&self.tree.nodes[0], self.tree.leaves.block(0, WIDTH));
        fearless_simd::dispatch!(level, simd => {
            let (entry, hit) = node_test(simd, node, &ray.boxes, limit);
            let mut boxes = hit.to_bitmask() as u32;
            // What waits is looked at again before it is visited.
            for (lane, entry) in entry.to_array().into_iter().enumerate() {
                let waits = key(entry as u32, Tag(node.tags[lane])) as i32 <= last_key(limit);
                boxes &= !(u32::from(!waits) << lane);
            }
            let leaf_ray = LeafRay::of(ray);
            let leaf = leaf_test::<_, false>(simd, block, &leaf_ray, limit).maybe;
            let sure = ray.ends.greatest.map(|greatest| {
                leaf_test::<_, true>(simd, block, &leaf_ray, greatest)
            });
            let (kept, certain) = sure.map_or((u32::MAX, 0), |sure| (sure.maybe, sure.certain));
            Passing { boxes, leaf, kept, certain }
        })
    }
}

/// Lanes as bits.
struct Passing {
    boxes: u32,
    leaf: u32,
    /// Those of the leaf that pass up to the ray's own end, and those that are hit for sure.
    kept: u32,
    certain: u32,
}

pub(super) fn prim(index: usize) -> PrimId {
    PrimId::from_index(index).unwrap()
}

/// What a search looked at.
#[derive(Debug, Default)]
struct Looked {
    rays: usize,
    unfit: usize,
    missing: usize,
    hits: usize,
    boxes: usize,
    /// Hits that a kernel was certain of.
    certain: usize,
    /// What was lost, described.
    lost: Vec<String>,
}

impl fmt::Display for Looked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Looked {
            rays,
            unfit,
            missing,
            hits,
            boxes,
            certain,
            lost,
        } = self;
        write!(
            f,
            "{rays} rays ({unfit} not for f32, {missing} beside the tree), {hits} hits and \
             {boxes} boxes asked for, {certain} certain, {} wrong",
            lost.len()
        )
    }
}

/// Looks at so many rays. `weaken` may spoil the kernel's ray, to see that it is noticed.
fn search(level: SimdLevel, seed: u64, rays: usize, weaken: impl Fn(&mut KernelRay)) -> Looked {
    let token = level.token().expect("one of the available levels");
    let mut looked = Looked::default();
    let mut rng = Rng::named(seed, "attack");
    while looked.rays < rays && looked.lost.len() < 10 {
        let (triangles, line) = case(&mut rng);
        let scene = Scene::of(triangles);
        let Some(endless) = PreparedRay::new(&line) else {
            continue;
        };
        let at: Vec<f32> = (0..WIDTH)
            .filter_map(|i| endless.touch(prim(i), &triangles[i], f64::INFINITY))
            .map(|touch| endless.hit(&touch).t)
            .collect();
        for _ in 0..4 {
            let ray = cut(&mut rng, line, &at);
            let Some(question) = PreparedRay::new(&ray) else {
                continue;
            };
            looked.rays += 1;
            let touches: Vec<_> = (0..WIDTH)
                .map(|i| question.touch(prim(i), &triangles[i], f64::INFINITY))
                .collect();
            // Where the ray is in the boxes.
            let slabs: Vec<_> = (0..WIDTH)
                .map(|i| Aabb::of_triangle(&triangles[i]).slab(&ray))
                .collect();
            let describe = |what: &str| format!("{level}: {what}: {ray:?} at {triangles:?}");
            let mut kernel = match prepared(&question, &scene.tree) {
                Prepared::Ready(kernel) => kernel,
                Prepared::Unfit => {
                    looked.unfit += 1;
                    continue;
                }
                Prepared::Misses => {
                    looked.missing += 1;
                    if touches.iter().any(Option::is_some) {
                        looked.lost.push(describe("the tree's box"));
                    }
                    continue;
                }
            };
            weaken(&mut kernel);
            let mut limits = vec![f64::INFINITY, question.t_max()];
            limits.extend(touches.iter().flatten().map(Touch::t_high));
            let entries = slabs.iter().flatten().map(|span| span.entry.next_up());
            limits.extend(entries.filter(|t| t.is_finite()).map(f64::from));
            limits.retain(|limit| *limit >= question.t_min());
            for limit in limits.into_iter().map(|limit| limit.min(question.t_max())) {
                let passing = scene.passing(token, &kernel, limit);
                for i in 0..WIDTH {
                    let passes = |lanes: u32| lanes >> i & 1 == 1;
                    let (in_box, in_leaf) = (passes(passing.boxes), passes(passing.leaf));
                    if touches[i].is_some() && !passes(passing.kept) {
                        looked.lost.push(describe(&format!("hit {i} of any")));
                    }
                    if passes(passing.certain) {
                        looked.certain += 1;
                        if touches[i].is_none() {
                            looked
                                .lost
                                .push(describe(&format!("no hit {i}, but certain")));
                        }
                    }
                    let enters = |t: f32| f64::from(t.next_up()).max(question.t_min()) <= limit;
                    if slabs[i].is_some_and(|span| enters(span.entry)) {
                        looked.boxes += 1;
                        if !in_box {
                            looked
                                .lost
                                .push(describe(&format!("box {i} up to {limit:e}")));
                        }
                    }
                    if touches[i].is_some_and(|touch| touch.t_high() <= limit) {
                        looked.hits += 1;
                        if !(in_box && in_leaf) {
                            let place = if in_box { "leaf" } else { "box" };
                            looked
                                .lost
                                .push(describe(&format!("hit {i} in {place} up to {limit:e}")));
                        }
                    }
                }
            }
        }
    }
    looked
}

#[test]
fn no_kernel_loses_a_hit_or_a_box() {
    let rays = if Effort::is_long() {
        10_000_000
    } else {
        60_000
    };
    for level in SimdLevel::available() {
        let looked = search(level, 1, rays, |_| {});
        println!("{level}: {looked}");
        assert!(looked.lost.is_empty(), "{}", looked.lost.join("\n"));
        // The search is worth something only if most of it reaches the kernels, and hits.
        assert!(looked.unfit < looked.rays / 2 && looked.missing < looked.rays / 2);
        assert!(looked.hits > looked.rays && looked.boxes > looked.rays);
        assert!(looked.certain > looked.rays / 20);
    }
}

/// The product of a face and the inverse overflows, while the parameter does not.
#[test]
fn parameters_near_the_greatest_number_are_no_miss() {
    let usual = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let x = 2f32.powi(33);
    let far = Triangle::new(
        [x, -1e12, 3.4e38],
        [x, 1e12, 3.4e38],
        [8.7e9, 0.0, 3.378e38],
    );
    let mut triangles = [usual; WIDTH];
    triangles[0] = far;
    let scene = Scene::of(triangles);
    let origin = [2f32.powi(26) - 64.0, 0.0, 0.0];
    let ray = Ray::new(origin, [2f32.powi(-95), 2f32.powi(-90), 1.0]);
    let question = PreparedRay::new(&ray).unwrap();
    let touch = question.touch(prim(0), &far, f64::INFINITY);
    let limit = touch.expect("a hit").t_high();
    let Prepared::Ready(kernel) = prepared(&question, &scene.tree) else {
        // Not asked, not lost.
        return;
    };
    for level in SimdLevel::available() {
        let passing = scene.passing(level.token().unwrap(), &kernel, limit);
        assert_eq!((passing.boxes & 1, passing.leaf & 1), (1, 1), "{level}");
    }
}

/// The search would notice if the kernels granted less.
#[test]
fn the_search_finds_what_kernels_without_their_bounds_lose() {
    let best = SimdLevel::best();
    let no_pad = |ray: &mut KernelRay| {
        for axis in 0..3 {
            let middle = (ray.boxes.near[axis] + ray.boxes.far[axis]) / 2.0;
            (ray.boxes.near[axis], ray.boxes.far[axis]) = (middle, middle);
        }
    };
    assert!(!search(best, 2, 100_000, no_pad).lost.is_empty());
    // Of what the leaf test allows a slope, a dozen times.
    let slanted = |ray: &mut KernelRay| ray.dir[0] *= 1.0 + 64.0 * U;
    assert!(!search(best, 4, 100_000, slanted).lost.is_empty());
    let longer = |ray: &mut KernelRay| {
        ray.ends.greatest = ray.ends.greatest.map(|t| t * (1.0 + 512.0 * U));
    };
    assert!(!search(best, 5, 100_000, longer).lost.is_empty());
    let not_moved = |ray: &mut KernelRay| ray.moved = 0.0;
    assert!(!search(best, 3, 100_000, not_moved).lost.is_empty());
}

/// The ray as the best level of this machine prepares it.
fn prepared(ray: &PreparedRay<'_>, tree: &WideTree) -> Prepared {
    fearless_simd::dispatch!(fearless_simd::Level::new(), simd => {
        KernelRay::prepare(simd, ray, tree)
    })
}
