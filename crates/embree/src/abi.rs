//! Numbers and layouts of Embree 4's binary interface, as its documentation gives them, for the default build: one level
//! of instances, and arrays of instances.

use std::ffi::{c_int, c_void};

/// The id of no geometry, primitive or instance.
pub(crate) const INVALID: u32 = u32::MAX;

/// What of Embree's version this library stands for.
pub(crate) const VERSION: [isize; 3] = [4, 4, 0];

/// Constants with the names of Embree's, without the prefix.
macro_rules! constants {
    ($($(#[$doc:meta])* $module:ident { $($name:ident = $value:expr),* $(,)? })*) => {$(
        $(#[$doc])*
        pub(crate) mod $module {
            $(pub(crate) const $name: u32 = $value;)*
        }
    )*};
}

constants! {
    /// `RTCError`.
    error {
        NONE = 0, UNKNOWN = 1, INVALID_ARGUMENT = 2, INVALID_OPERATION = 3, OUT_OF_MEMORY = 4, CANCELLED = 6,
    }
    /// `RTCGeometryType`.
    geometry_type {
        TRIANGLE = 0, QUAD = 1, USER = 120, INSTANCE = 121, INSTANCE_ARRAY = 122,
    }
    /// `RTCBufferType`.
    buffer_type {
        INDEX = 0, VERTEX = 1, VERTEX_ATTRIBUTE = 2, TRANSFORM = 23,
    }
    /// `RTCFormat`: the first and the last of each range that is served.
    format {
        UINT = 0x5001, UINT3 = 0x5003, UINT4 = 0x5004, FLOAT = 0x9001, FLOAT3 = 0x9003, FLOAT16 = 0x9010, FLOAT3X4_ROW_MAJOR = 0x9134,
        FLOAT4X4_ROW_MAJOR = 0x9144, FLOAT3X4_COLUMN_MAJOR = 0x9234, FLOAT4X4_COLUMN_MAJOR = 0x9244,
        QUATERNION_DECOMPOSITION = 0xB001,
    }
    /// `RTCBuildQuality`.
    quality {
        LOW = 0, MEDIUM = 1, HIGH = 2,
    }
    /// `RTCRayQueryFlags`.
    query_flag {
        INVOKE_ARGUMENT_FILTER = 1 << 1,
    }
}

/// A callback of the host. The host promises that it can be called with what it is documented to take, from any thread that
/// calls this library or works for it.
pub(crate) type Callback<A> = extern "C" fn(*const A);

pub(crate) type ErrorFunction = extern "C" fn(*mut c_void, u32, *const std::ffi::c_char);
pub(crate) type MemoryMonitor = extern "C" fn(*mut c_void, isize, bool) -> bool;
pub(crate) type ProgressMonitor = extern "C" fn(*mut c_void, f64) -> bool;
pub(crate) type PointQueryFunction = extern "C" fn(*mut PointQueryArguments) -> bool;

/// `RTCBounds`.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Bounds {
    pub(crate) lower: [f32; 4],
    pub(crate) upper: [f32; 4],
}

/// `RTCRay` and its packets: each number of all rays after one another. The alignment that a host must give is not relied on.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Rays<const N: usize> {
    pub(crate) origin: [[f32; N]; 3],
    pub(crate) tnear: [f32; N],
    pub(crate) dir: [[f32; N]; 3],
    pub(crate) time: [f32; N],
    pub(crate) tfar: [f32; N],
    pub(crate) mask: [u32; N],
    pub(crate) id: [u32; N],
    pub(crate) flags: [u32; N],
}

/// `RTCHit` and its packets.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Hits<const N: usize> {
    pub(crate) normal: [[f32; N]; 3],
    pub(crate) u: [f32; N],
    pub(crate) v: [f32; N],
    pub(crate) prim: [u32; N],
    pub(crate) geometry: [u32; N],
    pub(crate) instance: [u32; N],
    pub(crate) instance_prim: [u32; N],
}

/// `RTCRayHit` and its packets.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct RayHits<const N: usize> {
    pub(crate) ray: Rays<N>,
    pub(crate) hit: Hits<N>,
}

/// What is lent to callbacks, as large and as aligned as the header has it.
#[repr(C, align(16))]
pub(crate) struct Aligned<T>(pub(crate) T);

impl<T> Aligned<T> {
    /// Returns the address of all of it.
    pub(crate) fn lent(&mut self) -> *mut T {
        (&raw mut *self).cast()
    }
}

impl Hits<1> {
    pub(crate) const NONE: Self = Hits {
        normal: [[0.0]; 3],
        u: [0.0],
        v: [0.0],
        prim: [INVALID],
        geometry: [INVALID],
        instance: [INVALID],
        instance_prim: [INVALID],
    };
}

/// `RTCRayQueryContext`.
#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
pub(crate) struct QueryContext {
    pub(crate) instance: u32,
    pub(crate) instance_prim: u32,
}

