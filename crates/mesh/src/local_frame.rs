//! The origin of a local frame: given, or chosen from the file.

use estoc_core::glam::DVec3;

/// Where the coordinates of a mesh start from; see
/// [`MeshLoader::local_frame`](crate::MeshLoader::local_frame).
///
/// ```
/// # mod estoc { pub use estoc_mesh::*; pub mod io { pub use estoc_mesh::*; } pub mod glam { pub use estoc_core::glam::*; } }
/// use estoc::{MeshLoader, glam::DVec3, io::LocalFrame};
/// // A map in metres: f32 alone would round corners to quarters.
/// let obj = "v 500000.1 5200000.1 3\nv 500001.1 5200000.1 3\nv 500000.1 5200001.1 3\nf 1 2 3\n";
/// let origin = DVec3::new(500_000.0, 5_200_000.0, 0.0);
/// let loaded = MeshLoader::new().local_frame(LocalFrame::At(origin)).read(obj.as_bytes(), "a.obj")?;
/// assert_eq!(loaded.positions()[0].to_array(), [0.1, 0.1, 3.0]);
/// # Ok::<(), estoc::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LocalFrame {
    /// An origin chosen from the file alone, and so the same on every machine.
    ///
    /// Let `e` be the largest side of the smallest box around the triangles, with the coordinates of
    /// the file rounded to `f64`. If no corner of the box has a coordinate beyond `2 e` in magnitude,
    /// the origin is 0, since another one would hardly gain anything. Otherwise the origin is the
    /// centre of the box with each coordinate rounded to a multiple of the largest power of two that
    /// is at most `e / 16`, ties to even. For a terrain of 20 km in metres it is a multiple of 1024.
    ///
    /// Files that share borders get different origins, and a corner that they share is rounded
    /// differently in each. Give them one origin: [`LocalFrame::At`].
    Auto,
    /// This origin, in the coordinates of the file. It must be finite. 0 is the same as no local
    /// frame.
    At(DVec3),
}

impl LocalFrame {
    /// Returns the origin that [`Auto`](Self::Auto) chooses for triangles in the box from `low` to `high`.
    ///
    /// ```
    /// # mod estoc { pub mod io { pub use estoc_mesh::*; } pub mod glam { pub use estoc_core::glam::*; } }
    /// use estoc::{glam::DVec3, io::LocalFrame};
    /// let house = [[502_345.1, 5_201_234.7, 310.2], [502_355.1, 5_201_244.7, 313.2]].map(DVec3::from);
    /// assert_eq!(LocalFrame::origin_of(house), DVec3::new(502_350.0, 5_201_239.5, 311.5));
    /// ```
    pub fn origin_of([low, high]: [DVec3; 2]) -> DVec3 {
        let size = (high - low).max_element();
        let farthest = low.abs().max(high.abs()).max_element();
        // Not finite, or a single point.
        if !(size > 0.0 && farthest < f64::INFINITY) || farthest <= 2.0 * size {
            return DVec3::ZERO;
        }
        // Without the bits of the fraction, a number is the largest power of two in it.
        let step = f64::from_bits((size / 16.0).to_bits() & f64::INFINITY.to_bits());
        // Halved first, since the sum may overflow.
        let centre = 0.5 * low + 0.5 * high;
        DVec3::from_array(centre.to_array().map(|x| {
            let steps = x / step;
            // Beyond this every number is a multiple already; a step of 0 gives infinity.
            // Adding 0 turns -0 into +0.
            let multiple = steps.round_ties_even() * step + 0.0;
            match steps.abs() < (1u64 << 52) as f64 && multiple.is_finite() {
                true => multiple,
                false => x,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_short_and_near_the_centre() {
        let of = |low: [f64; 3], high: [f64; 3]| {
            LocalFrame::origin_of([low.into(), high.into()]).to_array()
        };
        let terrain = of(
            [499_800.125, 5_199_900.5, 210.0],
            [519_800.125, 5_219_900.5, 890.0],
        );
        assert_eq!(terrain, [509_952.0, 5_210_112.0, 1024.0]);
        // Near the origin nothing is gained.
        assert_eq!(of([-1.0; 3], [1.5; 3]), [0.0; 3]);
        assert_eq!(of([1.0, 0.0, 0.0], [2.0, 0.5, 0.5]), [0.0; 3]);
        assert_eq!(of([1.5, 0.0, 0.0], [2.5, 1.0, 1.0]), [2.0, 0.5, 0.5]);
        // Ties go to an even multiple.
        let tied = of([100.0, -0.5, -2.0], [116.0, 0.5, -3.0]);
        assert_eq!(tied, [108.0, 0.0, -2.0]);
        assert!(tied[1].is_sign_positive());
        // A size that does not show in the centre.
        assert_eq!(of([1e300; 3], [1e300f64.next_up(); 3])[0], 1e300);
        let tiny = f64::from_bits(1);
        assert_eq!(of([3.0 * tiny; 3], [4.0 * tiny; 3])[1], 4.0 * tiny);
        // A multiple beyond all numbers.
        let far = of([1.5e308, f64::MAX, 0.0], [1.6e308, f64::MAX, 1e307]);
        assert_eq!(far[1], f64::MAX);
        // Boxes of one point and of none, and those that are not finite.
        for (low, high) in [
            (5e6, 5e6),
            (f64::INFINITY, f64::NEG_INFINITY),
            (f64::NAN, f64::NAN),
            (0.0, f64::INFINITY),
            (-f64::MAX, f64::MAX),
        ] {
            assert_eq!(of([low; 3], [high; 3]), [0.0; 3], "{low}");
        }
    }
}
