//! Numbers and layouts of the binary interfaces of Embree 3 and 4, as their documentation gives them, for the default
//! builds: one level of instances and, in Embree 4, arrays of instances.
//!
//! Where `P` is a parameter, Embree 4 has the number of the instance in its array, as of 1 level, and Embree 3 has no such
//! number: `P` is 1 or 0. What callbacks of Embree 3 are lent has it after all that they know.

use std::ffi::{c_int, c_void};

/// The id of no geometry, primitive or instance.
pub const INVALID: u32 = u32::MAX;

/// Constants with the names of Embree's, without the prefix.
macro_rules! constants {
    ($($(#[$doc:meta])* $module:ident { $($name:ident = $value:expr),* $(,)? })*) => {$(
        $(#[$doc])*
        pub mod $module {
            $(pub const $name: u32 = $value;)*
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
}

/// A callback of the host. The host promises that it can be called with what it is documented to take, from any thread that
/// calls this library or works for it.
pub type Callback<A> = extern "C" fn(*const A);

/// It may throw to the host's own code, through the call that failed.
pub type ErrorFunction = extern "C-unwind" fn(*mut c_void, u32, *const std::ffi::c_char);
pub type MemoryMonitor = extern "C" fn(*mut c_void, isize, bool) -> bool;
pub type ProgressMonitor = extern "C" fn(*mut c_void, f64) -> bool;
pub type PointQueryFunction = extern "C" fn(*mut PointQueryArguments) -> bool;

/// `RTCBounds`.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Bounds {
    pub lower: [f32; 4],
    pub upper: [f32; 4],
}

/// `RTCRay` and its packets: each number of all rays after one another. The alignment that a host must give is not relied on.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Rays<const N: usize> {
    pub origin: [[f32; N]; 3],
    pub tnear: [f32; N],
    pub dir: [[f32; N]; 3],
    pub time: [f32; N],
    pub tfar: [f32; N],
    pub mask: [u32; N],
    pub id: [u32; N],
    pub flags: [u32; N],
}

/// `RTCHit` and its packets.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Hits<const N: usize, const P: usize = 1> {
    pub normal: [[f32; N]; 3],
    pub u: [f32; N],
    pub v: [f32; N],
    pub prim: [u32; N],
    pub geometry: [u32; N],
    pub instance: [u32; N],
    pub instance_prim: [[u32; N]; P],
}

/// `RTCRayHit` and its packets.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct RayHits<const N: usize, const P: usize = 1> {
    pub ray: Rays<N>,
    pub hit: Hits<N, P>,
}

/// What is lent to callbacks, as large and as aligned as the header has it.
#[repr(C, align(16))]
pub struct Aligned<T>(pub T);

impl<T> Aligned<T> {
    /// Returns the address of all of it.
    pub fn lent(&mut self) -> *mut T {
        (&raw mut *self).cast()
    }
}

impl Hits<1> {
    pub const NONE: Self = Hits {
        normal: [[0.0]; 3],
        u: [0.0],
        v: [0.0],
        prim: [INVALID],
        geometry: [INVALID],
        instance: [INVALID],
        instance_prim: [[INVALID]],
    };
}

/// The ids of an instance, as `RTCRayQueryContext` of Embree 4 has them.
#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
pub struct InstanceIds {
    pub instance: u32,
    pub instance_prim: u32,
}

impl InstanceIds {
    pub const NONE: Self = InstanceIds {
        instance: INVALID,
        instance_prim: INVALID,
    };

    pub fn of([instance, instance_prim]: [u32; 2]) -> Self {
        InstanceIds {
            instance,
            instance_prim,
        }
    }
}

/// `RTCFilterFunctionNArguments`.
#[repr(C)]
pub struct FilterArguments {
    pub valid: *mut c_int,
    pub user: *mut c_void,
    pub context: *mut c_void,
    pub ray: *mut Rays<1>,
    pub hit: *mut Hits<1>,
    pub n: u32,
}

/// `RTCIntersectFunctionNArguments` and `RTCOccludedFunctionNArguments`, for one ray.
#[repr(C)]
pub struct UserArguments<T> {
    pub valid: *mut c_int,
    pub user: *mut c_void,
    pub prim: u32,
    pub context: *mut c_void,
    pub ray: *mut T,
    pub n: u32,
    pub geometry: u32,
}

/// `RTCBoundsFunctionArguments`.
#[repr(C)]
pub struct BoundsArguments {
    pub user: *mut c_void,
    pub prim: u32,
    pub time_step: u32,
    pub bounds: *mut Bounds,
}

/// `RTCPointQuery`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PointQuery<const N: usize> {
    pub point: [[f32; N]; 3],
    pub time: [f32; N],
    pub radius: [f32; N],
}

/// `RTCPointQueryContext`.
#[repr(C, align(16))]
pub struct PointQueryContext<const P: usize = 1> {
    pub world_to_instance: [f32; 16],
    pub instance_to_world: [f32; 16],
    pub instance: u32,
    pub instance_prim: [u32; P],
    pub depth: u32,
}

impl<const P: usize> PointQueryContext<P> {
    pub const NONE: Self = PointQueryContext {
        world_to_instance: [0.0; 16],
        instance_to_world: [0.0; 16],
        instance: INVALID,
        instance_prim: [INVALID; P],
        depth: 0,
    };
}

/// `RTCPointQueryFunctionArguments`.
#[repr(C, align(16))]
pub struct PointQueryArguments {
    pub query: *mut PointQuery<1>,
    pub user: *mut c_void,
    pub prim: u32,
    pub geometry: u32,
    pub context: *mut c_void,
    pub similarity_scale: f32,
}

// Sizes and places as in Embree's headers, on systems with pointers of 8 bytes.
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<Rays<1>>() == 48 && size_of::<Rays<16>>() == 768);
    assert!(size_of::<RayHits<1, 0>>() == 80 && size_of::<RayHits<16, 0>>() == 16 * 80);
    assert!(offset_of!(RayHits<1>, hit) == 48 && offset_of!(RayHits<4>, hit) == 192);
    assert!(offset_of!(RayHits<8>, hit) == 384 && offset_of!(RayHits<16>, hit) == 768);
    assert!(offset_of!(Rays<1>, tfar) == 32 && offset_of!(Rays<1>, flags) == 44);
    assert!(offset_of!(Hits<1>, geometry) == 24 && offset_of!(Hits<1>, instance_prim) == 32);
    assert!(size_of::<Aligned<Hits<1>>>() == 48 && size_of::<Aligned<RayHits<1>>>() == 96);
    assert!(size_of::<Aligned<PointQuery<1>>>() == 32);
    assert!(size_of::<Bounds>() == 32 && align_of::<Bounds>() == 16);
    assert!(size_of::<InstanceIds>() == 8 && size_of::<PointQuery<1>>() == 20);
    if size_of::<usize>() == 8 {
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
            offset_of!(PointQueryContext<0>, depth) == 132
                && size_of::<PointQueryContext<0>>() == 144
        );
        assert!(
            offset_of!(PointQueryArguments, context) == 24
                && size_of::<PointQueryArguments>() == 48
        );
    }
};
