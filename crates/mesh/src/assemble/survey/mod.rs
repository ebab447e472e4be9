//! Findings that require all triangles.

mod duplicates;
pub(crate) mod rounding;

pub(crate) use duplicates::duplicates;

use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Coordinate, PrimId, Triangle};

use crate::in_pieces::in_pieces;
use crate::mesh::Mesh;
use crate::report::Findings;
use crate::value_runs::NumberRuns;

/// Sets the bounds of the triangles, and counts triangles without area.
pub(crate) fn bounds_and_degenerate(mesh: &mut Mesh, face_lines: &NumberRuns) {
    let positions = mesh.positions();
    let found = in_pieces(mesh.indices(), |first, indices| {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut degenerate = Findings::default();
        for (prim, &[a, b, c]) in (first..).zip(indices) {
            let (a, b, c) = (
                positions[a as usize],
                positions[b as usize],
                positions[c as usize],
            );
            low = lower(low, lower(a, lower(b, c)));
            high = higher(high, higher(a, higher(b, c)));
            if !surely_has_area(a, b, c) && Triangle::new(a, b, c).is_degenerate() {
                degenerate.add(prim as u64, line_of(mesh, prim, face_lines));
            }
        }
        (low, high, degenerate)
    });
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut degenerate = Findings::default();
    for (lowest, highest, here) in found {
        low = lower(low, lowest);
        high = higher(high, highest);
        degenerate.append(&here, 0, 0);
    }
    mesh.report.degenerate = degenerate;
    mesh.bounds = Aabb::try_new(low, high).unwrap_or(Aabb::EMPTY);
}

/// Returns whether a triangle certainly has an area; its corners must be finite.
///
/// Each coordinate of the normal is a difference of two products of two differences of `f32`s. In
/// `f64` nothing overflows or underflows. Each product has a relative error of less than
/// 3.01 * 2^-53, and the last difference one of 2^-53. So a coordinate that is larger than 2^-50 of
/// the products is not zero.
#[inline]
fn surely_has_area(p0: Vec3, p1: Vec3, p2: Vec3) -> bool {
    const SURE: f64 = 1.0 / (1u64 << 50) as f64;
    let (p0, p1, p2) = (p0.as_dvec3(), p1.as_dvec3(), p2.as_dvec3());
    let (a, b) = (p1 - p0, p2 - p0);
    let sure = |left: f64, right: f64| (left - right).abs() > (left.abs() + right.abs()) * SURE;
    // Without short-circuiting, whose branches would be unpredictable.
    sure(a.y * b.z, a.z * b.y) | sure(a.z * b.x, a.x * b.z) | sure(a.x * b.y, a.y * b.x)
}

/// Returns the smaller of each coordinate; none is NaN, which [`Vec3::min`] cannot assume.
#[inline]
fn lower(a: Vec3, b: Vec3) -> Vec3 {
    let lower = |a, b| if b < a { b } else { a };
    Vec3::new(lower(a.x, b.x), lower(a.y, b.y), lower(a.z, b.z))
}

/// Returns the larger of each coordinate, likewise.
#[inline]
fn higher(a: Vec3, b: Vec3) -> Vec3 {
    let higher = |a, b| if b > a { b } else { a };
    Vec3::new(higher(a.x, b.x), higher(a.y, b.y), higher(a.z, b.z))
}

pub(crate) fn line_of<C: Coordinate>(
    mesh: &Mesh<C>,
    prim: usize,
    face_lines: &NumberRuns,
) -> Option<u64> {
    let face = mesh.face_of(PrimId::from_index(prim)?)?;
    face_lines.get(face)
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use estoc_testkit::tables::Rng;

    #[test]
    fn what_surely_has_area_has_it_and_most_of_what_has_it_surely_has() {
        let mut rng = Rng::new(71);
        let (mut sure, mut all) = (0, 0);
        for round in 0..200_000 {
            // Exponents far apart and close together, corners collinear or nearly.
            let mut number = |spread: u64| {
                let exponent = (127 + rng.below(spread) as u32).wrapping_sub(spread as u32 / 2);
                let bits = rng.below(1 << 23) as u32 & if round % 2 == 0 { 0x70_0000 } else { !0 };
                f32::from_bits((rng.below(2) as u32) << 31 | exponent << 23 | bits)
            };
            let spread = [1, 4, 250][round % 3];
            let mut corner = || Vec3::from_array([(); 3].map(|()| number(spread)));
            let (a, b) = (corner(), corner());
            let c = match round % 5 {
                0 => a + (b - a) * 0.5,
                1 => a + (b - a) * 3.0,
                _ => corner(),
            };
            let triangle = Triangle::new(a, b, c);
            if !triangle.is_finite() {
                continue;
            }
            all += u32::from(!triangle.is_degenerate());
            if surely_has_area(a, b, c) {
                sure += 1;
                assert!(!triangle.is_degenerate(), "{triangle:?}");
            }
        }
        assert!(all > 100_000 && sure > all - all / 10, "{sure} of {all}");
    }
}
