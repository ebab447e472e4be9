//! Damaged trees are found: each kind of damage by itself, and random damage.

mod flips;
mod number_marks;

use crate::leaf_writer::{LeafWriter, change};
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::{Child, Node, Scale, Tag, WideTree};
use estoc_bvh::{Bvh, Layout, SimdLevel, ValidateError};
use estoc_core::{BruteForce, PrimId, Ray, RayQuery, Triangle};
use estoc_mesh::Mesh;
use estoc_system::Arena;

fn row_of(triangles: u32) -> Bvh {
    let corners = (0..triangles).flat_map(|i| {
        let x = 2.0 * i as f32;
        [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]]
    });
    let faces = (0..triangles).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::try_new(corners, faces).unwrap())
}

/// Does the same for a tree whose leaves have only ids, after a change of the ids.
fn misnamed(damage: impl FnOnce(&mut Vec<u32>)) -> ValidateError {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::try_new(corners, [[0, 1, 2]; 20]).unwrap();
    let mut bvh = Bvh::builder().layout(Layout::Compact).build(&mesh).unwrap();
    bvh.validate().unwrap();
    change(&mut bvh.inner_mut().leaves, damage);
    bvh.validate().unwrap_err()
}

#[test]
fn names_that_the_mesh_does_not_have_are_found() {
    for name in [20, 1 << 20, u32::MAX] {
        let error = misnamed(|names| names[7] = name);
        let (slot, prim) = (7, (name as usize).min(u32::MAX as usize - 1));
        assert_eq!(error, ValidateError::Unknown { slot, prim });
    }
    let twice = misnamed(|names| names[7] = names[8]);
    assert!(matches!(twice, ValidateError::Misnamed { .. }), "{twice}");
    let wrong_length = ValidateError::WrongLength { triangles: 20 };
    assert_eq!(misnamed(|names| names.truncate(19)), wrong_length);
    assert_eq!(misnamed(|names| names.push(0)), wrong_length);
}

/// Returns the error found in a sound tree after the change.
fn broken(damage: impl FnOnce(&mut Bvh)) -> ValidateError {
    let mut bvh = row_of(200);
    bvh.validate().unwrap();
    assert!(bvh.inner().nodes.len() > 2);
    damage(&mut bvh);
    bvh.validate().unwrap_err()
}

fn lane_of(bvh: &Bvh, wanted: impl Fn(Child) -> bool) -> (usize, usize) {
    let nodes = bvh.inner().nodes.iter().enumerate();
    let mut lanes = nodes.flat_map(|(i, node)| node.lanes().map(move |lane| (i, lane)));
    let lane = lanes.find(|&(node, lane)| wanted(bvh.inner().nodes[node].child(lane)));
    lane.unwrap()
}

fn leaf(child: Child) -> bool {
    matches!(child, Child::Leaf { .. })
}

/// A ray in the plane of a flat box is only sure to meet it with a margin.
#[test]
fn boxes_without_their_margin_are_found() {
    let corners = [[-1.0, -1.0, 5.0], [1.0, -1.0, 5.0], [0.0, 1.0, 5.0]];
    let mut bvh = Bvh::build(&Mesh::try_new(corners, [[0, 1, 2]]).unwrap());
    bvh.validate().unwrap();
    let mut root = bvh.inner().nodes[0];
    root.faces[2][0][0] = 5.0;
    root.faces[2][1][0] = 5.0;
    let (leaves, scale) = (bvh.inner().leaves.clone(), bvh.inner().scale);
    *bvh.inner_mut() = WideTree::new(Arena::of(vec![root]), leaves, scale);
    assert_eq!(bvh.validate(), Err(ValidateError::Sticks { node: 0 }));
}

#[test]
fn boxes_without_an_end_are_found() {
    for (side, face) in [(0, f32::NEG_INFINITY), (1, f32::INFINITY), (0, f32::NAN)] {
        let error = broken(|bvh| bvh.inner_mut().nodes[0].faces[2][side][0] = face);
        assert_eq!(error, ValidateError::Sticks { node: 0 }, "{face}");
    }
}

