//! Pictures as PNG files.

use super::{Picture, Size};
use png::{ColorType, DecodingError, EncodingError};
use std::io::{self, BufRead, Seek, Write};

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
    #[error("{width}x{height} pixels exceed the limit of {most}x{most}", most = Size::MOST)]
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
    /// Writes the picture as PNG, always the same bytes for the same pixels.
    ///
    /// # Errors
    /// The writer's errors.
    pub fn write_png(&self, to: impl Write) -> Result<(), PngError> {
        write(to, self.size, ColorType::Rgb, self.pixels.as_flattened())
    }

    /// Reads a PNG picture as 8 bits per channel, without its transparency.
    ///
    /// # Errors
    /// The reader's errors; a picture with a side of 0 or above [`Size::MOST`], or that is not PNG.
    pub fn read_png(from: impl BufRead + Seek) -> Result<Picture, PngError> {
        let mut decoder = png::Decoder::new(from);
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let info = reader.info();
        let (width, height) = (info.width as usize, info.height as usize);
        let size = Size::new(width, height).map_err(|_| PngError::TooLarge { width, height })?;
        let length = reader
            .output_buffer_size()
            .ok_or_else(|| PngError::Format("the picture is too large".into()))?;
        let mut bytes = vec![0; length];
        let frame = reader.next_frame(&mut bytes)?;
        bytes.truncate(frame.buffer_size());
        let channels = frame.color_type.samples();
        let pixel = |samples: &[u8]| match *samples {
            [r, g, b, ..] => [r, g, b],
            [grey, ..] => [grey; 3],
            [] => [0; 3],
        };
        let mut picture = Picture::plain(size, [0; 3]);
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
/// [`PngError::Bytes`] if there are not four bytes for each pixel, and the writer's errors.
pub fn write_rgba_png(to: impl Write, size: Size, rgba: &[u8]) -> Result<(), PngError> {
    let bytes = rgba.len();
    if bytes != 4 * size.width() * size.height() {
        return Err(PngError::Bytes { bytes, size });
    }
    let (pixels, _) = rgba.as_chunks::<4>();
    if pixels.iter().any(|pixel| pixel[3] != u8::MAX) {
        return write(to, size, ColorType::Rgba, rgba);
    }
    let rgb: Vec<u8> = pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    write(to, size, ColorType::Rgb, &rgb)
}

fn write(to: impl Write, size: Size, colours: ColorType, bytes: &[u8]) -> Result<(), PngError> {
    let mut encoder = png::Encoder::new(to, size.width() as u32, size.height() as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder.add_text_chunk("Software".into(), "estoc".into())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn pictures_are_read_as_they_were_written() {
        let size = Size::new(5, 3).unwrap();
        let mut picture = Picture::plain(size, [9, 8, 7]);
        picture.set(4, 2, [255, 0, 1]);
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).unwrap();
        assert_eq!(Picture::read_png(Cursor::new(&bytes)).unwrap(), picture);
        let mut same = Vec::new();
        write_rgba_png(&mut same, size, &picture.rgba()).unwrap();
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
    fn opacity_is_kept_and_wrong_lengths_are_refused() {
        let size = Size::new(2, 1).unwrap();
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
