//! The view of a tree shows its nodes and leaves.

use crate::common::{Rng, Shape};
use estoc_bvh::{Bvh, ChildView, NodeView, Quality};
use estoc_core::{Aabb, PrimId};
use estoc_mesh::Mesh;

/// Returns shapes that are small, flat, doubled, and of sizes at which the tree has another scale
/// than the mesh.
fn shapes() -> Vec<(&'static str, Shape)> {
    let mut rng = Rng::new(11);
    let mut soup = |size: f32| Shape::random(700, size, &mut rng);
    let one = soup(0.1);
    vec![
        ("nothing", Shape::default()),
        (
            "one triangle",
            Shape::soup([[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]),
        ),
        (
            "a plane",
            Shape::plane([0.0; 3], [9.0, 0.0, 0.0], [0.0, 7.0, 0.0], [30, 20]),
        ),
        ("large among small", soup(0.05).with(&soup(3.0))),
        ("at 1e-30", soup(0.2).scaled(1e-30)),
        ("at 1e30", soup(0.2).scaled(1e30)),
        ("doubled", one.clone().with(&one)),
    ]
}

#[test]
fn boxes_hold_their_triangles_and_every_triangle_is_in_one_leaf() {
    for (name, shape) in shapes() {
        let mesh = shape.mesh();
        for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
            let bvh = Bvh::builder().quality(quality).build(&mesh).unwrap();
            let nodes: Vec<_> = bvh.nodes().collect();
            let mut seen = vec![0; mesh.triangle_count()];
            let mut parents = vec![0; nodes.len()];
            // The box of each node, which contains everything below it.
            let mut boxes = vec![None; nodes.len()];
            for (place, node) in nodes.iter().enumerate() {
                assert!((1..=8).contains(&node.children().len()), "{name}: {node:?}");
                for (bounds, child) in node.children() {
                    if let Some(outer) = boxes[place] {
                        assert_eq!(bounds.union(&outer), outer, "{name}");
                    }
                    match child {
                        ChildView::Node(below) => {
                            assert!(below > place, "{name}: {below} below {place}");
                            parents[below] += 1;
                            boxes[below] = Some(bounds);
                        }
                        ChildView::Leaf(prims) => {
                            assert!((1..=8).contains(&prims.len()), "{name}: {prims:?}");
                            for prim in prims {
                                seen[prim.index()] += 1;
                                let triangle = bvh.triangle(prim).unwrap();
                                let own = Aabb::of_triangle(&triangle);
                                assert_eq!(own.union(&bounds), bounds, "{name}: {prim}");
                            }
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{name}: {seen:?}");
            assert!(parents.iter().skip(1).all(|&times| times == 1), "{name}");
            assert_eq!(parents.first().copied().unwrap_or(0), 0, "{name}");
            assert_eq!(nodes.len(), bvh.stats().nodes, "{name}");
        }
    }
}

#[test]
fn a_single_triangle_has_a_box_that_hardly_exceeds_it() {
    let shape = Shape::soup([[[-1.0, 2.0, 5.0], [3.0, 2.5, 5.0], [0.0, 4.0, 7.0]]]);
    let bvh = Bvh::build(&shape.mesh());
    let node = bvh.nodes().next().unwrap();
    let children: Vec<_> = node.children().collect();
    let bounds = Aabb::try_new([-1.0, 2.0, 5.0], [3.0, 4.0, 7.0]).unwrap();
    let [(found, ChildView::Leaf(prims))] = &children[..] else {
        panic!("{children:?}");
    };
    assert_eq!(bounds.union(found), *found);
    assert!(
        (found.max() - bounds.max()).max_element() < 1e-5,
        "{found:?}"
    );
    assert_eq!(prims.clone().collect::<Vec<_>>(), [PrimId::new(0).unwrap()]);
    assert!(format!("{node:?}").contains("PrimId(0)"));
}

#[test]
fn boxes_of_trees_in_f64_hold_their_triangles() {
    for far in [0.0, 1e7, -3e300] {
        let corner = |i: u32| {
            [
                far + f64::from(i % 7),
                far * 0.5 + f64::from(i % 5),
                f64::from(i),
            ]
        };
        let corners: Vec<_> = (0..90).map(corner).collect();
        let faces = (0..88).map(|i| [i, i + 1, i + 2]);
        let bvh: Bvh<f64> = Bvh::build(&Mesh::from_f64(corners, faces).unwrap());
        let (mut seen, mut volume) = (0, 0.0);
        for (bounds, child) in bvh.nodes().flat_map(NodeView::<f64>::children) {
            let ChildView::Leaf(prims) = child else {
                continue;
            };
            volume += (bounds[1] - bounds[0]).element_product();
            seen += prims.len();
            for corner in prims.flat_map(|prim| bvh.triangle(prim).unwrap().corners()) {
                assert!(
                    bounds[0].cmple(corner).all() && corner.cmple(bounds[1]).all(),
                    "{bounds:?}"
                );
            }
        }
        assert_eq!(seen, 88);
        assert!(far.abs() > 1e9 || volume < 4000.0, "{volume}");
    }
}
