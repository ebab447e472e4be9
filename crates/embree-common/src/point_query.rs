//! Point queries: callbacks about what is near a point.

use crate::abi::{Aligned, PointQuery, PointQueryArguments, PointQueryContext, PointQueryFunction};
use crate::call::call;
use crate::handle::Handle;
use crate::host_mode::callback;
use crate::host_pointer::read_at;
use crate::scene::Scene;
use crate::scene::user_shape::UserShape;
use crate::scene::world::{Engine, Object, World};
use crate::transform::Transform;
use estoc_core::glam::DVec3;
use estoc_core::{PointQuery as _, PrimId};
use std::collections::HashSet;
use std::ffi::{c_int, c_void};

/// A query with its callbacks. There is one call back about each primitive.
struct Asking<'a, const P: usize> {
    world: &'a World,
    query: &'a mut PointQuery<1>,
    context: &'a mut PointQueryContext<P>,
    function: Option<PointQueryFunction>,
    user: *mut c_void,
    called: HashSet<(usize, u32, u32)>,
    /// The point in the scene's space: that of the instance by hand whose transformation the context has, or the world.
    point: DVec3,
    /// What distances in the world are multiplied by, at most, in that space, and the factor if it is the same for all.
    scale: f32,
    similarity: f32,
    has_changed: bool,
}

impl<const P: usize> Asking<'_, P> {
    fn radius(&self) -> f32 {
        self.query.radius[0] * self.scale
    }

    /// Calls back about a triangle of a part.
    fn call_on(&mut self, number: usize, prim: PrimId) {
        let Object::Mesh(surface) = &self.world.parts[number].object else {
            return;
        };
        let (of, triangle) = surface.place(prim);
        self.call_back((number, of.id, of.prim(triangle)), of.callbacks.point_query);
    }

    /// Calls back about a primitive: the number of the part, the geometry's id and the primitive's.
    fn call_back(&mut self, of: (usize, u32, u32), own: Option<PointQueryFunction>) {
        let (number, geometry, prim) = of;
        if !self.called.insert(of) {
            return;
        }
        let mut similarity_scale = self.similarity;
        let context = &*self.context;
        let outer = (context.depth, context.instance, context.instance_prim);
        if let Some(instance) = &self.world.parts[number].instance {
            let inverse = instance.transform.inverse().unwrap_or(Transform::IDENTITY);
            similarity_scale = inverse.similarity();
            self.context.world_to_instance = inverse.columns();
            self.context.instance_to_world = instance.transform.columns();
            self.context.instance = instance.id;
            self.context.instance_prim = [instance.prim; P];
            self.context.depth = 1;
        }
        for function in [self.function, own].into_iter().flatten() {
            let mut arguments = PointQueryArguments {
                query: &raw mut *self.query,
                user: self.user,
                prim,
                geometry,
                context: (&raw mut *self.context).cast(),
                similarity_scale,
            };
            self.has_changed |= callback(|| function(&raw mut arguments));
        }
        let context = &mut *self.context;
        (context.depth, context.instance, context.instance_prim) = outer;
    }

    /// Calls back about user primitives whose boxes are near.
    fn call_user(&mut self, number: usize, shape: &UserShape) {
        let map = self.world.parts[number]
            .instance
            .map_or(Transform::IDENTITY, |instance| instance.transform);
        let point = self.point;
        for (prim, &[lower, upper]) in shape.boxes.iter().enumerate() {
            if !lower.cmple(upper).all() {
                continue;
            }
            // The box in the world around the eight corners.
            let corners = (0..8).map(|corner| {
                let side = |axis: usize| {
                    if corner >> axis & 1 == 0 {
                        lower[axis]
                    } else {
                        upper[axis]
                    }
                };
                DVec3::from(map.apply([side(0), side(1), side(2)], true))
            });
            let (min, max) = corners.fold(
                (DVec3::INFINITY, DVec3::NEG_INFINITY),
                |(min, max), corner| (min.min(corner), max.max(corner)),
            );
            if point.clamp(min, max).distance(point) <= f64::from(self.radius()) {
                self.call_back((number, shape.id, prim as u32), shape.callbacks.point_query);
            }
        }
    }

    /// Calls back about the nearest triangle, then about those within the radius that it leaves. Where it leaves the
    /// radius as it was, about more and more of the nearest ones, since a later callback may shrink it.
    fn call_near(
        &mut self,
        nearest: impl Fn(usize) -> Vec<(f32, (usize, PrimId))>,
        within: impl Fn(f32) -> Vec<(usize, PrimId)>,
    ) {
        let (mut k, mut done) = (1, 0);
        loop {
            let found = nearest(k);
            for &(distance, (number, prim)) in &found[done.min(found.len())..] {
                let radius = self.radius();
                // In this form NaN ends it, too.
                let is_near = distance <= radius;
                if !is_near {
                    return;
                }
                self.call_on(number, prim);
                if self.radius() < radius {
                    for (number, prim) in within(self.radius()) {
                        self.call_on(number, prim);
                    }
                    return;
                }
            }
            if found.len() < k {
                return;
            }
            (done, k) = (found.len(), k.saturating_mul(8));
        }
    }

    fn run(&mut self) {
        let world = self.world;
        let point = self.point.as_vec3();
        match &world.engine {
            Engine::Mesh(surface) => self.call_near(
                |k| {
                    let found = surface.bvh.closest_points(point, k);
                    found
                        .into_iter()
                        .map(|found| (found.distance, (0, found.prim)))
                        .collect()
                },
                |radius| {
                    surface
                        .bvh
                        .within(point, radius)
                        .into_iter()
                        .map(|prim| (0, prim))
                        .collect()
                },
            ),
            Engine::Placed(scene) => {
                let point = self.point;
                let number = |path: &[u32]| path.first().copied().unwrap_or(0) as usize;
                self.call_near(
                    |k| {
                        let found = scene.closest_points(point, k).into_iter();
                        found
                            .map(|found| {
                                (found.distance, (number(found.path.numbers()), found.prim))
                            })
                            .collect()
                    },
                    |radius| {
                        let found = scene.within(point, radius).into_iter();
                        found
                            .map(|id| (number(id.path.numbers()), id.prim))
                            .collect()
                    },
                );
            }
        }
        for (number, part) in world.parts.iter().enumerate() {
            if let Object::User(shape) = &part.object {
                self.call_user(number, shape);
            }
        }
    }
}

