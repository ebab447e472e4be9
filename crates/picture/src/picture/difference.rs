//! Differences between two pictures.

use super::Picture;
use super::colour::{Ramp, shown};
use super::legend::Legend;

/// Differences of channel values, from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The root mean square.
    pub rms: f64,
    /// The greatest difference.
    pub most: u8,
    /// The pixel with the greatest difference: column and row from the upper left corner.
    pub at: [usize; 2],
    /// Number of pixels that differ.
    pub pixels: usize,
}

impl Difference {
    /// Compares two pictures of one size. Of pictures of different sizes, it compares the pixels of
    /// equal index.
    pub fn of(a: &Picture, b: &Picture) -> Self {
        let (mut squares, mut most, mut place, mut pixels) = (0, 0, 0, 0);
        for (index, (a, b)) in a.pixels.iter().zip(&b.pixels).enumerate() {
            pixels += usize::from(a != b);
            for (a, b) in a.iter().zip(b) {
                let off = a.abs_diff(*b);
                squares += u64::from(off) * u64::from(off);
                if off > most {
                    (most, place) = (off, index);
                }
            }
        }
        Difference {
            rms: (squares as f64 / (3 * a.pixels.len()) as f64).sqrt(),
            most,
            at: [place % a.size.width(), place / a.size.width()],
            pixels,
        }
    }
}

/// Returns a picture of the differences between two pictures of one size: pixels that differ are
/// coloured by the greatest difference of a channel, the others show the first picture in dark
/// grey. Pixels of the first picture whose index the second lacks are black.
pub fn difference_picture(a: &Picture, b: &Picture) -> Picture {
    let off = |(a, b): (&[u8; 3], &[u8; 3])| {
        let channels = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        channels.max().unwrap_or(0)
    };
    let differences: Vec<u8> = a.pixels.iter().zip(&b.pixels).map(off).collect();
    let most = differences.iter().copied().max().unwrap_or(0);
    // The ramp starts at dark red: a darker colour would look like no difference.
    let ramp = Ramp::new(colorous::INFERNO, [0.35, 1.0]);
    let colour = |(pixel, &off): (&[u8; 3], &u8)| match off {
        0 => {
            let grey = pixel.iter().map(|&channel| u16::from(channel)).sum::<u16>() / 9;
            [grey as u8; 3]
        }
        off => {
            let share = f32::from(off - 1) / f32::from((most - 1).max(1));
            shown(ramp.at(share))
        }
    };
    let mut picture = Picture::plain(a.size, [0; 3]);
    let pairs = a.pixels.iter().zip(&differences);
    for (pixel, pair) in picture.pixels.iter_mut().zip(pairs) {
        *pixel = colour(pair);
    }
    if most > 0 {
        let legend = Legend {
            ramp: &ramp,
            caption: "difference",
            low: "1".into(),
            high: most.to_string(),
        };
        legend.draw(&mut picture);
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Size;

    #[test]
    fn differences_are_counted_and_placed() {
        let size = Size::new(3, 2).unwrap();
        let a = Picture::plain(size, [10, 20, 30]);
        let mut b = a.clone();
        assert_eq!(Difference::of(&a, &b).rms, 0.0);
        b.pixels[1] = [10, 20, 33];
        b.pixels[5] = [4, 20, 30];
        let found = Difference::of(&a, &b);
        assert_eq!((found.most, found.at, found.pixels), (6, [2, 1], 2));
        assert!((found.rms - (45.0f64 / 18.0).sqrt()).abs() < 1e-12);
    }
}
