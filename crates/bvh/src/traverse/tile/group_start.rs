//! Finds where the groups of a tile should begin.
//!
//! Rays of a picture may come in squares of 4 by 4 pixels. Groups of sixteen rays that are such
//! squares have much smaller hulls than groups of parts of two squares, as those of a batch that
//! begins within a square.

use super::ray_rows::GROUP;
use estoc_core::Ray;
use estoc_core::glam::Vec3;

/// The number of consecutive rays that squares consist of.
const ROW: usize = 4;
/// Rows in a group.
const ROWS: usize = GROUP / ROW;
/// At most this number of rows is looked at, and at least that of two groups at any place.
const MOST: usize = 6 * ROWS;
const LEAST: usize = 3 * ROWS;
/// Groups begin elsewhere than at the first ray if their hulls are together at most this fraction.
const SMALLER: f32 = 0.7;

/// Returns the number of rays before the first whole group, less than [`GROUP`].
#[inline(never)]
pub(super) fn group_start(rays: &[Ray]) -> usize {
    let mut rows = [(Vec3::ZERO, Vec3::ZERO); MOST];
    let mut count = 0;
    for (row, rays) in rows.iter_mut().zip(rays.chunks_exact(ROW)) {
        let [a, b, c, d] = [rays[0].dir, rays[1].dir, rays[2].dir, rays[3].dir];
        *row = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        count += 1;
    }
    if count < LEAST {
        return 0;
    }
    // As many groups at each place.
    let groups = (count - (ROWS - 1)) / ROWS;
    let spread = |start: usize| -> f32 {
        let groups = rows[start..].chunks_exact(ROWS).take(groups);
        let diagonals = groups.map(|group| {
            let low = group.iter().fold(Vec3::INFINITY, |low, row| low.min(row.0));
            let high = group
                .iter()
                .fold(Vec3::NEG_INFINITY, |high, row| high.max(row.1));
            (high - low).length_squared()
        });
        diagonals.sum()
    };
    let mut best = (0, SMALLER * spread(0));
    for start in 1..ROWS {
        let spread = spread(start);
        if spread < best.1 {
            best = (start, spread);
        }
    }
    best.0 * ROW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rays of a picture in squares of 4 by 4 pixels.
    fn squares(count: usize) -> Vec<Ray> {
        let pixel = |i: usize| {
            let (square, inside) = (i / 16, i % 16);
            let [x, y] = [square % 9 * 4 + inside % 4, square / 9 * 4 + inside / 4];
            Ray::new([1.0, 2.0, 3.0], [0.01 * x as f32, 0.01 * y as f32, -1.0])
        };
        (0..count).map(pixel).collect()
    }

    #[test]
    fn groups_begin_with_squares() {
        let rays = squares(900);
        for first in (0..128).step_by(4) {
            let expected = (16 - first % 16) % 16;
            for count in [64, 100, 255, 772] {
                let rays = &rays[first..first + count];
                assert_eq!(group_start(rays), expected, "{count} rays from {first}");
            }
        }
    }

    #[test]
    fn groups_begin_at_the_first_ray_of_others() {
        let rays = squares(900);
        for count in [0, 1, 15, 16, 40, 47] {
            assert_eq!(group_start(&rays[4..4 + count]), 0, "{count}");
        }
        let row = |i: usize| Ray::new([0.0; 3], [0.01 * i as f32, 0.3, -1.0]);
        assert_eq!(group_start(&(0..500).map(row).collect::<Vec<_>>()), 0);
        let same = [Ray::new([0.0; 3], [1.0, 0.0, 0.0]); 300];
        assert_eq!(group_start(&same), 0);
        let undefined = [Ray::new([0.0; 3], [f32::NAN, f32::INFINITY, -0.0]); 300];
        assert_eq!(group_start(&undefined) % 4, 0);
    }
}
