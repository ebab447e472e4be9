//! The two sides of a triangle.

/// The side of a triangle that a ray comes from, by the exact sign of `n . dir` with
/// `n = (p1-p0) x (p2-p0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Side {
    /// `n . dir < 0`: the corners run counter-clockwise as seen from the origin.
    Front,
    /// `n . dir > 0`: the corners run clockwise as seen from the origin.
    Back,
}

impl Side {
    /// Returns the side by whether `n . dir` is negative; it is not zero.
    #[inline(always)]
    pub(crate) const fn facing(is_negative: bool) -> Self {
        if is_negative { Side::Front } else { Side::Back }
    }
}
