//! Geometries in scenes, and what commits do.

use super::host::{Found, Host, fill, ray, sheet, up};
use crate::calls::{
    rtcGetGeometryUserDataFromScene, rtcGetGeometryUserDataFromTraversable, rtcNewDevice,
};
use estoc_embree_common::abi::{Bounds, buffer_type, error, format, geometry_type, quality};
use estoc_embree_common::buffer::{
    rtcGetBufferData, rtcNewBuffer, rtcNewSharedBuffer, rtcReleaseBuffer, rtcRetainBuffer,
};
use estoc_embree_common::calls::device::{rtcReleaseDevice, rtcSetDeviceMemoryMonitorFunction};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcDisableGeometry, rtcEnableGeometry, rtcGetGeometryBufferData,
    rtcGetGeometryUserData, rtcNewGeometry, rtcReleaseGeometry, rtcRetainGeometry,
    rtcSetGeometryBuffer, rtcSetGeometryBuildQuality, rtcSetGeometryInstancedScene,
    rtcSetGeometryTimeRange, rtcSetGeometryUserData, rtcSetSharedGeometryBuffer,
    rtcUpdateGeometryBuffer,
};
use estoc_embree_common::calls::interpolate::{InterpolateArguments, rtcInterpolate};
use estoc_embree_common::calls::scene::{
    rtcAttachGeometry, rtcAttachGeometryByID, rtcCommitScene, rtcDetachGeometry, rtcGetGeometry,
    rtcGetGeometryThreadSafe, rtcGetSceneBounds, rtcGetSceneDevice, rtcGetSceneFlags,
    rtcGetSceneLinearBounds, rtcJoinCommitScene, rtcNewScene, rtcReleaseScene, rtcRetainScene,
    rtcSetSceneBuildQuality, rtcSetSceneFlags, rtcSetSceneProgressMonitorFunction,
};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::geometry::Geometry;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

#[test]
fn shared_buffers_have_offsets_and_strides_and_are_read_again() {
    let host = Host::new();
    // A number before each vertex, and one after.
    let mut vertices: Vec<f32> = sheet(2.0)
        .iter()
        .flat_map(|&[x, y, z]| [9.0, x, y, z, 9.0])
        .collect();
    let indices = [7u32, 0, 1, 2];
    let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
    rtcSetSharedGeometryBuffer(
        geometry,
        buffer_type::VERTEX,
        0,
        format::FLOAT3,
        vertices.as_ptr().cast(),
        4,
        20,
        3,
    );
    rtcSetSharedGeometryBuffer(
        geometry,
        buffer_type::INDEX,
        0,
        format::UINT3,
        indices.as_ptr().cast(),
        4,
        12,
        1,
    );
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.intersect(up()).found(), Some((3.0, 0, 0)));
    for z in vertices.iter_mut().skip(3).step_by(5) {
        *z = 4.0;
    }
    rtcUpdateGeometryBuffer(geometry, buffer_type::VERTEX, 0);
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.intersect(up()).found(), Some((5.0, 0, 0)));
    assert_eq!(host.error(), 0);
}

#[test]
fn buffers_are_shared_by_geometries() {
    let host = Host::new();
    let vertices = rtcNewBuffer(host.device, 72);
    fill(
        rtcGetBufferData(vertices),
        12,
        &[sheet(2.0), sheet(3.0)].concat(),
    );
    let faces = [[0u32, 1, 2]];
    let indices = rtcNewSharedBuffer(host.device, faces.as_ptr().cast_mut().cast(), 12);
    for first in [36, 0] {
        let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
        rtcSetGeometryBuffer(
            geometry,
            buffer_type::VERTEX,
            0,
            format::FLOAT3,
            vertices,
            first,
            12,
            3,
        );
        rtcSetGeometryBuffer(
            geometry,
            buffer_type::INDEX,
            0,
            format::UINT3,
            indices,
            0,
            12,
            1,
        );
        rtcCommitGeometry(geometry);
        assert!(!rtcGetGeometryBufferData(geometry, buffer_type::VERTEX, 0).is_null());
        host.attach(geometry);
    }
    rtcReleaseBuffer(vertices);
    rtcReleaseBuffer(indices);
    host.commit();
    assert_eq!(host.error(), 0);
    assert_eq!(host.intersect(up()).found(), Some((3.0, 1, 0)));
}

