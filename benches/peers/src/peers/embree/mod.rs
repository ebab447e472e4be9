//! Embree 4: its qualities, fast and robust, in the instruction set that it chooses and in AVX2;
//! single rays, and packets of all widths with both hints.

mod abi;
mod device;
mod doubles;
mod flush;
mod library;
mod nesting;
mod packet;
mod placed;
mod point;
mod settings;
mod single;
mod structure;
mod world;

use super::shared_library::locate;
use crate::engine::{Builder, Built, Engine};
use doubles::DoubleScene;
use library::Library;
use settings::Settings;
use std::slice;
use std::sync::Arc;
use structure::Structure;

pub(crate) use world::EmbreeWorlds;

const MEDIUM: Settings = Settings::of("medium", abi::BUILD_QUALITY_MEDIUM);
const HIGH: Settings = Settings::of("high", abi::BUILD_QUALITY_HIGH);
const LOW: Settings = Settings::of("low", abi::BUILD_QUALITY_LOW);
const ROBUST: Settings = Settings {
    robust: true,
    ..MEDIUM
};

/// Returns the builders, if `EMBREE_LIB` is set, and those of `crates/embree`, if `ESTOC_EMBREE_LIB` is.
pub(super) fn builders() -> Vec<Builder> {
    let mut all = Vec::new();
    if let Some(library) = library() {
        eprintln!("Embree {}", library.description);
        for (stem, settings) in [
            ("medium", MEDIUM),
            ("robust", ROBUST),
            ("high", HIGH),
            ("low", LOW),
        ] {
            for (suffix, isa) in [("", None), ("-avx2", Some("avx2"))] {
                let settings = Settings { isa, ..settings };
                all.push(builder(
                    &library,
                    format!("embree-{stem}{suffix}"),
                    settings,
                ));
            }
        }
    }
    let shim = ["ESTOC_EMBREE_LIB", "the path of libestoc_embree4"];
    if let Some(library) = locate("estoc in Embree's place", shim, Library::open) {
        let unflushed = Settings {
            flushes: false,
            ..ROBUST
        };
        for (name, settings) in [("as-embree", unflushed), ("as-embree-flushing", ROBUST)] {
            all.push(builder(&library, format!("estoc-{name}"), settings));
        }
    }
    all
}

fn builder(library: &Arc<Library>, name: String, settings: Settings) -> Builder {
    let (preset, names) = (settings.preset, Structure::engine_names(&name));
    let (of, library) = (name.clone(), library.clone());
    Builder::new(name, preset, names, move |scene, threads| {
        let scene = slice::from_ref(scene);
        let built = Structure::of_meshes(&library, settings, scene, threads)?;
        Ok(Built {
            bytes: Some(built.bytes()),
            engines: built.engines(&of),
        })
    })
}

/// Returns the builders of scenes of triangles in `f64`, if `EMBREE_LIB` is set.
pub(super) fn double_builders() -> Vec<Builder<f64>> {
    let Some(library) = library() else {
        return Vec::new();
    };
    eprintln!("Embree {}", library.description);
    let mut all = Vec::new();
    for (stem, settings) in [("medium", MEDIUM), ("robust", ROBUST)] {
        for (suffix, isa) in [("", None), ("-avx2", Some("avx2"))] {
            let name = format!("embree-f64-{stem}{suffix}");
            let settings = Settings { isa, ..settings };
            let (of, library) = (name.clone(), library.clone());
            let names = vec![name.clone()];
            all.push(Builder::new(
                name,
                settings.preset,
                names,
                move |scene, threads| {
                    let built = DoubleScene::build(&library, settings, scene, threads)?;
                    Ok(Built {
                        bytes: Some(built.bytes()),
                        engines: vec![Engine::single(&*of, built)],
                    })
                },
            ));
        }
    }
    all
}

/// Opens the library; `None`, with a message, if there is none.
fn library() -> Option<Arc<Library>> {
    locate(
        "Embree",
        ["EMBREE_LIB", "the path of libembree4"],
        Library::open,
    )
}
