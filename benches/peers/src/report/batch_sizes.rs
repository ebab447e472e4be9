//! The cost of a ray in batches of all sizes.

use super::cell::distinct;
use super::text::{count, greatest, least, write_head, write_row};
use crate::row::{Row, SizeRow};
use std::fmt::{self, Write};

/// From here on a batch should cost the same per ray, whatever its size.
const LARGE: usize = 1 << 14;

fn size_rows(rows: &[Row]) -> impl Iterator<Item = &SizeRow> + Clone {
    rows.iter().filter_map(|row| match row {
        Row::Size(row) => Some(row),
        _ => None,
    })
}

fn nanoseconds(row: &SizeRow) -> f64 {
    1e3 / row.mrays
}

/// Writes a table for each scene and number of threads.
pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    for (scene, threads) in distinct(size_rows(rows).map(|row| (&row.scene, row.threads))) {
        let here = || size_rows(rows).filter(|row| (&row.scene, row.threads) == (scene, threads));
        let kinds = distinct(here().map(|row| row.rays.as_str()));
        let threads = count(threads, "thread");
        writeln!(
            out,
            "## Sizes of batches, {scene}, {threads}: nanoseconds per ray\n"
        )?;
        let titles: Vec<&str> = ["rays per call"].iter().chain(&kinds).copied().collect();
        write_head(out, &titles, 0)?;
        for size in distinct(here().map(|row| row.size)) {
            let mut fields = vec![size.to_string()];
            fields.extend(kinds.iter().map(|kind| {
                let row = here().find(|row| row.size == size && row.rays == *kind);
                row.map_or(String::new(), |row| {
                    format!("{:.1} ±{:.0}%", nanoseconds(row), row.spread / 2.0)
                })
            }));
            write_row(out, &fields)?;
        }
        let mut fields = vec![format!("**greatest to least, from {LARGE} rays**")];
        fields.extend(kinds.iter().map(|kind| {
            let large = here().filter(|row| row.size >= LARGE && row.rays == *kind);
            let times: Vec<f64> = large.map(nanoseconds).collect();
            let both = greatest(&times).zip(least(&times));
            both.map_or(String::new(), |(most, least)| {
                format!("{:.2}", most / least)
            })
        }));
        write_row(out, &fields)?;
        let wrong: usize = here().map(|row| row.disagree).sum();
        writeln!(
            out,
            "\nAnswers that differ from those of single calls: {wrong}.\n"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_batches_are_compared() {
        let lines = [
            "size,hall,random,single,estoc,1,2,1,1,0,",
            "size,hall,random,batch,estoc,1,1,1,256,0,",
            "size,hall,random,batch,estoc,1,4,1,16384,0,",
            "size,hall,random,batch,estoc,1,5,1,65536,3,",
        ];
        let rows = lines.map(|line| Row::parse(line).expect("a row"));
        let mut text = String::new();
        write_tables(&mut text, &rows).expect("a string");
        for line in [
            "| 1 | 500.0 ±0% |",
            "| 256 | 1000.0 ±0% |",
            "| **greatest to least, from 16384 rays** | 1.25 |",
            "Answers that differ from those of single calls: 3.",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
