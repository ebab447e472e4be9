//! The costs of trees that are computed by hand, and of trees of extreme sizes.

use crate::leaf_writer::LeafWriter;
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::{Child, Node, Scale, WideTree};
use estoc_bvh::{Bvh, BvhStats, BytesByPart};
use estoc_core::{PrimId, Triangle};
use estoc_demo::SplitMix64;
use estoc_mesh::Mesh;
use estoc_system::Arena;

type Corners = [[f32; 3]; 3];
type Box3 = [[f32; 3]; 2];

/// Returns a tree of one node whose leaves have these boxes and triangles.
fn one_node(leaves: &[(Box3, &[Corners])]) -> Bvh {
    let mut root = Node::EMPTY;
    let count = leaves.iter().map(|(_, triangles)| triangles.len()).sum();
    let mut writer = LeafWriter::with_triangles(count);
    let mut first = 0;
    for (lane, ([min, max], triangles)) in leaves.iter().enumerate() {
        let named = triangles.iter().enumerate().map(|(i, [a, b, c])| {
            let prim = PrimId::from_index(first + i).unwrap();
            (prim, Triangle::new(*a, *b, *c))
        });
        writer.write(first, named);
        let len = triangles.len();
        root.set(lane, *min, *max, Child::Leaf { first, len });
        first += len;
    }
    let tree = WideTree::new(Arena::of(vec![root]), writer.finish(), Scale::default());
    let bvh = Bvh::from_inner(tree);
    bvh.validate().unwrap();
    bvh
}

/// Compares with a tolerance: boxes of the tree are a few units in the last place larger than those
/// computed by hand.
#[track_caller]
fn assert_near(found: f64, expected: f64) {
    let off = (found - expected).abs();
    assert!(off <= 1e-4 * (1.0 + expected), "{found}, not {expected}");
}

const UNIT: Corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn an_empty_tree_costs_nothing() {
    let empty = Bvh::build(&Mesh::default());
    let BytesByPart {
        nodes,
        names,
        tables,
        triangles,
        ..
    } = empty.stats().bytes_by_part;
    assert_eq!((nodes, names, tables), (0, 0, 0));
    let mut zeros = BvhStats::default();
    zeros.bytes = triangles;
    zeros.bytes_by_part = empty.stats().bytes_by_part;
    assert_eq!(empty.stats(), zeros);
    assert_eq!(empty.stats().bytes_per_triangle(), 0.0);
}

#[test]
fn two_far_triangles_are_seldom_met() {
    let far = UNIT.map(|[x, y, z]| [x + 100.0, y, z]);
    let bvh = one_node(&[
        ([[0.0; 3], [1.0, 1.0, 0.0]], &[UNIT]),
        ([[100.0, 0.0, 0.0], [101.0, 1.0, 0.0]], &[far]),
    ]);
    // Flat boxes of 1 by 1 in one of 101 by 1.
    let stats = bvh.stats();
    assert_eq!(stats.expected_nodes, 1.0);
    assert_near(stats.expected_leaves, 2.0 / 101.0);
    assert_near(stats.expected_triangles, 2.0 / 101.0);
    assert_eq!(stats.sah_cost, 1.0 + 0.8 * stats.expected_leaves);
    assert_eq!((stats.depth, stats.mean_depth), (1, 1.0));
    assert_eq!((stats.leaf_sizes[1], stats.children[2]), (2, 1));
    assert_eq!(stats.leaf_sizes.iter().sum::<usize>(), stats.leaves);
}

/// Squares of a grid, each a leaf of two triangles, fill the box of the root: a ray that meets it
/// meets one of them.
#[test]
fn a_ray_meets_one_square_of_a_grid() {
    let squares: Vec<(Box3, [Corners; 2])> = (0..4u8)
        .map(|i| {
            let (x, y) = (f32::from(i % 2) + 4.0, f32::from(i / 2) + 4.0);
            let (p, q) = ([x, y, 3.0], [x + 1.0, y + 1.0, 3.0]);
            let halves = [[p, [x + 1.0, y, 3.0], q], [p, q, [x, y + 1.0, 3.0]]];
            ([p, q], halves)
        })
        .collect();
    let leaves: Vec<(Box3, &[Corners])> = squares.iter().map(|(b, t)| (*b, &t[..])).collect();
    let bvh = one_node(&leaves);
    let stats = bvh.stats();
    assert_near(stats.expected_leaves, 1.0);
    assert_near(stats.expected_triangles, 2.0);
    assert_near(stats.sah_cost, 1.8);
}

/// Returns triangles as large as the box that they are in.
fn tangle(count: u32, size: f64) -> Mesh {
    let mut rng = SplitMix64::new(3);
    let corners: Vec<[f32; 3]> = (0..3 * count)
        .map(|_| [0; 3].map(|_| rng.between(-size, size) as f32))
        .collect();
    let faces = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::try_new(corners, faces).unwrap()
}

#[test]
fn extremes_stay_finite() {
    for size in [1e-38, 1.0, 1e30, f64::from(f32::MAX)] {
        let bvh = Bvh::build(&tangle(2000, size));
        let stats = bvh.stats();
        let numbers = [stats.sah_cost, stats.expected_triangles, stats.mean_depth];
        assert!(
            numbers.iter().all(|x| x.is_finite() && *x >= 1.0),
            "{size}: {stats:?}"
        );
    }
}
