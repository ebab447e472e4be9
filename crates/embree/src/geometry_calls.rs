//! The calls that describe geometries.

use crate::abi::{
    BoundsArguments, Callback, FilterArguments, INVALID, PointQueryFunction,
    QuaternionDecomposition, RayHits, Rays, UserArguments,
};
use crate::buffer::{Buffer, View, item_size, view_bytes};
use crate::device::Device;
use crate::entry::call;
use crate::failure::{Failure, invalid_argument, invalid_operation};
use crate::geometry::{Geometry, Kind, Settings};
use crate::handle::Handle;
use crate::host_pointer::{read, read_at};
use crate::scene::Scene;
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
fn of_geometry<T>(
    geometry: Handle<Geometry>,
    on_failure: T,
    work: impl FnOnce(&Geometry) -> Result<T, Failure>,
) -> T {
    let device = geometry.get().map(|geometry| &*geometry.device);
    call(device, on_failure, || work(geometry.object()?))
}

/// Changes settings of a geometry of one of these kinds.
fn set(geometry: Handle<Geometry>, kinds: &[Kind], change: impl FnOnce(&mut Settings)) {
    of_geometry(geometry, (), |geometry| {
        change(&mut *geometry.settings_of(kinds)?);
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcNewGeometry(device: Handle<Device>, kind: u32) -> Handle<Geometry> {
    call(device.get(), Handle::NULL, || {
        Ok(Handle::given(Arc::new(Geometry::new(
            device.shared()?,
            kind,
        )?)))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcRetainGeometry(geometry: Handle<Geometry>) {
    call(None, (), || geometry.retain());
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcReleaseGeometry(geometry: Handle<Geometry>) {
    call(None, (), || geometry.release().map(drop));
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcCommitGeometry(geometry: Handle<Geometry>) {
    of_geometry(geometry, (), |geometry| {
        geometry.changed();
        Ok(())
    });
}

fn enable(geometry: Handle<Geometry>, is_enabled: bool) {
    of_geometry(geometry, (), |geometry| {
        geometry.settings().is_enabled = is_enabled;
        geometry.changed();
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcEnableGeometry(geometry: Handle<Geometry>) {
    enable(geometry, true);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcDisableGeometry(geometry: Handle<Geometry>) {
    enable(geometry, false);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryTimeStepCount(geometry: Handle<Geometry>, count: u32) {
    of_geometry(geometry, (), |_| match count {
        1 => Ok(()),
        _ => Err(invalid_operation(format!(
            "{count} time steps: there is no motion blur, so a geometry has one"
        ))),
    });
}

/// With one time step, the range has no effect.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryTimeRange(geometry: Handle<Geometry>, _: f32, _: f32) {
    of_geometry(geometry, (), |_| Ok(()));
}

/// Slots of attributes are there when a buffer is set.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryVertexAttributeCount(geometry: Handle<Geometry>, _: u32) {
    set(geometry, MESHES, |_| {});
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryMask(geometry: Handle<Geometry>, mask: u32) {
    set(geometry, ALL, |settings| settings.mask = mask);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryBuildQuality(geometry: Handle<Geometry>, quality: u32) {
    of_geometry(geometry, (), |geometry| {
        geometry.settings().quality = checked_quality(quality)?;
        Ok(())
    });
}

pub(crate) fn checked_quality(quality: u32) -> Result<u32, Failure> {
    match quality {
        0..=3 => Ok(quality),
        _ => Err(invalid_argument(format!(
            "there is no build quality {quality}"
        ))),
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryBuffer(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
    format: u32,
    buffer: Handle<Buffer>,
    offset: usize,
    stride: usize,
    count: usize,
) {
    of_geometry(geometry, (), |geometry| {
        let view = View::of(buffer.shared()?, format, (offset, stride, count))?;
        geometry.set_buffer(kind, slot, view)
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetSharedGeometryBuffer(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
    format: u32,
    start: *const c_void,
    offset: usize,
    stride: usize,
    count: usize,
) {
    of_geometry(geometry, (), |geometry| {
        let layout = (offset, stride, count);
        let bytes = bytes_of(layout, format)?;
        let buffer = Buffer::shared(geometry.device.clone(), start, bytes)?;
        geometry.set_buffer(kind, slot, View::of(buffer, format, layout)?)
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetSharedGeometryBufferHostDevice(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
    format: u32,
    start: *const c_void,
    _on_device: *const c_void,
    offset: usize,
    stride: usize,
    count: usize,
) {
    rtcSetSharedGeometryBuffer(geometry, kind, slot, format, start, offset, stride, count);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetNewGeometryBuffer(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
    format: u32,
    stride: usize,
    count: usize,
) -> *mut c_void {
    of_geometry(geometry, null_mut(), |geometry| {
        let layout = (0, stride, count);
        let buffer = Buffer::zeroed(geometry.device.clone(), bytes_of(layout, format)?)?;
        let view = View::of(buffer, format, layout)?;
        let data = view.data();
        geometry.set_buffer(kind, slot, view)?;
        Ok(data)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetNewGeometryBufferHostDevice(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
    format: u32,
    stride: usize,
    count: usize,
    host: Option<&mut *mut c_void>,
    device: Option<&mut *mut c_void>,
) {
    let data = rtcSetNewGeometryBuffer(geometry, kind, slot, format, stride, count);
    for to in [host, device].into_iter().flatten() {
        *to = data;
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

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryBufferData(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
) -> *mut c_void {
    of_geometry(geometry, null_mut(), |geometry| {
        let settings = geometry.settings();
        let view = settings.buffer(kind, slot);
        let none = || invalid_argument(format!("no buffer of type {kind} was set at slot {slot}"));
        Ok(view.ok_or_else(none)?.data())
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryBufferDataDevice(
    geometry: Handle<Geometry>,
    kind: u32,
    slot: u32,
) -> *mut c_void {
    rtcGetGeometryBufferData(geometry, kind, slot)
}

/// All buffers are read anew when the geometry and its scene are committed.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcUpdateGeometryBuffer(geometry: Handle<Geometry>, kind: u32, slot: u32) {
    rtcGetGeometryBufferData(geometry, kind, slot);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryIntersectFilterFunction(
    geometry: Handle<Geometry>,
    filter: Option<Callback<FilterArguments>>,
) {
    set(geometry, ALL, |settings| {
        settings.callbacks.intersect_filter = filter;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryOccludedFilterFunction(
    geometry: Handle<Geometry>,
    filter: Option<Callback<FilterArguments>>,
) {
    set(geometry, ALL, |settings| {
        settings.callbacks.occluded_filter = filter;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryEnableFilterFunctionFromArguments(
    geometry: Handle<Geometry>,
    is_enabled: bool,
) {
    set(geometry, ALL, |settings| {
        settings.callbacks.takes_argument_filter = is_enabled;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryUserData(geometry: Handle<Geometry>, user: *mut c_void) {
    of_geometry(geometry, (), |geometry| {
        geometry.set_user(user);
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryUserData(geometry: Handle<Geometry>) -> *mut c_void {
    of_geometry(geometry, null_mut(), |geometry| Ok(geometry.user()))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryPointQueryFunction(
    geometry: Handle<Geometry>,
    function: Option<PointQueryFunction>,
) {
    set(geometry, ALL, |settings| {
        settings.callbacks.point_query = function;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryUserPrimitiveCount(geometry: Handle<Geometry>, count: u32) {
    set(geometry, USER, |settings| settings.user_count = count);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryBoundsFunction(
    geometry: Handle<Geometry>,
    bounds: Option<Callback<BoundsArguments>>,
    _user: *mut c_void,
) {
    // As in Embree, it is called with the pointer of the geometry.
    set(geometry, USER, |settings| settings.bounds = bounds);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryIntersectFunction(
    geometry: Handle<Geometry>,
    function: Option<Callback<UserArguments<RayHits<1>>>>,
) {
    set(geometry, USER, |settings| {
        settings.callbacks.intersect = function;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryOccludedFunction(
    geometry: Handle<Geometry>,
    function: Option<Callback<UserArguments<Rays<1>>>>,
) {
    set(geometry, USER, |settings| {
        settings.callbacks.occluded = function;
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryInstancedScene(
    geometry: Handle<Geometry>,
    scene: Handle<Scene>,
) {
    of_geometry(geometry, (), |geometry| {
        geometry.settings_of(INSTANCES)?.scenes = vec![scene.shared()?];
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryInstancedScenes(
    geometry: Handle<Geometry>,
    scenes: *const Handle<Scene>,
    count: usize,
) {
    of_geometry(geometry, (), |geometry| {
        let scene = |place| {
            let scene = read_at(scenes, place);
            scene
                .ok_or_else(|| invalid_argument("the array of scenes is NULL"))?
                .shared()
        };
        let scenes = (0..count).map(scene).collect::<Result<_, _>>()?;
        geometry.settings_of(&[Kind::InstanceArray])?.scenes = scenes;
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryTransform(
    geometry: Handle<Geometry>,
    time_step: u32,
    format: u32,
    transform: *const f32,
) {
    set_transform(geometry, time_step, || {
        Transform::of_host(format, transform)
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetGeometryTransformQuaternion(
    geometry: Handle<Geometry>,
    time_step: u32,
    decomposition: *const QuaternionDecomposition,
) {
    set_transform(geometry, time_step, || {
        let none = || invalid_argument("the decomposition is NULL; pass its address");
        Ok(Transform::of_decomposition(
            &read(decomposition).ok_or_else(none)?,
        ))
    });
}

fn set_transform(
    geometry: Handle<Geometry>,
    time_step: u32,
    transform: impl FnOnce() -> Result<Transform, Failure>,
) {
    of_geometry(geometry, (), |geometry| {
        if time_step > 0 {
            return Err(invalid_operation(format!(
                "time step {time_step}: there is no motion blur, so a geometry has one"
            )));
        }
        geometry.settings_of(&[Kind::Instance])?.transform = transform()?;
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryTransform(
    geometry: Handle<Geometry>,
    time: f32,
    format: u32,
    to: *mut f32,
) {
    rtcGetGeometryTransformEx(geometry, 0, time, format, to);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryTransformEx(
    geometry: Handle<Geometry>,
    instance: u32,
    _time: f32,
    format: u32,
    to: *mut f32,
) {
    of_geometry(geometry, (), |geometry| {
        let settings = geometry.settings_of(INSTANCES)?;
        settings
            .instance(geometry.kind, instance as usize)?
            .1
            .write(format, to)
    });
}

/// What subdivision surfaces and curves have; here their geometries cannot be made.
macro_rules! not_served {
    ($($name:ident($($argument:ty),*) -> $answer:ty = $on_failure:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name(geometry: Handle<Geometry>, $(_: $argument),*) -> $answer {
            of_geometry(geometry, $on_failure, |_| {
                let what = "subdivision surfaces and curves are not served";
                Err(invalid_operation(format!("{}: {what}", stringify!($name))))
            })
        }
    )*};
}

not_served! {
    rtcSetGeometryMaxRadiusScale(f32) -> () = ();
    rtcSetGeometryTessellationRate(f32) -> () = ();
    rtcSetGeometryTopologyCount(u32) -> () = ();
    rtcSetGeometrySubdivisionMode(u32, u32) -> () = ();
    rtcSetGeometryVertexAttributeTopology(u32, u32) -> () = ();
    rtcSetGeometryDisplacementFunction(*const c_void) -> () = ();
    rtcGetGeometryFirstHalfEdge(u32) -> u32 = INVALID;
    rtcGetGeometryFace(u32) -> u32 = INVALID;
    rtcGetGeometryNextHalfEdge(u32) -> u32 = INVALID;
    rtcGetGeometryPreviousHalfEdge(u32) -> u32 = INVALID;
    rtcGetGeometryOppositeHalfEdge(u32, u32) -> u32 = INVALID;
}