impl QueryContext {
    pub(crate) const NONE: Self = QueryContext {
        instance: INVALID,
        instance_prim: INVALID,
    };

    pub(crate) fn of([instance, instance_prim]: [u32; 2]) -> Self {
        QueryContext {
            instance,
            instance_prim,
        }
    }
}

/// `RTCIntersectArguments` and `RTCOccludedArguments`, whose last callback takes other arguments.
#[repr(C)]
pub(crate) struct QueryArguments<A> {
    pub(crate) flags: u32,
    pub(crate) feature_mask: u32,
    pub(crate) context: *mut QueryContext,
    pub(crate) filter: Option<Callback<FilterArguments>>,
    pub(crate) user: Option<Callback<A>>,
}

/// `RTCFilterFunctionNArguments`.
#[repr(C)]
pub(crate) struct FilterArguments {
    pub(crate) valid: *mut c_int,
    pub(crate) user: *mut c_void,
    pub(crate) context: *mut QueryContext,
    pub(crate) ray: *mut Rays<1>,
    pub(crate) hit: *mut Hits<1>,
    pub(crate) n: u32,
}

/// `RTCIntersectFunctionNArguments` and `RTCOccludedFunctionNArguments`, for one ray.
#[repr(C)]
pub(crate) struct UserArguments<T> {
    pub(crate) valid: *mut c_int,
    pub(crate) user: *mut c_void,
    pub(crate) prim: u32,
    pub(crate) context: *mut QueryContext,
    pub(crate) ray: *mut T,
    pub(crate) n: u32,
    pub(crate) geometry: u32,
}

/// `RTCBoundsFunctionArguments`.
#[repr(C)]
pub(crate) struct BoundsArguments {
    pub(crate) user: *mut c_void,
    pub(crate) prim: u32,
    pub(crate) time_step: u32,
    pub(crate) bounds: *mut Bounds,
}

/// `RTCPointQuery`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct PointQuery<const N: usize> {
    pub(crate) point: [[f32; N]; 3],
    pub(crate) time: [f32; N],
    pub(crate) radius: [f32; N],
}

/// `RTCPointQueryContext`.
#[repr(C, align(16))]
pub(crate) struct PointQueryContext {
    pub(crate) world_to_instance: [f32; 16],
    pub(crate) instance_to_world: [f32; 16],
    pub(crate) instance: u32,
    pub(crate) instance_prim: u32,
    pub(crate) depth: u32,
}

impl PointQueryContext {
    pub(crate) const NONE: Self = PointQueryContext {
        world_to_instance: [0.0; 16],
        instance_to_world: [0.0; 16],
        instance: INVALID,
        instance_prim: INVALID,
        depth: 0,
    };
}

/// `RTCPointQueryFunctionArguments`.
#[repr(C, align(16))]
pub(crate) struct PointQueryArguments {
    pub(crate) query: *mut PointQuery<1>,
    pub(crate) user: *mut c_void,
    pub(crate) prim: u32,
    pub(crate) geometry: u32,
    pub(crate) context: *mut PointQueryContext,
    pub(crate) similarity_scale: f32,
}

// Sizes and places as in Embree's headers, on systems with pointers of 8 bytes.
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<Rays<1>>() == 48 && size_of::<Rays<16>>() == 768);
    assert!(offset_of!(RayHits<1>, hit) == 48 && offset_of!(RayHits<4>, hit) == 192);
    assert!(offset_of!(RayHits<8>, hit) == 384 && offset_of!(RayHits<16>, hit) == 768);
    assert!(offset_of!(Rays<1>, tfar) == 32 && offset_of!(Rays<1>, flags) == 44);
    assert!(offset_of!(Hits<1>, geometry) == 24 && offset_of!(Hits<1>, instance_prim) == 32);
    assert!(size_of::<Aligned<Hits<1>>>() == 48 && size_of::<Aligned<RayHits<1>>>() == 96);
    assert!(size_of::<Aligned<PointQuery<1>>>() == 32);
    assert!(size_of::<Bounds>() == 32 && align_of::<Bounds>() == 16);
    assert!(size_of::<QueryContext>() == 8 && size_of::<PointQuery<1>>() == 20);
    if size_of::<usize>() == 8 {
        assert!(
            offset_of!(QueryArguments<()>, context) == 8 && size_of::<QueryArguments<()>>() == 32
        );
        assert!(offset_of!(FilterArguments, n) == 40);
        assert!(
            offset_of!(UserArguments<()>, context) == 24
                && offset_of!(UserArguments<()>, geometry) == 44
        );
        assert!(offset_of!(BoundsArguments, bounds) == 16);
        assert!(
            offset_of!(PointQueryContext, instance) == 128 && size_of::<PointQueryContext>() == 144
        );
        assert!(
            offset_of!(PointQueryArguments, context) == 24
                && size_of::<PointQueryArguments>() == 48
        );
    }
};
