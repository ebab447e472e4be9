//! Shared by the tables of the exact triangle test.

use estoc_core::{PrimId, Ray, Side, Triangle};

pub(crate) type Corners = [[f32; 3]; 3];

pub(crate) fn triangle([a, b, c]: Corners) -> Triangle {
    Triangle::new(a, b, c)
}

pub(crate) fn prim(index: u32) -> PrimId {
    PrimId::new(index).unwrap()
}

/// `t`, `u`, `v` and the side, or a miss.
pub(crate) type Answer = Option<(f32, f32, f32, Side)>;

pub(crate) fn exact(corners: Corners, ray: &Ray) -> Answer {
    let (hit, side) = triangle(corners).exact_hit(ray, prim(7))?;
    assert_eq!(hit.prim, prim(7));
    Some((hit.t, hit.u, hit.v, side))
}
