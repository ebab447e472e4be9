//! Worlds in Embree.

use super::library::Library;
use super::settings::Settings;
use super::structure::Structure;
use super::{HIGH, LOW, MEDIUM, ROBUST, library, nesting};
use crate::worlds::{Changing, NamedChanging, World, WorldBuilder};
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
    pub(crate) fn changing(&self, world: &World, threads: usize) -> Vec<NamedChanging> {
        let build = |(name, settings)| {
            let built = Structure::of_meshes(&self.0, settings, &world.meshes, threads)?;
            Ok((name, Box::new(built) as Box<dyn Changing>))
        };
        let all: Result<_, String> = CHANGED.into_iter().map(build).collect();
        all.unwrap_or_else(|reason| {
            eprintln!("skipped Embree's changes: {reason}");
            Vec::new()
        })
    }

    /// Returns the structures that rays are traced in.
    pub(crate) fn builders(&self) -> impl Iterator<Item = WorldBuilder> {
        STRUCTURES.into_iter().map(|(name, settings)| {
            let library = self.0.clone();
            let build = move |world: &World| {
                let mut built = Structure::of_meshes(&library, settings, &world.meshes, 1)?;
                for level in &world.levels {
                    built.place(level)?;
                    built.commit();
                }
                Ok(built.engines(name))
            };
            WorldBuilder {
                name: name.to_owned(),
                build: Box::new(build),
            }
        })
    }
}
