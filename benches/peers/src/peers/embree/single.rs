//! Embree asked one ray a call: `rtcIntersect1` and `rtcOccluded1`.

use super::abi::{self, Arguments};
use super::flush::FlushToZero;
use super::scene::Scene;
use crate::engine::{Engine, Mode};
use crate::ray::{Hit, Ray};
use std::sync::Arc;

pub(super) struct OneByOne {
    name: String,
    scene: Arc<Scene>,
}

impl OneByOne {
    pub(super) fn new(name: String, scene: Arc<Scene>) -> Self {
        OneByOne { name, scene }
    }
}

impl Engine for OneByOne {
    fn name(&self) -> &str {
        &self.name
    }

    fn mode(&self) -> Mode {
        Mode::Single
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let (scene, intersect) = (self.scene.handle(), self.scene.library().intersect1);
        let mut arguments = Arguments::new(abi::INCOHERENT);
        let _flush = FlushToZero::on();
        for (ray, hit) in rays.iter().zip(hits) {
            let mut both = abi::RayHit {
                ray: theirs(ray),
                hit: NO_HIT,
            };
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
        let (scene, occluded) = (self.scene.handle(), self.scene.library().occluded1);
        let mut arguments = Arguments::new(abi::INCOHERENT);
        let _flush = FlushToZero::on();
        for (ray, hit) in rays.iter().zip(hits) {
            let mut ray = theirs(ray);
            // SAFETY: as above.
            unsafe { occluded(scene, &raw mut ray, &raw mut arguments) };
            *hit = ray.t_far.is_sign_negative();
        }
    }
}

const NO_HIT: abi::Hit = abi::Hit {
    normal: [0.0; 3],
    u: 0.0,
    v: 0.0,
    prim: abi::INVALID,
    geometry: abi::INVALID,
    instance: abi::INVALID,
    instance_prim: abi::INVALID,
};

fn theirs(ray: &Ray) -> abi::Ray {
    abi::Ray {
        origin: ray.origin,
        t_near: 0.0,
        dir: ray.dir,
        time: 0.0,
        t_far: ray.t_max,
        mask: u32::MAX,
        id: 0,
        flags: 0,
    }
}
