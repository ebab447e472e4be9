//! Trees over boxes, whose items move.

use estoc_bvh::object_space::{
    BoxTree, InverseMap, ItemSink, MappedRay, PlacedItem, PlacedItems, PlacedObject, PlacedWorld,
    Visited, WideBounds,
};
use std::cell::RefCell;
use std::collections::BTreeSet;

struct Found(Vec<u32>);

impl ItemSink for Found {
    fn enter(&mut self, item: u32, _: f64) -> Visited {
        self.0.push(item);
        Some(f64::INFINITY)
    }
}

fn cube(at: [f64; 3]) -> WideBounds {
    [at, at.map(|x| x + 1.0)]
}

fn found(tree: &BoxTree, from: [f64; 3]) -> Vec<u32> {
    let ray = MappedRay {
        origin: from,
        dir: [0.0, 0.0, 1.0],
        origin_error: 0.0,
        dir_error: 0.0,
        start: 0.0,
        t_min: 0.0,
    };
    let mut sink = Found(Vec::new());
    tree.visit(&ray, None, f64::INFINITY, &mut sink)
        .expect("fit for f32");
    sink.0.sort_unstable();
    sink.0
}

#[test]
fn moved_items_are_found_where_they_are() {
    // Every third number is used.
    let boxes = (0..200).map(|i| (3 * i, cube([2.0 * f64::from(i), 0.0, 0.0])));
    let mut tree = BoxTree::build(boxes.collect()).expect("memory");
    assert_eq!(found(&tree, [20.5, 0.5, -1.0]), [30]);
    let moved = [
        (30, cube([40.0, 3.0, 0.0])),
        (33, cube([5.0, 5.0, 5.0])),
        (30, cube([7.0, 4.0, 0.0])),
    ];
    assert!(tree.refit(&moved));
    assert_eq!(found(&tree, [20.5, 0.5, -1.0]), [0; 0]);
    assert_eq!(found(&tree, [40.5, 3.5, -1.0]), [0; 0]);
    assert_eq!(found(&tree, [7.5, 4.5, -1.0]), [30]);
    assert_eq!(found(&tree, [5.5, 5.5, -1.0]), [33]);
    assert_eq!(found(&tree, [60.5, 0.5, -1.0]), [90]);
    // No such item, and one beyond the frame.
    assert!(!tree.refit(&[(1, cube([0.0; 3]))]));
    assert!(!tree.refit(&[(3, cube([1e30; 3]))]));
    // Boxes that have become much larger are worth another tree.
    let spread: Vec<_> = (0..200)
        .map(|i| (3 * i, [[-500.0; 3], [900.0; 3]]))
        .collect();
    assert!(!tree.refit(&spread));
}

fn item(number: u32) -> PlacedItem {
    PlacedItem {
        inverse: InverseMap::NONE,
        object: PlacedObject::Other(number),
    }
}

/// Returns a world of cubes at these places.
fn world_of(places: impl Iterator<Item = [f64; 3]>) -> PlacedWorld {
    let mut tree = BoxTree::build(boxes_at(places)).expect("memory");
    let items = PlacedItems::of(&tree.number_by_leaves(), item);
    PlacedWorld { tree, items }
}

/// Returns cubes, of which every third number is used.
fn boxes_at(places: impl Iterator<Item = [f64; 3]>) -> Vec<(u32, WideBounds)> {
    let numbered = (0..).zip(places);
    numbered.map(|(i, place)| (3 * i, cube(place))).collect()
}

#[test]
fn all_items_are_found_where_they_have_moved_to() {
    let at = |i: u32, y: f64| [2.0 * f64::from(i * 37 % 200), y, 0.0];
    let mut world = world_of((0..200).map(|i| at(i, 0.0)));
    for step in 1..10 {
        let y = 3.0 * f64::from(step);
        assert!(world.refit_all(&boxes_at((0..200).map(|i| at(i, y))), item));
        for i in 0..200 {
            let found = |y| {
                let [x, y, _] = at(i, y);
                let items = found(&world.tree, [x + 0.5, y + 0.5, -1.0]);
                let numbers = items.iter().map(|&item| world.items.at(item).number());
                numbers.collect::<Vec<_>>()
            };
            assert_eq!((found(y), found(y - 3.0)), (vec![3 * i], vec![]), "{step}");
        }
    }
}

#[test]
fn a_tree_is_built_again_where_a_refit_does_not_pay() {
    let row = |i: u32| [2.0 * f64::from(i), 0.0, 0.0];
    let shuffled = |i: u32| f64::from(i * 77 % 200);
    let no_gain = |places: &dyn Fn(u32) -> [f64; 3]| {
        let mut world = world_of((0..200).map(row));
        // The first time is no measure of the second.
        for _ in 0..2 {
            assert!(!world.refit_all(&boxes_at((0..200).map(places)), item));
        }
    };
    // Far from their neighbours; the same in less space; where another frame is fit.
    no_gain(&|i| [2.0 * f64::from(i), 40.0 * (shuffled(i) % 20.0), 0.0]);
    no_gain(&|i| {
        [
            1e-3 * shuffled(i),
            1e-3 * f64::from(i),
            1e-3 * (shuffled(i) % 9.0),
        ]
    });
    no_gain(&|i| row(i).map(|x| x + 1e5));
    no_gain(&|i| [row(i)[0], 0.0, if i == 7 { 1e30 } else { 0.0 }]);
    let mut far = world_of((0..200).map(|i| row(i).map(|x| x + 1e5)));
    assert!(!far.tree.has_placed_walk());
    assert!(!far.refit_all(&boxes_at((0..200).map(row)), item));
    // Gathered, then shuffled there.
    let mut world = world_of((0..200).map(|i| row(i).map(|x| 10.0 * x)));
    assert!(world.refit_all(&boxes_at((0..200).map(row)), item));
    let there = |i: u32| [2.0 * shuffled(i), 0.0, 0.0];
    assert!(!world.refit_all(&boxes_at((0..200).map(there)), item));
    // One is missing.
    let mut world = world_of((0..200).map(row));
    let mut boxes = boxes_at((0..200).map(row));
    boxes.remove(50);
    assert!(!world.refit_all(&boxes, item));
}

/// Notes which items it is told of.
#[derive(Default)]
struct Told {
    of: RefCell<BTreeSet<u32>>,
    before: Vec<bool>,
}

impl ItemSink for Told {
    fn prefetch(&self, item: u32) {
        self.of.borrow_mut().insert(item);
    }

    fn enter(&mut self, item: u32, _: f64) -> Visited {
        self.before.push(self.of.get_mut().contains(&item));
        Some(f64::INFINITY)
    }
}

#[test]
fn a_large_tree_tells_of_items_before_they_are_entered() {
    for (items, is_large) in [(200, false), (20_000, true)] {
        let boxes = (0..items).map(|i| (i, cube([2.0 * f64::from(i), f64::from(i % 7), 0.0])));
        let tree = BoxTree::build(boxes.collect()).expect("memory");
        let ray = MappedRay {
            origin: [-1.0, 1.5, 0.5],
            dir: [1.0, 0.0, 0.0],
            origin_error: 0.0,
            dir_error: 0.0,
            start: 0.0,
            t_min: 0.0,
        };
        let mut sink = Told::default();
        tree.visit(&ray, None, f64::INFINITY, &mut sink)
            .expect("fit for f32");
        assert!(sink.before.len() >= items as usize / 7);
        assert!(sink.before.iter().all(|&told| told == is_large));
    }
}
