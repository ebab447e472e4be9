//! Pictures as PNG files.

use super::{Picture, Size, repeated};
use estoc_system::has_room;
use png::{ColorType, DecodingError, EncodingError, Limits};
use std::io::{self, BufRead, Seek, Write};

/// The most bytes that the decoder may take beside the pixels: it limits itself to them, but does not
/// report that the system has none.
const DECODER_BYTES: usize = 64 << 20;

/// The bytes that the encoder takes beside a few rows.
const ENCODER_BYTES: usize = 2 << 20;

/// The greatest number of compressed bytes in one chunk of a file.
const CHUNK: usize = 64 << 10;

/// A picture that cannot be written or read as PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The writer or the reader failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a PNG picture that can be read.
    #[error("{0}")]
    Format(String),
    /// The picture has too many pixels.
    #[error("{width}x{height} pixels exceed the limit of {max}x{max}", max = Size::MAX_SIDE)]
    TooLarge {
        /// Its width.
        width: usize,
        /// Its height.
        height: usize,
    },
    /// The number of bytes is not four for each pixel.
    #[error("{bytes} bytes are not the RGBA of {size} pixels")]
    Bytes {
        /// The number of bytes.
        bytes: usize,
        /// The size.
        size: Size,
    },
    /// The system has too little memory.
    #[error(
        "not enough memory for a PNG picture, which may take {bytes} bytes; free some, or choose a smaller \
         picture"
    )]
    NoMemory {
        /// The number of bytes needed.
        bytes: usize,
    },
}

impl From<EncodingError> for PngError {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::IoError(error) => PngError::Io(error),
            error => PngError::Format(error.to_string()),
        }
    }
}

impl From<DecodingError> for PngError {
    fn from(error: DecodingError) -> Self {
        match error {
            DecodingError::IoError(error) => PngError::Io(error),
            error => PngError::Format(error.to_string()),
        }
    }
}

impl Picture {
    /// Writes the picture as PNG, always the same bytes for the same pixels. The writer gets them while
    /// the rest is compressed, so an error of the writer ends the work early.
    ///
    /// # Errors
    /// The writer's errors, [`PngError::NoMemory`].
    pub fn write_png(&self, to: impl Write) -> Result<(), PngError> {
        let rows = self.pixels.chunks(self.size.width());
        write(to, self.size, ColorType::Rgb, rows.map(<[_]>::as_flattened))
    }

    /// Reads a PNG picture as 8 bits per channel, without its transparency.
    ///
    /// # Errors
    /// The reader's errors; a picture with a side of 0 or above [`Size::MAX_SIDE`], or that is not PNG;
    /// [`PngError::NoMemory`].
    pub fn read_png(from: impl BufRead + Seek) -> Result<Picture, PngError> {
        check_room(DECODER_BYTES)?;
        let limits = Limits {
            bytes: DECODER_BYTES,
        };
        let mut decoder = png::Decoder::new_with_limits(from, limits);
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let info = reader.info();
        let (width, height) = (info.width as usize, info.height as usize);
        let size =
            Size::try_new(width, height).map_err(|_| PngError::TooLarge { width, height })?;
        let length = reader
            .output_buffer_size()
            .ok_or_else(|| PngError::Format("the picture is too large".into()))?;
        let no_memory = PngError::NoMemory {
            bytes: length + 3 * size.pixel_count(),
        };
        let (Some(mut bytes), Ok(mut picture)) =
            (repeated(0, length), Picture::plain(size, [0; 3]))
        else {
            return Err(no_memory);
        };
        let frame = reader.next_frame(&mut bytes)?;
        bytes.truncate(frame.buffer_size());
        let channels = frame.color_type.samples();
        let pixel = |samples: &[u8]| match *samples {
            [r, g, b, ..] => [r, g, b],
            [grey, ..] => [grey; 3],
            [] => [0; 3],
        };
        for (to, samples) in picture.pixels.iter_mut().zip(bytes.chunks_exact(channels)) {
            *to = pixel(samples);
        }
        Ok(picture)
    }
}

