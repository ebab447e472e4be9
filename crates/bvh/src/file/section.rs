//! The sections of a tree file.

use bytemuck::{Pod, Zeroable};
use std::fmt;

/// The kind of a section, with its number in the file; these numbers never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreeSection {
    /// Nodes, 256 bytes each.
    Nodes = 1,
    /// The triangles of all leaves, or their indices.
    Leaves = 2,
    /// The vertices of the mesh, if the leaves have indices only; those of a tree in `f64`, in its
    /// frame.
    Positions = 3,
    /// The vertex indices of each triangle, if the leaves have indices only, or the tree is in `f64`.
    Indices = 4,
    /// The program that wrote the file, the source, and the names of objects, groups and materials.
    Text = 5,
    /// The face of the source that each triangle comes from.
    Faces = 6,
    /// The line of each face.
    Lines = 7,
    /// The object of each triangle.
    Objects = 8,
    /// The group of each triangle.
    Groups = 9,
    /// The material of each triangle.
    Materials = 10,
    /// The mask of each triangle, which decides which rays see it.
    Masks = 11,
    /// The origin of the mesh in the coordinates of its source.
    Origin = 12,
    /// The vertices of a mesh in `f64`.
    Corners = 13,
    /// The vertex indices of a tree in `f64`, in the order of its leaves.
    Slots = 14,
    /// Where the tree lies among the vertices in `f64`.
    Frame = 15,
    /// The checksums of the other sections.
    Checksums = 0xffff,
}

pub(super) use TreeSection as Kind;

impl TreeSection {
    /// All kinds, in their order in the file.
    pub(super) const ALL: [TreeSection; 16] = [
        TreeSection::Nodes,
        TreeSection::Leaves,
        TreeSection::Positions,
        TreeSection::Indices,
        TreeSection::Text,
        TreeSection::Faces,
        TreeSection::Lines,
        TreeSection::Objects,
        TreeSection::Groups,
        TreeSection::Materials,
        TreeSection::Masks,
        TreeSection::Origin,
        TreeSection::Corners,
        TreeSection::Slots,
        TreeSection::Frame,
        TreeSection::Checksums,
    ];

    /// Returns the number of the kind in the file.
    pub(super) const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the kind of a number; `None` if this version does not know it and skips the section.
    pub(super) fn of(number: u32) -> Option<Self> {
        { Self::ALL.into_iter() }.find(|kind| kind.number() == number)
    }
}

impl fmt::Display for TreeSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_ascii_lowercase())
    }
}

/// The position of a section in the file.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) kind: u32,
    pub(super) reserved: u32,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The alignment of sections: nodes start at a cache line.
const ALIGNMENT: u64 = 64;

/// Returns the offset of a section that follows one ending at `end`.
pub(super) fn aligned(end: u64) -> u64 {
    end.saturating_add(ALIGNMENT - 1) & !(ALIGNMENT - 1)
}

impl Entry {
    /// Returns the table of sections of these lengths, which follow a header of `header` bytes and
    /// the table itself.
    pub(super) fn table(header: usize, lengths: &[(Kind, u64)]) -> Vec<Entry> {
        let mut end = (header + lengths.len() * size_of::<Entry>()) as u64;
        let entry = |&(kind, length): &(Kind, u64)| {
            let offset = aligned(end);
            end = offset + length;
            Entry {
                kind: kind.number(),
                reserved: 0,
                offset,
                length,
            }
        };
        lengths.iter().map(entry).collect()
    }

    pub(super) fn end(&self) -> u64 {
        self.offset + self.length
    }
}
