//! The calls that describe geometries.

use crate::abi::{
    BoundsArguments, Callback, FilterArguments, INVALID, PointQueryFunction, RayHits, Rays,
    UserArguments,
};
use crate::buffer::{Buffer, View, item_size, view_bytes};
use crate::call::call;
use crate::device::Device;
use crate::exports;
use crate::failure::{Failure, invalid_argument, invalid_operation};
use crate::handle::Handle;
use crate::scene::Scene;
use crate::scene::geometry::{Geometry, Kind};
use crate::transform::Transform;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

const MESHES: &[Kind] = &[Kind::Triangles, Kind::Quads];
const USER: &[Kind] = &[Kind::User];
const INSTANCES: &[Kind] = &[Kind::Instance, Kind::InstanceArray];
const ALL: &[Kind] = &[
    Kind::Triangles,
    Kind::Quads,
    Kind::User,
    Kind::Instance,
    Kind::InstanceArray,
];

/// Runs a call about a geometry.
pub fn of_geometry<T>(
    geometry: Handle<Geometry>,
    on_failure: T,
    work: impl FnOnce(&Geometry) -> Result<T, Failure>,
) -> T {
    let device = geometry.get().map(|geometry| &*geometry.device);
    call(device, on_failure, || work(geometry.object()?))
}

/// Defines calls that set one thing of geometries of some kinds.
macro_rules! settings {
    ($($name:ident($of:ident, $value:ident: $type:ty) => $($place:ident).+;)*) => {exports! {$(
        fn $name(geometry: Handle<Geometry>, $value: $type) {
            of_geometry(geometry, (), |geometry| {
                geometry.settings_of($of)?.$($place).+ = $value;
                Ok(())
            })
        }
    )*}};
}

settings! {
    rtcSetGeometryMask(ALL, mask: u32) => mask;
    rtcSetGeometryIntersectFilterFunction(ALL, filter: Option<Callback<FilterArguments>>) => callbacks.intersect_filter;
    rtcSetGeometryOccludedFilterFunction(ALL, filter: Option<Callback<FilterArguments>>) => callbacks.occluded_filter;
    rtcSetGeometryPointQueryFunction(ALL, function: Option<PointQueryFunction>) => callbacks.point_query;
    rtcSetGeometryUserPrimitiveCount(USER, count: u32) => user_count;
    // The function's own pointer comes after it; as in Embree, it is called with that of the geometry.
    rtcSetGeometryBoundsFunction(USER, function: Option<Callback<BoundsArguments>>) => bounds;
    rtcSetGeometryIntersectFunction(USER, function: Option<Callback<UserArguments<RayHits<1>>>>) => callbacks.intersect;
    rtcSetGeometryOccludedFunction(USER, function: Option<Callback<UserArguments<Rays<1>>>>) => callbacks.occluded;
}

fn enable(geometry: Handle<Geometry>, is_enabled: bool) {
    of_geometry(geometry, (), |geometry| {
        geometry.settings().is_enabled = is_enabled;
        Ok(())
    });
}

pub fn checked_quality(quality: u32) -> Result<u32, Failure> {
    match quality {
        0..=3 => Ok(quality),
        _ => Err(invalid_argument(format!(
            "there is no build quality {quality}"
        ))),
    }
}

fn bytes_of(layout: (usize, usize, usize), format: u32) -> Result<usize, Failure> {
    let size = item_size(format)?;
    view_bytes(layout, size).ok_or_else(|| {
        invalid_argument(format!(
            "{} items, {} bytes apart, are beyond all memory",
            layout.2, layout.1
        ))
    })
}

fn set_transform(geometry: Handle<Geometry>, time_step: u32, format: u32, numbers: *const f32) {
    of_geometry(geometry, (), |geometry| {
        if time_step > 0 {
            return Err(invalid_operation(format!(
                "time step {time_step}: {NO_MOTION}"
            )));
        }
        geometry.settings_of(&[Kind::Instance])?.transform = Transform::of_host(format, numbers)?;
        Ok(())
    });
}