/// Writes rows of RGBA pixels, from the top, as PNG: without their opacity if all are opaque, with the
/// bytes of [`Picture::write_png`].
///
/// # Errors
/// [`PngError::Bytes`] if there are not four bytes for each pixel, the writer's errors, and
/// [`PngError::NoMemory`].
pub fn write_rgba_png(to: impl Write, size: Size, rgba: &[u8]) -> Result<(), PngError> {
    let bytes = rgba.len();
    if bytes != 4 * size.pixel_count() {
        return Err(PngError::Bytes { bytes, size });
    }
    let (pixels, _) = rgba.as_chunks::<4>();
    if pixels.iter().any(|pixel| pixel[3] != u8::MAX) {
        return write(to, size, ColorType::Rgba, rgba.chunks(4 * size.width()));
    }
    let rows = pixels.chunks(size.width()).map(|row| {
        let opaque = row.iter().flat_map(|&[r, g, b, _]| [r, g, b]);
        opaque.collect::<Vec<u8>>()
    });
    write(to, size, ColorType::Rgb, rows)
}

/// Writes rows of pixels.
fn write(
    to: impl Write,
    size: Size,
    colours: ColorType,
    rows: impl Iterator<Item = impl AsRef<[u8]>>,
) -> Result<(), PngError> {
    check_room(ENCODER_BYTES)?;
    let mut encoder = png::Encoder::new(to, size.width() as u32, size.height() as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder.add_text_chunk("Software".into(), "estoc".into())?;
    let mut writer = encoder.write_header()?;
    let mut image = writer.stream_writer_with_size(CHUNK)?;
    for row in rows {
        image.write_all(row.as_ref())?;
    }
    image.finish()?;
    writer.finish()?;
    Ok(())
}

fn check_room(bytes: usize) -> Result<(), PngError> {
    match has_room(bytes) {
        true => Ok(()),
        false => Err(PngError::NoMemory { bytes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn pictures_are_read_as_they_were_written() {
        let size = Size::try_new(5, 3).unwrap();
        let mut picture = Picture::plain(size, [9, 8, 7]).unwrap();
        picture.set(4, 2, [255, 0, 1]);
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).unwrap();
        assert_eq!(Picture::read_png(Cursor::new(&bytes)).unwrap(), picture);
        let mut same = Vec::new();
        write_rgba_png(&mut same, size, &picture.rgba().unwrap()).unwrap();
        assert_eq!(same, bytes);
        for length in 0..bytes.len() - 12 {
            // Without its last chunk a picture is complete.
            assert!(
                Picture::read_png(Cursor::new(&bytes[..length])).is_err(),
                "{length}"
            );
        }
    }

    #[test]
    fn large_pictures_are_written_in_chunks_until_the_writer_fails() {
        struct Failing(Vec<u8>);

        impl Write for Failing {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                match self.0.len() < CHUNK {
                    true => self.0.write(bytes),
                    false => Err(io::ErrorKind::StorageFull.into()),
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        // Of noise, which does not compress.
        let size = Size::try_new(400, 300).unwrap();
        let mut picture = Picture::plain(size, [0; 3]).unwrap();
        for (number, pixel) in (0..).zip(&mut picture.pixels) {
            let [r, g, b, ..] = crate::picture::colour::scattered(number).to_le_bytes();
            *pixel = [r, g, b];
        }
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).unwrap();
        assert!(bytes.len() > 5 * CHUNK, "{}", bytes.len());
        assert_eq!(Picture::read_png(Cursor::new(&bytes)).unwrap(), picture);
        let mut to = Failing(Vec::new());
        let error = picture.write_png(&mut to).unwrap_err();
        assert!(matches!(error, PngError::Io(_)), "{error}");
        assert!(to.0.len() < 2 * CHUNK, "{}", to.0.len());
    }

    #[test]
    fn opacity_is_kept_and_wrong_lengths_are_refused() {
        let size = Size::try_new(2, 1).unwrap();
        let mut bytes = Vec::new();
        write_rgba_png(&mut bytes, size, &[1, 2, 3, 4, 5, 6, 7, 255]).unwrap();
        let read = Picture::read_png(Cursor::new(&bytes)).unwrap();
        assert_eq!(read.pixels(), [[1, 2, 3], [5, 6, 7]]);
        assert_eq!(bytes[25], 6, "the colour type in the header");
        let refused = write_rgba_png(&mut Vec::new(), size, &[0; 7]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "7 bytes are not the RGBA of 2x1 pixels"
        );
    }
}
