//! The calls for many rays: each is a single ray.

use crate::context::IntersectContext;
use crate::rays::{rtcIntersect1, rtcOccluded1};
use estoc_embree_common::abi::{RayHits, Rays};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::host_pointer::{borrowed, read, read_at, write};
use estoc_embree_common::scene::Scene;

/// Where a stream has the numbers of its rays, an array of each: those of an `RTCRay` are 12, those of an `RTCRayHit` 20.
/// `RTCRayNp` and `RTCRayHitNp` are such addresses.
type Columns<const K: usize> = [*mut u32; K];

/// Returns the arrays of a packet of `n` rays, which come after one another.
fn packet<const K: usize>(start: *mut u32, n: usize) -> Columns<K> {
    std::array::from_fn(|column| start.wrapping_add(column * n))
}

/// Asks about the rays of a stream. A number that it does not have is 0, and all ones from the mask on.
fn each<const K: usize, R: Copy>(columns: &Columns<K>, n: usize, ask: impl Fn(Option<&mut R>)) {
    const { assert!(size_of::<R>() == 4 * K) };
    for lane in 0..n {
        let default = |column| if column < 9 { 0 } else { u32::MAX };
        let before: [u32; K] = std::array::from_fn(|column| {
            read_at(columns[column].cast_const(), lane).unwrap_or(default(column))
        });
        let mut ray = read(before.as_ptr().cast::<R>());
        ask(ray.as_mut());
        let after = ray.and_then(|ray| read((&raw const ray).cast::<[u32; K]>()));
        for (column, number) in after.into_iter().flatten().enumerate() {
            if number != before[column] {
                write(columns[column], lane, number);
            }
        }
    }
}

macro_rules! streams {
    ($($one:ident $ray:ty, $numbers:literal: $strided:ident $pointers:ident $packets:ident $columns:ident;)*) => {exports! {$(
        fn $strided(scene: Handle<Scene>, context: *mut IntersectContext, rays: *mut $ray, m: u32, stride: usize) {
            for i in (0..m as usize).filter(|_| !rays.is_null()) {
                $one(scene, context, borrowed(rays.wrapping_byte_add(i * stride)));
            }
        }

        fn $pointers(scene: Handle<Scene>, context: *mut IntersectContext, rays: *const *mut $ray, m: u32) {
            for i in 0..m as usize {
                $one(scene, context, read_at(rays, i).and_then(borrowed));
            }
        }

        fn $packets(
            scene: Handle<Scene>, context: *mut IntersectContext, rays: *mut u32, n: u32, m: u32, stride: usize,
        ) {
            for i in (0..m as usize).filter(|_| !rays.is_null()) {
                let columns: Columns<$numbers> = packet(rays.wrapping_byte_add(i * stride), n as usize);
                each(&columns, n as usize, |ray| $one(scene, context, ray));
            }
        }

        fn $columns(scene: Handle<Scene>, context: *mut IntersectContext, rays: Option<&Columns<$numbers>>, n: u32) {
            if let Some(columns) = rays {
                each(columns, n as usize, |ray| $one(scene, context, ray));
            }
        }
    )*}};
}

streams! {
    rtcIntersect1 RayHits<1, 0>, 20: rtcIntersect1M rtcIntersect1Mp rtcIntersectNM rtcIntersectNp;
    rtcOccluded1 Rays<1>, 12: rtcOccluded1M rtcOccluded1Mp rtcOccludedNM rtcOccludedNp;
}
