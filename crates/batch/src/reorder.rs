//! An order of rays in which neighbours start and go alike.

use crate::items::Item;
use estoc_core::Ray;
use estoc_core::glam::Vec3;

/// Bits of a key: which way a ray goes, by octant, then where it starts, along Morton's curve.
const CELL_BITS: u32 = 6;
const KEY_BITS: u32 = 3 + 3 * CELL_BITS;
/// Bits that one pass sorts by.
const DIGIT_BITS: u32 = 11;

/// Puts the places of rays, or points, in such an order; `room` is for work.
///
/// Undefined rays go anywhere. Equal keys stay in the order of the rays, so the order is the
/// same every time.
pub(crate) fn sort<T: Item>(items: &[T], order: &mut Vec<u32>, room: &mut Vec<(u32, u32)>) {
    let grid = Grid::over(items.iter().map(Item::ray));
    let mut keyed: Vec<(u32, u32)> = std::mem::take(room);
    keyed.clear();
    keyed.extend(
        (0..)
            .zip(items)
            .map(|(place, item)| (grid.key(&item.ray()), place)),
    );
    let mut other = vec![(0, 0); keyed.len()];
    // By the least digit first, as Hollerith's machines did.
    for shift in (0..KEY_BITS).step_by(DIGIT_BITS as usize) {
        pass(&keyed, &mut other, shift);
        std::mem::swap(&mut keyed, &mut other);
    }
    order.clear();
    order.extend(keyed.iter().map(|&(_, place)| place));
    *room = keyed;
}

/// Sorts by one digit and keeps the order of equals.
fn pass(from: &[(u32, u32)], to: &mut [(u32, u32)], shift: u32) {
    let digit = |key: u32| (key >> shift) as usize & ((1 << DIGIT_BITS) - 1);
    let mut ends = [0u32; 1 << DIGIT_BITS];
    for &(key, _) in from {
        ends[digit(key)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    for &entry in from {
        let next = &mut ends[digit(entry.0)];
        to[*next as usize] = entry;
        *next += 1;
    }
}

/// Cells over the box of all origins.
struct Grid {
    low: Vec3,
    cells_per_unit: Vec3,
}

impl Grid {
    fn over(rays: impl Iterator<Item = Ray>) -> Self {
        let finite = rays.map(|ray| ray.origin).filter(|o| o.is_finite());
        let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = finite.fold(none, |(low, high), o| (low.min(o), high.max(o)));
        Grid {
            low,
            cells_per_unit: (1 << CELL_BITS) as f32 / (high - low),
        }
    }

    fn key(&self, ray: &Ray) -> u32 {
        // Where a box is flat or too large for `f32` this is NaN or infinite, and `as` makes
        // some cell of it.
        let cell = (ray.origin - self.low) * self.cells_per_unit;
        let [x, y, z] = cell
            .to_array()
            .map(|c| spread((c as u32).min((1 << CELL_BITS) - 1)));
        ray.dir.is_negative_bitmask() << (3 * CELL_BITS) | x << 2 | y << 1 | z
    }
}

/// Puts two zeros between each two of the lowest ten bits.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(rays: &[Ray]) -> Vec<u32> {
        let mut order = vec![9, 9, 9];
        sort(rays, &mut order, &mut vec![(1, 2)]);
        order
    }

    #[cfg(feature = "repository-tests")]
    #[test]
    fn every_ray_is_there_once_and_in_the_order_of_keys() {
        let mut rng = estoc_testkit::tables::Rng::new(1);
        let mut rays: Vec<Ray> = (0..5000)
            .map(|_| Ray::new(rng.vec(-5.0, 7.0), rng.vec(-1.0, 1.0)))
            .collect();
        rays[7].origin.x = f32::NAN;
        rays[8].origin.y = f32::INFINITY;
        rays[9].dir = Vec3::NAN;
        let found = order(&rays);
        let grid = Grid::over(rays.iter().copied());
        let keys: Vec<u32> = found.iter().map(|&i| grid.key(&rays[i as usize])).collect();
        assert!(keys.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(keys.iter().all(|key| key >> KEY_BITS == 0));
        let mut sorted = found;
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..5000));
    }

    #[test]
    fn equals_stay_in_their_order_and_any_box_will_do() {
        let ray = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 1.0]);
        assert!(order(&[ray; 100]).into_iter().eq(0..100));
        assert!(order(&[]).is_empty());
        let far = [-3e38, 3e38].map(|x| Ray::new([x; 3], [1.0; 3]));
        let mut found = order(&far);
        found.sort_unstable();
        assert_eq!(found, [0, 1]);
    }

    #[test]
    fn bits_are_spread() {
        assert_eq!(spread(0b11_1111), 0b1001_0010_0100_1001);
        assert_eq!(spread(0b10_0010), 0b1000_0000_0000_1000);
        assert_eq!(spread(0x3ff), 0x0924_9249);
    }
}
