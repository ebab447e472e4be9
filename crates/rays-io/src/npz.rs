//! NPZ: an archive of ZIP (APPNOTE 6.3.10) with files of NPY, as `numpy.savez` and
//! `numpy.savez_compressed` write it. It must hold one array.

use crate::content::foreign;
use crate::input_error::{InputError, InputProblem};
use crate::item::Item;
use crate::open_file::{io_error, read_at};
use estoc_mesh::parts::shown;
use flate2::CrcReader;
use flate2::read::DeflateDecoder;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The most bytes of a table of contents: that of twenty thousand arrays.
const MOST_CONTENTS: u64 = 1 << 20;

/// A file in an archive.
struct Member {
    name: String,
    is_encrypted: bool,
    method: u16,
    crc: u32,
    packed: u32,
    length: u32,
    /// The place of its own header.
    start: u32,
}

/// Returns the bytes of the only array of an archive, as a file of NPY. Their length and checksum are
/// compared with those that the archive declares.
pub(crate) fn array<T: Item>(
    name: &str,
    mut archive: impl Read + Seek + Send + 'static,
) -> Result<Box<dyn Read + Send>, InputError> {
    let wrong = |problem: String| InputProblem::Other(problem).of_file(name);
    let of_io = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => {
            wrong("the archive is damaged or truncated, so copy or write it again".into())
        }
        _ => io_error(T::PLURAL, name, None, error),
    };
    let mut arrays = members(&mut archive).map_err(of_io)?;
    if arrays.is_empty() {
        return Err(wrong("the archive is empty; write it again".into()));
    }
    arrays.retain(|member| member.name.ends_with(".npy"));
    if arrays.len() > 1 {
        let names = arrays
            .iter()
            .map(|array| array.name.trim_end_matches(".npy"));
        let names: Vec<&str> = names.take(10).collect();
        return Err(wrong(format!(
            "the archive holds {} arrays: {}; save the one of {} alone, as with numpy.save",
            arrays.len(),
            shown(&names.join(", ")),
            T::PLURAL
        )));
    }
    let Some(array) = arrays.pop() else {
        let mut head = Vec::new();
        archive.rewind().map_err(of_io)?;
        (archive.take(4096).read_to_end(&mut head)).map_err(of_io)?;
        let none = || wrong("the archive holds no array of numpy".into());
        return Err(foreign::<T>(name, &head, None).unwrap_or_else(none));
    };
    let problem = match array.method {
        _ if [array.packed, array.length, array.start].contains(&u32::MAX) => {
            Some("it has 4 GiB or more".to_owned())
        }
        _ if array.is_encrypted => Some("it is encrypted".to_owned()),
        0 | 8 => None,
        method => Some(format!("it is compressed by method {method} of ZIP")),
    };
    if let Some(problem) = problem {
        let problem = format!("the array cannot be read: {problem}; save it with numpy.save");
        return Err(wrong(problem));
    }
    let mut header = [0; 30];
    archive
        .seek(SeekFrom::Start(array.start.into()))
        .map_err(of_io)?;
    archive.read_exact(&mut header).map_err(of_io)?;
    let skipped = i64::from(u16_at(&header, 26)) + i64::from(u16_at(&header, 28));
    archive.seek(SeekFrom::Current(skipped)).map_err(of_io)?;
    let packed = BufReader::with_capacity(1 << 16, archive).take(array.packed.into());
    let bytes: Box<dyn Read + Send> = match array.method {
        0 => Box::new(packed),
        _ => Box::new(DeflateDecoder::new(packed)),
    };
    let bytes = CrcReader::new(bytes);
    Ok(Box::new(Checked { bytes, array }))
}

/// Reads the table of contents of an archive.
fn members(archive: &mut (impl Read + Seek)) -> io::Result<Vec<Member>> {
    let damaged = || io::Error::from(io::ErrorKind::InvalidData);
    let length = archive.seek(SeekFrom::End(0))?;
    // The end has a comment of at most 65,535 bytes.
    let tail_start = length.saturating_sub(22 + 65_535);
    let tail = read_at(&mut *archive, tail_start, length - tail_start)?;
    let end = memchr::memmem::rfind(&tail, b"PK\x05\x06").ok_or_else(damaged)?;
    let record = tail.get(end..end + 22).ok_or_else(damaged)?;
    let (size, start) = (u32_at(record, 12).into(), u32_at(record, 16).into());
    if size > MOST_CONTENTS {
        return Err(damaged());
    }
    let contents = read_at(&mut *archive, start, size)?;
    let (mut rest, mut members) = (&contents[..], Vec::new());
    while let Some((fixed, after)) = rest.split_at_checked(46) {
        let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(fixed, at)));
        if !fixed.starts_with(b"PK\x01\x02") || after.len() < name + extra + comment {
            return Err(damaged());
        }
        members.push(Member {
            name: String::from_utf8_lossy(&after[..name]).into_owned(),
            is_encrypted: u16_at(fixed, 8) & 1 != 0,
            method: u16_at(fixed, 10),
            crc: u32_at(fixed, 16),
            packed: u32_at(fixed, 20),
            length: u32_at(fixed, 24),
            start: u32_at(fixed, 42),
        });
        rest = &after[name + extra + comment..];
    }
    Ok(members)
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

/// The bytes of a member, which are compared with what the archive declares.
struct Checked {
    bytes: CrcReader<Box<dyn Read + Send>>,
    array: Member,
}

impl Read for Checked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(into)?;
        let crc = self.bytes.crc();
        let is_same = || crc.sum() == self.array.crc && crc.amount() == self.array.length;
        match read == 0 && !into.is_empty() && !is_same() {
            true => Err(io::Error::other(
                "its checksum is wrong; copy or write it again",
            )),
            false => Ok(read),
        }
    }
}