#[test]
fn geometries_come_and_go() {
    let host = Host::new();
    let at = |z| host.mesh(&sheet(z), &[[0, 1, 2]]);
    let [near, middle, far] = [at(1.0), at(2.0), at(3.0)];
    assert_eq!(
        [near, far].map(|geometry| rtcAttachGeometry(host.scene, geometry)),
        [0, 1]
    );
    rtcAttachGeometryByID(host.scene, middle, 7);
    let found = || {
        host.commit();
        host.intersect(up())
            .found()
            .map(|(_, geometry, _)| geometry)
    };
    assert_eq!(found(), Some(0));
    rtcDisableGeometry(near);
    assert_eq!(found(), Some(7));
    rtcDetachGeometry(host.scene, 7);
    assert_eq!(found(), Some(1));
    rtcEnableGeometry(near);
    assert_eq!(found(), Some(0));
    rtcDetachGeometry(host.scene, 0);
    assert_eq!(
        rtcAttachGeometry(host.scene, middle),
        0,
        "the lowest id that is free"
    );
    assert_eq!(found(), Some(0));
    assert_eq!(host.error(), 0);
    rtcAttachGeometryByID(host.scene, near, 1);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    rtcDetachGeometry(host.scene, 5);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    for geometry in [near, middle, far] {
        rtcReleaseGeometry(geometry);
    }
}

#[test]
fn scenes_tell_their_geometries_device_and_flags() {
    let host = Host::new();
    let mut number = 5u8;
    let geometry = host.mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcSetGeometryUserData(geometry, (&raw mut number).cast());
    assert_eq!(host.attach(geometry), 0);
    let user: *mut c_void = (&raw mut number).cast();
    for get in [
        rtcGetGeometryUserDataFromScene,
        rtcGetGeometryUserDataFromTraversable,
    ] {
        assert_eq!(get(host.scene, 0), user);
        assert!(get(host.scene, 1).is_null());
        assert_eq!(host.error(), error::INVALID_ARGUMENT);
    }
    for get in [rtcGetGeometry, rtcGetGeometryThreadSafe] {
        assert_eq!(rtcGetGeometryUserData(get(host.scene, 0)), user);
        assert!(get(host.scene, 1).get().is_none());
        assert_eq!(host.error(), error::INVALID_ARGUMENT);
    }
    rtcSetSceneFlags(host.scene, 0b101);
    assert_eq!(rtcGetSceneFlags(host.scene), 0b101);
    let device = rtcGetSceneDevice(host.scene);
    assert!(std::ptr::eq(
        device.get().unwrap(),
        host.device.get().unwrap()
    ));
    rtcReleaseDevice(device);
}

/// Asks for geometries 0, 1 and 7, and for their data through the scene.
fn geometries(host: &Host) -> [usize; 3] {
    [0, 1, 7].map(|id| {
        let all = [rtcGetGeometry, rtcGetGeometryThreadSafe].map(|get| get(host.scene, id));
        let [one, other] = all.map(|geometry| geometry.get().map(std::ptr::from_ref));
        assert_eq!(one, other);
        let of = one.map_or(0, <*const Geometry>::addr);
        let user = rtcGetGeometryUserDataFromScene(host.scene, id);
        assert_eq!(user.addr(), of, "the data of the tests is the address");
        assert_eq!(
            host.error(),
            if of == 0 { error::INVALID_ARGUMENT } else { 0 }
        );
        of
    })
}

