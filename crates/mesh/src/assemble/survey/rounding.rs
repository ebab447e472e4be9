//! Finds corners that rounding made equal.

use estoc_core::glam::{DVec3, Vec3};
use estoc_system::parallel::prelude::*;
use estoc_system::{Growth, NoMemory, collected, zeroed};

use super::duplicates::ComparedPosition;
use crate::in_pieces::{both, in_pieces};
use crate::mesh::Mesh;

/// A position, and the same vertex in the file.
type SurveyedCorner = ([u32; 3], [u64; 3]);

/// Sets the bounds of the triangles in the file, and counts the corners that became equal to a
/// different one. `in_file` has the vertices of the file, in order.
///
/// It is asked for wherever a mesh may turn out to need `f64`, so it first leaves out what is no candidate.
pub(crate) fn survey(mesh: &mut Mesh, in_file: &[Vec<DVec3>]) -> Result<(), NoMemory> {
    let loss = mesh.report.rounding;
    let has_moved = loss.largest_movement > 0.0;
    let bounds = mesh.bounds();
    let (least, greatest) = (bounds.min(), bounds.max());
    if !has_moved && mesh.origin == DVec3::ZERO {
        // All corners are where they are in the file.
        let has_corners = !mesh.indices().is_empty();
        let loss = &mut mesh.report.rounding;
        let corners = [least, greatest].map(|corner| corner.as_dvec3().to_array());
        loss.merged_corners = Some(0);
        loss.bounds_in_file = has_corners.then_some(corners);
        return Ok(());
    }
    let positions = mesh.positions();
    let (is_used, alike) = both(
        positions.len(),
        || used(mesh),
        || Alike::of(if has_moved { positions } else { &[] }),
    );
    let (is_used, alike) = (is_used?, alike?);
    let found = in_pieces(positions, |first, positions| {
        let is_used = &is_used[first..];
        let in_file = in_file.iter().flatten().skip(first);
        let mut found = Found::default();
        for ((&position, &in_file), &is_used) in positions.iter().zip(in_file).zip(is_used) {
            // Rounding keeps the order, so the bounds in the file are some of those that became the bounds.
            let is_bound = position.cmpeq(least) | position.cmpeq(greatest);
            if is_bound.any() && is_used == 1 {
                found.bounds = Some(match found.bounds {
                    None => [in_file; 2],
                    Some([low, high]) => [low.min(in_file), high.max(in_file)],
                });
            }
            if has_moved && alike.has_seen_twice(position) && is_used == 1 {
                found.candidates.try_push((position, in_file))?;
            }
        }
        Ok(found)
    });
    let mut bounds: Option<[DVec3; 2]> = None;
    let mut candidates = Vec::new();
    for found in found {
        let found: Found = found?;
        candidates.try_append(&found.candidates)?;
        bounds = match (bounds, found.bounds) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (one, other) => one.or(other),
        };
    }
    let merged = match are_some_merged(&candidates)? {
        true => merged_corners(&candidates)?,
        false => 0,
    };
    let loss = &mut mesh.report.rounding;
    loss.merged_corners = Some(merged);
    loss.bounds_in_file = bounds.map(|bounds| bounds.map(|corner| corner.to_array()));
    Ok(())
}

/// What a piece of the vertices has.
#[derive(Default)]
struct Found {
    /// The least and the greatest coordinates in the file of corners that are bounds of the mesh.
    bounds: Option<[DVec3; 2]>,
    /// The corners whose positions may be those of several vertices.
    candidates: Vec<(Vec3, DVec3)>,
}

/// Returns which vertices are corners of triangles.
fn used(mesh: &Mesh) -> Result<Vec<u8>, NoMemory> {
    let mut is_used = zeroed(mesh.positions().len())?;
    for &vertex in mesh.indices().as_flattened() {
        is_used[vertex as usize] = 1;
    }
    Ok(is_used)
}

/// Which positions may be those of several vertices: a count of none, one or more for each hash.
struct Alike(Vec<u64>);

impl Alike {
    /// The hashes for each vertex, or more: of different positions, one in this many is a candidate, or fewer.
    const PLACES: usize = 16;

    fn of(positions: &[Vec3]) -> Result<Self, NoMemory> {
        let places = (positions.len() * Self::PLACES).next_power_of_two();
        let mut alike = Alike(zeroed(places.div_ceil(32))?);
        for &position in positions {
            alike.see(position);
        }
        Ok(alike)
    }

    /// Returns the word with the count of a position, and its bits there.
    #[inline]
    fn place(&self, position: Vec3) -> (usize, u64) {
        let hash = position.hash() as usize;
        ((hash / 32) & (self.0.len() - 1), 0b11 << (2 * (hash % 32)))
    }

    #[inline]
    fn see(&mut self, position: Vec3) {
        const ONCE: u64 = 0x5555_5555_5555_5555;
        let (word, bits) = self.place(position);
        // The lower bit is set by the first one, the upper bit by the next.
        let before = self.0[word] & bits & ONCE;
        self.0[word] |= (bits & ONCE) | before << 1;
    }

    #[inline]
    fn has_seen_twice(&self, position: Vec3) -> bool {
        let (word, bits) = self.place(position);
        self.0[word] & bits == bits
    }
}

/// Returns whether two corners that are different in the file may have one position.
fn are_some_merged(corners: &[(Vec3, DVec3)]) -> Result<bool, NoMemory> {
    // The number of a corner from 1, where its hash says or in the next free place.
    let mut places: Vec<u32> = zeroed((2 * corners.len()).next_power_of_two())?;
    let last = places.len() - 1;
    // With hashes that are made to be equal, it would take the square of the number of corners.
    let mut steps_left = 16 * places.len();
    for (&(position, in_file), number) in corners.iter().zip(1..) {
        // The upper bits of the product: the lower ones of hashes of candidates are alike.
        let hash = u64::from(position.hash()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> 24) as usize & last;
        while places[place] != 0 && corners[places[place] as usize - 1].0 != position {
            place = (place + 1) & last;
            steps_left -= 1;
            if steps_left == 0 {
                return Ok(true);
            }
        }
        match places[place] {
            0 => places[place] = number,
            other if corners[other as usize - 1].1 != in_file => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}

/// Returns the number of corners that became equal to a different one.
fn merged_corners(corners: &[(Vec3, DVec3)]) -> Result<u64, NoMemory> {
    let mut corners: Vec<SurveyedCorner> =
        collected(corners.iter().map(|&(position, in_file)| {
            // Adding 0 turns -0 into +0.
            let in_file = (in_file + DVec3::ZERO).to_array().map(f64::to_bits);
            (position.bits(), in_file)
        }))?;
    corners.par_sort_unstable();
    corners.dedup();
    let different = corners.len();
    corners.dedup_by_key(|corner| corner.0);
    Ok((different - corners.len()) as u64)
}
