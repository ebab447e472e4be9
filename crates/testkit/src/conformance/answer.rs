//! Bitwise equality of answers.

use estoc_core::glam::DVec3;
use estoc_core::{
    ClosestPoint, Hit, Intersection, LeastDistance, PrimId, QueryError, SceneClosestPoint,
    SceneHit, ScenePrim, Section, SignedDistance, Span, SphereContact, Winding,
};
use std::cell::Cell;
use std::fmt::{Debug, Display};

/// An answer that equals only one with the same bits, so that zeros of different sign differ.
pub(super) trait Answer: Debug {
    fn is_same(&self, other: &Self) -> bool;
}

/// Implements [`Answer`] by equality, and for structs by the bits of the numbers in them, too.
macro_rules! answers {
    ($($answer:ty $(: $numbers:expr)?;)*) => {
        $(impl Answer for $answer {
            fn is_same(&self, other: &Self) -> bool {
                self == other $(&& {
                    let numbers: fn(&Self) -> _ = $numbers;
                    numbers(self).is_same(&numbers(other))
                })?
            }
        })*
    };
}

answers! {
    bool;
    usize;
    PrimId;
    ScenePrim;
    Intersection;
    QueryError;
    Winding;
    Span: |span| [span.entry, span.exit];
    Hit: |hit| [hit.t, hit.u, hit.v];
    SceneHit: |hit| [hit.t, hit.u, hit.v];
    SignedDistance: |found| [found.signed];
    SignedDistance<f64>: |found| [found.signed];
    SphereContact: |found| [found.t, found.point.x, found.point.y, found.point.z];
    ClosestPoint: |found| {
        let [x, y, z] = found.point.to_array();
        [found.distance, found.u, found.v, x, y, z]
    };
    LeastDistance: |found| {
        let [a, b] = found.points.map(|point| point.to_array());
        (found.distance, [a, b])
    };
    LeastDistance<DVec3>: |found| {
        let [a, b] = found.points.map(|point| point.to_array());
        (found.distance, [a, b])
    };
    LeastDistance<DVec3, f64>: |found| {
        let [a, b] = found.points.map(|point| point.to_array());
        (found.distance, [a, b])
    };
    SceneClosestPoint: |found| {
        let [x, y, z] = found.point.to_array();
        [found.distance.into(), found.u.into(), found.v.into(), x, y, z]
    };
    Section: |section| {
        let points = section.polylines.iter().flat_map(|polyline| &polyline.points);
        let numbers = points.map(|p| [p.parameter, p.point.x, p.point.y, p.point.z]);
        numbers.collect::<Vec<_>>()
    };
    Section<f64>: |section| {
        let points = section.polylines.iter().flat_map(|polyline| &polyline.points);
        let numbers = points.map(|p| [p.parameter, p.point.x, p.point.y, p.point.z]);
        numbers.collect::<Vec<_>>()
    };
}

impl Answer for f32 {
    fn is_same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl Answer for f64 {
    fn is_same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<A: Answer, B: Answer> Answer for (A, B) {
    fn is_same(&self, other: &Self) -> bool {
        self.0.is_same(&other.0) && self.1.is_same(&other.1)
    }
}

impl<T: Answer> Answer for [T] {
    fn is_same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.is_same(b))
    }
}

impl<T: Answer, const N: usize> Answer for [T; N] {
    fn is_same(&self, other: &Self) -> bool {
        self[..].is_same(&other[..])
    }
}

impl<T: Answer> Answer for Vec<T> {
    fn is_same(&self, other: &Self) -> bool {
        self[..].is_same(&other[..])
    }
}

impl<T: Answer> Answer for Option<T> {
    fn is_same(&self, other: &Self) -> bool {
        self.as_slice().is_same(other.as_slice())
    }
}

impl<T: Answer> Answer for Result<T, QueryError> {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Ok(a), Ok(b)) => a.is_same(b),
            (a, b) => a.as_ref().err() == b.as_ref().err(),
        }
    }
}

/// The comparison of an engine's answers about one case with the right ones.
pub(super) struct Check<'a> {
    case: &'a dyn Display,
    count: Cell<usize>,
}

impl<'a> Check<'a> {
    pub(super) fn about(case: &'a dyn Display) -> Self {
        let count = Cell::new(0);
        Check { case, count }
    }

    /// Asserts that an answer has the same bits as the right one.
    #[track_caller]
    pub(super) fn same<A: Answer + ?Sized>(&self, question: impl Display, got: &A, want: &A) {
        self.count.update(|count| count + 1);
        if !got.is_same(want) {
            let (got, want) = (format!("{got:?}"), format!("{want:?}"));
            let same = got.bytes().zip(want.bytes()).take_while(|(a, b)| a == b);
            let from = same.count().saturating_sub(SHOWN / 2);
            panic!(
                "{question}, {}\n  answered {}\n  expected {}",
                self.case,
                shortened(&got, from),
                shortened(&want, from)
            );
        }
    }

    /// Asserts what else must hold of an answer; panics with the words for what is wrong if not.
    #[track_caller]
    pub(super) fn holds(&self, is_right: bool, wrong: impl Display) {
        self.count.update(|count| count + 1);
        assert!(is_right, "{wrong}, {}", self.case);
    }

    /// Returns the number of answers that were checked.
    pub(super) fn count(&self) -> usize {
        self.count.get()
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