#[test]
fn geometries_are_found_at_once_before_and_after_commits() {
    let host = Host::new();
    let all: [_; 3] = std::array::from_fn(|_| host.mesh(&sheet(1.0), &[[0, 1, 2]]));
    let [a, b, c] = all.map(|geometry| {
        let at = std::ptr::from_ref(geometry.get().unwrap());
        rtcSetGeometryUserData(geometry, at.cast_mut().cast());
        at.addr()
    });
    rtcAttachGeometry(host.scene, all[0]);
    assert_eq!(geometries(&host), [a, 0, 0]);
    host.commit();
    assert_eq!(geometries(&host), [a, 0, 0]);
    rtcAttachGeometryByID(host.scene, all[1], 7);
    assert_eq!(geometries(&host), [a, 0, b]);
    host.commit();
    assert_eq!(geometries(&host), [a, 0, b]);
    rtcDisableGeometry(all[1]);
    rtcDetachGeometry(host.scene, 0);
    assert_eq!(geometries(&host), [0, 0, b]);
    host.commit();
    assert_eq!(geometries(&host), [0, 0, b]);
    rtcAttachGeometry(host.scene, all[2]);
    host.commit();
    assert_eq!(geometries(&host), [c, 0, b]);
    for geometry in all {
        rtcReleaseGeometry(geometry);
    }
}

/// As shading asks from many threads.
#[test]
fn geometries_and_values_are_read_without_a_lock_after_a_commit() {
    let host = Host::of_mesh(&sheet(1.0), &[[0, 1, 2]]);
    let scene = host.scene.get().unwrap();
    let geometry = rtcGetGeometry(host.scene, 0);
    let (tell, told) = std::sync::mpsc::channel();
    let shared = Shared(host.scene);
    std::thread::scope(|threads| {
        let locked = (scene.state(), geometry.get().unwrap().settings());
        threads.spawn(|| {
            let scene = shared.get();
            let geometry = rtcGetGeometry(scene, 0);
            assert!(rtcGetGeometryUserDataFromScene(scene, 0).is_null());
            let mut values = [9.0f32; 3];
            let mut out = [null_mut(); 6];
            out[0] = values.as_mut_ptr();
            rtcInterpolate(Some(&InterpolateArguments {
                geometry,
                prim: 0,
                u: 0.25,
                v: 0.5,
                buffer: buffer_type::VERTEX,
                slot: 0,
                out,
                values: 3,
            }));
            tell.send(values)
        });
        let values = told.recv_timeout(std::time::Duration::from_secs(20));
        drop(locked);
        assert_eq!(values, Ok([0.25, 0.5, 1.0]));
    });
}

#[test]
fn qualities_answer_alike() {
    for quality in [quality::LOW, quality::MEDIUM, quality::HIGH, 3] {
        let host = Host::new();
        rtcSetSceneBuildQuality(host.scene, quality);
        host.attach(host.mesh(&sheet(2.0), &[[0, 1, 2]]));
        host.commit();
        assert_eq!(
            (host.error(), host.intersect(up()).found()),
            (0, Some((3.0, 0, 0)))
        );
        rtcSetSceneBuildQuality(host.scene, 9);
        assert_eq!(host.error(), error::INVALID_ARGUMENT);
    }
}

#[test]
fn qualities_and_time_ranges_of_geometries_change_no_answer() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let geometry = rtcGetGeometry(host.scene, 0);
    for quality in [quality::LOW, quality::MEDIUM, quality::HIGH, 3] {
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcSetGeometryTimeRange(geometry, 0.25, 0.75);
        rtcCommitGeometry(geometry);
        host.commit();
        assert_eq!(
            (host.error(), host.intersect(up()).found()),
            (0, Some((3.0, 0, 0)))
        );
    }
    rtcSetGeometryBuildQuality(geometry, 9);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    let unknown = || estoc_embree_common::calls::device::rtcGetDeviceError(Handle::NULL);
    unknown();
    rtcSetGeometryTimeRange(Handle::NULL, 0.0, 1.0);
    assert_eq!(unknown(), error::INVALID_ARGUMENT);
}

