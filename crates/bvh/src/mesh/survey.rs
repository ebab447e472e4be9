//! What is only seen once all triangles are there.

use estoc_core::glam::Vec3;
use estoc_core::{Aabb, PrimId};

use super::runs::Ramp;
use super::{Mesh, Tally};

/// Sets the bounds of what triangles use, and counts triangles without area.
pub(super) fn bounds_and_degenerate(mesh: &mut Mesh, face_lines: &Ramp) {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut degenerate = Tally::default();
    for (prim, triangle) in mesh.triangles().enumerate() {
        for p in triangle.corners() {
            low = low.min(p);
            high = high.max(p);
        }
        if triangle.is_degenerate() {
            degenerate.add(prim as u64, line_of(mesh, prim, face_lines));
        }
    }
    mesh.report.degenerate = degenerate;
    mesh.bounds = Aabb::try_new(low, high).unwrap_or(Aabb::EMPTY);
}

/// Counts triangles with the same three positions as an earlier one.
///
/// Sums of hashes of positions do not depend on the order of corners. Triangles with equal
/// sums stand together after sorting, and only those are compared for real.
pub(super) fn duplicates(mesh: &mut Mesh, face_lines: &Ramp) {
    let (positions, indices) = (mesh.positions(), mesh.indices());
    let hashes: Vec<u32> = positions.iter().map(|&p| hash(bits(p))).collect();
    // The sum above the number: one word sorts faster than two.
    let sum_and_prim = |(prim, &[a, b, c]): (u32, &[u32; 3])| {
        let [a, b, c] = [a, b, c].map(|corner| hashes[corner as usize]);
        u64::from(a.wrapping_add(b).wrapping_add(c)) << 32 | u64::from(prim)
    };
    let mut sums: Vec<u64> = (0..).zip(indices).map(sum_and_prim).collect();
    sums.sort_unstable();
    let key = |&sum: &u64| {
        let prim = sum as u32;
        let mut corners = indices[prim as usize].map(|i| bits(positions[i as usize]));
        corners.sort_unstable();
        (corners, prim)
    };
    let mut copies = Vec::new();
    for alike in sums.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        if alike.len() > 1 {
            alike.sort_unstable_by_key(key);
            for same in alike.chunk_by(|a, b| key(a).0 == key(b).0) {
                copies.extend(same[1..].iter().map(|&sum| sum as u32));
            }
        }
    }
    copies.sort_unstable();
    for prim in copies {
        let line = line_of(mesh, prim as usize, face_lines);
        mesh.report.duplicate.add(prim.into(), line);
    }
}

fn line_of(mesh: &Mesh, prim: usize, face_lines: &Ramp) -> Option<u64> {
    let face = mesh.face_of(PrimId::from_index(prim)?)?;
    face_lines.get(face)
}

/// The bits of a position, with one zero instead of two.
fn bits(p: Vec3) -> [u32; 3] {
    (p + Vec3::ZERO).to_array().map(f32::to_bits)
}

/// Spreads the bits of a position over a word (the finaliser of SplitMix64, twice). Only
/// speed depends on how well.
fn hash([x, y, z]: [u32; 3]) -> u32 {
    let mix = |mut h: u64| {
        h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^ (h >> 31)
    };
    (mix(mix(u64::from(x) << 32 | u64::from(y)).wrapping_add(u64::from(z))) >> 32) as u32
}
