//! Measures how much of the machine other programs use during a measurement.

/// The share of processor time used by other programs above which times are unreliable.
pub(super) const BUSY: f64 = 0.1;

/// Processor time since the machine started, in ticks of the system's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ticks {
    /// Of all processors, idle time included.
    all: u64,
    /// Of all processors, idle time excluded.
    busy: u64,
    /// Used by this program.
    own: u64,
}

/// Measures the load from its creation on.
pub(super) struct LoadMeter {
    start: Option<Ticks>,
}

impl LoadMeter {
    pub(super) fn start() -> Self {
        LoadMeter {
            start: Ticks::now(),
        }
    }

    /// Returns the share of processor time that other programs have used since the start, from 0 to
    /// 1; `None` if the system does not report it, or reports another number of processors than
    /// this program may use.
    pub(super) fn others(&self) -> Option<f64> {
        Some(Ticks::now()?.others_since(self.start?))
    }
}

impl Ticks {
    #[cfg(target_os = "linux")]
    fn now() -> Option<Self> {
        let all = std::fs::read_to_string("/proc/stat").ok()?;
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let usable = std::thread::available_parallelism().ok()?.get();
        Ticks::parse(&all, &own, usable)
    }

    #[cfg(not(target_os = "linux"))]
    fn now() -> Option<Self> {
        None
    }

    /// Reads `/proc/stat` and `/proc/self/stat` (proc(5)).
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    fn parse(stat: &str, own: &str, usable: usize) -> Option<Self> {
        let processors = stat.lines().filter(|line| {
            let number = line.strip_prefix("cpu");
            number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        if processors.count() != usable {
            return None;
        }
        let sum = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted as user.
        let ticks: Vec<u64> = sum
            .split_whitespace()
            .take(8)
            .map_while(|word| word.parse().ok())
            .collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        let all = ticks.iter().sum::<u64>();
        // The program's name may contain anything and ends at the last parenthesis; user and system
        // time are the twelfth and thirteenth word after it.
        let mut own = own.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || own.next()?.parse::<u64>().ok();
        let own = next()? + next()?;
        Some(Ticks {
            all,
            busy: all - idle,
            own,
        })
    }

    fn others_since(self, start: Ticks) -> f64 {
        let all = self.all.saturating_sub(start.all);
        let own = self.own.saturating_sub(start.own);
        let others = self.busy.saturating_sub(start.busy).saturating_sub(own);
        (others as f64 / all.max(1) as f64).clamp(0.0, 1.0)
    }
}

/// Returns a note if other programs used more than [`BUSY`] of the processor time.
pub(super) fn note(others: Option<f64>) -> Option<String> {
    let share = others.filter(|&share| share > BUSY)?;
    Some(format!(
        "the machine was busy: other programs used {:.0} % of the processor time, too much to \
         detect small differences; measure again when the machine is idle",
        100.0 * share
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 50 0 25 400 25 0 0 0 0 0\n\
                        cpu1 50 0 25 400 25 0 0 0 0 0\nintr 1 2\n";
    const OWN: &str = "42 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 60 20 0 0";

    #[test]
    fn the_time_of_others_is_what_is_busy_and_not_ours() {
        let ticks = Ticks::parse(STAT, OWN, 2).unwrap();
        let expected = Ticks {
            all: 1000,
            busy: 150,
            own: 80,
        };
        assert_eq!(ticks, expected);
        let zero = Ticks {
            all: 0,
            busy: 0,
            own: 0,
        };
        assert_eq!(ticks.others_since(zero), 0.07);
        assert_eq!(zero.others_since(ticks), 0.0);
        // The times say nothing if some of the processors are not ours.
        assert_eq!(Ticks::parse(STAT, OWN, 1), None);
        assert_eq!(Ticks::parse("", "", 0), None);
    }

    #[test]
    fn only_a_busy_machine_is_told() {
        assert_eq!(note(None), None);
        assert_eq!(note(Some(0.05)), None);
        let told = note(Some(0.43)).unwrap();
        assert!(
            told.contains("other programs used 43 % of the processor time"),
            "{told}"
        );
    }
}
