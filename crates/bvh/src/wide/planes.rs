//! The planes of a tree's triangles, by which kernels pass over leaves that a ray does not reach in
//! time.
//!
//! A plane is a normal `n` and a number `d`, in `f32`. No point `p` of its triangle has `n p` farther
//! from `d` than `4u` times the largest coordinate of the corners, where u = 2^-24, and `|n|` is at
//! most `1 + u`. That is checked as it is computed: a triangle that is too small, too thin or too
//! far away for such a plane gets one of zeros, which says nothing.

use super::leaf_blocks::Leaves;
use super::node::WIDTH;
use estoc_core::glam::Vec3;
use estoc_core::{InlineMap, Triangle};
use estoc_system::Arena;

/// Numbers of a plane.
const ROWS: usize = 4;
/// The numbers of a leaf of the largest size, and what a load of its last row reads beyond them.
const MOST: usize = ROWS * WIDTH + WIDTH;

/// The planes of all leaves, or none. Those of the leaf whose first slot is `s` are four rows from
/// `4 s` on: x, y and z of the normals, and `d`.
#[derive(Clone, Debug, Default)]
pub struct Planes(Arena<f32>);

/// Four rows of eight numbers, of which only as many count as the leaf has triangles.
pub(crate) type PlaneRows<'t> = [&'t [f32; WIDTH]; ROWS];

impl Planes {
    /// Returns the planes of the triangles of leaves, whose first slots and lengths are `ranges`, in
    /// their order. Returns none where there is no memory for them: they only save time.
    pub(super) fn of(leaves: &Leaves, ranges: &[(usize, usize)]) -> Self {
        let len = ROWS * leaves.len() + MOST;
        let Some(mut numbers) = Arena::zeroed(len) else {
            return Planes::default();
        };
        let view = leaves.blocks();
        super::leaf_blocks::for_each_leaf(
            &mut numbers[..],
            (ROWS, 0),
            ranges,
            &|(first, len), rows| {
                for place in 0..len {
                    let plane = plane_of(&view.scaled_triangle(first, len, place));
                    for (row, number) in plane.into_iter().enumerate() {
                        rows[row * len + place] = number;
                    }
                }
            },
        );
        Planes(numbers)
    }

    /// Returns the most bytes that the planes of this many triangles take while they are computed.
    pub(crate) fn bytes_while_made(triangles: usize) -> usize {
        let range = size_of::<(usize, usize)>();
        (ROWS * triangles + MOST) * size_of::<f32>() + triangles * range
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Returns the planes of a leaf, if there are any.
    #[inline(always)]
    pub(crate) fn of_leaf(&self, first: usize, len: usize) -> Option<PlaneRows<'_>> {
        let numbers: &[f32; MOST] = self.0.get(ROWS * first..)?.first_chunk()?;
        // The compiler leaves out the checks of rows: it knows that they end at `MOST`.
        let len = len.min(WIDTH);
        let row = |row: usize| numbers[row * len..].first_chunk();
        Some([row(0)?, row(1)?, row(2)?, row(3)?])
    }
}

/// Returns the plane of a triangle, or zeros.
pub fn plane_of(triangle: &Triangle) -> [f32; ROWS] {
    const MOST: f64 = 3.9 / (1 << 24) as f64;
    let corners = triangle.corners().inline_map(Vec3::as_dvec3);
    let [a, b, c] = corners;
    let across = (b - a).cross(c - a);
    let normal = (across / across.length()).as_vec3();
    let [low, high] = {
        let at = corners.inline_map(|p| normal.as_dvec3().dot(p));
        [at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2])]
    };
    let d = (0.5 * (low + high)) as f32;
    let off = (high - f64::from(d)).max(f64::from(d) - low);
    let largest = a.abs().max(b.abs()).max(c.abs()).max_element();
    // In this form NaN gives no plane.
    match off <= MOST * largest && normal.is_finite() {
        true => [normal.x, normal.y, normal.z, d],
        false => [0.0; ROWS],
    }
}
