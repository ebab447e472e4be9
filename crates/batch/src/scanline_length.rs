//! Finds out whether rays come in scanlines: row by row, as those of a picture usually do.

use crate::spread_places::place;
use estoc_core::Ray;
use estoc_core::glam::DVec3;
use std::ops::Range;

/// The shortest scanline that is looked for, and the number of rays that must go ahead in one way.
const SHORTEST: usize = 16;
/// The longest scanline that is looked for.
const LONGEST: usize = 1 << 14;
/// Fewer scanlines are not looked for.
const FEWEST: usize = 4;
/// The ends of scanlines are looked for between every `STRIDE`th ray.
const STRIDE: usize = 4;
/// The square of the ratio of a distance to the one before it from which a scanline ends between
/// them. At the end of one of 16 rays the ratio is 3; without an end, and with rays anywhere in
/// their pixels, it is at most 5/3.
const JUMP: f64 = 4.84;
/// The number of places where scanlines are checked.
const CHECKED: usize = 16;

/// Returns the number of rays in a scanline if rays with one origin, or one direction, come in
/// scanlines of the same length, each close to the one before it. Returns 0 otherwise, or if there
/// are fewer than four.
///
/// The first ray may be anywhere in its scanline. Two scanlines are looked at, and sixteen places
/// elsewhere.
pub(crate) fn scanline_length(count: usize, get: impl Fn(usize) -> Option<Ray>) -> usize {
    find(count, get).unwrap_or(0)
}

fn find(count: usize, get: impl Fn(usize) -> Option<Ray>) -> Option<usize> {
    if count < FEWEST * SHORTEST {
        return None;
    }
    let line = Line::of(get(0)?, get(1)?)?;
    let at = |index: usize| line.position(get(index)?);
    let most = (count / FEWEST).min(LONGEST);
    // If the first rays end a scanline, the next ones begin another.
    let start = first_ahead(&at)?;
    let first_end = scanline_end(&at, start, most)?;
    let length = scanline_end(&at, first_end, most)? - first_end;
    let fits = first_end - start <= length && length >= SHORTEST;
    let is_scanline = |check: usize| {
        let index = place(check, count - length);
        let near = |other: usize| Some(at(index)?.distance_squared(at(other)?));
        let below = near(index + length);
        let beside = near((index + SHORTEST / 2).min(count - 1));
        below.is_some_and(|below| beside.is_some_and(|beside| below <= beside))
    };
    let found = (0..CHECKED).filter(|&check| is_scanline(check)).count();
    (fits && found >= CHECKED * 3 / 4).then_some(length)
}

/// What tells rays apart: their directions or, if these are the same, their origins.
struct Line {
    first: Ray,
    is_parallel: bool,
}

impl Line {
    fn of(first: Ray, second: Ray) -> Option<Self> {
        let line = |is_parallel| Line { first, is_parallel };
        let parts = [line(false), line(true)];
        parts.into_iter().find(|line| {
            let position = line.position(second);
            position.is_some() && position != line.position(first)
        })
    }

    /// Returns `None` for a ray that differs in the other part, too, and for one that is not finite.
    fn position(&self, ray: Ray) -> Option<DVec3> {
        let (position, same) = match self.is_parallel {
            true => (ray.origin, ray.dir == self.first.dir),
            false => (ray.dir, ray.origin == self.first.origin),
        };
        (same && position.is_finite()).then_some(position.into())
    }
}

/// Returns the first of `SHORTEST` rays that go ahead in one way: ray 0, or the first of the next
/// scanline.
fn first_ahead(at: &impl Fn(usize) -> Option<DVec3>) -> Option<usize> {
    let go_ahead = |start: usize| {
        let ahead = at(start + SHORTEST - 1)? - at(start)?;
        let mut steps = start..start + SHORTEST - 1;
        let step = |index: usize| Some((at(index + 1)? - at(index)?).dot(ahead) > 0.0);
        Some(steps.all(|index| step(index) == Some(true)))
    };
    if go_ahead(0)? {
        return Some(0);
    }
    let next = longest_step(at, 0..SHORTEST - 1)?;
    go_ahead(next)?.then_some(next)
}

/// Returns the ray at which the longest of these steps ends.
fn longest_step(at: &impl Fn(usize) -> Option<DVec3>, steps: Range<usize>) -> Option<usize> {
    let mut longest = (0, f64::NEG_INFINITY);
    for index in steps {
        let step = at(index)?.distance_squared(at(index + 1)?);
        if step > longest.1 {
            longest = (index + 1, step);
        }
    }
    Some(longest.0)
}

