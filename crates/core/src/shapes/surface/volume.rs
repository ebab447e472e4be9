//! The sign of the volume that triangles enclose.

use crate::arithmetic::{
    Bounded, Dyadic, V3, are_moderate, exact_minus, exact_triple, minus, sum, triple,
};
use crate::shapes::Triangle64;
use core::cmp::Ordering;

/// Compares the signed volume that triangles enclose with 0, exactly.
///
/// It is positive if they face outwards, that is, if their corners are counter-clockwise as seen from
/// outside, and negative if they face inwards. Of several parts, the sum counts. It means this only for
/// a closed and oriented surface ([`SurfaceReport::is_oriented`](crate::SurfaceReport::is_oriented));
/// for others it is the sum of the tetrahedra between the triangles and the first corner. Triangles
/// that are not finite do not count.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod mesh { pub use estoc_core::*; } }
/// use estoc::{Triangle, mesh::volume_sign};
/// use std::cmp::Ordering;
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let outwards = faces.map(|[a, b, c]| Triangle::new(a, b, c));
/// let inwards = faces.map(|[a, b, c]| Triangle::new(a, c, b));
/// assert_eq!(volume_sign(outwards.into_iter()), Ordering::Greater);
/// assert_eq!(volume_sign(inwards.into_iter()), Ordering::Less);
/// ```
pub fn volume_sign<T: Into<Triangle64>>(triangles: impl Iterator<Item = T> + Clone) -> Ordering {
    let all = triangles.map(Into::into).filter(Triangle64::is_finite);
    let all = all.map(|triangle| triangle.coordinates());
    let Some([origin, ..]) = all.clone().next() else {
        return Ordering::Equal;
    };
    let is_moderate = |[a, b, c]: [V3; 3]| are_moderate(&[origin, a, b, c]);
    let about = all.clone().map(|corners| match is_moderate(corners) {
        true => {
            let [a, b, c] = corners.map(|corner| minus(corner, origin));
            triple(a, b, c)
        }
        false => Bounded::UNKNOWN,
    });
    let sign = about.fold(Bounded::exact(0.0), sum).sign();
    let exactly = || {
        let total = all.fold(Dyadic::from_f64(0.0), |total, corners| {
            let [a, b, c] = corners.map(|corner| exact_minus(corner, origin));
            total.add(&exact_triple(&a, &b, &c))
        });
        total.sign()
    };
    sign.unwrap_or_else(exactly).cmp(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Triangle;
    use std::vec::Vec;

    #[test]
    fn corners_beyond_the_range_of_bounds_have_a_sign() {
        for size in [1e-310, 1e-200, 5e6, 1e200, 1e300] {
            let scaled = |triangle: Triangle| {
                let [a, b, c] = Triangle64::from(triangle).corners();
                Triangle64::new(a * size, b * size, c * size)
            };
            let outwards = block([0.5; 3], [1.0; 3]).into_iter().map(scaled);
            assert_eq!(volume_sign(outwards.clone()), Ordering::Greater, "{size}");
            let inwards = outwards.map(|t| Triangle64::new(t.p0, t.p2, t.p1));
            assert_eq!(volume_sign(inwards), Ordering::Less, "{size}");
        }
    }

    /// Returns a box between two corners, facing outwards.
    fn block(low: [f32; 3], high: [f32; 3]) -> Vec<Triangle> {
        let corner = |i: usize| [0, 1, 2].map(|axis| [low, high][i >> axis & 1][axis]);
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let halves = faces
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        halves
            .map(|[a, b, c]| Triangle::new(corner(a), corner(b), corner(c)))
            .collect()
    }

    fn turned(triangles: &[Triangle]) -> Vec<Triangle> {
        let turn = |t: &Triangle| Triangle::new(t.p0, t.p2, t.p1);
        triangles.iter().map(turn).collect()
    }

    fn sign(triangles: &[Triangle]) -> Ordering {
        volume_sign(triangles.iter().copied())
    }

    #[test]
    fn signs_are_exact_at_any_size_and_distance() {
        let tiny = f32::from_bits(1);
        let far = 1e30_f32;
        for (low, high) in [
            ([0.0; 3], [1.0; 3]),
            ([0.0; 3], [tiny; 3]),
            ([-f32::MAX; 3], [f32::MAX; 3]),
            // Thinner than the error of `f64` at this size.
            ([-far, -far, 0.0], [far, far, tiny]),
            (
                [far, 1.0, 1.0],
                [far.next_up(), 1.0_f32.next_up(), 1.0_f32.next_up()],
            ),
        ] {
            let solid = block(low, high);
            assert_eq!(sign(&solid), Ordering::Greater, "{low:?} {high:?}");
            assert_eq!(sign(&turned(&solid)), Ordering::Less, "{low:?} {high:?}");
        }
    }

    #[test]
    fn parts_are_added() {
        let (large, small) = (block([0.0; 3], [3.0; 3]), block([5.0; 3], [6.0; 3]));
        assert_eq!(
            sign(&[large.clone(), turned(&small)].concat()),
            Ordering::Greater
        );
        assert_eq!(sign(&[turned(&large), small].concat()), Ordering::Less);
        // A volume of 2^-149 is left of two of 2^254.
        let huge = block([-f32::MAX, 0.0, 0.0], [f32::MAX, f32::MAX, 1.0]);
        let rest = block([0.0; 3], [1.0, 1.0, f32::from_bits(1)]);
        let sum = [huge.clone(), rest.clone(), turned(&huge)].concat();
        assert_eq!(sign(&sum), Ordering::Greater);
        let sum = [huge.clone(), turned(&rest), turned(&huge)].concat();
        assert_eq!(sign(&sum), Ordering::Less);
        assert_eq!(
            sign(&[huge.clone(), turned(&huge)].concat()),
            Ordering::Equal
        );
    }

    #[test]
    fn sheets_and_nothing_have_none() {
        let sheet = [Triangle::new([0.1; 3], [1.3, 0.2, 0.7], [0.3, 1.1, 0.9])];
        assert_eq!(
            sign(&[&sheet[..], &turned(&sheet)].concat()),
            Ordering::Equal
        );
        assert_eq!(sign(&[]), Ordering::Equal);
        let broken = Triangle::new([f32::NAN; 3], [0.0; 3], [1.0; 3]);
        assert_eq!(sign(&[broken]), Ordering::Equal);
        let solid = [&[broken][..], &block([1.0; 3], [2.0; 3])].concat();
        assert_eq!(sign(&solid), Ordering::Greater);
    }
}
