//! The command `estoc` with devices that trace rays.
#![forbid(unsafe_code)]

mod wgpu_devices;

use std::process::ExitCode;
use wgpu_devices::WgpuDevices;

fn main() -> ExitCode {
    estoc_cli::run_with(&WgpuDevices)
}
