//! User geometry: primitives that callbacks of the host intersect.

use crate::abi::{
    Aligned, Bounds, BoundsArguments, Callback, FilterArguments, Hits, INVALID, QueryContext,
    RayHits, Rays, UserArguments,
};
use crate::call::call;
use crate::failure::{Failure, invalid_argument, invalid_operation, out_of_memory};
use crate::host_mode::callback;
use crate::host_pointer::{exchange, read};
use crate::scene::geometry::{Callbacks, Geometry};
use crate::scene::world::Instance;
use crate::scoped::scoped;
use estoc_core::glam::DVec3;
use estoc_core::{ObjectRay, PrimId, UserHit};
use estoc_scene::{UserGeometry, UserShapes, UserShapesError};
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::Arc;

/// A user geometry in a scene, or in an instance of it.
pub(crate) struct UserShape {
    pub(crate) id: u32,
    pub(crate) geometry: Arc<Geometry>,
    pub(crate) callbacks: Callbacks,
    pub(crate) mask: u32,
    /// The boxes of the primitives, in the space of the geometry; that of an empty one is not ordered.
    pub(crate) boxes: Arc<[[DVec3; 2]]>,
    pub(crate) shapes: Arc<UserShapes>,
}

/// What the scene asks.
struct Adapter {
    id: u32,
    geometry: Arc<Geometry>,
    callbacks: Callbacks,
    boxes: Arc<[[DVec3; 2]]>,
    /// The ids of the instance, if it is in one.
    context: Option<QueryContext>,
}

impl UserShape {
    pub(crate) fn of(id: u32, geometry: &Arc<Geometry>) -> Result<Self, Failure> {
        let settings = geometry.settings().clone();
        let count = settings.user_count;
        if settings.bounds.is_none() && count > 0 {
            return Err(invalid_operation(format!(
                "user geometry {id} has no function for its bounds; call rtcSetGeometryBoundsFunction"
            )));
        }
        let mut boxes = Vec::new();
        boxes.try_reserve_exact(count as usize).map_err(|_| {
            out_of_memory(format!(
                "not enough memory for the boxes of {count} user primitives"
            ))
        })?;
        for prim in 0..count {
            let mut bounds_of = Bounds {
                lower: [0.0; 4],
                upper: [0.0; 4],
            };
            let arguments = BoundsArguments {
                user: geometry.user(),
                prim,
                time_step: 0,
                bounds: &raw mut bounds_of,
            };
            if let Some(bounds) = settings.bounds {
                callback(|| bounds(&raw const arguments));
            }
            let corner = |[x, y, z, _]: [f32; 4]| DVec3::new(x.into(), y.into(), z.into());
            let [lower, upper] = [corner(bounds_of.lower), corner(bounds_of.upper)];
            // One with a NaN is empty.
            let is_known = !lower.is_nan() && !upper.is_nan();
            boxes.push(if is_known {
                [lower, upper]
            } else {
                [DVec3::ONE, DVec3::ZERO]
            });
        }
        let adapter = Adapter {
            id,
            geometry: geometry.clone(),
            callbacks: settings.callbacks,
            boxes: boxes.into(),
            context: None,
        };
        adapter.shape(settings.mask)
    }

    /// Returns the same in an instance.
    pub(crate) fn placed(&self, instance: &Instance) -> Result<Self, Failure> {
        let adapter = Adapter {
            id: self.id,
            geometry: self.geometry.clone(),
            callbacks: self.callbacks,
            boxes: self.boxes.clone(),
            context: Some(Instance::context(Some(instance), QueryContext::NONE)),
        };
        adapter.shape(self.mask)
    }
}

/// The query that runs on this thread, for callbacks.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    /// The ray in the world.
    pub(crate) ray: Rays<1>,
    pub(crate) asked: Asked,
}

/// What of a query's arguments concerns hits.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) context: *mut QueryContext,
    /// The filter among the arguments, and whether it is for all geometries.
    pub(crate) filter: Option<(Callback<FilterArguments>, bool)>,
    pub(crate) goal: Goal,
}

impl Asked {
    /// Returns the ids that the host's context has: those of an instance by hand.
    pub(crate) fn ids(&self) -> QueryContext {
        read(self.context.cast_const()).unwrap_or(QueryContext::NONE)
    }
}

/// What is asked, with the callback among the query's arguments, which is called instead of that of the geometry.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    Intersect(Option<Callback<UserArguments<RayHits<1>>>>),
    Occluded(Option<Callback<UserArguments<Rays<1>>>>),
}

/// What a callback found on a primitive.
struct Report {
    id: u32,
    prim: u32,
    context: QueryContext,
    hit: RayHits<1>,
}

thread_local! {
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    static REPORTS: Cell<Vec<Report>> = const { Cell::new(Vec::new()) };
    /// The callbacks of the geometry whose callback runs.
    static CALLED: Cell<Callbacks> = const { Cell::new(Callbacks::NONE) };
}

/// Runs a query, which its callbacks can look up. They may run queries in turn.
pub(crate) fn running<T>(query: Running, work: impl FnOnce() -> T) -> T {
    scoped(&RUNNING, Some(query), || scoped(&REPORTS, Vec::new(), work))
}

