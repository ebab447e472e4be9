//! Instances and arrays of instances.

use super::host::{Found, Host, fill, ray, sheet};
use crate::calls::{
    rtcGetGeometryTransformEx, rtcGetGeometryTransformFromScene,
    rtcGetGeometryTransformFromTraversable, rtcSetGeometryInstancedScenes,
};
use estoc_embree_common::abi::{
    FilterArguments, INVALID, InstanceIds, Rays, buffer_type, error, format, geometry_type,
};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcGetGeometryTransform, rtcNewGeometry, rtcSetGeometryInstancedScene,
    rtcSetGeometryIntersectFilterFunction, rtcSetGeometryMask, rtcSetGeometryTransform,
    rtcSetGeometryTransformQuaternion, rtcSetNewGeometryBuffer,
};
use estoc_embree_common::calls::scene::{rtcCommitScene, rtcGetGeometry, rtcNewScene};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::geometry::Geometry;

/// Scales by 2, turns x to y, and moves by (3, 0, 10): three rows.
const ROWS: [[f32; 4]; 3] = [
    [0.0, -2.0, 0.0, 3.0],
    [2.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 2.0, 10.0],
];

/// Returns an instance of another host's scene, which shares the device.
fn instance(host: &Host, of: &Host) -> Handle<Geometry> {
    let geometry = rtcNewGeometry(host.device, geometry_type::INSTANCE);
    rtcSetGeometryInstancedScene(geometry, of.scene);
    rtcSetGeometryTransform(
        geometry,
        0,
        format::FLOAT3X4_ROW_MAJOR,
        ROWS.as_ptr().cast(),
    );
    rtcCommitGeometry(geometry);
    geometry
}

/// Returns a host of the same device.
fn beside(host: &Host) -> Host {
    estoc_embree_common::calls::device::rtcRetainDevice(host.device);
    let scene = rtcNewScene(host.device);
    Host {
        device: host.device,
        scene,
    }
}

/// Returns a scene of a sheet at 0, and one with a sheet at 20, and an instance of the first.
fn world() -> [Host; 2] {
    let object = Host::of_mesh(&sheet(0.0), &[[0, 1, 2]]);
    let host = beside(&object);
    host.attach(host.mesh(
        &sheet(20.0).map(|[x, y, z]| [10.0 * x - 5.0, 10.0 * y - 5.0, z]),
        &[[0, 1, 2]],
    ));
    host.attach(instance(&host, &object));
    host.commit();
    assert_eq!(host.error(), 0);
    [object, host]
}

/// A ray up through the image of (0.25, 0.25, 0), which is (2.5, 0.5, 10).
fn aimed() -> Rays<1> {
    ray([2.5, 0.5, 0.0], [0.0, 0.0, 1.0])
}

#[test]
fn hits_tell_their_instance_and_normals_are_those_of_the_object() {
    let [_object, host] = world();
    let hit = host.intersect(aimed());
    assert_eq!(hit.found(), Some((10.0, 0, 0)));
    assert_eq!((hit.hit.instance, hit.hit.instance_prim), ([1], [[0]]));
    assert_eq!(
        (hit.hit.u, hit.hit.v, hit.hit.normal),
        ([0.25], [0.25], [[0.0], [0.0], [1.0]])
    );
    let behind = host.intersect(Rays {
        tnear: [11.0],
        ..ray([-2.0, -2.0, 0.0], [0.0, 0.0, 1.0])
    });
    assert_eq!(
        (behind.found(), behind.hit.instance),
        (Some((20.0, 0, 0)), [INVALID])
    );
    assert_eq!(host.occluded(aimed()), f32::NEG_INFINITY);
}

