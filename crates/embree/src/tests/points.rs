//! Point queries.

use super::host::{Host, sheet};
use crate::points::{
    rtcPointQuery, rtcPointQuery4, rtcPointQuery8, rtcPointQuery16, rtcTraversablePointQuery,
    rtcTraversablePointQuery4, rtcTraversablePointQuery8, rtcTraversablePointQuery16,
};
use estoc_embree_common::abi::{
    PointQuery, PointQueryArguments, PointQueryContext, PointQueryFunction, format, geometry_type,
};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcSetGeometryInstancedScene,
    rtcSetGeometryPointQueryFunction, rtcSetGeometryTransform,
};
use estoc_embree_common::calls::scene::{rtcGetGeometry, rtcNewScene};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use std::ffi::{c_int, c_void};

fn query(point: [f32; 3], radius: f32) -> PointQuery<1> {
    PointQuery {
        point: point.map(|x| [x]),
        time: [0.0],
        radius: [radius],
    }
}

/// Collects (geometry, primitive), and shrinks the radius to the distance of the sheet's plane from the point.
extern "C" fn collect(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: the library passes arguments that are valid for the call, and the tests a list.
    let (of, told) = unsafe {
        (
            &*arguments,
            &mut *(*arguments).user.cast::<Vec<(u32, u32)>>(),
        )
    };
    told.push((of.geometry, of.prim));
    // SAFETY: as above.
    let query = unsafe { &mut *of.query };
    let distance = (query.point[2][0] - (of.prim as f32 + 1.0)).abs();
    let shrinks = distance < query.radius[0] && of.geometry == 0;
    if shrinks {
        query.radius = [distance];
    }
    shrinks
}

fn stack() -> Host {
    let vertices: Vec<_> = (1..=40).flat_map(|z| sheet(z as f32)).collect();
    let faces: Vec<_> = (0..40).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Host::of_mesh(&vertices, &faces)
}

fn ask(host: &Host, query: &mut PointQuery<1>) -> (bool, Vec<(u32, u32)>) {
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    let has_changed = rtcPointQuery(host.scene, Some(query), None, Some(collect), user);
    (has_changed, told)
}

#[test]
fn the_nearest_is_told_first_and_what_is_beyond_the_radius_is_not() {
    let host = stack();
    let mut near = query([0.2, 0.2, 7.25], f32::INFINITY);
    assert_eq!(ask(&host, &mut near), (true, vec![(0, 6)]));
    assert_eq!(near.radius, [0.25]);
    // Both neighbours are as far.
    assert_eq!(ask(&host, &mut query([0.2, 0.2, 7.5], 2.0)).1.len(), 2);
    assert_eq!(
        ask(&host, &mut query([0.2, 0.2, 7.25], 0.125)),
        (false, vec![])
    );
    assert_eq!(
        ask(&host, &mut query([0.2, 0.2, f32::NAN], 9.0)),
        (false, vec![])
    );
}

extern "C" fn only_collect(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: as above.
    let (of, told) = unsafe {
        (
            &*arguments,
            &mut *(*arguments).user.cast::<Vec<(u32, u32)>>(),
        )
    };
    told.push((of.geometry, of.prim));
    // SAFETY: as above.
    let query = unsafe { &mut *of.query };
    // After the twelfth, no more.
    if told.len() == 12 {
        query.radius = [0.0];
    }
    false
}

#[test]
fn a_later_callback_may_shrink_the_radius() {
    let host = stack();
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    let mut near = query([0.2, 0.2, 0.0], f32::INFINITY);
    rtcPointQuery(host.scene, Some(&mut near), None, Some(only_collect), user);
    assert_eq!(told, (0..12).map(|prim| (0, prim)).collect::<Vec<_>>());
    told.clear();
    let mut within = query([0.2, 0.2, 0.0], 5.5);
    rtcPointQuery(
        host.scene,
        Some(&mut within),
        None,
        Some(only_collect),
        user,
    );
    told.sort_unstable();
    assert_eq!(told, (0..5).map(|prim| (0, prim)).collect::<Vec<_>>());
}

