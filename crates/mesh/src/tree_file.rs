//! Distinguishes tree files from meshes.

/// The first bytes of every tree file. No mesh of any format begins with them.
pub const TREE_FILE_START: [u8; 8] = *b"\x89ESTOC\n\x1a";
