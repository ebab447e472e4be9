//! Worlds: what answers questions.

use crate::call::{Call, call};
use crate::handles::{Held, give};
use crate::mesh::{Mesh, estoc_mesh};
use crate::numbers::{Column, ESTOC_F32, ESTOC_F64, ESTOC_U32, estoc_column, estoc_type};
use crate::run::{Run, estoc_run, no_threads};
use crate::status::{Failure, bad, estoc_status, room};
use crate::surface_room::SurfaceRoom;
use estoc_bvh::{Bvh, Quality, RefitReport};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_core::{Coordinate, Engine, Masks};
use estoc_scene::{Placement, Scene, SceneSnapshot};
use estoc_system::{Growth, check_room, parallel};
use std::mem::MaybeUninit;
use std::sync::{Arc, OnceLock};

/// How long a build may take for faster queries: one of the constants `ESTOC_QUALITY_BALANCED` to
/// `ESTOC_QUALITY_BEST`.
pub type estoc_quality = i32;
/// The usual one.
pub const ESTOC_QUALITY_BALANCED: estoc_quality = 0;
/// A build in 0.55 to 0.85 of the time; rays take 4 % longer.
pub const ESTOC_QUALITY_FAST: estoc_quality = 1;
/// A build in 2.5 to 4 times the time; rays are up to 30 % faster in buildings.
pub const ESTOC_QUALITY_BEST: estoc_quality = 2;

/// How a tree is built. All zeros, or a null pointer in its place, are the usual way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_build {
    /// How long the build may take.
    pub quality: estoc_quality,
    /// The most bytes that the build may take at a time, the tree included; 0 for all that the system has.
    pub memory_budget: usize,
    /// The groups that each triangle is in, a bit each, `ESTOC_U32`: a ray hits it only if they share a bit. In all
    /// groups where `data` is null.
    pub masks: estoc_column,
}

/// What is known of a world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_world_info {
    /// The number of triangles; in scenes each is counted as often as it is placed.
    pub triangles: u64,
    /// The type of `t`, `u`, `v` and distances: `ESTOC_F32` or `ESTOC_F64`.
    pub precision: estoc_type,
    /// The numbers in each path: 0 for the tree of a mesh, else the largest depth of the scene, at least 1.
    pub depth: u32,
    /// The origin of the coordinates of a tree. Questions, hits and closest points are in the world's coordinates,
    /// whatever it is.
    pub origin: [f64; 3],
}

/// What answers questions: the tree of a mesh, or a scene as it was when it was committed. It does not change.
pub struct estoc_world {
    _opaque: (),
}

impl Held for World {
    type Handle = estoc_world;
    const NAME: &str = "a world";
}

/// What answers questions.
pub(crate) enum World {
    Tree(Tree),
    Wide(Arc<Bvh<f64>>, SurfaceRoom),
    Scene(Arc<SceneSnapshot>, SurfaceRoom),
}

/// A tree in `f32`.
pub(crate) struct Tree {
    pub(crate) bvh: Arc<Bvh>,
    pub(crate) origin: DVec3,
    pub(crate) room: SurfaceRoom,
    /// The scene of the tree alone, in the world, once it was asked for.
    alone: OnceLock<Arc<SceneSnapshot>>,
}

impl Tree {
    pub(crate) fn of(bvh: Arc<Bvh>, origin: DVec3) -> Self {
        Tree {
            bvh,
            origin,
            room: SurfaceRoom::default(),
            alone: OnceLock::new(),
        }
    }

    /// Returns whether questions in the coordinates of the world are questions in those of the tree.
    #[inline(always)]
    pub(crate) fn is_at_origin(&self) -> bool {
        self.origin == DVec3::ZERO
    }

    /// Returns the scene of the tree alone, in the world, which answers what `f32` cannot ask.
    pub(crate) fn alone(&self) -> Result<&SceneSnapshot, Failure> {
        if let Some(alone) = self.alone.get() {
            return Ok(alone);
        }
        let to_world = DAffine3::from_translation(self.origin);
        let mut scene = Scene::new();
        scene.add(Placement::try_new(self.bvh.clone(), &to_world)?)?;
        // In a thread of its own: a question in the caller's thread alone starts none that stay.
        let made = parallel::in_new_pool(1, || scene.try_commit()).map_err(no_threads)??;
        Ok(self.alone.get_or_init(|| made))
    }
}

impl World {
    pub(crate) fn wide(bvh: Arc<Bvh<f64>>) -> Self {
        World::Wide(bvh, SurfaceRoom::default())
    }

    pub(crate) fn scene(scene: Arc<SceneSnapshot>) -> Self {
        World::Scene(scene, SurfaceRoom::default())
    }

    /// Returns the numbers in each path.
    pub(crate) fn depth(&self) -> usize {
        match self {
            World::Tree(_) | World::Wide(..) => 0,
            World::Scene(scene, _) => scene.depth().max(1),
        }
    }
}

/// Returns the tree that a world is, if it is that of a mesh in `f32` at the origin.
pub fn tree_of(call: &Call, world: *const estoc_world) -> Result<Option<Arc<Bvh>>, Failure> {
    match call.get(world)? {
        World::Tree(tree) if tree.is_at_origin() => Ok(Some(tree.bvh.clone())),
        _ => Ok(None),
    }
}