#[test]
fn quads_are_told_once_and_geometries_have_a_function() {
    let corners = [
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    let host = Host::of_mesh(&corners, &[[0, 1, 2, 3]]);
    rtcSetGeometryPointQueryFunction(rtcGetGeometry(host.scene, 0), Some(collect));
    rtcCommitGeometry(rtcGetGeometry(host.scene, 0));
    host.commit();
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    rtcPointQuery(
        host.scene,
        Some(&mut query([0.5, 0.5, 0.0], 5.0)),
        None,
        None,
        user,
    );
    assert_eq!(told, [(0, 0)]);
}

/// Checks the transformation of an instance that scales by 2 and moves by 10 along z.
extern "C" fn see_instance(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: as above.
    let (of, context) = unsafe {
        (
            &*arguments,
            &*(*arguments).context.cast::<PointQueryContext>(),
        )
    };
    assert_eq!(
        (context.depth, context.instance, of.similarity_scale),
        (1, 0, 0.5)
    );
    assert_eq!(
        (context.instance_to_world[14], context.world_to_instance[14]),
        (10.0, -5.0)
    );
    assert_eq!(
        (context.instance_to_world[0], context.instance_to_world[15]),
        (2.0, 1.0)
    );
    // SAFETY: as above.
    unsafe { *of.user.cast::<u32>() += 1 };
    false
}

#[test]
fn instances_are_told_with_their_transformations() {
    let object = Host::of_mesh(&sheet(0.0), &[[0, 1, 2]]);
    estoc_embree_common::calls::device::rtcRetainDevice(object.device);
    let host = Host {
        device: object.device,
        scene: rtcNewScene(object.device),
    };
    let geometry = rtcNewGeometry(host.device, geometry_type::INSTANCE);
    rtcSetGeometryInstancedScene(geometry, object.scene);
    let rows = [
        [2.0f32, 0.0, 0.0, 0.0],
        [0.0, 2.0, 0.0, 0.0],
        [0.0, 0.0, 2.0, 10.0],
    ];
    rtcSetGeometryTransform(
        geometry,
        0,
        format::FLOAT3X4_ROW_MAJOR,
        rows.as_ptr().cast(),
    );
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    let mut count = 0u32;
    let user: *mut c_void = (&raw mut count).cast();
    rtcPointQuery(
        host.scene,
        Some(&mut query([0.0, 0.0, 9.0], 1.5)),
        None,
        Some(see_instance),
        user,
    );
    rtcPointQuery(
        host.scene,
        Some(&mut query([0.0, 0.0, 9.0], 0.5)),
        None,
        Some(see_instance),
        user,
    );
    assert_eq!((count, host.error()), (1, 0));
}

type Packets<const N: usize> = extern "C-unwind" fn(
    Option<&[c_int; N]>,
    Handle<Scene>,
    Option<&mut PointQuery<N>>,
    Option<&mut PointQueryContext>,
    Option<PointQueryFunction>,
    *const *mut c_void,
) -> bool;

/// Asks about points above each sheet, of which the second is inactive.
fn points_are_asked_one_by_one<const N: usize>(host: &Host, ask: Packets<N>) {
    let mut queries = PointQuery::<N> {
        point: [
            [0.2; N],
            [0.2; N],
            std::array::from_fn(|lane| lane as f32 + 1.25),
        ],
        time: [0.0; N],
        radius: [9.0; N],
    };
    let mut told: [Vec<(u32, u32)>; N] = std::array::from_fn(|_| Vec::new());
    let users: [*mut c_void; N] = std::array::from_fn(|lane| (&raw mut told[lane]).cast());
    let valid = std::array::from_fn(|lane| if lane == 1 { 0 } else { -1 });
    let (of, users) = (Some(&mut queries), users.as_ptr());
    assert!(ask(
        Some(&valid),
        host.scene,
        of,
        None,
        Some(collect),
        users
    ));
    for (lane, told) in told.into_iter().enumerate() {
        let (expected, radius) = match lane {
            1 => (vec![], 9.0),
            _ => (vec![(0, lane as u32)], 0.25),
        };
        assert_eq!(told, expected, "{lane} of {N}");
        assert_eq!(queries.radius[lane], radius, "{lane} of {N}");
    }
    let mut far = PointQuery::<N> {
        point: [[0.2; N]; 3],
        time: [0.0; N],
        radius: [0.5; N],
    };
    let (of, none) = (Some(&mut far), std::ptr::null());
    assert!(!ask(None, host.scene, of, None, Some(collect), none));
}

#[test]
fn packets_of_points_are_asked_one_by_one() {
    let host = stack();
    points_are_asked_one_by_one(&host, rtcPointQuery4);
    points_are_asked_one_by_one(&host, rtcPointQuery8);
    points_are_asked_one_by_one(&host, rtcPointQuery16);
    points_are_asked_one_by_one(&host, rtcTraversablePointQuery4);
    points_are_asked_one_by_one(&host, rtcTraversablePointQuery8);
    points_are_asked_one_by_one(&host, rtcTraversablePointQuery16);
}

#[test]
fn traversable_objects_are_asked_as_their_scene() {
    let host = stack();
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    let mut near = query([0.2, 0.2, 7.25], f32::INFINITY);
    let traversable = crate::calls::rtcGetSceneTraversable(host.scene);
    let (of, function) = (Some(&mut near), Some(collect as PointQueryFunction));
    assert!(rtcTraversablePointQuery(
        traversable,
        of,
        None,
        function,
        user
    ));
    assert_eq!((told, near.radius), (vec![(0, 6)], [0.25]));
}

extern "C" fn first(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: as above.
    unsafe { (*(*arguments).user.cast::<Vec<(u32, u32)>>()).push((100, (*arguments).prim)) };
    false
}

#[test]
fn the_function_of_the_query_is_called_before_that_of_the_geometry() {
    let host = Host::of_mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcSetGeometryPointQueryFunction(rtcGetGeometry(host.scene, 0), Some(collect));
    rtcCommitGeometry(rtcGetGeometry(host.scene, 0));
    host.commit();
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    rtcPointQuery(
        host.scene,
        Some(&mut query([0.1, 0.1, 0.0], 5.0)),
        None,
        Some(first),
        user,
    );
    assert_eq!(told, [(100, 0), (0, 0)]);
}

extern "C" fn unit_boxes(arguments: *const estoc_embree_common::abi::BoundsArguments) {
    // SAFETY: as above.
    let (of, to) = unsafe { (&*arguments, &mut *(*arguments).bounds) };
    let x = 4.0 * of.prim as f32;
    (to.lower, to.upper) = ([x, 0.0, 0.0, 0.0], [x + 1.0, 1.0, 1.0, 0.0]);
}

#[test]
fn user_primitives_are_told_by_their_boxes() {
    use estoc_embree_common::calls::geometry::{
        rtcSetGeometryBoundsFunction, rtcSetGeometryUserPrimitiveCount,
    };
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 3);
    rtcSetGeometryBoundsFunction(geometry, Some(unit_boxes));
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    rtcPointQuery(
        host.scene,
        Some(&mut query([6.0, 0.5, 0.5], 2.0)),
        None,
        Some(first),
        user,
    );
    assert_eq!(told, [(100, 1), (100, 2)]);
}

