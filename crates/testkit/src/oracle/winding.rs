//! How often triangles wind around a point, and whether that is defined.
//!
//! A line from the point is followed in a direction that meets no edge: the triangles that it passes
//! from behind count 1, those that it passes from the front -1. Directions are tried until one meets
//! no edge, so that nothing is perturbed and no rule for edges is needed.

use super::meet::Plate;
use super::number::Vector;
use crate::generate::Rng;
use estoc_core::Triangle64;
use estoc_core::glam::DVec3;
use num_bigint::{BigInt, Sign};
use std::collections::HashMap;

/// The ends of an edge, the lesser first.
type Edge = [[u64; 3]; 2];

/// Returns a key that is equal for equal points: the bits, with +0 for either zero.
fn key(p: DVec3) -> [u64; 3] {
    p.to_array().map(|x| if x == 0.0 { 0 } else { x.to_bits() })
}

/// How often each edge between two different points is used, from its first end to its second and
/// back. Triangles that are not finite have no edges.
pub struct EdgeUses(HashMap<Edge, [usize; 2]>);

impl EdgeUses {
    pub(super) fn of<T: Copy + Into<Triangle64>>(triangles: &[T]) -> Self {
        let mut uses: HashMap<Edge, [usize; 2]> = HashMap::new();
        let triangles = triangles.iter().map(|&triangle| triangle.into());
        for triangle in triangles.filter(Triangle64::is_finite) {
            let [a, b, c] = triangle.corners().map(key);
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if from != to {
                    let edge = if from < to { [from, to] } else { [to, from] };
                    uses.entry(edge).or_default()[usize::from(from > to)] += 1;
                }
            }
        }
        EdgeUses(uses)
    }

    /// Returns the number of edges.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns whether every edge is used an even number of times.
    pub(super) fn are_closed(&self) -> bool {
        self.count_open() == 0
    }

    /// Returns the number of edges that are used an odd number of times.
    pub fn count_open(&self) -> usize {
        let open = |uses: &&[usize; 2]| (uses[0] + uses[1]) % 2 == 1;
        self.0.values().filter(open).count()
    }

    /// Returns the number of edges that are not used equally often in both directions.
    pub fn count_unpaired(&self) -> usize {
        self.0.values().filter(|uses| uses[0] != uses[1]).count()
    }

    /// Returns how often the edge is used from the first of these ends to the second, and back.
    pub fn uses(&self, ends: [DVec3; 2]) -> [usize; 2] {
        let [from, to] = ends.map(key);
        let edge = if from < to { [from, to] } else { [to, from] };
        let [forward, backward] = self.0.get(&edge).copied().unwrap_or_default();
        match from < to {
            true => [forward, backward],
            false => [backward, forward],
        }
    }
}

/// Returns the winding number around a point that is not on a triangle with area. The triangles must
/// use every edge equally often in both directions.
pub(super) fn winding_number(plates: &[Option<Plate>], point: &Vector) -> i64 {
    let mut rng = Rng::new(7);
    loop {
        let direction =
            Vector([(); 3].map(|()| BigInt::from(rng.below(1 << 20) as i64 - (1 << 19))));
        if let Some(number) = crossings(plates, point, &direction) {
            return number;
        }
    }
}

/// Returns the sum of signed crossings; `None` if the line meets an edge.
fn crossings(plates: &[Option<Plate>], point: &Vector, direction: &Vector) -> Option<i64> {
    let mut sum = 0;
    for plate in plates.iter().flatten().filter(|plate| plate.has_area()) {
        let s = plate.p0.minus(point);
        let corners = [s.clone(), s.plus(&plate.e1), s.plus(&plate.e2)];
        // The volumes between the line and the edges.
        let [a, b, c] = [0, 1, 2].map(|i| {
            let moment = corners[i].cross(&corners[(i + 1) % 3]);
            direction.dot(&moment).sign()
        });
        let (plus, minus) = (
            [a, b, c].contains(&Sign::Plus),
            [a, b, c].contains(&Sign::Minus),
        );
        if plus && minus {
            continue; // it passes by
        }
        if [a, b, c].contains(&Sign::NoSign) {
            return None;
        }
        // Ahead, if the plane is on the side that the line goes to.
        let height = plate.n.dot(&s).sign();
        let leaves = plate.n.dot(direction).sign();
        assert_ne!(height, Sign::NoSign, "the point is on a triangle");
        if height == leaves {
            sum += if leaves == Sign::Plus { 1 } else { -1 };
        }
    }
    Some(sum)
}
