//! Scenes and meshes, for all tests.

use estoc_bvh::{Bvh, Layout, Quality};
use estoc_core::glam::{DAffine3, Vec3};
use estoc_core::{
    Engine, Masks, PlacedPrimitive, PlacedTriangle, PrimId, SceneHit, ScenePath, ScenePrim,
    Triangle, Triangle64,
};
use estoc_mesh::Mesh;
use estoc_scene::{Placement, PlacementMatrix, Scene, SceneObject, SceneSnapshot, ShapeList};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, CaseObject, PLACEMENT_KINDS, PlacementCase, placement_case};
use std::sync::Arc;

/// Returns a tree over triangles with finite corners.
pub(crate) fn bvh_of(triangles: &[Triangle]) -> Bvh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).expect("all corners are finite");
    Bvh::builder()
        .quality(Quality::Fast)
        .build(&mesh)
        .expect("nothing cancels")
}

/// Returns a tree over triangles in `f64` with finite corners.
pub(crate) fn bvh_of_64(triangles: &[Triangle64]) -> Bvh<f64> {
    let corners = triangles.iter().flat_map(Triangle64::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::from_f64(corners, faces).expect("all corners are finite"))
}

/// Returns a placement by a map that has an inverse.
pub(crate) fn placed(object: impl Into<SceneObject>, map: &DAffine3) -> Placement {
    Placement::try_new(object, map).expect("an inverse")
}

/// Returns a placement by the rows of a matrix that has an inverse.
pub(crate) fn placed_by(object: impl Into<SceneObject>, rows: [[f64; 4]; 3]) -> Placement {
    let matrix = PlacementMatrix::from_rows(rows).expect("an inverse");
    Placement::with_matrix(object, matrix)
}

/// Returns the placement of an object where it is.
pub(crate) fn here(object: impl Into<SceneObject>) -> Placement {
    Placement::with_matrix(object, PlacementMatrix::IDENTITY)
}

/// Returns the scene of these placements, which have the numbers from 0 on.
pub(crate) fn world_of(placements: impl IntoIterator<Item = Placement>) -> Arc<SceneSnapshot> {
    let mut scene = Scene::new();
    for placement in placements {
        scene.add(placement).expect("it can be placed");
    }
    scene.commit()
}

/// Returns the larger of two efforts for `ESTOC_LONG=1`, and the smaller one otherwise, each with the
/// least number of rays or points that it asks about.
pub(crate) fn effort(long: [u64; 3], usual: [u64; 3]) -> (Effort, usize) {
    let [seeds, rays, least] = if Effort::is_long() { long } else { usual };
    let rays_per_scene = rays as usize;
    let effort = Effort {
        seeds,
        rays_per_scene,
    };
    (effort, least as usize)
}

/// Returns the scene of a case.
pub(crate) fn scene_of(case: &PlacementCase) -> Arc<SceneSnapshot> {
    let meshes = { case.meshes.iter().zip(&case.wide) }.zip(&case.masks);
    let meshes = meshes.map(|((triangles, wide), masks)| {
        let of = |masks: &Vec<u32>| Masks::from_runs(masks.iter().map(|&mask| (1, mask)));
        let masks = masks.as_ref().map(of);
        match wide {
            None => SceneObject::from(bvh_of(triangles).with_masks(masks)),
            Some(wide) => bvh_of_64(wide).with_masks(masks).into(),
        }
    });
    let meshes: Vec<SceneObject> = meshes.collect();
    let lists = case.shapes.iter().map(|shapes| {
        let shapes = shapes.iter().map(|shape| shape.shape().expect("valid"));
        Arc::new(ShapeList::try_new(shapes).expect("few shapes"))
    });
    let lists: Vec<Arc<ShapeList>> = lists.collect();
    let mut snapshots: Vec<Arc<SceneSnapshot>> = Vec::new();
    for placements in &case.scenes {
        let mut scene = Scene::new();
        for placed in placements {
            let object: SceneObject = match placed.object {
                CaseObject::Mesh(index) => meshes[index].clone(),
                CaseObject::Shapes(index) => lists[index].clone().into(),
                CaseObject::Scene(index) => snapshots[index].clone().into(),
            };
            let placement = placed_by(object, placed.rows).mask(placed.mask);
            let placement = placement.reversed(placed.reversed);
            scene.add(placement).expect("a number is free");
        }
        snapshots.push(scene.commit());
    }
    snapshots.pop().expect("at least one scene")
}

/// Returns scenes of matrices that leave every corner an `f32`, without reversed placements.
pub(crate) fn exact_scenes(seeds: u64) -> impl Iterator<Item = Arc<SceneSnapshot>> {
    let kinds = ["exact", "tiles", "coincident", "nested exactly", "deep"];
    (0..seeds).flat_map(move |seed| {
        kinds.map(|kind| {
            let mut case = placement_case(kind, seed).expect("a kind");
            // A mesh knows no reversed triangles.
            for placement in case.scenes.iter_mut().flatten() {
                placement.reversed = false;
            }
            scene_of(&case)
        })
    })
}

