//! What files are after decompression.

use core::sync::atomic::{AtomicU64, Ordering};
use estoc_core::Progress;
use std::io::{self, Read};
use std::sync::Arc;

use super::MeshLoader;
use super::input::{LoaderInput, read_head};
use crate::error::{Location, MeshError};
use crate::format::Format;
use crate::formats::HEAD;
use crate::packing::{self, Counting, Limited, Unpacked};

/// What a file is after decompression, and the number of its bytes if known.
pub(super) type UnpackedInput<'r> = (Box<dyn Read + 'r>, Option<u64>);

impl MeshLoader<'_> {
    /// Calls a function with the format of a file, a reader of what it is decompressed, and its length
    /// if known.
    pub(super) fn unpacked<T>(
        &self,
        input: LoaderInput<'_>,
        read: impl FnOnce(Format, UnpackedInput<'_>, &(dyn Fn() + Sync)) -> Result<T, MeshError>,
    ) -> Result<T, MeshError> {
        let LoaderInput {
            name,
            head,
            rest,
            length,
            ..
        } = input;
        let io_error = |source| packing::io_error(Location::of_file(name), source);
        let packing = Self::packing(&head, name)?;
        let done = Arc::new(AtomicU64::new(0));
        let file = Counting {
            reader: io::Cursor::new(head.clone()).chain(rest),
            count: Arc::clone(&done),
        };
        let progress = || {
            if let Some(progress) = self.progress {
                progress(Progress::new(done.load(Ordering::Relaxed), length));
            }
        };
        let (head, reader, unpacked_length): (_, Box<dyn Read + '_>, _) = match packing {
            None => {
                let limit = self.max_input.unwrap_or(u64::MAX);
                (head, Box::new(Limited::new(file, limit)), length)
            }
            Some(packing) => {
                let at = Location::of_file(name);
                let reader = Unpacked::open(Some(packing), file, Arc::clone(&done), at)?;
                let limit = self.max_input.unwrap_or(Self::MAX_UNPACKED);
                let mut reader = Limited::new(reader, limit);
                let head = read_head(&mut reader).map_err(io_error)?;
                let reader = io::Cursor::new(head.clone()).chain(reader);
                (head, Box::new(reader), None)
            }
        };
        // A head that is not full is the whole file.
        let is_whole = head.len() < HEAD;
        let unpacked_length = unpacked_length.or(is_whole.then_some(head.len() as u64));
        self.refuse_others(&head, unpacked_length, packing, name)?;
        let format = self.format_of(&head, unpacked_length, name);
        let read = read(format, (reader, unpacked_length), &progress);
        read.map_err(|error| error.of_input(name))
    }
}
