//! Devices that trace rays, for builds of the command that have any.

use estoc::Bvh;
use estoc_core::MeshEngine;
use std::error::Error;
use std::fmt;

/// What is wrong with a device, in a sentence.
pub type DeviceError = Box<dyn Error + Send + Sync>;

/// A device that there is.
#[derive(Clone, Debug)]
pub struct DeviceFacts {
    /// Its name.
    pub name: String,
    /// The driver with its version.
    pub driver: String,
    /// Whether it is a processor that computes as a device would, and slower than by itself.
    pub is_software: bool,
}

impl fmt::Display for DeviceFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let software = if self.is_software { ", software" } else { "" };
        write!(f, "{} ({}{software})", self.name, self.driver)
    }
}

/// The devices of the machine.
pub trait Devices: Sync {
    /// Returns all devices, the fastest kinds first. None is started.
    fn all(&self) -> Vec<DeviceFacts>;

    /// Starts the first device whose name contains `name`, or, if that is empty, the first that is not software.
    ///
    /// # Errors
    /// If there is none, or if it cannot be used.
    fn start(&self, name: &str) -> Result<Box<dyn Device>, DeviceError>;
}

/// A device that was started.
pub trait Device {
    /// Returns what it is.
    fn facts(&self) -> DeviceFacts;

    /// Copies a tree to the device.
    ///
    /// # Errors
    /// If there is no room, or if the device fails.
    fn load<'a>(&self, bvh: &'a Bvh) -> Result<Box<dyn DeviceTree + 'a>, DeviceError>;
}

/// A tree on a device.
pub trait DeviceTree {
    /// Returns what asks the device about rays until it fails. Then the processor goes on alone if `falls_back`;
    /// else the batch ends with `BatchError::Engine`, and the report has the reason.
    fn asked(&self, falls_back: bool) -> Box<dyn AskedDevice + '_>;
}

/// A device that is asked about rays.
pub trait AskedDevice: Sync {
    /// Returns the engine, whose answers are those of the tree.
    fn engine(&self) -> &(dyn MeshEngine + Sync);

    /// Returns what the device did so far.
    fn report(&self) -> DeviceReport;
}

/// What a device did.
#[derive(Debug, Default)]
pub struct DeviceReport {
    /// The number of rays that it traced.
    pub rays: u64,
    /// How many of these it left to the processor.
    pub doubts: u64,
    /// Why it failed, if it did.
    pub fault: Option<DeviceError>,
}