/// Returns all triangles of a scene with their ids, in order.
pub(crate) fn placed_triangles(scene: &SceneSnapshot) -> Vec<(ScenePrim, PlacedTriangle)> {
    let mut ids = Vec::new();
    add_ids(scene, ScenePath::ROOT, &mut ids);
    ids.sort_unstable();
    let placed = |id: ScenePrim| match scene.primitive(id).expect("an id of the scene") {
        PlacedPrimitive::Triangle(placed) => (id, placed),
        _ => unreachable!("no other primitives"),
    };
    ids.into_iter().map(placed).collect()
}

/// Returns a tree over the triangles of a scene in the world, which must be exact there, in the order
/// of their ids, with their masks; and the ids.
pub(crate) fn flattened(scene: &SceneSnapshot, layout: Layout) -> (Bvh, Vec<ScenePrim>) {
    let all = placed_triangles(scene);
    let corners = all.iter().flat_map(|(_, placed)| {
        placed.triangle.corners().map(|p| {
            let [x, y, z] = p.to_array();
            let along = |[a, b, c, m]: [f64; 4]| {
                let exact = a * x + b * y + c * z + m;
                assert_eq!(f64::from(exact as f32), exact, "no f32");
                exact as f32
            };
            placed.matrix.rows().map(along)
        })
    });
    let corners: Vec<[f32; 3]> = corners.collect();
    let faces = (0..all.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).expect("finite");
    let bvh = Bvh::builder()
        .layout(layout)
        .quality(Quality::Fast)
        .build(&mesh);
    let masks = Masks::from_runs(all.iter().map(|(_, placed)| (1, placed.mask)));
    let ids = all.iter().map(|(id, _)| *id).collect();
    (bvh.expect("nothing cancels").with_masks(masks), ids)
}

/// Returns the triangles of a flattened scene as a case that rays and points are generated for.
pub(crate) fn flattened_case(flat: &Bvh, index: usize) -> generate::Scene {
    let prims = (0..flat.triangle_count()).filter_map(PrimId::from_index);
    generate::Scene {
        name: "flattened",
        seed: index as u64,
        triangles: prims.filter_map(|prim| flat.triangle(prim)).collect(),
    }
}

/// Returns what single calls answer for each input.
pub(crate) fn each<T: Copy, A>(inputs: &[T], answer: impl Fn(T) -> A) -> Vec<A> {
    inputs.iter().map(|&input| answer(input)).collect()
}

fn add_ids(scene: &SceneSnapshot, path: ScenePath, ids: &mut Vec<ScenePrim>) {
    for (number, placement) in scene.placements() {
        let path = path.then(number).expect("not deep");
        match placement.object() {
            SceneObject::Scene(inner) => add_ids(inner, path, ids),
            SceneObject::Mesh(mesh) => {
                let prims = (0..mesh.triangle_count()).filter_map(PrimId::from_index);
                ids.extend(prims.map(|prim| ScenePrim::triangle(path, prim)));
            }
            _ => unreachable!("no other objects"),
        }
    }
}

/// A hit that equals only one with the same bits.
pub(crate) fn bits(hit: &SceneHit) -> (ScenePrim, [u32; 3]) {
    (hit.id(), [hit.t, hit.u, hit.v].map(f32::to_bits))
}

/// Returns two triangles of a square from (0, 0, 0) to (1, 1, 0).
pub(crate) fn square() -> Arc<Bvh> {
    let [a, b, c, d] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    Arc::new(bvh_of(&[Triangle::new(a, b, c), Triangle::new(a, c, d)]))
}

const MESHES: &[&str] = &[
    "sphere",
    "torus",
    "soup of small triangles",
    "slivers",
    "far sphere",
    "mixed coordinates",
    "mixed triangles",
    "outlier",
    "soup at the maximum",
    "subnormal soup",
    "soup at 1e30",
    "any bits",
    "height field",
];

/// Returns a scene of hard matrices and meshes, and its triangles in the world, rounded to `f32`.
pub(crate) fn hard_scene(index: usize, seed: u64) -> (Arc<SceneSnapshot>, generate::Scene) {
    let kind = PLACEMENT_KINDS[index];
    let mut case = placement_case(kind, seed).expect("a kind");
    for (place, mesh) in case.meshes.iter_mut().enumerate() {
        let name = MESHES[(index + 5 * place + seed as usize) % MESHES.len()];
        *mesh = generate::scene(name, seed).expect("a name").triangles;
        mesh.retain(Triangle::is_finite);
        mesh.truncate(200);
    }
    case.masks.fill(None);
    for placement in case.scenes.iter_mut().flatten() {
        placement.mask = u32::MAX;
    }
    let scene = scene_of(&case);
    let all = placed_triangles(&scene);
    let in_world = all.iter().map(|(_, placed)| {
        let affine = placed.matrix.to_affine();
        let [a, b, c] = placed.triangle.corners().map(|p| {
            let p = affine.transform_point3(p).to_array();
            Vec3::from(p.map(|x| x as f32))
        });
        Triangle::new(a, b, c)
    });
    let mesh = generate::Scene {
        name: kind,
        seed,
        triangles: in_world.filter(Triangle::is_finite).collect(),
    };
    (scene, mesh)
}