/// Returns the first ray of the scanline after that of ray `start`, at most `most` rays farther.
fn scanline_end(at: &impl Fn(usize) -> Option<DVec3>, start: usize, most: usize) -> Option<usize> {
    let distance = |from: usize, to: usize| Some(at(from)?.distance_squared(at(to)?));
    let mut before = distance(start, start + STRIDE)?;
    let mut index = start + STRIDE;
    while index <= start + most {
        let next = distance(index, index + STRIDE)?;
        if next > JUMP * before {
            return longest_step(at, index..index + STRIDE);
        }
        before = next;
        index += STRIDE;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc_core::glam::Vec3;

    fn length(rays: &[Ray]) -> usize {
        scanline_length(rays.len(), |index| rays.get(index).copied())
    }

    /// Returns the ray of a pixel: from one point, through a picture as wide as it is far, times
    /// `reach`; or parallel.
    fn ray([x, y]: [f32; 2], width: usize, reach: f32, parallel: bool) -> Ray {
        let [x, y] = [x, y].map(|x| (x / width as f32 - 0.5) * reach);
        match parallel {
            true => Ray::new([x, y, 9.0], [0.3, 0.1, -1.0]),
            false => Ray::new([0.1, 0.2, 9.0], Vec3::new(x, y, -1.0).normalize()),
        }
    }

    /// Returns a picture, row by row.
    fn picture(width: usize, height: usize, reach: f32, parallel: bool) -> Vec<Ray> {
        let pixels = (0..width * height).map(|i| [(i % width) as f32, (i / width) as f32]);
        let rays = pixels.map(|pixel| ray(pixel, width, reach, parallel));
        rays.collect()
    }

    #[test]
    fn rows_of_pictures_are_found() {
        for width in [16, 17, 30, 31, 64, 100, 257, 1000, 1920] {
            // Of wide pictures, few rays turn far.
            let widest = if width < 30 { 1.0 } else { 3.0 };
            for reach in [0.01, 0.5, widest] {
                for parallel in [false, true] {
                    let rays = picture(width, 40, reach, parallel);
                    let what = format!("{width} {reach} {parallel}");
                    assert_eq!(length(&rays), width, "{what}");
                    // The first and the last row need not be whole.
                    for (first, rest) in [(1, 0), (width - 1, 1), (width / 2, 7), (5, width - 1)] {
                        let part = &rays[first..rays.len() - rest];
                        assert_eq!(length(part), width, "{what} {first} {rest}");
                    }
                }
            }
        }
    }

    #[test]
    fn rays_may_be_anywhere_in_their_pixels() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for width in [16, 50, 640] {
            let mut pixel =
                |i: usize| [(i % width) as f32 + random(), (i / width) as f32 + random()];
            let rays: Vec<Ray> = (0..width * 50)
                .map(|i| ray(pixel(i), width, 1.0, false))
                .collect();
            assert_eq!(length(&rays), width);
        }
    }

    #[test]
    fn other_orders_have_no_rows() {
        let rays = picture(256, 256, 1.0, false);
        let ordered = |key: &dyn Fn(usize, usize) -> usize| {
            let mut places: Vec<usize> = (0..rays.len()).collect();
            places.sort_by_key(|&i| key(i % 256, i / 256));
            places.into_iter().map(|i| rays[i]).collect::<Vec<_>>()
        };
        let blocks = |side: usize| {
            move |x: usize, y: usize| (y / side * 1000 + x / side) * 1_000_000 + y * 1000 + x
        };
        // Tiles in rows of their own have these rows.
        for (side, found) in [(4, 0), (8, 0), (16, 16), (32, 32), (64, 64)] {
            assert_eq!(length(&ordered(&blocks(side))), found, "{side}");
        }
        let nested = |x: usize, y: usize| {
            let [tile, block] = [blocks(16)(x, y) / 1_000_000, blocks(4)(x % 16, y % 16)];
            (tile << 40) + block
        };
        assert_eq!(length(&ordered(&nested)), 0);
        let spread = |x: usize| (0..8).fold(0, |sum, bit| sum | (x >> bit & 1) << (2 * bit));
        assert_eq!(length(&ordered(&|x, y| spread(x) | spread(y) << 1)), 0);
        let shuffled = |x: usize, y: usize| (x * 7919 + y * 104_729) % 65_521;
        assert_eq!(length(&ordered(&shuffled)), 0);
        // To and fro.
        let turned = |x: usize, y: usize| y * 256 + if y.is_multiple_of(2) { x } else { 255 - x };
        assert_eq!(length(&ordered(&turned)), 0);
    }

    /// Rays that are not finite, wherever they are, lead to no length that does not exist.
    #[test]
    fn rays_that_are_not_finite_end_the_search() {
        for parallel in [false, true] {
            let rays = picture(64, 40, 1.0, parallel);
            for first in 0..200 {
                for step in [1, 2, 3] {
                    for start in [0, 40] {
                        let mut rays = rays[start..].to_vec();
                        for ray in rays[first..].iter_mut().step_by(step).take(3) {
                            let part = if parallel {
                                &mut ray.origin
                            } else {
                                &mut ray.dir
                            };
                            part.y = f32::NAN;
                        }
                        let found = length(&rays);
                        assert!(found == 0 || found == 64, "{first} {step} {start}: {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn few_rows_and_rows_among_other_rays_are_not_grouped() {
        let rays = picture(64, 40, 1.0, false);
        assert_eq!(length(&rays[..64 * 3]), 0);
        assert_eq!(length(&rays[..64 * 5]), 64);
        assert_eq!(length(&[]), 0);
        assert_eq!(length(&vec![rays[0]; 1000]), 0);
        let mut mixed = rays.clone();
        mixed.extend((0..64 * 40).map(|i| {
            let x = (i * 7919 % 1000) as f32;
            Ray::new([x, 1.0, 2.0], [x, x - 500.0, 1.0])
        }));
        assert_eq!(length(&mixed), 0);
        // A row at the end that is not whole, and rays that are undefined, do not matter.
        let mut holes = rays;
        for i in (7..holes.len()).step_by(50) {
            holes[i].t_max = f32::NAN;
        }
        assert_eq!(length(&holes[..64 * 39 + 5]), 64);
    }
}
