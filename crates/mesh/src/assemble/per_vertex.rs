//! Values of vertices that not all of them have.

use crate::mesh::Mesh;
use crate::mesh::corner_values::CornerValues;
use crate::report::Findings;
use estoc_system::{Growth, NoMemory, collected};

/// Optional values of vertices.
pub(crate) struct PerVertex<V> {
    keep: bool,
    absent: V,
    is_finite: fn(V) -> bool,
    /// One entry per vertex, up to the last one that has a value.
    pub(super) values: Vec<Option<V>>,
    /// The number of vertices that have a value.
    pub(super) given: u64,
    /// The values with a number that is not finite.
    pub(super) unfit: Findings,
}

impl<V: Copy + Default> PerVertex<V> {
    pub(super) fn new(keep: bool, absent: V, is_finite: fn(V) -> bool) -> Self {
        PerVertex {
            keep,
            absent,
            is_finite,
            values: Vec::new(),
            given: 0,
            unfit: Findings::default(),
        }
    }

    /// Sets the value of a vertex; vertices must ascend.
    pub(crate) fn set(&mut self, vertex: u64, value: V) -> Result<(), NoMemory> {
        if self.keep {
            self.values.try_resize(vertex as usize, None)?;
            self.values.try_push(Some(value))?;
            if !(self.is_finite)(value) {
                self.unfit.add(self.given, None);
            }
        }
        self.given += 1;
        Ok(())
    }

    /// Returns the memory in bytes for the values of `vertices` vertices and the corners of
    /// `triangles` triangles; 0 if no vertex has a value or `is_going_to` have one.
    #[cfg(feature = "gltf")]
    pub(super) fn bytes(&self, vertices: u64, triangles: u64, is_going_to: bool) -> u64 {
        if !self.keep || (self.values.is_empty() && !is_going_to) {
            return 0;
        }
        let value = (size_of::<Option<V>>() + size_of::<V>()) as u64;
        let corners = size_of::<[u32; 3]>() as u64;
        vertices
            .saturating_mul(value)
            .saturating_add(triangles.saturating_mul(corners))
    }

    pub(super) fn by_corner(self, indices: &[[u32; 3]]) -> Result<CornerValues<V>, NoMemory> {
        if self.values.is_empty() {
            return Ok(CornerValues::default());
        }
        let place = |vertex: u32| match self.values.get(vertex as usize) {
            Some(Some(_)) => vertex,
            _ => Mesh::NO_VALUE,
        };
        let value = |value: &Option<V>| value.unwrap_or(self.absent);
        Ok(CornerValues {
            indices: collected(indices.iter().map(|corners| corners.map(place)))?,
            values: collected(self.values.iter().map(value))?,
        })
    }
}
