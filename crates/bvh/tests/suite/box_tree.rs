//! Trees over boxes, whose items move.

use estoc_bvh::object_space::{BoxTree, ItemSink, MappedRay, Visited, WideBounds};
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

#[test]
fn all_items_are_found_where_they_have_moved_to() {
    // In no order, so that leaves are in another one.
    let at = |i: u32| 2.0 * f64::from(i * 37 % 200);
    let boxes = (0..200).map(|i| (i, cube([at(i), 0.0, 0.0])));
    let mut tree = BoxTree::build(boxes.collect()).expect("memory");
    let numbers = tree.number_by_leaves();
    for step in 1..10 {
        let y = 3.0 * f64::from(step);
        let moved = numbers.iter().map(|&number| cube([at(number), y, 0.0]));
        assert!(tree.refit_all(&moved.collect::<Vec<_>>()));
        for (item, &number) in (0..).zip(&numbers) {
            let [from, before] = [y, y - 3.0].map(|y| [at(number) + 0.5, y + 0.5, -1.0]);
            assert_eq!(found(&tree, from), [item]);
            assert_eq!(found(&tree, before), [0; 0]);
        }
    }
    // They are as large as before, but far from their neighbours; the first time is no measure of the second.
    for _ in 0..2 {
        let apart = numbers.iter().map(|&number| {
            let aside = f64::from(number * 7 % 20) * 40.0;
            cube([at(number), aside, 0.0])
        });
        assert!(!tree.refit_all(&apart.collect::<Vec<_>>()));
    }
    assert!(!tree.refit_all(&[[[0.0; 3], [1.0; 3]]]));
    assert!(!tree.refit_all(&[[[0.0; 3], [1e30; 3]]; 200]));
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
