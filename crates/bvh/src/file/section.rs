//! The sections of a tree file.

use bytemuck::{Pod, Zeroable};
use std::fmt;

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreeSection {
    /// Nodes, 256 bytes each.
    Nodes,
    /// The triangles of all leaves, or their indices.
    Leaves,
    /// The vertices of the mesh, if the leaves have indices only.
    Positions,
    /// The vertex indices of each triangle, if the leaves have indices only.
    Indices,
    /// The program that wrote the file, the source, and the names of objects, groups and materials.
    Text,
    /// The face of the source that each triangle comes from.
    Faces,
    /// The line of each face.
    Lines,
    /// The object of each triangle.
    Objects,
    /// The group of each triangle.
    Groups,
    /// The material of each triangle.
    Materials,
    /// The mask of each triangle, which decides which rays see it.
    Masks,
    /// The origin of the mesh in the coordinates of its source.
    Origin,
    /// The checksums of the other sections.
    Checksums,
}

pub(super) use TreeSection as Kind;

impl TreeSection {
    /// All kinds, in their order in the file.
    pub(super) const ALL: [TreeSection; 13] = [
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
        TreeSection::Checksums,
    ];

    /// Returns the number of the kind in the file; these numbers never change.
    pub(super) const fn number(self) -> u32 {
        match self {
            TreeSection::Nodes => 1,
            TreeSection::Leaves => 2,
            TreeSection::Positions => 3,
            TreeSection::Indices => 4,
            TreeSection::Text => 5,
            TreeSection::Faces => 6,
            TreeSection::Lines => 7,
            TreeSection::Objects => 8,
            TreeSection::Groups => 9,
            TreeSection::Materials => 10,
            TreeSection::Masks => 11,
            TreeSection::Origin => 12,
            TreeSection::Checksums => 0xffff,
        }
    }

    /// Returns the kind of a number; `None` if this version does not know it and skips the section.
    pub(super) fn of(number: u32) -> Option<Self> {
        { Self::ALL.into_iter() }.find(|kind| kind.number() == number)
    }
}

impl fmt::Display for TreeSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TreeSection::Nodes => "nodes",
            TreeSection::Leaves => "leaves",
            TreeSection::Positions => "positions",
            TreeSection::Indices => "indices",
            TreeSection::Text => "text",
            TreeSection::Faces => "faces",
            TreeSection::Lines => "lines",
            TreeSection::Objects => "objects",
            TreeSection::Groups => "groups",
            TreeSection::Materials => "materials",
            TreeSection::Masks => "masks",
            TreeSection::Origin => "origin",
            TreeSection::Checksums => "checksums",
        })
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
