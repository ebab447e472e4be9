//! The part of Embree 4's C interface that is used here, declared by hand after its headers
//! `rtcore_ray.h`, `rtcore_common.h`, `rtcore_device.h`, `rtcore_geometry.h`,
//! `rtcore_scene.h` and `rtcore_buffer.h`.

use crate::ray;
use bytemuck::Zeroable;
use std::ffi::{c_int, c_uint, c_void};

/// `RTCDevice`, `RTCScene` or `RTCGeometry`: opaque pointers.
pub(super) type Handle = *mut c_void;

/// `RTC_INVALID_GEOMETRY_ID`: nothing was hit.
pub(super) const INVALID: c_uint = c_uint::MAX;
/// `RTC_DEVICE_PROPERTY_VERSION_MAJOR`, `_MINOR` and `_PATCH`
pub(super) const VERSION_PROPERTIES: [c_int; 3] = [1, 2, 3];

// Those of enumerations have their names, without `RTC_`.
pub(super) const GEOMETRY_TYPE_TRIANGLE: c_int = 0;
pub(super) const GEOMETRY_TYPE_USER: c_int = 120;
pub(super) const GEOMETRY_TYPE_INSTANCE: c_int = 121;
pub(super) const GEOMETRY_TYPE_INSTANCE_ARRAY: c_int = 122;
pub(super) const BUFFER_TYPE_INDEX: c_int = 0;
pub(super) const BUFFER_TYPE_VERTEX: c_int = 1;
pub(super) const BUFFER_TYPE_TRANSFORM: c_int = 23;
pub(super) const FORMAT_UINT: c_int = 0x5001;
pub(super) const FORMAT_UINT3: c_int = 0x5003;
pub(super) const FORMAT_FLOAT3: c_int = 0x9003;
pub(super) const FORMAT_FLOAT3X4_ROW_MAJOR: c_int = 0x9134;
pub(super) const BUILD_QUALITY_LOW: c_int = 0;
pub(super) const BUILD_QUALITY_MEDIUM: c_int = 1;
pub(super) const BUILD_QUALITY_HIGH: c_int = 2;
pub(super) const SCENE_FLAG_DYNAMIC: c_int = 1;
pub(super) const SCENE_FLAG_ROBUST: c_int = 4;
pub(super) const RAY_QUERY_FLAG_INCOHERENT: c_uint = 0;
pub(super) const RAY_QUERY_FLAG_COHERENT: c_uint = 1 << 16;
const RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER: c_uint = 1 << 1;

/// `RTCRay`
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(16))]
pub(super) struct Ray {
    pub(super) origin: [f32; 3],
    pub(super) t_near: f32,
    pub(super) dir: [f32; 3],
    pub(super) time: f32,
    /// The parameter of the hit; -inf when an any-hit query found one.
    pub(super) t_far: f32,
    pub(super) mask: c_uint,
    pub(super) id: c_uint,
    pub(super) flags: c_uint,
}

/// `RTCHit`
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(16))]
pub(super) struct Hit {
    pub(super) normal: [f32; 3],
    pub(super) u: f32,
    pub(super) v: f32,
    pub(super) prim: c_uint,
    pub(super) geometry: c_uint,
    pub(super) instance: c_uint,
    /// Used only by libraries with instance arrays; padding for others.
    pub(super) instance_prim: c_uint,
}

impl From<&ray::Ray> for Ray {
    fn from(ray: &ray::Ray) -> Self {
        Ray {
            origin: ray.origin,
            dir: ray.dir,
            t_far: ray.t_max,
            mask: c_uint::MAX,
            ..Ray::zeroed()
        }
    }
}

/// `RTCRayHit`
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct RayHit {
    pub(super) ray: Ray,
    pub(super) hit: Hit,
}

impl From<&ray::Ray> for RayHit {
    /// Returns the ray with no hit yet.
    fn from(ray: &ray::Ray) -> Self {
        let hit = Hit {
            prim: INVALID,
            geometry: INVALID,
            instance: INVALID,
            instance_prim: INVALID,
            ..Hit::zeroed()
        };
        RayHit {
            ray: ray.into(),
            hit,
        }
    }
}

/// `RTCRay4`, `RTCRay8` and `RTCRay16`. The greatest alignment of the three suits all: their sizes
/// are multiples of it.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
pub(super) struct RayPacket<const N: usize> {
    /// Rows x, y and z.
    pub(super) origin: [[f32; N]; 3],
    pub(super) t_near: [f32; N],
    pub(super) dir: [[f32; N]; 3],
    pub(super) time: [f32; N],
    pub(super) t_far: [f32; N],
    pub(super) mask: [c_uint; N],
    pub(super) id: [c_uint; N],
    pub(super) flags: [c_uint; N],
}

/// `RTCRayHit4`, `RTCRayHit8` and `RTCRayHit16`: the rows of the ray, then those of the hit.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
pub(super) struct RayHitPacket<const N: usize> {
    pub(super) ray: RayPacket<N>,
    pub(super) normal: [[f32; N]; 3],
    pub(super) u: [f32; N],
    pub(super) v: [f32; N],
    pub(super) prim: [c_uint; N],
    pub(super) geometry: [c_uint; N],
    pub(super) instance: [c_uint; N],
    pub(super) instance_prim: [c_uint; N],
}

/// -1 for each ray of a packet that is active, 0 for others.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Valid<const N: usize>(pub(super) [c_int; N]);

