//! A mesh of a scene in the world.

use super::SceneSnapshot;
use estoc_bvh::Bvh;
use estoc_core::{
    CancelToken, NearestPair, PairEngine, PlacedTriangle, PlacementMatrix, ScenePath,
};

/// A mesh that is placed in a scene; made by [`SceneSnapshot::placed_mesh`].
///
/// [`PairQuery`](estoc_core::PairQuery) has its distance from another one, which may be of another scene:
/// that of the triangles of the points `M v` in real arithmetic, with the corners v and the matrix M. Points
/// of answers are in the world, each coordinate the nearest `f64`.
#[derive(Clone, Copy, Debug)]
pub struct PlacedMesh<'a> {
    bvh: &'a Bvh,
    matrix: PlacementMatrix,
}

impl SceneSnapshot {
    /// Returns the mesh that a path leads to, as it is placed in the world, to ask how far it is from
    /// another one; `None` if it leads to none.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod query { pub use estoc_core::*; } pub mod scene { pub use estoc_scene::*; } }
    /// use estoc::{Bvh, Mesh, glam::DAffine3, query::PairQuery};
    /// use estoc::scene::{Placement, Scene, ScenePath};
    /// let sheet = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let sheet = std::sync::Arc::new(Bvh::build(&sheet));
    /// let mut scene = Scene::new();
    /// for height in [1e6, 1e6 + 0.5] {
    ///     let raised = DAffine3::from_translation([3.0, 0.0, height].into());
    ///     scene.add(Placement::try_new(sheet.clone(), &raised)?)?;
    /// }
    /// let world = scene.commit();
    /// let placed = |number| world.placed_mesh(ScenePath::try_new(&[number]).ok()?);
    /// let nearest = placed(0).unwrap().least_distance(&placed(1).unwrap()).unwrap();
    /// assert_eq!((nearest.distance, nearest.points[1]), (0.5, [3.0, 0.0, 1e6 + 0.5].into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placed_mesh(&self, path: ScenePath) -> Option<PlacedMesh<'_>> {
        let (bvh, matrix) = (self.mesh(path)?, self.matrix(path)?);
        Some(PlacedMesh { bvh, matrix })
    }
}

impl PairEngine for PlacedMesh<'_> {
    type Measured = PlacedTriangle;

    fn nearest_pair(
        &self,
        other: &Self,
        nearest: NearestPair<PlacedTriangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<PlacedTriangle>> {
        let placed = [self, other].map(|placed| (placed.bvh, &placed.matrix));
        Bvh::nearest_placed_pair(placed, nearest, cancel)
    }
}
