//! Rays that miss the root's box: the cost of a call alone.

use super::cell::{Cell, Setup, missed_cells};
use super::text::{SUMMARIES, count, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use std::fmt::{self, Write};

type Ratio = (&'static str, fn(&Cell<'_>) -> Option<f64>);

const RATIOS: [Ratio; 4] = [
    ("to Embree", |cell| cell.ratio_to(cell.embree)),
    ("to robust", |cell| cell.ratio_to(cell.robust)),
    ("to crate", |cell| cell.ratio_to(cell.rust)),
    ("price", |cell| cell.price()),
];

/// Writes the cells of a setup; nothing if such rays were not measured.
pub(super) fn write_table(out: &mut String, rows: &[Row], setup: Setup<'_>) -> fmt::Result {
    let cells = missed_cells(rows, setup);
    if cells.is_empty() {
        return Ok(());
    }
    let calls = setup.calls();
    let threads = count(setup.threads, "thread");
    writeln!(
        out,
        "## Rays that miss the root's box, {calls}, {threads}: nanoseconds per ray\n"
    )?;
    let mut titles = vec!["scene", "estoc", "float only"];
    titles.extend(["best Embree", "best robust Embree", "best Rust crate"]);
    let first_ratio = titles.len();
    titles.extend(RATIOS.map(|(title, _)| title));
    write_head(out, &titles, 1)?;
    for cell in &cells {
        let mut fields = vec![cell.scene.to_owned()];
        fields.extend([cell.ours, cell.float].map(nanoseconds));
        fields.extend([cell.embree, cell.robust, cell.rust].map(named));
        fields.extend(RATIOS.map(|(_, of)| ratio(of(cell))));
        write_row(out, &fields)?;
    }
    for (name, summary) in SUMMARIES {
        let mut fields = vec![String::new(); first_ratio];
        fields[0] = format!("**{name}**");
        fields.extend(RATIOS.map(|(_, of)| {
            let values: Vec<f64> = cells.iter().filter_map(of).collect();
            ratio(summary(&values))
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

fn nanoseconds(row: Option<&RaysRow>) -> String {
    row.map_or(String::new(), |row| {
        format!("{:.1} ±{:.0}%", 1e3 / row.mrays, row.spread / 2.0)
    })
}

fn named(row: Option<&RaysRow>) -> String {
    row.map_or(String::new(), |row| {
        let name = row.engine.strip_prefix("embree-").unwrap_or(&row.engine);
        format!("{:.1} {name}", 1e3 / row.mrays)
    })
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    #[test]
    fn missed_rays_have_a_table_of_their_own() {
        let lines = [
            "rays,hall,ao,single,estoc,1,6,1,9,0",
            "rays,hall,ao,single,embree-low,1,3,1,9,0",
            "rays,hall,missed,single,estoc,1,50,2,0,0",
            "rays,hall,missed,single,estoc-float,1,100,1,0,0",
            "rays,hall,missed,single,embree-low,1,40,1,0,0",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = markdown(&lines.map(row));
        for line in [
            "## Rays that miss the root's box, one ray per call, 1 thread: nanoseconds per ray",
            "| hall | 20.0 ±1% | 10.0 ±0% | 25.0 low |  |  | 1.25 |  |  | 2.00 |",
            "| hall | ao | 6.00 ±0% | 3.00 low |  |  | 2.00 |  |  |",
            "| **geometric mean** |  |  |  |  |  | 2.00 |  |  |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
