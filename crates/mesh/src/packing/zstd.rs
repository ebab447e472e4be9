//! Decompresses zstd. A file may have several frames, including skippable ones.

use estoc_system::check_room;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Read};

pub(crate) struct Frames<R> {
    packed: BufReader<R>,
    decoder: FrameDecoder,
    /// Whether the decoder is in a frame.
    is_open: bool,
}

/// The decoder refuses larger windows.
const LARGEST_WINDOW: usize = 100 << 20;

/// Returns the size of the window of a frame (RFC 8878, 3.1.1.1), if the head has it.
fn window(head: &[u8]) -> Option<usize> {
    let (&descriptor, rest) = head.get(4..)?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return usize::try_from(base + base / 8 * u64::from(window & 7)).ok();
    }
    // The window is the whole content, whose size follows the number of a dictionary.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = rest.get(dictionary..)?;
    match descriptor >> 6 {
        0 => Some(size.first().copied()?.into()),
        1 => Some(256 + usize::from(u16::from_le_bytes(*size.first_chunk()?))),
        2 => usize::try_from(u32::from_le_bytes(*size.first_chunk()?)).ok(),
        _ => usize::try_from(u64::from_le_bytes(*size.first_chunk()?)).ok(),
    }
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(packed: R) -> Self {
        Frames {
            packed: BufReader::with_capacity(1 << 16, packed),
            decoder: FrameDecoder::new(),
            is_open: false,
        }
    }

    /// Advances to the next frame; returns whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let head = self.packed.fill_buf()?;
            if head.is_empty() {
                return Ok(false);
            }
            // The decoder would end the process. It takes up to twice the window.
            let window = window(head).unwrap_or(0).min(LARGEST_WINDOW);
            check_room(2 * window)?;
            match self.decoder.init(&mut self.packed) {
                Ok(()) => {
                    self.is_open = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.packed).take(length.into());
                    if io::copy(&mut skipped, &mut io::sink())? < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(self.failure(error)),
            }
        }
    }

    /// Converts an error of the decoder, which has many for missing bytes, to one.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_found_in_heads() {
        for (head, expected) in [
            (&b"\x28\xb5\x2f\xfd"[..], None),
            (b"\x28\xb5\x2f\xfd\x00\x58", Some(2 << 20)),
            (b"\x28\xb5\x2f\xfd\x04\x59", Some((2 << 20) + (1 << 18))),
            (b"\x28\xb5\x2f\xfd\x20\x07", Some(7)),
            (b"\x28\xb5\x2f\xfd\x61\xff\x01\x01", Some(256 + 257)),
            (b"\x28\xb5\x2f\xfd\xa0\x00\x00\x01\x00", Some(1 << 16)),
            (b"\x28\xb5\x2f\xfd\xa0\x00\x00", None),
        ] {
            assert_eq!(window(head), expected, "{head:?}");
        }
        let packed = ruzstd::encoding::compress_to_vec(
            &[7; 300_000][..],
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        assert!(window(&packed).is_some());
    }
}
