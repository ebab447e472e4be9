//! The tables, in Markdown.

use super::cell::{Cell, Setup, cells, distinct, rays_rows, setups};
use super::text::{SUMMARIES, count, named, ratio, speed, write_head, write_row};
use super::{
    batch_sizes, changes, growth, loads, machines, many, missed, points, selection, threads, tight,
    worlds,
};
use crate::row::{BuildRow, Row};
use std::fmt::{self, Write};

/// Writes all tables of these rows.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    write_all(&mut text, rows).expect("writing to a string does not fail");
    text
}

fn write_all(out: &mut String, rows: &[Row]) -> fmt::Result {
    machines::write_table(out, rows)?;
    for setup in setups(rows) {
        match setup.mode {
            "single" => write_comparison(out, rows, setup)?,
            _ => many::write_table(out, rows, setup)?,
        }
        selection::write_table(out, rows, setup)?;
        missed::write_table(out, rows, setup)?;
    }
    threads::write_tables(out, rows)?;
    growth::write_table(out, rows)?;
    batch_sizes::write_tables(out, rows)?;
    points::write_tables(out, rows)?;
    worlds::write_tables(out, rows)?;
    changes::write_tables(out, rows)?;
    write_agreement(out, rows)?;
    loads::write_tables(out, rows)?;
    tight::write_tables(out, rows)?;
    write_builds(out, rows)?;
    write_engines(out, rows)
}

type Column = (&'static str, fn(&Cell<'_>) -> Option<f64>);

const RATIOS: [Column; 3] = [
    ("to Embree", |cell| cell.ratio_to(cell.embree)),
    ("to robust", |cell| cell.ratio_to(cell.robust)),
    ("to crate", |cell| cell.ratio_to(cell.rust)),
];
const PRICE: Column = ("price", |cell| cell.price());

