//! Measures how much of the machine other programs use during a measurement.

/// The share of processor time used by other programs above which times are unreliable.
pub(super) const BUSY: f64 = 0.1;

/// Time since the machine started of the processors that this program may use, in ticks of the
/// system's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Idle time included.
    all: u64,
    /// Idle time excluded.
    busy: u64,
    /// Used by this program.
    own: u64,
}

/// Returns the share of the time of the processors that this program may use which other programs have
/// used since the start, from 0 to 1; `None` if the system does not report it, or if this program may use
/// only a part of their time.
pub(super) fn others(start: Option<Ticks>) -> Option<f64> {
    Ticks::now()?.others_since(start?)
}

impl Ticks {
    #[cfg(target_os = "linux")]
    pub(super) fn now() -> Option<Self> {
        let all = std::fs::read_to_string("/proc/stat").ok()?;
        let own = std::fs::read_to_string("/proc/self/stat").ok()?;
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let usable = std::thread::available_parallelism().ok()?.get();
        Ticks::parse(&all, &own, &status, usable)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn now() -> Option<Self> {
        None
    }

    /// Reads `/proc/stat`, `/proc/self/stat` and `/proc/self/status` (proc(5)). `usable` is the number
    /// of processors whose time this program may use.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    fn parse(stat: &str, own: &str, status: &str, usable: usize) -> Option<Self> {
        let mut status = status.lines();
        let allowed = status.find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        let (mut processors, mut all, mut idle) = (0, 0, 0);
        for line in stat.lines() {
            let processor = line.strip_prefix("cpu").and_then(|rest| {
                let (number, times) = rest.split_once(' ')?;
                Some((number.parse().ok()?, times))
            });
            let Some((_, times)) = processor.filter(|&(number, _)| lists(allowed, number)) else {
                continue;
            };
            // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted as user.
            let ticks: Vec<u64> = times
                .split_whitespace()
                .take(8)
                .map_while(|word| word.parse().ok())
                .collect();
            idle += ticks.get(3)? + ticks.get(4)?;
            all += ticks.iter().sum::<u64>();
            processors += 1;
        }
        // Where a quota limits this program, the load of the processors says little about its own.
        if processors != usable {
            return None;
        }
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

    fn others_since(self, start: Ticks) -> Option<f64> {
        let all = self.all.checked_sub(start.all).filter(|&all| all > 0)?;
        let own = self.own.saturating_sub(start.own);
        let others = self.busy.saturating_sub(start.busy).saturating_sub(own);
        Some((others as f64 / all as f64).clamp(0.0, 1.0))
    }
}

/// Returns whether a list of processors such as `0-3,8` has a number.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn lists(list: &str, number: u32) -> bool {
    list.trim().split(',').any(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first, last].map(str::parse::<u32>);
        matches!((first, last), (Ok(first), Ok(last)) if (first..=last).contains(&number))
    })
}

/// Returns a note if other programs used more than [`BUSY`] of the processor time, or if it is not
/// known how much they used.
pub(super) fn note(others: Option<f64>) -> Option<String> {
    match others {
        None => Some(
            "the share of the processor time that other programs used is unknown here; make sure \
             that the machine is idle"
                .into(),
        ),
        Some(share) if share > BUSY => Some(format!(
            "the machine was busy: other programs used {:.0} % of the processor time, too much to \
             detect small differences; measure again when the machine is idle",
            100.0 * share
        )),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 50 0 25 400 25 0 0 0 0 0\n\
                        cpu1 50 0 25 400 25 0 0 0 0 0\nintr 1 2\n";
    const OWN: &str = "42 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 60 20 0 0";

    #[test]
    fn the_time_of_others_is_what_is_busy_and_not_ours() {
        let ticks = Ticks::parse(STAT, OWN, &allowed("0-1"), 2).unwrap();
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
        assert_eq!(ticks.others_since(zero), Some(0.07));
        assert_eq!(zero.others_since(ticks), None);
        assert_eq!(ticks.others_since(ticks), None);
        // Half of the time of both processors says nothing about ours.
        assert_eq!(Ticks::parse(STAT, OWN, &allowed("0-1"), 1), None);
        assert_eq!(Ticks::parse("", "", "", 0), None);
    }

    /// A program that `taskset` keeps on one of the processors.
    #[test]
    fn only_the_processors_that_may_be_used_count() {
        let stat = STAT.replace("cpu1 50 0 25 400 25", "cpu1 7 0 1 90 2");
        let pinned = Ticks::parse(&stat, OWN, &allowed("1,5-9"), 1).unwrap();
        let expected = Ticks {
            all: 100,
            busy: 8,
            own: 80,
        };
        assert_eq!(pinned, expected);
        assert_eq!(Ticks::parse(&stat, OWN, &allowed("5-9"), 1), None);
        let listed: Vec<u32> = (0..9).filter(|&n| lists(" 0-2,7\n", n)).collect();
        assert_eq!(listed, [0, 1, 2, 7]);
    }

    fn allowed(list: &str) -> String {
        format!("Name:\testoc\nCpus_allowed:\t3\nCpus_allowed_list:\t{list}\n")
    }

    #[test]
    fn a_busy_machine_is_told_and_what_is_unknown() {
        assert!(note(None).unwrap().contains("is unknown here"));
        assert_eq!(note(Some(0.05)), None);
        let told = note(Some(0.43)).unwrap();
        assert!(
            told.contains("other programs used 43 % of the processor time"),
            "{told}"
        );
    }
}
