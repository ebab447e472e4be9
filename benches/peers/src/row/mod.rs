//! One result, a line of the CSV file.

mod worlds;

pub(crate) use worlds::{CommitRow, SpaceRow, WorldRow};

use crate::machine::Machine;
use std::fmt;

pub(crate) const HEADER: &str =
    "kind,scene,rays,mode,engine,threads,value,spread,amount,disagree,plan,peak,rounds";

/// The start of the header line in files of all versions.
pub(crate) const HEADER_START: &str = "kind,scene,";

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Row {
    Machine(Machine),
    Rays(RaysRow),
    /// The speed of an engine with closest points: a point counts as a ray.
    Points(RaysRow),
    Size(SizeRow),
    Build(BuildRow),
    Load(LoadRow),
    Tight(TightRow),
    World(WorldRow),
    Commit(CommitRow),
    Space(SpaceRow),
}

/// The speed of an engine with a kind of rays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RaysRow {
    pub(crate) scene: String,
    pub(crate) rays: String,
    pub(crate) mode: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    /// Million rays per second: the median of the rounds.
    pub(crate) mrays: f64,
    /// Maximum less minimum, in percent of the median.
    pub(crate) spread: f64,
    /// Million rays per second in each round; empty in files of earlier versions.
    pub(crate) rounds: Vec<f64>,
    /// Rays that hit something.
    pub(crate) hits: usize,
    /// Rays whose answer differs from the exact one.
    pub(crate) disagree: usize,
    /// The strategy that the engine reports; empty if it reports none.
    pub(crate) plan: String,
}

/// The speed of estoc in batches of one size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SizeRow {
    pub(crate) scene: String,
    pub(crate) rays: String,
    pub(crate) mode: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    /// Million rays per second: the median of the rounds.
    pub(crate) mrays: f64,
    /// Maximum less minimum, in percent of the median.
    pub(crate) spread: f64,
    /// Rays per call.
    pub(crate) size: usize,
    /// Rays whose answer differs from that of a single call.
    pub(crate) disagree: usize,
}

/// The time of a build.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BuildRow {
    pub(crate) scene: String,
    pub(crate) preset: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    pub(crate) seconds: f64,
    /// The bytes of the structure, if the library reports them.
    pub(crate) bytes: Option<usize>,
    /// The peak memory of the process beyond that before the build, if the system reports it.
    pub(crate) peak: Option<usize>,
}

/// The time of reading a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LoadRow {
    pub(crate) scene: String,
    pub(crate) engine: String,
    pub(crate) threads: usize,
    pub(crate) seconds: f64,
    /// The size of the file.
    pub(crate) bytes: usize,
    /// As in [`BuildRow`].
    pub(crate) peak: Option<usize>,
}

/// The answers of an engine to rays aimed at shared corners and edges of a closed mesh.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TightRow {
    pub(crate) mesh: String,
    /// Whether the mesh is near the origin of coordinates or far from it.
    pub(crate) place: String,
    pub(crate) mode: String,
    pub(crate) engine: String,
    pub(crate) rays: usize,
    /// Rays that got through the surface.
    pub(crate) leaks: usize,
    /// Rays on which more surfaces were counted than exist, if the library lists hits.
    pub(crate) double: Option<usize>,
    /// Rays whose count is odd instead of even or even instead of odd.
    pub(crate) parity: Option<usize>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Row::Machine(row) => write!(
                f,
                "machine,{},{},{},{},{},{},,,,{},,",
                row.vendor,
                told(row.family),
                told(row.model),
                row.name,
                row.threads,
                told(row.stepping),
                row.compiled_for
            ),
            Row::Rays(row) | Row::Points(row) => write!(
                f,
                "{},{},{},{},{},{},{:.4},{:.1},{},{},{},,{}",
                match self {
                    Row::Points(_) => "points",
                    _ => "rays",
                },
                row.scene,
                row.rays,
                row.mode,
                row.engine,
                row.threads,
                row.mrays,
                row.spread,
                row.hits,
                row.disagree,
                row.plan,
                rounds_in_words(&row.rounds)
            ),
            Row::Size(row) => write!(
                f,
                "size,{},{},{},{},{},{:.4},{:.1},{},{},,,",
                row.scene,
                row.rays,
                row.mode,
                row.engine,
                row.threads,
                row.mrays,
                row.spread,
                row.size,
                row.disagree
            ),
            Row::Load(row) => write!(
                f,
                "load,{},,obj,{},{},{:.6},,{},,,{},",
                row.scene,
                row.engine,
                row.threads,
                row.seconds,
                row.bytes,
                told(row.peak)
            ),
            Row::Tight(row) => write!(
                f,
                "tight,{},{},{},{},1,{},{},{},{},,,",
                row.mesh,
                row.place,
                row.mode,
                row.engine,
                row.leaks,
                told(row.double),
                row.rays,
                told(row.parity)
            ),
            Row::World(row) => row.fmt(f),
            Row::Commit(row) => row.fmt(f),
            Row::Space(row) => row.fmt(f),
            Row::Build(row) => {
                let (bytes, peak) = (told(row.bytes), told(row.peak));
                write!(
                    f,
                    "build,{},,{},{},{},{:.6},,{bytes},,,{peak},",
                    row.scene, row.preset, row.engine, row.threads, row.seconds
                )
            }
        }
    }
}

