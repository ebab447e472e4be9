//! Sorts rays so that neighbours have similar origins and directions.

use crate::items::Item;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Ray};

/// Bits per axis of the cell of an origin. A key is the octant of the direction, then the cell in
/// Morton order.
const CELL_BITS: u32 = 6;
const KEY_BITS: u32 = 3 + 3 * CELL_BITS;
/// Bits per pass of the radix sort.
const DIGIT_BITS: u32 = 11;

/// Fills `order` with the indices of rays or points in sorted order; `scratch` is memory to sort in.
///
/// Undefined rays may come at any position. The sort is stable, so the order is deterministic.
pub(crate) fn sort<T: Item>(items: &[T], order: &mut Vec<u32>, scratch: &mut Vec<(u32, u32)>) {
    let grid = Grid::over(items.iter().map(Item::ray));
    let mut keyed: Vec<(u32, u32)> = std::mem::take(scratch);
    keyed.clear();
    keyed.extend(
        (0..)
            .zip(items)
            .map(|(place, item)| (grid.key(&item.ray()), place)),
    );
    let mut other = vec![(0, 0); keyed.len()];
    // Radix sort, least significant digit first.
    for shift in (0..KEY_BITS).step_by(DIGIT_BITS as usize) {
        pass(&keyed, &mut other, shift);
        std::mem::swap(&mut keyed, &mut other);
    }
    order.clear();
    order.extend(keyed.iter().map(|&(_, place)| place));
    *scratch = keyed;
}

/// Sorts by one digit, stably.
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

/// A grid over the bounds of all origins.
struct Grid {
    low: Vec3,
    cells_per_unit: Vec3,
}

impl Grid {
    fn over(rays: impl Iterator<Item = Ray>) -> Self {
        let bounds = Aabb::of_points(rays.map(|ray| ray.origin));
        Grid {
            low: bounds.min(),
            cells_per_unit: (1 << CELL_BITS) as f32 / (bounds.max() - bounds.min()),
        }
    }

    fn key(&self, ray: &Ray) -> u32 {
        // For a flat box, or one too large for `f32`, this is NaN or infinite; `as` then saturates
        // to some cell.
        let cell = (ray.origin - self.low) * self.cells_per_unit;
        let [x, y, z] = cell
            .to_array()
            .map(|c| spread((c as u32).min((1 << CELL_BITS) - 1)));
        ray.dir.is_negative_bitmask() << (3 * CELL_BITS) | x << 2 | y << 1 | z
    }
}

/// Inserts two zeros between adjacent bits of the lowest ten.
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
