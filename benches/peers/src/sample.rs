//! A sample of the rays that represents the whole.

use crate::answers::CHUNK;
use crate::number::Number;
use crate::ray::Ray;
use std::ops::Range;

const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Returns about `wanted` of the rays, in blocks of neighbours spread evenly over the whole.
pub(crate) fn sample<F: Number>(rays: &[Ray<F>], wanted: usize) -> Vec<Ray<F>> {
    let blocks = blocks(rays.len(), CHUNK, wanted);
    blocks.flat_map(|block| &rays[block]).copied().collect()
}

/// Returns blocks of this size, all but the last one full, that hold about `wanted` of `count`
/// things; all of them when there are no more.
///
/// Each block is taken from its own stretch of the things, at a position in it that follows the
/// golden ratio: blocks at equal distances would all lie in one column of a picture.
pub(crate) fn blocks(
    count: usize,
    size: usize,
    wanted: usize,
) -> impl Iterator<Item = Range<usize>> {
    let there = count.div_ceil(size);
    let kept = wanted.div_ceil(size).min(there);
    let edge = move |index: usize| index * there / kept;
    (0..kept).map(move |index| {
        let (first, length) = (edge(index), edge(index + 1) - edge(index));
        let place = (index as f64 * GOLDEN).fract() * length as f64;
        let start = (first + place as usize) * size;
        start..(start + size).min(count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn samples_lie_in_all_rows_and_columns() {
        let ray = |id: u32| Ray {
            origin: [0.0; 3],
            t_max: f32::from_bits(id),
            dir: [0.0; 3],
        };
        let rays: Vec<Ray> = (0..1 << 20).map(ray).collect();
        let ids =
            |rays: &[Ray]| -> HashSet<u32> { rays.iter().map(|ray| ray.t_max.to_bits()).collect() };
        assert_eq!(sample(&rays, 1 << 20).len(), rays.len());
        for wanted in [1 << 14, 1 << 16, 3 << 16, 700_000] {
            let kept = ids(&sample(&rays, wanted));
            assert_eq!(kept.len(), wanted.next_multiple_of(CHUNK), "none twice");
            // A row of the picture's tiles is 16 blocks.
            let blocks = kept.iter().map(|id| id / CHUNK as u32);
            let columns: HashSet<u32> = blocks.clone().map(|block| block % 16).collect();
            let rows: HashSet<u32> = blocks.map(|block| block / 16).collect();
            assert!(
                columns.len() >= 8 && rows.len() >= 16,
                "{wanted}: {columns:?}"
            );
        }
    }

    #[test]
    fn blocks_are_whole_and_come_in_order() {
        let kept: Vec<_> = blocks(1000, 100, 250).collect();
        assert_eq!(kept.len(), 3);
        assert!(kept.iter().all(|block| block.len() == 100));
        assert!(kept.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let all: Vec<_> = blocks(250, 100, 9999).collect();
        assert_eq!(all, [0..100, 100..200, 200..250]);
        assert_eq!(blocks(0, 100, 100).count(), 0);
    }
}
