//! The settings of a build by Embree.

use super::abi;
use super::flush::FlushToZero;
use std::ffi::{CString, c_int};

/// The settings of a build.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    /// Embree's name of the quality.
    pub(super) preset: &'static str,
    /// `RTCBuildQuality`
    pub(super) quality: c_int,
    pub(super) robust: bool,
    /// Places with one instance array instead of an instance each.
    pub(super) arrays: bool,
    /// For scenes that change often.
    pub(super) dynamic: bool,
    /// Whether queries flush subnormal numbers, as Embree's manual recommends.
    pub(super) flushes: bool,
    /// An instruction set by Embree's name; by default Embree takes the best that it finds.
    pub(super) isa: Option<&'static str>,
}

impl Settings {
    pub(super) const fn of(preset: &'static str, quality: c_int) -> Self {
        Settings {
            preset,
            quality,
            robust: false,
            arrays: false,
            dynamic: false,
            flushes: true,
            isa: None,
        }
    }

    /// Sets the mode for queries until what is returned is dropped.
    pub(super) fn flush(self) -> Option<FlushToZero> {
        self.flushes.then(FlushToZero::on)
    }

    /// Returns the flags of a scene.
    pub(super) fn flags(self) -> c_int {
        let flag = |on: bool, flag: c_int| if on { flag } else { 0 };
        flag(self.robust, abi::SCENE_FLAG_ROBUST) | flag(self.dynamic, abi::SCENE_FLAG_DYNAMIC)
    }

    /// Returns the device's settings in Embree's syntax, for a build with `threads` threads, the
    /// caller's included.
    pub(super) fn device(self, threads: usize) -> CString {
        let isa = self.isa.map_or(String::new(), |isa| format!(",isa={isa}"));
        let text = format!("threads={threads},user_threads=0{isa}");
        CString::new(text).expect("no setting contains a NUL byte")
    }
}
