//! Sizes of pictures: `WxH` on the command line.

use std::fmt;
use std::str::FromStr;

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Size {
    /// The longest side that a picture may have.
    pub(crate) const MOST: usize = 8192;

    /// Returns the bytes that a picture takes while it is painted in tiles and written.
    pub(crate) fn bytes_to_paint(self) -> usize {
        const PIXEL: usize = 3;
        4 * PIXEL * self.width * self.height
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| {
            let side = text.parse().ok();
            side.filter(|n| (1..=Size::MOST).contains(n))
        };
        let sides = text
            .split_once('x')
            .and_then(|(w, h)| Some((side(w)?, side(h)?)));
        let (width, height) = sides.ok_or_else(|| {
            let most = Size::MOST;
            format!("a size is WIDTHxHEIGHT, each from 1 to {most}, as in 1280x800")
        })?;
        Ok(Size { width, height })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
