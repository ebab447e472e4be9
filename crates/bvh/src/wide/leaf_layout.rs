//! How a tree stores its triangles.

/// How a tree stores its triangles: memory against speed. Answers are the same to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Layout {
    /// Leaves hold the corners of their triangles in the order in which kernels read them: 40 bytes
    /// a triangle, and about 9 for the nodes. The tree does not need the mesh.
    #[default]
    Fast,
    /// Leaves hold the 4-byte number of each triangle, and corners are read from the mesh: about 13
    /// bytes a triangle, nodes included. The tree shares ownership of the mesh's vertices and
    /// indices, without a copy; they are immutable, so the tree always fits them.
    Compact,
}

impl Layout {
    /// Both layouts, the faster one first.
    pub const ALL: [Layout; 2] = [Layout::Fast, Layout::Compact];

    /// Returns the bytes of a triangle in a leaf.
    pub(crate) const fn leaf_bytes(self) -> usize {
        match self {
            Layout::Fast => super::leaf_blocks::ROWS * size_of::<u32>(),
            Layout::Compact => size_of::<u32>(),
        }
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Layout::Fast => "fast",
            Layout::Compact => "compact",
        })
    }
}