/// Refits go from the last node to the first.
#[test]
fn nodes_before_those_that_lead_to_them_are_found() {
    let mut bvh = row_of(3000);
    let nodes = &mut bvh.inner_mut().nodes;
    let all = (1..nodes.len()).flat_map(|at| nodes[at].lanes().map(move |lane| (at, lane)));
    let below_another = all.filter_map(|(at, lane)| match nodes[at].child(lane) {
        Child::Node(below) => Some((at, below)),
        Child::Leaf { .. } => None,
    });
    let (above, below) = { below_another }.next().unwrap();
    // The same tree, except that these two have exchanged places.
    nodes.swap(above, below);
    for node in nodes.iter_mut() {
        for lane in node.lanes() {
            match node.child(lane) {
                Child::Node(at) if at == above => node.place[lane] = below as u32,
                Child::Node(at) if at == below => node.place[lane] = above as u32,
                _ => {}
            }
        }
    }
    let error = bvh.validate().unwrap_err();
    assert_eq!(error, ValidateError::OutOfOrder { node: above });
}

#[test]
fn nodes_that_point_outside_are_found() {
    let far_leaf = broken(|bvh| {
        let (node, lane) = lane_of(bvh, leaf);
        bvh.inner_mut().nodes[node].place[lane] = 199;
        bvh.inner_mut().nodes[node].tags[lane] = Tag::new(lane, 2).0;
    });
    assert!(matches!(far_leaf, ValidateError::OutOfRange { .. }));
    let far_child = broken(|bvh| {
        let (node, lane) = lane_of(bvh, |child| !leaf(child));
        bvh.inner_mut().nodes[node].place[lane] = 9999;
    });
    assert!(matches!(far_child, ValidateError::OutOfRange { .. }));
}

#[test]
fn what_is_no_tree_is_found() {
    let to_itself = broken(|bvh| {
        let (node, lane) = lane_of(bvh, |child| !leaf(child));
        bvh.inner_mut().nodes[node].place[lane] = node as u32;
    });
    assert!(matches!(
        to_itself,
        ValidateError::OutOfOrder { .. } | ValidateError::NoChild { .. }
    ));
    let cut_off = broken(|bvh| {
        let root = bvh.inner().nodes[0];
        assert_eq!(root.child(1), Child::Node(2));
        let (min, max) = root.bounds(0);
        bvh.inner_mut().nodes[0] = Node::EMPTY;
        bvh.inner_mut().nodes[0].set(0, min, max, root.child(0));
    });
    assert_eq!(cut_off, ValidateError::NotATree { node: 2, times: 0 });
}

#[test]
fn nodes_without_children_are_found() {
    let root = broken(|bvh| bvh.inner_mut().nodes[0] = Node::EMPTY);
    assert_eq!(root, ValidateError::NoChild { node: 0 });
}

/// At another scale, the triangles that a compact tree takes from the mesh would vanish.
#[test]
fn units_that_lose_what_the_mesh_has_are_found() {
    let corners = (1..7).flat_map(|z| {
        let z = z as f32;
        [[0.0, 0.0, z], [1e-8, 0.0, z], [0.0, 1e-8, z]]
    });
    let faces = (0..6).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners.collect::<Vec<_>>(), faces).unwrap();
    let builder = Bvh::builder().layout(Layout::Compact);
    let mut bvh = builder.build(&mesh).unwrap();
    assert_eq!(bvh.validate(), Ok(()));
    assert!(bvh.inner().scale.is_one() && bvh.inner().nodes.len() == 1);
    let scale = Scale::from_exponent(-126).unwrap();
    let mut root = bvh.inner().nodes[0];
    for lane in root.lanes() {
        let (min, max) = root.bounds(lane);
        let (min, max) = (min.map(|x| scale.up(x)), max.map(|x| scale.up(x)));
        // A margin for rounding errors.
        let min = min.map(|x| x.next_down().next_down());
        let max = max.map(|x| x.next_up().next_up());
        root.set(lane, min, max, root.child(lane));
    }
    let leaves = bvh.inner().leaves.clone();
    *bvh.inner_mut() = WideTree::new(Arena::of(vec![root]), leaves, scale);
    assert_eq!(bvh.validate(), Err(ValidateError::Foreign { slot: 0 }));
}

#[test]
fn what_sticks_out_of_a_box_is_found() {
    let error = broken(|bvh| {
        let (node, lane) = lane_of(bvh, leaf);
        bvh.inner_mut().nodes[node].faces[0][1][lane] -= 0.5;
    });
    assert!(matches!(error, ValidateError::Sticks { .. }));
}

