//! A tree as the words that the kernel reads.
//!
//! A node is twenty words, as in Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed
//! Wide BVHs" (2017), but for their order: the lower corner of the node, three exponents and a bit for each child that is a
//! node, the place of the first of these, that of the first triangle of the leaves, the number of triangles of each leaf in
//! four bits, a bit for each child that there is, and the planes of their boxes, a byte each, in units of two to the exponents.
//! Children have numbers whose bits say on which side of the node they are along each axis, as far as possible, so that a
//! ray takes them from near to far by numbers alone.
//!
//! A triangle is twelve words: a corner, its id, and both edges from that corner, each with a word that is not used.

use crate::candidates::MOST_TRIANGLES;
use crate::frame::Frame;
use crate::gpu_error::GpuError;
use estoc_bvh::{Bvh, ChildView};
use estoc_core::PrimId;

/// The number of words of a node.
pub(crate) const NODE_WORDS: usize = 20;
/// The number of words of a triangle.
pub const TRIANGLE_WORDS: usize = 12;
/// The least exponent of a plane's unit. Boxes are tested with more slack than such a unit.
const LEAST_EXPONENT: i32 = -60;

/// A tree as the kernel reads it.
#[derive(Debug)]
pub struct TreeWords {
    /// Those of its nodes.
    pub nodes: Vec<u32>,
    /// Those of its triangles.
    pub triangles: Vec<u32>,
    /// What the kernel must know beside them.
    pub frame: Frame,
}

type Box3 = ([f32; 3], [f32; 3]);

const EMPTY: Box3 = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);

fn joined(a: &Box3, b: &Box3) -> Box3 {
    let of = |axis: usize| (a.0[axis].min(b.0[axis]), a.1[axis].max(b.1[axis]));
    let [x, y, z] = [0, 1, 2].map(of);
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}

/// A child before it has a number.
enum Child {
    /// By its place in the tree.
    Node(usize),
    Leaf(Vec<PrimId>),
}

impl TreeWords {
    /// Returns the bytes that the words of a tree take, on the device too. The number of nodes is that of the tree.
    pub fn bytes(bvh: &Bvh) -> u64 {
        4 * (bvh.nodes().len() * NODE_WORDS + bvh.triangle_count() * TRIANGLE_WORDS) as u64
    }

    /// Makes the words of a tree.
    ///
    /// # Errors
    /// [`GpuError::NoMemory`] if there is no room for them; [`GpuError::TooLarge`] if there are more triangles than numbers.
    pub fn of(bvh: &Bvh) -> Result<Self, GpuError> {
        if bvh.triangle_count() > MOST_TRIANGLES {
            let limit = 4 * TRIANGLE_WORDS as u64 * MOST_TRIANGLES as u64;
            let bytes = TreeWords::bytes(bvh);
            return Err(GpuError::TooLarge { bytes, limit });
        }
        let frame = Frame::of(bvh);
        let mut words = TreeWords {
            nodes: Vec::new(),
            triangles: Vec::new(),
            frame,
        };
        let count = bvh.nodes().len();
        let (mut views, mut boxes, mut order) = (Vec::new(), Vec::new(), Vec::new());
        let no_memory = |_| GpuError::NoMemory {
            bytes: TreeWords::bytes(bvh),
        };
        views.try_reserve_exact(count).map_err(no_memory)?;
        boxes.try_reserve_exact(count).map_err(no_memory)?;
        order.try_reserve_exact(count).map_err(no_memory)?;
        (words.nodes.try_reserve_exact(count * NODE_WORDS)).map_err(no_memory)?;
        (words
            .triangles
            .try_reserve_exact(bvh.triangle_count() * TRIANGLE_WORDS))
        .map_err(no_memory)?;

        // Those of children, which have greater places, are known before that of their parent.
        views.extend(bvh.nodes());
        boxes.resize(count, EMPTY);
        for (place, view) in views.iter().enumerate().rev() {
            for (_, child) in view.children() {
                let bounds = match child {
                    ChildView::Node(child) => boxes[child],
                    ChildView::Leaf(prims) => prims
                        .map(|prim| words.box_of(bvh, prim))
                        .fold(EMPTY, |a, b| joined(&a, &b)),
                };
                boxes[place] = joined(&boxes[place], &bounds);
            }
        }
        if let Some((low, high)) = boxes.first().filter(|(low, high)| low <= high) {
            words.frame.bounds = [*low, *high];
        }

        // The nodes in the order of their numbers here: those below one node have successive numbers.
        order.extend((count > 0).then_some(0));
        let mut done = 0;
        while let Some(&place) = order.get(done) {
            done += 1;
            let children = views[place].children().map(|(_, child)| match child {
                ChildView::Node(child) => (boxes[child], Child::Node(child)),
                ChildView::Leaf(prims) => {
                    let prims = Vec::from_iter(prims);
                    let bounds = prims.iter().map(|&prim| words.box_of(bvh, prim));
                    (
                        bounds.fold(EMPTY, |a, b| joined(&a, &b)),
                        Child::Leaf(prims),
                    )
                }
            });
            let children = numbered(&boxes[place], children.collect());
            let first_node = order.len();
            words.push_node(&boxes[place], first_node, &children);
            for (_, child) in children.into_iter().flatten() {
                match child {
                    Child::Node(child) => order.push(child),
                    Child::Leaf(prims) => prims
                        .iter()
                        .for_each(|&prim| words.push_triangle(bvh, prim)),
                }
            }
        }
        Ok(words)
    }

