//! Values at a place of a primitive, from those at its vertices.

use crate::abi::buffer_type;
use crate::calls::geometry::of_geometry;
use crate::exports;
use crate::failure::{Failure, invalid_argument};
use crate::handle::Handle;
use crate::host_pointer::{read_at, write};
use crate::scene::geometry::{Buffers, Geometry, Kind};
use std::ffi::c_int;

/// `RTCInterpolateArguments`.
#[repr(C)]
pub struct InterpolateArguments {
    pub geometry: Handle<Geometry>,
    pub prim: u32,
    pub u: f32,
    pub v: f32,
    pub buffer: u32,
    pub slot: u32,
    /// The values, their derivatives by u and by v, and the three second ones.
    pub out: [*mut f32; 6],
    pub values: u32,
}

/// `RTCInterpolateNArguments`.
#[repr(C)]
pub struct InterpolateManyArguments {
    pub geometry: Handle<Geometry>,
    pub valid: *const c_int,
    pub prims: *const u32,
    pub u: *const f32,
    pub v: *const f32,
    pub n: u32,
    pub buffer: u32,
    pub slot: u32,
    pub out: [*mut f32; 6],
    pub values: u32,
}

// Places as in Embree's headers, on systems with pointers of 8 bytes.
const _: () = {
    use std::mem::offset_of;
    if size_of::<usize>() == 8 {
        assert!(
            offset_of!(InterpolateArguments, out) == 32
                && offset_of!(InterpolateArguments, values) == 80
        );
        assert!(
            offset_of!(InterpolateManyArguments, out) == 56
                && offset_of!(InterpolateManyArguments, values) == 104
        );
    }
};

/// Interpolates values of a buffer at a place (u, v) of a primitive. `put` gets the index of each value, the value, and its
/// derivatives by u and v; the second derivatives are 0.
fn interpolate(
    kind: Kind,
    buffers: &Buffers,
    (buffer, slot, values): (u32, u32, u32),
    (prim, u, v): (u32, f32, f32),
    put: impl Fn(usize, [f32; 3]),
) -> Result<(), Failure> {
    let none = || {
        invalid_argument(format!(
            "no buffer of type {buffer} with values was set at slot {slot}"
        ))
    };
    let is_known = matches!(buffer, buffer_type::VERTEX | buffer_type::VERTEX_ATTRIBUTE);
    let from = buffers.get(buffer, slot).filter(|_| is_known);
    let from = from.ok_or_else(none)?;
    let indices = buffers.get(buffer_type::INDEX, 0).ok_or_else(none)?;
    if prim as usize >= indices.len() {
        return Err(invalid_argument(format!(
            "there is no primitive {prim}: the geometry has {}",
            indices.len()
        )));
    }
    // A quad is two triangles, as for rays; in the second, u and v run from the opposite corner.
    let (corners, u, v, sign) = match kind {
        Kind::Quads => {
            let [a, b, c, d] = indices.item(prim as usize, 0);
            match u + v <= 1.0 {
                true => ([a, b, d], u, v, 1.0),
                false => ([c, d, b], 1.0 - u, 1.0 - v, -1.0),
            }
        }
        _ => (indices.item(prim as usize, 0), u, v, 1.0),
    };
    for value in 0..values as usize {
        let [a, b, c] = corners.map(|corner| from.floats::<1>(corner as usize, value)[0]);
        let at = (1.0 - u - v) * a + u * b + v * c;
        put(value, [at, sign * (b - a), sign * (c - a)]);
    }
    Ok(())
}

/// Runs a call that reads the buffers of a geometry of triangles or quads.
fn of_buffers(
    geometry: Handle<Geometry>,
    work: impl FnOnce(Kind, &Buffers) -> Result<(), Failure>,
) {
    of_geometry(geometry, (), |geometry| {
        geometry.check_kind(&[Kind::Triangles, Kind::Quads])?;
        geometry.of_buffers(|buffers| work(geometry.kind, buffers))
    });
}

/// Writes a value and its derivatives where they are wanted.
fn put_at(out: [*mut f32; 6], place: usize, [value, by_u, by_v]: [f32; 3]) {
    for (to, number) in out.into_iter().zip([value, by_u, by_v, 0.0, 0.0, 0.0]) {
        write(to, place, number);
    }
}

exports! {
    fn rtcInterpolate(arguments: Option<&InterpolateArguments>) {
        let Some(given) = arguments else {
            return;
        };
        of_buffers(given.geometry, |kind, buffers| {
            let what = (given.buffer, given.slot, given.values);
            interpolate(kind, buffers, what, (given.prim, given.u, given.v), |value, numbers| {
                put_at(given.out, value, numbers)
            })
        })
    }

    /// The values of place `i` are at `i`, `n + i` and so on.
    fn rtcInterpolateN(arguments: Option<&InterpolateManyArguments>) {
        let Some(given) = arguments else {
            return;
        };
        of_buffers(given.geometry, |kind, buffers| {
            let (what, n) = ((given.buffer, given.slot, given.values), given.n as usize);
            for i in (0..n).filter(|&i| read_at(given.valid, i) != Some(0)) {
                let null = || invalid_argument("primIDs, u or v is NULL");
                let number = |from| read_at(from, i).ok_or_else(null);
                let place = (read_at(given.prims, i).ok_or_else(null)?, number(given.u)?, number(given.v)?);
                interpolate(kind, buffers, what, place, |value, numbers| put_at(given.out, value * n + i, numbers))?;
            }
            Ok(())
        })
    }
}
