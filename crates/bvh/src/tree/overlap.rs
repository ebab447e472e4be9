//! How much surface lies in boxes that it does not belong to.
//!
//! A ray that ends on a surface visits every box around its end point, also those whose triangles
//! are elsewhere. The surface area heuristic, which is about rays that pass through, does not
//! account for that (Aila, Karras and Laine 2013, "On Quality Metrics of Bounding Volume
//! Hierarchies", section 3).

use super::Bvh;
use crate::wide::{Child, LEAF_COST, NODE_COST, Node, WIDTH, WideTree};
use estoc_core::Triangle;
use estoc_parallel::prelude::*;

/// Nodes whose leaves one task handles. Each task has one sum, and these are added in the order of
/// the nodes, so that the result does not depend on the number of threads.
const NODES_A_TASK: usize = 64;

impl Bvh {
    /// Returns the end-point overlap (EPO): the cost, averaged over the points of the surface, of
    /// the nodes and leaves whose boxes contain the point but do not hold its triangle. The unit is
    /// that of [`sah_cost`](crate::BvhStats::sah_cost): a node counts 1 and a leaf 0.8.
    ///
    /// Each triangle is clipped in `f64` by each box that it reaches into, so the result is right
    /// to about twelve digits. Boxes are closed, and are those of the tree, with the margin that
    /// kernels need: a triangle in the face of a box lies in the box. Triangles without area do not
    /// count. The result is 0 if no triangle has any area, or if there are no triangles.
    ///
    /// This takes about as long as building the tree, or several times as long where large
    /// triangles reach through many boxes. It runs in the rayon pool of the caller; without the
    /// feature `rayon`, on the calling thread. The result is the same to the bit for any number of
    /// threads.
    ///
    /// ```
    /// # mod estoc { pub use estoc_bvh::*; pub mod demo { pub use estoc_demo::*; } }
    /// use estoc::{Bvh, demo::DemoSpec};
    /// let sheet: DemoSpec = "terrain?n=2000".parse()?;
    /// let sphere: DemoSpec = "sphere?n=2000".parse()?;
    /// // Boxes part a nearly level sheet cleanly, and a surface that turns all ways less so.
    /// let [sheet, sphere] = [sheet, sphere].map(|scene| Bvh::build(&scene.mesh()));
    /// assert!(sheet.end_point_overlap() < sphere.end_point_overlap());
    /// # Ok::<(), estoc::demo::DemoError>(())
    /// ```
    pub fn end_point_overlap(&self) -> f64 {
        let tree = &self.tree;
        let above = parents(tree);
        let sums: Vec<Sums> = tree
            .nodes
            .par_chunks(NODES_A_TASK)
            .enumerate()
            .map_init(Scratch::default, |scratch, (task, nodes)| {
                let first = task * NODES_A_TASK;
                let mut sums = Sums::default();
                for (i, node) in nodes.iter().enumerate() {
                    add_leaves(tree, &above, first + i, node, scratch, &mut sums);
                }
                sums
            })
            .collect();
        let area: f64 = sums.iter().map(|sums| sums.area).sum();
        let overlap: f64 = sums.iter().map(|sums| sums.overlap).sum();
        match area > 0.0 {
            true => overlap / area,
            false => 0.0,
        }
    }
}

/// Sums over triangles.
#[derive(Default)]
struct Sums {
    area: f64,
    /// Area times the cost of the foreign boxes that it lies in.
    overlap: f64,
}

/// Reused memory.
#[derive(Default)]
struct Scratch {
    /// The path from the root to the node whose leaves are examined.
    way: Vec<usize>,
    /// Nodes to visit, each with its index in the path if it is on it.
    pending: Vec<(usize, Option<usize>)>,
    polygon: Polygon,
}

/// Returns the parent of each node; the root is its own parent.
fn parents(tree: &WideTree) -> Vec<u32> {
    let mut above = vec![0; tree.nodes.len()];
    for (place, node) in tree.nodes.iter().enumerate() {
        for lane in node.lanes() {
            if let Child::Node(below) = node.child(lane) {
                above[below] = place as u32;
            }
        }
    }
    above
}

/// Adds the triangles in the leaves of a node.
fn add_leaves(
    tree: &WideTree,
    above: &[u32],
    place: usize,
    node: &Node,
    scratch: &mut Scratch,
    sums: &mut Sums,
) {
    let way = &mut scratch.way;
    way.clear();
    way.push(place);
    let mut top = place;
    while top != 0 {
        top = above[top] as usize;
        way.push(top);
    }
    way.reverse();
    for lane in node.lanes() {
        if let Child::Leaf { first, len } = node.child(lane) {
            let leaves = tree.view();
            for slot in 0..len {
                let triangle = leaves.scaled_triangle(first, len, slot);
                add_triangle(tree, &triangle, lane, scratch, sums);
            }
        }
    }
}

