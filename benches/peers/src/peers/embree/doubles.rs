//! Embree with triangles in `f64` as user geometry, whose functions test them.
//!
//! Embree's boxes and rays are in `f32`. Boxes are those of the triangles, rounded outwards and widened by
//! as much as rounding moves a ray; a ray ends at the least `f32` that is not before its end. The ray in
//! `f64`, and its nearest hit so far, are in the context of the query.

use super::abi::{self, Arguments, BoundsArguments, Handle, QueryContext, UserArguments};
use super::device::Device;
use super::library::Library;
use super::point::{self, Corners};
use super::settings::Settings;
use crate::engine::Queries;
use crate::number::Number;
use crate::peers::triangle::watertight;
use crate::ray::{Hit, Ray};
use crate::scenes;
use estoc::glam::DVec3;
use std::sync::Arc;

/// A committed scene, which any number of threads may query.
pub(super) struct DoubleScene {
    device: Device,
    scene: Handle,
    /// What the function of bounds reads, at an address that stays.
    triangles: Box<Triangles>,
}

// SAFETY: Embree allows queries of a committed scene from any number of threads, and only queries take
// a `&DoubleScene`; the functions read the triangles only. The handle is reference counted and may be
// released on any thread.
unsafe impl Send for DoubleScene {}
// SAFETY: as above.
unsafe impl Sync for DoubleScene {}

struct Triangles {
    corners: Vec<[DVec3; 3]>,
    /// By how much the boxes are wider.
    margin: f64,
}

impl Triangles {
    fn of(scene: &scenes::Scene) -> Self {
        let corners: Vec<[DVec3; 3]> = scene.double_corners().collect();
        let all = || corners.iter().flatten().copied();
        let low = all().fold(DVec3::INFINITY, DVec3::min);
        let high = all().fold(DVec3::NEG_INFINITY, DVec3::max);
        // A coordinate of the origin, which is within a diagonal of the box, and one of the direction,
        // times a parameter of up to two diagonals, are off by less than 2^-24 of themselves.
        let sizes = low.abs().max(high.abs()).max_element() + 3.0 * (high - low).length();
        Triangles {
            margin: sizes / f64::from(1 << 24),
            corners,
        }
    }
}

impl Corners<f64> for Triangles {
    #[inline]
    fn corners(&self, prim: u32) -> [DVec3; 3] {
        self.corners[prim as usize]
    }
}

impl DoubleScene {
    /// Builds a scene with `threads` threads; the error is Embree's message.
    pub(super) fn build(
        library: &Arc<Library>,
        settings: Settings,
        scene: &scenes::Scene,
        threads: usize,
    ) -> Result<Self, String> {
        let triangles = Box::new(Triangles::of(scene));
        let count = u32::try_from(triangles.corners.len()).map_err(|error| error.to_string())?;
        let device = Device::open(library, settings, threads)?;
        let handle = device.scene(settings)?;
        let built = DoubleScene {
            device,
            scene: handle,
            triangles,
        };
        let user = (&raw const *built.triangles).cast_mut().cast();
        // SAFETY: the geometry is new, and released once after the scene has its own reference. The
        // functions have the types that the header declares; that of bounds gets the address of the
        // triangles, which stay there until the scene is released, and which nothing changes.
        unsafe {
            let geometry = (library.new_geometry)(built.device.handle(), abi::GEOMETRY_TYPE_USER);
            (library.set_user_count)(geometry, count);
            (library.set_user_data)(geometry, user);
            (library.set_bounds)(geometry, bounds, user);
            (library.set_intersect)(geometry, intersect);
            (library.set_occluded)(geometry, occluded);
            (library.commit_geometry)(geometry);
            (library.attach_geometry)(handle, geometry);
            (library.release_geometry)(geometry);
            (library.commit_scene)(handle);
        }
        built.device.check("building")?;
        Ok(built)
    }

    /// Returns the bytes held by the device, and those of the corners that the functions read.
    pub(super) fn bytes(&self) -> usize {
        self.device.bytes() + size_of_val(&self.triangles.corners[..])
    }
}

/// A ray, and its nearest hit so far.
#[repr(C)]
struct Query<'a> {
    context: QueryContext,
    prim: u32,
    /// It ends at the nearest hit.
    ray: Ray<f64>,
    corners: &'a [[DVec3; 3]],
}

impl<'a> Query<'a> {
    fn new(ray: &Ray<f64>, corners: &'a [[DVec3; 3]]) -> Self {
        Query {
            context: QueryContext::new(),
            prim: abi::INVALID,
            ray: *ray,
            corners,
        }
    }
}