/// Writes the transformation of one of an array of instances.
pub fn get_transform(geometry: Handle<Geometry>, instance: u32, format: u32, to: *mut f32) {
    of_geometry(geometry, (), |geometry| {
        let settings = geometry.settings_of(INSTANCES)?;
        settings
            .instance(geometry.kind, instance as usize)?
            .1
            .write(format, to)
    });
}

/// Sets the scenes that are instanced.
pub fn set_scenes(
    geometry: &Geometry,
    kinds: &[Kind],
    scenes: Vec<Arc<Scene>>,
) -> Result<(), Failure> {
    // What is replaced is dropped after the lock, since that calls the memory monitor.
    let replaced = std::mem::replace(&mut geometry.settings_of(kinds)?.scenes, scenes);
    drop(replaced);
    Ok(())
}

const NO_MOTION: &str = "there is no motion blur, so a geometry has one time step";

exports! {
    fn rtcNewGeometry(device: Handle<Device>, kind: u32) -> Handle<Geometry> {
        call(device.get(), Handle::NULL, || Ok(Handle::given(Arc::new(Geometry::new(device.shared()?, kind)?))))
    }

    fn rtcRetainGeometry(geometry: Handle<Geometry>) { call(None, (), || geometry.retain()) }

    fn rtcReleaseGeometry(geometry: Handle<Geometry>) { call(None, (), || geometry.release().map(drop)) }

    fn rtcCommitGeometry(geometry: Handle<Geometry>) { of_geometry(geometry, (), |geometry| Ok(geometry.commit())) }

    fn rtcEnableGeometry(geometry: Handle<Geometry>) { enable(geometry, true) }

    fn rtcDisableGeometry(geometry: Handle<Geometry>) { enable(geometry, false) }

    fn rtcSetGeometryTimeStepCount(geometry: Handle<Geometry>, count: u32) {
        of_geometry(geometry, (), |_| match count {
            1 => Ok(()),
            _ => Err(invalid_operation(format!("{count} time steps: {NO_MOTION}"))),
        })
    }

    /// With one time step, the range has no effect.
    fn rtcSetGeometryTimeRange(geometry: Handle<Geometry>, _start: f32, _end: f32) {
        of_geometry(geometry, (), |_| Ok(()))
    }

    /// Slots of attributes are there when a buffer is set.
    fn rtcSetGeometryVertexAttributeCount(geometry: Handle<Geometry>, _count: u32) {
        of_geometry(geometry, (), |geometry| geometry.settings_of(MESHES).map(|_| ()))
    }

    fn rtcSetGeometryBuildQuality(geometry: Handle<Geometry>, quality: u32) {
        of_geometry(geometry, (), |_| checked_quality(quality).map(|_| ()))
    }

    fn rtcSetGeometryBuffer(
        geometry: Handle<Geometry>, kind: u32, slot: u32, format: u32,
        buffer: Handle<Buffer>, offset: usize, stride: usize, count: usize,
    ) {
        of_geometry(geometry, (), |geometry| {
            geometry.set_buffer(kind, slot, View::of(buffer.shared()?, format, (offset, stride, count))?)
        })
    }

    fn rtcSetSharedGeometryBuffer(
        geometry: Handle<Geometry>, kind: u32, slot: u32, format: u32,
        start: *const c_void, offset: usize, stride: usize, count: usize,
    ) {
        of_geometry(geometry, (), |geometry| {
            let layout = (offset, stride, count);
            let buffer = Buffer::shared(start, bytes_of(layout, format)?)?;
            geometry.set_buffer(kind, slot, View::of(buffer, format, layout)?)
        })
    }

    fn rtcSetNewGeometryBuffer(
        geometry: Handle<Geometry>, kind: u32, slot: u32, format: u32, stride: usize, count: usize,
    ) -> *mut c_void {
        of_geometry(geometry, null_mut(), |geometry| {
            let layout = (0, stride, count);
            let buffer = Buffer::zeroed(&geometry.device, bytes_of(layout, format)?)?;
            let view = View::of(buffer, format, layout)?;
            let data = view.data();
            geometry.set_buffer(kind, slot, view)?;
            Ok(data)
        })
    }

    fn rtcGetGeometryBufferData(geometry: Handle<Geometry>, kind: u32, slot: u32) -> *mut c_void {
        of_geometry(geometry, null_mut(), |geometry| {
            let settings = geometry.settings();
            let none = || invalid_argument(format!("no buffer of type {kind} was set at slot {slot}"));
            Ok(settings.buffer(kind, slot).ok_or_else(none)?.data())
        })
    }

    /// All buffers are read anew when the geometry and its scene are committed.
    fn rtcUpdateGeometryBuffer(geometry: Handle<Geometry>, kind: u32, slot: u32) {
        rtcGetGeometryBufferData(geometry, kind, slot);
    }

    fn rtcSetGeometryUserData(geometry: Handle<Geometry>, user: *mut c_void) {
        of_geometry(geometry, (), |geometry| Ok(geometry.set_user(user)))
    }

    fn rtcGetGeometryUserData(geometry: Handle<Geometry>) -> *mut c_void {
        of_geometry(geometry, null_mut(), |geometry| Ok(geometry.user()))
    }

    fn rtcSetGeometryInstancedScene(geometry: Handle<Geometry>, scene: Handle<Scene>) {
        of_geometry(geometry, (), |geometry| {
            set_scenes(geometry, INSTANCES, vec![scene.shared()?])
        })
    }

    fn rtcSetGeometryTransform(geometry: Handle<Geometry>, time_step: u32, format: u32, numbers: *const f32) {
        set_transform(geometry, time_step, format, numbers)
    }

    fn rtcSetGeometryTransformQuaternion(geometry: Handle<Geometry>, time_step: u32, numbers: *const f32) {
        set_transform(geometry, time_step, crate::abi::format::QUATERNION_DECOMPOSITION, numbers)
    }

    fn rtcGetGeometryTransform(geometry: Handle<Geometry>, _time: f32, format: u32, to: *mut f32) {
        get_transform(geometry, 0, format, to)
    }
}

