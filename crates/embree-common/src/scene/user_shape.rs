//! User geometry: primitives that callbacks of the host intersect.

use crate::abi::{
    Aligned, Bounds, BoundsArguments, Callback, FilterArguments, Hits, INVALID, InstanceIds,
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
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

/// A user geometry in a scene, or in an instance of it.
pub struct UserShape {
    pub id: u32,
    pub geometry: Arc<Geometry>,
    pub callbacks: Callbacks,
    pub mask: u32,
    /// The boxes of the primitives, in the space of the geometry; that of an empty one is not ordered.
    pub boxes: Arc<[[DVec3; 2]]>,
    pub shapes: Arc<UserShapes>,
}

/// What the scene asks.
struct Adapter {
    id: u32,
    geometry: Arc<Geometry>,
    callbacks: Callbacks,
    boxes: Arc<[[DVec3; 2]]>,
    /// The ids of the instance, if it is in one.
    context: Option<InstanceIds>,
}

impl UserShape {
    pub fn of(id: u32, geometry: &Arc<Geometry>) -> Result<Self, Failure> {
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
        let (callbacks, mask, boxes) = (settings.callbacks, settings.mask, Arc::from(boxes));
        let adapter = Adapter {
            id,
            geometry: geometry.clone(),
            callbacks,
            boxes: Arc::clone(&boxes),
            context: None,
        };
        let shapes = UserShapes::try_new(adapter).map_err(|error| match error {
            UserShapesError::NoMemory { .. } => out_of_memory(error.to_string()),
            _ => invalid_argument(error.to_string()),
        })?;
        Ok(UserShape {
            id,
            geometry: geometry.clone(),
            callbacks,
            mask,
            boxes,
            shapes: Arc::new(shapes),
        })
    }

    /// Returns the same in an instance, over the same tree.
    pub fn placed(&self, instance: &Instance) -> Self {
        let adapter = Adapter {
            id: self.id,
            geometry: self.geometry.clone(),
            callbacks: self.callbacks,
            boxes: self.boxes.clone(),
            context: Some(Instance::context(Some(instance), InstanceIds::NONE)),
        };
        UserShape {
            id: self.id,
            geometry: self.geometry.clone(),
            callbacks: self.callbacks,
            mask: self.mask,
            boxes: self.boxes.clone(),
            shapes: Arc::new(self.shapes.with_geometry(adapter)),
        }
    }
}

/// The query that runs on this thread, for callbacks.
#[derive(Clone, Copy)]
pub struct Running {
    /// The ray in the world.
    pub ray: Rays<1>,
    pub asked: Asked,
}

/// What of a query's arguments concerns hits.
#[derive(Clone, Copy)]
pub struct Asked {
    pub context: Context,
    /// The filter among the arguments, and whether it is for all geometries.
    pub filter: Option<(Callback<FilterArguments>, bool)>,
    pub goal: Goal,
}

/// The host's context of a query: what callbacks are lent, and where it has the ids of an instance, those of one by hand
/// before the query.
#[derive(Clone, Copy)]
pub struct Context {
    pub lent: *mut c_void,
    instance: *mut u32,
    /// Null in Embree 3.
    instance_prim: *mut u32,
}

impl Context {
    /// Returns a context that has an instance's id at `place`, in bytes, and its number in an array after that if `has_prim`.
    #[inline(always)]
    pub fn new<T>(context: *mut T, place: usize, has_prim: bool) -> Self {
        let instance = context.wrapping_byte_add(place).cast::<u32>();
        Context {
            lent: context.cast(),
            instance,
            instance_prim: match has_prim {
                true => instance.wrapping_add(1),
                false => null_mut(),
            },
        }
    }

    /// Returns the ids that it has.
    #[inline(always)]
    pub fn ids(self) -> InstanceIds {
        let of = |at: *mut u32| read(at.cast_const()).unwrap_or(INVALID);
        InstanceIds::of([of(self.instance), of(self.instance_prim)])
    }

    /// Sets the ids, and returns those that it had.
    pub fn exchange(self, ids: InstanceIds) -> InstanceIds {
        let outer = self.ids();
        exchange(self.instance, ids.instance);
        if !self.instance_prim.is_null() {
            exchange(self.instance_prim, ids.instance_prim);
        }
        outer
    }
}

/// What is asked, with the callback among the query's arguments, which is called instead of that of the geometry.
#[derive(Clone, Copy)]
pub enum Goal {
    Intersect(Option<Callback<UserArguments<RayHits<1>>>>),
    Occluded(Option<Callback<UserArguments<Rays<1>>>>),
}

/// What a callback found on a primitive.
struct Report {
    id: u32,
    prim: u32,
    context: InstanceIds,
    hit: RayHits<1>,
}

thread_local! {
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    static REPORTS: Cell<Vec<Report>> = const { Cell::new(Vec::new()) };
    /// The callbacks of the geometry whose callback runs.
    static CALLED: Cell<Callbacks> = const { Cell::new(Callbacks::NONE) };
}

/// Runs a query, which its callbacks can look up. They may run queries in turn.
pub fn running<T>(query: Running, work: impl FnOnce() -> T) -> T {
    scoped(&RUNNING, Some(query), || scoped(&REPORTS, Vec::new(), work))
}

/// Returns the query that runs on this thread.
pub fn current() -> Option<Running> {
    RUNNING.get()
}

/// Returns what a callback found on a primitive in the query that runs.
pub fn report_of(id: u32, prim: u32, context: InstanceIds) -> Option<RayHits<1>> {
    let reports = REPORTS.take();
    let found = reports
        .iter()
        .find(|report| (report.id, report.prim, report.context) == (id, prim, context));
    let found = found.map(|report| report.hit);
    REPORTS.set(reports);
    found
}

impl Adapter {
    /// Calls a callback about a ray, with the ids of the instance. Returns whether it left the ray valid.
    fn ask<T>(
        &self,
        (prim, context): (PrimId, InstanceIds),
        function: Option<Callback<UserArguments<T>>>,
        running: &Running,
        ray: *mut T,
    ) -> bool {
        let Some(function) = function else {
            return false;
        };
        let at = running.asked.context;
        let mut valid: c_int = -1;
        let arguments = UserArguments {
            valid: &raw mut valid,
            user: self.geometry.user(),
            prim: prim.get(),
            context: at.lent,
            ray,
            n: 1,
            geometry: self.id,
        };
        let outer = at.exchange(context);
        scoped(&CALLED, self.callbacks, || {
            callback(|| function(&raw const arguments))
        });
        at.exchange(outer);
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
        let context = self.context.unwrap_or_else(|| running.asked.context.ids());
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

/// Calls the filter of the geometry whose callback calls this.
pub fn invoke(
    filter: impl FnOnce(Callbacks) -> Option<Callback<FilterArguments>>,
    arguments: *const FilterArguments,
) {
    call(None, (), || {
        if let Some(filter) = filter(CALLED.get()) {
            callback(|| filter(arguments));
        }
        Ok(())
    });
}
