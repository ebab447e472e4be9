//! How a tree file is told from a mesh.

/// The first bytes of every tree file. No mesh of any format begins so.
pub const TREE_FILE_START: [u8; 8] = *b"\x89ESTOC\n\x1a";
