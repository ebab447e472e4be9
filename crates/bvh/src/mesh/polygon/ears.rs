//! Cutting a face that is not convex by clipping ears (Meisters 1975, "Polygons have ears";
//! ElGindy, Everett and Toussaint 1993 for looking at reflex corners only).
//!
//! An ear is a corner that turns left and whose triangle holds no other corner, its edges
//! included; corners at the same place as one of its three do not count, which lets holes be
//! joined to the outline by a doubled edge. The order is fixed: corners are looked at from
//! the second on; when one is an ear it is cut, and its two neighbours queue up again at the
//! end. When the queue is empty all corners are looked at once more. When that finds no ear,
//! the first corner without a turn is cut, else the first that turns left, else the first;
//! only the latter two can make triangles that overlap, and never happen on an outline that
//! does not cross itself.
//!
//! Work is at most 4096 tests a corner, so that no outline takes longer than it takes to
//! test a thousand corners naively; a grid keeps real outlines far below. What is left then
//! becomes a fan.

use super::view::{Point, turn};
use std::collections::VecDeque;

/// Tests a corner may cost on average.
const TESTS_PER_CORNER: u64 = 4096;

/// Cuts a counter-clockwise outline of at least three corners into triangles of corner
/// numbers. Returns whether it is certain that no two of them overlap.
pub(super) fn clip(outline: &[Point], mut emit: impl FnMut([u32; 3])) -> bool {
    let mut ring = Ring::new(outline);
    let blockers = Grid::new(&ring);
    let mut budget = TESTS_PER_CORNER * outline.len() as u64;
    let mut whole = true;
    let mut queue: VecDeque<u32> = (1..ring.count).chain([0]).collect();
    let mut queued = vec![true; outline.len()];
    let mut cut_since_rescan = true;
    while ring.left > 3 {
        let tip = match queue.pop_front() {
            Some(tip) => {
                queued[tip as usize] = false;
                if ring.is_cut(tip) || !ring.is_ear(tip, &blockers, &mut budget) {
                    continue;
                }
                tip
            }
            None if budget == 0 => break,
            None if cut_since_rescan => {
                cut_since_rescan = false;
                queue.extend(ring.corners());
                queue
                    .iter()
                    .for_each(|&corner| queued[corner as usize] = true);
                continue;
            }
            None => {
                let (tip, harmless) = ring.least_bad(&mut budget);
                whole &= harmless;
                tip
            }
        };
        cut_since_rescan = true;
        let [before, _, after] = ring.triangle(tip);
        emit([before, tip, after]);
        ring.cut(tip);
        for corner in [before, after] {
            if !core::mem::replace(&mut queued[corner as usize], true) {
                queue.push_back(corner);
            }
        }
    }
    let rest: Vec<u32> = ring.corners().collect();
    for pair in rest[1..].windows(2) {
        emit([rest[0], pair[0], pair[1]]);
    }
    whole && rest.len() == 3
}

/// The corners that are left, linked round.
struct Ring<'a> {
    outline: &'a [Point],
    before: Vec<u32>,
    after: Vec<u32>,
    /// A corner that is left.
    first: u32,
    left: u32,
    count: u32,
}

impl<'a> Ring<'a> {
    fn new(outline: &'a [Point]) -> Self {
        // A face has as many corners as fit into a mesh's memory; ids of corners are u32 like
        // those of vertices, and longer faces were refused before.
        let count = outline.len() as u32;
        Ring {
            outline,
            before: (0..count).map(|i| (i + count - 1) % count).collect(),
            after: (0..count).map(|i| (i + 1) % count).collect(),
            first: 0,
            left: count,
            count,
        }
    }

    fn triangle(&self, tip: u32) -> [u32; 3] {
        [self.before[tip as usize], tip, self.after[tip as usize]]
    }

    fn points(&self, corners: [u32; 3]) -> [Point; 3] {
        corners.map(|corner| self.outline[corner as usize])
    }

    /// Which way the outline turns at a corner.
    fn turn_at(&self, tip: u32) -> i32 {
        turn(self.points(self.triangle(tip)))
    }

    fn is_cut(&self, corner: u32) -> bool {
        // A cut corner is its own successor; one that is left never is while there are two.
        self.after[corner as usize] == corner
    }

    fn cut(&mut self, tip: u32) {
        let [before, _, after] = self.triangle(tip);
        self.after[before as usize] = after;
        self.before[after as usize] = before;
        self.after[tip as usize] = tip;
        self.left -= 1;
        if self.first == tip {
            self.first = after;
        }
    }

