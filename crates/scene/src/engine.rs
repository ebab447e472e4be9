//! Queries on scenes.

use crate::bundle_walk::{visit_in_bundles, visit_in_tiles};
use crate::mesh_sink::skipped;
use crate::near_walk::visit_near;
use crate::snapshot::{SceneObject, SceneSnapshot};
use crate::walk::Walk;
use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_bvh::object_space::FirstPlaced;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::DVec3;
use estoc_core::{
    All, Collector, Crossings, Delegate, Engine, Hit, Masks, MeshEngine, NearEngine, ObjectRay,
    PlacedPrimitive, PlacedShape, PlacedTriangle, PlacedUserHit, PlacementMatrix, PointCollector,
    PointQuery, PrimId, QueryOptions, Queue, Ray, Ray64, RayEngine, RayKind, RayQuery, RayTest,
    SceneHit, ScenePath, ScenePrim, ShapeEnd, Technique, TechniqueCounts, Triangle64, Unmasked,
    UserHit, Want, WorldLine, any_visited, closest_visited, one_by_one, sort_compactly,
};

impl Engine for SceneSnapshot {
    type Primitive = PlacedPrimitive;

    fn primitive_count(&self) -> usize {
        self.triangle_count().saturating_add(self.shape_count())
    }

    fn primitive(&self, id: ScenePrim) -> Option<PlacedPrimitive> {
        let (mut mask, mut is_reversed) = (u32::MAX, false);
        let object = self.follow(id.path, |placement| {
            mask &= placement.get_mask();
            is_reversed ^= placement.is_reversed();
        })?;
        let matrix = self.matrix(id.path)?;
        let placed = |triangle: Triangle64, own: u32| {
            PlacedPrimitive::Triangle(PlacedTriangle {
                triangle,
                matrix,
                mask: mask & own,
                reversed: is_reversed,
            })
        };
        Some(match (object, id.end) {
            (SceneObject::Mesh(mesh), None) => {
                placed(mesh.triangle(id.prim)?.into(), mesh.mask_of(id.prim))
            }
            (SceneObject::Mesh64(mesh), None) => {
                placed(mesh.triangle(id.prim)?, mesh.mask_of(id.prim))
            }
            (SceneObject::Shapes(shapes), Some(ShapeEnd::Entry | ShapeEnd::Exit)) => {
                PlacedPrimitive::Shape(PlacedShape {
                    shape: *shapes.get(id.prim)?,
                    matrix,
                    mask,
                })
            }
            _ => return None,
        })
    }

    fn primitive_on(&self, ray: &PreparedRay<'_>, id: ScenePrim) -> Option<PlacedPrimitive> {
        self.primitive_met(ray, id)
    }

    /// Returns whether all objects are closed.
    fn is_closed(&self) -> bool {
        self.solids().open == 0
    }

    /// Objects may overlap, unless there is one mesh that is placed where it is.
    fn is_one_solid(&self) -> bool {
        self.sole().is_some()
    }

    fn encloses(&self, point: DVec3) -> Option<bool> {
        let solids = self.solids();
        if solids.closed == 0 && solids.open > 0 {
            return None;
        }
        Some(solids.closed > 0 && self.is_inside(point))
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, PlacedPrimitive>) {
        visit(self, ray, Some(ray), collector);
    }

    // A scene that is one mesh where it is costs no more than the mesh.

    fn visit_many(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, PlacedPrimitive>,
    ) -> TechniqueCounts {
        let by_mesh = self
            .sole()
            .and_then(|(path, bvh)| queue.delegate(bvh, technique, &Sole(path)));
        by_mesh.unwrap_or_else(|| match (technique, queue.want()) {
            _ if !Technique::HAS_OTHERS => one_by_one(self, queue),
            _ if !self.has_kernels() || !self.world.tree.has_bundles() => one_by_one(self, queue),
            (Technique::Packets, Want::First | Want::Any) => visit_in_tiles(self, queue),
            (Technique::Bundles, Want::First | Want::Any) => visit_in_bundles(self, None, queue),
            _ => one_by_one(self, queue),
        })
    }

    /// Counts the meshes of some of the placements only: of many, most have the same.
    fn query_bytes(&self) -> usize {
        match self.sole() {
            Some((_, bvh)) => bvh.query_bytes(),
            None => self.bytes(),
        }
    }

