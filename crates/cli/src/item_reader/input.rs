//! Files of rays or points, decompressed while they are read.

use estoc_mesh::parts::open_packed;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An open file, or stdin.
pub(super) struct Input {
    pub(super) reader: Box<dyn BufRead>,
    pub(super) progress: FileProgress,
}

/// The number of bytes read from a file.
#[derive(Default)]
pub(crate) struct FileProgress {
    read: Arc<AtomicU64>,
    size: Option<u64>,
}

impl FileProgress {
    /// Returns the number of bytes read so far, before decompression.
    pub(crate) fn done(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the size of the file in bytes; `None` for a stream.
    pub(crate) fn total(&self) -> Option<u64> {
        self.size
    }
}

/// Opens a file, or stdin for `-`, and decompresses gzip and zstd.
pub(super) fn open(path: &Path) -> io::Result<Input> {
    let read = Arc::new(AtomicU64::new(0));
    let (packed, size): (Box<dyn io::Read + Send>, _) = if path.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(path)?;
        let found = file.metadata()?;
        (Box::new(file), found.is_file().then_some(found.len()))
    };
    let unpacked = open_packed(packed, Arc::clone(&read))?;
    Ok(Input {
        reader: Box::new(BufReader::with_capacity(1 << 16, unpacked)),
        progress: FileProgress { read, size },
    })
}
