//! Tests on the devices of this machine: software will do. `gpu/test` installs two.

mod answers;
mod bounds;
mod doubts;
mod faults;
mod reference;

use estoc::{Bvh, Mesh, Triangle};
use estoc_gpu::Device;
use std::sync::OnceLock;

/// Returns the devices of this machine, each started once. Tests of each are trivial where there is none.
fn devices() -> &'static [Device] {
    static DEVICES: OnceLock<Vec<Device>> = OnceLock::new();
    DEVICES.get_or_init(|| {
        let all = Device::all();
        let devices: Vec<Device> = all
            .iter()
            .map(|info| Device::open(&info.name).unwrap())
            .collect();
        eprintln!(
            "tested on {}",
            Vec::from_iter(all.iter().map(ToString::to_string)).join(", ")
        );
        devices
    })
}

/// Says so, where nothing is tested.
#[test]
fn there_are_as_many_devices_as_said() {
    let expected = std::env::var("ESTOC_GPU_DEVICES")
        .ok()
        .and_then(|n| n.parse::<usize>().ok());
    match expected {
        Some(expected) => assert_eq!(devices().len(), expected, "{:?}", Device::all()),
        None if devices().is_empty() => {
            eprintln!("no device of this machine can run the kernel, so nothing is tested");
        }
        None => {}
    }
}

/// Returns a tree over triangles. One with a corner that is not finite is replaced by a point, which is never hit either.
fn tree_of(triangles: &[Triangle]) -> Bvh {
    let corners = triangles.iter().flat_map(|triangle| {
        let is_finite = triangle.is_finite();
        triangle
            .corners()
            .map(|p| if is_finite { p } else { [0.0; 3].into() })
    });
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::try_new(corners, faces).unwrap())
}
