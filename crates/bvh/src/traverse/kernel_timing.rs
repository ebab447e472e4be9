//! Single node and leaf tests, for benchmarks.
//!
//! The tests are those that a traversal reaches: nodes and leaves of a real tree, whose boxes the
//! ray meets as far as the kernels can tell. They are few enough to stay in the caches: the cost of
//! memory shows in whole queries.

use super::kernel_ray::{KernelRay, Prepared};
use super::leaf_block::with_block;
use super::leaf_ray::LeafRay;
use super::leaf_test::leaf_test;
use super::plain_ray::{leaf, ray::PlainRay};
use super::single_walk::BoxTest;
use crate::simd_level::at_level;
use crate::wide::{Child, WideTree};
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Level, SimdMask};
use std::hint::black_box;

/// Tests of each ray. All rays have the same number, so that loops are predictable, and the cost of
/// a ray before its first test is spread evenly.
const TESTS_OF_A_RAY: usize = 4;

/// The tests to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Tests in which the ray may hit at least one of the eight.
    Hit,
    /// Tests in which it hits none of them.
    Miss,
    /// Both, as often as in traversals.
    Mixed,
}

impl Pairs {
    /// All of them.
    pub const ALL: [Pairs; 3] = [Pairs::Hit, Pairs::Miss, Pairs::Mixed];

    fn has(self, hit: bool) -> bool {
        match self {
            Pairs::Hit => hit,
            Pairs::Miss => !hit,
            Pairs::Mixed => true,
        }
    }
}

/// Tests of rays against nodes, with the instructions of the tree.
pub struct NodeBench<'a> {
    tree: &'a WideTree,
    level: Level,
    rays: Vec<Tests<usize>>,
}

/// Tests of rays against leaves, with the instructions of the tree.
pub struct LeafBench<'a> {
    tree: &'a WideTree,
    level: Level,
    rays: Vec<LeafTests>,
}

/// A ray, its own limit, and the nodes or leaves that it is tested against.
struct Tests<T> {
    /// The ray as it was given.
    given: Ray,
    ray: KernelRay,
    limit: f32,
    against: Vec<T>,
}

/// The same for leaves, with the ray in the forms of both leaf tests.
struct LeafTests {
    ray: LeafRay,
    plain: leaf::SpanRay,
    limit: f32,
    against: Vec<(usize, usize)>,
}