    fn closest(&self, ray: &Ray, skip: Option<ScenePrim>) -> Option<SceneHit> {
        let Some((path, bvh)) = self.sole() else {
            return match self.closest_placed(ray, skip) {
                Some(found) => self.first_of(ray, found),
                None => closest_visited(self, ray, skip),
            };
        };
        let sole = Sole(path);
        let hit = bvh.closest(ray, skip.and_then(|skip| sole.id(skip)))?;
        Some(sole.hit(&hit))
    }

    fn any(&self, ray: &Ray, skip: Option<ScenePrim>) -> bool {
        match self.sole() {
            Some((path, bvh)) => bvh.any(ray, skip.and_then(|skip| Sole(path).id(skip))),
            None => {
                let known = self.any_placed(ray, skip);
                known.unwrap_or_else(|| any_visited(self, ray, skip))
            }
        }
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks_of_all()
    }
}

/// Names triangles of the mesh on this path.
struct Sole(ScenePath);

impl Delegate<PlacedPrimitive, Bvh> for Sole {
    fn id(&self, id: ScenePrim) -> Option<PrimId> {
        (id.path == self.0 && id.end.is_none()).then_some(id.prim)
    }

    fn hit(&self, hit: &Hit) -> SceneHit {
        SceneHit::triangle(self.0, *hit)
    }
}

impl RayEngine<Ray64> for SceneSnapshot {
    fn visit_on(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        collector: &mut Collector<'_, PlacedPrimitive, Ray64>,
    ) {
        visit(self, ray, None, collector);
    }

    fn primitive_for(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        id: ScenePrim,
    ) -> Option<PlacedPrimitive> {
        self.primitive_met(ray, id)
    }

    fn closest_on(&self, ray: &Ray64, skip: Option<ScenePrim>) -> Option<SceneHit> {
        let skipped = skip.as_ref().and_then(skipped);
        let found = (self.has_kernels()).then(|| self.world.closest_64(ray, skipped));
        match found.flatten() {
            Some(found) => self.first_of(ray, found),
            None => closest_visited(self, ray, skip),
        }
    }

    fn any_on(&self, ray: &Ray64, skip: Option<ScenePrim>) -> bool {
        let skipped = skip.as_ref().and_then(skipped);
        let known = (self.has_kernels()).then(|| self.world.any_64(ray, skipped));
        known
            .flatten()
            .unwrap_or_else(|| any_visited(self, ray, skip))
    }
}

impl NearEngine<DVec3> for SceneSnapshot {
    fn visit_near(&self, collector: &mut PointCollector<DVec3, PlacedTriangle>) {
        // A mesh that is where it is finds its closest triangle itself, for a point in `f32`.
        let narrow = collector.point().as_vec3();
        match self.sole() {
            Some((path, bvh))
                if collector.wants_closest() && narrow.as_dvec3() == collector.point() =>
            {
                let found = bvh.closest_point_within(narrow, collector.radius());
                let triangle =
                    found.and_then(|found| Some((found.prim, bvh.triangle(found.prim)?)));
                if let Some((prim, triangle)) = triangle {
                    let placed = PlacedTriangle::new(triangle, PlacementMatrix::IDENTITY);
                    // The collector may break, as there is nothing more to come.
                    let _ = collector.offer(ScenePrim::triangle(path, prim), &placed);
                }
            }
            _ => visit_near(self, collector),
        }
    }
}

/// Offers what a ray may hit. `narrow` is the ray if it is one in `f32`.
fn visit<R: RayKind>(
    scene: &SceneSnapshot,
    ray: &PreparedRay<'_, R>,
    narrow: Option<&PreparedRay<'_>>,
    collector: &mut Collector<'_, PlacedPrimitive, R>,
) {
    let mut walk = Walk {
        line: WorldLine::of(ray),
        t_min: ray.t_min(),
        ray: narrow,
        sink: collector,
    };
    walk.world(scene);
}

impl SceneSnapshot {
    /// Returns the first hit if kernels of placed meshes are certain of it.
    fn closest_placed(&self, ray: &Ray, skip: Option<ScenePrim>) -> Option<Option<FirstPlaced>> {
        let skip = skip.as_ref().and_then(skipped);
        self.has_kernels().then(|| self.world.closest(ray, skip))?
    }

