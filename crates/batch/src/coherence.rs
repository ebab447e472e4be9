//! Coherence: whether adjacent rays start close together and have similar directions, estimated
//! from a few samples.

use crate::items::{Item, Items};
use crate::scanline_length::scanline_length;
use crate::spread_places::place;
use estoc_core::{Aabb, Ray};

/// Whether adjacent rays start close together and have similar directions, as camera rays do. No
/// answer depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Coherence {
    /// Decided from a few samples.
    #[default]
    Auto,
    /// Coherent, without sampling: packets.
    Coherent,
    /// Incoherent, without sampling: neither packets nor bundles.
    Incoherent,
}

/// The result of sampling some groups of adjacent rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct CoherenceSample {
    /// The number of groups sampled.
    pub groups: usize,
    /// The number of these groups whose rays start close together, whatever their directions.
    pub close: usize,
    /// The number of close groups whose rays also have similar directions.
    pub one_way: usize,
    /// The number of rays in each scanline if coherent rays come row by row, as those of a picture
    /// usually do; 0 otherwise, or if there are fewer than four scanlines.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scanline: usize,
}

/// The number of adjacent rays that form a group.
pub(crate) const GROUP: usize = 64;

/// Batches of fewer rays are not sampled.
const FEWEST: usize = GROUP;
/// One group is sampled per this number of rays, which costs less than casting one of them.
const RAYS_PER_SAMPLE: usize = 2048;
const MOST_SAMPLES: usize = 64;
/// The number of rays sampled in each group.
const RAYS_OF_GROUP: usize = 4;
/// Squared cosine of the largest angle to the first ray of a group: 0.3 radians.
const NARROW: f64 = 0.912_7;
/// The largest ratio, squared, of the diagonal of a group's origins to that of all origins: a fifth.
/// Groups of unrelated rays have more than a third; those of rays from neighbouring points of hair
/// or leaves up to three tenths. Bundles find out whether they pay.
const CLOSE: f64 = 0.04;
/// The same for the distance of two adjacent rays of a batch so small that one group is much of it.
const CLOSE_OF_FEW: f64 = 0.03;
/// The runs of adjacent rays, and the pairs in each of them, that are compared in such a batch.
const RUNS: usize = 3;
const PAIRS_OF_RUN: usize = 3;

impl CoherenceSample {
    /// Samples a few groups, the same ones every time.
    pub(crate) fn look(items: impl Items, active: Option<&[bool]>) -> Self {
        let count = items.len();
        let get = |index| items.get(index).map(|item| item.ray());
        if count < FEWEST {
            return CoherenceSample::default();
        }
        let samples = (count / RAYS_PER_SAMPLE).clamp(1, MOST_SAMPLES);
        let mut seen = [None; MOST_SAMPLES];
        let seen = &mut seen[..samples];
        let ends = [0, count - 1].into_iter().filter_map(get);
        let mut whole = Aabb::of_points(ends.map(|ray| ray.origin));
        for (sample, seen) in seen.iter_mut().enumerate() {
            let first = place(sample, count / GROUP) * GROUP;
            let asked = (0..RAYS_OF_GROUP)
                .map(|i| first + i * (GROUP - 1) / (RAYS_OF_GROUP - 1))
                .filter(|&i| active.is_none_or(|active| active[i]))
                .filter_map(get)
                .filter(|ray| ray.check().is_ok());
            *seen = Group::of(asked);
            if let Some(group) = seen {
                whole = whole.union(&group.origins);
            }
        }
        let whole = diagonal_squared(&whole);
        let mut found = CoherenceSample::default();
        for group in seen.iter().flatten() {
            found.groups += 1;
            let is_close = diagonal_squared(&group.origins) <= CLOSE * whole;
            if is_close || samples == 1 && are_adjacent_close(count, get, CLOSE_OF_FEW * whole) {
                found.close += 1;
                found.one_way += usize::from(group.narrow);
            }
        }
        if found.one_way > 0 {
            found.scanline = scanline_length(count, get);
        }
        found
    }

    /// Returns what rays that the caller declares coherent are sampled for.
    pub(crate) fn of_coherent(items: impl Items) -> Self {
        let get = |index| items.get(index).map(|item| item.ray());
        CoherenceSample {
            scanline: scanline_length(items.len(), get),
            ..CoherenceSample::default()
        }
    }
}

/// Returns whether most pairs of adjacent rays in a few runs start at most this distance, squared,
/// from each other.
fn are_adjacent_close(count: usize, get: impl Fn(usize) -> Option<Ray>, squared: f64) -> bool {
    let mut close = 0;
    for run in 0..RUNS {
        let first = place(run, count - PAIRS_OF_RUN);
        let Some(mut last) = get(first) else { continue };
        for index in 1..=PAIRS_OF_RUN {
            let Some(ray) = get(first + index) else { break };
            let apart = ray.origin.as_dvec3() - last.origin.as_dvec3();
            close += usize::from(apart.length_squared() <= squared);
            last = ray;
        }
    }
    2 * close > RUNS * PAIRS_OF_RUN
}

#[derive(Clone, Copy)]
struct Group {
    narrow: bool,
    origins: Aabb,
}

