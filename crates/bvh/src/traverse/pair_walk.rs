//! Traversal of two trees for the nearest triangles of both (Larsen, Gottschalk, Lin and Manocha 1999,
//! "Fast proximity queries with swept sphere volumes").
//!
//! A pair of boxes that is nearer than the least distance known is split into those of one box with the
//! children of the other, the larger one; nearer pairs come first. Of two leaves, pairs of triangles are
//! compared first by their boxes and along the direction in which the nearest pair so far is apart, then by
//! bounds of their distance (`pair_bounds.rs`); the few that may be the nearest wait, and are certified at
//! the end. Along that direction the boxes of a node are compared with the triangles of a leaf, too. A traversal
//! that takes long is divided among threads, which share the least distance known. No pair that may be the
//! nearest is left out, so neither threads nor their order change the answer.
//!
//! A squared distance of boxes in `f64` has five roundings of v = 2^-53, and gaps of one each that
//! count twice; 16v are granted. What underflows makes it less than it should be, or is less than the least
//! normal number, by which limits are larger, but for those of 0 and of a greatest distance, which are exact.

use super::pair_bounds::{Direction, PairDistance, Reach, pair_distance};
use super::pair_leaf::LeafLanes;
use super::pair_queue::{Apart, PairBounds, Waiting};
use super::pair_space::{LANES, PairSpace, Wide};
use crate::simd_level::at_level;
use crate::wide::{Child, Node, WIDTH, WideTree};
use arrayvec::ArrayVec;
use estoc_core::glam::DVec3;
use estoc_core::{
    CancelToken, InlineMap, NearestPair, PairTriangle, PrimId, larger, smaller, sort_compactly,
};
use estoc_system::parallel::{current_num_threads, join};
use fearless_simd::{Level, Simd};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most pairs that wait to be certified.
const CANDIDATES: usize = 64;

/// The steps after which a traversal is divided.
const STEPS: usize = 1024;

/// How often a traversal is divided, one part after the other: for more threads than there are.
const DEEPEST: u8 = 24;

/// Finds the nearest triangles of two trees; `None` if the token was set before they were known.
/// `direction` is about the one from the second to the first, if it is known; it changes no answer.
pub(crate) fn nearest_pair<S: PairSpace>(
    level: Level,
    sides: [(&WideTree, &S); 2],
    nearest: NearestPair<S::Measured>,
    direction: Option<DVec3>,
    cancel: &CancelToken,
) -> Option<NearestPair<S::Measured>> {
    if sides.iter().any(|(tree, _)| tree.nodes.is_empty()) {
        return Some(nearest);
    }
    let roots = sides.map(|(tree, space)| {
        let [min, max] = tree.bounds();
        let boxes = [0, 1, 2].map(|axis: usize| [[min[axis]; WIDTH], [max[axis]; WIDTH]]);
        (Child::Node(0), bounds_of(&space.boxes(boxes), 0))
    });
    let [base, other] =
        roots.map(|(_, [min, max])| 0.5 * DVec3::from(min) + 0.5 * DVec3::from(max));
    let search = Search {
        level,
        sides,
        cancel,
        limit: AtomicU64::new(nearest.limit().to_bits()),
        base,
        reach: reach_of(sides, &roots, base),
    };
    let state = State {
        nearest,
        direction: Direction::new(direction.unwrap_or(base - other)),
        candidates: Vec::new(),
        depth: 0,
    };
    let root = Apart {
        square: 0.0,
        boxes: roots,
    };
    let found = search.run(state, Waiting::new([root].into_iter()));
    (!cancel.is_cancelled()).then_some(found)
}

/// Returns how far corners may be from the base, and how far off: what they are off themselves, and a
/// rounding of the difference.
fn reach_of<S: PairSpace>(
    sides: [(&WideTree, &S); 2],
    roots: &[(Child, PairBounds); 2],
    base: DVec3,
) -> Reach {
    let corners = roots.iter().flat_map(|(_, bounds)| bounds);
    let reach = corners.map(|&corner| (DVec3::from(corner) - base).abs().max_element());
    let reach = reach.fold(0.0, f64::max);
    let [a, b] = sides.map(|(tree, space)| {
        let [min, max] = tree.bounds();
        space.error(min, max)
    });
    let error = a.max(b);
    Reach {
        reach: reach * (1.0 + 4.0 * f64::EPSILON) + error,
        error: error + reach * f64::EPSILON,
    }
}

