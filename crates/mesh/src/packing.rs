//! Files packed by gzip or zstd, unpacked while they are read.

use core::sync::atomic::{AtomicU64, Ordering};
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use crate::error::{Location, MeshError};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// What the first bytes of a file say.
    pub(crate) fn of_content(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            // A frame to be skipped, which some tools put first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// What the end of a file's name says.
    pub(crate) fn of_name(name: &str) -> Option<Packing> {
        let end = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match &*end {
            "gz" => Some(Packing::Gzip),
            "zst" | "zstd" => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// The error of a file without any bytes: what is packed always has some.
    pub(crate) fn empty(self, at: Location) -> MeshError {
        MeshError::Unpack {
            at,
            packing: self.name(),
            problem: "it is empty".into(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }

    /// A reader of what `packed` unpacks to; its errors are for [`io_error`]. `read` says how
    /// much of `packed` was read so far.
    pub(crate) fn open<'a>(
        self,
        packed: impl Read + 'a,
        read: Arc<AtomicU64>,
        at: Location,
    ) -> Result<Box<dyn Read + 'a>, MeshError> {
        Ok(Box::new(Unpacked {
            reader: self.decoder(packed, at)?,
            packing: self,
            read,
            unpacked: 0,
        }))
    }

    fn decoder<'a>(
        self,
        packed: impl Read + 'a,
        at: Location,
    ) -> Result<Box<dyn Read + 'a>, MeshError> {
        match self {
            #[cfg(feature = "gzip")]
            Packing::Gzip => Ok(Box::new(gzip::Members::new(packed))),
            #[cfg(feature = "zstd")]
            Packing::Zstd => Ok(Box::new(zstd::Frames::new(packed))),
            #[allow(unreachable_patterns, reason = "with both features there is no other")]
            _ => {
                drop(packed);
                let (what, feature) = (self.name(), self.name());
                Err(MeshError::FeatureOff { at, what, feature })
            }
        }
    }
}

/// Unpacks, as long as it is in proportion: some kilobytes can be made that unpack to more
/// than a machine has room for.
struct Unpacked<'a> {
    reader: Box<dyn Read + 'a>,
    packing: Packing,
    /// How many bytes were read so far ...
    read: Arc<AtomicU64>,
    /// ... and to how many they have unpacked.
    unpacked: u64,
}

impl Unpacked<'_> {
    /// Meshes are packed to a tenth, and grids of equal numbers to a hundredth.
    const MOST_TIMES: u64 = 1000;
    /// Up to here nothing is in doubt.
    const ALWAYS: u64 = 1 << 26;
}

impl Read for Unpacked<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let problem = match self.reader.read(into) {
            Ok(read) => {
                self.unpacked += read as u64;
                let most = Self::MOST_TIMES.saturating_mul(self.read.load(Ordering::Relaxed));
                if self.unpacked <= most.max(Self::ALWAYS) {
                    return Ok(read);
                }
                let times = Self::MOST_TIMES;
                format!(
                    "it unpacks to more than {times} times its size; if it is meant to, unpack it before"
                )
            }
            // The file itself cannot be read.
            Err(error) if error.raw_os_error().is_some() => return Err(error),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => "it is cut short".into(),
            Err(error) => in_one_line(&error),
        };
        let packing = self.packing.name();
        let error = UnpackError { packing, problem };
        Err(io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// Opens any file that may be packed by gzip or zstd, as its first bytes say, and unpacks it while
/// it is read. `read` counts the bytes taken from `file`.
pub fn open_packed(file: impl Read + 'static, read: Arc<AtomicU64>) -> io::Result<Box<dyn Read>> {
    let mut file = Counting {
        reader: file,
        count: Arc::clone(&read),
    };
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    let packing = Packing::of_content(&head);
    let file = io::Cursor::new(head).chain(file);
    match packing {
        None => Ok(Box::new(file)),
        Some(packing) => packing
            .open(file, read, Location::default())
            .map_err(io::Error::other),
    }
}

/// Counts what is read.
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

/// An error that comes through a reader, and is none of the system.
#[derive(Debug)]
struct UnpackError {
    packing: &'static str,
    problem: String,
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.packing, self.problem)
    }
}

impl Error for UnpackError {}

/// Reads no more than `limit` bytes; more are an error.
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
            // The end may be here.
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

/// There are more bytes than may be read.
#[derive(Debug)]
struct TooLarge(u64);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} bytes", self.0)
    }
}

impl Error for TooLarge {}

/// The error of a reader, for what it is.
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
    //! A file may have several members, and zeros behind them, to which tapes and the like
    //! fill it up.

    use flate2::bufread::GzDecoder;
    use std::io::{self, BufRead, BufReader, Read};

    pub(crate) struct Members<R> {
        /// None behind the last.
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
                // If there are zeros, there is nothing but zeros.
                let packed = member.get_mut();
                let has_zeros = pass_zeros(packed)?;
                let is_end = packed.fill_buf()?.is_empty();
                if has_zeros && !is_end {
                    let problem = "there is something behind the zeros at its end";
                    return Err(io::Error::other(problem));
                }
                let packed = self.member.take().map(GzDecoder::into_inner);
                self.member = packed.filter(|_| !is_end).map(GzDecoder::new);
            }
            Ok(0)
        }
    }

    /// Whether there were any.
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

#[cfg(feature = "zstd")]
mod zstd {
    //! A file may have several frames, and frames that mean nothing.

    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
    use std::io::{self, BufRead, BufReader, Read};

    pub(crate) struct Frames<R> {
        packed: BufReader<R>,
        decoder: FrameDecoder,
        /// Whether the decoder is in a frame.
        is_open: bool,
    }

    impl<R: Read> Frames<R> {
        pub(crate) fn new(packed: R) -> Self {
            Frames {
                packed: BufReader::with_capacity(1 << 16, packed),
                decoder: FrameDecoder::new(),
                is_open: false,
            }
        }

        /// Goes to the next frame; whether there is one.
        fn next_frame(&mut self) -> io::Result<bool> {
            while !self.packed.fill_buf()?.is_empty() {
                match self.decoder.init(&mut self.packed) {
                    Ok(()) => {
                        self.is_open = true;
                        return Ok(true);
                    }
                    Err(FrameDecoderError::ReadFrameHeaderError(
                        ReadFrameHeaderError::SkipFrame { length, .. },
                    )) => {
                        let mut skipped = (&mut self.packed).take(length.into());
                        if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                            return Err(io::ErrorKind::UnexpectedEof.into());
                        }
                    }
                    Err(error) => return Err(self.failure(error)),
                }
            }
            Ok(false)
        }

        /// The decoder says that bytes are missing in many ways.
        fn failure(&mut self, error: FrameDecoderError) -> io::Error {
            match self.packed.fill_buf() {
                Ok([]) => io::ErrorKind::UnexpectedEof.into(),
                _ => io::Error::other(error),
            }
        }
    }

    impl<R: Read> Read for Frames<R> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if into.is_empty() {
                return Ok(0);
            }
            loop {
                if !self.is_open && !self.next_frame()? {
                    return Ok(0);
                }
                while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                    let step = BlockDecodingStrategy::UptoBlocks(1);
                    if let Err(error) = self.decoder.decode_blocks(&mut self.packed, step) {
                        return Err(self.failure(error));
                    }
                }
                if self.decoder.can_collect() > 0 {
                    return self.decoder.read(into);
                }
                self.is_open = false;
                let told = self.decoder.get_checksum_from_data();
                if told.is_some() && told != self.decoder.get_calculated_checksum() {
                    return Err(io::Error::other("its checksum is wrong"));
                }
            }
        }
    }
}
