//! Embree with one ray per call: `rtcIntersect1` and `rtcOccluded1`.

use super::abi::{self, Arguments};
use super::point::{self, Faces};
use super::structure::Structure;
use crate::engine::Queries;
use crate::ray::{Hit, Ray};
use estoc::glam::Vec3;
use std::cell::RefCell;
use std::sync::Arc;

pub(super) struct OneByOne(pub(super) Arc<Structure>);

impl Queries for OneByOne {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let (scene, intersect) = (self.0.handle(), self.0.library().intersect1);
        let mut arguments = Arguments::new(abi::RAY_QUERY_FLAG_INCOHERENT);
        let _flush = self.0.settings().flush();
        for (ray, hit) in rays.iter().zip(hits) {
            let mut both = abi::RayHit::from(ray);
            // SAFETY: the scene is committed and alive; the other two are exclusive, aligned
            // and laid out as the header says.
            unsafe { intersect(scene, &raw mut both, &raw mut arguments) };
            *hit = Hit::MISS;
            if both.hit.geometry != abi::INVALID {
                let (t, prim) = (both.ray.t_far, both.hit.prim);
                *hit = Hit { t, prim };
            }
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        let (scene, occluded) = (self.0.handle(), self.0.library().occluded1);
        let mut arguments = Arguments::new(abi::RAY_QUERY_FLAG_INCOHERENT);
        let _flush = self.0.settings().flush();
        for (ray, hit) in rays.iter().zip(hits) {
            let mut ray = abi::Ray::from(ray);
            // SAFETY: as above.
            unsafe { occluded(scene, &raw mut ray, &raw mut arguments) };
            *hit = ray.t_far.is_sign_negative();
        }
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        let Some(mesh) = self.0.mesh() else {
            return false;
        };
        let corners = Faces::of(mesh);
        let scene = (self.0.library(), self.0.handle());
        // SAFETY: the scene is committed, alive and that of this mesh.
        unsafe { point::closest_points(scene, &corners, points, found) };
        true
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let (scene, intersect) = (self.0.handle(), self.0.library().intersect1);
        let mut arguments = Arguments::with_filter(abi::RAY_QUERY_FLAG_INCOHERENT, note_and_go_on);
        let _flush = self.0.settings().flush();
        let mut count = |ray: &Ray| {
            let mut both = abi::RayHit::from(ray);
            // SAFETY: as above; the filter has the type that the header declares.
            unsafe { intersect(scene, &raw mut both, &raw mut arguments) };
            let mut prims = HIT_PRIMS.take();
            // Triangles that were split are found several times.
            prims.sort_unstable();
            prims.dedup();
            prims.len()
        };
        Some(rays.iter().map(&mut count).collect())
    }
}

thread_local! {
    /// The triangles that the filter has seen on this thread since the last ray.
    static HIT_PRIMS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Embree's filter function: records a hit and rejects it, so that the search continues behind it.
unsafe extern "C" fn note_and_go_on(arguments: *const abi::FilterArguments) {
    // SAFETY: Embree passes arguments that are valid during the call, about one ray and one hit, as
    // the query is of one ray: the hit has nine fields of 32 bits, the primitive is the sixth.
    let prim = unsafe {
        let arguments = &*arguments;
        debug_assert_eq!(arguments.width, 1);
        arguments.valid.write(0);
        arguments.hit.cast::<u32>().add(5).read()
    };
    HIT_PRIMS.with_borrow_mut(|prims| prims.push(prim));
}
