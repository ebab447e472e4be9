//! From an OBJ file to a tree that can be queried.

use super::cell::distinct;
use super::text::{count, ratio, write_head, write_row};
use crate::row::{LoadRow, Row};
use std::fmt::{self, Write};

/// The rows that estoc is compared with: the usual reader, and Embree's usual build.
const READER: &str = "tobj";
const BUILDER: &str = "embree-medium";

pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    let loads = || {
        rows.iter().filter_map(|row| match row {
            Row::Load(row) => Some(row),
            _ => None,
        })
    };
    for threads in distinct(loads().map(|row| row.threads)) {
        let threads_text = count(threads, "thread");
        writeln!(
            out,
            "## From an OBJ file to a tree, {threads_text}: seconds\n"
        )?;
        let titles = [
            "scene",
            "MB",
            "load",
            "MB/s",
            "peak MB",
            "build",
            "both",
            "tobj",
            "Embree medium",
            "both",
            "to tobj",
            "to both",
        ];
        write_head(out, &titles, 1)?;
        let here = |name: &'static str| {
            loads().filter(move |row| row.threads == threads && row.engine == name)
        };
        for ours in here("estoc") {
            let theirs = here(READER).find(|row| row.scene == ours.scene);
            let build = best_build(rows, ours, "estoc", "balanced");
            // Embree may take longer with more threads.
            let embree = best_build(rows, ours, BUILDER, "medium");
            let [load, tobj] = [Some(ours), theirs].map(|row| row.map(|row| row.seconds));
            let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
            let (all, all_of_others) = (sum(load, build), sum(tobj, embree));
            let over = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
            let time = |seconds: Option<f64>| seconds.map_or(String::new(), |s| format!("{s:.3}"));
            let megabytes = |bytes: usize| format!("{:.1}", bytes as f64 / 1e6);
            let fields = [
                ours.scene.clone(),
                megabytes(ours.bytes),
                time(load),
                format!("{:.0}", ours.bytes as f64 / ours.seconds / 1e6),
                ours.peak.map_or(String::new(), megabytes),
                time(build),
                time(all),
                time(tobj),
                time(embree),
                time(all_of_others),
                ratio(over(load, tobj)),
                ratio(over(all, all_of_others)),
            ];
            write_row(out, &fields)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns the shortest build of a load's scene with at most as many threads.
fn best_build(rows: &[Row], load: &LoadRow, engine: &str, preset: &str) -> Option<f64> {
    let seconds = rows.iter().filter_map(|row| match row {
        Row::Build(row)
            if row.scene == load.scene
                && row.engine == engine
                && row.preset == preset
                && row.threads <= load.threads =>
        {
            Some(row.seconds)
        }
        _ => None,
    });
    seconds.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_sum_of_both() {
        let lines = [
            "build,hall,,balanced,estoc,1,0.5,,,,,",
            "build,hall,,balanced,estoc,2,0.25,,,,,",
            "build,hall,,medium,embree-medium,1,0.5,,,,,",
            "build,hall,,medium,embree-medium,2,1.0,,,,,",
            "load,hall,,obj,estoc,2,0.25,,100000000,,,150000000",
            "load,hall,,obj,tobj,2,2.0,,100000000,,,",
        ];
        let rows = lines.map(|line| Row::parse(line).expect("a row"));
        let mut text = String::new();
        write_tables(&mut text, &rows).expect("a string");
        let line = "| hall | 100.0 | 0.250 | 400 | 150.0 | 0.250 | 0.500 | 2.000 | 0.500 | 2.500 \
                    | 0.12 | 0.20 |\n";
        assert!(text.contains(line), "{text}");
    }
}
