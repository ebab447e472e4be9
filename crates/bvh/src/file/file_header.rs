//! The header of a tree file: magic, version, length, and the table of sections.

use super::section::{Entry, Kind, aligned};
use super::tree_file_error::TreeFileError;
use crate::wide::WIDTH;
use bytemuck::{Pod, Zeroable};
use xxhash_rust::xxh3::Xxh3Default;

/// No text begins with these bytes. A transfer that changes line ends or clears the eighth bit
/// damages them.
pub(super) const MAGIC: [u8; 8] = estoc_mesh::parts::TREE_FILE_START;

/// The version changes whenever the layout or the meaning of bytes does.
const WITHOUT_MASKS: u32 = 1;
/// Adds masks, which hide triangles of the leaves from some rays.
pub(super) const WITH_MASKS: u32 = 2;
/// Adds the origin of the mesh, which its coordinates are relative to. There may be masks, too.
pub(super) const WITH_ORIGIN: u32 = 3;

/// Holds triangles in `f64`, and the frame of the tree over them. There may be masks, too, but no
/// origin.
pub(super) const IN_F64: u32 = 4;

/// The latest version that can be read.
const LATEST: u32 = IN_F64;

const BYTE_ORDER: u32 = 0x0403_0201;

/// More than this version defines, so that later versions can add sections.
pub(super) const MAX_SECTIONS: usize = 64;

/// The largest size of a header with its table.
pub(super) const MOST: usize = size_of::<FileHeader>() + MAX_SECTIONS * size_of::<Entry>();

/// Flag: the fields about the mesh (`vertices`, `faces`, `mesh_hash`) are set.
pub(super) const HAS_MESH: u32 = 1;
/// Flag: `built_cost`, the cost of the tree when it was built, is set.
pub(super) const HAS_BUILT_COST: u32 = 2;

/// The header as stored in the file, little endian.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FileHeader {
    pub(super) magic: [u8; 8],
    pub(super) byte_order: u32,
    pub(super) version: u32,
    /// The length of the whole file.
    pub(super) length: u64,
    /// The checksum of the header, with 0 in this field, and of the table.
    pub(super) hash: u64,
    pub(super) triangles: u64,
    /// The number of vertices of the mesh; `faces` is the number of its faces.
    pub(super) vertices: u64,
    pub(super) faces: u64,
    pub(super) mesh_hash: u64,
    pub(super) built_cost: f64,
    pub(super) bounds: [[f32; 3]; 2],
    /// The exponent of the tree's scale.
    pub(super) scale: i32,
    pub(super) layout: u32,
    pub(super) quality: u32,
    /// The largest number of children of a node and of triangles of a leaf.
    pub(super) width: u32,
    /// The number of sections in the table that follows.
    pub(super) sections: u32,
    pub(super) flags: u32,
    /// The number of bytes per checksum.
    pub(super) block: u32,
    pub(super) reserved: u32,
}

const _: () = assert!(size_of::<FileHeader>() == 128 && size_of::<Entry>() == 24);

/// The number of bytes per checksum: large enough for few checksums, small enough for a block to
/// stay in the caches until its checksum is computed.
pub(super) const BLOCK: usize = 1 << 20;

impl FileHeader {
    /// Returns a header with the constant fields set and all others 0.
    pub(super) fn new() -> Self {
        FileHeader {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            version: WITHOUT_MASKS,
            width: WIDTH as u32,
            block: BLOCK as u32,
            ..FileHeader::zeroed()
        }
    }

    /// Returns the header and the table as stored, padded up to the first section.
    pub(super) fn to_bytes(mut self, table: &[Entry]) -> Vec<u8> {
        self.hash = self.hash_with(table);
        let mut bytes = bytemuck::bytes_of(&self).to_vec();
        bytes.extend_from_slice(bytemuck::cast_slice(table));
        bytes.resize(aligned(bytes.len() as u64) as usize, 0);
        bytes
    }

    fn hash_with(mut self, table: &[Entry]) -> u64 {
        self.hash = 0;
        let mut hash = Xxh3Default::new();
        hash.update(bytemuck::bytes_of(&self));
        hash.update(bytemuck::cast_slice(table));
        hash.digest()
    }

