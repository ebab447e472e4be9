//! Finds where the groups of a tile should begin.
//!
//! Rays of a picture may come in squares of 4 by 4 pixels. Groups of sixteen rays that are such
//! squares have much smaller hulls than groups of parts of two squares, as those of a batch that
//! begins within a square.

use super::ray_rows::GROUP;
use crate::traverse::ray_group::RayInGroup;
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
pub fn group_start<R: RayInGroup>(rays: &[R]) -> usize {
    let mut rows = [(Vec3::ZERO, Vec3::ZERO); MOST];
    let mut count = 0;
    for (row, rays) in rows.iter_mut().zip(rays.chunks_exact(ROW)) {
        let dir = |ray: usize| Vec3::from(rays[ray].narrow_dir());
        let [a, b, c, d] = [dir(0), dir(1), dir(2), dir(3)];
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
