//! Reads a tree from the bytes of a file and checks it.

use super::checksum::Checksums;
use super::encoded_names::Text;
use super::facts::TreeFacts;
use super::file_header::{FileHeader, HAS_BUILT_COST, HAS_MESH, MOST};
use super::section::{Entry, Kind, aligned};
use super::section_bytes::FileBody;
use super::tree_file_error::TreeFileError;
use super::tree_loader::TreeLoader;
use super::tree_writer::corners_of;
use super::triangle_origin::{FAR, Names};
use super::{TreeFile, layout_of, quality_of};
use crate::mask_runs;
use crate::{Bvh, Quality};

use crate::wide::{Layout, Leaves, Node, Scale, WideTree};
use bytemuck::Pod;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Aabb, Masks, PrimId};
use estoc_mesh::parts::{Buffers, counted};
use estoc_system::parallel::prelude::*;
use estoc_system::{Arena, has_room};
use std::sync::Arc;

/// Returns the tree of a file of `length` bytes.
pub(super) fn unpack(
    loader: &TreeLoader<'_>,
    body: &FileBody<'_>,
    length: u64,
) -> Result<TreeFile, TreeFileError> {
    let file = body.work.file;
    let mut start = vec![0; length.min(MOST as u64) as usize];
    body.read(&mut start, 0)?;
    let (header, table) = FileHeader::read(&start, length, file)?;
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
    };
    if loader.checksums {
        sections.checksums = Some(sections.read_checksums()?);
        sections.check_gaps(&start)?;
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

/// The sections of a file whose header is valid.
struct Sections<'a> {
    body: &'a FileBody<'a>,
    table: &'a [Entry],
    checksums: Option<Checksums>,
}

