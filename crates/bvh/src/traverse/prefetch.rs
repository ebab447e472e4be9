//! Asking memory for what is needed soon.

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(
    unsafe_code,
    reason = "what rays wait for is most of a query on a large tree"
)]
/// Asks the caches for what is at this address; where a machine has no such instruction, does
/// nothing.
pub(super) fn line(at: *const u8) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint, which reads nothing and never faults, whatever the address. It belongs to
    // SSE, which every x86-64 has.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn line(_: *const u8) {}
