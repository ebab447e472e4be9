//! Worlds of placed meshes: the time of builds and changes, and memory.

use super::cell::distinct;
use super::text::{count, ratio, write_head, write_row};
use crate::row::{CommitRow, Row, SpaceRow};
use std::fmt::{self, Write};

pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    let commits: Vec<&CommitRow> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Commit(row) => Some(row),
            _ => None,
        })
        .collect();
    let spaces: Vec<&SpaceRow> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Space(row) => Some(row),
            _ => None,
        })
        .collect();
    write_changes(out, &commits)?;
    write_space(out, &spaces)
}

fn write_changes(out: &mut String, rows: &[&CommitRow]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Building and changing worlds: milliseconds\n")?;
    let engines = distinct(rows.iter().map(|row| &*row.engine));
    let mut titles = vec!["world", "threads", "step"];
    titles.extend(&engines);
    titles.push("to best Embree");
    write_head(out, &titles, 3)?;
    for (world, threads, step) in
        distinct(rows.iter().map(|row| (&row.world, row.threads, &row.step)))
    {
        let here = || {
            let here =
                |row: &&&CommitRow| (&row.world, row.threads, &row.step) == (world, threads, step);
            rows.iter().filter(here)
        };
        let of = |engine: &str| here().find(|row| row.engine == engine);
        let mut fields = vec![world.clone(), count(threads, "thread"), step.clone()];
        fields.extend(engines.iter().map(|engine| {
            of(engine).map_or(String::new(), |row| format!("{:.3}", row.seconds * 1e3))
        }));
        let theirs = here().filter(|row| row.engine.starts_with("embree"));
        let best = theirs.map(|row| row.seconds).reduce(f64::min);
        let ours = of("estoc").map(|row| row.seconds);
        fields.push(ratio(best.zip(ours).map(|(best, ours)| best / ours)));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

fn write_space(out: &mut String, rows: &[&SpaceRow]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "## Memory of worlds, with the trees of their meshes: MB, and bytes per placement\n"
    )?;
    let engines = distinct(rows.iter().map(|row| &*row.engine));
    let mut titles = vec!["world", "placements"];
    titles.extend(&engines);
    write_head(out, &titles, 1)?;
    for (world, placements) in distinct(rows.iter().map(|row| (&row.world, row.placements))) {
        let mut fields = vec![world.clone(), placements.to_string()];
        fields.extend(engines.iter().map(|engine| {
            let row = rows
                .iter()
                .find(|row| (&row.world, &*row.engine) == (world, *engine));
            row.map_or(String::new(), |row| {
                let each = row.bytes as f64 / placements as f64;
                format!("{:.1} ({each:.0})", row.bytes as f64 / 1e6)
            })
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    #[test]
    fn changes_are_compared_with_the_best_embree() {
        let lines = [
            "commit,city1k,move ten,,estoc,2,0.000100000,2.5,,,,,0.000100000",
            "commit,city1k,move ten,,embree-medium,2,0.000500000,2.5,,,,,0.000500000",
            "commit,city1k,move ten,,embree-array,2,0.000400000,2.5,,,,,0.000400000",
            "space,city1k,,,estoc,1,,,1000,,,2000000,",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = markdown(&lines.map(row));
        for line in [
            "| city1k | 2 threads | move ten | 0.100 | 0.500 | 0.400 | 4.00 |",
            "| city1k | 1000 | 2.0 (2000) |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
