//! Traversal of a scene with one ray.
//!
//! The ray is mapped to the space of each placement that it may meet, with bounds of its errors, and
//! traverses the tree of the mesh or of the scene that is placed there. If that is not possible, for a
//! matrix close to singular or numbers beyond `f32`, the boxes of that tree are mapped to the world
//! instead. What remains is offered as a placed triangle, about which the world's ray decides.
//!
//! A ray that is mapped level by level belongs to the product of the matrices, but a triangle is placed
//! by the composed matrix, whose entries were rounded. That moves a point of the world by at most eight
//! roundings of the terms of its coordinates, the reach of what is placed; it is granted as an error of
//! the ray's origin in the world. Each corner is off by another vector of that size, for which the kernels'
//! bounds hold, too (`plain_ray/leaf.rs` of estoc-bvh).

use crate::inverse::Inverse;
use crate::mesh_sink::MeshSink;
use crate::placement_chain::PlacementChain;
use crate::shape_sink::ShapeSink;
use crate::snapshot::{Placement, SceneObject, SceneSnapshot};
use crate::user_sink::UserSink;
use crate::{ShapeList, UserShapes};
use core::cell::OnceCell;
use estoc_bvh::Bvh;
use estoc_bvh::object_space::{BoxTree, ItemSink, MappedRay, Visited, WideBounds};
use estoc_bvh::object_space::{WideBox, WideBoxTest};
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Coordinate, PlacedPrimitive, RayKind, WorldLine};

/// A ray on its way through a scene.
pub(crate) struct Walk<'a, W> {
    pub(crate) line: WorldLine,
    pub(crate) t_min: f64,
    /// The ray, if it is one in `f32`.
    pub(crate) ray: Option<&'a PreparedRay<'a>>,
    pub(crate) sink: &'a mut W,
}

/// Goes on with the placements of a scene.
pub(crate) struct SceneSink<'w, 'a, W> {
    pub(crate) walk: &'w mut Walk<'a, W>,
    pub(crate) scene: &'w SceneSnapshot,
    /// `None` for the world itself.
    pub(crate) chain: Option<&'w PlacementChain<'w>>,
    pub(crate) ray: Option<&'w MappedRay>,
}

impl<R: RayKind> ItemSink for SceneSink<'_, '_, Collector<'_, PlacedPrimitive, R>> {
    fn prefetch(&self, item: u32) {
        self.scene.world.items.prefetch(item);
    }

    fn enter(&mut self, item: u32, entry: f64) -> Visited {
        let (item, placement) = self.scene.placed_as(item);
        let inverse = Inverse(&item.inverse);
        let (outer, walk) = (self.chain, &mut *self.walk);
        let mask = outer.map_or(u32::MAX, |chain| chain.mask) & placement.get_mask();
        if !walk.sink.may_see(mask) {
            return Some(walk.sink.t_limit());
        }
        let chain = PlacementChain::to(outer, item.number(), placement);
        let mapped = self.ray.and_then(|ray| {
            let t_min = if entry > ray.t_min { entry } else { ray.t_min };
            match (outer, placement.object()) {
                (None, SceneObject::Scene(_)) => inverse.map(&granted(ray, placement), t_min),
                _ => inverse.map(ray, t_min),
            }
        });
        let mapped = mapped.as_ref();
        match placement.object() {
            SceneObject::Scene(scene) => walk.scene(scene, Some(&chain), mapped),
            SceneObject::Mesh(bvh) => walk.mesh(&**bvh, &chain, mapped),
            SceneObject::Mesh64(bvh) => walk.mesh(&**bvh, &chain, mapped),
            SceneObject::Shapes(shapes) => walk.shapes(shapes, &chain, mapped),
            SceneObject::User(shapes) => walk.user(shapes, &chain, mapped),
        }
    }
}

/// Returns a ray in the world with the error of matrices that are composed below a placement.
fn granted(ray: &MappedRay, placement: &Placement) -> MappedRay {
    MappedRay {
        origin_error: ray.origin_error + error_of_composing(placement),
        ..*ray
    }
}