    /// Reads the header and the table from the start of a file of `length` bytes. `start` has the
    /// first [`MOST`] bytes, or all bytes of a shorter file.
    pub(super) fn read(
        start: &[u8],
        length: u64,
        file: &str,
    ) -> Result<(Self, Vec<Entry>), TreeFileError> {
        let error = |offset, field, value: &dyn ToString, problem: &str| TreeFileError::Header {
            file: file.to_owned(),
            offset,
            field,
            value: value.to_string(),
            problem: problem.to_owned(),
        };
        let truncated = |needed: u64| TreeFileError::Truncated {
            file: file.to_owned(),
            length,
            needed,
        };
        let known = start.len().min(MAGIC.len());
        if start[..known] != MAGIC[..known] {
            return Err(TreeFileError::NotATreeFile {
                file: file.to_owned(),
                found: start[..known].escape_ascii().to_string(),
            });
        }
        let size = size_of::<FileHeader>();
        let Some(first) = start.get(..size) else {
            return Err(truncated(size as u64));
        };
        let header: FileHeader = bytemuck::pod_read_unaligned(first);
        if header.byte_order != BYTE_ORDER {
            return Err(TreeFileError::ByteOrder {
                file: file.to_owned(),
                found: header.byte_order,
            });
        }
        if !(WITHOUT_MASKS..=LATEST).contains(&header.version) {
            return Err(TreeFileError::Version {
                file: file.to_owned(),
                version: header.version,
                known: LATEST,
            });
        }
        let sections = header.sections as usize;
        if sections > MAX_SECTIONS {
            let problem = format!("at most {MAX_SECTIONS} are allowed");
            return Err(error(112, "number of sections", &sections, &problem));
        }
        let table_end = size + sections * size_of::<Entry>();
        let Some(table) = start.get(size..table_end) else {
            return Err(truncated(table_end as u64));
        };
        let table: Vec<Entry> = bytemuck::pod_collect_to_vec(table);
        let hash = header.hash_with(&table);
        if hash != header.hash {
            let value = format!("{:016x}", header.hash);
            let problem = format!("the checksum of header and table is {hash:016x}");
            return Err(error(24, "header checksum", &value, &problem));
        }
        if header.length > length {
            return Err(truncated(header.length));
        }
        if header.length < length {
            return Err(TreeFileError::TooLong {
                file: file.to_owned(),
                length,
                needed: header.length,
            });
        }
        header.check_fixed(&error)?;
        header.check_places(&table, &error)?;
        header.check_version(&table, file, &error)?;
        Ok((header, table))
    }

    /// Returns whether the start of a file, at least 16 bytes, is that of a tree in `f64`.
    pub(super) fn is_f64(start: &[u8]) -> bool {
        let numbers = [BYTE_ORDER, IN_F64].map(u32::to_le_bytes);
        let rest = start.strip_prefix(&MAGIC);
        rest.is_some_and(|rest| rest.starts_with(numbers.as_flattened()))
    }

    /// Checks the fields that are constants.
    fn check_fixed(
        &self,
        error: &dyn Fn(u64, &'static str, &dyn ToString, &str) -> TreeFileError,
    ) -> Result<(), TreeFileError> {
        let fixed = [
            (108, "width", self.width, WIDTH as u32),
            (120, "checksum block size", self.block, BLOCK as u32),
            (124, "reserved field", self.reserved, 0),
        ];
        for (offset, field, value, expected) in fixed {
            if value != expected {
                let problem = format!("it must be {expected}");
                return Err(error(offset, field, &value, &problem));
            }
        }
        Ok(())
    }

    /// Checks that a file has the sections that its version says, and none that readers of that
    /// version would misread.
    fn check_version(
        &self,
        table: &[Entry],
        file: &str,
        error: &dyn Fn(u64, &'static str, &dyn ToString, &str) -> TreeFileError,
    ) -> Result<(), TreeFileError> {
        let has = |section| {
            table
                .iter()
                .any(|entry| Kind::of(entry.kind) == Some(section))
        };
        let missing = |section| TreeFileError::Missing {
            file: file.to_owned(),
            section,
        };
        let wrong = |problem: &str| error(12, "version", &self.version, problem);
        let too_low = |section: Kind, version| {
            wrong(&format!("files with {section} must have version {version}"))
        };
        for (section, version) in [
            (Kind::Frame, IN_F64),
            (Kind::Origin, WITH_ORIGIN),
            (Kind::Masks, WITH_MASKS),
        ] {
            match has(section) {
                false if self.version == version => return Err(missing(section)),
                true if self.version < version => return Err(too_low(section, version)),
                _ => {}
            }
        }
        match self.version == IN_F64 && has(Kind::Origin) {
            true => Err(wrong("files in f64 have no origin")),
            false => Ok(()),
        }
    }

    /// Checks that sections follow each other without gaps other than padding.
    fn check_places(
        &self,
        table: &[Entry],
        error: &dyn Fn(u64, &'static str, &dyn ToString, &str) -> TreeFileError,
    ) -> Result<(), TreeFileError> {
        let table_end = size_of::<FileHeader>() + size_of_val(table);
        let mut end = table_end as u64;
        for (place, entry) in table.iter().enumerate() {
            let at = (size_of::<FileHeader>() + place * size_of::<Entry>()) as u64;
            let expected = aligned(end);
            if entry.offset != expected {
                let problem = format!("section {place} must begin at byte {expected}");
                return Err(error(at + 8, "section offset", &entry.offset, &problem));
            }
            let fits = entry.offset.checked_add(entry.length);
            let Some(next) = fits.filter(|next| *next <= self.length) else {
                let problem = format!("section {place} ends after the end of the file");
                return Err(error(at + 16, "section length", &entry.length, &problem));
            };
            let kind = Kind::of(entry.kind);
            if kind.is_some() && table[..place].iter().any(|other| other.kind == entry.kind) {
                let problem = "each kind may occur only once";
                return Err(error(at, "section kind", &entry.kind, problem));
            }
            if (kind == Some(Kind::Checksums)) != (place + 1 == table.len()) {
                let problem = "the last section, and no other, must be the checksums";
                return Err(error(at, "section kind", &entry.kind, problem));
            }
            end = next;
        }
        if end != self.length {
            let problem = format!("the last section ends at byte {end}");
            return Err(error(16, "length", &self.length, &problem));
        }
        Ok(())
    }
}
