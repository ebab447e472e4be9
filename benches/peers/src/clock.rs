//! What is timed: the time of day, or that of the processor.

use std::time::Instant;

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The time that passes.
    Wall,
    /// The time that processors spend on this process, all its threads together: for work of one
    /// thread, the time that would pass if no other program ran.
    Processor,
}

impl Clock {
    /// Returns the seconds that a piece of work takes.
    pub(crate) fn time(self, work: impl FnOnce()) -> f64 {
        match self {
            Clock::Wall => {
                let start = Instant::now();
                work();
                start.elapsed().as_secs_f64()
            }
            Clock::Processor => {
                let start = processor_seconds();
                work();
                processor_seconds() - start
            }
        }
    }
}

fn processor_seconds() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the function writes one `timespec`, which is exclusive.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "POSIX systems have this clock");
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn both_clocks_run() {
        let nap = || sleep(Duration::from_millis(50));
        assert!(Clock::Wall.time(nap) >= 0.05);
        let count = || {
            let sum: u64 = (0..1_000_000).map(std::hint::black_box).sum();
            assert_eq!(sum, 499_999_500_000);
        };
        assert!(Clock::Processor.time(count) > 0.0);
    }
}
