//! Decompresses files while they are read.

#[cfg(feature = "zstd")]
mod zstd;

use core::sync::atomic::{AtomicU64, Ordering};
use std::error::Error;
use std::io::{self, Read};
use std::sync::Arc;

use crate::error::{Location, MeshError};

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// Recognises the compression from the first bytes of a file.
    pub(crate) fn of_content(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            // A skippable frame, which some tools put first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// Recognises the compression from a file name.
    pub(crate) fn of_name(name: &str) -> Option<Packing> {
        let end = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match &*end {
            "gz" => Some(Packing::Gzip),
            "zst" | "zstd" => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// Returns the error for an empty file: a compressed file always has some bytes.
    pub(crate) fn empty(self, at: Location) -> MeshError {
        MeshError::Unpack {
            at,
            packing: self.name(),
            problem: "the file is empty".into(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }
}

/// Decompresses what `R` reads, if it is compressed.
enum PackingDecoder<R> {
    Plain(R),
    #[cfg(feature = "gzip")]
    Gzip(Box<gzip::Members<R>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::Frames<R>>),
}

impl<R: Read> Read for PackingDecoder<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            PackingDecoder::Plain(file) => file.read(into),
            #[cfg(feature = "gzip")]
            PackingDecoder::Gzip(members) => members.read(into),
            #[cfg(feature = "zstd")]
            PackingDecoder::Zstd(frames) => frames.read(into),
        }
    }
}

/// A decompressing reader with a limited ratio: a few kilobytes can be constructed to decompress to
/// more than fits into memory.
pub(crate) struct Unpacked<R> {
    decoder: PackingDecoder<R>,
    packing: Option<Packing>,
    /// The number of bytes read so far.
    read: Arc<AtomicU64>,
    /// The number of bytes they decompressed to.
    unpacked: u64,
}

impl<R> Unpacked<R> {
    /// Meshes are compressed to a tenth, and grids of equal numbers to a hundredth.
    const MOST_TIMES: u64 = 1000;
    /// The number of decompressed bytes up to which the ratio is not checked.
    const ALWAYS: u64 = 1 << 26;
}

impl<R: Read> Unpacked<R> {
    /// Returns a reader of the decompressed bytes, whose errors [`io_error`] converts. `read` is the
    /// number of bytes of `file` read so far.
    pub(crate) fn open(
        packing: Option<Packing>,
        file: R,
        read: Arc<AtomicU64>,
        at: Location,
    ) -> Result<Self, MeshError> {
        let decoder = match packing {
            None => PackingDecoder::Plain(file),
            #[cfg(feature = "gzip")]
            Some(Packing::Gzip) => PackingDecoder::Gzip(Box::new(gzip::Members::new(file))),
            #[cfg(feature = "zstd")]
            Some(Packing::Zstd) => PackingDecoder::Zstd(Box::new(zstd::Frames::new(file))),
            #[allow(unreachable_patterns, reason = "with both features there is no other")]
            Some(packing) => {
                let (what, feature) = (packing.name(), packing.name());
                return Err(MeshError::FeatureOff { at, what, feature });
            }
        };
        Ok(Unpacked {
            decoder,
            packing,
            read,
            unpacked: 0,
        })
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(packing) = self.packing else {
            return self.decoder.read(into);
        };
        let problem = match self.decoder.read(into) {
            Ok(read) => {
                self.unpacked += read as u64;
                let most = Self::MOST_TIMES.saturating_mul(self.read.load(Ordering::Relaxed));
                if self.unpacked <= most.max(Self::ALWAYS) {
                    return Ok(read);
                }
                let times = Self::MOST_TIMES;
                format!(
                    "it decompresses to more than {times} times its size; if that is intended, decompress it first"
                )
            }
            // The file itself cannot be read, or there is no memory.
            Err(error)
                if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::OutOfMemory =>
            {
                return Err(error);
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => "it is truncated".into(),
            Err(error) => in_one_line(&error),
        };
        let packing = packing.name();
        let error = UnpackError { packing, problem };
        Err(io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// Opens a file that may be compressed by gzip or zstd, recognised from its first bytes, and
/// decompresses it while it is read. `read` counts the bytes taken from `file`.
pub fn open_packed<'a>(
    file: impl Read + Send + 'a,
    read: Arc<AtomicU64>,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut file = Counting {
        reader: file,
        count: Arc::clone(&read),
    };
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    let packing = Packing::of_content(&head);
    let file = io::Cursor::new(head).chain(file);
    match Unpacked::open(packing, file, read, Location::default()) {
        Ok(unpacked) => Ok(Box::new(unpacked)),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// A reader that counts the bytes read.
pub(crate) struct Counting<R> {
    pub(crate) reader: R,
    pub(crate) count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(into)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

fn in_one_line(error: &dyn Error) -> String {
    let text = error.to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An error of decompression, passed through a reader; not one of the system.
#[derive(Debug, thiserror::Error)]
#[error("{packing}: {problem}")]
struct UnpackError {
    packing: &'static str,
    problem: String,
}

/// A reader of at most `limit` bytes; more are an error.
pub(crate) struct Limited<R> {
    reader: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Limited<R> {
    pub(crate) fn new(reader: R, limit: u64) -> Self {
        Limited {
            reader,
            left: limit,
            limit,
        }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !into.is_empty() {
            // The input may end here.
            return match self.reader.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::other(TooLarge(self.limit))),
            };
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let most = into.len().min(most);
        let read = self.reader.read(&mut into[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// The input has more bytes than may be read.
#[derive(Debug, thiserror::Error)]
#[error("more than {0} bytes")]
struct TooLarge(u64);

/// Converts the error of a reader.
pub(crate) fn io_error(at: Location, source: io::Error) -> MeshError {
    let inner = source.get_ref();
    if let Some(TooLarge(limit)) = inner.and_then(|error| error.downcast_ref()) {
        let limit = *limit;
        return MeshError::TooLarge { at, limit };
    }
    if source.kind() == io::ErrorKind::OutOfMemory {
        return MeshError::NoMemory { at };
    }
    match source.get_ref().and_then(|error| error.downcast_ref()) {
        Some(UnpackError { packing, problem }) => MeshError::Unpack {
            at,
            packing,
            problem: problem.clone(),
        },
        None => MeshError::Io { at, source },
    }
}

#[cfg(feature = "gzip")]
mod gzip {
    //! A file may have several members, followed by zeros, which tape archives, for example, use as
    //! padding.

    use flate2::bufread::GzDecoder;
    use std::io::{self, BufRead, BufReader, Read};

    pub(crate) struct Members<R> {
        /// `None` after the last member.
        member: Option<GzDecoder<BufReader<R>>>,
    }

    impl<R: Read> Members<R> {
        pub(crate) fn new(packed: R) -> Self {
            let packed = BufReader::with_capacity(1 << 16, packed);
            Members {
                member: Some(GzDecoder::new(packed)),
            }
        }
    }

    impl<R: Read> Read for Members<R> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            while let Some(member) = &mut self.member {
                let read = member.read(into)?;
                if read > 0 || into.is_empty() {
                    return Ok(read);
                }
                // After zeros, only the end may follow.
                let packed = member.get_mut();
                let has_zeros = pass_zeros(packed)?;
                let is_end = packed.fill_buf()?.is_empty();
                if has_zeros && !is_end {
                    let problem = "there is data after the zeros at its end";
                    return Err(io::Error::other(problem));
                }
                let packed = self.member.take().map(GzDecoder::into_inner);
                self.member = packed.filter(|_| !is_end).map(GzDecoder::new);
            }
            Ok(0)
        }
    }

    /// Skips zeros; returns whether there were any.
    fn pass_zeros(packed: &mut impl BufRead) -> io::Result<bool> {
        let mut passed = false;
        loop {
            let ahead = packed.fill_buf()?;
            let zeros = ahead.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return Ok(passed);
            }
            passed = true;
            packed.consume(zeros);
        }
    }
}