    /// The corners that are left, from the first one.
    fn corners(&self) -> impl Iterator<Item = u32> + '_ {
        core::iter::successors(Some(self.first), |&corner| {
            let next = self.after[corner as usize];
            (next != self.first).then_some(next)
        })
    }

    fn is_ear(&self, tip: u32, blockers: &Grid, budget: &mut u64) -> bool {
        let ear = self.points(self.triangle(tip));
        if turn(ear) <= 0 {
            return false;
        }
        let [a, b, c] = ear;
        let blocked = blockers.any_near(ear, budget, |corner| {
            let p = self.outline[corner as usize];
            !self.is_cut(corner)
                && ![a, b, c].contains(&p)
                && turn([a, b, p]) >= 0
                && turn([b, c, p]) >= 0
                && turn([c, a, p]) >= 0
        });
        blocked == Some(false)
    }

    /// What to cut when there is no ear, and whether that is harmless.
    fn least_bad(&self, budget: &mut u64) -> (u32, bool) {
        let mut left = None;
        for corner in self.corners() {
            *budget = budget.saturating_sub(1);
            match self.turn_at(corner) {
                0 => return (corner, true),
                1 if left.is_none() => left = Some(corner),
                _ => {}
            }
        }
        (left.unwrap_or(self.first), false)
    }
}

/// The corners that can lie in the triangle of another: those that do not turn left. Cutting
/// an ear never makes a corner one of them.
struct Grid {
    side: usize,
    origin: [f64; 2],
    scale: [f64; 2],
    /// Where each cell's corners start in `corners`; one more at the end.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Grid {
    fn new(ring: &Ring<'_>) -> Self {
        let blockers: Vec<u32> = (0..ring.count).filter(|&i| ring.turn_at(i) <= 0).collect();
        let points = blockers.iter().map(|&i| ring.outline[i as usize]);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in points.clone() {
            low = [low[0].min(p.x), low[1].min(p.y)];
            high = [high[0].max(p.x), high[1].max(p.y)];
        }
        let side = (blockers.len() as f64).sqrt().ceil().clamp(1.0, 1024.0);
        let mut grid = Grid {
            side: side as usize,
            origin: low,
            scale: core::array::from_fn(|i| side / (high[i] - low[i])),
            starts: vec![0; (side * side) as usize + 1],
            corners: vec![0; blockers.len()],
        };
        for p in points.clone() {
            let cell = grid.cell_of(p);
            grid.starts[cell + 1] += 1;
        }
        for i in 1..grid.starts.len() {
            grid.starts[i] += grid.starts[i - 1];
        }
        let mut free = grid.starts.clone();
        for (corner, p) in blockers.iter().zip(points) {
            let slot = &mut free[grid.cell_of(p)];
            grid.corners[*slot as usize] = *corner;
            *slot += 1;
        }
        grid
    }

    /// Column or row of a coordinate. Rounding is monotone, so what lies between two
    /// coordinates lies between their columns; a flat grid has no scale and one column.
    fn line(&self, i: usize, value: f64) -> usize {
        let line = (value - self.origin[i]) * self.scale[i];
        (line as usize).min(self.side - 1)
    }

    fn cell_of(&self, p: Point) -> usize {
        self.line(1, p.y) * self.side + self.line(0, p.x)
    }

    /// Whether a corner near the triangle passes the test; `None` when the budget ran out.
    fn any_near(
        &self,
        [a, b, c]: [Point; 3],
        budget: &mut u64,
        mut test: impl FnMut(u32) -> bool,
    ) -> Option<bool> {
        let columns = self.line(0, a.x.min(b.x).min(c.x))..=self.line(0, a.x.max(b.x).max(c.x));
        let rows = self.line(1, a.y.min(b.y).min(c.y))..=self.line(1, a.y.max(b.y).max(c.y));
        for row in rows {
            // Cells of a row lie one after the other, and so do their corners.
            let first = self.starts[row * self.side + columns.start()] as usize;
            let end = self.starts[row * self.side + columns.end() + 1] as usize;
            *budget = budget.checked_sub(1 + (end - first) as u64).or_else(|| {
                *budget = 0;
                None
            })?;
            if self.corners[first..end].iter().any(|&corner| test(corner)) {
                return Some(true);
            }
        }
        Some(false)
    }
}
