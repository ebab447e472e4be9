//! Embree 4: its qualities, fast and robust, in the instruction set that it chooses and in AVX2;
//! single rays, and packets of all widths with both hints.

mod abi;
mod device;
mod flush;
mod library;
mod nesting;
mod packet;
mod placed;
mod point;
mod scene;
mod settings;
mod single;
mod world;

use crate::engine::{BuildFailed, Builder, Built, Engine};
use crate::scenes::Scene;
use library::Library;
use packet::{Hint, Packets};
use settings::{Quality, Settings};
use single::OneByOne;
use std::sync::Arc;

pub(crate) use world::EmbreeWorlds;

/// Returns the builders, if `EMBREE_LIB` is set.
pub(super) fn builders() -> Vec<Box<dyn Builder>> {
    let library = match Library::locate() {
        Ok(library) => Arc::new(library),
        Err(reason) => {
            eprintln!("skipped Embree: {reason}");
            return Vec::new();
        }
    };
    eprintln!("Embree {}", library.description());
    let mut all: Vec<Box<dyn Builder>> = Vec::new();
    for (stem, settings) in STRUCTURES {
        for (suffix, isa) in [("", None), ("-avx2", Some("avx2"))] {
            all.push(Box::new(Structure {
                name: format!("embree-{stem}{suffix}"),
                settings: Settings { isa, ..settings },
                library: library.clone(),
            }));
        }
    }
    all
}

/// Each is queried with single rays and with packets.
const STRUCTURES: [(&str, Settings); 4] = [
    ("medium", Settings::of(Quality::Medium)),
    ("robust", Settings::of(Quality::Medium).robust()),
    ("high", Settings::of(Quality::High)),
    ("low", Settings::of(Quality::Low)),
];

struct Structure {
    name: String,
    settings: Settings,
    library: Arc<Library>,
}

impl Structure {
    fn packet_names(&self) -> impl Iterator<Item = (usize, Hint, String)> + '_ {
        [4, 8, 16].into_iter().flat_map(|width| {
            [Hint::Coherent, Hint::Incoherent].map(|hint| {
                let name = format!("{}-{width}-{}", self.name, hint.name());
                (width, hint, name)
            })
        })
    }
}

impl Builder for Structure {
    fn name(&self) -> &str {
        &self.name
    }

    fn preset(&self) -> &str {
        self.settings.quality.name()
    }

    fn engine_names(&self) -> Vec<String> {
        let mut names = vec![self.name.clone()];
        names.extend(self.packet_names().map(|(.., name)| name));
        names
    }

    fn build(&self, scene: &Arc<Scene>, threads: usize) -> Result<Built, BuildFailed> {
        let built = scene::Scene::build(&self.library, scene, self.settings, threads);
        let built = Arc::new(built.map_err(BuildFailed)?);
        let single = OneByOne::new(self.name.clone(), built.clone());
        let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(single)];
        engines.extend(self.packet_names().map(|(width, hint, name)| {
            let (library, scene) = (&self.library, built.clone());
            match width {
                4 => Box::new(Packets::new(name, hint, library.packets4, scene)) as Box<dyn Engine>,
                8 => Box::new(Packets::new(name, hint, library.packets8, scene)),
                _ => Box::new(Packets::new(name, hint, library.packets16, scene)),
            }
        }));
        Ok(Built {
            bytes: Some(built.bytes()),
            engines,
        })
    }
}
