//! What the operator casts.

use crate::{MeshReference, NamedHitColumn};
use datafusion::arrow::datatypes::FieldRef;
use datafusion::common::Result;
use std::fmt::{self, Display};
use std::sync::Arc;

/// What the operator casts, at which mesh, and what it answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Raycast<N> {
    /// The mesh.
    pub mesh: MeshReference,
    /// The columns that are added.
    pub answers: Vec<NamedHitColumn>,
    /// The numbers of the rays, six, eight or nine, in the order of `ox oy oz dx dy dz tmin tmax mask`: expressions of
    /// a kind of plan.
    pub rays: Vec<N>,
}

impl<N> Raycast<N> {
    /// Returns the fields of the columns that are added.
    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldRef> + '_ {
        let answers = self.answers.iter();
        let numbers = self.mesh.numbers;
        answers.map(move |answer| Arc::new(answer.column.field(&answer.name, numbers)))
    }

    /// Returns the same with other expressions.
    pub(crate) fn with_rays<M>(&self, number: impl FnMut(&N) -> Result<M>) -> Result<Raycast<M>> {
        Ok(Raycast {
            mesh: self.mesh.clone(),
            answers: self.answers.clone(),
            rays: self.rays.iter().map(number).collect::<Result<_>>()?,
        })
    }
}

/// Writes the mesh and the numbers, as plans show them.
impl<N: Display> Display for Raycast<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mesh={}, rays=[", self.mesh)?;
        for (place, number) in self.rays.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{number}")?;
        }
        write!(f, "]")
    }
}
