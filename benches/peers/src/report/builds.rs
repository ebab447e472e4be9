//! Builds, and the reading of files.

use super::table::{Group, Key, Table};
use crate::row::Row;

/// The rows that estoc is compared with: the usual reader, and Embree's usual build.
const READER: &str = "tobj";
const BUILDER: &str = "embree-medium";

/// Returns the table of builds.
pub(super) fn table(rows: Group<'_>) -> String {
    let preset = Key::new("preset", |row| row.mode.clone());
    let keys = [Key::SCENE, Key::ENGINE, preset];
    let title = "Builds: milliseconds from the mesh in memory, memory held, and peak memory";
    Table::new(title, rows, &keys)
        .across(&[Key::THREADS], milliseconds)
        .text("MB", |group| {
            megabytes(group.rows().find_map(|row| row.bytes))
        })
        .text("peak MB", |group| {
            megabytes(group.rows().filter_map(|row| row.peak).max())
        })
        .to_string()
}

/// Returns the tables of the way from an OBJ file to a tree that can be queried.
pub(super) fn loads(loads: &Group<'_>, builds: &Group<'_>) -> String {
    let tables = loads
        .by(&[Key::THREADS])
        .into_iter()
        .map(|(threads, here)| {
            let most = here.rows().next().map_or(0, |row| row.threads);
            // Embree may take longer with more threads.
            let build = |group: &Group<'_>, engine, preset| {
                let scene = &group.rows().next()?.scene;
                builds.fastest(|row| {
                    let is_of = row.engine == engine && row.mode == preset;
                    is_of && row.scene == *scene && row.threads <= most
                })
            };
            let ours = move |group: &Group<'_>| build(group, "estoc", "balanced");
            let theirs = move |group: &Group<'_>| build(group, BUILDER, "medium");
            let title = format!("From an OBJ file to a tree, {}: milliseconds", threads[0]);
            Table::new(title, here, &[Key::SCENE])
                .text("MB", |group| megabytes(group.find("estoc", "")?.count))
                .result("load", ("estoc", ""), milliseconds)
                .text("peak MB", |group| megabytes(group.find("estoc", "")?.peak))
                .result("tobj", (READER, ""), milliseconds)
                .text("build", move |group| milliseconds(ours(group)?))
                .text("Embree medium", move |group| milliseconds(theirs(group)?))
                .speed("to tobj", ("estoc", ""), (READER, ""))
                .ratio("both to both", move |group| {
                    let all = group.find("estoc", "")?.ns? + ours(group)?.ns?;
                    Some((group.find(READER, "")?.ns? + theirs(group)?.ns?) / all)
                })
                .to_string()
        });
    tables.collect()
}

pub(super) fn milliseconds(row: &Row) -> Option<String> {
    row.ns.map(|ns| format!("{:.3}", ns / 1e6))
}

fn megabytes(bytes: Option<usize>) -> Option<String> {
    bytes.map(|bytes| format!("{:.1}", bytes as f64 / 1e6))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_has;
    use crate::row::{Measured, rows};

    #[test]
    fn a_file_takes_the_sum_of_both() {
        let builds = rows(
            Measured::Build,
            &[
                "hall,,balanced,estoc,1,500e6",
                "hall,,balanced,estoc,2,250e6",
                "hall,,medium,embree-medium,1,500e6",
                "hall,,medium,embree-medium,2,1000e6",
            ],
        );
        let mut all = rows(
            Measured::Load,
            &["hall,,,estoc,2,250e6", "hall,,,tobj,2,2000e6"],
        );
        all[0].count = Some(100_000_000);
        all[0].peak = Some(150_000_000);
        all.extend(builds);
        all[2].bytes = Some(2_500_000);
        let lines = [
            "| scene | MB | load | peak MB | tobj | build | Embree medium | to tobj | both to both |",
            "| hall | 100.0 | 250.000 | 150.0 | 2000.000 | 250.000 | 500.000 | 8.00 | 5.00 |",
            "| hall | estoc | balanced | 500.000 | 250.000 | 2.5 |",
        ];
        assert_has(&all, &lines);
    }
}