/// Runs a query. Returns whether a callback changed it.
pub fn point_query<const P: usize>(
    scene: Handle<Scene>,
    query: Option<&mut PointQuery<1>>,
    context: Option<&mut PointQueryContext<P>>,
    (function, user): (Option<PointQueryFunction>, *mut c_void),
) -> bool {
    call(scene.get().map(Scene::device), false, || {
        let (Some(world), Some(query)) = (scene.object()?.world(), query) else {
            return Ok(false);
        };
        let mut own = PointQueryContext::NONE;
        let context = context.unwrap_or(&mut own);
        let by_hand =
            (context.depth > 0).then(|| Transform::of_columns(&context.world_to_instance));
        let map = by_hand.unwrap_or(Transform::IDENTITY);
        let similarity = map.similarity();
        let mut asking = Asking {
            point: map.apply(query.point.map(|[x]| x.into()), true).into(),
            scale: if similarity > 0.0 {
                similarity
            } else {
                map.longest()
            },
            similarity,
            world,
            query,
            context,
            function,
            user,
            called: HashSet::new(),
            has_changed: false,
        };
        asking.run();
        Ok(asking.has_changed)
    })
}

/// Runs the queries of the active points of a packet.
pub fn packet<const N: usize, const P: usize>(
    valid: Option<&[c_int; N]>,
    scene: Handle<Scene>,
    queries: Option<&mut PointQuery<N>>,
    mut context: Option<&mut PointQueryContext<P>>,
    (function, users): (Option<PointQueryFunction>, *const *mut c_void),
) -> bool {
    let Some(queries) = queries else {
        return false;
    };
    let mut has_changed = false;
    for lane in (0..N).filter(|&lane| valid.is_none_or(|valid| valid[lane] != 0)) {
        let mut query = Aligned(PointQuery {
            point: queries.point.map(|axis| [axis[lane]]),
            time: [queries.time[lane]],
            radius: [queries.radius[lane]],
        });
        let user = read_at(users, lane).unwrap_or(std::ptr::null_mut());
        has_changed |= point_query(
            scene,
            Some(&mut query.0),
            context.as_deref_mut(),
            (function, user),
        );
        queries.radius[lane] = query.0.radius[0];
    }
    has_changed
}