/// Builds the tree of a mesh, which may be released afterwards. `build` and `run` may be null.
///
/// Fails with `ESTOC_NO_MEMORY`, also beyond the budget, with `ESTOC_TOO_MANY`, `ESTOC_CANCELLED` and `ESTOC_NO_THREADS`,
/// and with `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for options and masks that cannot be. Threads: any.
/// Release the world by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_build(
    handle: *const estoc_mesh,
    build: Option<&estoc_build>,
    run: Option<&estoc_run>,
    world: Option<&mut MaybeUninit<*mut estoc_world>>,
) -> estoc_status {
    call(|call| {
        let mesh: &Mesh = call.get(handle)?;
        let (to, run) = (room(world, "world")?, Run::of(run, call)?);
        let report = run.reporter();
        let mut builder = Bvh::builder().threads(run.threads);
        if run.is_watched() {
            builder = builder.progress(&report).cancel(&run.cancel);
        }
        let mut masks = None;
        if let Some(build) = build {
            builder = builder.quality(match build.quality {
                ESTOC_QUALITY_BALANCED => Quality::Balanced,
                ESTOC_QUALITY_FAST => Quality::Fast,
                ESTOC_QUALITY_BEST => Quality::Best,
                other => {
                    return Err(bad(format!(
                        "quality is {other}, which is no ESTOC_QUALITY constant"
                    )));
                }
            });
            if build.memory_budget > 0 {
                builder = builder.memory_budget(build.memory_budget);
            }
            masks = masks_of(&build.masks, mesh)?;
        }
        let made = match mesh {
            Mesh::F32(of) => {
                let bvh = Arc::new(builder.build(of)?.with_masks(masks));
                World::Tree(Tree::of(bvh, of.origin()))
            }
            Mesh::F64(of) => World::wide(Arc::new(builder.build(of)?.with_masks(masks))),
        };
        run.check()?;
        give(made, to)
    })
}

/// Returns the masks of the triangles of a mesh, if they have any.
fn masks_of(masks: &estoc_column, mesh: &Mesh) -> Result<Option<Masks>, Failure> {
    let triangles = mesh.triangle_count();
    let Some(column) = Column::<1>::of_integers(masks, triangles, "masks")? else {
        return Ok(None);
    };
    if masks.r#type != ESTOC_U32 {
        return Err(bad("masks are of another type than ESTOC_U32".to_owned()));
    }
    let mut runs = Vec::new();
    runs.make_room(triangles)?;
    runs.extend((0..triangles).map(|triangle| (1, column.integers(triangle)[0] as u32)));
    Ok(Some(Masks::from_runs(runs)))
}

/// Returns the tree of a mesh that has the triangles of another one moved, in the structure of a tree of that, which does
/// not change: in a fraction of the time of a build. `rebuild`, which may be null, is set to 1 if a new tree would answer
/// much faster, else to 0. `run` may be null; there is no progress.
///
/// Fails with `ESTOC_UNSUPPORTED` for a scene, with `ESTOC_BAD_MESH` for a mesh with another number of triangles, with
/// `ESTOC_BAD_ARGUMENT` for one in another precision, with `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_refit(
    handle: *const estoc_world,
    mesh: *const estoc_mesh,
    run: Option<&estoc_run>,
    world: Option<&mut MaybeUninit<*mut estoc_world>>,
    rebuild: Option<&mut MaybeUninit<i32>>,
) -> estoc_status {
    call(|call| {
        let (old, mesh): (&World, &Mesh) = (call.get(handle)?, call.get(mesh)?);
        let (to, run) = (room(world, "world")?, Run::of(run, call)?);
        let (made, report) = run.in_threads(|| {
            Ok(match (old, mesh) {
                (World::Tree(tree), Mesh::F32(mesh)) => {
                    let (bvh, report) = refitted(&tree.bvh, mesh)?;
                    (World::Tree(Tree::of(bvh, mesh.origin())), report)
                }
                (World::Wide(bvh, _), Mesh::F64(mesh)) => {
                    let (bvh, report) = refitted(bvh, mesh)?;
                    (World::wide(bvh), report)
                }
                (World::Scene(..), _) => {
                    return Err(unsupported("a scene is not refitted; move its placements"));
                }
                _ => return Err(other_precision()),
            })
        })?;
        if let Some(rebuild) = rebuild {
            rebuild.write(report.should_rebuild().into());
        }
        give(made, to)
    })
}

fn refitted<C: Coordinate>(
    bvh: &Bvh<C>,
    mesh: &::estoc_mesh::Mesh<C>,
) -> Result<(Arc<Bvh<C>>, RefitReport), Failure>
where
    Bvh<C>: Engine,
{
    check_room(bvh.query_bytes())?;
    let mut bvh = bvh.clone();
    let report = bvh.refit(mesh)?;
    Ok((Arc::new(bvh), report))
}

/// Tells what is known of a world. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_get_info(
    handle: *const estoc_world,
    info: Option<&mut MaybeUninit<estoc_world_info>>,
) -> estoc_status {
    call(|call| {
        let (world, info): (&World, _) = (call.get(handle)?, room(info, "info")?);
        let (triangles, origin) = match world {
            World::Tree(tree) => (tree.bvh.triangle_count(), tree.origin),
            World::Wide(bvh, _) => (bvh.triangle_count(), DVec3::ZERO),
            World::Scene(scene, _) => (scene.triangle_count(), DVec3::ZERO),
        };
        info.write(estoc_world_info {
            triangles: triangles as u64,
            precision: match world {
                World::Wide(..) => ESTOC_F64,
                World::Tree(_) | World::Scene(..) => ESTOC_F32,
            },
            depth: world.depth() as u32,
            origin: origin.to_array(),
        });
        Ok(())
    })
}

/// Returns the failure of a mesh that is not that of a tree.
pub(crate) fn other_precision() -> Failure {
    bad("the mesh is in another precision than the tree".to_owned())
}

/// Returns the failure of a question that a world does not answer.
#[cold]
pub(crate) fn unsupported(sentence: &'static str) -> Failure {
    Failure::new(estoc_status::ESTOC_UNSUPPORTED, sentence)
}
