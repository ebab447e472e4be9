//! Finds corners that rounding made equal.

use estoc_core::glam::{DVec3, Vec3};
use estoc_system::parallel::prelude::*;
use estoc_system::{Growth, NoMemory, collected, zeroed};

use super::duplicates::ComparedPosition;
use crate::mesh::Mesh;

/// A position, and the same vertex in the file.
type SurveyedCorner = ([u32; 3], [u64; 3]);

/// Sets the bounds of the triangles in the file, and counts the corners that became equal to a
/// different one. `in_file` has the vertices of the file, in order.
///
/// It is asked for wherever a mesh may turn out to need `f64`, so it first leaves out what is no candidate.
pub(crate) fn survey(mesh: &mut Mesh, in_file: &[Vec<DVec3>]) -> Result<(), NoMemory> {
    let is_used = used(mesh)?;
    let is_used = |vertex: usize| is_used[vertex] == 1;
    let loss = mesh.report.rounding;
    let bounds = mesh.bounds();
    let (least, greatest) = (bounds.min(), bounds.max());
    let has_moved = loss.largest_movement > 0.0;
    let mut alike = Alike::new(if has_moved { mesh.positions().len() } else { 0 })?;
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut has_corner = false;
    for (vertex, (&position, &in_file)) in corners(mesh, in_file).enumerate() {
        if has_moved {
            alike.see(position);
        }
        // Rounding keeps the order, so the bounds in the file are some of those that became the bounds.
        let is_bound = position.cmpeq(least) | position.cmpeq(greatest);
        if is_bound.any() && is_used(vertex) {
            (low, high) = (low.min(in_file), high.max(in_file));
            has_corner = true;
        }
    }
    let mut candidates = Vec::new();
    if has_moved {
        for (vertex, (&position, &in_file)) in corners(mesh, in_file).enumerate() {
            if alike.has_seen_twice(position) && is_used(vertex) {
                candidates.try_push((position, in_file))?;
            }
        }
    }
    let merged = match are_some_merged(&candidates)? {
        true => merged_corners(&candidates)?,
        false => 0,
    };
    let loss = &mut mesh.report.rounding;
    loss.merged_corners = Some(merged);
    loss.bounds_in_file = has_corner.then_some([low, high].map(|corner| corner.to_array()));
    Ok(())
}

/// Returns the vertices, each with the same in the file.
fn corners<'a>(
    mesh: &'a Mesh,
    in_file: &'a [Vec<DVec3>],
) -> impl Iterator<Item = (&'a Vec3, &'a DVec3)> {
    mesh.positions().iter().zip(in_file.iter().flatten())
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

    fn new(vertices: usize) -> Result<Self, NoMemory> {
        let places = (vertices * Self::PLACES).next_power_of_two();
        Ok(Alike(zeroed(places.div_ceil(32))?))
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
