//! Worlds in Embree: scenes of meshes, and scenes in which these are placed.

use super::abi::Handle;
use super::device::Device;
use super::flush::FlushToZero;
use super::library::Library;
use super::nesting;
use super::packet::{Hint, Packets};
use super::placed::PlacedScene;
use super::scene::Committed;
use super::settings::{Quality, Settings};
use super::single::OneByOne;
use crate::engine::Engine;
use crate::scenes;
use crate::worlds::{Changing, Placing, Rows, World};
use std::sync::Arc;

const MEDIUM: Settings = Settings::of(Quality::Medium);

/// The structures that rays are traced in.
const STRUCTURES: [(&str, Settings); 5] = [
    ("embree-medium", MEDIUM),
    ("embree-high", Settings::of(Quality::High)),
    ("embree-robust", MEDIUM.robust()),
    ("embree-array", MEDIUM.arrays()),
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
    ("embree-array", MEDIUM.arrays()),
    ("embree-low", Settings::of(Quality::Low).dynamic()),
    (
        "embree-low-array",
        Settings::of(Quality::Low).dynamic().arrays(),
    ),
];

/// Embree's structures of worlds, which are built one by one.
pub(crate) struct EmbreeWorlds(Arc<Library>);

impl EmbreeWorlds {
    /// Opens the library; `None`, with a message, if there is none.
    pub(crate) fn open() -> Option<Self> {
        match Library::locate() {
            Ok(library) => Some(EmbreeWorlds(Arc::new(library))),
            Err(reason) => {
                eprintln!("skipped Embree: {reason}");
                None
            }
        }
    }

    /// Returns the names of the structures that rays are traced in.
    pub(crate) fn names(&self) -> [&'static str; STRUCTURES.len()] {
        STRUCTURES.map(|(name, _)| name)
    }

    /// Returns how deep instances may nest.
    pub(crate) fn deepest(&self) -> Result<usize, String> {
        nesting::levels(&self.0)
    }

    /// Builds a world in a structure, with one thread; the error is Embree's message.
    pub(crate) fn build(&self, name: &str, world: &Arc<World>) -> Result<EmbreeWorld, String> {
        let found = STRUCTURES.into_iter().find(|(known, _)| *known == name);
        let (name, settings) = found.ok_or("no such structure")?;
        EmbreeWorld::build(&self.0, name, settings, world, 1)
    }

    /// Returns empty scenes of the world's meshes, in each structure whose changes are timed.
    pub(crate) fn changing(&self, world: &Arc<World>, threads: usize) -> Vec<Box<dyn Changing>> {
        let build = |(name, settings)| {
            let built = EmbreeWorld::of_meshes(&self.0, name, settings, world, threads);
            built.map(|built| Box::new(built) as Box<dyn Changing>)
        };
        let all: Result<_, String> = CHANGED.into_iter().map(build).collect();
        all.unwrap_or_else(|reason| {
            eprintln!("skipped Embree's changes: {reason}");
            Vec::new()
        })
    }
}

/// A world in Embree, committed unless it is [`Changing`].
pub(crate) struct EmbreeWorld {
    name: &'static str,
    settings: Settings,
    device: Device,
    /// The scenes of meshes.
    meshes: Vec<Handle>,
    /// The scene of each level, which needs those before. Rays are traced in the last.
    levels: Vec<PlacedScene>,
    /// Owns the buffers that Embree reads.
    _world: Arc<World>,
}

// SAFETY: as for a scene of one mesh: queries take `&self`, changes `&mut self`.
unsafe impl Send for EmbreeWorld {}
// SAFETY: as above.
unsafe impl Sync for EmbreeWorld {}

impl EmbreeWorld {
    fn of_meshes(
        library: &Arc<Library>,
        name: &'static str,
        settings: Settings,
        world: &Arc<World>,
        threads: usize,
    ) -> Result<EmbreeWorld, String> {
        let _flush = FlushToZero::on();
        let device = Device::open(library, settings, threads)?;
        let mut built = EmbreeWorld {
            name,
            settings,
            device,
            meshes: Vec::new(),
            levels: Vec::new(),
            _world: world.clone(),
        };
        for mesh in world.meshes() {
            let scene = built.device.scene(settings)?;
            built.meshes.push(scene);
            // SAFETY: the scene is of this device and lives as long as `built`, which keeps the
            // mesh alive.
            unsafe {
                built.device.attach_mesh(scene, mesh)?;
                (library.commit_scene)(scene);
            }
        }
        Ok(built)
    }

    fn build(
        library: &Arc<Library>,
        name: &'static str,
        settings: Settings,
        world: &Arc<World>,
        threads: usize,
    ) -> Result<EmbreeWorld, String> {
        let mut built = EmbreeWorld::of_meshes(library, name, settings, world, threads)?;
        let _flush = FlushToZero::on();
        for level in world.levels() {
            let below = match built.levels.last() {
                Some(last) => vec![last.handle()],
                None => built.meshes.clone(),
            };
            let mut scene = PlacedScene::new(&built.device, settings, &below, level)?;
            scene.commit(&built.device);
            built.levels.push(scene);
        }
        built.device.check("building")?;
        Ok(built)
    }

    /// Returns the ways to query it.
    pub(crate) fn engines(self: Arc<Self>) -> Vec<Box<dyn Engine>> {
        let library = self.device.library();
        let (p4, p8, p16) = (library.packets4, library.packets8, library.packets16);
        let scene = || -> Arc<dyn Committed> { self.clone() };
        let mut all: Vec<Box<dyn Engine>> =
            vec![Box::new(OneByOne::new(self.name.to_owned(), scene()))];
        for hint in [Hint::Coherent, Hint::Incoherent] {
            let name = |width| format!("{}-{width}-{}", self.name, hint.name());
            all.push(Box::new(Packets::new(name(4), hint, p4, scene())));
            all.push(Box::new(Packets::new(name(8), hint, p8, scene())));
            all.push(Box::new(Packets::new(name(16), hint, p16, scene())));
        }
        all
    }
}

impl Committed for EmbreeWorld {
    fn handle(&self) -> Handle {
        self.levels.last().expect("a level").handle()
    }

    fn library(&self) -> &Library {
        self.device.library()
    }

    fn mesh(&self) -> Option<&scenes::Scene> {
        None
    }
}

impl Changing for EmbreeWorld {
    fn name(&self) -> &str {
        self.name
    }

    fn clear(&mut self) {
        for level in self.levels.drain(..).rev() {
            level.release(&self.device);
        }
    }

    fn place(&mut self, placings: &[Placing]) {
        let _flush = FlushToZero::on();
        let placed = PlacedScene::new(&self.device, self.settings, &self.meshes, placings);
        self.levels.push(placed.expect("Embree places these"));
    }

    fn set(&mut self, number: usize, matrix: &Rows) {
        let level = self.levels.last_mut().expect("placed before");
        level.set(&self.device, number, matrix);
    }

    fn commit(&mut self) {
        let _flush = FlushToZero::on();
        let level = self.levels.last_mut().expect("placed before");
        level.commit(&self.device);
    }
}

impl Drop for EmbreeWorld {
    fn drop(&mut self) {
        self.clear();
        for &scene in &self.meshes {
            // SAFETY: the handles are alive and ours, and are used no more.
            unsafe { (self.device.library().release_scene)(scene) };
        }
    }
}
