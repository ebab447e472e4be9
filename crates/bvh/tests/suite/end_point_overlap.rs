//! The end-point overlap and other costs of trees: small trees computed by hand, others by brute
//! force.

use crate::leaf_writer::LeafWriter;
use estoc_bvh::internals::tree::{BvhInternals, area};
use estoc_bvh::internals::wide::{Block, Child, Node, Scale, WideTree};
use estoc_bvh::{Bvh, BvhStats, BytesByPart, Quality};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{PrimId, Triangle};
use estoc_demo::{DemoSpec, SplitMix64};
use estoc_memory::Arena;
use estoc_mesh::Mesh;

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
fn nothing_overlaps_with_nothing() {
    let empty = Bvh::build(&Mesh::default());
    assert_eq!(empty.end_point_overlap(), 0.0);
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
    let one = one_node(&[([[0.0; 3], [1.0, 1.0, 0.0]], &[UNIT])]);
    assert_eq!(one.end_point_overlap(), 0.0);
}

#[test]
fn two_far_triangles_do_not_overlap_and_are_seldom_met() {
    let far = UNIT.map(|[x, y, z]| [x + 100.0, y, z]);
    let bvh = one_node(&[
        ([[0.0; 3], [1.0, 1.0, 0.0]], &[UNIT]),
        ([[100.0, 0.0, 0.0], [101.0, 1.0, 0.0]], &[far]),
    ]);
    assert_eq!(bvh.end_point_overlap(), 0.0);
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

#[test]
fn what_reaches_into_another_box_counts_as_far_as_it_does() {
    // Of the left triangle, of area 2, the corner at (2, 0) lies in the right box: x >= 1, y <= 1
    // and x + y <= 2, of area 1/2. Of the right one, of area 1, nothing with area lies in the
    // left box, which ends at x = 2: 2 <= x.
    let left = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    let right = [[2.5, 0.0, 0.0], [4.5, 0.0, 0.0], [2.5, 1.0, 0.0]];
    let bvh = one_node(&[
        ([[0.0; 3], [2.0, 2.0, 0.0]], &[left]),
        ([[1.0, 0.0, 0.0], [4.5, 1.0, 0.0]], &[right]),
    ]);
    assert_near(bvh.end_point_overlap(), 0.8 * 0.5 / 3.0);
    // Not in the other's plane: nothing overlaps.
    let above = right.map(|[x, y, _]| [x, y, 1.0]);
    let bvh = one_node(&[
        ([[0.0; 3], [2.0, 2.0, 0.0]], &[left]),
        ([[1.0, 0.0, 1.0], [4.5, 1.0, 1.0]], &[above]),
    ]);
    assert_eq!(bvh.end_point_overlap(), 0.0);
}

#[test]
fn twins_in_two_leaves_lie_in_both() {
    let flat = [[0.0; 3], [1.0, 1.0, 0.0]];
    let bvh = one_node(&[(flat, &[UNIT]), (flat, &[UNIT])]);
    assert_near(bvh.end_point_overlap(), 0.8);
    // In one leaf there is no other leaf to overlap.
    assert_eq!(one_node(&[(flat, &[UNIT, UNIT])]).end_point_overlap(), 0.0);
}

#[test]
fn triangles_without_area_count_for_nothing() {
    let flat = [[0.0; 3], [1.0, 1.0, 0.0]];
    let line = [[0.0; 3], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]];
    let bvh = one_node(&[(flat, &[UNIT]), (flat, &[line])]);
    assert_near(bvh.end_point_overlap(), 0.8);
    assert_eq!(
        one_node(&[(flat, &[line]), (flat, &[line])]).end_point_overlap(),
        0.0
    );
}

/// Squares of a grid, each a leaf of two triangles, touch along edges, and share only the margins
/// of their boxes; stacked ones share nothing.
#[test]
fn squares_of_a_grid_hardly_overlap() {
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
    let overlap = bvh.end_point_overlap();
    assert!(overlap > 0.0 && overlap < 1e-4, "{overlap}");
    let stats = bvh.stats();
    assert_near(stats.expected_leaves, 1.0);
    assert_near(stats.expected_triangles, 2.0);
    assert_near(stats.sah_cost, 1.8);
}

