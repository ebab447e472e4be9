//! The peak memory of a piece of work.

use std::fs;

/// The peak memory of the process from the moment of its creation.
#[derive(Clone, Copy)]
pub(crate) struct PeakMemory {
    before: usize,
}

impl PeakMemory {
    /// Starts watching; `None` where the system does not report the peak (Linux does).
    pub(crate) fn watch() -> Option<Self> {
        give_back();
        // 5 resets the peak.
        fs::write("/proc/self/clear_refs", "5").ok()?;
        let before = bytes("VmRSS:")?;
        Some(PeakMemory { before })
    }

    /// Returns the growth from the start to now, in bytes.
    pub(crate) fn held(self) -> Option<usize> {
        give_back();
        Some(bytes("VmRSS:")?.saturating_sub(self.before))
    }

    /// Returns the growth from the start to the peak, in bytes.
    pub(crate) fn grown(self) -> Option<usize> {
        Some(bytes("VmHWM:")?.saturating_sub(self.before))
    }
}

/// Makes the allocator return free memory to the system; later work could reuse it uncounted.
fn give_back() {
    // SAFETY: the function may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Returns a value that the system reports for this process, in bytes.
fn bytes(key: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_given_back_counts() {
        const BYTES: usize = 64 << 20;
        let memory = PeakMemory::watch().expect("Linux tells");
        drop(std::hint::black_box(vec![1u8; BYTES]));
        assert!(memory.grown().is_some_and(|grown| grown >= BYTES));
    }
}
