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

use crate::ShapeList;
use crate::placed_sink::{MeshPlace, PlacedSink, WorldSink};
use crate::shape_sink::ShapeSink;
use crate::snapshot::{Placed, SceneObject, SceneSnapshot, composed};
use crate::world_box::{WideBox, WideBoxTest};
use core::cell::OnceCell;
use core::ops::ControlFlow;
use estoc_bvh::{Bvh, ItemSink, MappedRay, WideBounds};
use estoc_core::exact::PreparedRay;
use estoc_core::{Engine, PlacementMatrix, ScenePath, WorldLine};

/// A ray under way.
pub(crate) struct Walk<'a, W> {
    pub(crate) line: WorldLine,
    pub(crate) t_min: f64,
    /// The ray, if it is one in `f32`.
    pub(crate) ray: Option<&'a PreparedRay<'a>>,
    pub(crate) sink: &'a mut W,
}

/// What the placements from the world down to a scene or a mesh amount to.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// `None` for the world itself.
    chain: Option<&'a Chain<'a>>,
    path: ScenePath,
    mask: u32,
    is_reversed: bool,
    /// `None` if the ray cannot be mapped.
    ray: Option<MappedRay>,
}

/// The matrices from the world down to an object's space.
pub(crate) struct Chain<'a> {
    outer: Option<&'a Chain<'a>>,
    own: &'a PlacementMatrix,
    /// Composed when it is needed: few of the boxes that a ray meets have a triangle that it may hit.
    whole: OnceCell<PlacementMatrix>,
}

impl Chain<'_> {
    #[inline]
    pub(crate) fn matrix(&self) -> &PlacementMatrix {
        match self.outer {
            None => self.own,
            Some(outer) => self
                .whole
                .get_or_init(|| composed(outer.matrix(), self.own)),
        }
    }
}

/// Goes on with the placements of a scene.
struct SceneSink<'w, 'a, W> {
    walk: &'w mut Walk<'a, W>,
    scene: &'w SceneSnapshot,
    way: &'w Way<'w>,
}

impl<W: WorldSink> ItemSink for SceneSink<'_, '_, W> {
    fn t_limit(&self) -> f64 {
        self.walk.sink.t_limit()
    }

    fn enter(&mut self, number: u32, entry: f64) -> ControlFlow<()> {
        let placed = self.scene.placed_at(number);
        let placed = placed.expect("the tree has the numbers of placements");
        self.walk.placement(number, placed, self.way, entry)
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
        let way = Way {
            chain: None,
            path: ScenePath::ROOT,
            mask: u32::MAX,
            is_reversed: false,
            ray: Some(ray),
        };
        let _ = self.scene(scene, &way);
    }

    fn scene(&mut self, scene: &SceneSnapshot, way: &Way<'_>) -> ControlFlow<()> {
        let own = self.ray.filter(|_| way.chain.is_none());
        let boxes = WideBoxTest::new(&self.line, self.t_min);
        let mut sink = SceneSink {
            walk: self,
            scene,
            way,
        };
        if let Some(mapped) = &way.ray
            && let Some(visited) = scene.tree.visit(mapped, own, &mut sink)
        {
            return visited;
        }
        let enter = |of: WideBounds, t_limit: f64| {
            let of = WideBox::of(of);
            let world = match way.chain {
                None => of,
                Some(chain) => of.image(chain.matrix(), Some(scene.reach())),
            };
            boxes.enter(&world, t_limit)
        };
        scene.tree.visit_by_boxes(&enter, &mut sink)
    }

    fn placement(
        &mut self,
        number: u32,
        placed: &Placed,
        way: &Way<'_>,
        entry: f64,
    ) -> ControlFlow<()> {
        let placement = &placed.placement;
        let mask = way.mask & placement.get_mask();
        if !self.sink.may_see(mask) {
            return ControlFlow::Continue(());
        }
        let object = placement.object();
        let mut ray = way.ray;
        if let (Some(ray), None, SceneObject::Scene(_)) = (&mut ray, way.chain, object) {
            let reach = placed.reach().into_iter().fold(0.0, f64::max);
            ray.origin_error += reach * (8.0 * f64::EPSILON);
        }
        let matrix = placement.matrix();
        let ray = ray.and_then(|ray| {
            let t_min = ray.t_min.max(entry);
            placed.inverse.map(&ray, matrix.translation(), t_min)
        });
        let chain = Chain {
            outer: way.chain,
            own: matrix,
            whole: OnceCell::new(),
        };
        let way = Way {
            chain: Some(&chain),
            path: way.path.then(number).expect("as deep as was checked"),
            mask,
            is_reversed: way.is_reversed != placement.is_reversed(),
            ray,
        };
        match object {
            SceneObject::Scene(scene) => self.scene(scene, &way),
            SceneObject::Mesh(bvh) => self.mesh(bvh, &chain, &way),
            SceneObject::Shapes(shapes) => self.shapes(shapes, &chain, &way),
        }
    }

    fn shapes(&mut self, shapes: &ShapeList, chain: &Chain<'_>, way: &Way<'_>) -> ControlFlow<()> {
        let mut sink = ShapeSink {
            sink: &mut *self.sink,
            shapes,
            chain,
            path: way.path,
            mask: way.mask,
        };
        if let Some(mapped) = &way.ray
            && let Some(visited) = shapes.tree.visit(mapped, None, &mut sink)
        {
            return visited;
        }
        let boxes = WideBoxTest::new(&self.line, self.t_min);
        let enter = |of: WideBounds, t_limit: f64| {
            let world = WideBox::of(of).image(chain.matrix(), None);
            boxes.enter(&world, t_limit)
        };
        shapes.tree.visit_by_boxes(&enter, &mut sink)
    }

    fn mesh(&mut self, bvh: &Bvh, chain: &Chain<'_>, way: &Way<'_>) -> ControlFlow<()> {
        let mut sink = PlacedSink {
            sink: &mut *self.sink,
            chain,
            place: MeshPlace {
                path: way.path,
                mask: way.mask,
                is_reversed: way.is_reversed,
                masks: bvh.masks(),
            },
            is_done: false,
        };
        let is_fit = { way.ray }.is_some_and(|ray| bvh.visit_mapped(&ray, &mut sink));
        if !is_fit {
            let boxes = WideBoxTest::new(&self.line, self.t_min);
            let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
                let [min, max] = [min, max].map(|p| p.map(f64::from));
                let world = WideBox { min, max }.image(chain.matrix(), None);
                boxes.enter(&world, t_limit)
            };
            bvh.visit_boxes(&enter, &mut sink);
        }
        match sink.is_done {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