impl Sections<'_> {
    fn name(&self) -> String {
        self.body.work.file.to_owned()
    }

    /// Returns an error unless the system has `bytes` more bytes to give.
    fn check_room(&self, bytes: usize) -> Result<(), TreeFileError> {
        match has_room(bytes) {
            true => Ok(()),
            false => Err(TreeFileError::NoMemory {
                file: self.name(),
                bytes: bytes as u64,
            }),
        }
    }

    fn place(&self, kind: Kind) -> Option<usize> {
        let kinds = self.table.iter().map(|entry| Kind::of(entry.kind));
        { kinds }.position(|other| other == Some(kind))
    }

    /// Returns an error for a section, at one of its bytes.
    fn wrong(&self, kind: Kind, byte: usize, problem: String) -> TreeFileError {
        let start = self.place(kind).map_or(0, |place| self.table[place].offset);
        TreeFileError::Section {
            file: self.name(),
            section: kind,
            offset: start + byte as u64,
            problem,
        }
    }

    /// Returns the items of a section, of which there must be `count` if that is known beforehand;
    /// none if there is no such section.
    fn items<T: Pod + Send>(
        &self,
        kind: Kind,
        count: Option<u64>,
    ) -> Result<Arena<T>, TreeFileError> {
        let each = size_of::<T>() as u64;
        let Some(place) = self.place(kind) else {
            return match count {
                None | Some(0) => Ok(Arena::default()),
                Some(_) => Err(TreeFileError::Missing {
                    file: self.name(),
                    section: kind,
                }),
            };
        };
        let entry = &self.table[place];
        let fits = match count {
            Some(count) => count.checked_mul(each) == Some(entry.length),
            None => entry.length.is_multiple_of(each),
        };
        if !fits {
            let wanted = match count {
                Some(count) => format!("{} of", counted(count, "item")),
                None => "a multiple of".into(),
            };
            let length = counted(entry.length, "byte");
            let problem = format!("{length} instead of {wanted} {each}");
            return Err(self.wrong(kind, 0, problem));
        }
        let checksums = self.checksums.as_ref();
        let checksums = checksums.map(|all| all.of_section(self.table, place));
        self.body.items(entry, kind, checksums)
    }

    fn read_checksums(&self) -> Result<Checksums, TreeFileError> {
        let kind = Kind::Checksums;
        let Some((own, others)) = self.table.split_last() else {
            return Err(TreeFileError::Missing {
                file: self.name(),
                section: kind,
            });
        };
        let needed = Checksums::length(others.iter().map(|entry| entry.length));
        if own.length != needed {
            let problem = format!("{} instead of {needed}", counted(own.length, "byte"));
            return Err(self.wrong(kind, 0, problem));
        }
        let mut bytes = vec![0_u64; (own.length / 8) as usize];
        self.body
            .read(bytemuck::cast_slice_mut(&mut bytes), own.offset)?;
        Checksums::read(bytes).ok_or_else(|| TreeFileError::Damaged {
            file: self.name(),
            section: kind,
            from: own.offset,
            to: own.end(),
        })
    }

    /// Checks that the padding between sections is zero. It is never used, but other bytes are not
    /// what was written.
    fn check_gaps(&self, start: &[u8]) -> Result<(), TreeFileError> {
        let header_end = (size_of::<FileHeader>() + size_of_val(self.table)) as u64;
        let ends = [header_end]
            .into_iter()
            .chain(self.table.iter().map(Entry::end));
        for (end, next) in ends.zip(self.table) {
            let mut gap = [0; 64];
            let gap = &mut gap[..(aligned(end) - end) as usize];
            match start.get(end as usize..end as usize + gap.len()) {
                Some(bytes) => gap.copy_from_slice(bytes),
                None => self.body.read(gap, end)?,
            }
            if gap.iter().any(|byte| *byte != 0) {
                return Err(TreeFileError::Damaged {
                    file: self.name(),
                    section: Kind::of(next.kind).unwrap_or(Kind::Checksums),
                    from: end,
                    to: aligned(end),
                });
            }
            self.body.work.done(gap.len());
        }
        Ok(())
    }

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
    fn file(&self, header: &FileHeader, length: u64) -> Result<TreeFile, TreeFileError> {
        let contents = self.contents(header)?;
        let tree = self.tree(header, &contents)?;
        let names = self.names()?;
        let Contents {
            layout,
            quality,
            triangles,
            bounds,
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
        let bvh = Bvh::new(tree).with_history(quality, built_cost);
        Ok(TreeFile {
            bvh: Arc::new(bvh.with_masks(self.masks(triangles)?)),
            facts,
            names,
        })
    }

    /// Checks the numbers of the header that determine the meaning of sections.
    fn contents(&self, header: &FileHeader) -> Result<Contents, TreeFileError> {
        let error = |offset, field, value: &dyn ToString, problem: &str| TreeFileError::Header {
            file: self.name(),
            offset,
            field,
            value: value.to_string(),
            problem: problem.to_owned(),
        };
        let layout = layout_of(header.layout)
            .ok_or_else(|| error(100, "layout", &header.layout, "it must be 1 or 2"))?;
        let quality = quality_of(header.quality)
            .ok_or_else(|| error(104, "quality", &header.quality, "it must be from 0 to 3"))?;
        let scale = Scale::from_exponent(header.scale).ok_or_else(|| {
            error(
                96,
                "scale exponent",
                &header.scale,
                "it must be from -126 to 126",
            )
        })?;
        let most = PrimId::MAX.index() as u64 + 1;
        let triangles = usize::try_from(header.triangles).ok();
        let Some(triangles) = triangles.filter(|_| header.triangles <= most) else {
            let problem = format!("at most {most} are allowed");
            return Err(error(
                32,
                "number of triangles",
                &header.triangles,
                &problem,
            ));
        };
        if header.flags & !(HAS_MESH | HAS_BUILT_COST) != 0 {
            return Err(error(
                116,
                "flags",
                &header.flags,
                "only 1 and 2 are defined",
            ));
        }
        let has = |flag: u32| header.flags & flag != 0;
        if has(HAS_MESH) && header.faces >= FAR {
            let problem = format!("it must be less than {FAR}");
            return Err(error(48, "number of faces", &header.faces, &problem));
        }
        let built_cost = has(HAS_BUILT_COST).then_some(header.built_cost);
        if built_cost.is_some_and(|cost| !(cost >= 0.0 && cost.is_finite())) {
            let problem = "it must be finite and not negative";
            return Err(error(64, "build cost", &header.built_cost, problem));
        }
        let [min, max] = header.bounds;
        let bounds = match triangles {
            0 => Some(Aabb::EMPTY),
            _ => Aabb::try_new(min, max).ok(),
        };
        let Some(bounds) = bounds else {
            let problem = "they must be finite, from low to high";
            return Err(error(72, "bounds", &bounds_text(header.bounds), problem));
        };
        Ok(Contents {
            layout,
            quality,
            scale,
            triangles,
            built_cost,
            bounds,
        })
    }

    fn tree(&self, header: &FileHeader, contents: &Contents) -> Result<WideTree, TreeFileError> {
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
        let mesh = match layout {
            Layout::Fast => None,
            Layout::Compact => {
                let positions: Arena<Vec3> = self.items(Kind::Positions, None)?;
                let indices = self.items(Kind::Indices, Some(header.triangles))?;
                Some(Buffers::of_arenas(positions, indices))
            }
        };
        let leaves = Leaves::of_numbers(numbers, triangles, mesh);
        Ok(WideTree::new(nodes, leaves, contents.scale))
    }

    fn names(&self) -> Result<Names, TreeFileError> {
        if self.place(Kind::Text).is_none() {
            return Err(TreeFileError::Missing {
                file: self.name(),
                section: Kind::Text,
            });
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

/// Formats the corners of a box.
fn bounds_text([min, max]: [[f32; 3]; 2]) -> String {
    let corner = |[x, y, z]: [f32; 3]| format!("({x}, {y}, {z})");
    format!("{} to {}", corner(min), corner(max))
}

/// Numbers of the header that determine the meaning of sections, checked.
struct Contents {
    layout: Layout,
    quality: Option<Quality>,
    scale: Scale,
    triangles: usize,
    built_cost: Option<f64>,
    bounds: Aabb,
}

/// Checks that the tree can be queried and its names looked up.
fn check(
    file: &TreeFile,
    header: &FileHeader,
    sections: &Sections<'_>,
) -> Result<(), TreeFileError> {
    let work = sections.body.work;
    let tree = file.bvh.tree();
    if let Some(mesh) = tree.leaves.mesh() {
        // Before any triangle is read.
        let count = mesh.positions().len();
        let beyond = |corner: &u32| *corner as usize >= count;
        let indices: &[u32] = mesh.indices().as_flattened();
        let wrong = indices
            .par_chunks(1 << 16)
            .enumerate()
            .find_map_first(|(chunk, some)| {
                let place = some.iter().position(beyond)?;
                Some((chunk << 16) + place)
            });
        if let Some(place) = wrong {
            let vertices = counted(count as u64, "vertex");
            let problem = format!("index {} is out of range ({vertices})", indices[place]);
            return Err(sections.wrong(Kind::Indices, 4 * place, problem));
        }
    }
    let found = tree.inspect(&|| work.is_cancelled());
    work.check()?;
    let found = found.map_err(|source| TreeFileError::Tree {
        file: sections.name(),
        source,
    })?;
    let found = corners_of(found);
    if found != header.bounds {
        return Err(TreeFileError::Header {
            file: sections.name(),
            offset: 72,
            field: "bounds",
            value: bounds_text(header.bounds),
            problem: format!("those of the triangles are {}", bounds_text(found)),
        });
    }
    let checked = file.names.check(header.triangles, file.facts.faces);
    checked.map_err(|(kind, at, problem)| {
        let each = if kind == Kind::Faces { 24 } else { 16 };
        sections.wrong(kind, each * at, problem)
    })
}
