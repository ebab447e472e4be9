//! Answers to queries for winding numbers.

/// How often a closed, oriented surface winds around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Winding {
    /// The winding number: 1 inside a shell whose triangles face outwards (their corners are
    /// counterclockwise when seen from outside), -1 inside one whose triangles face inwards, 0
    /// outside; the sum of these for several shells.
    Number(i64),
    /// The point is exactly on a triangle with area, where there is no winding number.
    OnSurface,
}

impl Winding {
    /// Returns the winding number; `None` on the surface.
    pub fn number(self) -> Option<i64> {
        match self {
            Winding::Number(number) => Some(number),
            Winding::OnSurface => None,
        }
    }
}

/// An estimate of the generalised winding number: the sum of the signed solid angles of all
/// triangles as seen from a point, divided by that of the whole sphere.
///
/// On a closed, oriented surface this is the winding number. A triangle whose plane contains the
/// point has no solid angle, so that on a smooth surface the sum lies halfway between those of the
/// two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WindingEstimate {
    /// The estimate.
    pub value: f64,
    /// A bound of its error: the exact number differs from [`value`](Self::value) by no more. It
    /// grows as the point approaches an edge, where the solid angle jumps.
    pub error: f64,
}

impl WindingEstimate {
    /// Returns whether the estimate is above one half.
    pub fn is_inside(&self) -> bool {
        self.value > 0.5
    }

    /// Returns whether the exact number is on the same side of one half as the estimate.
    pub fn is_certain(&self) -> bool {
        (self.value - 0.5).abs() > self.error
    }
}
