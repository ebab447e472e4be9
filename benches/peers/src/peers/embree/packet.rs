//! Embree with several rays per call: `rtcIntersect4` to `rtcOccluded16`.

use super::abi::{self, Arguments, Handle, RayHitPacket, RayPacket, Valid};
use super::structure::Structure;
use crate::engine::{Engine, Queries};
use crate::ray::{Hit, Ray};
use bytemuck::Zeroable;
use std::sync::Arc;

/// The hint that Embree gets about the rays of a packet: its name, and the flag.
pub(super) type Hint = (&'static str, u32);
pub(super) const HINTS: [Hint; 2] = [
    ("coherent", abi::RAY_QUERY_FLAG_COHERENT),
    ("incoherent", abi::RAY_QUERY_FLAG_INCOHERENT),
];

type Intersect<const N: usize> =
    unsafe extern "C" fn(*const Valid<N>, Handle, *mut RayHitPacket<N>, *mut Arguments);
type Occluded<const N: usize> =
    unsafe extern "C" fn(*const Valid<N>, Handle, *mut RayPacket<N>, *mut Arguments);

pub(super) struct Packets<const N: usize> {
    hint: Hint,
    intersect: Intersect<N>,
    occluded: Occluded<N>,
    scene: Arc<Structure>,
}

impl<const N: usize> Packets<N> {
    /// Returns the engine. The functions are those of the library that the scene was built with.
    pub(super) fn engine(
        name: &str,
        hint: Hint,
        (intersect, occluded): (Intersect<N>, Occluded<N>),
        scene: &Arc<Structure>,
    ) -> Engine {
        let packets = Packets {
            hint,
            intersect,
            occluded,
            scene: scene.clone(),
        };
        Engine::batch(packet_name(name, N, hint), packets)
    }
}

pub(super) fn packet_name(name: &str, width: usize, hint: Hint) -> String {
    format!("{name}-{width}-{}", hint.0)
}

impl<const N: usize> Queries for Packets<N> {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let (scene, intersect) = (self.scene.handle(), self.intersect);
        let mut arguments = Arguments::new(self.hint.1);
        let mut both = RayHitPacket::<N>::idle();
        let _flush = self.scene.settings().flush();
        for (rays, hits) in rays.chunks(N).zip(hits.chunks_mut(N)) {
            both.geometry = [abi::INVALID; N];
            let valid = both.ray.load(rays);
            // SAFETY: the scene is committed and alive; mask, rays and arguments are
            // exclusive, aligned for the widest packet and laid out as the header says, and
            // the functions are those of this width.
            unsafe { intersect(&raw const valid, scene, &raw mut both, &raw mut arguments) };
            for (lane, hit) in hits.iter_mut().enumerate() {
                *hit = Hit::MISS;
                if both.geometry[lane] != abi::INVALID {
                    let (t, prim) = (both.ray.t_far[lane], both.prim[lane]);
                    *hit = Hit { t, prim };
                }
            }
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        let (scene, occluded) = (self.scene.handle(), self.occluded);
        let mut arguments = Arguments::new(self.hint.1);
        let mut packet = RayPacket::<N>::idle();
        let _flush = self.scene.settings().flush();
        for (rays, hits) in rays.chunks(N).zip(hits.chunks_mut(N)) {
            let valid = packet.load(rays);
            // SAFETY: as above.
            unsafe { occluded(&raw const valid, scene, &raw mut packet, &raw mut arguments) };
            for (hit, t_far) in hits.iter_mut().zip(packet.t_far) {
                *hit = t_far.is_sign_negative();
            }
        }
    }
}

impl<const N: usize> RayPacket<N> {
    fn idle() -> Self {
        RayPacket {
            mask: [u32::MAX; N],
            ..RayPacket::zeroed()
        }
    }

    /// Loads up to `N` rays and returns the mask of the lanes that they fill.
    #[inline(always)]
    fn load(&mut self, rays: &[Ray]) -> Valid<N> {
        // All but the last packet are full: for those the number of lanes is known when compiled,
        // and the compiler shuffles registers.
        if let Ok(rays) = <&[Ray; N]>::try_from(rays) {
            self.load_lanes(rays);
            return Valid([-1; N]);
        }
        self.load_lanes(rays);
        Valid(std::array::from_fn(|lane| -i32::from(lane < rays.len())))
    }

    #[inline(always)]
    fn load_lanes(&mut self, rays: &[Ray]) {
        for (lane, ray) in rays.iter().enumerate() {
            for axis in 0..3 {
                self.origin[axis][lane] = ray.origin[axis];
                self.dir[axis][lane] = ray.dir[axis];
            }
            self.t_far[lane] = ray.t_max;
        }
    }
}

impl<const N: usize> RayHitPacket<N> {
    fn idle() -> Self {
        RayHitPacket {
            ray: RayPacket::idle(),
            prim: [abi::INVALID; N],
            geometry: [abi::INVALID; N],
            instance: [abi::INVALID; N],
            instance_prim: [abi::INVALID; N],
            ..RayHitPacket::zeroed()
        }
    }
}
