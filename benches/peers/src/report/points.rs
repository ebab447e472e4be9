//! Closest points: the time of each engine.

use super::cell::distinct;
use super::text::{count, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use std::fmt::{self, Write};

/// Writes a table per number of threads; nothing if points were not measured.
pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    let rows: Vec<&RaysRow> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Points(row) => Some(row),
            _ => None,
        })
        .collect();
    for threads in distinct(rows.iter().map(|row| row.threads)) {
        let rows: Vec<&RaysRow> = (rows.iter().copied())
            .filter(|row| row.threads == threads)
            .collect();
        write_table(out, &rows, threads)?;
    }
    Ok(())
}

fn write_table(out: &mut String, rows: &[&RaysRow], threads: usize) -> fmt::Result {
    let engines = distinct(rows.iter().map(|row| (&row.engine, &row.mode)));
    let threads = count(threads, "thread");
    writeln!(
        out,
        "## Closest points, {threads}: microseconds per point, and points with a nearer triangle \
         than the one found\n"
    )?;
    let names: Vec<String> = engines
        .iter()
        .map(|(engine, mode)| format!("{engine} {mode}"))
        .collect();
    let mut titles = vec!["scene", "points"];
    titles.extend(names.iter().map(String::as_str));
    titles.extend(["single to best peer", "batch to best peer"]);
    write_head(out, &titles, 2)?;
    for (scene, points) in distinct(rows.iter().map(|row| (&row.scene, &row.rays))) {
        let of = |engine: &str, mode: &str| {
            rows.iter().find(|row| {
                (&row.scene, &row.rays) == (scene, points)
                    && row.engine == engine
                    && row.mode == mode
            })
        };
        let mut fields = vec![scene.clone(), points.clone()];
        fields.extend(engines.iter().map(|(engine, mode)| {
            of(engine, mode).map_or(String::new(), |row| match row.disagree {
                0 => format!("{:.2}", 1.0 / row.mrays),
                wrong => format!("{:.2} ({wrong})", 1.0 / row.mrays),
            })
        }));
        let peers = rows.iter().filter(|row| {
            (&row.scene, &row.rays) == (scene, points) && !row.engine.starts_with("estoc")
        });
        let best = peers.map(|row| row.mrays).reduce(f64::max);
        fields.extend(
            ["single", "batch"]
                .map(|mode| ratio(of("estoc", mode).and_then(|row| Some(row.mrays / best?)))),
        );
        write_row(out, &fields)?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    #[test]
    fn engines_are_compared_with_the_best_peer() {
        let lines = [
            "points,hall,near,single,estoc,1,4,1,50000,0,,,",
            "points,hall,near,batch,estoc,1,8,1,50000,0,,,",
            "points,hall,near,single,parry,1,2,1,50000,7,,,",
            "points,hall,near,single,embree-low,1,1,1,50000,0,,,",
        ];
        let rows: Vec<Row> = lines.map(|line| Row::parse(line).expect("a row")).into();
        let text = markdown(&rows);
        let row = "| hall | near | 0.25 | 0.12 | 0.50 (7) | 1.00 | 2.00 | 4.00 |";
        assert!(text.contains(row), "{text}");
    }
}