// Flush-to-zero, which Embree's manual recommends, is not set here: the functions compute, and in Rust.
impl Queries<f64> for DoubleScene {
    fn closest_hits(&self, rays: &[Ray<f64>], hits: &mut [Hit<f64>]) {
        let find = self.device.library().intersect1;
        for (ray, hit) in rays.iter().zip(hits) {
            let mut query = Query::new(ray, &self.triangles.corners);
            let context = (&raw mut query).cast();
            let mut arguments = Arguments::with_context(abi::RAY_QUERY_FLAG_INCOHERENT, context);
            let mut both = abi::RayHit::from(&narrow(ray));
            // SAFETY: the scene is committed and alive; the other two are exclusive, aligned and laid out
            // as the header says, and so is the query, which begins with a context.
            unsafe { find(self.scene, &raw mut both, &raw mut arguments) };
            *hit = Hit::MISS;
            if query.prim != abi::INVALID {
                let (t, prim) = (query.ray.t_max, query.prim);
                *hit = Hit { t, prim };
            }
        }
    }

    fn any_hits(&self, rays: &[Ray<f64>], hits: &mut [bool]) {
        let find = self.device.library().occluded1;
        for (ray, hit) in rays.iter().zip(hits) {
            let mut query = Query::new(ray, &self.triangles.corners);
            let context = (&raw mut query).cast();
            let mut arguments = Arguments::with_context(abi::RAY_QUERY_FLAG_INCOHERENT, context);
            let mut ray = abi::Ray::from(&narrow(ray));
            // SAFETY: as above.
            unsafe { find(self.scene, &raw mut ray, &raw mut arguments) };
            *hit = ray.t_far.is_sign_negative();
        }
    }

    fn closest_points(&self, points: &[DVec3], found: &mut [Hit<f64>]) -> bool {
        let scene = (self.device.library(), self.scene);
        // SAFETY: the scene is committed, alive and that of these triangles.
        unsafe { point::closest_points(scene, &*self.triangles, points, found) };
        true
    }
}

impl Drop for DoubleScene {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and ours, and is used no more. The device, which is released after
        // this, stays open until all that was made with it is gone.
        unsafe { (self.device.library().release_scene)(self.scene) };
    }
}

/// Rounds a ray, its end upwards.
#[inline]
fn narrow(ray: &Ray<f64>) -> Ray {
    Ray {
        origin: ray.origin.map(|x| x as f32),
        t_max: ray.t_max.up(),
        dir: ray.dir.map(|x| x as f32),
    }
}

/// Embree's function of the box of a triangle.
unsafe extern "C" fn bounds(arguments: *const BoundsArguments) {
    // SAFETY: Embree passes arguments that are valid during the call, with the pointer that
    // `DoubleScene::build` gave, which is to triangles that nothing changes, and a box to write.
    let (triangles, prim, bounds) = unsafe {
        let arguments = &*arguments;
        let triangles = &*arguments.user.cast::<Triangles>();
        (triangles, arguments.prim, &mut *arguments.bounds)
    };
    let [a, b, c] = triangles.corners(prim);
    let low = (a.min(b).min(c) - triangles.margin).to_array();
    let high = (a.max(b).max(c) + triangles.margin).to_array();
    let [x, y, z] = low.map(|x| -(-x).up());
    bounds.lower = [x, y, z, 0.0];
    let [x, y, z] = high.map(Number::up);
    bounds.upper = [x, y, z, 0.0];
}

/// Embree's function of a ray's hit on a triangle.
unsafe extern "C" fn intersect(arguments: *const UserArguments) {
    // SAFETY: Embree passes arguments that are valid during the call, about one ray, as the query is of
    // one ray; with the context that `closest_hits` gave, which nothing else uses meanwhile.
    let (query, prim, ray) = unsafe {
        let arguments = &*arguments;
        debug_assert_eq!(arguments.width, 1);
        let query = &mut *arguments.context.cast::<Query<'_>>();
        (query, arguments.prim, &mut *arguments.ray)
    };
    let t = watertight(&query.corners[prim as usize], &query.ray);
    if t < f64::INFINITY {
        (query.ray.t_max, query.prim) = (t, prim);
        ray.t_far = t.up();
    }
}

/// Embree's function of whether a ray hits a triangle.
unsafe extern "C" fn occluded(arguments: *const UserArguments) {
    // SAFETY: as in `intersect`, of `any_hits`.
    let (query, prim, ray) = unsafe {
        let arguments = &*arguments;
        debug_assert_eq!(arguments.width, 1);
        let query = &*arguments.context.cast::<Query<'_>>();
        (query, arguments.prim, &mut *arguments.ray)
    };
    if watertight(&query.corners[prim as usize], &query.ray) < f64::INFINITY {
        ray.t_far = f32::NEG_INFINITY;
    }
}

const _: () = assert!(std::mem::offset_of!(Query<'_>, context) == 0);