/// Adds one triangle of the leaf in lane `leaf_lane` of the last node of the path.
fn add_triangle(
    tree: &WideTree,
    triangle: &Triangle,
    leaf_lane: usize,
    scratch: &mut Scratch,
    sums: &mut Sums,
) {
    let Scratch {
        way,
        pending,
        polygon,
    } = scratch;
    let corners = triangle.corners().map(|p| p.to_array());
    let least = [0, 1, 2].map(|i| corners[0][i].min(corners[1][i]).min(corners[2][i]));
    let most = [0, 1, 2].map(|i| corners[0][i].max(corners[1][i]).max(corners[2][i]));
    let corners = corners.map(|p| p.map(f64::from));
    let area = area(&corners);
    if area <= 0.0 {
        return;
    }
    sums.area += area;
    pending.push((0, Some(0)));
    while let Some((place, on_way)) = pending.pop() {
        let node = &tree.nodes[place];
        let reached = reached(node, least, most);
        for lane in node.lanes().filter(|&lane| reached[lane]) {
            let child = node.child(lane);
            if let Some(step) = on_way {
                match (child, way.get(step + 1)) {
                    (Child::Node(below), Some(&next)) if below == next => {
                        pending.push((below, Some(step + 1)));
                        continue;
                    }
                    (Child::Leaf { .. }, None) if lane == leaf_lane => continue,
                    _ => {}
                }
            }
            let (low, high) = node.bounds(lane);
            let inside = polygon.area_within(&corners, [least, most], [low, high], area);
            if inside <= 0.0 {
                continue;
            }
            match child {
                Child::Leaf { .. } => sums.overlap += inside * LEAF_COST,
                Child::Node(below) => {
                    sums.overlap += inside * NODE_COST;
                    pending.push((below, None));
                }
            }
        }
    }
}

/// Returns which lanes' boxes meet this one. The box of a lane without a child meets none.
fn reached(node: &Node, least: [f32; 3], most: [f32; 3]) -> [bool; WIDTH] {
    let mut reached = [true; WIDTH];
    for axis in 0..3 {
        let [low, high] = &node.faces[axis];
        for lane in 0..WIDTH {
            reached[lane] &= low[lane] <= most[axis] && least[axis] <= high[lane];
        }
    }
    reached
}

type Point = [f64; 3];

/// The part of a triangle that remains while it is clipped.
#[derive(Default)]
struct Polygon {
    corners: Vec<Point>,
    /// The corners after the next cut.
    cut: Vec<Point>,
}

impl Polygon {
    /// Returns the area of the triangle within a box. `least` and `most` are the corners of the
    /// triangle's own box, and `whole` is its area.
    fn area_within(
        &mut self,
        corners: &[Point; 3],
        [least, most]: [[f32; 3]; 2],
        [low, high]: [[f32; 3]; 2],
        whole: f64,
    ) -> f64 {
        let inside = |axis: usize| low[axis] <= least[axis] && most[axis] <= high[axis];
        if (0..3).all(inside) {
            return whole;
        }
        self.corners.clear();
        self.corners.extend(corners);
        for axis in 0..3 {
            if least[axis] < low[axis] {
                self.keep(axis, f64::from(low[axis]), |x, face| x >= face);
            }
            if most[axis] > high[axis] {
                self.keep(axis, f64::from(high[axis]), |x, face| x <= face);
            }
        }
        // Rounding must not make a part larger than the whole.
        area(&self.corners).min(whole)
    }

    /// Clips off what is outside of a face of the box (Sutherland and Hodgman 1974).
    fn keep(&mut self, axis: usize, face: f64, is_inside: impl Fn(f64, f64) -> bool) {
        let Some(mut before) = self.corners.last().copied() else {
            return;
        };
        self.cut.clear();
        for &corner in &self.corners {
            let [from, to] = [before, corner].map(|p| p[axis]);
            let is_here = is_inside(to, face);
            if is_inside(from, face) != is_here {
                let share = (face - from) / (to - from);
                let mut point = [0, 1, 2].map(|i| before[i] + share * (corner[i] - before[i]));
                point[axis] = face;
                self.cut.push(point);
            }
            if is_here {
                self.cut.push(corner);
            }
            before = corner;
        }
        std::mem::swap(&mut self.corners, &mut self.cut);
    }
}

/// Returns the area of a flat convex polygon. The squares of even the smallest and the largest
/// areas that `f32` corners can span are normal numbers in `f64`.
pub fn area(corners: &[Point]) -> f64 {
    let Some((first, rest)) = corners.split_first() else {
        return 0.0;
    };
    let mut doubled = [0.0; 3];
    for pair in rest.windows(2) {
        let [u, v] = [pair[0], pair[1]].map(|p| [0, 1, 2].map(|i| p[i] - first[i]));
        for (i, sum) in doubled.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            *sum += u[j] * v[k] - u[k] * v[j];
        }
    }
    let [x, y, z] = doubled;
    0.5 * (x * x + y * y + z * z).sqrt()
}
