//! Checks whether the system has memory to give.

use crate::address_space;

/// Returns whether the system has `bytes` more to give to this process.
///
/// Nothing is kept or touched: the memory is requested in one piece and given back. The call
/// therefore takes microseconds, and does not account for what other threads and processes take
/// meanwhile. It serves as a check before work that makes many small allocations or that cannot report
/// a failed one. Under a limit on the address space (`ulimit -v`) on Linux, nothing is requested but
/// the numbers compared, since a request that takes all that is left, even briefly, could make an
/// allocation of another thread fail.
///
/// ```
/// use estoc_system::has_room;
/// assert!(has_room(1 << 20) && !has_room(usize::MAX));
/// ```
pub fn has_room(bytes: usize) -> bool {
    bytes == 0
        || bytes <= isize::MAX as usize
            && match address_space::left() {
                Some(left) => bytes as u64 <= left,
                None => can_get(bytes),
            }
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