#[test]
fn transformations_have_formats() {
    let [object, host] = world();
    let geometry = rtcGetGeometry(host.scene, 1);
    let column_major: Vec<f32> = (0..4)
        .flat_map(|column| ROWS.map(|row| row[column]))
        .collect();
    let with_last_row: Vec<f32> = (0..4)
        .flat_map(|column| {
            [
                ROWS[0][column],
                ROWS[1][column],
                ROWS[2][column],
                if column == 3 { 1.0 } else { 0.0 },
            ]
        })
        .collect();
    for (of, numbers) in [
        (format::FLOAT3X4_COLUMN_MAJOR, &column_major),
        (format::FLOAT4X4_COLUMN_MAJOR, &with_last_row),
    ] {
        rtcSetGeometryTransform(geometry, 0, of, numbers.as_ptr());
        rtcCommitGeometry(geometry);
        host.commit();
        assert_eq!(host.intersect(aimed()).found(), Some((10.0, 0, 0)));
        let mut told = [7.0f32; 16];
        rtcGetGeometryTransform(geometry, 0.0, of, told.as_mut_ptr());
        assert_eq!(told[..numbers.len()], numbers[..]);
        for get in [
            rtcGetGeometryTransformFromScene,
            rtcGetGeometryTransformFromTraversable,
        ] {
            let mut told = [7.0f32; 16];
            get(host.scene, 1, 0.0, of, told.as_mut_ptr());
            assert_eq!(told[..numbers.len()], numbers[..]);
        }
    }
    assert_eq!(host.error(), 0);
    rtcSetGeometryTransform(geometry, 0, format::FLOAT3, column_major.as_ptr());
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    rtcSetGeometryTransform(
        geometry,
        1,
        format::FLOAT3X4_ROW_MAJOR,
        column_major.as_ptr(),
    );
    assert_eq!(host.error(), error::INVALID_OPERATION);
    drop(object);
}

#[test]
fn quaternions_turn() {
    let [_object, host] = world();
    let geometry = rtcGetGeometry(host.scene, 1);
    // A quarter turn around z, of a quaternion that is not of length 1; scaled by 2; shifted before by (0, 0, 1).
    let [scale, skew, shift, translation] =
        [[2.0f32; 3], [0.0; 3], [0.0, 0.0, 1.0], [3.0, 0.0, 9.0]];
    let decomposition = [
        &scale[..],
        &skew,
        &shift,
        &[3.0, 0.0, 0.0, 3.0],
        &translation,
    ]
    .concat();
    rtcSetGeometryTransformQuaternion(geometry, 0, decomposition.as_ptr());
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.intersect(aimed()).found(), Some((10.0, 0, 0)));
    let mut told = [[0.0f32; 4]; 3];
    rtcGetGeometryTransform(
        geometry,
        0.0,
        format::FLOAT3X4_ROW_MAJOR,
        told.as_mut_ptr().cast(),
    );
    assert_eq!(told, ROWS);
}

#[test]
fn arrays_have_many() {
    let [object, _] = world();
    let host = beside(&object);
    let other = beside(&object);
    other.attach(other.mesh(&sheet(0.5), &[[0, 1, 2]]));
    other.commit();
    let geometry = rtcNewGeometry(host.device, geometry_type::INSTANCE_ARRAY);
    rtcSetGeometryInstancedScenes(geometry, [object.scene, other.scene].as_ptr(), 2);
    let moved = |x: f32| {
        [
            [1.0, 0.0, 0.0, x],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]
    };
    let data = rtcSetNewGeometryBuffer(
        geometry,
        buffer_type::TRANSFORM,
        0,
        format::FLOAT3X4_ROW_MAJOR,
        48,
        4,
    );
    fill(data, 48, &[0.0, 5.0, 10.0, 15.0].map(moved));
    // The third is of no scene.
    let data = rtcSetNewGeometryBuffer(geometry, buffer_type::INDEX, 0, format::UINT, 4, 4);
    fill(data, 4, &[0u32, 1, INVALID, 0]);
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), 0);
    let at = |x: f32| {
        let hit = host.intersect(ray([x + 0.25, 0.25, -1.0], [0.0, 0.0, 1.0]));
        hit.found()
            .map(|(t, ..)| (t, hit.hit.instance[0], hit.hit.instance_prim[0][0]))
    };
    assert_eq!(
        [0.0, 5.0, 10.0, 15.0].map(at),
        [
            Some((1.0, 0, 0)),
            Some((1.5, 0, 1)),
            None,
            Some((1.0, 0, 3))
        ]
    );
    let mut told = [[0.0f32; 4]; 3];
    rtcGetGeometryTransformEx(
        geometry,
        3,
        0.0,
        format::FLOAT3X4_ROW_MAJOR,
        told.as_mut_ptr().cast(),
    );
    assert_eq!(told, moved(15.0));
    rtcGetGeometryTransformEx(
        geometry,
        4,
        0.0,
        format::FLOAT3X4_ROW_MAJOR,
        told.as_mut_ptr().cast(),
    );
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
}