/// Returns the query that runs on this thread.
pub(crate) fn current() -> Option<Running> {
    RUNNING.get()
}

/// Returns what a callback found on a primitive in the query that runs.
pub(crate) fn report_of(id: u32, prim: u32, context: QueryContext) -> Option<RayHits<1>> {
    let reports = REPORTS.take();
    let found = reports
        .iter()
        .find(|report| (report.id, report.prim, report.context) == (id, prim, context));
    let found = found.map(|report| report.hit);
    REPORTS.set(reports);
    found
}

impl Adapter {
    /// Returns the shape, with a tree over the boxes.
    fn shape(self, mask: u32) -> Result<UserShape, Failure> {
        let (id, geometry, callbacks) = (self.id, self.geometry.clone(), self.callbacks);
        let boxes = self.boxes.clone();
        let shapes = UserShapes::try_new(self).map_err(|error| match error {
            UserShapesError::NoMemory { .. } => out_of_memory(error.to_string()),
            _ => invalid_argument(error.to_string()),
        })?;
        Ok(UserShape {
            id,
            geometry,
            callbacks,
            mask,
            boxes,
            shapes: Arc::new(shapes),
        })
    }

    /// Calls a callback about a ray, with the ids of the instance. Returns whether it left the ray valid.
    fn ask<T>(
        &self,
        (prim, context): (PrimId, QueryContext),
        function: Option<Callback<UserArguments<T>>>,
        running: &Running,
        ray: *mut T,
    ) -> bool {
        let Some(function) = function else {
            return false;
        };
        let mut own = QueryContext::NONE;
        let given = running.asked.context;
        let at = if given.is_null() { &raw mut own } else { given };
        let mut valid: c_int = -1;
        let arguments = UserArguments {
            valid: &raw mut valid,
            user: self.geometry.user(),
            prim: prim.get(),
            context: at,
            ray,
            n: 1,
            geometry: self.id,
        };
        let outer = exchange(at, context);
        scoped(&CALLED, self.callbacks, || {
            callback(|| function(&raw const arguments))
        });
        exchange(at, outer);
        valid != 0
    }
}

impl UserGeometry for Adapter {
    fn primitive_count(&self) -> usize {
        self.boxes.len()
    }

    fn bounds(&self, prim: PrimId) -> [DVec3; 2] {
        self.boxes[prim.index()]
    }

    /// Reports the hit that the callback finds within the interval of the query that runs.
    fn hits(&self, prim: PrimId, ray: &ObjectRay, report: &mut dyn FnMut(UserHit)) {
        let Some(running) = RUNNING.get() else {
            return;
        };
        let lanes = |v: DVec3| v.as_vec3().to_array().map(|x| [x]);
        let ray = Rays {
            origin: lanes(ray.origin),
            dir: lanes(ray.dir),
            ..running.ray
        };
        let context = self.context.unwrap_or_else(|| running.asked.ids());
        let [tnear, tfar] = [ray.tnear[0], ray.tfar[0]];
        match running.asked.goal {
            Goal::Intersect(function) => {
                let mut hit = Aligned(RayHits {
                    ray,
                    hit: Hits::NONE,
                });
                let function = function.or(self.callbacks.intersect);
                let is_valid = self.ask((prim, context), function, &running, hit.lent());
                let hit = hit.0;
                if is_valid && (hit.hit.geometry[0] != INVALID || hit.ray.tfar[0] < tfar) {
                    report(UserHit::entry(hit.ray.tfar[0].into()));
                    let mut reports = REPORTS.take();
                    let (id, prim) = (self.id, prim.get());
                    reports.push(Report {
                        id,
                        prim,
                        context,
                        hit,
                    });
                    REPORTS.set(reports);
                }
            }
            Goal::Occluded(function) => {
                let mut ray = Aligned(ray);
                let function = function.or(self.callbacks.occluded);
                let is_valid = self.ask((prim, context), function, &running, ray.lent());
                if is_valid && ray.0.tfar[0] == f32::NEG_INFINITY {
                    // Any parameter of the interval will do.
                    report(UserHit::entry(tnear.max(f32::MIN).into()));
                }
            }
        }
    }
}

fn invoke(
    filter: fn(Callbacks) -> Option<Callback<FilterArguments>>,
    arguments: *const FilterArguments,
) {
    call(None, (), || {
        if let Some(filter) = filter(CALLED.get()) {
            callback(|| filter(arguments));
        }
        Ok(())
    });
}

/// Calls the filter of the geometry whose callback calls this.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcInvokeIntersectFilterFromGeometry(
    _: *const UserArguments<RayHits<1>>,
    arguments: *const FilterArguments,
) {
    invoke(|callbacks| callbacks.intersect_filter, arguments);
}

/// Calls the filter of the geometry whose callback calls this.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcInvokeOccludedFilterFromGeometry(
    _: *const UserArguments<Rays<1>>,
    arguments: *const FilterArguments,
) {
    invoke(|callbacks| callbacks.occluded_filter, arguments);
}
