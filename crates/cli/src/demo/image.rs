//! The picture as a PNG file.

use crate::failure::Failure;
use crate::output::Output;
use std::io;
use std::str::FromStr;

/// In pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|n| (1..=8192).contains(n));
        let sides = text
            .split_once('x')
            .and_then(|(w, h)| Some((side(w)?, side(h)?)));
        let (width, height) =
            sides.ok_or("a size is WIDTHxHEIGHT, each from 1 to 8192, as in 1280x800")?;
        Ok(Size { width, height })
    }
}

/// Writes rows of red, green and blue; the file appears complete or not at all.
pub(super) fn write(mut output: Output, size: Size, pixels: &[[u8; 3]]) -> Result<(), Failure> {
    encode(&mut output, size, pixels).map_err(|error| output.failure(error))?;
    output.finish()
}

fn encode(output: &mut Output, size: Size, pixels: &[[u8; 3]]) -> io::Result<()> {
    let mut encoder = png::Encoder::new(output, size.width as u32, size.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.add_text_chunk("Software".into(), "estoc".into())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels.as_flattened())?;
    Ok(writer.finish()?)
}