impl<'a> NodeBench<'a> {
    /// Collects about `many` tests of nodes that these rays reach.
    pub(crate) fn of_tree(
        (tree, level): (&'a WideTree, Level),
        rays: &[Ray],
        pairs: Pairs,
        many: usize,
    ) -> Self {
        let node = |child: Child, hit: bool| match child {
            Child::Node(place) => pairs.has(hit).then_some(place),
            Child::Leaf { .. } => None,
        };
        let rays = gather(tree, rays, many, node);
        NodeBench { tree, level, rays }
    }

    /// Returns how many nodes each run tests.
    pub fn tests(&self) -> usize {
        self.rays.iter().map(|tests| tests.against.len()).sum()
    }

    /// Runs all tests, and returns the sum of the masks of children met. If `IN_TURN`, each test
    /// depends on the mask of the one before, as in a descent to a child that was met.
    pub fn run<const IN_TURN: bool>(&self) -> u32 {
        let nodes = &*self.tree.nodes;
        let nothing = black_box(0);
        at_level!(self.level, simd => {
            let mut sum = 0u32;
            for Tests { ray, limit, against, .. } in &self.rays {
                for &place in against {
                    let place = if IN_TURN { place + (sum as usize & nothing) } else { place };
                    let (_, hit) = ray.boxes.test(simd, &nodes[place], *limit);
                    sum = sum.wrapping_add(hit.to_bitmask() as u32);
                }
            }
            sum
        })
    }
}

impl<'a> LeafBench<'a> {
    /// Collects about `many` tests of leaves that these rays reach, of plain rays.
    pub(crate) fn of_tree(
        (tree, level): (&'a WideTree, Level),
        rays: &[Ray],
        pairs: Pairs,
        many: usize,
    ) -> Self {
        let leaf = |child: Child, hit: bool| match child {
            Child::Node(_) => None,
            Child::Leaf { first, len } => pairs.has(hit).then_some((first, len)),
        };
        let rays = gather(tree, rays, many, leaf).into_iter();
        let rays = rays.filter_map(|tests| {
            Some(LeafTests {
                ray: LeafRay::of(&tests.ray),
                plain: prepare_plain(tree, &tests.given)?,
                limit: tests.limit,
                against: tests.against,
            })
        });
        LeafBench {
            tree,
            level,
            rays: rays.collect(),
        }
    }

    /// Returns how many leaves each run tests.
    pub fn tests(&self) -> usize {
        self.rays.iter().map(|tests| tests.against.len()).sum()
    }

    /// Runs all tests, and returns the sum of the masks of triangles that may be hit.
    pub fn run(&self) -> u32 {
        self.sum::<false>()
    }

    /// Does the same by the test of plain rays, and adds the masks of triangles that are certainly
    /// hit.
    pub fn run_plain(&self) -> u32 {
        self.sum::<true>()
    }

    fn sum<const PLAIN: bool>(&self) -> u32 {
        let leaves = self.tree.view();
        at_level!(self.level, simd => {
            let mut sum = 0u32;
            for LeafTests { ray, plain, limit, against } in &self.rays {
                for &(first, len) in against {
                    let passed = with_block(
                        simd,
                        leaves,
                        (first, len),
                        #[inline(always)]
                        |block| match PLAIN {
                            false => leaf_test(simd, block, ray, *limit),
                            true => {
                                let spans = leaf::spans(simd, block, plain, *limit);
                                spans.passed.maybe.wrapping_add(spans.passed.certain)
                            }
                        },
                    );
                    sum = sum.wrapping_add(passed);
                }
            }
            sum
        })
    }
}

/// Returns the nodes or leaves that rays reach if no hit ends their traversal. Of each ray it takes
/// some of those that `choose` accepts, spread over the whole traversal, and omits rays that have
/// too few.
///
/// Uses the baseline kernels whatever the tree's level, so that all levels run the same tests.
fn gather<T: Copy>(
    tree: &WideTree,
    rays: &[Ray],
    many: usize,
    choose: impl Fn(Child, bool) -> Option<T>,
) -> Vec<Tests<T>> {
    let tests = rays.iter().filter_map(|given| {
        let (ray, limit) = prepare(tree, given)?;
        let visits = visits(tree, &ray, limit).into_iter();
        let chosen: Vec<T> = visits
            .filter_map(|(child, hit)| choose(child, hit))
            .collect();
        let step = chosen.len() / TESTS_OF_A_RAY;
        let some = |step| chosen.iter().copied().step_by(step).take(TESTS_OF_A_RAY);
        let against = (step > 0).then(|| some(step).collect())?;
        Some(Tests {
            given: *given,
            ray,
            limit,
            against,
        })
    });
    tests.take(many / TESTS_OF_A_RAY).collect()
}

/// Returns the ray and its own limit, if the ray needs no special care.
fn prepare(tree: &WideTree, ray: &Ray) -> Option<(KernelRay, f32)> {
    let question = PreparedRay::new(ray)?;
    at_level!(Level::baseline(), simd => {
        match KernelRay::prepare(simd, &question, tree) {
            Prepared::Ready(ray) if ray.ends.unit == 1.0 && ray.ends.start == 0.0 => {
                ray.ends.greatest.map(|greatest| (ray, greatest))
            }
            Prepared::Ready(_) => None,
            Prepared::Misses | Prepared::Unfit => None,
        }
    })
}

/// Returns a ray for the leaf test of plain rays, if it is one.
fn prepare_plain(tree: &WideTree, ray: &Ray) -> Option<leaf::SpanRay> {
    at_level!(Level::baseline(), simd => {
        let plain = PlainRay::of(simd, ray, &tree.measures)?;
        Some(leaf::SpanRay::of(ray, &plain, &plain.inverse_dir))
    })
}

/// Returns the nodes and leaves that a ray visits, each with whether it may hit a child of it.
fn visits(tree: &WideTree, ray: &KernelRay, limit: f32) -> Vec<(Child, bool)> {
    let leaf_ray = LeafRay::of(ray);
    let mut visits = Vec::new();
    let mut waiting: Vec<Child> = match tree.nodes.is_empty() {
        true => Vec::new(),
        false => vec![Child::Node(0)],
    };
    while let Some(child) = waiting.pop() {
        let hits = at_level!(Level::baseline(), simd => match child {
            Child::Node(place) => {
                let (_, hit) = ray.boxes.test(simd, &tree.nodes[place], limit);
                hit.to_bitmask() as u32
            }
            Child::Leaf { first, len } => with_block(simd, tree.view(), (first, len), |block| {
                leaf_test(simd, block, &leaf_ray, limit)
            }),
        });
        if let Child::Node(place) = child {
            let node = &tree.nodes[place];
            let met = node.lanes().filter(|lane| hits >> lane & 1 == 1);
            waiting.extend(met.map(|lane| node.child(lane)));
        }
        visits.push((child, hits != 0));
    }
    visits
}
