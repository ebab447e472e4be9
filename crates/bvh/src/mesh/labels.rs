//! Names that stretches of faces have, while a mesh is made.

use std::collections::HashMap;

use super::Labels;
use super::runs::Runs;
use super::text::shown;

/// Names of one kind, each kept once, in order of first mention.
#[derive(Default)]
pub(super) struct Names {
    all: Vec<String>,
    places: HashMap<String, u32>,
    /// By face.
    pub(super) runs: Runs<Option<u32>>,
}

impl Names {
    /// The faces from `face` on have this name, or none.
    pub(super) fn set(&mut self, face: usize, name: Option<&str>) {
        let place = name.map(|name| {
            let name = &*shown(name);
            if let Some(&place) = self.places.get(name) {
                return place;
            }
            // More names than u32 can count need more text than memory holds.
            let place = self.all.len() as u32;
            self.all.push(name.to_owned());
            self.places.insert(name.to_owned(), place);
            place
        });
        self.runs.set(face, place);
    }

    /// The name of a face.
    pub(super) fn get(&self, face: usize) -> Option<&str> {
        let (_, place) = self.runs.get(face)?;
        Some(&self.all[place? as usize])
    }

    pub(super) fn labels(self, runs: Runs<Option<u32>>) -> Labels<String> {
        let all = self.all;
        Labels { all, runs }
    }
}

/// Turns labels by face into labels by triangle, while triangles are made.
pub(super) struct Relabel<'a> {
    changes: &'a [(usize, Option<u32>)],
    by_prim: Runs<Option<u32>>,
}

impl<'a> Relabel<'a> {
    pub(super) fn new(by_face: &'a Runs<Option<u32>>) -> Self {
        Relabel {
            changes: by_face.changes(),
            by_prim: Runs::default(),
        }
    }

    /// The next triangle is `prim`, and comes from `face`.
    pub(super) fn advance(&mut self, face: usize, prim: usize) {
        while let [(start, label), later @ ..] = self.changes
            && *start <= face
        {
            self.by_prim.set(prim, *label);
            self.changes = later;
        }
    }

    pub(super) fn finish(self) -> Runs<Option<u32>> {
        self.by_prim
    }
}
