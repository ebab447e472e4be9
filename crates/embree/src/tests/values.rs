//! Interpolation.

use super::host::{Host, fill};
use estoc_embree_common::abi::{buffer_type, error, format};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcReleaseGeometry, rtcSetGeometryVertexAttributeCount,
    rtcSetNewGeometryBuffer,
};
use estoc_embree_common::calls::interpolate::{
    InterpolateArguments, InterpolateManyArguments, rtcInterpolate, rtcInterpolateN,
};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::geometry::Geometry;
use std::ptr::null_mut;

const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 2.0, 4.0],
    [0.0, 2.0, 0.0],
];

fn at(geometry: Handle<Geometry>, buffer: u32, (u, v): (f32, f32), prim: u32) -> [[f32; 3]; 3] {
    let mut out = [[9.0f32; 3]; 6];
    let [a, b, c, d, e, f] = &mut out;
    rtcInterpolate(Some(&InterpolateArguments {
        geometry,
        prim,
        u,
        v,
        buffer,
        slot: 0,
        out: [a, b, c, d, e, f].map(|to| to.as_mut_ptr()),
        values: 3,
    }));
    if out[0] != [9.0; 3] {
        assert_eq!(out[3..], [[0.0; 3]; 3]);
    }
    [out[0], out[1], out[2]]
}

#[test]
fn triangles_interpolate_linearly() {
    let host = Host::new();
    let geometry = host.mesh(&CORNERS, &[[0, 1, 3]]);
    let expected = [[0.5, 1.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    assert_eq!(at(geometry, buffer_type::VERTEX, (0.25, 0.5), 0), expected);
    rtcSetGeometryVertexAttributeCount(geometry, 1);
    let data = rtcSetNewGeometryBuffer(
        geometry,
        buffer_type::VERTEX_ATTRIBUTE,
        0,
        format::FLOAT3,
        12,
        4,
    );
    fill(
        data,
        12,
        &[
            [1.0f32, 0.0, 8.0],
            [2.0, 0.0, 8.0],
            [0.0, 0.0, 0.0],
            [1.0, 4.0, 8.0],
        ],
    );
    assert_eq!(
        at(geometry, buffer_type::VERTEX_ATTRIBUTE, (0.25, 0.5), 0)[0],
        [1.25, 2.0, 8.0]
    );
    // What is set after a commit is read before the next one, and after it.
    let data = rtcSetNewGeometryBuffer(geometry, buffer_type::VERTEX, 0, format::FLOAT3, 12, 4);
    fill(data, 12, &CORNERS.map(|corner| corner.map(|x| 2.0 * x)));
    let doubled = expected.map(|of| of.map(|x| 2.0 * x));
    assert_eq!(at(geometry, buffer_type::VERTEX, (0.25, 0.5), 0), doubled);
    rtcCommitGeometry(geometry);
    assert_eq!(at(geometry, buffer_type::VERTEX, (0.25, 0.5), 0), doubled);
    assert_eq!(host.error(), 0);
    at(geometry, buffer_type::VERTEX, (0.0, 0.0), 1);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    at(geometry, buffer_type::INDEX, (0.0, 0.0), 0);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    rtcReleaseGeometry(geometry);
}

#[test]
fn quads_interpolate_as_their_triangles() {
    let host = Host::new();
    let geometry = host.mesh(&CORNERS, &[[0, 1, 2, 3]]);
    assert_eq!(
        at(geometry, buffer_type::VERTEX, (0.25, 0.5), 0)[0],
        [0.5, 1.0, 0.0]
    );
    // Beyond the diagonal, the plane of the other triangle.
    assert_eq!(
        at(geometry, buffer_type::VERTEX, (0.75, 0.75), 0),
        [[1.5, 1.5, 2.0], [2.0, 0.0, 4.0], [0.0, 2.0, 4.0]]
    );
    let (prims, u, v) = ([0u32; 3], [0.25f32, 0.0, 1.0], [0.5f32, 0.0, 1.0]);
    let (valid, mut values) = ([-1, 0, -1], [9.0f32; 9]);
    rtcInterpolateN(Some(&InterpolateManyArguments {
        geometry,
        valid: valid.as_ptr(),
        prims: prims.as_ptr(),
        u: u.as_ptr(),
        v: v.as_ptr(),
        n: 3,
        buffer: buffer_type::VERTEX,
        slot: 0,
        out: [
            values.as_mut_ptr(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
            null_mut(),
        ],
        values: 3,
    }));
    assert_eq!(values, [0.5, 9.0, 2.0, 1.0, 9.0, 2.0, 0.0, 9.0, 4.0]);
    assert_eq!(host.error(), 0);
    rtcReleaseGeometry(geometry);
}
