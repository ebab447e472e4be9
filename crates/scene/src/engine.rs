//! Queries on scenes.

use crate::placed_sink::{MeshPlace, SeenSink};
use crate::snapshot::SceneSnapshot;
use crate::walk::Walk;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{
    Collector, Engine, Masks, PlacedTriangle, Ray, Ray64, RayQuery, SceneHit, ScenePath, ScenePrim,
    Seen, WorldEngine, WorldLine,
};

impl Engine for SceneSnapshot {
    type Primitive = PlacedTriangle;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, id: ScenePrim) -> Option<PlacedTriangle> {
        let (mut mask, mut is_reversed) = (u32::MAX, false);
        let mesh = self.follow(id.path, |placement| {
            mask &= placement.get_mask();
            is_reversed ^= placement.is_reversed();
        })?;
        let place = MeshPlace {
            path: id.path,
            mask,
            is_reversed,
            masks: Engine::masks(&**mesh),
        };
        let matrix = self.matrix(id.path)?;
        Some(place.triangle(id.prim, mesh.triangle(id.prim)?, &matrix))
    }

    /// Returns whether all objects are closed.
    fn is_closed(&self) -> bool {
        self.solids().open == 0
    }

    /// Objects may overlap.
    fn is_one_solid(&self) -> bool {
        false
    }

    fn encloses(&self, point: Vec3) -> Option<bool> {
        let solids = self.solids();
        if solids.closed == 0 && solids.open > 0 {
            return None;
        }
        Some(solids.closed > 0 && self.is_inside(point))
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, PlacedTriangle>) {
        visit(self, ray, collector);
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks_of_all()
    }
}

impl WorldEngine for SceneSnapshot {
    fn visit_64<'r>(
        &self,
        ray: &'r Ray64,
        collector: &mut Collector<'_, Seen<'r, PlacedTriangle>>,
    ) {
        let mut walk = Walk {
            line: WorldLine::of_64(ray),
            t_min: ray.t_min.into(),
            ray: None,
            sink: &mut SeenSink { ray, collector },
        };
        walk.world(self);
    }
}

fn visit(
    scene: &SceneSnapshot,
    ray: &PreparedRay<'_>,
    collector: &mut Collector<'_, PlacedTriangle>,
) {
    let mut walk = Walk {
        line: WorldLine::of(ray),
        t_min: ray.t_min(),
        ray: Some(ray),
        sink: collector,
    };
    walk.world(scene);
}

impl SceneSnapshot {
    /// Returns whether a point is on a closed object or inside one: an odd number of crossings with it
    /// in the direction +x.
    fn is_inside(&self, point: Vec3) -> bool {
        let all = Unmasked(self);
        let is_closed = |hit: &&SceneHit| self.mesh(hit.path).is_some_and(Engine::is_closed);
        let is_on_surface = Vec3::AXES.iter().any(|&axis| {
            let here = Ray::new(point, axis).with_interval(0.0, 0.0);
            all.all_hits(&here).iter().any(|hit| is_closed(&hit))
        });
        if is_on_surface {
            return true;
        }
        let crossings = all.crossings(&Ray::new(point, Vec3::X));
        let closed = crossings.iter().filter(is_closed);
        let mut paths: Vec<ScenePath> = closed.map(|hit| hit.path).collect();
        paths.sort_unstable();
        let of_one_object = |a: &ScenePath, b: &ScenePath| a == b;
        let mut objects = paths.chunk_by(of_one_object);
        objects.any(|crossings| crossings.len() % 2 == 1)
    }
}

/// A scene in which every ray sees every triangle.
struct Unmasked<'a>(&'a SceneSnapshot);

impl Engine for Unmasked<'_> {
    type Primitive = PlacedTriangle;

    fn primitive_count(&self) -> usize {
        self.0.primitive_count()
    }

    fn primitive(&self, id: ScenePrim) -> Option<PlacedTriangle> {
        self.0.primitive(id)
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, PlacedTriangle>) {
        visit(self.0, ray, collector);
    }
}
