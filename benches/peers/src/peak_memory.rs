//! How much memory a piece of work takes at most.

use std::fs;

/// From the moment that it is made, what the process has in memory at most.
#[derive(Clone, Copy)]
pub(crate) struct PeakMemory {
    before: usize,
}

impl PeakMemory {
    /// Starts to watch; `None` where the system does not tell (it does on Linux).
    pub(crate) fn watch() -> Option<Self> {
        give_back();
        // 5: the peak begins anew.
        fs::write("/proc/self/clear_refs", "5").ok()?;
        let before = bytes("VmRSS:")?;
        Some(PeakMemory { before })
    }

    /// How many bytes there were at most beyond those at the start.
    pub(crate) fn grown(self) -> Option<usize> {
        Some(bytes("VmHWM:")?.saturating_sub(self.before))
    }
}

/// Has the allocator give back what earlier work left it, which later work would take unseen.
fn give_back() {
    // SAFETY: the function may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// What the system says of this process, in bytes.
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
