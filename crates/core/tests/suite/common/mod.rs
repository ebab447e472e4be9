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

/// Returns a box whose triangles face outwards.
pub(crate) fn solid_box(low: [f32; 3], high: [f32; 3]) -> Vec<Triangle> {
    let corner = |i: usize| {
        [0, 1, 2].map(|axis| {
            if i >> axis & 1 == 1 {
                high[axis]
            } else {
                low[axis]
            }
        })
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let quads = faces.map(|face| face.map(corner));
    let split = |[a, b, c, d]: [[f32; 3]; 4]| [Triangle::new(a, b, c), Triangle::new(a, c, d)];
    quads.into_iter().flat_map(split).collect()
}
