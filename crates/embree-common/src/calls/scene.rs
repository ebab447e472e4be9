//! The calls about scenes.

use crate::abi::{Bounds, INVALID, ProgressMonitor};
use crate::call::call;
use crate::calls::geometry::checked_quality;
use crate::device::{Device, report};
use crate::exports;
use crate::failure::Failure;
use crate::handle::Handle;
use crate::host_pointer::HostPointer;
use crate::scene::Scene;
use crate::scene::geometry::Geometry;
use std::ffi::c_void;
use std::sync::Arc;

/// Runs a call about a scene.
pub fn of_scene<T>(
    scene: Handle<Scene>,
    on_failure: T,
    work: impl FnOnce(&Scene) -> Result<T, Failure>,
) -> T {
    call(scene.get().map(Scene::device), on_failure, || {
        work(scene.object()?)
    })
}

/// Writes the bounds, rounded outwards; those of nothing have lower numbers of +inf and upper ones of -inf.
fn write_bounds(scene: Handle<Scene>, to: &mut [Option<&mut Bounds>]) {
    of_scene(scene, (), |scene| {
        let not_committed = || crate::failure::invalid_operation("the scene was not committed");
        let bounds = scene.world().ok_or_else(not_committed)?.bounds();
        let [lower, upper] = match bounds {
            None => [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]],
            Some([min, max]) => {
                let down = |x: f64| {
                    if f64::from(x as f32) > x {
                        (x as f32).next_down()
                    } else {
                        x as f32
                    }
                };
                [min.to_array().map(down), max.to_array().map(|x| -down(-x))]
            }
        };
        for to in to.iter_mut().flatten() {
            **to = Bounds {
                lower: [lower[0], lower[1], lower[2], 0.0],
                upper: [upper[0], upper[1], upper[2], 0.0],
            };
        }
        Ok(())
    });
}

exports! {
    fn rtcNewScene(device: Handle<Device>) -> Handle<Scene> {
        call(device.get(), Handle::NULL, || Ok(Handle::given(Arc::new(Scene::new(device.shared()?)))))
    }

    fn rtcGetSceneDevice(scene: Handle<Scene>) -> Handle<Device> {
        of_scene(scene, Handle::NULL, |scene| Ok(Handle::given(scene.device.clone())))
    }

    fn rtcRetainScene(scene: Handle<Scene>) { call(None, (), || scene.retain()) }

    fn rtcReleaseScene(scene: Handle<Scene>) { call(None, (), || scene.release().map(drop)) }

    fn rtcAttachGeometry(scene: Handle<Scene>, geometry: Handle<Geometry>) -> u32 {
        of_scene(scene, INVALID, |scene| scene.attach(geometry.shared()?, None))
    }

    fn rtcAttachGeometryByID(scene: Handle<Scene>, geometry: Handle<Geometry>, id: u32) {
        of_scene(scene, (), |scene| scene.attach(geometry.shared()?, Some(id)).map(|_| ()))
    }

    fn rtcDetachGeometry(scene: Handle<Scene>, id: u32) {
        of_scene(scene, (), |scene| scene.detach(id).map(drop))
    }

    fn rtcGetGeometry(scene: Handle<Scene>, id: u32) -> Handle<Geometry> {
        of_scene(scene, Handle::NULL, |scene| scene.of_geometry(id, Handle::lent))
    }

    fn rtcGetGeometryThreadSafe(scene: Handle<Scene>, id: u32) -> Handle<Geometry> {
        of_scene(scene, Handle::NULL, |scene| scene.of_geometry_safely(id, Handle::lent))
    }

    fn rtcCommitScene(scene: Handle<Scene>) {
        for failure in of_scene(scene, Vec::new(), Scene::commit) {
            report(scene.get().map(Scene::device), failure);
        }
    }

    /// The threads that join wait for the first one.
    fn rtcJoinCommitScene(scene: Handle<Scene>) { rtcCommitScene(scene) }

    fn rtcSetSceneProgressMonitorFunction(
        scene: Handle<Scene>, function: Option<ProgressMonitor>, user: *mut c_void,
    ) {
        of_scene(scene, (), |scene| {
            scene.state().progress = function.map(|function| (function, HostPointer::of(user)));
            Ok(())
        })
    }

    fn rtcSetSceneBuildQuality(scene: Handle<Scene>, quality: u32) {
        of_scene(scene, (), |scene| {
            scene.state().quality = checked_quality(quality)?;
            Ok(())
        })
    }

    /// Flags choose between speed and exactness in Embree; here they have no effect, and answers are exact with any.
    fn rtcSetSceneFlags(scene: Handle<Scene>, flags: u32) {
        of_scene(scene, (), |scene| {
            scene.state().flags = flags;
            Ok(())
        })
    }

    fn rtcGetSceneFlags(scene: Handle<Scene>) -> u32 { of_scene(scene, 0, |scene| Ok(scene.state().flags)) }

    fn rtcGetSceneBounds(scene: Handle<Scene>, to: Option<&mut Bounds>) { write_bounds(scene, &mut [to]) }

    /// Both ends of the time have the same bounds.
    fn rtcGetSceneLinearBounds(scene: Handle<Scene>, to: Option<&mut [Bounds; 2]>) {
        let [first, last] = to.map(|[first, last]| [Some(first), Some(last)]).unwrap_or_default();
        write_bounds(scene, &mut [first, last])
    }
}
