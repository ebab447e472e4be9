//! Differences between two pictures.

use super::colour::{Ramp, shown};
use super::legend::Legend;
use super::{Picture, PictureMemoryError, Size};

/// The reason why pictures cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// The pictures have different sizes.
    #[error(
        "a picture of {a} pixels cannot be compared with one of {b}; choose pictures of one size"
    )]
    Sizes {
        /// The size of the first picture.
        a: Size,
        /// The size of the second picture.
        b: Size,
    },
    /// The system has too little memory for the picture of the differences.
    #[error("{0}")]
    NoMemory(#[from] PictureMemoryError),
}

/// Differences of channel values, from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The root mean square.
    pub rms: f64,
    /// The greatest difference.
    pub max: u8,
    /// The first pixel with the greatest difference: column and row from the upper left corner.
    pub max_at: [usize; 2],
    /// Number of pixels that differ.
    pub pixels: usize,
}

impl Difference {
    /// Compares two pictures of one size.
    ///
    /// # Errors
    /// [`DifferenceError::Sizes`].
    pub fn of(a: &Picture, b: &Picture) -> Result<Self, DifferenceError> {
        check_sizes(a, b)?;
        let (mut squares, mut max, mut place, mut pixels) = (0, 0, 0, 0);
        for (index, (a, b)) in a.pixels.iter().zip(&b.pixels).enumerate() {
            pixels += usize::from(a != b);
            for (a, b) in a.iter().zip(b) {
                let off = a.abs_diff(*b);
                squares += u64::from(off) * u64::from(off);
                if off > max {
                    (max, place) = (off, index);
                }
            }
        }
        Ok(Difference {
            rms: (squares as f64 / (3 * a.pixels.len()) as f64).sqrt(),
            max,
            max_at: [place % a.size.width(), place / a.size.width()],
            pixels,
        })
    }
}

fn check_sizes(a: &Picture, b: &Picture) -> Result<(), DifferenceError> {
    match (a.size, b.size) {
        (a, b) if a == b => Ok(()),
        (a, b) => Err(DifferenceError::Sizes { a, b }),
    }
}

/// Returns a picture of the differences between two pictures of one size: pixels that differ are
/// coloured by the greatest difference of a channel, the others show the first picture in dark
/// grey.
///
/// # Errors
/// [`DifferenceError::Sizes`], [`DifferenceError::NoMemory`].
pub fn difference_picture(a: &Picture, b: &Picture) -> Result<Picture, DifferenceError> {
    check_sizes(a, b)?;
    let off = |(a, b): (&[u8; 3], &[u8; 3])| {
        let channels = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        channels.max().unwrap_or(0)
    };
    let pairs = || a.pixels.iter().zip(&b.pixels);
    let max = pairs().map(off).max().unwrap_or(0);
    // The ramp starts at dark red: a darker colour would look like no difference.
    let ramp = Ramp::new(colorous::INFERNO, [0.35, 1.0]);
    let colour = |pair: (&[u8; 3], &[u8; 3])| match off(pair) {
        0 => {
            let grey = pair
                .0
                .iter()
                .map(|&channel| u16::from(channel))
                .sum::<u16>()
                / 9;
            [grey as u8; 3]
        }
        off => {
            let share = f32::from(off - 1) / f32::from((max - 1).max(1));
            shown(ramp.at(share))
        }
    };
    let mut picture = Picture::plain(a.size, [0; 3])?;
    for (pixel, pair) in picture.pixels.iter_mut().zip(pairs()) {
        *pixel = colour(pair);
    }
    if max > 0 {
        let legend = Legend {
            ramp: &ramp,
            caption: "difference",
            low: "1".into(),
            high: max.to_string(),
        };
        legend.draw(&mut picture);
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_counted_and_placed() {
        let size = Size::try_new(3, 2).unwrap();
        let a = Picture::plain(size, [10, 20, 30]).unwrap();
        let mut b = a.clone();
        assert_eq!(Difference::of(&a, &b).unwrap().rms, 0.0);
        b.pixels[1] = [10, 20, 33];
        b.pixels[5] = [4, 20, 30];
        let found = Difference::of(&a, &b).unwrap();
        assert_eq!((found.max, found.max_at, found.pixels), (6, [2, 1], 2));
        assert!((found.rms - (45.0f64 / 18.0).sqrt()).abs() < 1e-12);
        let picture = difference_picture(&a, &b).unwrap();
        assert_eq!(picture.pixel(0, 0), Some([6; 3]));
        assert!(picture.pixel(1, 0).unwrap()[0] > 30);
    }

    #[test]
    fn pictures_of_different_sizes_are_refused() {
        // As many pixels, in rows of another length.
        let [a, b] = [(3, 2), (2, 3)].map(|(width, height)| {
            Picture::plain(Size::try_new(width, height).unwrap(), [0; 3]).unwrap()
        });
        for error in [
            Difference::of(&a, &b).err(),
            difference_picture(&a, &b).err(),
        ] {
            let told = error.unwrap().to_string();
            assert_eq!(
                told,
                "a picture of 3x2 pixels cannot be compared with one of 2x3; choose pictures of one size"
            );
        }
    }
}