/// As Embree's documentation of `rtcCommitScene` has it.
#[test]
fn primitives_that_are_not_finite_are_left_out_and_others_keep_their_numbers() {
    let mut vertices = [sheet(1.0), sheet(2.0), sheet(3.0)].concat();
    vertices[0][0] = f32::NAN;
    vertices[4][1] = f32::INFINITY;
    let host = Host::of_mesh(&vertices, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!(host.intersect(up()).found(), Some((4.0, 0, 2)));
}

#[test]
fn a_quad_with_a_vertex_that_is_not_usable_is_left_out_whole() {
    let corners = [
        [0.0, 0.0, 1.0],
        [2.0, 0.0, 1.0],
        [2.0, 2.0, 1.0],
        [0.0, 2.0, 1.0],
        [f32::NAN; 3],
    ];
    let host = Host::of_mesh(&corners, &[[0, 1, 4, 3], [4, 1, 2, 3], [0, 1, 2, 3]]);
    for at in [[0.5, 0.5, 0.0], [1.5, 1.5, 0.0]] {
        assert_eq!(
            host.intersect(ray(at, [0.0, 0.0, 1.0])).found(),
            Some((1.0, 0, 2))
        );
    }
    host.attach(host.mesh(&corners, &[[0, 1, 9, 3]]));
    host.attach(host.mesh(&sheet(0.5), &[[0, 1, 2]]));
    host.commit();
    assert_eq!(host.error(), error::NONE);
    assert_eq!(
        host.intersect(up()).found(),
        Some((1.5, 2, 0)),
        "with gaps before it"
    );
}

#[test]
fn an_index_that_no_vertex_has_leaves_the_rest_there() {
    let host = Host::new();
    host.attach(host.mesh(&sheet(1.0), &[[0, 1, 3], [0, 1, 2]]));
    host.attach(host.mesh(&sheet(0.0), &[[0, 1, 2]]));
    host.commit();
    assert_eq!(host.error(), error::NONE);
    assert_eq!(host.intersect(up()).found(), Some((1.0, 1, 0)));
    let from_above = ray([0.25, 0.25, 5.0], [0.0, 0.0, -1.0]);
    assert_eq!(host.intersect(from_above).found(), Some((4.0, 0, 1)));
}

#[test]
fn empty_scenes_are_missed_and_have_no_bounds() {
    let host = Host::new();
    host.attach(rtcNewGeometry(host.device, geometry_type::TRIANGLE));
    host.commit();
    assert_eq!(
        host.error(),
        error::INVALID_OPERATION,
        "the geometry was not committed"
    );
    rtcCommitGeometry(rtcGetGeometry(host.scene, 0));
    host.commit();
    assert_eq!((host.error(), host.intersect(up()).found()), (0, None));
    let mut bounds = Bounds {
        lower: [0.0; 4],
        upper: [0.0; 4],
    };
    rtcGetSceneBounds(host.scene, Some(&mut bounds));
    assert_eq!(
        (bounds.lower[0], bounds.upper[0]),
        (f32::INFINITY, f32::NEG_INFINITY)
    );
}

#[test]
fn bounds_are_those_of_all_triangles() {
    let host = Host::of_mesh(&[sheet(-2.0), sheet(3.0)].concat(), &[[0, 1, 2], [3, 4, 5]]);
    let mut bounds = [Bounds {
        lower: [9.0; 4],
        upper: [9.0; 4],
    }; 2];
    rtcGetSceneLinearBounds(host.scene, Some(&mut bounds));
    for of in bounds {
        assert_eq!(
            (of.lower[..3].to_vec(), of.upper[..3].to_vec()),
            (vec![0.0, 0.0, -2.0], vec![1.0, 1.0, 3.0])
        );
    }
    let uncommitted = Host::new();
    rtcGetSceneBounds(uncommitted.scene, Some(&mut bounds[0]));
    assert_eq!(uncommitted.error(), error::INVALID_OPERATION);
}

extern "C" fn count_up(user: *mut c_void, share: f64) -> bool {
    assert!((0.0..=1.0).contains(&share));
    // SAFETY: the host of the tests passes a flag that outlives the commit.
    let goes_on = unsafe { &*user.cast_const().cast::<AtomicBool>() };
    goes_on.load(Ordering::Relaxed)
}

#[test]
fn a_progress_monitor_cancels() {
    let host = Host::of_mesh(&sheet(1.0), &[[0, 1, 2]]);
    host.attach(host.mesh(&sheet(0.0), &vec![[0, 1, 2]; 100_000]));
    let goes_on = AtomicBool::new(false);
    rtcSetSceneProgressMonitorFunction(
        host.scene,
        Some(count_up),
        (&raw const goes_on).cast_mut().cast(),
    );
    host.commit();
    assert_eq!(host.error(), error::CANCELLED);
    assert_eq!(
        host.intersect(up()).found(),
        Some((2.0, 0, 0)),
        "the scene is as it was"
    );
    goes_on.store(true, Ordering::Relaxed);
    host.commit();
    assert_eq!(
        (host.error(), host.intersect(up()).found()),
        (0, Some((1.0, 1, 0)))
    );
    rtcSetSceneProgressMonitorFunction(host.scene, None, null_mut());
}

extern "C" fn limit(user: *mut c_void, bytes: isize, post: bool) -> bool {
    assert_eq!(post, bytes < 0);
    // SAFETY: the host of the tests passes a number that outlives the device.
    let left = unsafe { &*user.cast_const().cast::<AtomicIsize>() };
    let goes_on = bytes < 0 || left.load(Ordering::Relaxed) >= bytes;
    if goes_on {
        left.fetch_sub(bytes, Ordering::Relaxed);
    }
    goes_on
}

#[test]
fn a_memory_monitor_counts_and_refuses() {
    const LIMIT: isize = 100_000;
    let left = AtomicIsize::new(LIMIT);
    {
        let host = Host::new();
        rtcSetDeviceMemoryMonitorFunction(
            host.device,
            Some(limit),
            (&raw const left).cast_mut().cast(),
        );
        host.attach(host.mesh(&sheet(1.0), &[[0, 1, 2]]));
        host.commit();
        assert_eq!(
            (host.error(), host.intersect(up()).found()),
            (0, Some((2.0, 0, 0)))
        );
        assert!(left.load(Ordering::Relaxed) < LIMIT);
        let refused = rtcNewBuffer(host.device, 200_000);
        assert!(refused.get().is_none());
        assert_eq!(host.error(), error::OUT_OF_MEMORY);
        // The indices have room, the tree has not.
        host.attach(host.mesh(&sheet(0.0), &[[0, 1, 2]; 5_000]));
        host.commit();
        assert_eq!(host.error(), error::OUT_OF_MEMORY);
        assert_eq!(
            host.intersect(up()).found(),
            Some((2.0, 0, 0)),
            "the scene is as it was"
        );
    }
    assert_eq!(
        left.load(Ordering::Relaxed),
        LIMIT,
        "all that was told is told again when it is freed"
    );
}

#[test]
fn what_is_retained_stays_until_it_is_released_as_often() {
    const LIMIT: isize = 1_000_000;
    let left = AtomicIsize::new(LIMIT);
    let is_there = || left.load(Ordering::Relaxed) < LIMIT;
    let device = rtcNewDevice(null());
    let user = (&raw const left).cast_mut().cast();
    rtcSetDeviceMemoryMonitorFunction(device, Some(limit), user);
    let buffer = rtcNewBuffer(device, 100);
    rtcRetainBuffer(buffer);
    rtcReleaseBuffer(buffer);
    assert!(is_there());
    rtcReleaseBuffer(buffer);
    assert!(!is_there());
    // It holds its buffers, and the scene holds it.
    let scene = rtcNewScene(device);
    let host = Host { device, scene };
    let geometry = host.mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcRetainGeometry(geometry);
    rtcReleaseGeometry(geometry);
    assert!(is_there());
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcRetainScene(scene);
    rtcReleaseScene(scene);
    assert!(is_there());
    estoc_embree_common::calls::device::rtcRetainDevice(device);
    drop(host);
    assert!(!is_there());
    rtcReleaseDevice(device);
}

#[test]
fn settings_of_devices_are_read() {
    let of = |config: &std::ffi::CStr| {
        let device = rtcNewDevice(config.as_ptr());
        let is_there = device.get().is_some();
        if is_there {
            rtcReleaseDevice(device);
        }
        is_there
    };
    assert!(of(c" threads = 2,verbose=0, isa=avx2,hugepages=1") && of(c""));
    // As Embree's own tests have it.
    assert!(of(c",verbose=0,threads=1isa=AVX2") && of(c"threads=1 verbose=0 =,"));
    assert!(!of(c"threads=many") && !of(c"isa=avx2 verbose=x"));
    assert_eq!(
        estoc_embree_common::calls::device::rtcGetDeviceError(Handle::NULL),
        error::INVALID_ARGUMENT
    );
}

#[test]
fn eight_threads_ask_one_scene_while_others_commit_and_join() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let other = rtcNewScene(host.device);
    rtcAttachGeometry(other, rtcGetGeometry(host.scene, 0));
    let has_ended = AtomicBool::new(false);
    let (shared, committed) = (Shared(&host), Shared(other));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut count = 0;
                while count < 1000 || !has_ended.load(Ordering::Relaxed) {
                    assert_eq!(shared.get().intersect(up()).found(), Some((3.0, 0, 0)));
                    count += 1;
                }
            });
        }
        let joined: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| rtcJoinCommitScene(committed.get())))
            .collect();
        joined.into_iter().for_each(|thread| thread.join().unwrap());
        for _ in 0..50 {
            rtcCommitGeometry(rtcGetGeometry(host.scene, 0));
            rtcCommitScene(other);
        }
        has_ended.store(true, Ordering::Relaxed);
    });
    let alone = Host {
        device: host.device,
        scene: other,
    };
    assert_eq!(alone.intersect(up()).found(), Some((3.0, 0, 0)));
    estoc_embree_common::calls::device::rtcRetainDevice(host.device);
    assert_eq!(host.error(), 0);
}

