//! Compares a result with an earlier one.

use super::report::{BuildRow, MeshRows, RaysRow, Report, Times};
use estoc_mesh::parts::counted;
use serde::Serialize;
use std::fmt;

/// Two medians differ if they lie further apart than this multiple of the larger deviation
const DEVIATIONS: f64 = 3.0;
/// and further than this fraction of the larger median.
const LEAST: f64 = 0.01;
/// Medians that do not differ are noisy instead of the same if [`DEVIATIONS`] times the larger
/// deviation exceeds this fraction of the larger median.
const NOISY: f64 = 0.1;

/// The fewest samples on each side that allow a verdict: the deviation of one sample is zero, and
/// that of two says next to nothing.
const LEAST_SAMPLES: usize = 3;

/// The summary of the comparison of a result with an earlier one.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Comparison {
    pub(super) file: String,
    pub(super) version: String,
    pub(super) same_machine: bool,
    /// The machine of the earlier result, if it is another one.
    machine: Option<String>,
    /// Number of earlier measurements that were not repeated.
    gone: usize,
    /// Number of measurements that the earlier result does not contain.
    new: usize,
    /// Number of measurements whose mesh or rays differ from those of the same name before.
    other: usize,
}

/// How a measurement differs from the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Change {
    pub(super) verdict: ChangeVerdict,
    /// The speed as a multiple of the earlier one; `None` if the two cannot be compared.
    pub(super) ratio: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChangeVerdict {
    Faster,
    Slower,
    /// The difference is within the noise.
    Same,
    /// The difference is within the noise, and the noise is large.
    Noisy,
    /// There are too few samples to estimate the noise.
    Unclear,
    /// There is no earlier measurement.
    New,
    /// The earlier measurement used another mesh or other rays.
    Other,
}

impl fmt::Display for ChangeVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Sets the change of every row of `now` from the same row of `before`, and counts the changes.
pub(super) fn compare(file: &str, before: &Report, now: &mut Report) -> Comparison {
    let same_machine = before.machine == now.machine;
    let mut comparison = Comparison {
        file: file.to_owned(),
        version: before.version.clone(),
        same_machine,
        machine: (!same_machine).then(|| before.machine.to_string()),
        ..Comparison::default()
    };
    let mut found = 0;
    for mesh in &mut now.meshes {
        let old = before.meshes.iter().find(|old| old.mesh == mesh.mesh);
        let same_mesh = old.is_some_and(|old| old.fingerprint == mesh.fingerprint);
        for row in &mut mesh.builds {
            let old = old.and_then(|old| old.builds.iter().find(|old| is_same_build(old, row)));
            let times = old.map(|old| (&old.times, same_mesh));
            row.change = Some(comparison.count(Change::of(times, &row.times)));
            found += usize::from(old.is_some());
        }
        for row in &mut mesh.rays {
            let old = old.and_then(|old| old.rays.iter().find(|old| are_same_rays(old, row)));
            let times = old.map(|old| {
                let same = same_mesh && old.fingerprint == row.fingerprint;
                (&old.times, same)
            });
            row.change = Some(comparison.count(Change::of(times, &row.times)));
            found += usize::from(old.is_some());
        }
    }
    let rows = |mesh: &MeshRows| mesh.builds.len() + mesh.rays.len();
    let there: usize = before.meshes.iter().map(rows).sum();
    comparison.gone = there.saturating_sub(found);
    comparison
}

fn is_same_build(a: &BuildRow, b: &BuildRow) -> bool {
    a.quality == b.quality && a.threads == b.threads
}

fn are_same_rays<'a>(a: &'a RaysRow, b: &'a RaysRow) -> bool {
    let words = |row: &'a RaysRow| [&row.rays, &row.calls, &row.quality];
    words(a) == words(b) && a.threads == b.threads && a.device() == b.device()
}

