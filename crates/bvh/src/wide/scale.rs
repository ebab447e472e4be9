//! The unit of a tree: a power of two that makes its usual triangle about as large as 1.
//!
//! Kernels multiply two coordinates in `f32`. In a scene at 1e-30 or 1e30 that would vanish
//! or overflow, so the tree stores its boxes and triangles multiplied by a power of two. That
//! is exact, or it is not done at all.

use super::leaves::Block;
use estoc_core::{PrimId, Triangle};

/// A power of two that multiplies exactly, and its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    exponent: i32,
    up: f32,
    down: f32,
}

impl Default for Scale {
    fn default() -> Self {
        Scale::of_exponent(0)
    }
}

impl Scale {
    /// Greater ones, and their inverses, are no normal `f32`s.
    const MOST: i32 = 126;

    fn of_exponent(exponent: i32) -> Self {
        let power = |exponent: i32| f32::from_bits(((127 + exponent) as u32) << 23);
        Scale {
            exponent,
            up: power(exponent),
            down: power(-exponent),
        }
    }

    /// The scale for these triangles: 1 unless they are very large or very small, and then
    /// only if every coordinate can be multiplied back.
    pub(crate) fn of(triangles: impl ExactSizeIterator<Item = Triangle> + Clone) -> Self {
        // A power far from what multiplications of a few such numbers can bear.
        const FINE: std::ops::RangeInclusive<i32> = -20..=20;
        let usual = usual_exponent(triangles.clone());
        if FINE.contains(&usual) {
            return Scale::default();
        }
        let scale = Scale::of_exponent((-usual).clamp(-Self::MOST, Self::MOST));
        let numbers = triangles
            .flat_map(|t| t.corners())
            .flat_map(|p| p.to_array());
        let exact = |x: f32| {
            let scaled = x * scale.up;
            scaled.is_finite() && scaled * scale.down == x
        };
        match { numbers }.all(exact) {
            true => scale,
            false => Scale::default(),
        }
    }

    /// Whether it is a power of two that trees may have.
    pub(crate) fn is_sound(self) -> bool {
        (-Self::MOST..=Self::MOST).contains(&self.exponent)
            && self == Scale::of_exponent(self.exponent)
    }

    /// Whether the triangle of a tree is, exactly, one of a mesh.
    pub(crate) fn is_exact(self, scaled: &Triangle) -> bool {
        let numbers = scaled.corners().into_iter().flat_map(|p| p.to_array());
        let mut numbers = numbers.map(|x| (x, self.down(x)));
        numbers.all(|(x, down)| down.is_finite() && self.up(down) == x)
    }

    #[inline(always)]
    pub(crate) fn is_one(self) -> bool {
        self.exponent == 0
    }

    pub(crate) fn exponent(self) -> i32 {
        self.exponent
    }

    pub(crate) fn up(self, x: f32) -> f32 {
        x * self.up
    }

    #[inline(always)]
    pub(crate) fn down(self, x: f32) -> f32 {
        x * self.down
    }

    /// A triangle of the mesh in units of the tree.
    #[inline(always)]
    pub(crate) fn triangle_up(self, triangle: Triangle) -> Triangle {
        if self.is_one() {
            return triangle;
        }
        let [p0, p1, p2] = triangle.corners().map(|p| p.map(|x| self.up(x)));
        Triangle::new(p0, p1, p2)
    }

    /// The triangle at a place in a leaf, as the mesh has it.
    #[inline(always)]
    pub(crate) fn triangle_down(self, leaf: Block<'_>, place: usize) -> (PrimId, Triangle) {
        let mut triangle = leaf.triangle(place);
        if !self.is_one() {
            let [p0, p1, p2] = triangle.corners().map(|p| p.map(|x| self.down(x)));
            triangle = Triangle::new(p0, p1, p2);
        }
        (leaf.prim(place), triangle)
    }
}

/// The middle one of the triangles' largest coordinates, as an exponent of two; of a sample
/// when there are many.
fn usual_exponent(triangles: impl ExactSizeIterator<Item = Triangle>) -> i32 {
    const SAMPLE: usize = 1024;
    let step = triangles.len() / SAMPLE + 1;
    let largest = |t: Triangle| {
        let sizes = t.corners().map(|p| p.abs().max_element());
        sizes.into_iter().fold(0.0, f32::max)
    };
    let mut sizes: Vec<f32> = triangles.step_by(step).map(largest).collect();
    if sizes.is_empty() {
        return 0;
    }
    let middle = sizes.len() / 2;
    let (_, &mut size, _) = sizes.select_nth_unstable_by(middle, f32::total_cmp);
    match f64::from(size) {
        0.0 => 0,
        // An f32 is a normal f64.
        size => (size.to_bits() >> 52) as i32 - 1023,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(sizes: &[f32]) -> Scale {
        let triangle = |&x: &f32| Triangle::new([x, 0.0, 0.0], [0.0, -x, 0.0], [0.0, 0.0, x]);
        Scale::of(sizes.iter().map(triangle).collect::<Vec<_>>().into_iter())
    }

    #[test]
    fn usual_scenes_are_left_alone() {
        assert_eq!(scale_of(&[]).exponent(), 0);
        assert_eq!(scale_of(&[0.0]).exponent(), 0);
        assert_eq!(scale_of(&[1.0, 1e4, 1e-4, 1e30]).exponent(), 0);
    }

    #[test]
    fn extreme_scenes_come_near_one_and_back() {
        for size in [1e30, 1e-30, f32::MAX, 1e-40] {
            let scale = scale_of(&[size, size / 2.0, size]);
            assert_ne!(scale.exponent(), 0);
            let scaled = scale.up(size);
            assert!((1e-3..1e3).contains(&scaled), "{size} becomes {scaled}");
            assert_eq!(scale.down(scaled), size);
        }
    }

    #[test]
    fn what_could_not_come_back_is_left_alone() {
        assert_eq!(scale_of(&[1e30, 1e30, 1.1e-30]).exponent(), 0);
        assert_eq!(scale_of(&[1e-30, 1e-30, 1e30]).exponent(), 0);
    }
}