#[test]
fn each_mask_is_compared() {
    let [object, host] = world();
    let seen = |outer: u32, inner: u32, mask: u32| {
        let (instance, geometry) = (
            rtcGetGeometry(host.scene, 1),
            rtcGetGeometry(object.scene, 0),
        );
        rtcSetGeometryMask(instance, outer);
        rtcSetGeometryMask(geometry, inner);
        rtcCommitGeometry(geometry);
        rtcCommitScene(object.scene);
        rtcCommitGeometry(instance);
        host.commit();
        let ray = Rays {
            mask: [mask],
            tfar: [15.0],
            ..aimed()
        };
        let is_hit = host.intersect(ray).found().is_some();
        assert_eq!(is_hit, host.occluded(ray) == f32::NEG_INFINITY);
        is_hit
    };
    assert!(
        seen(1, 1, 1)
            && seen(1, 3, 1)
            && seen(3, 1, 1)
            && !seen(3, 1, 2)
            && !seen(1, 2, 1)
            && !seen(1, 2, 2)
    );
    // Neither has all bits of the other: the ray sees both, though they share none.
    assert!(seen(1, 2, 3) && seen(0b011, 0b110, 0b101) && !seen(0b011, 0b110, 0b001));
}

#[test]
fn a_change_of_the_object_is_seen_after_both_commits() {
    let [object, host] = world();
    object.attach(object.mesh(&sheet(-1.0), &[[0, 1, 2]]));
    object.commit();
    rtcCommitGeometry(rtcGetGeometry(host.scene, 1));
    host.commit();
    assert_eq!(host.intersect(aimed()).found(), Some((8.0, 1, 0)));
}

#[test]
fn hidden_instances_are_left_out_and_nested_ones_are_errors() {
    let [object, host] = world();
    let geometry = rtcGetGeometry(host.scene, 1);
    let set = |rows: *const f32| {
        rtcSetGeometryTransform(geometry, 0, format::FLOAT3X4_ROW_MAJOR, rows);
        rtcCommitGeometry(geometry);
        host.commit();
    };
    let raised = |z: f32| {
        [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, z],
        ]
    };
    for hidden in [[[0.0; 4]; 3], raised(f32::INFINITY), raised(f32::NAN)] {
        set(hidden.as_ptr().cast());
        assert_eq!(host.error(), error::NONE);
        let down = ray([-2.0, -2.0, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(host.intersect(down).found(), Some((20.0, 0, 0)));
    }
    let outer = beside(&host);
    outer.attach(instance(&outer, &host));
    outer.commit();
    assert_eq!(outer.error(), 0, "an instance that is left out is none");
    set(ROWS.as_ptr().cast());
    rtcCommitGeometry(rtcGetGeometry(outer.scene, 0));
    outer.commit();
    assert_eq!(outer.error(), error::INVALID_OPERATION);
    let uncommitted = beside(&object);
    let top = beside(&object);
    top.attach(instance(&top, &uncommitted));
    top.commit();
    assert_eq!(top.error(), error::INVALID_OPERATION);
}

thread_local! {
    static CALLS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

extern "C" fn sees_object_space(arguments: *const FilterArguments) {
    // SAFETY: the library passes arguments that are valid for the call.
    let (ray, hit, context) = unsafe {
        (
            &*(*arguments).ray,
            &*(*arguments).hit,
            &*(*arguments).context.cast::<InstanceIds>(),
        )
    };
    assert_eq!((hit.instance, context.instance), ([1], 1));
    CALLS.set(CALLS.get() + 1);
    assert_eq!(
        (ray.origin, ray.dir, ray.tfar),
        ([[0.25], [0.25], [-5.0]], [[0.0], [0.0], [0.5]], [10.0])
    );
}

#[test]
fn filters_get_rays_in_the_space_of_the_object() {
    let [object, host] = world();
    let geometry = rtcGetGeometry(object.scene, 0);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(sees_object_space));
    rtcCommitGeometry(geometry);
    object.commit();
    rtcCommitGeometry(rtcGetGeometry(host.scene, 1));
    host.commit();
    let hit = host.intersect(aimed());
    assert!(CALLS.get() > 0);
    assert_eq!(
        (hit.found(), hit.ray.origin),
        (Some((10.0, 0, 0)), aimed().origin)
    );
}
