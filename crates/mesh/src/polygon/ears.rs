//! Triangulates a face that is not convex by ear clipping (Meisters 1975, "Polygons have ears";
//! ElGindy, Everett and Toussaint 1993 for testing reflex corners only).
//!
//! An ear is a corner that turns left and whose triangle, including its edges, contains no other
//! corner. Corners at the same position as one of its three do not count, so holes can be joined to
//! the outline by a doubled edge. The order is fixed: corners are tested from the second on; when
//! one is an ear it is cut, and its two neighbours are appended to the queue. When the queue is
//! empty all corners are tested once more. If that finds no ear, the first corner without a turn is
//! cut, else the first that turns left, else the first; only the latter two can make triangles that
//! overlap, and they never occur on an outline that does not cross itself.
//!
//! A tree over the reflex corners finds those near an ear. Even so a hostile outline can need a
//! test for every pair of corners. The work is therefore limited to 1024 tests per corner (64 once
//! a cut may overlap), far more than sensible outlines need, and the remainder then becomes a fan.

use super::axis_view::turn;
use super::blockers::Blockers;
use estoc_core::glam::DVec2;
use estoc_system::{NoMemory, collected};
use std::collections::VecDeque;

/// The average number of tests allowed per corner.
const TESTS_PER_CORNER: u64 = 1024;

/// The same once the outline is known to cross itself, when no triangulation is right.
const TESTS_PER_TANGLED_CORNER: u64 = 64;

/// Triangulates a counter-clockwise outline of at least three corners, emitting indices of corners.
/// Returns `false` if the outline crosses or overlaps itself. (One that winds twice around the same
/// place can go unnoticed.)
pub(super) fn clip(outline: &[DVec2], emit: &mut dyn FnMut([u32; 3])) -> Result<bool, NoMemory> {
    let mut ring = OutlineRing::new(outline)?;
    // Corners that do not turn left; cutting an ear never creates another one.
    let reflex = (0..ring.count).filter(|&corner| ring.turn_at(corner) <= 0);
    let mut blockers = Blockers::new(outline, reflex)?;
    let mut budget = TESTS_PER_CORNER * outline.len() as u64;
    let mut whole = true;
    // No corner is in the queue twice, so it never grows.
    let mut queue = VecDeque::from(collected((1..ring.count).chain([0]))?);
    let mut queued = collected(std::iter::repeat_n(true, outline.len()))?;
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
                if !harmless {
                    whole = false;
                    budget = budget.min(TESTS_PER_TANGLED_CORNER * u64::from(ring.left));
                }
                tip
            }
        };
        cut_since_rescan = true;
        let [before, _, after] = ring.triangle(tip);
        emit([before, tip, after]);
        ring.cut(tip);
        blockers.remove(tip);
        for corner in [before, after] {
            if !core::mem::replace(&mut queued[corner as usize], true) {
                queue.push_back(corner);
            }
        }
    }
    let rest = collected(ring.corners())?;
    for pair in rest[1..].windows(2) {
        let triangle = [rest[0], pair[0], pair[1]];
        whole &= turn(ring.points(triangle)) >= 0;
        emit(triangle);
    }
    Ok(whole)
}

/// The remaining corners, in a circular list.
struct OutlineRing<'a> {
    outline: &'a [DVec2],
    before: Vec<u32>,
    after: Vec<u32>,
    /// A remaining corner.
    first: u32,
    left: u32,
    count: u32,
}

impl<'a> OutlineRing<'a> {
    fn new(outline: &'a [DVec2]) -> Result<Self, NoMemory> {
        // The corners of a face fit into a mesh's memory; their indices are u32 like those of
        // vertices, and longer faces were refused before.
        let count = outline.len() as u32;
        Ok(OutlineRing {
            outline,
            before: collected((0..count).map(|i| (i + count - 1) % count))?,
            after: collected((0..count).map(|i| (i + 1) % count))?,
            first: 0,
            left: count,
            count,
        })
    }

    fn triangle(&self, tip: u32) -> [u32; 3] {
        [self.before[tip as usize], tip, self.after[tip as usize]]
    }

    fn points(&self, corners: [u32; 3]) -> [DVec2; 3] {
        corners.map(|corner| self.outline[corner as usize])
    }

    /// Returns the direction in which the outline turns at a corner.
    fn turn_at(&self, tip: u32) -> i32 {
        turn(self.points(self.triangle(tip)))
    }

    fn is_cut(&self, corner: u32) -> bool {
        // A cut corner is its own successor; a remaining one never is while there are two.
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

    /// Returns the remaining corners, from the first one.
    fn corners(&self) -> impl Iterator<Item = u32> + '_ {
        core::iter::successors(Some(self.first), |&corner| {
            let next = self.after[corner as usize];
            (next != self.first).then_some(next)
        })
    }

    fn is_ear(&self, tip: u32, blockers: &Blockers, budget: &mut u64) -> bool {
        let ear = self.points(self.triangle(tip));
        if turn(ear) <= 0 {
            return false;
        }
        let [a, b, c] = ear;
        let blocked = blockers.any_near(ear, budget, |corner| {
            let p = self.outline[corner as usize];
            ![a, b, c].contains(&p)
                && turn([a, b, p]) >= 0
                && turn([b, c, p]) >= 0
                && turn([c, a, p]) >= 0
        });
        blocked == Some(false)
    }

    /// Returns the corner to cut when there is no ear, and whether that is harmless.
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
