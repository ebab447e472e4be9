//! The key `precision` of objects.

use std::fmt;

/// The numbers that the corners of a mesh file are kept in: the value of the key `precision` of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshPrecision {
    /// `f32`, unless rounding to it would change the shape.
    Auto,
    /// The nearest `f32`s.
    F32,
    /// The nearest `f64`s.
    F64,
}

impl MeshPrecision {
    /// Returns the value that a scene file names so.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let all = [Self::Auto, Self::F32, Self::F64];
        all.into_iter().find(|value| value.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            MeshPrecision::Auto => "auto",
            MeshPrecision::F32 => "f32",
            MeshPrecision::F64 => "f64",
        }
    }
}

/// As in a scene file.
impl fmt::Display for MeshPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
