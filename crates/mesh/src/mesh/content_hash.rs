//! A hash that identifies meshes.

use crate::mesh::Mesh;
use crate::mesh::wide_positions::wide_positions;
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;
use estoc_system::parallel::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// The number of bytes hashed together, so that several threads can hash a large mesh.
const BLOCK: usize = 1 << 20;

impl<C: Coordinate> Mesh<C> {
    /// Returns a hash of the [positions](Mesh::positions), the [indices](Mesh::indices) and the
    /// [origin](Mesh::origin). Compare it with that of a tree file (`TreeFacts::mesh_hash`) to find
    /// out whether the tree must be rebuilt.
    ///
    /// Equal meshes have equal hashes, whatever kind of file they came from, in every version of
    /// estoc and on every little-endian machine. Different meshes almost never have equal hashes
    /// unless they are constructed to: it is a 64-bit XXH3, which is not cryptographic. Names and
    /// attributes do not count. A mesh in `f64` has another hash than one of the same numbers in `f32`.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let at = |z: f32| Mesh::try_new([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], [[0, 1, 2]]);
    /// assert_eq!(at(1.0)?.content_hash(), at(1.0)?.content_hash());
    /// assert_ne!(at(1.0)?.content_hash(), at(2.0)?.content_hash());
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn content_hash(&self) -> u64 {
        let positions: &[u8] = match C::kept(wide_positions(self)) {
            Some(wide) => bytemuck::cast_slice(wide.all()),
            None => bytemuck::cast_slice(self.buffers.positions()),
        };
        let indices: &[u8] = bytemuck::cast_slice(self.indices());
        let mut hashes = vec![positions.len() as u64, indices.len() as u64];
        for bytes in [positions, indices] {
            let blocks = bytes.par_chunks(BLOCK).map(xxh3_64);
            hashes.extend(blocks.collect::<Vec<_>>());
        }
        // A mesh without a local frame has the hash that versions without origins gave it.
        if self.origin != DVec3::ZERO {
            hashes.extend(self.origin.to_array().map(f64::to_bits));
        }
        let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }
}
