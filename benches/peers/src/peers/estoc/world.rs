//! estoc's scenes of placed meshes.

use super::batched::Batched;
use super::single::OneByOne;
use super::{Asked, ours};
use crate::engine::Engine;
use crate::ray::{Hit, Ray};
use crate::worlds::{Changing, NamedChanging, Placing, Rows, World};
use estoc::glam::DVec3;
use estoc::scene::{Placement, PlacementId, PlacementMatrix, Scene, SceneHit, SceneSnapshot};
use estoc::{Bvh, RayQuery};
use estoc_demo::ray_kinds::Frame;
use rayon::prelude::*;
use std::sync::Arc;

impl Asked for SceneSnapshot {
    fn common(hit: Option<SceneHit>) -> Hit {
        hit.map_or(Hit::MISS, |hit| Hit {
            t: hit.t,
            prim: hit.prim.get(),
        })
    }
}

/// A world in estoc.
pub(crate) struct EstocWorld {
    snapshot: Arc<SceneSnapshot>,
}

impl EstocWorld {
    /// Builds the trees of the meshes and of all levels, in the rayon pool of the caller.
    pub(crate) fn build(world: &World) -> Self {
        let trees = trees(world);
        let (first, upper) = world.levels.split_first().expect("a level");
        let mut scene = Scene::new();
        for placing in first {
            add(
                &mut scene,
                trees[placing.object as usize].clone(),
                &placing.matrix,
            );
        }
        let mut snapshot = scene.commit();
        for level in upper {
            let mut scene = Scene::new();
            for placing in level {
                add(&mut scene, snapshot.clone(), &placing.matrix);
            }
            snapshot = scene.commit();
        }
        EstocWorld { snapshot }
    }

    /// Returns the ways to query it.
    pub(crate) fn engines(&self) -> Vec<Engine> {
        vec![
            Engine::single("estoc", OneByOne(self.snapshot.clone())),
            Engine::batch("estoc", Batched::new(self.snapshot.clone(), None, None)),
        ]
    }

    /// Returns a box around everything.
    pub(crate) fn frame(&self) -> Frame {
        let [low, high] = self.snapshot.bounds().expect("a world with triangles");
        Frame {
            low,
            size: high - low,
        }
    }

    /// Finds the first hit of each ray, in the rayon pool of the caller.
    pub(crate) fn first_hits(&self, rays: &[Ray]) -> Vec<Hit> {
        let hit = |ray| SceneSnapshot::common(self.snapshot.closest_hit(&ours(ray)));
        rays.par_iter().map(hit).collect()
    }

    /// Returns the parameters at which rays hit, with the unit normal of the triangle there; `None`
    /// for rays that hit nothing.
    pub(crate) fn places(&self, rays: &[Ray]) -> Vec<Option<(f32, DVec3)>> {
        let place = |ray: &Ray| {
            let hit = self.snapshot.closest_hit(&ours(ray))?;
            let triangle = self.snapshot.mesh(hit.path)?.triangle(hit.prim)?;
            let map = self.snapshot.matrix(hit.path)?.to_affine();
            let [a, b, c] = triangle
                .corners()
                .map(|corner| map.transform_point3(corner.as_dvec3()));
            Some((hit.t, (b - a).cross(c - a).normalize_or(DVec3::Y)))
        };
        rays.par_iter().map(place).collect()
    }
}

fn trees(world: &World) -> Vec<Arc<Bvh>> {
    let trees = world.meshes.iter().map(|mesh| Bvh::build(&mesh.mesh));
    trees.map(Arc::new).collect()
}

/// Adds a placement.
fn add(
    scene: &mut Scene,
    object: impl Into<estoc::scene::SceneObject>,
    rows: &Rows,
) -> PlacementId {
    let placement = Placement::with_matrix(object, matrix(rows));
    scene.add(placement).expect("few levels, well-conditioned")
}

fn matrix(rows: &Rows) -> PlacementMatrix {
    let rows = rows.map(|row| row.map(f64::from));
    PlacementMatrix::from_rows(rows).expect("matrices have inverses")
}

/// Returns an empty scene of a world's meshes, and one of which the snapshot before the last is held.
pub(crate) fn changing(world: &World) -> Vec<NamedChanging> {
    let trees = trees(world);
    let of = |holds| -> Box<dyn Changing> {
        Box::new(ChangingScene {
            holds,
            trees: trees.clone(),
            scene: Scene::new(),
            ids: Vec::new(),
            last: None,
        })
    };
    vec![("estoc", of(false)), ("estoc-held", of(true))]
}

/// A scene whose changes are timed.
struct ChangingScene {
    /// Whether the last snapshot is held while the next one is made.
    holds: bool,
    trees: Vec<Arc<Bvh>>,
    scene: Scene,
    ids: Vec<PlacementId>,
    last: Option<Arc<SceneSnapshot>>,
}

impl Changing for ChangingScene {
    fn clear(&mut self) {
        self.last = None;
        self.scene = Scene::new();
        self.ids.clear();
    }

    fn place(&mut self, placings: &[Placing]) -> Result<(), String> {
        for placing in placings {
            let tree = self.trees[placing.object as usize].clone();
            self.ids.push(add(&mut self.scene, tree, &placing.matrix));
        }
        Ok(())
    }

    fn set(&mut self, number: usize, rows: &Rows) {
        let moved = self.scene.set_matrix(self.ids[number], matrix(rows));
        moved.expect("placed before");
    }

    fn commit(&mut self) {
        let snapshot = self.scene.commit();
        self.last = self.holds.then_some(snapshot);
    }
}
