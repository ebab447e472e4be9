//! Embree's point queries: `rtcPointQuery` with a function that tests one triangle, in `f32` or in `f64`.

use super::abi::{Handle, PointQuery, PointQueryArguments, PointQueryContext};
use super::library::Library;
use crate::number::Number;
use crate::peers::triangle::closest_on_triangle;
use crate::ray::Hit;
use crate::scenes;
use estoc::glam::Vec3;
use std::ffi::c_void;

/// Where the function finds triangles.
pub(super) trait Corners<F: Number> {
    /// Returns the corners of a triangle, which exists.
    fn corners(&self, prim: u32) -> [F::Point; 3];
}

/// The buffers of a mesh in `f32`.
pub(super) struct Faces<'a> {
    positions: &'a [Vec3],
    faces: &'a [[u32; 3]],
}

impl<'a> Faces<'a> {
    pub(super) fn of(scene: &'a scenes::Scene) -> Self {
        Faces {
            positions: scene.mesh.positions(),
            faces: scene.mesh.indices(),
        }
    }
}

impl Corners<f32> for Faces<'_> {
    #[inline]
    fn corners(&self, prim: u32) -> [Vec3; 3] {
        self.faces[prim as usize].map(|corner| self.positions[corner as usize])
    }
}

/// What the function knows of a query.
struct State<'a, F: Number, C> {
    corners: &'a C,
    point: F::Point,
    square: F,
    prim: u32,
}

/// Finds the closest triangle of each point.
///
/// # Safety
/// The scene is committed and alive, and has the triangles that are given here.
pub(super) unsafe fn closest_points<F: Number, C: Corners<F>>(
    (library, scene): (&Library, Handle),
    corners: &C,
    points: &[F::Point],
    found: &mut [Hit<F>],
) {
    let mut context = PointQueryContext::new();
    for (&point, found) in points.iter().zip(found) {
        let mut state = State {
            corners,
            point,
            square: F::INFINITY,
            prim: u32::MAX,
        };
        let mut query = PointQuery {
            point: F::to_f32(point),
            time: 0.0,
            radius: f32::INFINITY,
        };
        let user: *mut State<'_, F, C> = &raw mut state;
        // SAFETY: the scene is committed and alive, as the caller promises; the query and the context
        // are exclusive, aligned and laid out as the header says, and `test` gets the state, which is of
        // its type and lives longer than the call, as its pointer.
        unsafe {
            (library.point_query)(
                scene,
                &raw mut query,
                &raw mut context,
                test::<F, C>,
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
unsafe extern "C" fn test<F: Number, C: Corners<F>>(arguments: *mut PointQueryArguments) -> bool {
    // SAFETY: Embree passes arguments that are valid and exclusive during the call, with the query
    // and the pointer that `closest_points` gave, which is to a `State` of these types that nothing else
    // uses meanwhile.
    let (query, state, prim) = unsafe {
        let arguments = &mut *arguments;
        let state = &mut *arguments.user.cast::<State<'_, F, C>>();
        (&mut *arguments.query, state, arguments.prim)
    };
    let corners = state.corners.corners(prim);
    let apart = closest_on_triangle::<F>(state.point, corners) - state.point;
    let square = F::dot(apart, apart);
    if square < state.square {
        (state.square, state.prim) = (square, prim);
        query.radius = square.sqrt().up();
        return true;
    }
    false
}