impl Group {
    /// Returns `None` for fewer than two rays, which have nothing in common to measure.
    fn of(rays: impl IntoIterator<Item = Ray>) -> Option<Self> {
        let mut rays = rays.into_iter();
        let first = rays.next()?;
        let mut origins = Aabb::of_points([first.origin]);
        let ahead = first.dir.as_dvec3();
        let (mut count, mut narrow) = (1, true);
        for ray in rays {
            count += 1;
            origins = origins.union(&Aabb::of_points([ray.origin]));
            let along = ray.dir.as_dvec3();
            let cosine = ahead.dot(along);
            narrow &= cosine > 0.0
                && cosine * cosine >= NARROW * ahead.length_squared() * along.length_squared();
        }
        (count > 1).then_some(Group { narrow, origins })
    }
}

/// Returns the squared diagonal, in `f64` so that the squares of `f32` do not overflow.
fn diagonal_squared(bounds: &Aabb) -> f64 {
    (bounds.max().as_dvec3() - bounds.min().as_dvec3()).length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::Rays;

    fn look(rays: &[Ray]) -> CoherenceSample {
        CoherenceSample::look(Rays::from(rays), None)
    }

    /// Returns the rays of a picture of `side` by `side` pixels, from one point or parallel.
    fn picture(side: usize, parallel: bool) -> Vec<Ray> {
        let at = |i: usize| (i as f32 + 0.5) / side as f32 - 0.5;
        (0..side * side)
            .map(|i| (at(i % side), at(i / side)))
            .map(|(x, y)| match parallel {
                false => Ray::new([0.1, 0.2, 9.0], [x, y, -1.0]),
                true => Ray::new([x, y, 9.0], [0.3, 0.1, -1.0]),
            })
            .collect()
    }

    #[test]
    fn pictures_go_one_way_and_shuffled_ones_do_not() {
        for parallel in [false, true] {
            let mut rays = picture(512, parallel);
            let found = look(&rays);
            assert_eq!(found.groups, 64);
            assert_eq!(found.one_way, 64, "{parallel}: {found:?}");
            let count = rays.len();
            for i in 0..count {
                rays.swap(i, i * 7919 % count);
            }
            assert!(look(&rays).one_way <= 4, "{parallel}: {:?}", look(&rays));
        }
    }

    #[test]
    fn few_rays_are_close_if_adjacent_ones_are() {
        // From a wall, block by block, in any direction.
        let wall = |i: usize| {
            let (block, pixel) = (i / 16, i % 16);
            let [x, y] = [block % 4 * 4 + pixel % 4, block / 4 * 4 + pixel / 4];
            let z = (i * 7919 % 101) as f32 - 50.0;
            Ray::new([x as f32, y as f32, 0.1 * x as f32], [30.0, z, 20.0])
        };
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let mut found = 0;
        for count in (64..4096).step_by(37) {
            let rays: Vec<Ray> = (0..count).map(wall).collect();
            let sample = look(&rays);
            assert_eq!(sample.close, sample.groups, "{count}: {sample:?}");
            let mut vector = || [random(), random(), random()];
            let rays: Vec<Ray> = (0..count).map(|_| Ray::new(vector(), vector())).collect();
            found += look(&rays).close;
        }
        assert!(found <= 1, "{found} of unrelated rays");
    }

    /// As on hair: neighbouring rays begin up to a sixth of the extent of all apart.
    #[test]
    fn rays_from_neighbouring_places_of_uneven_depth_are_close() {
        let from_depths = |step: f32| -> Vec<Ray> {
            let rays = picture(512, false).into_iter().enumerate();
            rays.map(|(i, ray)| {
                let depth = 1.0 + (i * 7919 % 101) as f32 * step;
                Ray::new(ray.origin + ray.dir * depth, ray.dir)
            })
            .collect()
        };
        let found = look(&from_depths(0.0015));
        assert_eq!(found.close, 64, "{found:?}");
        let deep = look(&from_depths(0.02));
        assert!(deep.close <= 16, "{deep:?}");
    }

    #[test]
    fn few_rays_are_not_looked_at_and_what_is_undefined_or_masked_does_not_count() {
        let mut rays = picture(64, false);
        assert_eq!(look(&rays[..63]), CoherenceSample::default());
        assert_eq!(look(&rays[..64]).groups, 1);
        assert_eq!(look(&rays).groups, 2);
        let none = vec![false; rays.len()];
        let masked = CoherenceSample::look(Rays::from(&rays), Some(&none));
        assert_eq!(masked, CoherenceSample::default());
        for ray in &mut rays {
            ray.dir.y = f32::NAN;
        }
        assert_eq!(look(&rays), CoherenceSample::default());
    }

    #[test]
    fn sizes_do_not_matter() {
        for scale in [1e-38, 1e-20, 1e18, 1e37] {
            let scaled = picture(512, false).into_iter();
            let scaled = scaled.map(|ray| Ray::new(ray.origin * scale, ray.dir * scale));
            let rays: Vec<Ray> = scaled.collect();
            assert!(look(&rays).one_way >= 56, "{scale}: {:?}", look(&rays));
        }
    }
}
