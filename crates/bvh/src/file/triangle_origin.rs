//! The origin of triangles in the source: faces, lines, objects, groups, materials.
//!
//! Each is stored as runs and looked up in place.

use super::encoded_names::Text;
use super::section::Kind;
use estoc_core::{Coordinate, PrimId};
use estoc_mesh::parts::{Sources, counted, run_at};
use estoc_mesh::{Material, Mesh};
use estoc_system::Arena;

/// Runs of triangles, each with its start and the index of its name.
pub type Runs = Arena<[u64; 2]>;

#[derive(Clone, Debug, Default)]
pub struct Names {
    /// First triangle, its face, and the number of triangles per face.
    pub faces: Arena<[u64; 3]>,
    /// First face, and its line; lines count up with faces.
    pub lines: Runs,
    pub objects: Runs,
    pub groups: Runs,
    pub materials: Runs,
    pub text: Text,
}

/// An exclusive bound of face and line numbers, so that the sum of two does not overflow.
pub(super) const FAR: u64 = 1 << 62;

impl Names {
    /// Returns the origins of a mesh's triangles.
    pub(super) fn of<C: Coordinate>(mesh: &Mesh<C>) -> Self {
        let Sources {
            faces,
            lines,
            objects,
            groups,
            materials,
        } = estoc_mesh::parts::sources(mesh);
        Names {
            faces: Arena::of(faces),
            lines: Arena::of(lines),
            objects: Arena::of(objects),
            groups: Arena::of(groups),
            materials: Arena::of(materials),
            text: Text {
                objects: mesh.objects().to_vec(),
                groups: mesh.groups().to_vec(),
                materials: mesh.materials().to_vec(),
                ..Text::default()
            },
        }
    }

    /// Returns the sources in the form that a mesh stores.
    pub(super) fn sources(&self) -> Sources {
        Sources {
            faces: self.faces.to_vec(),
            lines: self.lines.to_vec(),
            objects: self.objects.to_vec(),
            groups: self.groups.to_vec(),
            materials: self.materials.to_vec(),
        }
    }

    pub(super) fn object(&self, prim: PrimId) -> Option<&str> {
        let object = label(&self.objects, prim)?;
        self.text.objects.get(object).map(String::as_str)
    }

    pub(super) fn group(&self, prim: PrimId) -> Option<&str> {
        let group = label(&self.groups, prim)?;
        self.text.groups.get(group).map(String::as_str)
    }

    pub(super) fn material(&self, prim: PrimId) -> Option<&Material> {
        self.text.materials.get(label(&self.materials, prim)?)
    }

    pub(super) fn face(&self, prim: PrimId) -> Option<u64> {
        let prim = prim.index() as u64;
        let &[start, face, per_face] = run_at(&self.faces, prim)?;
        face.checked_add((prim - start).checked_div(per_face)?)
    }

    pub(super) fn line(&self, face: u64) -> Option<u64> {
        let &[start, line] = run_at(&self.lines, face)?;
        line.checked_add(face - start)
    }

    /// Checks that runs begin in ascending order, within the numbers of triangles and faces, and
    /// refer to existing names. An error is the kind of the array, the index of the invalid item,
    /// and the problem. `faces` is `None` if no mesh was saved.
    pub fn check(&self, triangles: u64, faces: Option<u64>) -> Result<(), (Kind, usize, String)> {
        // Either every triangle has a face, or none has.
        let first = self.faces.first().map(|run| run[0]);
        let expected = faces.filter(|_| triangles > 0).map(|_| 0);
        if first != expected {
            let problem = match (first, expected) {
                (None, _) => "there are no runs of triangles".into(),
                (Some(first), Some(_)) => format!("the first run begins at {first} instead of 0"),
                (Some(_), None) => "there are runs, but no triangles of a mesh".into(),
            };
            return Err((Kind::Faces, 0, problem));
        }
        let faces = faces.unwrap_or_default();
        ascending(&self.faces, triangles).map_err(|(at, what)| (Kind::Faces, at, what))?;
        // Faces ascend, so that no two runs share one.
        let mut least = 0;
        for (at, &[start, face, per_face]) in self.faces.iter().enumerate() {
            if face < least {
                let problem = format!("face {face} follows face {}", least - 1);
                return Err((Kind::Faces, at, problem));
            }
            // The face of the last triangle before the next run.
            let end = self.faces.get(at + 1).map_or(triangles, |next| next[0]);
            let last = (end - 1 - start)
                .checked_div(per_face)
                .and_then(|further| face.checked_add(further));
            let last = last.filter(|last| *last < faces && per_face <= u32::MAX.into());
            let Some(last) = last else {
                let each = counted(per_face, "triangle");
                let problem = format!(
                    "a run from face {face} with {each} per face does not fit the number of \
                     faces, {faces}"
                );
                return Err((Kind::Faces, at, problem));
            };
            least = last + 1;
        }
        ascending(&self.lines, faces).map_err(|(at, what)| (Kind::Lines, at, what))?;
        if let Some(at) = self.lines.iter().position(|[_, line]| *line >= FAR) {
            let problem = format!("line {} is too large", self.lines[at][1]);
            return Err((Kind::Lines, at, problem));
        }
        let text = &self.text;
        for (kind, runs, count) in [
            (Kind::Objects, &self.objects, text.objects.len()),
            (Kind::Groups, &self.groups, text.groups.len()),
            (Kind::Materials, &self.materials, text.materials.len()),
        ] {
            ascending(runs, triangles).map_err(|(at, what)| (kind, at, what))?;
            let known = |name: u64| name < count as u64 || name == Sources::NONE;
            if let Some(at) = runs.iter().position(|[_, name]| !known(*name)) {
                let names = counted(count as u64, "name");
                let problem = format!("name {} is out of range ({names})", runs[at][1]);
                return Err((kind, at, problem));
            }
        }
        Ok(())
    }
}

fn label(runs: &[[u64; 2]], prim: PrimId) -> Option<usize> {
    let &[_, name] = run_at(runs, prim.index() as u64)?;
    usize::try_from(name).ok()
}

/// Checks that runs begin in ascending order and before the end.
fn ascending<const N: usize>(runs: &[[u64; N]], end: u64) -> Result<(), (usize, String)> {
    let mut least = 0;
    for (at, run) in runs.iter().enumerate() {
        let start = run[0];
        if !(least..end).contains(&start) {
            return Err((
                at,
                format!("a run begins at {start}, not in {least}..{end}"),
            ));
        }
        least = start + 1;
    }
    Ok(())
}
