//! Finds triangles with the same three positions as an earlier one.
//!
//! A sum of hashes of positions does not depend on the order of corners. Each piece of the
//! triangles is sorted by the upper bits of its sums; then each thread takes the sums with the same
//! upper bits from all pieces, few enough for the private caches, and finds equal ones. Only
//! triangles with equal sums are compared.

use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Coordinate, sort_compactly};
use estoc_system::parallel::prelude::*;
use estoc_system::{Arena, Growth, NoMemory, collected};
use std::iter::repeat_n;

use super::line_of;
use crate::in_pieces::map_into;
use crate::mesh::Mesh;
use crate::report::Findings;
use crate::value_runs::NumberRuns;

/// The approximate number of sums with the same upper bits.
const ALIKE: usize = 1 << 12;

/// The largest number of upper bits: with more, each piece would have too few sums of each value.
const MOST_BITS: u32 = 12;

/// The number of sums that are sorted together.
const PIECE: usize = 1 << 17;

/// Returns the triangles with the same three positions as an earlier one.
pub(crate) fn duplicates<C: Coordinate>(
    mesh: &Mesh<C>,
    positions: &[impl ComparedPosition],
    face_lines: &NumberRuns,
) -> Result<Findings, NoMemory> {
    let mut duplicate = Findings::default();
    for prim in copies(positions, mesh.indices())? {
        duplicate.add(prim.into(), line_of(mesh, prim as usize, face_lines));
    }
    Ok(duplicate)
}

/// A position that is compared by its bits, with +0 for -0.
pub(crate) trait ComparedPosition: Copy + Sync {
    type Bits: Copy + Ord;

    fn bits(self) -> Self::Bits;

    fn hash(self) -> u32;
}

impl ComparedPosition for Vec3 {
    type Bits = [u32; 3];

    fn bits(self) -> [u32; 3] {
        (self + Vec3::ZERO).to_array().map(f32::to_bits)
    }

    fn hash(self) -> u32 {
        let [x, y, z] = self.bits();
        (mix(mix(u64::from(x) << 32 | u64::from(y)).wrapping_add(u64::from(z))) >> 32) as u32
    }
}

impl ComparedPosition for DVec3 {
    type Bits = [u64; 3];

    fn bits(self) -> [u64; 3] {
        (self + DVec3::ZERO).to_array().map(f64::to_bits)
    }

    fn hash(self) -> u32 {
        let all = |hash, bits| mix(u64::wrapping_add(hash, bits));
        (self.bits().into_iter().fold(0, all) >> 32) as u32
    }
}

/// Mixes bits (the finaliser of SplitMix64). The quality of the hash affects only speed.
fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// Returns the triangles with the positions of an earlier one, in order.
fn copies(positions: &[impl ComparedPosition], indices: &[[u32; 3]]) -> Result<Vec<u32>, NoMemory> {
    let mut hashes = Arena::zeroed(positions.len()).ok_or(NoMemory)?;
    map_into(positions, &mut hashes, |p| p.hash());
    let sum = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|corner| hashes[corner as usize]);
        a.wrapping_add(b).wrapping_add(c)
    };
    let same = Same { positions, indices };
    let number_of_bits = (indices.len() / ALIKE)
        .checked_ilog2()
        .unwrap_or(0)
        .min(MOST_BITS);
    if number_of_bits == 0 {
        let sums = (0..).zip(indices);
        let mut sums = collected(sums.map(|(prim, face)| sum_and_prim(sum(face), prim)))?;
        let mut copies = same.copies(&mut sums)?;
        copies.sort_unstable();
        return Ok(copies);
    }
    let pieces: Vec<_> = indices
        .par_chunks(PIECE)
        .enumerate()
        .map(|(i, indices)| {
            let sums = collected(indices.iter().map(&sum))?;
            HashedPiece::new(&sums, (i * PIECE) as u32, number_of_bits)
        })
        .collect::<Result<_, NoMemory>>()?;
    drop(hashes);
    let found: Vec<_> = (0..1 << number_of_bits)
        .into_par_iter()
        .map(|upper| {
            let mut sums = Vec::new();
            sums.make_room(pieces.iter().map(|piece| piece.with(upper).len()).sum())?;
            for piece in &pieces {
                sums.extend_from_slice(piece.with(upper));
            }
            same.copies(repeated(&mut sums, number_of_bits)?)
        })
        .collect::<Result<_, NoMemory>>()?;
    let mut copies = Vec::new();
    found
        .iter()
        .try_for_each(|found| copies.try_append(found))?;
    copies.par_sort_unstable();
    Ok(copies)
}

