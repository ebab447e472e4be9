//! How a thread's floating-point operations round.

#[cfg(target_arch = "aarch64")]
use aarch64 as register;
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
use none as register;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use x86 as register;

/// How floating-point operations of a thread round, whether they flush subnormal numbers to 0, and which exceptions
/// they raise: MXCSR on x86, FPCR on ARM. On other systems there is one mode.
///
/// Rust assumes the [default](Self::DEFAULT), and so do the bounds of errors in estoc. Programs that are not written in
/// Rust may have set another, as games and renderers do, and libraries that were built with `-ffast-math` when they are
/// loaded. Who is called by such a program runs its work in the default mode, and what it calls back in that of the
/// caller. A thread starts in the mode of the one that starts it on Linux, so that threads of a
/// pool that is made within such work have the default mode.
///
/// ```
/// use estoc_system::FloatMode;
/// let seen = FloatMode::DEFAULT.run(|caller| {
///     // This is computed in the default mode; a callback is called in that of the caller.
///     (caller, caller.run(|_| FloatMode::current()))
/// });
/// assert_eq!(seen.0, seen.1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatMode(register::Bits);

impl Default for FloatMode {
    fn default() -> Self {
        FloatMode::DEFAULT
    }
}

impl FloatMode {
    /// Rounds to nearest, keeps subnormal numbers, and raises no exception.
    pub const DEFAULT: Self = FloatMode(register::DEFAULT);

    /// Returns the mode of this thread.
    pub fn current() -> Self {
        FloatMode(register::read() & register::MODE)
    }

    /// Runs work in this mode, and then returns to the present one, of which the work is told. The work sets no mode.
    #[inline(always)]
    pub fn run<T>(self, work: impl FnOnce(FloatMode) -> T) -> T {
        let present = register::read();
        match FloatMode(present & register::MODE) == self {
            true => work(self),
            false => self.run_otherwise(present, work),
        }
    }

    /// Runs work of others in this mode, and then returns to the present one, also where the work has set another.
    pub fn run_foreign<T>(self, work: impl FnOnce() -> T) -> T {
        let present = register::read();
        let done = self.run(|_| work());
        if Self::current() != FloatMode(present & register::MODE) {
            register::write(present);
        }
        done
    }

    /// Runs work in this mode, which is another one than the present.
    #[inline(never)]
    fn run_otherwise<T>(self, present: register::Bits, work: impl FnOnce(FloatMode) -> T) -> T {
        /// Sets what was there, also when a panic leaves the work.
        struct Restore(register::Bits);
        impl Drop for Restore {
            fn drop(&mut self) {
                register::write(self.0);
            }
        }
        let restore = Restore(present);
        register::write(self.0);
        let done = called(|| work(FloatMode(present & register::MODE)));
        drop(restore);
        done
    }
}

