//! One result, a line of the CSV file.

use crate::statistics::{median, spread};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Measured {
    /// Nothing: the machine that the other rows come from.
    #[default]
    Machine,
    Rays,
    Points,
    /// Rays and points in `f64`, at meshes in `f64`.
    DoubleRays,
    DoublePoints,
    /// Rays in a world of placed meshes.
    World,
    Build,
    /// The reading of a file.
    Load,
    /// The building or the change of a world.
    Change,
    /// The memory of a world.
    Memory,
    /// Rays at shared corners and edges of closed meshes.
    Leaks,
}

/// One result; what does not apply to it is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) measured: Measured,
    /// The scene, the world or the closed mesh; for the machine its processor.
    pub(crate) scene: String,
    /// The kind of rays or points, the step of a change, or how far a closed mesh is away.
    pub(crate) rays: String,
    /// `single` or `batch`; for a build the library's name of its effort.
    pub(crate) mode: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    /// The median of the rounds: nanoseconds per ray or point, or of a build, a load or a change.
    pub(crate) ns: Option<f64>,
    /// Maximum less minimum of the rounds, in percent of the median.
    pub(crate) spread: Option<f64>,
    /// Rays or points whose answers were compared; placements of a world; bytes of a file.
    pub(crate) count: Option<usize>,
    /// Rays that hit something.
    pub(crate) hits: Option<usize>,
    /// Rays that miss instead of hitting, or leak.
    pub(crate) lost: Option<usize>,
    /// Rays that hit instead of missing.
    pub(crate) invented: Option<usize>,
    /// Rays whose hit is elsewhere, points with a nearer triangle than the one found.
    pub(crate) elsewhere: Option<usize>,
    /// Rays on which more surfaces were counted than exist, if the library lists hits.
    pub(crate) double: Option<usize>,
    /// Rays whose count of surfaces is odd instead of even or even instead of odd.
    pub(crate) parity: Option<usize>,
    /// The memory that a structure holds, if it is known.
    pub(crate) bytes: Option<usize>,
    /// The peak memory of the process beyond that before, if the system reports it.
    pub(crate) peak: Option<usize>,
    /// The strategy that the engine reports; what the program was compiled for.
    pub(crate) plan: String,
    /// The nanoseconds of each round.
    #[serde(serialize_with = "in_words", deserialize_with = "numbers")]
    pub(crate) rounds: Vec<f64>,
}

impl Row {
    /// Returns a row of an engine at a scene, with a number of threads, and no result yet.
    pub(crate) fn of(measured: Measured, scene: &str, engine: &str, threads: usize) -> Self {
        Row {
            measured,
            scene: scene.to_owned(),
            engine: engine.to_owned(),
            threads,
            ..Row::default()
        }
    }

    /// Sets the times from those of the rounds, rounded to a thousandth of a nanosecond.
    pub(crate) fn timed(self, rounds: &[f64]) -> Self {
        let kept = |ns: f64| (ns * 1e3).round() / 1e3;
        Row {
            ns: (!rounds.is_empty()).then(|| kept(median(rounds))),
            spread: (!rounds.is_empty()).then(|| kept(spread(rounds))),
            rounds: rounds.iter().copied().map(kept).collect(),
            ..self
        }
    }

    /// Returns the number of wrong answers.
    pub(crate) fn wrong(&self) -> usize {
        [self.lost, self.invented, self.elsewhere]
            .iter()
            .flatten()
            .sum()
    }
}

/// Writes numbers with spaces between them.
fn in_words<S: Serializer>(rounds: &[f64], to: S) -> Result<S::Ok, S::Error> {
    let rounds: Vec<String> = rounds.iter().map(f64::to_string).collect();
    to.serialize_str(&rounds.join(" "))
}

fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let text = String::deserialize(from)?;
    let numbers = text.split_whitespace().map(str::parse);
    numbers
        .collect::<Result<_, _>>()
        .map_err(serde::de::Error::custom)
}

#[cfg(test)]
pub(crate) use tests::rows;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows_file::{parse, written};

    /// Returns rows of rays from lines such as `hall,ao,single,estoc,1,500`: scene, rays, mode,
    /// engine, threads and nanoseconds.
    pub(crate) fn rows(measured: Measured, lines: &[&str]) -> Vec<Row> {
        let row = |line: &&str| {
            let [scene, rays, mode, engine, threads, ns] = line
                .split(',')
                .map(str::to_owned)
                .collect::<Vec<_>>()
                .try_into()
                .expect("six");
            let row = Row {
                measured,
                scene,
                rays,
                mode,
                engine,
                threads: threads.parse().expect("a number"),
                ..Row::default()
            };
            row.timed(&[ns.parse().expect("a number")])
        };
        lines.iter().map(row).collect()
    }

    #[test]
    fn rows_survive_the_file() {
        let mut all = rows(
            Measured::Rays,
            &["a,ao,single,estoc,1,125.5", "b,ao,batch,x,2,7"],
        );
        all[0].plan = "97% packets + 3% interleaved".to_owned();
        all[0].lost = Some(3);
        all[1].scene = "b \"c\", d".to_owned();
        all.push(
            Row {
                peak: Some(7),
                ..Row::default()
            }
            .timed(&[1.0, 3.0, 2.25]),
        );
        assert_eq!(parse(written(&all).as_bytes()).expect("rows"), all);
        assert_eq!((all[2].ns, all[2].spread), (Some(2.25), Some(88.889)));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        let text = written(&rows(Measured::World, &["a,ao,single,estoc,1,2"]));
        assert!(parse(text.as_bytes()).is_ok());
        for (one, other) in [
            ("world", "planet"),
            (",1,2", ",1,fast"),
            ("measured", "kind"),
        ] {
            assert!(text.contains(one), "{text}");
            assert!(
                parse(text.replacen(one, other, 1).as_bytes()).is_err(),
                "{one}"
            );
        }
    }
}
