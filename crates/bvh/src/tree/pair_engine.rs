//! The nearest triangles of two meshes.

use super::Bvh;
use crate::traverse::pair_space::OwnSpace;
use crate::traverse::pair_walk::nearest_pair;
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, NearestPair, PairEngine, Triangle};

impl PairEngine for Bvh {
    type Point = Vec3;
    type Measured = Triangle;

    fn nearest_pair(
        &self,
        other: &Self,
        nearest: NearestPair<Triangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Triangle>> {
        let sides = [self, other].map(|bvh| (&bvh.tree, &OwnSpace));
        nearest_pair(self.token, sides, nearest, cancel)
    }
}
