//! How a tree keeps its triangles.

/// How a tree keeps its triangles: what it weighs against how fast it answers. The answers are
/// the same, to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Layout {
    /// Leaves have the corners of their triangles, side by side as kernels read them: 40 bytes a
    /// triangle, and some 9 for the nodes. The mesh may go.
    #[default]
    Fast,
    /// Leaves have 4 bytes a triangle, its number, and take the corners from the mesh: some 13
    /// bytes a triangle with the nodes. The tree keeps the mesh's vertices and indices alive,
    /// without a copy of them; nobody can change these, so that the tree always fits.
    Compact,
}

impl Layout {
    /// Both, the faster first.
    pub const ALL: [Layout; 2] = [Layout::Fast, Layout::Compact];

    /// Bytes of a triangle in a leaf.
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
