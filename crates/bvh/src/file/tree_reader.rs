//! Reads a tree from the bytes of a file and checks it.

use super::TreeFile;
use super::encoded_names::Text;
use super::facts::TreeFacts;
use super::file_coordinate::FileCoordinate;
use super::file_frame::FileFrame;
use super::file_header::{FileHeader, HAS_MESH, IN_F64, MOST};
use super::header_contents::Contents;
use super::section::Kind;
use super::section_bytes::FileBody;
use super::section_reader::Sections;
use super::structure_check::check;
use super::tree_file_error::TreeFileError;
use super::tree_loader::TreeLoader;
use super::triangle_origin::Names;
use crate::Bvh;
use crate::mask_runs;
use crate::wide::{Layout, Leaves, Node, WideTree, WideTriangles};
use estoc_core::Masks;
use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::parts::{Buffers, WidePositions, counted};
use estoc_system::Arena;
use std::sync::Arc;

/// Returns the tree of a file of `length` bytes.
pub(super) fn unpack<C: FileCoordinate>(
    loader: &TreeLoader<'_>,
    body: &FileBody<'_>,
    length: u64,
) -> Result<TreeFile<C>, TreeFileError> {
    let file = body.work.file;
    let mut start = vec![0; length.min(MOST as u64) as usize];
    body.read(&mut start, 0)?;
    let (header, table) = FileHeader::read(&start, length, file)?;
    let is_f64 = header.version == IN_F64;
    if is_f64 != C::IS_F64 {
        return Err(TreeFileError::Precision {
            file: file.to_owned(),
            is_f64,
        });
    }
    if usize::try_from(length).is_err() {
        // Only on machines with 32-bit addresses.
        return Err(TreeFileError::NoMemory {
            file: file.to_owned(),
            bytes: length,
        });
    }
    let mut sections = Sections {
        body,
        table: &table,
        checksums: None,
        frame: None,
    };
    if loader.checksums {
        sections.checksums = Some(sections.read_checksums()?);
        sections.check_gaps(&start)?;
    }
    if is_f64 {
        sections.frame = Some(sections.frame()?);
    }
    let file = sections.file(&header, length)?;
    body.work.finish();
    body.work.check()?;
    if loader.structure {
        check(&file, &header, &sections)?;
    }
    Ok(file)
}

/// The most memory that names take per byte of their text.
const TEXT: usize = 16;