/// Formats the rounds with spaces between them.
fn rounds_in_words(rounds: &[f64]) -> String {
    let rounds: Vec<String> = rounds.iter().map(|mrays| format!("{mrays:.4}")).collect();
    rounds.join(" ")
}

/// Formats a number, or nothing.
fn told(number: Option<usize>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

impl Row {
    /// Parses a line; `None` when it is no row. Lines of earlier versions end before the plan,
    /// the peak or the rounds.
    pub(crate) fn parse(line: &str) -> Option<Row> {
        let mut fields: Vec<&str> = line.split(',').collect();
        let columns = HEADER.split(',').count();
        if (columns - 3..columns).contains(&fields.len()) {
            fields.resize(columns, "");
        }
        let [
            kind,
            scene,
            rays,
            mode,
            engine,
            threads,
            value,
            spread,
            amount,
            disagree,
            plan,
            peak,
            rounds,
        ]: [&str; 13] = fields[..].try_into().ok()?;
        let (scene, engine) = (scene.to_owned(), engine.to_owned());
        if kind == "machine" {
            return Some(Row::Machine(Machine {
                vendor: scene,
                family: rays.parse().ok(),
                model: mode.parse().ok(),
                stepping: value.parse().ok(),
                name: engine,
                threads: threads.parse().ok()?,
                compiled_for: plan.to_owned(),
            }));
        }
        if let Some(row) = worlds::parse(&fields) {
            return Some(row);
        }
        let (threads, value): (usize, f64) = (threads.parse().ok()?, value.parse().ok()?);
        match kind {
            "rays" | "points" => {
                let row = RaysRow {
                    scene,
                    rays: rays.to_owned(),
                    mode: mode.to_owned(),
                    engine,
                    threads,
                    mrays: value,
                    spread: spread.parse().ok()?,
                    rounds: numbers(rounds)?,
                    hits: amount.parse().ok()?,
                    disagree: disagree.parse().ok()?,
                    plan: plan.to_owned(),
                };
                Some(match kind {
                    "points" => Row::Points(row),
                    _ => Row::Rays(row),
                })
            }
            "size" => Some(Row::Size(SizeRow {
                scene,
                rays: rays.to_owned(),
                mode: mode.to_owned(),
                engine,
                threads,
                mrays: value,
                spread: spread.parse().ok()?,
                size: amount.parse().ok()?,
                disagree: disagree.parse().ok()?,
            })),
            "build" => Some(Row::Build(BuildRow {
                scene,
                preset: mode.to_owned(),
                engine,
                threads,
                seconds: value,
                bytes: amount.parse().ok(),
                peak: peak.parse().ok(),
            })),
            "load" => Some(Row::Load(LoadRow {
                scene,
                engine,
                threads,
                seconds: value,
                bytes: amount.parse().ok()?,
                peak: peak.parse().ok(),
            })),
            "tight" => Some(Row::Tight(TightRow {
                mesh: scene,
                place: rays.to_owned(),
                mode: mode.to_owned(),
                engine,
                rays: amount.parse().ok()?,
                leaks: value as usize,
                double: spread.parse().ok(),
                parity: disagree.parse().ok(),
            })),
            _ => None,
        }
    }
}

/// Parses numbers with spaces between them.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let numbers = text.split_whitespace().map(|number| number.parse().ok());
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_the_file() {
        for line in [
            "machine,AuthenticAMD,26,2,AMD EPYC,2,1,,,,x86-64-v4,,",
            "machine,aarch64,,,,8,,,,,aarch64,,",
            "rays,hall,primary,single,estoc,1,7.9700,2.5,1000000,0,,,7.9700 7.8800 8.0800",
            "rays,hall,primary,batch,estoc,1,7.9700,2.5,1000000,0,packets 97% interleaved 3%,,",
            "points,hall,near,single,parry,1,0.9700,2.5,50000,3,,,0.9700",
            "size,hall,random,batch,estoc,2,7.9700,2.5,256,0,,,",
            "build,hall,,balanced,estoc,2,0.056000,,20100000,,,40100000,",
            "load,hall,,obj,tobj,1,0.840000,,77000000,,,,",
            "build,hall,,default,parry,1,0.095000,,,,,,",
            "tight,cube,far,single,bvh-nearest,1,17,4000,123456,3900,,,",
            "tight,cube,far,single,parry,1,17,,123456,,,,",
            "world,city1k,street,single,estoc,1,412.3000,2.5,262144,3,1 lost 2 invented,99,412.3000",
            "commit,city1k,move ten,,estoc,2,0.000123400,2.5,,,,,0.000123400 0.000124000",
            "space,city1k,,,estoc,1,,,1000,,,2000000,",
        ] {
            let row = Row::parse(line).expect("a row");
            assert_eq!(row.to_string(), line);
            assert_eq!(HEADER.split(',').count(), line.split(',').count());
        }
        let without_plan = "rays,hall,primary,single,estoc,1,7.9700,2.5,1000000,0";
        let row = Row::parse(without_plan).expect("a row");
        assert_eq!(row.to_string(), format!("{without_plan},,,"));
        assert_eq!(Row::parse(HEADER), None);
        assert_eq!(Row::parse("rays,hall"), None);
        assert_eq!(Row::parse("rays,a,b,single,c,1,fast,0,0,0"), None);
        assert_eq!(Row::parse("rays,a,b,single,c,1,2,0,0,0,,,2 fast"), None);
    }
}
