//! What stretches of faces are called, while a mesh is made.

use std::collections::HashMap;

use crate::mesh::Labels;
use crate::mesh::Mesh;
use crate::mesh::face_run::FaceRun;
use crate::value_runs::Runs;

/// The names of one kind, and which faces have them. There may be as many names as
/// statements, so each is kept only once.
#[derive(Default)]
pub(crate) struct Names {
    /// By name, its place in order of first mention.
    ids: HashMap<String, u32>,
    /// By face, by its number in the source.
    pub(crate) runs: Runs<Option<u32>>,
}

impl Names {
    /// The faces from `face` on have this name, or none.
    pub(crate) fn set(&mut self, face: u64, name: Option<String>) {
        let id = name.map(|name| {
            // More names than u32 can count need more text than memory holds.
            let next = self.ids.len() as u32;
            *self.ids.entry(name).or_insert(next)
        });
        self.runs.set(place(face), id);
    }

    /// Returns about how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        /// A name in the table, and its text.
        const NAME: usize = 64;
        self.ids.capacity() * NAME + self.runs.bytes()
    }

    /// The name of a face, looked for among all.
    pub(crate) fn get(&self, face: u64) -> Option<&str> {
        let (_, id) = self.runs.get(place(face))?;
        let (name, _) = self.ids.iter().find(|&(_, &other)| Some(other) == id)?;
        Some(name)
    }

    /// Takes out the names, each with its place.
    pub(crate) fn take_ids(&mut self) -> HashMap<String, u32> {
        core::mem::take(&mut self.ids)
    }

    /// The names, by face.
    pub(crate) fn labels(self) -> Labels<String> {
        let mut all = vec![String::new(); self.ids.len()];
        for (name, id) in self.ids {
            all[id as usize] = name;
        }
        let runs = self.runs;
        Labels { all, runs }
    }
}

/// More faces than memory has places for are never there.
pub(crate) fn place(face: u64) -> usize {
    usize::try_from(face).unwrap_or(usize::MAX)
}

impl<T> Labels<T> {
    /// Labels by triangle, of labels by face.
    pub(crate) fn by_prim(self, mesh: &Mesh) -> Labels<T> {
        let mut runs = Runs::default();
        for &(face, label) in self.runs.changes() {
            let prim = first_prim(&mesh.faces, face as u64, mesh.triangle_count());
            if prim < mesh.triangle_count() {
                runs.set(prim, label);
            }
        }
        let all = self.all;
        Labels { all, runs }
    }
}

/// The first of so many triangles that comes from this face or a later one.
fn first_prim(faces: &Runs<FaceRun>, face: u64, count: usize) -> usize {
    let runs = faces.changes();
    let after = runs.partition_point(|(_, run)| run.face <= face);
    let end = runs.get(after).map_or(count, |&(start, _)| start);
    let Some(&(start, run)) = after.checked_sub(1).and_then(|last| runs.get(last)) else {
        return 0;
    };
    let behind = (face - run.face).saturating_mul(run.per_face.into());
    end.min(usize::try_from(behind).map_or(end, |behind| start.saturating_add(behind)))
}