fn write_comparison(out: &mut String, rows: &[Row], setup: Setup<'_>) -> fmt::Result {
    let cells = cells(rows, setup);
    let has_float = cells.iter().any(|cell| cell.float.is_some());
    let mut titles = vec!["scene", "rays", "estoc"];
    titles.extend(has_float.then_some("float only"));
    titles.extend(["best Embree", "best robust Embree", "best Rust crate"]);
    let first_ratio = titles.len();
    let mut ratios = RATIOS.to_vec();
    ratios.extend(has_float.then_some(PRICE));
    titles.extend(ratios.iter().map(|(title, _)| *title));

    let threads = count(setup.threads, "thread");
    writeln!(
        out,
        "## One ray per call, {threads}: million rays per second\n"
    )?;
    write_head(out, &titles, 2)?;
    for cell in &cells {
        let mut fields = vec![
            cell.scene.to_owned(),
            cell.rays.to_owned(),
            speed(cell.ours),
        ];
        fields.extend(has_float.then(|| speed(cell.float)));
        fields.extend([cell.embree, cell.robust, cell.rust].map(named));
        fields.extend(ratios.iter().map(|(_, of)| ratio(of(cell))));
        write_row(out, &fields)?;
    }
    for (name, summary) in SUMMARIES {
        let mut fields = vec![String::new(); first_ratio];
        fields[0] = format!("**{name}**");
        fields.extend(ratios.iter().map(|(_, of)| {
            let values: Vec<f64> = cells.iter().filter_map(of).collect();
            ratio(summary(&values))
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

/// Writes the wrong answers by engine, over all cells with the fewest threads.
fn write_agreement(out: &mut String, rows: &[Row]) -> fmt::Result {
    let Some(threads) = rays_rows(rows).map(|row| row.threads).min() else {
        return Ok(());
    };
    let rows = || rays_rows(rows).filter(move |row| row.threads == threads);
    writeln!(out, "## Answers that differ from the exact ones\n")?;
    write_head(out, &["engine", "mode", "disagree", "hits", "most at"], 2)?;
    for (engine, mode) in distinct(rows().map(|row| (&row.engine, &row.mode))) {
        let all = || rows().filter(|row| (&row.engine, &row.mode) == (engine, mode));
        let disagree: usize = all().map(|row| row.disagree).sum();
        let hits: usize = all().map(|row| row.hits).sum();
        let most = all().max_by_key(|row| row.disagree);
        let most = most.filter(|row| row.disagree > 0);
        let most = most.map_or(String::new(), |row| {
            format!("{} {}: {}", row.scene, row.rays, row.disagree)
        });
        let (disagree, hits) = (disagree.to_string(), hits.to_string());
        write_row(out, &[engine.clone(), mode.clone(), disagree, hits, most])?;
    }
    writeln!(out)
}

fn write_builds(out: &mut String, rows: &[Row]) -> fmt::Result {
    let builds: Vec<&BuildRow> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Build(row) => Some(row),
            _ => None,
        })
        .collect();
    let threads = distinct(builds.iter().map(|row| row.threads));
    if threads.is_empty() {
        return Ok(());
    }
    let times: Vec<String> = threads.iter().map(|&n| count(n, "thread")).collect();
    let mut titles = vec!["scene", "engine", "preset"];
    titles.extend(times.iter().map(String::as_str));
    titles.extend(["MB", "peak MB"]);
    writeln!(
        out,
        "## Builds: seconds from the mesh in memory, memory held, and peak memory while building\n"
    )?;
    write_head(out, &titles, 3)?;
    for (scene, engine, preset) in distinct(
        builds
            .iter()
            .map(|row| (&row.scene, &row.engine, &row.preset)),
    ) {
        let here =
            |row: &&&BuildRow| (&row.scene, &row.engine, &row.preset) == (scene, engine, preset);
        let mut fields = vec![scene.clone(), engine.clone(), preset.clone()];
        fields.extend(threads.iter().map(|&threads| {
            let mut rows = builds.iter().filter(here);
            let row = rows.find(|row| row.threads == threads);
            row.map_or(String::new(), |row| format!("{:.4}", row.seconds))
        }));
        let rows = || builds.iter().filter(here);
        let held = rows().find_map(|row| row.bytes);
        let peak = rows().filter_map(|row| row.peak).max();
        fields.extend([held, peak].map(|bytes| {
            bytes.map_or(String::new(), |bytes| format!("{:.1}", bytes as f64 / 1e6))
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

/// Writes all rows, one table per scene and number of threads.
fn write_engines(out: &mut String, rows: &[Row]) -> fmt::Result {
    let kinds = distinct(rays_rows(rows).map(|row| row.rays.as_str()));
    for (scene, threads) in distinct(rays_rows(rows).map(|row| (&row.scene, row.threads))) {
        let here = || rays_rows(rows).filter(|row| (&row.scene, row.threads) == (scene, threads));
        let threads = count(threads, "thread");
        writeln!(
            out,
            "## All engines, {scene}, {threads}: million rays per second\n"
        )?;
        let titles: Vec<&str> = ["engine", "mode"].iter().chain(&kinds).copied().collect();
        write_head(out, &titles, 2)?;
        for (engine, mode) in distinct(here().map(|row| (&row.engine, &row.mode))) {
            let mut fields = vec![engine.clone(), mode.clone()];
            fields.extend(kinds.iter().map(|&kind| {
                speed(
                    here()
                        .find(|row| (&row.engine, &row.mode) == (engine, mode) && row.rays == kind),
                )
            }));
            write_row(out, &fields)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_are_in_the_table() {
        let lines = [
            "build,hall,,balanced,estoc,1,0.5,,2500000,,,6100000",
            "rays,hall,ao,single,estoc,1,6,1,9,0",
            "rays,hall,ao,single,embree-medium,1,3,1,9,4",
            "rays,soup,ao,single,estoc,1,8,1,9,0",
            "rays,soup,ao,single,embree-high,1,1,1,9,0",
            "rays,soup,ao,single,estoc,2,15,1,9,0",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = markdown(&lines.map(row));
        for line in [
            "| scene | rays | estoc | best Embree | best robust Embree | best Rust crate \
             | to Embree | to robust | to crate |",
            "| hall | ao | 6.00 ±0% | 3.00 medium |  |  | 2.00 |  |  |",
            "| **geometric mean** |  |  |  |  |  | 4.00 |  |  |",
            "| **smallest** |  |  |  |  |  | 2.00 |  |  |",
            "| soup | ao | 8.00 | 15.00 (1.88) |",
            "| embree-medium | single | 4 | 9 | hall ao: 4 |",
            "| hall | estoc | balanced | 0.5000 | 2.5 | 6.1 |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }

    #[test]
    fn the_price_of_exactness_is_in_the_table() {
        let lines = [
            "rays,hall,ao,single,estoc,1,6,1,9,0",
            "rays,hall,ao,single,estoc-float,1,12,1,9,2",
            "rays,soup,ao,single,estoc,1,2,1,9,0",
            "rays,soup,ao,single,estoc-float,1,1,1,9,0",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = markdown(&lines.map(row));
        for line in [
            "| scene | rays | estoc | float only | best Embree | best robust Embree \
             | best Rust crate | to Embree | to robust | to crate | price |",
            "| hall | ao | 6.00 ±0% | 12.00 ±0% |  |  |  |  |  |  | 2.00 |",
            "| **geometric mean** |  |  |  |  |  |  |  |  |  | 1.00 |",
            "| estoc-float | single | 2 | 18 | hall ao: 2 |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
