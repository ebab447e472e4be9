//! How much two pictures differ.

use super::Picture;

/// Differences of channels, from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Difference {
    /// Root of the mean square.
    pub(crate) rms: f64,
    /// The greatest, and the pixel that has it: column and row from the upper left.
    pub(crate) most: u8,
    pub(crate) at: [usize; 2],
    /// How many pixels are not the same.
    pub(crate) pixels: usize,
}

impl Difference {
    /// Of two pictures of one size.
    pub(crate) fn of(a: &Picture, b: &Picture) -> Self {
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
            at: [place % a.size.width, place / a.size.width],
            pixels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Size;

    #[test]
    fn differences_are_counted_and_placed() {
        let size = Size {
            width: 3,
            height: 2,
        };
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
