//! Bitwise equality of answers.

use estoc_core::{
    ClosestPoint, Feature, Hit, PrimId, QueryError, Section, SectionPoint, Span, SphereContact,
};
use std::fmt;

/// An answer as bits, so that zeros of different sign differ.
pub(super) trait Answer {
    type Bits: PartialEq + fmt::Debug;

    fn bits(&self) -> Self::Bits;
}

/// A hit that is equal only to a hit with the same bits.
#[derive(PartialEq)]
pub(super) struct HitBits {
    prim: PrimId,
    t: u32,
    u: u32,
    v: u32,
}

impl fmt::Debug for HitBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |bits: u32| format!("{:e} ({bits:#x})", f32::from_bits(bits));
        let (t, u, v) = (number(self.t), number(self.u), number(self.v));
        write!(f, "triangle {} at t {t} u {u} v {v}", self.prim)
    }
}

impl Answer for Hit {
    type Bits = HitBits;

    fn bits(&self) -> HitBits {
        HitBits {
            prim: self.prim,
            t: self.t.to_bits(),
            u: self.u.to_bits(),
            v: self.v.to_bits(),
        }
    }
}

impl Answer for Span {
    type Bits = [[u32; 1]; 2];

    fn bits(&self) -> Self::Bits {
        [[self.entry.to_bits()], [self.exit.to_bits()]]
    }
}

impl Answer for SectionPoint {
    /// The triangle, its edge, and the numbers.
    type Bits = (PrimId, u8, [u32; 4]);

    fn bits(&self) -> Self::Bits {
        let [x, y, z] = self.point.to_array();
        let numbers = [self.parameter, x, y, z].map(f32::to_bits);
        (self.prim, self.edge, numbers)
    }
}

impl Answer for Section {
    /// Whether each polyline is closed, and its points.
    type Bits = Vec<(bool, Vec<<SectionPoint as Answer>::Bits>)>;

    fn bits(&self) -> Self::Bits {
        let polylines = self.polylines.iter();
        polylines
            .map(|polyline| {
                let points = polyline.points.iter().map(Answer::bits);
                (polyline.is_closed, points.collect())
            })
            .collect()
    }
}

/// A closest point that is equal only to one with the same bits.
#[derive(PartialEq)]
pub(super) struct ClosestPointBits {
    prim: PrimId,
    feature: Feature,
    /// Distance, u, v, x, y, z.
    numbers: [u32; 6],
}

impl fmt::Debug for ClosestPointBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |bits: u32| format!("{:e} ({bits:#x})", f32::from_bits(bits));
        let [distance, u, v, x, y, z] = self.numbers.map(number);
        write!(
            f,
            "triangle {} ({:?}) at distance {distance} u {u} v {v} point {x}, {y}, {z}",
            self.prim, self.feature
        )
    }
}

impl Answer for ClosestPoint {
    type Bits = ClosestPointBits;

    fn bits(&self) -> ClosestPointBits {
        let [x, y, z] = self.point.to_array();
        ClosestPointBits {
            prim: self.prim,
            feature: self.feature,
            numbers: [self.distance, self.u, self.v, x, y, z].map(f32::to_bits),
        }
    }
}

impl Answer for SphereContact {
    /// The triangle, the feature, whether it touches at the start, and t, x, y, z.
    type Bits = (PrimId, Feature, bool, [u32; 4]);

    fn bits(&self) -> Self::Bits {
        let [x, y, z] = self.point.to_array();
        let numbers = [self.t, x, y, z].map(f32::to_bits);
        (self.prim, self.feature, self.is_touching_at_start, numbers)
    }
}

impl Answer for PrimId {
    type Bits = PrimId;

    fn bits(&self) -> PrimId {
        *self
    }
}

impl<T: Answer> Answer for Option<T> {
    type Bits = Option<T::Bits>;

    fn bits(&self) -> Self::Bits {
        self.as_ref().map(Answer::bits)
    }
}

impl<T: Answer> Answer for Vec<T> {
    type Bits = Vec<T::Bits>;

    fn bits(&self) -> Self::Bits {
        self.iter().map(Answer::bits).collect()
    }
}

impl<T: Answer> Answer for Result<T, QueryError> {
    type Bits = Result<T::Bits, QueryError>;

    fn bits(&self) -> Self::Bits {
        self.as_ref().map(Answer::bits).map_err(|&error| error)
    }
}

impl Answer for f32 {
    type Bits = u32;

    fn bits(&self) -> u32 {
        self.to_bits()
    }
}

impl Answer for bool {
    type Bits = bool;

    fn bits(&self) -> bool {
        *self
    }
}

impl Answer for usize {
    type Bits = usize;

    fn bits(&self) -> usize {
        *self
    }
}

/// Asserts that the answers have the same bits.
#[track_caller]
pub(super) fn assert_same<A: Answer>(got: &A, want: &A, question: impl FnOnce() -> String) {
    let (got, want) = (got.bits(), want.bits());
    if got != want {
        let (got, want) = (format!("{got:?}"), format!("{want:?}"));
        let same = got.bytes().zip(want.bytes()).take_while(|(a, b)| a == b);
        let from = same.count().saturating_sub(SHOWN / 2);
        panic!(
            "{}\n  answered {}\n  expected {}",
            question(),
            shortened(&got, from),
            shortened(&want, from)
        );
    }
}

/// The number of characters shown of a long answer.
const SHOWN: usize = 600;

/// Returns the part of an answer (which is ASCII) that contains the difference.
fn shortened(answer: &str, from: usize) -> String {
    if answer.len() <= SHOWN {
        return answer.to_owned();
    }
    let shown: String = answer.chars().skip(from).take(SHOWN).collect();
    format!("... {shown} ... ({} characters)", answer.len())
}