/// What subdivision surfaces and curves have; here their geometries cannot be made.
macro_rules! without_curves {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty = $on_failure:expr;)*) => {exports! {$(
        fn $name(geometry: Handle<Geometry>, $($argument: $type),*) -> $answer {
            of_geometry(geometry, $on_failure, |_| {
                let what = "subdivision surfaces and curves are not served";
                Err(invalid_operation(format!("{}: {what}", stringify!($name))))
            })
        }
    )*}};
}

without_curves! {
    rtcSetGeometryMaxRadiusScale(_scale: f32) -> () = ();
    rtcSetGeometryTessellationRate(_rate: f32) -> () = ();
    rtcSetGeometryTopologyCount(_count: u32) -> () = ();
    rtcSetGeometrySubdivisionMode(_topology: u32, _mode: u32) -> () = ();
    rtcSetGeometryVertexAttributeTopology(_attribute: u32, _topology: u32) -> () = ();
    rtcSetGeometryDisplacementFunction(_function: *const c_void) -> () = ();
    rtcGetGeometryFirstHalfEdge(_face: u32) -> u32 = INVALID;
    rtcGetGeometryFace(_edge: u32) -> u32 = INVALID;
    rtcGetGeometryNextHalfEdge(_edge: u32) -> u32 = INVALID;
    rtcGetGeometryPreviousHalfEdge(_edge: u32) -> u32 = INVALID;
    rtcGetGeometryOppositeHalfEdge(_topology: u32, _edge: u32) -> u32 = INVALID;
}
