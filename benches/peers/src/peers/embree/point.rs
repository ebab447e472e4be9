//! Embree's point queries: `rtcPointQuery` with a function that tests one triangle.

use super::abi::{PointQuery, PointQueryArguments, PointQueryContext};
use super::structure::Structure;
use crate::ray::Hit;
use crate::scenes;
use estoc::glam::Vec3;
use std::ffi::c_void;

/// What the function knows of a query.
struct State<'a> {
    positions: &'a [Vec3],
    faces: &'a [[u32; 3]],
    square: f32,
    prim: u32,
}

/// Finds the closest triangle of each point. The scene is that of this mesh.
pub(super) fn closest_points(
    scene: &Structure,
    mesh: &scenes::Scene,
    points: &[Vec3],
    found: &mut [Hit],
) {
    let (handle, call) = (scene.handle(), scene.library().point_query);
    let mut context = PointQueryContext::new();
    for (point, found) in points.iter().zip(found) {
        let mut state = State {
            positions: mesh.mesh.positions(),
            faces: mesh.mesh.indices(),
            square: f32::INFINITY,
            prim: u32::MAX,
        };
        let mut query = PointQuery {
            point: point.to_array(),
            time: 0.0,
            radius: f32::INFINITY,
        };
        let user: *mut State<'_> = &raw mut state;
        // SAFETY: the scene is committed and alive; the query and the context are exclusive, aligned
        // and laid out as the header says, and `test` gets the state, which lives longer than the
        // call, as its pointer.
        unsafe {
            call(
                handle,
                &raw mut query,
                &raw mut context,
                test,
                user.cast::<c_void>(),
            )
        };
        *found = Hit {
            t: state.square.sqrt(),
            prim: state.prim,
        };
    }
}

/// Takes one triangle; shrinks the query where it is nearer than all before.
unsafe extern "C" fn test(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: Embree passes arguments that are valid and exclusive during the call, with the query
    // and the pointer that `closest_points` gave, which is to a `State` that nothing else uses
    // meanwhile.
    let (query, state, prim) = unsafe {
        let arguments = &mut *arguments;
        let state = &mut *arguments.user.cast::<State<'_>>();
        (&mut *arguments.query, state, arguments.prim)
    };
    let corners = state.faces[prim as usize].map(|corner| state.positions[corner as usize]);
    let point = Vec3::from_array(query.point);
    let square = closest_on_triangle(point, corners).distance_squared(point);
    if square < state.square {
        (state.square, state.prim) = (square, prim);
        query.radius = square.sqrt();
        return true;
    }
    false
}

/// Returns the closest point of a triangle by the regions of its corners and edges (Ericson 2005,
/// "Real-Time Collision Detection", section 5.1.5).
fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let to_ab = d1 * d4 - d3 * d2;
    if to_ab <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let to_ac = d5 * d2 - d1 * d6;
    if to_ac <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let to_bc = d3 * d6 - d5 * d4;
    if to_bc <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let whole = 1.0 / (to_bc + to_ac + to_ab);
    a + ab * (to_ac * whole) + ac * (to_ab * whole)
}