/// Returns a bound of how far composed matrices below a placement of the world move a point.
fn error_of_composing(placement: &Placement) -> f64 {
    placement.farthest_reach() * (8.0 * f64::EPSILON)
}

impl<R: RayKind> Walk<'_, Collector<'_, PlacedPrimitive, R>> {
    /// Offers what the ray may hit in the world, nearer boxes first.
    pub(crate) fn world(&mut self, scene: &SceneSnapshot) {
        let ray = MappedRay::of(&self.line, self.t_min);
        self.scene(scene, None, Some(&ray));
    }

    pub(crate) fn scene(
        &mut self,
        scene: &SceneSnapshot,
        chain: Option<&PlacementChain<'_>>,
        ray: Option<&MappedRay>,
    ) -> Visited {
        let own = self.ray.filter(|_| chain.is_none());
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = SceneSink {
            walk: self,
            scene,
            chain,
            ray,
        };
        if let Some(ray) = ray
            && let Some(visited) = scene.world.tree.visit(ray, own, t_limit, &mut sink)
        {
            return visited;
        }
        let boxes = WideBoxTest::new(&line, t_min);
        let enter = |of: WideBounds, t_limit: f64| {
            let of = WideBox::of(of);
            let world = match chain {
                None => of,
                Some(chain) => of.image(chain.matrix(), Some(scene.reach())),
            };
            boxes.enter(&world, t_limit)
        };
        scene.world.tree.visit_by_boxes(&enter, t_limit, &mut sink)
    }

    fn shapes(
        &mut self,
        shapes: &ShapeList,
        chain: &PlacementChain<'_>,
        ray: Option<&MappedRay>,
    ) -> Visited {
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = ShapeSink {
            sink: &mut *self.sink,
            chain,
            shapes,
        };
        visit_tree(&shapes.tree, chain, ray, (&line, t_min), t_limit, &mut sink)
    }

    fn user(
        &mut self,
        shapes: &UserShapes,
        chain: &PlacementChain<'_>,
        ray: Option<&MappedRay>,
    ) -> Visited {
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = UserSink {
            sink: &mut *self.sink,
            chain,
            shapes,
            line,
            ray: OnceCell::new(),
        };
        visit_tree(&shapes.tree, chain, ray, (&line, t_min), t_limit, &mut sink)
    }

    fn mesh<C: Coordinate>(
        &mut self,
        mesh: &Bvh<C>,
        chain: &PlacementChain<'_>,
        ray: Option<&MappedRay>,
    ) -> Visited {
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = MeshSink {
            sink: &mut *self.sink,
            chain,
            mesh,
        };
        if let Some(ray) = ray
            && let Some(visited) = mesh.visit_mapped(ray, t_limit, &mut sink)
        {
            return visited;
        }
        let boxes = WideBoxTest::new(&line, t_min);
        let enter =
            |of: &WideBox, t_limit: f64| boxes.enter(&of.image(chain.matrix(), None), t_limit);
        mesh.visit_boxes(&enter, t_limit, &mut sink)
    }
}

/// Offers the items of a tree over placed shapes.
fn visit_tree(
    tree: &BoxTree,
    chain: &PlacementChain<'_>,
    ray: Option<&MappedRay>,
    (line, t_min): (&WorldLine, f64),
    t_limit: f64,
    sink: &mut dyn ItemSink,
) -> Visited {
    if let Some(ray) = ray
        && let Some(visited) = tree.visit(ray, None, t_limit, sink)
    {
        return visited;
    }
    let boxes = WideBoxTest::new(line, t_min);
    let enter = |of: WideBounds, t_limit: f64| {
        let world = WideBox::of(of).image(chain.matrix(), None);
        boxes.enter(&world, t_limit)
    };
    tree.visit_by_boxes(&enter, t_limit, sink)
}
