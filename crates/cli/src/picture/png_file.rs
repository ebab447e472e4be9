//! Pictures as PNG files.

use super::{Picture, Size};
use crate::failure::Failure;
use crate::output::Output;
use png::EncodingError;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

/// Writes a picture; the file appears complete or not at all.
pub(crate) fn write(mut output: Output, picture: &Picture) -> Result<(), Failure> {
    encode(&mut output, picture).map_err(|error| match error {
        EncodingError::IoError(error) => output.failure(error),
        other => output.failure(io::Error::other(other)),
    })?;
    output.finish()
}

fn encode(output: &mut Output, picture: &Picture) -> Result<(), EncodingError> {
    let Size { width, height } = picture.size;
    let mut encoder = png::Encoder::new(output, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder.add_text_chunk("Software".into(), "estoc".into())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels.as_flattened())?;
    writer.finish()
}

/// Reads a picture as 8 bits per channel, without its transparency.
pub(crate) fn read(path: &Path) -> Result<Picture, Failure> {
    let failure = |problem: String| Failure::Picture {
        file: path.display().to_string(),
        problem,
    };
    let file = File::open(path).map_err(|error| failure(error.to_string()))?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder
        .read_info()
        .map_err(|error| failure(error.to_string()))?;
    let info = reader.info();
    let size = Size {
        width: info.width as usize,
        height: info.height as usize,
    };
    let most = Size::MOST;
    if size.width > most || size.height > most {
        return Err(failure(format!(
            "{size} pixels exceed the limit of {most}x{most}"
        )));
    }
    let length = reader
        .output_buffer_size()
        .ok_or_else(|| failure("the picture is too large".into()))?;
    let mut bytes = vec![0; length];
    let frame = reader
        .next_frame(&mut bytes)
        .map_err(|error| failure(error.to_string()))?;
    bytes.truncate(frame.buffer_size());
    let channels = frame.color_type.samples();
    let pixel = |samples: &[u8]| match *samples {
        [r, g, b, ..] => [r, g, b],
        [grey, ..] => [grey; 3],
        [] => [0; 3],
    };
    let pixels = bytes.chunks_exact(channels).map(pixel).collect();
    Ok(Picture { size, pixels })
}
