//! The sizes of the processor's caches.

use std::sync::OnceLock;

/// Sizes of caches in bytes, from which the technique of a [`Batch`](crate::Batch) is chosen. No
/// answer depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CacheSizes {
    /// The private cache of each core (level 2).
    pub core: usize,
    /// The last-level cache, shared by the cores.
    pub shared: usize,
}

impl CacheSizes {
    /// The sizes assumed where the system does not report any: 1 MiB per core and 16 MiB shared.
    pub const TYPICAL: CacheSizes = CacheSizes {
        core: 1 << 20,
        shared: 16 << 20,
    };

    /// Returns the cache sizes of this machine, read once: those of the first processor, from
    /// `/sys/devices/system/cpu` on Linux; [`CacheSizes::TYPICAL`] elsewhere.
    pub fn of_this_machine() -> Self {
        static FOUND: OnceLock<CacheSizes> = OnceLock::new();
        *FOUND.get_or_init(|| from_levels(levels()))
    }
}

/// Converts pairs of level and bytes, in any order.
fn from_levels(levels: impl IntoIterator<Item = (u32, usize)>) -> CacheSizes {
    let mut caches = CacheSizes { core: 0, shared: 0 };
    for (level, bytes) in levels {
        match level {
            2 => caches.core = caches.core.max(bytes),
            3.. => caches.shared = caches.shared.max(bytes),
            _ => {}
        }
    }
    if caches.core == 0 {
        caches.core = CacheSizes::TYPICAL.core;
    }
    if caches.shared == 0 {
        caches.shared = CacheSizes::TYPICAL.shared;
    }
    caches
}

#[cfg(target_os = "linux")]
fn levels() -> Vec<(u32, usize)> {
    let read = |index: usize, what: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}");
        std::fs::read_to_string(path).ok()
    };
    (0..16)
        .map_while(|index| Some((index, read(index, "level")?)))
        .filter(|&(index, _)| read(index, "type").is_some_and(|kind| kind.trim() != "Instruction"))
        .filter_map(|(index, level)| {
            Some((level.trim().parse().ok()?, bytes(&read(index, "size")?)?))
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn levels() -> [(u32, usize); 0] {
    []
}

/// Parses a size as Linux writes it, such as `1024K`.
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "used on Linux only")
)]
fn bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit: usize = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_linux_writes_them() {
        assert_eq!(bytes("48K\n"), Some(48 << 10));
        assert_eq!(bytes("32M"), Some(32 << 20));
        assert_eq!(bytes("512"), Some(512));
        for wrong in ["", "K", "1KK", "-1K", "1.5M", "99999999999999999999G"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_not_told_is_typical() {
        assert_eq!(from_levels([]), CacheSizes::TYPICAL);
        let no_third = from_levels([(1, 32 << 10), (2, 256 << 10)]);
        assert_eq!(no_third.core, 256 << 10);
        assert_eq!(no_third.shared, CacheSizes::TYPICAL.shared);
        let four = from_levels([(4, 128 << 20), (3, 8 << 20), (2, 2 << 20)]);
        assert_eq!((four.core, four.shared), (2 << 20, 128 << 20));
        let here = CacheSizes::of_this_machine();
        assert!(here.core > 0 && here.shared > 0, "{here:?}");
    }
}
