//! Worlds in Embree.

use super::library::Library;
use super::settings::Settings;
use super::structure::Structure;
use super::{HIGH, LOW, MEDIUM, ROBUST, library, nesting};
use crate::engine::Engine;
use crate::worlds::{Changing, PeerWorlds, Placing, Rows, World};
use std::sync::Arc;

const MEDIUM_ARRAY: Settings = Settings {
    arrays: true,
    ..MEDIUM
};
const CHANGEABLE: Settings = Settings {
    dynamic: true,
    ..LOW
};

/// The structures that rays are traced in.
const STRUCTURES: [(&str, Settings); 5] = [
    ("embree-medium", MEDIUM),
    ("embree-high", HIGH),
    ("embree-robust", ROBUST),
    ("embree-array", MEDIUM_ARRAY),
    (
        "embree-medium-avx2",
        Settings {
            isa: Some("avx2"),
            ..MEDIUM
        },
    ),
];

/// The structures whose builds and changes are timed.
const CHANGED: [(&str, Settings); 4] = [
    ("embree-medium", MEDIUM),
    ("embree-array", MEDIUM_ARRAY),
    ("embree-low", CHANGEABLE),
    (
        "embree-low-array",
        Settings {
            arrays: true,
            ..CHANGEABLE
        },
    ),
];

/// Embree's structures of worlds.
pub(crate) struct EmbreeWorlds(Arc<Library>);

impl EmbreeWorlds {
    /// Opens the library; `None`, with a message, if there is none.
    pub(crate) fn open() -> Option<Self> {
        library().map(EmbreeWorlds)
    }

    /// Returns how deep instances may nest.
    pub(crate) fn deepest(&self) -> Result<usize, String> {
        nesting::levels(&self.0)
    }

    /// Returns empty scenes of the world's meshes, in each structure whose changes are timed.
    pub(crate) fn changing(&self, world: &World, threads: usize) -> Vec<Box<dyn Changing>> {
        let build = |(name, settings)| {
            let built = Structure::of_meshes(&self.0, settings, &world.meshes, threads);
            built.map(|built| Box::new(ChangingWorld { name, built }) as Box<dyn Changing>)
        };
        let all: Result<_, String> = CHANGED.into_iter().map(build).collect();
        all.unwrap_or_else(|reason| {
            eprintln!("skipped Embree's changes: {reason}");
            Vec::new()
        })
    }
}

impl PeerWorlds for EmbreeWorlds {
    fn names(&self) -> Vec<String> {
        STRUCTURES.map(|(name, _)| name.to_owned()).into()
    }

    fn build(&self, name: &str, world: &World) -> Result<Vec<Engine>, String> {
        let found = STRUCTURES.into_iter().find(|(known, _)| *known == name);
        let (_, settings) = found.ok_or("no such structure")?;
        let mut built = Structure::of_meshes(&self.0, settings, &world.meshes, 1)?;
        for level in &world.levels {
            built.place(level)?;
            built.commit();
        }
        Ok(built.engines(name))
    }
}

/// A world whose changes are timed.
struct ChangingWorld {
    name: &'static str,
    built: Structure,
}

impl Changing for ChangingWorld {
    fn name(&self) -> &str {
        self.name
    }

    fn clear(&mut self) {
        self.built.clear();
    }

    fn place(&mut self, placings: &[Placing]) {
        self.built.place(placings).expect("Embree places these");
    }

    fn set(&mut self, number: usize, matrix: &Rows) {
        self.built.set(number, matrix);
    }

    fn commit(&mut self) {
        self.built.commit();
    }
}
