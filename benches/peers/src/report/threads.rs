//! The speedup of estoc by more threads.

use super::cell::{distinct, is_missed, rays_rows};
use super::text::{count, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use crate::statistics::geometric_mean;
use std::fmt::{self, Write};

/// Writes a table of batches and one of single calls, if there are several numbers of threads.
pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    write_table(out, rows, "batch", "Batches of estoc")?;
    write_table(out, rows, "single", "One ray per call of estoc")
}

fn write_table(out: &mut String, rows: &[Row], mode: &str, title: &str) -> fmt::Result {
    let is_ours = |row: &&RaysRow| row.engine == "estoc" && row.mode == mode;
    let ours = || {
        rays_rows(rows)
            .filter(is_ours)
            .filter(|row| !is_missed(&row.rays))
    };
    let mut counts = distinct(ours().map(|row| row.threads));
    counts.sort_unstable();
    let [base, _, ..] = counts[..] else {
        return Ok(());
    };
    let times = count(base, "thread");
    writeln!(
        out,
        "## {title} by threads: million rays per second (times {times})\n"
    )?;
    let columns: Vec<String> = counts.iter().map(|&n| count(n, "thread")).collect();
    let titles: Vec<&str> = ["scene", "rays"]
        .into_iter()
        .chain(columns.iter().map(String::as_str))
        .collect();
    write_head(out, &titles, 2)?;
    let mut gains = vec![Vec::new(); counts.len()];
    for place in distinct(ours().map(place)) {
        let with = |threads| ours().find(|row| place == self::place(row) && row.threads == threads);
        let mut fields = vec![place.0.to_owned(), place.1.to_owned()];
        for (&threads, gains) in counts.iter().zip(&mut gains) {
            let field = match (with(threads), with(base)) {
                (Some(row), Some(first)) if threads != base => {
                    let gain = row.mrays / first.mrays;
                    gains.push(gain);
                    format!("{:.2} ({gain:.2})", row.mrays)
                }
                (Some(row), _) => format!("{:.2}", row.mrays),
                (None, _) => String::new(),
            };
            fields.push(field);
        }
        write_row(out, &fields)?;
    }
    let mut fields = vec!["**geometric mean**".to_owned(), String::new()];
    fields.extend(gains.into_iter().map(|gains| ratio(geometric_mean(gains))));
    write_row(out, &fields)?;
    writeln!(out)
}

fn place(row: &RaysRow) -> (&str, &str) {
    (&row.scene, &row.rays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_to_the_fewest_threads() {
        let lines = [
            "rays,hall,ao,batch,estoc,1,10,1,9,0,",
            "rays,hall,ao,batch,estoc,2,19,1,9,0,",
            "rays,hall,ao,batch,estoc,16,80,1,9,0,",
            "rays,soup,ao,batch,estoc,1,1,1,9,0,",
            "rays,soup,ao,batch,estoc,16,2,1,9,0,",
            "rays,hall,ao,single,estoc,1,10,1,9,0,",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let mut text = String::new();
        write_tables(&mut text, &lines.map(row)).expect("a string");
        for line in [
            "## Batches of estoc by threads: million rays per second (times 1 thread)",
            "| scene | rays | 1 thread | 2 threads | 16 threads |",
            "| hall | ao | 10.00 | 19.00 (1.90) | 80.00 (8.00) |",
            "| soup | ao | 1.00 |  | 2.00 (2.00) |",
            "| **geometric mean** |  |  | 1.90 | 4.00 |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
        assert!(!text.contains("One ray per call"), "one number of threads");
    }
}
