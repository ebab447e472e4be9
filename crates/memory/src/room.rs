//! Whether there is memory for what comes next.

/// Returns whether the system has `bytes` more to give to this process.
///
/// Nothing is kept, and none of it is touched: it is asked for in one piece and given back. So it
/// takes microseconds, and says nothing about what other processes take meanwhile. What is made of
/// many small pieces, or by code that cannot fail, is bounded this way before it begins.
///
/// ```
/// use estoc_memory::has_room;
/// assert!(has_room(1 << 20) && !has_room(usize::MAX));
/// ```
pub fn has_room(bytes: usize) -> bool {
    bytes == 0 || (bytes <= isize::MAX as usize && can_get(bytes))
}

/// Not from the allocator, whose thresholds would change after so large a piece.
#[cfg(feature = "map")]
fn can_get(bytes: usize) -> bool {
    memmap2::MmapMut::map_anon(bytes).is_ok()
}

#[cfg(not(feature = "map"))]
fn can_get(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
