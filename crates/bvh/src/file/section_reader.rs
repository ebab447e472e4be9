//! Reads the sections of a file.

use super::checksum::Checksums;
use super::file_frame::FileFrame;
use super::file_header::FileHeader;
use super::section::{Entry, Kind, aligned};
use super::section_bytes::FileBody;
use super::tree_file_error::TreeFileError;
use bytemuck::Pod;
use estoc_mesh::parts::counted;
use estoc_system::{Arena, has_room};

/// The sections of a file whose header is valid.
pub(super) struct Sections<'a> {
    pub(super) body: &'a FileBody<'a>,
    pub(super) table: &'a [Entry],
    pub(super) checksums: Option<Checksums>,
    /// Where a tree in `f64` lies.
    pub(super) frame: Option<FileFrame>,
}

impl Sections<'_> {
    pub(super) fn name(&self) -> String {
        self.body.work.file.to_owned()
    }

    pub(super) fn missing(&self, section: Kind) -> TreeFileError {
        TreeFileError::Missing {
            file: self.name(),
            section,
        }
    }

    /// Returns an error unless the system has `bytes` more bytes to give.
    pub(super) fn check_room(&self, bytes: usize) -> Result<(), TreeFileError> {
        match has_room(bytes) {
            true => Ok(()),
            false => Err(TreeFileError::NoMemory {
                file: self.name(),
                bytes: bytes as u64,
            }),
        }
    }

    pub(super) fn place(&self, kind: Kind) -> Option<usize> {
        let kinds = self.table.iter().map(|entry| Kind::of(entry.kind));
        { kinds }.position(|other| other == Some(kind))
    }

    /// Returns an error for a section, at one of its bytes.
    pub(super) fn wrong(&self, kind: Kind, byte: usize, problem: String) -> TreeFileError {
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
    pub(super) fn items<T: Pod + Send>(
        &self,
        kind: Kind,
        count: Option<u64>,
    ) -> Result<Arena<T>, TreeFileError> {
        let each = size_of::<T>() as u64;
        let Some(place) = self.place(kind) else {
            return match count {
                None | Some(0) => Ok(Arena::default()),
                Some(_) => Err(self.missing(kind)),
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

    pub(super) fn read_checksums(&self) -> Result<Checksums, TreeFileError> {
        let kind = Kind::Checksums;
        let Some((own, others)) = self.table.split_last() else {
            return Err(self.missing(kind));
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
    pub(super) fn check_gaps(&self, start: &[u8]) -> Result<(), TreeFileError> {
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
}