/// As in Embree's tutorial about closest points: the host moves the query into an instance of its own.
#[test]
fn the_context_of_the_host_moves_the_point() {
    let host = Host::of_mesh(&[sheet(1.0), sheet(8.0)].concat(), &[[0, 1, 2], [3, 4, 5]]);
    let mut context: PointQueryContext = PointQueryContext {
        depth: 1,
        // To the instance: half the size, 5 less along z.
        world_to_instance: std::array::from_fn(|i| match i {
            0 | 5 | 10 => 0.5,
            14 => -5.0,
            15 => 1.0,
            _ => 0.0,
        }),
        ..PointQueryContext::NONE
    };
    let mut told: Vec<(u32, u32)> = Vec::new();
    let user: *mut c_void = (&raw mut told).cast();
    // At (0.2, 0.2, 2) of the instance: 1 above the lower sheet, which is 2 in the world.
    let mut ask = |radius| {
        let mut at = query([0.4, 0.4, 14.0], radius);
        rtcPointQuery(
            host.scene,
            Some(&mut at),
            Some(&mut context),
            Some(scales),
            user,
        );
    };
    ask(1.5);
    ask(2.5);
    assert_eq!(told, [(0, 0)]);
}

extern "C" fn scales(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: as above.
    unsafe {
        let context = &*(*arguments).context.cast::<PointQueryContext>();
        assert_eq!(((*arguments).similarity_scale, context.depth), (0.5, 1));
        (*(*arguments).user.cast::<Vec<(u32, u32)>>())
            .push(((*arguments).geometry, (*arguments).prim));
    }
    false
}