#[test]
fn hosts_may_release_in_any_order() {
    let device = rtcNewDevice(null());
    let scene = rtcNewScene(device);
    let host = Host { device, scene };
    let geometry = host.mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcAttachGeometry(scene, geometry);
    // The scene holds both.
    rtcReleaseGeometry(geometry);
    rtcReleaseDevice(device);
    host.commit();
    assert_eq!(host.intersect(up()).found(), Some((2.0, 0, 0)));
    // The drop of the host releases the device once more.
    estoc_embree_common::calls::device::rtcRetainDevice(device);
}

/// An allocator likes to give the address of what was freed last.
#[test]
fn another_geometry_at_the_address_of_a_former_one_is_seen() {
    let host = Host::new();
    for z in [1.0, 2.0, 3.0, 4.0] {
        let geometry = host.mesh(&sheet(z), &[[0, 1, 2]]);
        assert_eq!(host.attach(geometry), 0);
        host.commit();
        assert_eq!(host.intersect(up()).found(), Some((z + 1.0, 0, 0)));
        rtcDetachGeometry(host.scene, 0);
        host.commit();
        assert_eq!(host.intersect(up()).found(), None);
    }
}

#[test]
fn scenes_of_a_device_with_threads_are_committed_by_many_and_errors_reach_the_caller() {
    let device = rtcNewDevice(c"threads=4".as_ptr());
    let scene = rtcNewScene(device);
    let host = Host { device, scene };
    host.attach(host.mesh(&sheet(1.0), &[[0, 1, 2]]));
    host.attach(host.mesh(&sheet(0.0), &vec![[0, 1, 2]; 50_000]));
    let (instance, uncommitted) = (
        rtcNewGeometry(device, geometry_type::INSTANCE),
        rtcNewScene(device),
    );
    rtcSetGeometryInstancedScene(instance, uncommitted);
    rtcCommitGeometry(instance);
    let instance = host.attach(instance);
    host.commit();
    assert_eq!(
        host.error(),
        error::INVALID_OPERATION,
        "of the thread that commits"
    );
    rtcDetachGeometry(scene, instance);
    rtcReleaseScene(uncommitted);
    for _ in 0..20 {
        rtcCommitGeometry(rtcGetGeometry(host.scene, 1));
        let scene = Shared(host.scene);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| rtcJoinCommitScene(scene.get()));
            }
        });
        assert_eq!(host.intersect(up()).found(), Some((1.0, 1, 0)));
    }
}

/// Handles are pointers, which Rust does not send to threads; the interface allows it.
struct Shared<T>(T);

// SAFETY: the objects behind them are made for many threads.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn get(&self) -> T {
        self.0
    }
}
