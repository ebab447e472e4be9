//! The devices of estoc-gpu, as the command asks them.

use estoc_bvh::Bvh;
use estoc_cli::{AskedDevice, Device, DeviceError, DeviceFacts, DeviceReport, DeviceTree, Devices};
use estoc_core::MeshEngine;
use estoc_gpu::{DeviceInfo, GpuBvh, GpuEngine};

/// All devices that wgpu finds.
pub(crate) struct WgpuDevices;

struct Started(estoc_gpu::Device);

struct Loaded<'a>(GpuBvh<'a>);

struct Asked<'a>(GpuEngine<'a>);

impl Devices for WgpuDevices {
    fn all(&self) -> Vec<DeviceFacts> {
        estoc_gpu::Device::all().iter().map(facts_of).collect()
    }

    fn start(&self, name: &str) -> Result<Box<dyn Device>, DeviceError> {
        Ok(Box::new(Started(estoc_gpu::Device::open(name)?)))
    }
}

impl Device for Started {
    fn facts(&self) -> DeviceFacts {
        facts_of(self.0.info())
    }

    fn load<'a>(&self, bvh: &'a Bvh) -> Result<Box<dyn DeviceTree + 'a>, DeviceError> {
        Ok(Box::new(Loaded(GpuBvh::new(bvh, &self.0)?)))
    }
}

impl DeviceTree for Loaded<'_> {
    fn asked(&self, falls_back: bool) -> Box<dyn AskedDevice + '_> {
        Box::new(Asked(self.0.engine(falls_back)))
    }
}

impl AskedDevice for Asked<'_> {
    fn engine(&self) -> &(dyn MeshEngine + Sync) {
        &self.0
    }

    fn report(&self) -> DeviceReport {
        let (rays, doubts) = self.0.counts();
        DeviceReport {
            rays,
            doubts,
            fault: self.0.fault().map(|fault| fault.clone().into()),
        }
    }
}

fn facts_of(info: &DeviceInfo) -> DeviceFacts {
    DeviceFacts {
        name: info.name.clone(),
        driver: info.driver.clone(),
        is_software: info.is_software,
    }
}