impl Change {
    /// Returns the change from earlier times, with whether they are of the same work, to `now`.
    fn of(before: Option<(&Times, bool)>, now: &Times) -> Self {
        let verdict = match before {
            None => ChangeVerdict::New,
            Some((_, false)) => ChangeVerdict::Other,
            Some((before, true))
                if before.samples_ns.len().min(now.samples_ns.len()) < LEAST_SAMPLES =>
            {
                ChangeVerdict::Unclear
            }
            Some((before, true)) => {
                let apart = (now.ns - before.ns).abs();
                let chance = DEVIATIONS * now.mad_ns.max(before.mad_ns);
                let least = LEAST * now.ns.max(before.ns);
                match apart > chance.max(least) {
                    false if chance > NOISY * now.ns.max(before.ns) => ChangeVerdict::Noisy,
                    false => ChangeVerdict::Same,
                    true if now.ns < before.ns => ChangeVerdict::Faster,
                    true => ChangeVerdict::Slower,
                }
            }
        };
        let ratio = before.filter(|(_, same)| *same);
        let ratio = ratio.map(|(before, _)| before.ns / now.ns);
        Change { verdict, ratio }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.verdict, self.ratio) {
            (ChangeVerdict::New, _) => f.write_str("new"),
            (ChangeVerdict::Same | ChangeVerdict::Unclear, Some(ratio)) => write!(f, "{ratio:.3}"),
            (verdict, Some(ratio)) => write!(f, "{ratio:.3} {verdict}"),
            (_, None) => f.write_str("not comparable"),
        }
    }
}

impl Comparison {
    fn count(&mut self, change: Change) -> Change {
        self.new += usize::from(change.verdict == ChangeVerdict::New);
        self.other += usize::from(change.verdict == ChangeVerdict::Other);
        change
    }

    /// Returns the notes that a reader of the ratios needs.
    pub(super) fn notes(&self) -> Vec<String> {
        let Comparison {
            file,
            machine,
            gone,
            new,
            other,
            ..
        } = self;
        let rows = |n: usize| counted(n as u64, "measurement");
        let mut notes = Vec::new();
        if let Some(machine) = machine {
            notes.push(format!(
                "{file} was measured on another machine ({machine}); the ratios include the \
                 difference between the machines"
            ));
        }
        if *other > 0 {
            notes.push(format!(
                "not compared: {} in {file} with another mesh or other rays",
                rows(*other)
            ));
        }
        if *new > 0 {
            notes.push(format!("new: {} that {file} does not contain", rows(*new)));
        }
        if *gone > 0 {
            notes.push(format!("not repeated: {} of {file}", rows(*gone)));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(ns: f64, mad_ns: f64) -> Times {
        Times {
            mad_ns,
            ..Times::of([ns; LEAST_SAMPLES])
        }
    }

    #[test]
    fn only_what_exceeds_chance_is_marked() {
        let verdict = |before: (f64, f64), now: (f64, f64)| {
            let [before, now] = [before, now].map(|(ns, mad)| times(ns, mad));
            Change::of(Some((&before, true)), &now).verdict
        };
        assert_eq!(verdict((100.0, 1.0), (100.0, 1.0)), ChangeVerdict::Same);
        assert_eq!(verdict((100.0, 1.0), (97.1, 0.1)), ChangeVerdict::Same);
        assert_eq!(verdict((100.0, 1.0), (96.9, 0.1)), ChangeVerdict::Faster);
        assert_eq!(verdict((100.0, 0.1), (104.0, 1.0)), ChangeVerdict::Slower);
        // Times that are equal in all rounds may still differ by chance.
        assert_eq!(verdict((100.0, 0.0), (100.9, 0.0)), ChangeVerdict::Same);
        assert_eq!(verdict((100.0, 0.0), (50.0, 0.0)), ChangeVerdict::Faster);
        // Deviations that would hide a difference of a tenth.
        assert_eq!(verdict((100.0, 1.0), (105.0, 4.0)), ChangeVerdict::Noisy);
        assert_eq!(verdict((100.0, 1.0), (50.0, 4.0)), ChangeVerdict::Faster);
    }

    #[test]
    fn few_samples_give_a_ratio_and_no_verdict() {
        let change = |before: usize, now: usize| {
            let [before, now] =
                [(before, 100.0), (now, 50.0)].map(|(n, ns)| Times::of(vec![ns; n]));
            Change::of(Some((&before, true)), &now)
        };
        for (before, now) in [(1, 1), (2, 2), (1, 7), (7, 2)] {
            let change = change(before, now);
            assert_eq!(change.verdict, ChangeVerdict::Unclear, "{before}, {now}");
            assert_eq!(change.to_string(), "2.000", "{before}, {now}");
        }
        assert_eq!(change(3, 3).verdict, ChangeVerdict::Faster);
    }

    #[test]
    fn changes_are_told_shortly() {
        let now = times(50.0, 0.0);
        let told = |before, same| Change::of(Some((&times(before, 0.0), same)), &now).to_string();
        assert_eq!(told(100.0, true), "2.000 faster");
        assert_eq!(told(25.0, true), "0.500 slower");
        assert_eq!(told(50.0, true), "1.000");
        assert_eq!(told(50.0, false), "not comparable");
        assert_eq!(Change::of(None, &now).to_string(), "new");
    }
}