#[test]
fn misplaced_triangles_are_found() {
    let shorter = broken(|bvh| {
        let is_long = |child| matches!(child, Child::Leaf { len, .. } if len > 1);
        let (node, lane) = lane_of(bvh, is_long);
        bvh.inner_mut().nodes[node].faces = Node::EMPTY.faces;
        for axis in 0..3 {
            bvh.inner_mut().nodes[node].faces[axis] = [[f32::MIN; 8], [f32::MAX; 8]];
        }
        let tag = &mut bvh.inner_mut().nodes[node].tags[lane];
        *tag = Tag::new(lane, Tag(*tag).len() - 1).0;
    });
    assert!(matches!(
        shorter,
        ValidateError::Misplaced { .. } | ValidateError::Sticks { .. }
    ));
}

#[test]
fn boxes_without_a_child_are_found() {
    let mut bvh = row_of(3);
    let root = &mut bvh.inner_mut().nodes[0];
    let lane = root.lanes().len();
    for axis in 0..3 {
        root.faces[axis][0][lane] = -1.0;
        root.faces[axis][1][lane] = 1.0;
    }
    assert_eq!(bvh.validate(), Err(ValidateError::NoChild { node: 0 }));
    for tag in [Tag::new(1, 1), Tag::new(0, 9), Tag(1 << 7)] {
        let wrong = broken(|bvh| bvh.inner_mut().nodes[0].tags[0] = tag.0);
        assert_eq!(wrong, ValidateError::NoChild { node: 0 });
    }
}

#[test]
fn arrays_of_the_wrong_length_are_found() {
    let lengths: [fn(&mut Vec<u32>); 4] = [
        |numbers| numbers.truncate(numbers.len() - 1),
        |numbers| numbers.push(0),
        |numbers| numbers.truncate(10 * 199 + 8),
        Vec::clear,
    ];
    for cut in lengths {
        let error = broken(|bvh| change(&mut bvh.inner_mut().leaves, cut));
        assert_eq!(error, ValidateError::WrongLength { triangles: 200 });
    }
    let none = Bvh::build(&Mesh::default());
    assert_eq!(none.validate(), Ok(()));
}

#[test]
fn names_that_are_not_each_there_once_are_found() {
    let last_name = 10 * 200 - 1;
    for flip in [1, 1 << 20, 1 << 30, 1 << 31] {
        let rename = |numbers: &mut Vec<u32>| numbers[last_name] ^= flip;
        let error = broken(|bvh| change(&mut bvh.inner_mut().leaves, rename));
        assert!(matches!(error, ValidateError::Misnamed { .. }), "{error}");
    }
}

#[test]
fn corners_that_no_mesh_has_are_found() {
    for odd in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in 0..9 {
            let error = broken(|bvh| {
                // Slot 0 is the first triangle of its leaf.
                let (node, lane) = lane_of(bvh, |c| matches!(c, Child::Leaf { first: 0, .. }));
                let Child::Leaf { len, .. } = bvh.inner().nodes[node].child(lane) else {
                    unreachable!("a leaf was asked for")
                };
                let make_odd = |numbers: &mut Vec<u32>| numbers[place * len] = odd.to_bits();
                change(&mut bvh.inner_mut().leaves, make_odd);
            });
            assert_eq!(error, ValidateError::Foreign { slot: 0 }, "{odd}");
        }
    }
    // Times 2^-126 this has more bits than an f32 of that size.
    let tiny = [[0.0; 3], [1e-38, 0.0, 0.0], [0.0, 1e-38, 0.0]];
    let mut bvh = Bvh::build(&Mesh::try_new(tiny, [[0, 1, 2]]).unwrap());
    assert_eq!(bvh.validate(), Ok(()));
    assert!(!bvh.inner().scale.is_one());
    change(&mut bvh.inner_mut().leaves, |numbers| {
        numbers[0] = (2f32.powi(-20) * 1.234_567_8).to_bits();
    });
    assert_eq!(bvh.validate(), Err(ValidateError::Foreign { slot: 0 }));
}

#[test]
fn trees_that_do_not_know_their_size_are_found() {
    let huge = [[0.0; 3], [1e30, 0.0, 0.0], [0.0, 1e30, 0.0]];
    let huge = Bvh::build(&Mesh::try_new(huge, [[0, 1, 2]]).unwrap());
    let huge = huge.inner().scale;
    let changes: [&dyn Fn(&mut WideTree); 5] = [
        &|tree| tree.measures.reach = tree.measures.reach.next_down(),
        &|tree| tree.measures.far *= 2.0,
        &|tree| tree.measures.usual = f32::INFINITY,
        &|tree| tree.nodes[0].faces[1][0][0] -= 1.0,
        // `usual` says that kernels may ignore the scale.
        &|tree| tree.scale = huge,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let error = broken(|bvh| change(bvh.inner_mut()));
        assert_eq!(error, ValidateError::Mismeasured, "change {number}");
    }
    // Another scale is that of another mesh, and valid if everything else fits.
    let bvh = row_of(200);
    let WideTree { nodes, leaves, .. } = bvh.into_inner();
    let other = Bvh::from_inner(WideTree::new(nodes, leaves, huge));
    assert_eq!(other.validate(), Ok(()));
}

