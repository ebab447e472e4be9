//! Traversal of a scene with one point.
//!
//! The point is mapped to the space of each placement whose box may be near, with a bound of its error,
//! and traverses the tree of the mesh or of the scene that is placed there: what is farther than d in
//! that space is farther than `d / |A^-1|` in the world, where `|A^-1|` is the largest factor by which
//! the inverse of the matrix stretches a vector. For rotations and uniform scales that is exact but for
//! roundings. If a matrix is close to singular, or stretches much more along one direction than along
//! another, or numbers are beyond `f32`, the boxes of that tree are mapped to the world instead. What
//! remains is offered as a placed triangle, whose exact distance in the world decides.
//!
//! # Why nothing nearer is pruned
//! - The boxes of placements contain all their triangles ([`WideBox::image`]), and the distance of a point
//!   from a box is a lower bound of that from its contents. At the top, the point is the one given.
//! - **Factors.** With the matrices A of the placements from the world to a tree, a vector of the tree's
//!   space is at most `|A_1| |A_2| ..` times as long in the world, and at least its length divided by
//!   `|A_1^-1| |A_2^-1| ..`. [`Norms`](crate::inverse::Norms) bounds these factors from above.
//! - **The image of the point** is off from the true one by the error of
//!   [`Inverse::map_point`](crate::inverse::Inverse::map_point), at each level; the traversal subtracts
//!   it from all distances.
//! - **Composed matrices** differ from the product of their parts: a triangle is placed by the composed
//!   one, and is off by at most eight roundings of the terms of each coordinate, the reach of what is
//!   placed (see `walk.rs`). That, times sqrt(3) for the length, is granted as slack in the world.
//! - Shapes have no triangles, and are passed over.

use crate::inverse::Inverse;
use crate::mesh_sink::MeshSink;
use crate::placement_chain::PlacementChain;
use crate::snapshot::{Placement, SceneObject, SceneSnapshot};
use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_bvh::object_space::WideBox;
use estoc_bvh::object_space::{MappedPoint, NearItemSink, PlacedItem, WideBounds};
use estoc_core::glam::DVec3;
use estoc_core::{Coordinate, PlacedTriangle, PointCollector};

/// How much more a matrix may stretch along one direction than along another for traversal in its space:
/// that much farther it has to look.
const UNEVEN: f64 = 2.0;

/// Offers the collector every triangle that may be near its point, nearer boxes first.
pub(crate) fn visit_near(
    scene: &SceneSnapshot,
    collector: &mut PointCollector<DVec3, PlacedTriangle>,
) {
    let point = MappedPoint::of(collector.point());
    let mut walk = NearWalk {
        point: point.at,
        collector,
    };
    // The answer is known at the latest when the traversal is over.
    let _ = walk.scene(scene, None, Some(&point));
}

/// A point on its way through a scene.
struct NearWalk<'a> {
    point: [f64; 3],
    collector: &'a mut PointCollector<DVec3, PlacedTriangle>,
}

/// Goes on with the placements of a scene.
struct PlacementSink<'w, 'a> {
    walk: &'w mut NearWalk<'a>,
    scene: &'w SceneSnapshot,
    /// `None` for the world itself.
    chain: Option<&'w PlacementChain<'w>>,
    point: Option<&'w MappedPoint>,
}

impl NearItemSink for PlacementSink<'_, '_> {
    fn limit(&self) -> f64 {
        self.walk.collector.limit()
    }

    fn enter(&mut self, item: u32) -> ControlFlow<()> {
        let (placed, placement) = self.scene.placed_as(item);
        let outer = self.chain;
        let chain = PlacementChain::to(outer, placed.number(), placement);
        let point = self
            .point
            .and_then(|point| mapped(point, (placed, placement), outer.is_none()));
        match placement.object() {
            SceneObject::Scene(scene) => self.walk.scene(scene, Some(&chain), point.as_ref()),
            SceneObject::Mesh(bvh) => self.walk.mesh(&**bvh, &chain, point.as_ref()),
            SceneObject::Mesh64(bvh) => self.walk.mesh(&**bvh, &chain, point.as_ref()),
            SceneObject::Shapes(_) | SceneObject::User(_) => ControlFlow::Continue(()),
        }
    }
}

/// Returns the point in the space of a placement, if traversal there is of use.
fn mapped(
    point: &MappedPoint,
    (placed, placement): (&PlacedItem, &Placement),
    is_in_world: bool,
) -> Option<MappedPoint> {
    let matrix = placement.matrix();
    let inverse = Inverse(&placed.inverse);
    let norms = inverse.norms(matrix)?;
    let (at, error) = inverse.map_point(point.at, point.error);
    let slack = match placement.object() {
        // More than 8 sqrt(3) roundings of a half.
        SceneObject::Scene(_) if is_in_world => {
            let reach = placement.reach().into_iter().fold(0.0, f64::max);
            reach * (8.0 * f64::EPSILON) + f64::MIN_POSITIVE
        }
        _ => point.slack,
    };
    let found = MappedPoint {
        at,
        error,
        shrink: point.shrink * norms.shrink,
        stretch: point.stretch * norms.stretch,
        slack,
    };
    (found.shrink * found.stretch <= UNEVEN).then_some(found)
}

impl NearWalk<'_> {
    fn scene(
        &mut self,
        scene: &SceneSnapshot,
        chain: Option<&PlacementChain<'_>>,
        point: Option<&MappedPoint>,
    ) -> ControlFlow<()> {
        let at = self.point;
        let mut sink = PlacementSink {
            walk: self,
            scene,
            chain,
            point,
        };
        if let Some(point) = point
            && let Some(visited) = scene.world.tree.visit_near(point, &mut sink)
        {
            return visited;
        }
        let square_of = |of: WideBounds| {
            let of = WideBox::of(of);
            match chain {
                None => of.square_from(at),
                Some(chain) => of
                    .image(chain.matrix(), Some(scene.reach()))
                    .square_from(at),
            }
        };
        scene.world.tree.visit_near_by_boxes(&square_of, &mut sink)
    }

    fn mesh<C: Coordinate>(
        &mut self,
        mesh: &Bvh<C>,
        chain: &PlacementChain<'_>,
        point: Option<&MappedPoint>,
    ) -> ControlFlow<()> {
        let at = self.point;
        let wants_closest = self.collector.wants_closest();
        let mut sink = MeshSink {
            sink: self.collector,
            chain,
            mesh,
        };
        if let Some(point) = point
            && let Some(visited) = mesh.visit_near_mapped(point, wants_closest, &mut sink)
        {
            return visited;
        }
        let square_of = |of: &WideBox| of.image(chain.matrix(), None).square_from(at);
        mesh.visit_near_boxes(&square_of, &mut sink)
    }
}