/// Calls a function. As this is a call, no operation of the function moves to before the mode is set.
#[inline(never)]
fn called<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::asm;

    pub(super) type Bits = u32;
    /// All exceptions are masked.
    pub(super) const DEFAULT: Bits = 0x1f80;
    /// All but the flags of exceptions that were raised, which the lowest six bits are.
    pub(super) const MODE: Bits = 0xffc0;

    #[inline(always)]
    pub(super) fn read() -> Bits {
        let mut bits: Bits = 0;
        // SAFETY: `stmxcsr` writes 4 bytes to where it is told to, which is `bits`; every processor with SSE, which Rust's
        // targets for x86 need, has it.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut bits, options(nostack, preserves_flags)) };
        bits
    }

    #[inline(always)]
    pub(super) fn write(bits: Bits) {
        // SAFETY: `ldmxcsr` reads 4 bytes from `bits`, which has only bits of MXCSR that exist: they were read from it or
        // are those of `DEFAULT`. Rust assumes the default mode of floating-point code; what runs in another one is
        // foreign code that set it, as the documentation of `FloatMode::run` has it.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64 {
    use std::arch::asm;

    pub(super) type Bits = u64;
    pub(super) const DEFAULT: Bits = 0;
    /// Flags of exceptions are in another register.
    pub(super) const MODE: Bits = Bits::MAX;

    #[inline(always)]
    pub(super) fn read() -> Bits {
        let bits: Bits;
        // SAFETY: reads a register that every ARM processor of 64 bits has.
        unsafe { asm!("mrs {}, fpcr", out(reg) bits, options(nomem, nostack, preserves_flags)) };
        bits
    }

    #[inline(always)]
    pub(super) fn write(bits: Bits) {
        // SAFETY: writes bits that were read from the register, or its default. Rust assumes the default mode of
        // floating-point code; what runs in another one is foreign code that set it. Without `nomem`, so that no access
        // to memory, and with it no call, moves past it.
        unsafe { asm!("msr fpcr, {}", in(reg) bits, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
mod none {
    pub(super) type Bits = ();
    pub(super) const DEFAULT: Bits = ();
    pub(super) const MODE: Mode = Mode;

    /// What the mode is taken with.
    pub(super) struct Mode;

    impl std::ops::BitAnd<Mode> for () {
        type Output = ();
        fn bitand(self, _: Mode) {}
    }

    pub(super) fn read() {}

    pub(super) fn write((): Bits) {}
}

#[cfg(all(
    test,
    any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
))]
mod tests {
    use super::{FloatMode, register};
    use std::hint::black_box;
    use std::panic::catch_unwind;

    /// Rounds upwards and flushes results and operands that are subnormal.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    const FAST: FloatMode = FloatMode(0x1f80 | 0x8000 | 0x40 | 0x4000);
    #[cfg(target_arch = "aarch64")]
    const FAST: FloatMode = FloatMode(1 << 24 | 1 << 22);

    /// Returns half of the smallest normal number, and 1 with a little more.
    #[inline(never)]
    fn computed() -> [f32; 2] {
        [
            black_box(f32::MIN_POSITIVE) / black_box(2.0),
            black_box(1.0) + black_box(1e-20),
        ]
    }

    #[test]
    fn work_runs_in_its_mode_and_the_present_one_returns() {
        let right = [f32::MIN_POSITIVE / 2.0, 1.0];
        let wrong = [0.0, 1.0f32.next_up()];
        assert_eq!(
            (FloatMode::current(), computed()),
            (FloatMode::DEFAULT, right)
        );
        let [fast, inner, callback, after] = FAST.run(|_| {
            let fast = computed();
            let (inner, callback) =
                FloatMode::DEFAULT.run(|caller| (computed(), caller.run(|_| computed())));
            [fast, inner, callback, computed()]
        });
        assert_eq!([fast, inner, callback, after], [wrong, right, wrong, wrong]);
        assert_eq!(computed(), right);
    }

    #[test]
    fn foreign_work_may_set_a_mode() {
        for mode in [FloatMode::DEFAULT, FAST] {
            mode.run_foreign(|| register::write(FAST.0));
            assert_eq!(FloatMode::current(), FloatMode::DEFAULT);
        }
    }

    #[test]
    fn a_panic_returns_to_the_mode() {
        let caught = FAST.run(|_| {
            let caught = catch_unwind(|| FloatMode::DEFAULT.run(|_| panic!("for a test")));
            assert_eq!(FloatMode::current(), FAST);
            caught
        });
        assert!(caught.is_err());
        assert_eq!(FloatMode::current(), FloatMode::DEFAULT);
    }

    #[test]
    fn threads_that_work_starts_have_its_mode() {
        let of_thread = FAST.run(|_| {
            FloatMode::DEFAULT.run(|_| std::thread::spawn(FloatMode::current).join().unwrap())
        });
        assert_eq!(of_thread, FloatMode::DEFAULT);
    }

    #[test]
    fn flags_of_exceptions_are_no_part_of_the_mode() {
        assert_eq!(
            FloatMode(register::DEFAULT & register::MODE),
            FloatMode::DEFAULT
        );
        let inexact = black_box(1.0f32) / black_box(3.0);
        assert!(inexact > 0.0);
        assert_eq!(FloatMode::current(), FloatMode::DEFAULT);
    }
}
