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
//! the ray's origin in the world.

use crate::snapshot::{Placed, SceneObject, SceneSnapshot, composed};
use crate::world_box::{WideBox, WideBoxTest};
use crate::world_sink::{WorldSink, mask_of};
use core::cell::OnceCell;
use core::ops::ControlFlow;
use estoc_bvh::{Bvh, ItemSink, MappedRay, TriangleSink, Visited, WideBounds};
use estoc_core::exact::PreparedRay;
use estoc_core::{
    PlacedTriangle, PlacementMatrix, PrimId, ScenePath, ScenePrim, Triangle, WorldLine,
};

/// A ray under way.
pub(crate) struct Walk<'a, W> {
    pub(crate) line: WorldLine,
    pub(crate) t_min: f64,
    /// The ray, if it is one in `f32`.
    pub(crate) ray: Option<&'a PreparedRay<'a>>,
    pub(crate) sink: &'a mut W,
}

/// The placements from the world down to a scene or a mesh.
pub(crate) struct Way<'a> {
    /// `None` if the last placement is one of the world.
    outer: Option<&'a Way<'a>>,
    /// The number of the last placement, and its matrix.
    number: u32,
    own: &'a PlacementMatrix,
    /// Composed when it is needed: few of the boxes that a ray meets have a triangle that it may hit.
    whole: OnceCell<PlacementMatrix>,
    /// That of all placements.
    pub(crate) mask: u32,
    pub(crate) is_reversed: bool,
    /// The ray in the object's space; `None` if it cannot be mapped.
    ray: Option<MappedRay>,
}

impl Way<'_> {
    #[inline]
    pub(crate) fn matrix(&self) -> &PlacementMatrix {
        match self.outer {
            None => self.own,
            Some(outer) => self
                .whole
                .get_or_init(|| composed(outer.matrix(), self.own)),
        }
    }

    #[inline]
    pub(crate) fn path(&self) -> ScenePath {
        let outer = self.outer.map_or(ScenePath::ROOT, Way::path);
        outer.then(self.number).expect("as deep as was checked")
    }
}

/// Offers the triangles of a placed mesh to a sink.
struct PlacedSink<'a, W> {
    sink: &'a mut W,
    way: &'a Way<'a>,
    mesh: &'a Bvh,
}

impl<W: WorldSink> TriangleSink for PlacedSink<'_, W> {
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let id = ScenePrim {
            path: self.way.path(),
            prim,
        };
        let placed = PlacedTriangle {
            triangle: *triangle,
            matrix: *self.way.matrix(),
            mask: self.way.mask & mask_of(self.mesh, prim),
            reversed: self.way.is_reversed,
        };
        match self.sink.offer(id, &placed) {
            ControlFlow::Break(()) => None,
            ControlFlow::Continue(()) => Some(self.sink.t_limit()),
        }
    }
}

/// Goes on with the placements of a scene.
struct SceneSink<'w, 'a, W> {
    walk: &'w mut Walk<'a, W>,
    scene: &'w SceneSnapshot,
    /// `None` for the world itself.
    way: Option<&'w Way<'w>>,
    ray: Option<&'w MappedRay>,
}

impl<W: WorldSink> ItemSink for SceneSink<'_, '_, W> {
    fn enter(&mut self, number: u32, entry: f64) -> Visited {
        let placed = self.scene.placed_at(number);
        let placed = placed.expect("the tree has the numbers of placements");
        let (outer, walk) = (self.way, &mut *self.walk);
        let placement = &placed.placement;
        let mask = outer.map_or(u32::MAX, |way| way.mask) & placement.get_mask();
        if !walk.sink.may_see(mask) {
            return Some(walk.sink.t_limit());
        }
        let own = placement.matrix();
        let way = Way {
            outer,
            number,
            own,
            whole: OnceCell::new(),
            mask,
            is_reversed: outer.is_some_and(|way| way.is_reversed) != placement.is_reversed(),
            ray: self.ray.and_then(|ray| {
                let t_min = if entry > ray.t_min { entry } else { ray.t_min };
                match (outer, placement.object()) {
                    (None, SceneObject::Scene(_)) => {
                        let ray = granted(ray, placed);
                        placed.inverse.map(&ray, own.translation(), t_min)
                    }
                    _ => placed.inverse.map(ray, own.translation(), t_min),
                }
            }),
        };
        match placement.object() {
            SceneObject::Scene(scene) => walk.scene(scene, Some(&way), way.ray.as_ref()),
            SceneObject::Mesh(bvh) => walk.mesh(bvh, &way),
        }
    }
}

/// Returns a ray in the world with the error of matrices that are composed below a placement.
fn granted(ray: &MappedRay, placed: &Placed) -> MappedRay {
    let reach = placed.reach().into_iter().fold(0.0, f64::max);
    MappedRay {
        origin_error: ray.origin_error + reach * (8.0 * f64::EPSILON),
        ..*ray
    }
}

impl<W: WorldSink> Walk<'_, W> {
    /// Offers what the ray may hit in the world, nearer boxes first.
    pub(crate) fn world(&mut self, scene: &SceneSnapshot) {
        let ray = MappedRay {
            origin: self.line.origin,
            dir: self.line.dir,
            origin_error: 0.0,
            dir_error: 0.0,
            start: 0.0,
            t_min: self.t_min,
        };
        self.scene(scene, None, Some(&ray));
    }

    fn scene(
        &mut self,
        scene: &SceneSnapshot,
        way: Option<&Way<'_>>,
        ray: Option<&MappedRay>,
    ) -> Visited {
        let own = self.ray.filter(|_| way.is_none());
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = SceneSink {
            walk: self,
            scene,
            way,
            ray,
        };
        if let Some(ray) = ray
            && let Some(visited) = scene.tree.visit(ray, own, t_limit, &mut sink)
        {
            return visited;
        }
        let boxes = WideBoxTest::new(&line, t_min);
        let enter = |of: WideBounds, t_limit: f64| {
            let of = WideBox::of(of);
            let world = match way {
                None => of,
                Some(way) => of.image(way.matrix(), Some(scene.reach())),
            };
            boxes.enter(&world, t_limit)
        };
        scene.tree.visit_by_boxes(&enter, t_limit, &mut sink)
    }

    fn mesh(&mut self, mesh: &Bvh, way: &Way<'_>) -> Visited {
        let (line, t_min, t_limit) = (self.line, self.t_min, self.sink.t_limit());
        let mut sink = PlacedSink {
            sink: &mut *self.sink,
            way,
            mesh,
        };
        if let Some(ray) = &way.ray
            && let Some(visited) = mesh.visit_mapped(ray, t_limit, &mut sink)
        {
            return visited;
        }
        let boxes = WideBoxTest::new(&line, t_min);
        let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
            let [min, max] = [min, max].map(|p| p.map(f64::from));
            let world = WideBox { min, max }.image(way.matrix(), None);
            boxes.enter(&world, t_limit)
        };
        mesh.visit_boxes(&enter, t_limit, &mut sink)
    }
}