const _: () = {
    assert!(size_of::<Ray>() == 48 && size_of::<RayHit>() == 96);
    assert!(size_of::<RayPacket<4>>() == 4 * 48 && size_of::<RayPacket<8>>() == 8 * 48);
    assert!(size_of::<RayPacket<16>>() == 16 * 48);
    assert!(std::mem::offset_of!(RayHitPacket<4>, normal) == 4 * 48);
    assert!(std::mem::offset_of!(RayHitPacket<16>, instance_prim) == 16 * (48 + 32));
};

/// `RTCIntersectArguments` and `RTCOccludedArguments`, which have the same layout.
#[repr(C)]
pub(super) struct Arguments {
    flags: c_uint,
    features: c_uint,
    context: *mut c_void,
    filter: Option<FilterFunction>,
    user_function: *mut c_void,
    min_width_distance_factor: f32,
}

impl Arguments {
    /// Returns what `rtcInitIntersectArguments` sets, with the hint.
    pub(super) fn new(hint: c_uint) -> Self {
        Arguments {
            flags: hint,
            features: c_uint::MAX,
            context: std::ptr::null_mut(),
            filter: None,
            user_function: std::ptr::null_mut(),
            min_width_distance_factor: 0.0,
        }
    }

    /// Returns the same as [`new`](Arguments::new), with a function that accepts or rejects each
    /// hit.
    pub(super) fn with_filter(hint: c_uint, filter: FilterFunction) -> Self {
        Arguments {
            flags: hint | RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER,
            filter: Some(filter),
            ..Arguments::new(hint)
        }
    }

    /// Returns the same as [`new`](Arguments::new), with what functions of user geometry find as their
    /// context, which must begin with a [`QueryContext`].
    pub(super) fn with_context(hint: c_uint, context: *mut c_void) -> Self {
        Arguments {
            context,
            ..Arguments::new(hint)
        }
    }
}

/// `RTCRayQueryContext` of a library with one level of instances.
#[repr(C)]
pub(super) struct QueryContext {
    instance: c_uint,
    /// Used only by libraries with instance arrays; padding for others.
    instance_prim: c_uint,
}

impl QueryContext {
    /// Returns what `rtcInitRayQueryContext` sets.
    pub(super) fn new() -> Self {
        QueryContext {
            instance: INVALID,
            instance_prim: INVALID,
        }
    }
}

/// `RTCBounds`
#[repr(C, align(16))]
pub(super) struct Bounds {
    pub(super) lower: [f32; 4],
    pub(super) upper: [f32; 4],
}

/// `RTCBoundsFunctionArguments`
#[repr(C)]
pub(super) struct BoundsArguments {
    pub(super) user: *mut c_void,
    pub(super) prim: c_uint,
    time_step: c_uint,
    pub(super) bounds: *mut Bounds,
}

/// `RTCIntersectFunctionNArguments` and `RTCOccludedFunctionNArguments`, which have the same layout.
#[repr(C)]
pub(super) struct UserArguments {
    valid: *mut c_int,
    user: *mut c_void,
    pub(super) prim: c_uint,
    pub(super) context: *mut c_void,
    /// A [`RayHit`] or a [`Ray`], both of which begin with the ray.
    pub(super) ray: *mut Ray,
    pub(super) width: c_uint,
    geometry: c_uint,
}

/// `RTCFilterFunctionNArguments`
#[repr(C)]
pub(super) struct FilterArguments {
    /// -1 for each valid hit; setting it to 0 rejects the hit.
    pub(super) valid: *mut c_int,
    geometry_user: *mut c_void,
    context: *mut c_void,
    ray: *mut c_void,
    pub(super) hit: *mut c_void,
    pub(super) width: c_uint,
}

/// `RTCPointQuery`
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct PointQuery {
    pub(super) point: [f32; 3],
    pub(super) time: f32,
    pub(super) radius: f32,
}

/// `RTCPointQueryContext` of a library with one level of instances.
#[repr(C, align(16))]
pub(super) struct PointQueryContext {
    matrices: [[f32; 16]; 2],
    instance: c_uint,
    /// Used only by libraries with instance arrays; others have the depth here.
    instance_prim: c_uint,
    depth: c_uint,
}

impl PointQueryContext {
    /// Returns a context outside all instances. The scene has none, so a library without instance
    /// arrays, which takes the second number for the depth, must find 0 there.
    pub(super) fn new() -> Self {
        PointQueryContext {
            matrices: [[0.0; 16]; 2],
            instance: INVALID,
            instance_prim: 0,
            depth: 0,
        }
    }
}

/// `RTCPointQueryFunctionArguments`
#[repr(C, align(16))]
pub(super) struct PointQueryArguments {
    pub(super) query: *mut PointQuery,
    pub(super) user: *mut c_void,
    pub(super) prim: c_uint,
    geometry: c_uint,
    context: *mut PointQueryContext,
    similarity_scale: f32,
}

const _: () = {
    assert!(size_of::<PointQuery>() == 32 && size_of::<PointQueryContext>() == 144);
    assert!(std::mem::offset_of!(PointQueryArguments, similarity_scale) == 32);
};

/// `RTCPointQueryFunction`; returns whether it made the radius smaller.
pub(super) type PointQueryFunction = unsafe extern "C" fn(*mut PointQueryArguments) -> bool;
/// `RTCFilterFunctionN`
pub(super) type FilterFunction = unsafe extern "C" fn(*const FilterArguments);
/// `RTCBoundsFunction`
pub(super) type BoundsFunction = unsafe extern "C" fn(*const BoundsArguments);
/// `RTCIntersectFunctionN` and `RTCOccludedFunctionN`
pub(super) type UserFunction = unsafe extern "C" fn(*const UserArguments);
/// `RTCMemoryMonitorFunction`
pub(super) type MemoryMonitor = unsafe extern "C" fn(*mut c_void, isize, bool) -> bool;
