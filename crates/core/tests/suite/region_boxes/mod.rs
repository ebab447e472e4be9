//! Searches for boxes that a region rejects though they have a point in it, and for boxes that it takes
//! whole though they have one outside: hostile boxes, planes through their corners, spheres that touch
//! them, and sums of exact products as the reference. `ESTOC_LONG=1` tests more than ten million.

mod oriented_boxes;
mod planes;
mod spheres;

use estoc_core::BoxPosition;
use estoc_core::glam::Vec3;
use estoc_testkit::generate::Rng;

/// Returns the sign of an exact sum. Each term is added to a sum kept as numbers that do not overlap
/// (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic", grow-expansion); the last one that
/// is not zero has the sign.
pub(super) fn sign_of_sum(terms: &[f64]) -> i32 {
    let mut parts = [0.0f64; 16];
    for (count, &term) in terms.iter().enumerate() {
        let mut carry = term;
        for part in &mut parts[..count] {
            let sum = carry + *part;
            let virtual_part = sum - carry;
            *part = (carry - (sum - virtual_part)) + (*part - virtual_part);
            carry = sum;
        }
        parts[count] = carry;
    }
    let last = parts.iter().rev().find(|part| **part != 0.0);
    last.map_or(0, |part| if *part > 0.0 { 1 } else { -1 })
}

/// The corners of a box.
pub(super) fn corners(min: Vec3, max: Vec3) -> [Vec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
        let pick = |axis: usize| [min, max][i >> axis & 1][axis];
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

pub(super) fn nudged(mut point: Vec3, rng: &mut Rng) -> Vec3 {
    let axis = rng.below(3);
    for _ in 0..rng.below(3) {
        point[axis] = match rng.one_in(2) {
            true => point[axis].next_up(),
            false => point[axis].next_down(),
        };
    }
    point
}

/// Returns a box of any size and place, often flat.
pub(super) fn hostile_box(rng: &mut Rng) -> (Vec3, Vec3) {
    let size = 10f32.powi(rng.pick(&[0, 0, 0, -8, 5, 18, -20, -38]));
    let point = |rng: &mut Rng| match rng.below(4) {
        0 => rng.grid_point(4) * size,
        1 => Vec3::from_array([0; 3].map(|_: i32| rng.signed() * 10f32.powi(rng.int(-12, 12)))),
        2 => rng.point() * size,
        _ => (rng.point() + rng.grid_point(100)) * size,
    };
    let (a, mut b) = (point(rng), point(rng));
    match rng.below(4) {
        0 => b = a + rng.point() * size * 1e-5,
        1 => {
            let axis = rng.below(3);
            b[axis] = a[axis];
        }
        _ => {}
    }
    (a.min(b), a.max(b))
}

#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) cases: usize,
    /// Boxes by position: outside, crossing, inside.
    pub(super) positions: [usize; 3],
    /// Of the boxes that a plane rejected, the least height over the sum of the sizes of its terms.
    pub(super) closest: Option<f64>,
    pub(super) wrong: Vec<String>,
}

impl Report {
    pub(super) fn count(&mut self, position: BoxPosition) {
        self.cases += 1;
        self.positions[position as usize] += 1;
    }

    /// Asserts that no box was wrong, and that at least one of `share` had each position.
    pub(super) fn assert_right(&self, share: usize) {
        let (cases, positions) = (self.cases, self.positions);
        println!("{cases} boxes, {positions:?} outside, crossing and inside");
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
        assert!(
            positions.iter().all(|&count| count * share > cases),
            "{self:?}"
        );
    }

    pub(super) fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(what());
        }
    }
}
