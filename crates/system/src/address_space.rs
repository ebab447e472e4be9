//! The address space that a limit leaves to this process.

/// Returns the number of bytes that the limit on this process's address space (`ulimit -v`) leaves;
/// `None` without a limit, and where the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn left() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limit_in(&limits)?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(limit.saturating_sub(size_in(&status)?))
}

/// Returns `None`: only Linux tells without unsafe code.
#[cfg(not(target_os = "linux"))]
pub(crate) fn left() -> Option<u64> {
    None
}

/// Parses the limit in bytes that is in force, the first of two numbers.
#[cfg(target_os = "linux")]
fn limit_in(limits: &str) -> Option<u64> {
    let mut lines = limits.lines();
    let numbers = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    numbers.split_whitespace().next()?.parse().ok()
}

/// Parses the size of the address space in bytes.
#[cfg(target_os = "linux")]
fn size_in(status: &str) -> Option<u64> {
    let mut lines = status.lines();
    let size = lines.find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes: u64 = size.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn limits_and_sizes_are_parsed() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max processes             63459                63459                processes \n\
                      Max address space         102400000            unlimited            bytes     \n";
        assert_eq!(limit_in(limits), Some(102_400_000));
        assert_eq!(limit_in(&limits.replace("102400000", "unlimited")), None);
        assert_eq!(
            size_in("Name:\tVmSize:\nVmPeak:\t  9000 kB\nVmSize:\t  8604 kB\n"),
            Some(8604 << 10)
        );
        assert_eq!(size_in("VmPeak:\t9000 kB\n"), None);
    }
}
