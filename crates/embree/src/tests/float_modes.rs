//! Hosts with other floating-point modes.
#![cfg(target_arch = "x86_64")]

use super::host::{Host, ray, up};
use estoc_embree_common::abi::{FilterArguments, RayHits, Rays};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcSetGeometryIntersectFilterFunction,
};
use estoc_embree_common::calls::scene::rtcGetGeometry;
use std::arch::asm;
use std::hint::black_box;

fn mxcsr() -> u32 {
    let mut bits = 0u32;
    // SAFETY: writes the register to the four bytes of `bits`.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut bits) };
    bits
}

/// Runs work in a mode, as a host has it.
fn with(bits: u32, work: impl FnOnce()) {
    let outer = mxcsr();
    let set = |bits: u32| {
        // SAFETY: bits that the register has; what runs until it is set back are calls of the library, which set the
        // default mode, and the host of the test.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits) };
    };
    set(bits);
    work();
    set(outer);
}

/// Flush to zero, and operands, too; rounding down, up and towards zero; all exceptions unmasked but that of inexact results.
const MODES: [u32; 6] = [
    0x1f80 | 0x8000,
    0x1f80 | 0x8040,
    0x3f80,
    0x5f80,
    0x7f80,
    0x1000,
];

/// A triangle and rays whose numbers are all subnormal, computed in the default mode.
struct Tiny {
    corners: [[f32; 3]; 3],
    rays: Vec<Rays<1>>,
}

impl Tiny {
    fn new() -> Self {
        let least = f32::from_bits(1);
        let corner = |x: f32, y: f32| [x * least, y * least, 8.0 * least];
        let aimed = |i: u16| {
            let origin = [f32::from(i) * 2.0, f32::from(i % 7) * 9.0, 0.0].map(|x| x * least);
            ray(origin, [0.0, least, 3.0 * least])
        };
        Tiny {
            corners: [corner(0.0, 0.0), corner(64.0, 0.0), corner(0.0, 64.0)],
            rays: (0..40).map(aimed).collect(),
        }
    }

    fn host(&self) -> Host {
        Host::of_mesh(&self.corners, &[[0, 1, 2]])
    }

    fn hits(&self, host: &Host) -> Vec<[u32; 4]> {
        let bits = |&ray: &Rays<1>| {
            let RayHits { ray, hit } = host.intersect(ray);
            [
                ray.tfar[0].to_bits(),
                hit.prim[0],
                hit.u[0].to_bits(),
                hit.v[0].to_bits(),
            ]
        };
        self.rays.iter().map(bits).collect()
    }
}

#[test]
fn answers_are_those_of_the_default_mode_and_the_mode_stays() {
    let tiny = Tiny::new();
    let expected = tiny.hits(&tiny.host());
    assert!(expected.iter().any(|hit| hit[1] == 0) && expected.iter().any(|hit| hit[1] != 0));
    for mode in MODES {
        with(mode, || {
            // Built and asked in that mode.
            let host = tiny.host();
            let found = tiny.hits(&host);
            assert!(found == expected, "{mode:#x}");
            drop(host);
            assert_eq!(mxcsr() & !0x3f, mode);
        });
    }
}

extern "C" fn looks(arguments: *const FilterArguments) {
    // SAFETY: the library passes arguments that are valid for the call.
    let hit = unsafe { &mut *(*arguments).hit };
    // In the mode of the host, this is flushed to 0.
    hit.u = [black_box(f32::MIN_POSITIVE) * black_box(0.5)];
}

#[test]
fn callbacks_run_in_the_mode_of_the_host() {
    let host = Host::of_mesh(&super::host::sheet(2.0), &[[0, 1, 2]]);
    let geometry = rtcGetGeometry(host.scene, 0);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(looks));
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.intersect(up()).hit.u, [f32::MIN_POSITIVE / 2.0]);
    with(0x9f80, || {
        assert_eq!(host.intersect(up()).hit.u[0].to_bits(), 0);
        assert_eq!(mxcsr() & !0x3f, 0x9f80);
    });
}

#[test]
fn threads_of_a_pool_that_is_started_in_another_mode_have_the_default() {
    let least = f32::from_bits(1);
    let corners: Vec<_> = (0..30_000u16)
        .flat_map(|i| {
            let z = (8.0 + f32::from(i % 5)) * least;
            [[0.0, 0.0], [64.0, 0.0], [0.0, 64.0]]
                .map(|[x, y]| [(x + f32::from(i % 7)) * least, y * least, z])
        })
        .collect();
    let faces: Vec<_> = (0..30_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let tiny = Tiny::new();
    let build = || {
        let device = crate::calls::rtcNewDevice(c"threads=4".as_ptr());
        let scene = estoc_embree_common::calls::scene::rtcNewScene(device);
        let host = Host { device, scene };
        host.attach(host.mesh(&corners, &faces));
        host.commit();
        assert_eq!(host.error(), 0);
        tiny.hits(&host)
    };
    let expected = build();
    assert!(
        expected.iter().any(|hit| hit[1] != u32::MAX),
        "something is hit"
    );
    with(0xffc0, || assert!(build() == expected));
}

extern "C" fn flushes(_: *const FilterArguments) {
    let bits = 0x9fc0u32;
    // SAFETY: bits that the register has; the library sets its own mode again.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits) };
}

#[test]
fn a_callback_that_sets_a_mode_does_not_reach_the_library() {
    let tiny = Tiny::new();
    let (host, expected) = (tiny.host(), tiny.hits(&tiny.host()));
    let geometry = rtcGetGeometry(host.scene, 0);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(flushes));
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(tiny.hits(&host), expected);
    assert_eq!(mxcsr() & !0x3f, 0x1f80);
}
