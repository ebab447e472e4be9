//! Checks whether the system has memory to give.

/// Returns whether the system has `bytes` more to give to this process.
///
/// Nothing is kept or touched: the memory is requested in one piece and given back. The call
/// therefore takes microseconds, and does not account for what other processes take meanwhile. It
/// serves as a check before work that makes many small allocations or that cannot report a failed
/// one.
///
/// ```
/// use estoc_memory::has_room;
/// assert!(has_room(1 << 20) && !has_room(usize::MAX));
/// ```
pub fn has_room(bytes: usize) -> bool {
    bytes == 0 || (bytes <= isize::MAX as usize && can_get(bytes))
}

/// Maps memory instead of using the allocator, whose thresholds would change after such a large
/// request.
#[cfg(feature = "map")]
fn can_get(bytes: usize) -> bool {
    memmap2::MmapMut::map_anon(bytes).is_ok()
}

#[cfg(not(feature = "map"))]
fn can_get(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
