//! The columns of each kind of answer, which all that shows answers in columns is made from.

use estoc_core::{SceneClosestPoint, ScenePath, ScenePrim, WindingEstimate};

/// A kind of answer that is a row of numbers: what its columns are, and what a miss is.
///
/// The columns of batches, of the command and of Python are made from this list.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Hit, batch::{ColumnNumber, ColumnVisitor, Record}};
/// struct Names(Vec<&'static str>);
/// impl<R> ColumnVisitor<R> for Names {
///     fn column<F>(&mut self, name: &'static str, _missing: ColumnNumber, _number: F) {
///         self.0.push(name);
///     }
/// }
/// let mut names = Names(Vec::new());
/// <Hit>::columns(&mut names);
/// assert_eq!(names.0, ["t", "prim", "u", "v"]);
/// ```
pub trait Record: Copy + Send + Sync + 'static {
    /// Calls `visitor` with each column, in order.
    fn columns(visitor: &mut impl ColumnVisitor<Self>);

    /// Returns the placements that lead to the primitive, in a scene.
    fn path(&self) -> Option<&ScenePath> {
        None
    }
}

/// What is done with the columns of a [`Record`].
pub trait ColumnVisitor<R> {
    /// Takes a column: its name, its number where there is no answer, and how its number is read
    /// from an answer, which has the same type.
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&R) -> ColumnNumber + Copy + Send + Sync + 'static;
}

/// A number in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColumnNumber {
    /// A number with a fraction; infinite for a miss where it is a distance or a parameter.
    F32(f32),
    /// The same with twice the digits, such as a coordinate of the world.
    F64(f64),
    /// The number of a primitive; `u32::MAX` for none.
    Prim(u32),
    /// A whole number.
    I64(i64),
    /// A [feature](estoc_core::Feature::number) or a flag; 255 for none.
    U8(u8),
}

macro_rules! numbers {
    ($($number:ty => $kind:ident;)*) => {$(
        impl From<$number> for ColumnNumber {
            #[inline(always)]
            fn from(number: $number) -> Self {
                ColumnNumber::$kind(number)
            }
        }
    )*};
}

numbers! {
    f32 => F32;
    f64 => F64;
    u32 => Prim;
    i64 => I64;
    u8 => U8;
}

/// Implements [`Record`]: for each column its name, its type, its number where there is no answer, and
/// the number of an answer; with its path for an answer `in scenes`.
macro_rules! record {
    ($record:ty {$(
        $(#[$doc:meta])*
        $name:ident: $number:ty = $missing:expr, |$found:ident| $value:expr;
    )*} $(in $scenes:ident)?) => {
        impl $crate::answers::record::Record for $record {
            #[inline(always)]
            fn columns(visitor: &mut impl $crate::answers::record::ColumnVisitor<Self>) {
                $(visitor.column(
                    stringify!($name),
                    <$number>::into($missing),
                    |$found: &Self| <$number>::into($value),
                );)*
            }

            $(fn path(&self) -> Option<&estoc_core::ScenePath> {
                let $scenes = self;
                Some(&$scenes.path)
            })?
        }
    };
}
pub(super) use record;

record!(SceneClosestPoint {
    distance: f32 = f32::INFINITY, |found| found.distance;
    prim: u32 = u32::MAX, |found| found.prim.get();
    u: f32 = 0.0, |found| found.u;
    v: f32 = 0.0, |found| found.v;
    feature: u8 = u8::MAX, |found| found.feature.number();
    x: f64 = 0.0, |found| found.point.x;
    y: f64 = 0.0, |found| found.point.y;
    z: f64 = 0.0, |found| found.point.z;
} in scenes);

record!(ScenePrim {
    prim: u32 = u32::MAX, |found| found.prim.get();
} in scenes);

record!(WindingEstimate {
    value: f64 = f64::NAN, |found| found.value;
    error: f64 = f64::NAN, |found| found.error;
});
