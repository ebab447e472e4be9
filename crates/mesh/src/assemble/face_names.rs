//! The names of faces, while a mesh is assembled.

use estoc_system::{NoMemory, collected};
use std::collections::HashMap;
use std::iter::repeat_n;

use crate::mesh::Labels;
use crate::mesh::Mesh;
use crate::mesh::face_run::FaceRun;
use crate::value_runs::ValueRuns;

/// The names of one kind, and the faces that have them. There may be as many names as statements,
/// so each is stored only once.
#[derive(Default)]
pub(crate) struct Names {
    /// For each name, its index in order of first mention.
    ids: HashMap<String, u32>,
    /// For each face of the source, the index of its name.
    pub(crate) runs: ValueRuns<Option<u32>>,
}

impl Names {
    /// Sets the name, or none, of the faces from `face` on.
    pub(crate) fn set(&mut self, face: u64, name: Option<String>) -> Result<(), NoMemory> {
        let mut id = None;
        if let Some(name) = name {
            self.ids.try_reserve(1).map_err(|_| NoMemory)?;
            // More names than `u32` can count need more text than fits into memory.
            let next = self.ids.len() as u32;
            id = Some(*self.ids.entry(name).or_insert(next));
        }
        self.runs.set(place(face), id)
    }

    /// Returns the name of a face, by linear search.
    pub(crate) fn get(&self, face: u64) -> Option<&str> {
        let (_, id) = self.runs.get(place(face))?;
        let (name, _) = self.ids.iter().find(|&(_, &other)| Some(other) == id)?;
        Some(name)
    }

    /// Moves the names out, each with its index.
    pub(crate) fn take_ids(&mut self) -> HashMap<String, u32> {
        core::mem::take(&mut self.ids)
    }

    /// Returns the names by face.
    pub(crate) fn labels(self) -> Result<Labels<String>, NoMemory> {
        let mut all = collected(repeat_n(String::new(), self.ids.len()))?;
        for (name, id) in self.ids {
            all[id as usize] = name;
        }
        let runs = self.runs;
        Ok(Labels { all, runs })
    }
}

/// Converts the index of a face; there are never more faces than memory can hold.
pub(crate) fn place(face: u64) -> usize {
    usize::try_from(face).unwrap_or(usize::MAX)
}

impl<T> Labels<T> {
    /// Converts labels of faces to labels of triangles.
    pub(crate) fn by_prim(self, mesh: &Mesh) -> Result<Labels<T>, NoMemory> {
        let count = mesh.triangle_count();
        let prim = |face: usize| first_prim(&mesh.faces, face as u64, count);
        let runs = self.runs.changes().iter();
        let runs = runs.map(|&(face, label)| (prim(face), label));
        let runs = ValueRuns::of(runs.filter(|&(prim, _)| prim < count))?;
        Ok(Labels {
            all: self.all,
            runs,
        })
    }
}

/// Returns the first of `count` triangles that comes from `face` or a later one.
fn first_prim(faces: &ValueRuns<FaceRun>, face: u64, count: usize) -> usize {
    let runs = faces.changes();
    let after = runs.partition_point(|(_, run)| run.face <= face);
    let end = runs.get(after).map_or(count, |&(start, _)| start);
    let Some(&(start, run)) = after.checked_sub(1).and_then(|last| runs.get(last)) else {
        return 0;
    };
    let behind = (face - run.face).saturating_mul(run.per_face.into());
    end.min(usize::try_from(behind).map_or(end, |behind| start.saturating_add(behind)))
}
