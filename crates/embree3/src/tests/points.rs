//! Points, with the context of Embree 3.

use super::host::{Host, SHEETS};
use crate::points::{rtcPointQuery, rtcPointQuery4, rtcPointQuery8, rtcPointQuery16};
use estoc_embree_common::abi::{
    INVALID, PointQuery, PointQueryArguments, PointQueryContext, PointQueryFunction,
};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use std::ffi::{c_int, c_void};

/// What callbacks saw: the primitive, the instance and the depth.
type Seen = Vec<(u32, u32, u32)>;

/// Takes the height above a sheet for its distance.
extern "C" fn shrinks(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: the library passes arguments that are valid for the call, with the host's data.
    unsafe {
        let of = &*arguments;
        let context = &*of.context.cast::<PointQueryContext<0>>();
        (*of.user.cast::<Seen>()).push((of.prim, context.instance, context.depth));
        let moved = if context.depth > 0 {
            context.instance_to_world[14]
        } else {
            0.0
        };
        let z = SHEETS[3 * of.prim as usize][2] + moved;
        let distance = ((*of.query).point[2][0] - z).abs();
        let is_nearer = distance < (*of.query).radius[0];
        if is_nearer {
            (*of.query).radius = [distance];
        }
        is_nearer
    }
}

fn ask(host: &Host, z: f32) -> (bool, f32, Seen) {
    let mut seen = Seen::new();
    let mut query = PointQuery {
        point: [[0.25], [0.25], [z]],
        time: [0.0],
        radius: [f32::INFINITY],
    };
    let mut context = PointQueryContext::<0>::NONE;
    let user: *mut c_void = (&raw mut seen).cast();
    let at = Some(&mut query);
    let is_changed = rtcPointQuery(host.scene, at, Some(&mut context), Some(shrinks), user);
    assert_eq!((context.depth, context.instance), (0, INVALID));
    (is_changed, query.radius[0], seen)
}

#[test]
fn the_nearest_triangle_is_called_first() {
    let host = Host::of_sheets();
    assert_eq!(ask(&host, 2.125), (true, 0.125, vec![(1, INVALID, 0)]));
    let host = Host::of_instance(&host);
    assert_eq!(ask(&host, 12.75), (true, 0.25, vec![(2, 5, 1)]));
}

type Packets<const N: usize> = extern "C-unwind" fn(
    Option<&[c_int; N]>,
    Handle<Scene>,
    Option<&mut PointQuery<N>>,
    Option<&mut PointQueryContext<0>>,
    Option<PointQueryFunction>,
    *const *mut c_void,
) -> bool;

/// Asks about four points over and over, of which the third is inactive.
fn packets_answer_as_single_points<const N: usize>(host: &Host, ask: Packets<N>) {
    let mut seen = Seen::new();
    let users: [*mut c_void; N] = [(&raw mut seen).cast(); N];
    let z = std::array::from_fn(|lane| [0.5, 1.25, 2.25, 9.0][lane % 4]);
    let mut queries = PointQuery::<N> {
        point: [[0.25; N], [0.25; N], z],
        time: [0.0; N],
        radius: [5.0; N],
    };
    let valid = std::array::from_fn(|lane| if lane % 4 == 2 { 0 } else { -1 });
    let mut context = PointQueryContext::<0>::NONE;
    let of = (Some(&mut queries), Some(&mut context));
    assert!(ask(
        Some(&valid),
        host.scene,
        of.0,
        of.1,
        Some(shrinks),
        users.as_ptr()
    ));
    let expected = std::array::from_fn(|lane| [0.5, 0.25, 5.0, 5.0][lane % 4]);
    assert_eq!(queries.radius, expected);
    assert_eq!(seen.len(), N / 2);
}

#[test]
fn packets_of_points_answer_as_single_ones() {
    let host = Host::of_sheets();
    packets_answer_as_single_points(&host, rtcPointQuery4);
    packets_answer_as_single_points(&host, rtcPointQuery8);
    packets_answer_as_single_points(&host, rtcPointQuery16);
}