    /// Returns whether there is a hit if kernels of placed meshes are certain of that.
    fn any_placed(&self, ray: &Ray, skip: Option<ScenePrim>) -> Option<bool> {
        let skip = skip.as_ref().and_then(skipped);
        self.has_kernels().then(|| self.world.any(ray, skip))?
    }

    /// Returns what is known to be the first hit, certified if the rounding of its numbers is open.
    #[inline(always)]
    pub(crate) fn first_of<R>(&self, ray: &R, found: Option<FirstPlaced>) -> Option<SceneHit>
    where
        R: RayKind,
        PlacedPrimitive: RayTest<R>,
    {
        let FirstPlaced { path, hit } = found?;
        match hit {
            Ok(hit) => Some(SceneHit::triangle(path, hit)),
            Err(prim) => self.certified(ray, ScenePrim::triangle(path, prim)),
        }
    }

    #[cold]
    #[inline(never)]
    fn certified<R>(&self, ray: &R, id: ScenePrim) -> Option<SceneHit>
    where
        R: RayKind,
        PlacedPrimitive: RayTest<R>,
    {
        let (ray, options) = (PreparedRay::new(ray)?, QueryOptions::default());
        let mut collector = Collector::first(ray, &options, None);
        let _ = collector.offer(id, &self.primitive(id)?);
        collector.first_found()
    }

    /// Returns a primitive as a ray meets it.
    fn primitive_met<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
    ) -> Option<PlacedPrimitive> {
        let reported = self.reported(&WorldLine::of(ray), id);
        reported.or_else(|| self.primitive(id))
    }

    /// Returns a hit that a primitive of the user reports; one that is never hit if it does not report so
    /// many.
    fn reported(&self, line: &WorldLine, id: ScenePrim) -> Option<PlacedPrimitive> {
        let Some(ShapeEnd::Nth(wanted)) = id.end else {
            return None;
        };
        let mut mask = u32::MAX;
        let object = self.follow(id.path, |placement| mask &= placement.get_mask())?;
        let SceneObject::User(shapes) = object else {
            return None;
        };
        if id.prim.index() >= shapes.len() {
            return None;
        }
        let mut found = UserHit::entry(f64::NAN);
        if let Some(ray) = ObjectRay::of(line, &self.matrix(id.path)?) {
            let _ = shapes.visit(id.prim, &ray, |number, hit| {
                if number == wanted {
                    found = hit;
                }
                ControlFlow::Continue(())
            });
        }
        Some(PlacedPrimitive::User(PlacedUserHit { hit: found, mask }))
    }

    /// Returns whether what was hit encloses an inside.
    fn is_solid(&self, hit: &SceneHit) -> bool {
        match (self.object(hit.path), hit.end) {
            (Some(SceneObject::User(shapes)), _) => shapes.is_closed(),
            (Some(SceneObject::Mesh(mesh)), None) => mesh.is_closed(),
            (Some(SceneObject::Mesh64(mesh)), None) => mesh.is_closed(),
            (_, end) => end.is_some(),
        }
    }

    /// Returns whether a point is on a closed object or inside one: an odd number of crossings with it
    /// in the direction +x. Each shape, of a list or of the user, is an object of its own.
    fn is_inside(&self, point: DVec3) -> bool {
        let is_closed = |hit: &&SceneHit| self.is_solid(hit);
        let is_on_surface = DVec3::AXES.iter().any(|&axis| {
            let here = Ray64::new(point, axis).with_interval(0.0, 0.0);
            self.ask(Unmasked(All), &here)
                .iter()
                .any(|hit| is_closed(&hit))
        });
        if is_on_surface {
            return true;
        }
        let crossings = self.ask(Unmasked(Crossings), &Ray64::new(point, DVec3::X));
        let closed = crossings.iter().filter(is_closed);
        let object_of = |hit: &SceneHit| (hit.path, hit.end.map(|_| hit.prim));
        let mut crossed: Vec<(ScenePath, Option<PrimId>)> = closed.map(object_of).collect();
        sort_compactly(&mut crossed, Ord::cmp);
        let mut objects = crossed.chunk_by(|a, b| a == b);
        objects.any(|crossings| crossings.len() % 2 == 1)
    }
}
