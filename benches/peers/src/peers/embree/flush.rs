//! The floating-point mode that Embree's manual recommends.

use std::marker::PhantomData;

/// Sets flush-to-zero and denormals-are-zero on this thread until dropped.
///
/// Rust assumes that this mode is off. Between [`FlushToZero::on`] and the drop, callers therefore
/// let only Embree compute, and themselves only move numbers.
#[must_use]
pub(super) struct FlushToZero {
    before: u32,
    /// It must be dropped on the thread that created it.
    not_send: PhantomData<*const ()>,
}

#[cfg(target_arch = "x86_64")]
impl FlushToZero {
    const FLUSH_TO_ZERO: u32 = 1 << 15;
    const DENORMALS_ARE_ZERO: u32 = 1 << 6;

    pub(super) fn on() -> Self {
        let before = store();
        load(before | Self::FLUSH_TO_ZERO | Self::DENORMALS_ARE_ZERO);
        FlushToZero {
            before,
            not_send: PhantomData,
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for FlushToZero {
    fn drop(&mut self) {
        load(self.before);
    }
}

#[cfg(target_arch = "x86_64")]
fn store() -> u32 {
    let mut mode = 0_u32;
    // SAFETY: stmxcsr, which every x86-64 has, stores 4 bytes at the address, and these are
    // the 4 bytes of `mode`.
    unsafe {
        std::arch::asm!(
            "stmxcsr [{at}]",
            at = in(reg) &raw mut mode,
            options(nostack, preserves_flags)
        );
    }
    mode
}

#[cfg(target_arch = "x86_64")]
fn load(mode: u32) {
    // SAFETY: ldmxcsr loads 4 bytes from the address, and these are the 4 bytes of `mode`. No
    // reserved bit is set, which would trap: `mode` is what stmxcsr gave, at most with two
    // bits added that every x86-64 has. Exceptions stay masked and the rounding stays to
    // nearest. The two bits change what Rust's arithmetic would give with subnormal numbers;
    // none runs while they are set, as the type's documentation demands.
    unsafe {
        std::arch::asm!(
            "ldmxcsr [{at}]",
            at = in(reg) &raw const mode,
            options(nostack, preserves_flags, readonly)
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl FlushToZero {
    /// Sets the mode; does nothing on other processors than x86-64.
    pub(super) fn on() -> Self {
        FlushToZero {
            before: 0,
            not_send: PhantomData,
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_mode_comes_back() {
        let before = store();
        let flush = FlushToZero::on();
        let within = store();
        drop(flush);
        assert_eq!(within, before | 0x8040);
        assert_eq!(store(), before);
        let least = std::hint::black_box(f32::from_bits(1));
        assert!(least * 2.0 > 0.0, "subnormal numbers count again");
    }
}
