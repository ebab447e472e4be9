//! Two compilations of the same program: for this processor, and for any, as users get it.

use super::cell::Setup;
use super::cell::{distinct, is_missed, rays_rows};
use super::machines;
use super::text::{SUMMARIES, count, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use crate::statistics::median;
use std::fmt::{self, Write};

/// What rows must have in common to be of the same work.
type Work<'a> = (&'a str, &'a str, &'a str, &'a str, usize);

/// Writes a table for each engine, mode and number of threads of these rows, with those of the
/// other compilation beside them. Several runs of the same work count as their median.
pub(crate) fn compilations(native: &[Row], portable: &[Row]) -> String {
    let mut text = String::new();
    write_all(&mut text, native, portable).expect("writing to a string does not fail");
    text
}

fn write_all(out: &mut String, native: &[Row], portable: &[Row]) -> fmt::Result {
    machines::write_table(out, &[native, portable].concat())?;
    let works = distinct(rays_rows(native).map(work));
    let tables = works
        .iter()
        .map(|&(.., engine, mode, threads)| (engine, mode, threads));
    for table in distinct(tables) {
        let here = works
            .iter()
            .filter(|&&(.., engine, mode, threads)| (engine, mode, threads) == table);
        let (engine, mode, threads) = table;
        let calls = Setup { mode, threads }.calls();
        let threads = count(threads, "thread");
        writeln!(
            out,
            "## {engine} compiled twice, {calls}, {threads}: million rays per second\n"
        )?;
        let titles = [
            "scene",
            "rays",
            "for any processor",
            "for this one",
            "to this one",
        ];
        write_head(out, &titles, 2)?;
        let mut ratios = Vec::new();
        for &work in here {
            let both = speed(portable, work).zip(speed(native, work));
            let Some((any, this)) = both else { continue };
            let (scene, rays, ..) = work;
            if !is_missed(rays) {
                ratios.push(any / this);
            }
            write_row(
                out,
                &[
                    scene.to_owned(),
                    rays.to_owned(),
                    format!("{any:.2}"),
                    format!("{this:.2}"),
                    ratio(Some(any / this)),
                ],
            )?;
        }
        for (name, summary) in SUMMARIES {
            let mut fields = vec![String::new(); titles.len()];
            fields[0] = format!("**{name}**");
            fields[titles.len() - 1] = ratio(summary(&ratios));
            write_row(out, &fields)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn work(row: &RaysRow) -> Work<'_> {
    (&row.scene, &row.rays, &row.engine, &row.mode, row.threads)
}

/// Returns the speed at some work, in million rays per second.
fn speed(rows: &[Row], which: Work<'_>) -> Option<f64> {
    let here = rays_rows(rows).filter(|row| work(row) == which);
    let speeds: Vec<f64> = here.map(|row| row.mrays).collect();
    (!speeds.is_empty()).then(|| median(&speeds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_both_stand_beside_each_other() {
        let rows = |lines: &[&str]| -> Vec<Row> {
            let row = |line: &&str| Row::parse(line).expect("a row");
            lines.iter().map(row).collect()
        };
        let native = rows(&[
            "machine,AuthenticAMD,26,2,AMD EPYC,2,1,,,,x86-64-v4,,",
            "rays,hall,ao,single,estoc,1,8,1,9,0",
            "rays,soup,ao,single,estoc,1,4,1,9,0",
            "rays,hall,missed,single,estoc,1,90,1,9,0",
            "rays,hall,ao,batch,estoc,2,8,1,9,0",
            "rays,hall,ao,single,estoc,1,12,1,9,0",
        ]);
        let portable = rows(&[
            "machine,AuthenticAMD,26,2,AMD EPYC,2,1,,,,x86-64,,",
            "rays,hall,ao,single,estoc,1,9,1,9,0",
            "rays,hall,missed,single,estoc,1,45,1,9,0",
            "rays,hall,ao,batch,estoc,2,6,1,9,0",
        ]);
        let text = compilations(&native, &portable);
        for line in [
            "| compiled for | x86-64-v4 |",
            "| compiled for | x86-64 |",
            "## estoc compiled twice, one ray per call, 1 thread: million rays per second",
            "| scene | rays | for any processor | for this one | to this one |",
            "| hall | ao | 9.00 | 10.00 | 0.90 |",
            "| hall | missed | 45.00 | 90.00 | 0.50 |",
            "| **geometric mean** |  |  |  | 0.90 |",
            "## estoc compiled twice, many rays, 2 threads: million rays per second",
            "| hall | ao | 6.00 | 8.00 | 0.75 |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
        assert!(!text.contains("soup"), "in one of the two only:\n{text}");
    }
}