/// Packs the sum above the index: one word sorts faster than two.
fn sum_and_prim(sum: u32, prim: u32) -> u64 {
    u64::from(sum) << 32 | u64::from(prim)
}

/// Sums with their triangles, sorted by the upper bits.
struct HashedPiece {
    sums: Vec<u64>,
    /// For each value of the upper bits, the end of its sums.
    ends: Vec<u32>,
}

impl HashedPiece {
    /// Sorts the sums of the triangles from `first` on.
    fn new(sums: &[u32], first: u32, number_of_bits: u32) -> Result<HashedPiece, NoMemory> {
        let upper = |sum: u32| (sum >> (u32::BITS - number_of_bits)) as usize;
        let mut ends = vec![0; 1 << number_of_bits];
        for &sum in sums {
            ends[upper(sum)] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            (start, *end) = (start + *end, start);
        }
        let mut sorted = collected(repeat_n(0, sums.len()))?;
        for (prim, &sum) in (first..).zip(sums) {
            let place = &mut ends[upper(sum)];
            sorted[*place as usize] = sum_and_prim(sum, prim);
            *place += 1;
        }
        Ok(HashedPiece { sums: sorted, ends })
    }

    fn with(&self, upper: usize) -> &[u64] {
        let start = upper.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sums[start as usize..self.ends[upper] as usize]
    }
}

/// Moves sums that may occur more than once to the front; all have the same upper bits.
fn repeated(sums: &mut Vec<u64>, number_of_bits: u32) -> Result<&mut [u64], NoMemory> {
    // With one bit per sum, too many would be set by chance.
    let bits = (16 * sums.len()).next_power_of_two().clamp(64, 1 << 30);
    let mut seen = collected(repeat_n(0_u64, bits / 64))?;
    let mut twice = collected(repeat_n(0_u64, bits / 64))?;
    let place = |sum: u64| {
        let place = (sum >> 32 << number_of_bits) as u32 >> (u32::BITS - bits.ilog2());
        ((place / 64) as usize, 1 << (place % 64))
    };
    for &sum in &*sums {
        let (word, bit) = place(sum);
        twice[word] |= seen[word] & bit;
        seen[word] |= bit;
    }
    sums.retain(|&sum| {
        let (word, bit) = place(sum);
        twice[word] & bit != 0
    });
    Ok(sums)
}

/// Compares triangles by position.
struct Same<'a, P> {
    positions: &'a [P],
    indices: &'a [[u32; 3]],
}

impl<P: ComparedPosition> Same<'_, P> {
    /// Returns the triangles that have the positions of one with a smaller index.
    fn copies(&self, sums: &mut [u64]) -> Result<Vec<u32>, NoMemory> {
        let key = |&sum: &u64| {
            let prim = sum as u32;
            let mut corners =
                self.indices[prim as usize].map(|i| self.positions[i as usize].bits());
            corners.sort_unstable();
            (corners, prim)
        };
        let mut copies = Vec::new();
        sums.sort_unstable();
        for alike in sums.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            if alike.len() > 1 {
                sort_compactly(alike, |a, b| key(a).cmp(&key(b)));
                for same in alike.chunk_by(|a, b| key(a).0 == key(b).0) {
                    copies.make_room(same.len() - 1)?;
                    copies.extend(same[1..].iter().map(|&sum| sum as u32));
                }
            }
        }
        Ok(copies)
    }
}