/// Collects the triangles below a lane.
fn below(tree: &WideTree, child: Child, prims: &mut Vec<usize>) {
    match child {
        Child::Leaf { first, len } => {
            let block = Block::of(tree.leaves.numbers(), first, len);
            prims.extend((0..len).map(|place| block.prim(place).index()));
        }
        Child::Node(place) => {
            let node = &tree.nodes[place];
            for lane in node.lanes() {
                below(tree, node.child(lane), prims);
            }
        }
    }
}

/// Computes the definition directly: each box with each triangle that is not below it, with areas
/// counted in points spread evenly over the triangles.
fn by_points(mesh: &Mesh, bvh: &Bvh) -> f64 {
    const ROWS: u16 = 40;
    let tree = bvh.inner();
    let points = |t: &Triangle| {
        let [a, b, c] = t.corners().map(Vec3::as_dvec3);
        let share = |i: u16| (f64::from(i) + 1.0 / 3.0) / f64::from(ROWS);
        let places = (0..ROWS).flat_map(|i| (0..ROWS - i).map(move |j| (i, j)));
        let places = places.map(|(i, j)| a + share(i) * (b - a) + share(j) * (c - a));
        places.collect::<Vec<_>>()
    };
    let surface: Vec<_> = mesh
        .triangles()
        .map(|t| {
            let corners = t.corners().map(|p| p.as_dvec3().to_array());
            (points(&t), area(&corners))
        })
        .collect();
    let mut sum = 0.0;
    for node in tree.nodes.iter() {
        for lane in node.lanes() {
            let mut own = Vec::new();
            below(tree, node.child(lane), &mut own);
            let (low, high) = node.bounds(lane);
            let holds = |p: &DVec3| {
                let p = p.to_array();
                (0..3).all(|i| f64::from(low[i]) <= p[i] && p[i] <= f64::from(high[i]))
            };
            let cost = match node.child(lane) {
                Child::Leaf { .. } => 0.8,
                Child::Node(_) => 1.0,
            };
            for (prim, (points, area)) in surface.iter().enumerate() {
                if !own.contains(&prim) {
                    let held = points.iter().filter(|p| holds(p)).count();
                    sum += cost * area * held as f64 / points.len() as f64;
                }
            }
        }
    }
    sum / surface.iter().map(|(_, area)| area).sum::<f64>()
}

/// Returns triangles as large as the box that they are in.
fn tangle(count: u32, size: f64) -> Mesh {
    let mut rng = SplitMix64::new(3);
    let corners: Vec<[f32; 3]> = (0..3 * count)
        .map(|_| [0; 3].map(|_| rng.between(-size, size) as f32))
        .collect();
    let faces = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::new(corners, faces).unwrap()
}

#[test]
fn it_is_what_brute_force_counts() {
    let scene = |name: &str| name.parse::<DemoSpec>().unwrap().mesh();
    for (name, mesh) in [
        ("tangle", tangle(80, 1.0)),
        ("solids", scene("solids?n=1")),
        ("sphere", scene("sphere?n=300")),
    ] {
        for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
            let bvh = Bvh::builder().quality(quality).build(&mesh).unwrap();
            let (found, counted) = (bvh.end_point_overlap(), by_points(&mesh, &bvh));
            let off = (found - counted).abs();
            assert!(
                found > 0.05 && off < 0.03 * counted,
                "{name}, {quality:?}: {found} by areas, {counted} by points"
            );
        }
    }
}

#[test]
fn threads_do_not_matter_and_extremes_stay_finite() {
    for size in [1e-38, 1.0, 1e30, f64::from(f32::MAX)] {
        let bvh = Bvh::build(&tangle(2000, size));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| bvh.end_point_overlap())
        };
        let one = with(1);
        assert!(one.is_finite() && one > 0.0, "{size}: {one}");
        assert_eq!(with(3).to_bits(), one.to_bits(), "{size}");
        let stats = bvh.stats();
        let numbers = [stats.sah_cost, stats.expected_triangles, stats.mean_depth];
        assert!(
            numbers.iter().all(|x| x.is_finite() && *x >= 1.0),
            "{size}: {stats:?}"
        );
    }
}