impl Sections<'_> {
    /// Returns the masks. They are validated in any case: what they hide must not depend on the
    /// reader.
    fn masks(&self, triangles: usize) -> Result<Option<Masks>, TreeFileError> {
        if self.place(Kind::Masks).is_none() {
            return Ok(None);
        }
        let runs: Arena<[u32; 2]> = self.items(Kind::Masks, None)?;
        self.check_room(triangles * size_of::<u32>())?;
        let masks = mask_runs::of_runs(&runs, triangles);
        let wrong = |(at, problem)| self.wrong(Kind::Masks, size_of::<[u32; 2]>() * at, problem);
        masks.map(Some).map_err(wrong)
    }

    /// Returns the origin of the mesh; 0 if there is none. It is validated in any case, since a mesh
    /// promises that it is finite.
    fn origin(&self) -> Result<DVec3, TreeFileError> {
        if self.place(Kind::Origin).is_none() {
            return Ok(DVec3::ZERO);
        }
        let numbers: Arena<[f64; 3]> = self.items(Kind::Origin, Some(1))?;
        // Adding 0 turns -0 into +0.
        let origin = numbers
            .iter()
            .copied()
            .map(DVec3::from_array)
            .sum::<DVec3>();
        match origin.is_finite() {
            true => Ok(origin),
            false => {
                let problem = format!("the origin {origin} is not finite");
                Err(self.wrong(Kind::Origin, 0, problem))
            }
        }
    }

    /// Returns the contents of the file, of which only the lengths of arrays, the masks and the
    /// origin are checked.
    fn file<C: FileCoordinate>(
        &self,
        header: &FileHeader,
        length: u64,
    ) -> Result<TreeFile<C>, TreeFileError> {
        let contents = self.contents(header)?;
        let is_compact = contents.layout == Layout::Compact;
        let buffers = match C::IS_F64 || is_compact {
            true => self.buffers(header.triangles)?,
            false => Buffers::default(),
        };
        let tree = self.tree(&contents, is_compact.then(|| buffers.clone()))?;
        let wide = || {
            let frame = self
                .frame
                .as_ref()
                .ok_or_else(|| self.missing(Kind::Frame))?;
            Ok((self.wide_triangles(frame, buffers)?, frame.bounds()))
        };
        let (wide, bounds) = C::beside(contents.bounds, wide)?;
        let names = self.names()?;
        let Contents {
            layout,
            quality,
            triangles,
            built_cost,
            ..
        } = contents;
        let has_mesh = header.flags & HAS_MESH != 0;
        let facts = TreeFacts {
            version: header.version,
            writer: names.text.writer.clone(),
            source: names.text.source.clone(),
            mesh_hash: has_mesh.then_some(header.mesh_hash),
            vertices: has_mesh.then_some(header.vertices),
            faces: has_mesh.then_some(header.faces),
            origin: self.origin()?,
            bytes: length,
            triangles,
            bounds,
            layout,
            quality,
        };
        let bvh = Bvh::of(tree, wide).with_history(quality, built_cost);
        Ok(TreeFile {
            bvh: Arc::new(bvh.with_masks(self.masks(triangles)?)),
            facts,
            names,
        })
    }

    /// Returns the vertices in `f32`, and the vertex indices of each triangle.
    fn buffers(&self, triangles: u64) -> Result<Buffers, TreeFileError> {
        let positions: Arena<Vec3> = self.items(Kind::Positions, None)?;
        let indices = self.items(Kind::Indices, Some(triangles))?;
        Ok(Buffers::of_arenas(positions, indices))
    }

    /// Returns where the tree lies. The map to the frame is validated in any case.
    fn frame(&self) -> Result<FileFrame, TreeFileError> {
        let all: Arena<FileFrame> = self.items(Kind::Frame, Some(1))?;
        let frame = all
            .first()
            .copied()
            .ok_or_else(|| self.missing(Kind::Frame))?;
        match frame.problem() {
            None => Ok(frame),
            Some(problem) => Err(self.wrong(Kind::Frame, 0, problem)),
        }
    }

    /// Returns the triangles in `f64`, of which those in the frame are given.
    fn wide_triangles(
        &self,
        frame: &FileFrame,
        buffers: Buffers,
    ) -> Result<WideTriangles, TreeFileError> {
        let counts = [buffers.positions().len(), buffers.indices().len()];
        let [vertices, triangles] = counts.map(|count| Some(count as u64));
        let corners: Arena<DVec3> = self.items(Kind::Corners, vertices)?;
        let slots = self.items(Kind::Slots, triangles)?;
        let positions = WidePositions::in_frame(corners, frame.narrow_frame());
        Ok(WideTriangles::of_arrays(
            positions,
            buffers,
            frame.have_area(),
            slots,
        ))
    }

    /// Returns the tree, whose leaves name triangles of the mesh if there is one.
    fn tree(&self, contents: &Contents, mesh: Option<Buffers>) -> Result<WideTree, TreeFileError> {
        let &Contents {
            layout, triangles, ..
        } = contents;
        let nodes: Arena<Node> = self.items(Kind::Nodes, None)?;
        if nodes.is_empty() != (triangles == 0) {
            let nodes = counted(nodes.len() as u64, "node");
            let triangles = counted(triangles as u64, "triangle");
            let problem = format!("{nodes} for {triangles}");
            return Err(self.wrong(Kind::Nodes, 0, problem));
        }
        // A count that overflows is larger than any file.
        let numbers = Leaves::numbers_of(layout, triangles).map_or(u64::MAX, |n| n as u64);
        let numbers = self.items(Kind::Leaves, Some(numbers))?;
        let leaves = Leaves::of_numbers(numbers, triangles, mesh);
        Ok(WideTree::new(nodes, leaves, contents.scale))
    }

    fn names(&self) -> Result<Names, TreeFileError> {
        if self.place(Kind::Text).is_none() {
            return Err(self.missing(Kind::Text));
        }
        let text: Arena<u8> = self.items(Kind::Text, None)?;
        self.check_room(TEXT * text.len())?;
        let text = Text::read(&text).map_err(|(at, what)| self.wrong(Kind::Text, at, what))?;
        Ok(Names {
            faces: self.items(Kind::Faces, None)?,
            lines: self.items(Kind::Lines, None)?,
            objects: self.items(Kind::Objects, None)?,
            groups: self.items(Kind::Groups, None)?,
            materials: self.items(Kind::Materials, None)?,
            text,
        })
    }
}
