//! Chooses the scale of the tree over a mesh.

use super::watch::{BuildWatch, Cancelled};
use crate::wide::Scale;
use estoc_core::{Triangle, select_compactly};
use estoc_mesh::parts::Buffers;
use estoc_system::parallel::prelude::*;

impl Scale {
    /// Returns the scale for these triangles: 1 unless they are very large or very small, and then
    /// only if every coordinate can be scaled back exactly. Usually reads only a few triangles.
    pub fn of(
        count: usize,
        triangle: impl Fn(usize) -> Triangle + Sync,
        watch: &BuildWatch<'_>,
    ) -> Result<Self, Cancelled> {
        // Exponents for which products of a few coordinates stay far from overflow and underflow.
        const FINE: std::ops::RangeInclusive<i32> = -20..=20;
        /// Triangles that are checked at a time.
        const CHUNK: usize = 1 << 14;
        let usual = usual_exponent(count, &triangle);
        if FINE.contains(&usual) {
            return Ok(Scale::default());
        }
        let exponent = (-usual).clamp(-Self::MOST, Self::MOST);
        let scale = Scale::from_exponent(exponent).unwrap_or_default();
        let exact = |x: f32| {
            let scaled = scale.up(x);
            scaled.is_finite() && scale.down(scaled) == x
        };
        let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
            watch.check()?;
            let first = chunk * CHUNK;
            let mut triangles = (first..count.min(first + CHUNK)).map(&triangle);
            Ok(triangles.all(|t| {
                t.corners()
                    .into_iter()
                    .flat_map(|p| p.to_array())
                    .all(exact)
            }))
        });
        let all = chunks
            .try_reduce_with(|a, b| Ok(a && b))
            .unwrap_or(Ok(true))?;
        Ok(if all { scale } else { Scale::default() })
    }

    /// Returns the scale for the triangles of a mesh.
    pub fn of_mesh(mesh: &Buffers, watch: &BuildWatch<'_>) -> Result<Self, Cancelled> {
        let indices = mesh.indices();
        let triangle = |place: usize| mesh.triangle_of(&indices[place]);
        Scale::of(indices.len(), triangle, watch)
    }
}

/// Returns the median of the triangles' largest coordinates, as an exponent of two; of a sample
/// if there are many triangles.
fn usual_exponent(count: usize, triangle: impl Fn(usize) -> Triangle) -> i32 {
    const SAMPLE: usize = 1024;
    let step = count / SAMPLE + 1;
    let largest = |t: Triangle| {
        let sizes = t.corners().map(|p| p.abs().max_element());
        sizes.into_iter().fold(0.0, f32::max)
    };
    let sample = (0..count).step_by(step);
    let mut sizes: Vec<f32> = sample.map(|place| largest(triangle(place))).collect();
    if sizes.is_empty() {
        return 0;
    }
    let middle = sizes.len() / 2;
    let size = *select_compactly(&mut sizes, middle, f32::total_cmp);
    match f64::from(size) {
        0.0 => 0,
        // An f32 is a normal f64.
        size => (size.to_bits() >> 52) as i32 - 1023,
    }
}
