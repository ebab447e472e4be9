//! Telling meshes apart.

use crate::mesh::Mesh;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that are hashed together, so that several threads hash a large mesh.
const BLOCK: usize = 1 << 20;

impl Mesh {
    /// A number that tells meshes apart, by their [positions](Mesh::positions) and
    /// [indices](Mesh::indices): to be compared with that of a tree file
    /// (`TreeFacts::mesh_hash`), which then need not be built
    /// again.
    ///
    /// Equal meshes have equal numbers, whatever kind of file they came from, in every version
    /// of estoc and on every machine of little endian numbers; different ones nearly never do,
    /// unless somebody means to: it is an XXH3 of 64 bits, which is no signature. Names and
    /// attributes do not count.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let at = |z: f32| Mesh::new([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]], [[0, 1, 2]]);
    /// assert_eq!(at(1.0)?.content_hash(), at(1.0)?.content_hash());
    /// assert_ne!(at(1.0)?.content_hash(), at(2.0)?.content_hash());
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn content_hash(&self) -> u64 {
        let positions: &[u8] = bytemuck::cast_slice(self.positions());
        let indices: &[u8] = bytemuck::cast_slice(self.indices());
        let mut hashes = vec![positions.len() as u64, indices.len() as u64];
        for bytes in [positions, indices] {
            hashes.par_extend(bytes.par_chunks(BLOCK).map(xxh3_64));
        }
        let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }
}