    fn corners(&self, bvh: &Bvh, prim: PrimId) -> [[f64; 3]; 3] {
        // Every id of a leaf is that of a triangle.
        let corners = bvh.triangle(prim).map(|triangle| triangle.corners());
        corners.map_or([[0.0; 3]; 3], |corners| {
            corners.map(|p| p.as_dvec3().to_array())
        })
    }

    fn box_of(&self, bvh: &Bvh, prim: PrimId) -> Box3 {
        let corners = self
            .corners(bvh, prim)
            .map(|p| p.map(|x| self.frame.scaled(x)));
        corners
            .iter()
            .fold(EMPTY, |bounds, &p| joined(&bounds, &(p, p)))
    }

    fn push_triangle(&mut self, bvh: &Bvh, prim: PrimId) {
        let frame = self.frame;
        let corners = self.corners(bvh, prim);
        let corner = corners[0].map(|x| frame.scaled(x).to_bits());
        let edge = |to: usize| {
            [0, 1, 2].map(|axis| frame.scaled(corners[to][axis] - corners[0][axis]).to_bits())
        };
        self.triangles.extend(corner);
        self.triangles.push(prim.get());
        for to in [1, 2] {
            self.triangles.extend(edge(to));
            self.triangles.push(0);
        }
    }

    fn push_node(
        &mut self,
        (low, high): &Box3,
        first_node: usize,
        children: &[Option<(Box3, Child)>; 8],
    ) {
        let exponents =
            [0, 1, 2].map(|axis| unit_exponent(f64::from(high[axis]) - f64::from(low[axis])));
        let (mut planes, mut are_nodes, mut exist, mut sizes) = ([[[0u8; 8]; 3]; 2], 0, 0, 0);
        for (number, child) in children.iter().enumerate() {
            let Some((bounds, child)) = child else {
                continue;
            };
            exist |= 1u32 << number;
            match child {
                Child::Node(_) => are_nodes |= 1u32 << number,
                Child::Leaf(prims) => sizes |= (prims.len() as u32) << (4 * number),
            }
            for axis in 0..3 {
                // Off by a rounding of `f64`, far less than what the kernel grants.
                let unit = 2f64.powi(exponents[axis]);
                let of = |x: f32| (f64::from(x) - f64::from(low[axis])) / unit;
                planes[0][axis][number] = of(bounds.0[axis]).floor().clamp(0.0, 255.0) as u8;
                planes[1][axis][number] = of(bounds.1[axis]).ceil().clamp(0.0, 255.0) as u8;
            }
        }
        let [x, y, z] = exponents.map(|e| (e + 127) as u32);
        let words = &mut self.nodes;
        words.extend(low.map(f32::to_bits));
        words.push(x | y << 8 | z << 16 | are_nodes << 24);
        words.extend([
            first_node as u32,
            (self.triangles.len() / TRIANGLE_WORDS) as u32,
            sizes,
            exist,
        ]);
        for bytes in planes.as_flattened() {
            let (four, _) = bytes.as_chunks::<4>();
            words.extend(four.iter().map(|&four| u32::from_le_bytes(four)));
        }
    }
}

/// Returns the least exponent for which a plane at this distance has a number of a byte.
fn unit_exponent(size: f64) -> i32 {
    let least = (size / 255.0).log2().ceil().max(f64::from(LEAST_EXPONENT)) as i32;
    // The logarithm may be rounded down to a whole number.
    least + i32::from(size > 255.0 * 2f64.powi(least))
}

/// Gives the children numbers: the one that is farthest along a diagonal of the node has that diagonal's number, then the
/// next of those that are left.
fn numbered((low, high): &Box3, children: Vec<(Box3, Child)>) -> [Option<(Box3, Child)>; 8] {
    let mut ways = Vec::new();
    for (child, (bounds, _)) in children.iter().enumerate() {
        for number in 0..8usize {
            let along = |axis: usize| {
                let from_middle = f64::from(bounds.0[axis]) + f64::from(bounds.1[axis])
                    - f64::from(low[axis])
                    - f64::from(high[axis]);
                match number >> axis & 1 {
                    0 => -from_middle,
                    _ => from_middle,
                }
            };
            ways.push((along(0) + along(1) + along(2), child, number));
        }
    }
    let mut left: Vec<_> = children.into_iter().map(Some).collect();
    let mut numbered = [const { None }; 8];
    // Each time the first of the farthest ones: a sort would be much code.
    while let Some(&(_, child, number)) = ways.iter().rev().max_by(|a, b| a.0.total_cmp(&b.0)) {
        numbered[number] = left[child].take();
        ways.retain(|&(_, of, to)| of != child && to != number);
    }
    numbered
}