/// Returns a leaf of eight triangles, in a box without limits.
fn eight(corner: impl Fn(u32, usize) -> f32) -> Bvh {
    let of = |i: u32| [0, 1, 2].map(|axis| corner(i / 3, (3 * (i % 3) + axis) as usize));
    let corners: Vec<[f32; 3]> = (0..24).map(of).collect();
    let faces = (0..8).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let triangles = Mesh::try_new(corners, faces).unwrap();
    let triangles = triangles.triangles().enumerate();
    let named = triangles.map(|(i, t)| (PrimId::from_index(i).unwrap(), t));
    let mut leaves = LeafWriter::with_triangles(8);
    leaves.write(0, named.collect::<Vec<_>>().into_iter());
    let mut root = Node::EMPTY;
    let (min, max) = EVERYWHERE;
    root.set(0, min, max, Child::Leaf { first: 0, len: 8 });
    let tree = WideTree::new(Arena::of(vec![root]), leaves.finish(), Scale::default());
    let bvh = Bvh::from_inner(tree);
    assert_eq!(bvh.validate(), Ok(()));
    bvh
}

const EVERYWHERE: ([f32; 3], [f32; 3]) = ([f32::MIN / 4.0; 3], [f32::MAX / 4.0; 3]);

/// Splits the leaf in two, which read the same numbers in other rows.
fn in_halves(mut bvh: Bvh) -> Bvh {
    let root = &mut bvh.inner_mut().nodes[0];
    let (min, max) = EVERYWHERE;
    root.set(0, min, max, Child::Leaf { first: 0, len: 4 });
    root.set(1, min, max, Child::Leaf { first: 4, len: 4 });
    Bvh::from_inner(bvh.into_inner())
}

/// Ids become coordinates and coordinates ids: hardly ever is each id there once.
#[test]
fn leaves_that_are_parted_elsewhere_are_found() {
    let usual = eight(|triangle, place| triangle as f32 + 0.25 * place as f32);
    let error = in_halves(usual).validate().unwrap_err();
    assert!(matches!(error, ValidateError::Misnamed { .. }), "{error}");
}

/// If each id is there once, this is a valid tree of other triangles, and answers for these: there
/// is only one way to read leaves.
#[test]
fn leaves_that_can_be_read_in_another_way_are_trees_of_that() {
    // Rows of eight; the first leaf of four reads its ids from the second half of the fifth row,
    // the coordinate 4, and the second leaf from the second half of the tenth, the ids.
    let spells = |name: u32| f32::from_bits(name ^ (1 << 30));
    let other = in_halves(eight(|triangle, place| match (place, triangle) {
        (4, 4..) => spells(triangle - 4),
        _ => (triangle * 7 % 5) as f32 - 0.5 * (place * place % 11) as f32,
    }));
    assert_eq!(other.validate(), Ok(()));
    let held = held_by(&other);
    let mut hits = 0;
    for i in 0..800_u32 {
        let [x, y, z] = [7, 11, 13].map(|k| (i * k % 17) as f32 * 0.5 - 4.0);
        let ray = Ray::new([x, y, z], [y - z, 1.0, x + z]).with_interval(-99.0, 99.0);
        let expected = held.all_hits(&ray);
        hits += expected.len();
        for level in SimdLevel::available() {
            let other = other.clone().with_simd_level(level);
            assert_eq!(other.all_hits(&ray), expected, "{level}: {ray:?}");
            assert_eq!(other.count_hits(&ray), expected.len(), "{level}: {ray:?}");
        }
    }
    assert!(hits > 100, "{hits}");
}

/// Returns brute force over the triangles of a valid tree.
fn held_by(bvh: &Bvh) -> BruteForce {
    let mut held: Vec<(PrimId, Triangle)> = bvh.triangles_by_leaf().collect();
    held.sort_by_key(|(prim, _)| *prim);
    let is_named = |(i, (prim, _)): (usize, &(PrimId, Triangle))| prim.index() == i;
    assert!(held.iter().enumerate().all(is_named));
    BruteForce::new(held.into_iter().map(|(_, t)| t).collect::<Vec<_>>())
}
