//! The best greedy top-down build, as a reference for the builder: every position between two
//! centres is tried, on each axis, down to single triangles.

use estoc_bvh::internals::builder::binary_tree::{BinaryNode, BinaryTree};
use estoc_bvh::internals::builder::bounds::ReferenceBounds;
use estoc_bvh::internals::builder::chances::ChildOrder;
use estoc_bvh::internals::builder::triangle_leaves::tree_over_mesh;
use estoc_bvh::internals::builder::{Budget, BuildWatch};
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::Scale;
use estoc_bvh::{Bvh, Layout};
use estoc_core::Aabb;
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_mesh::parts::buffers;

/// A triangle's box and number.
type Item = (ReferenceBounds, u32);

fn union(a: ReferenceBounds, b: ReferenceBounds) -> ReferenceBounds {
    let each = |f: fn(f32, f32) -> f32, a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|i| f(a[i], b[i]));
    ReferenceBounds {
        min: each(f32::min, a.min, b.min),
        max: each(f32::max, a.max, b.max),
    }
}

fn sort(items: &mut [Item], axis: usize) {
    let centre = |(b, _): &Item| f64::from(b.min[axis]) + f64::from(b.max[axis]);
    items.sort_by(|a, b| centre(a).total_cmp(&centre(b)).then(a.1.cmp(&b.1)));
}

/// Splits items at the cheapest position.
fn split(items: &mut [Item]) -> usize {
    let mut best = (f64::INFINITY, 0, 1);
    for axis in 0..3 {
        sort(items, axis);
        let mut right = vec![0.0; items.len()];
        let mut bounds = items[items.len() - 1].0;
        for i in (1..items.len()).rev() {
            bounds = union(bounds, items[i].0);
            right[i] = bounds.half_area() * (items.len() - i) as f64;
        }
        let mut bounds = items[0].0;
        for (i, right) in right.iter().enumerate().skip(1) {
            bounds = union(bounds, items[i - 1].0);
            let cost = bounds.half_area() * i as f64 + right;
            if cost < best.0 {
                best = (cost, axis, i);
            }
        }
    }
    sort(items, best.1);
    best.2
}

fn swept(mesh: &Mesh) -> BinaryTree {
    let mut items: Vec<Item> = mesh
        .triangles()
        .zip(0..)
        .map(|(triangle, name)| {
            let bounds = Aabb::of_triangle(&triangle);
            let (min, max) = (bounds.min().to_array(), bounds.max().to_array());
            (ReferenceBounds { min, max }, name)
        })
        .collect();
    let mut nodes = vec![BinaryNode::leaf(items[0].0, 0, 1)];
    let mut pending = vec![(0, 0..items.len())];
    while let Some((node, range)) = pending.pop() {
        let part = &mut items[range.clone()];
        let bounds = part[1..]
            .iter()
            .fold(part[0].0, |all, item| union(all, item.0));
        if part.len() == 1 {
            nodes[node] = BinaryNode::leaf(bounds, range.start, 1);
            continue;
        }
        let middle = range.start + split(part);
        let first = nodes.len();
        nodes[node] = BinaryNode::inner(bounds, first);
        nodes.extend([nodes[node]; 2]);
        pending.push((first, range.start..middle));
        pending.push((first + 1, middle..range.end));
    }
    let order = items.into_iter().map(|item| item.1).collect();
    BinaryTree { nodes, order }
}

/// Returns the expected cost of a ray in both trees, after their conversion to wide trees.
fn costs(mesh: &Mesh) -> [f64; 2] {
    let watch = BuildWatch::new(None, None, 0);
    let scale = Scale::of_mesh(buffers(mesh), &watch).unwrap();
    assert!(scale.is_one());
    let (budget, layout) = (Budget::default(), Layout::Fast);
    let order = ChildOrder::Area;
    let tree = tree_over_mesh(
        swept(mesh),
        buffers(mesh),
        scale,
        &watch,
        budget,
        layout,
        order,
    );
    let swept = Bvh::from_inner(tree.unwrap());
    assert_eq!(swept.validate(), Ok(()));
    [Bvh::build(mesh), swept].map(|tree| tree.stats().sah_cost)
}

#[test]
fn trees_cost_hardly_more_than_if_every_split_was_tried() {
    // In halls a few first splits, between walls, matter much.
    for scene in [
        "hall",
        "hall?n=100000",
        "soup?n=20000",
        "terrain",
        "teapot",
        "sphere",
    ] {
        let spec: DemoSpec = scene.parse().unwrap();
        let [binned, swept] = costs(&spec.mesh());
        let ratio = binned / swept;
        println!("{scene}: {binned:.3} binned, {swept:.3} swept, ratio {ratio:.4}");
        assert!(ratio < 1.02, "{scene}: {ratio}");
    }
}