/// A bound of what overflows.
const LARGE: f64 = f64::MAX / 2.0;

/// Returns lower bounds of the squared distances of eight boxes from one.
#[inline(always)]
fn squares_between(boxes: &[[Wide; 2]; 3], [min, max]: &PairBounds) -> Wide {
    LANES.inline_map(|lane| {
        let gap = |axis: usize| {
            let [low, high] = &boxes[axis];
            let gap = larger(low[lane] - max[axis], min[axis] - high[lane]);
            larger(gap, 0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        // An infinite one would be beyond every other, also where all are.
        smaller((x * x + y * y + z * z) * (1.0 - 8.0 * f64::EPSILON), LARGE)
    })
}

#[inline(always)]
fn bounds_of(boxes: &[[Wide; 2]; 3], lane: usize) -> PairBounds {
    let side = |side: usize| [0, 1, 2].inline_map(|axis: usize| boxes[axis][side][lane]);
    [side(0), side(1)]
}

struct Search<'a, S> {
    level: Level,
    sides: [(&'a WideTree, &'a S); 2],
    cancel: &'a CancelToken,
    /// The bits of the least squared distance that any thread knows, which are ordered as it is.
    limit: AtomicU64,
    /// The point that corners are relative to.
    base: DVec3,
    reach: Reach,
}

/// What one thread has found.
struct State<M: PairTriangle> {
    nearest: NearestPair<M>,
    /// The direction in which the nearest pair so far is apart.
    direction: Direction,
    candidates: Vec<Candidate<M>>,
    /// How often it was divided.
    depth: u8,
}

/// Two triangles that may be the nearest.
struct Candidate<M> {
    prims: [PrimId; 2],
    triangles: [M; 2],
    found: PairDistance,
}

impl<M: PairTriangle> State<M> {
    /// Certifies all candidates that may still be the nearest.
    fn settle(&mut self) {
        sort_compactly(&mut self.candidates, |a, b| {
            a.found.low.total_cmp(&b.found.low)
        });
        for Candidate {
            prims,
            triangles: [a, b],
            found,
        } in self.candidates.drain(..)
        {
            if self.nearest.wants(prims, found.low) {
                self.nearest.offer(prims, [&a, &b], Some(found.parts));
            }
        }
    }

    fn add(&mut self, found: Candidate<M>) {
        if self.candidates.len() == CANDIDATES {
            let nearest = &self.nearest;
            self.candidates
                .retain(|candidate| nearest.wants(candidate.prims, candidate.found.low));
            if self.candidates.len() > CANDIDATES / 2 {
                self.settle();
            }
        }
        self.candidates.push(found);
    }
}

impl<S: PairSpace> Search<'_, S> {
    fn run(&self, state: State<S::Measured>, waiting: Waiting) -> NearestPair<S::Measured> {
        at_level!(self.level, simd => self.run_at(simd, state, waiting))
    }

    #[inline(always)]
    fn run_at<L: Simd>(
        &self,
        simd: L,
        mut state: State<S::Measured>,
        mut waiting: Waiting,
    ) -> NearestPair<S::Measured> {
        let mut steps = 0;
        while let Some(apart) = waiting.pop() {
            if apart.square > state.nearest.limit() {
                continue;
            }
            match apart.larger() {
                Some(side) => self.split(simd, &apart, side, &state, &mut waiting),
                None => self.compare(simd, &apart, &mut state),
            }
            steps += 1;
            if steps % STEPS == 0 {
                if self.cancel.is_cancelled() {
                    break;
                }
                self.share(&mut state.nearest);
                if waiting.len() > 1 && state.depth < DEEPEST && current_num_threads() > 1 {
                    return self.divide(state, waiting);
                }
            }
        }
        self.share(&mut state.nearest);
        state.settle();
        self.share(&mut state.nearest);
        state.nearest
    }

    fn share(&self, nearest: &mut NearestPair<S::Measured>) {
        let bits = nearest.limit().to_bits();
        let known = self.limit.fetch_min(bits, Ordering::Relaxed);
        nearest.lower_limit(f64::from_bits(known));
    }

    /// Continues on two threads, each with every other pair.
    fn divide(&self, mut state: State<S::Measured>, waiting: Waiting) -> NearestPair<S::Measured> {
        let [a, b] = waiting.halves();
        state.depth += 1;
        let other = State {
            candidates: Vec::new(),
            ..state
        };
        let (mut found, other) = join(|| self.run(state, a), || self.run(other, b));
        found.merge(other);
        found
    }

    /// Adds the pairs of a node's children with the other box, the nearest on top.
    #[inline(always)]
    fn split<L: Simd>(
        &self,
        simd: L,
        apart: &Apart,
        side: usize,
        state: &State<S::Measured>,
        waiting: &mut Waiting,
    ) {
        let (tree, space) = self.sides[side];
        let Child::Node(place) = apart.boxes[side].0 else {
            return;
        };
        let node: &Node = &tree.nodes[place];
        // Boxes are larger than their contents, whose numbers are finite.
        let unscaled = |x: f32| tree.scale.down(x).clamp(f32::MIN, f32::MAX);
        let faces = node
            .faces
            .inline_map(|ends| ends.inline_map(|x| x.inline_map(unscaled)));
        let boxes = space.boxes(faces);
        let (other, bounds) = &apart.boxes[1 - side];
        let mut squares = squares_between(&boxes, bounds);
        if let Child::Leaf { .. } = other {
            // The triangles of a leaf may lie far behind the faces of its box.
            let leaf = self.lanes(simd, *other, 1 - side, state.direction);
            let along = leaf.squares_along(&boxes, (self.base, self.reach), state.direction);
            squares = LANES.inline_map(|lane| larger(squares[lane], along[lane]));
        }
        let limit = state.nearest.limit();
        let mut near: ArrayVec<usize, WIDTH> = node
            .lanes()
            .filter(|&lane| squares[lane] <= limit)
            .collect();
        sort_compactly(&mut near, |&a, &b| squares[b].total_cmp(&squares[a]));
        for lane in near {
            let mut child = Apart {
                square: squares[lane],
                ..*apart
            };
            child.boxes[side] = (node.child(lane), bounds_of(&boxes, lane));
            waiting.push(child);
        }
    }

    /// Returns the triangles of a leaf.
    #[inline(always)]
    fn lanes<L: Simd>(&self, simd: L, leaf: Child, side: usize, direction: Direction) -> LeafLanes {
        let reach = (self.base, self.reach);
        LeafLanes::of(simd, self.sides[side], (leaf, side), reach, direction)
    }

    /// Compares the triangles of two leaves.
    #[inline(always)]
    fn compare<L: Simd>(&self, simd: L, apart: &Apart, state: &mut State<S::Measured>) {
        // That of the ends, also where a nearer pair is found meanwhile.
        let direction = state.direction;
        let own = self.lanes(simd, apart.boxes[0].0, 0, direction);
        let others = self.lanes(simd, apart.boxes[1].0, 1, direction);
        let [names, other_names] = [0, 1].inline_map(|side: usize| self.sides[side].0.view());
        for i in 0..own.len {
            let by_boxes = squares_between(&others.boxes, &bounds_of(&own.boxes, i));
            let along = others
                .ends
                .inline_map(|end| direction.square_between(own.ends[i], end, self.reach));
            for j in 0..others.len {
                let low = larger(by_boxes[j], along[j]);
                if low > state.nearest.limit() {
                    continue;
                }
                let prims = [
                    names.prim(own.first, own.len, i),
                    other_names.prim(others.first, others.len, j),
                ];
                if state.nearest.wants(prims, low) {
                    let corners = [own.corners_of(i), others.corners_of(j)];
                    let found = pair_distance(&corners[0], &corners[1], self.reach);
                    self.take(state, prims, found, [(&own, i), (&others, j)]);
                }
            }
        }
    }

    fn take(
        &self,
        state: &mut State<S::Measured>,
        prims: [PrimId; 2],
        found: PairDistance,
        places: [(&LeafLanes, usize); 2],
    ) {
        if !state.nearest.wants(prims, found.low) {
            return;
        }
        let triangles = [0, 1].map(|side: usize| {
            let ((leaf, lane), (tree, space)) = (places[side], self.sides[side]);
            let (prim, triangle) = tree.triangle(leaf.first, leaf.len, lane);
            space.triangle(prim, triangle)
        });
        // Triangles without area have no distance.
        if found.high < state.nearest.limit() && triangles.iter().all(PairTriangle::has_area) {
            state.nearest.lower_limit(found.high);
            state.direction = Direction::new(found.gap);
        }
        state.add(Candidate {
            prims,
            triangles,
            found,
        });
    }
}
