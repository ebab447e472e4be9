//! Batches, compared with the fastest of the others for many rays.

use super::cell::{Cell, Setup, cells, distinct};
use super::text::{
    SUMMARIES, count, greatest, least, named_with_mode, ratio, speed, write_head, write_row,
};
use crate::row::{RaysRow, Row};
use crate::statistics::geometric_mean;
use std::fmt::{self, Write};

type Ratio = (&'static str, fn(&Cell<'_>) -> Option<f64>);

const RATIOS: [Ratio; 4] = [
    ("to single", |cell| cell.ratio_to(cell.single)),
    ("to Embree", |cell| cell.ratio_to(cell.embree)),
    ("to robust", |cell| cell.ratio_to(cell.robust)),
    ("to crate", |cell| cell.ratio_to(cell.rust)),
];

/// Writes the cells of a number of threads, their summary, and a summary by kind of rays.
pub(super) fn write_table(out: &mut String, rows: &[Row], setup: Setup<'_>) -> fmt::Result {
    let cells = cells(rows, setup);
    let has_plan = cells.iter().any(|cell| !plan(cell.ours).is_empty());
    let mut titles = vec!["scene", "rays", "estoc batch", "estoc single"];
    titles.extend(["best Embree", "best robust Embree", "best Rust crate"]);
    let first_ratio = titles.len();
    titles.extend(RATIOS.map(|(title, _)| title));
    titles.extend(has_plan.then_some("plan"));

    let threads = count(setup.threads, "thread");
    writeln!(out, "## Many rays, {threads}: million rays per second\n")?;
    write_head(out, &titles, 2)?;
    for cell in &cells {
        let mut fields = vec![cell.scene.to_owned(), cell.rays.to_owned()];
        fields.extend([cell.ours, cell.single].map(speed));
        fields.extend([cell.embree, cell.robust, cell.rust].map(named_with_mode));
        fields.extend(RATIOS.map(|(_, of)| ratio(of(cell))));
        fields.extend(has_plan.then(|| plan(cell.ours).to_owned()));
        write_row(out, &fields)?;
    }
    for (name, summary) in SUMMARIES {
        let mut fields = vec![String::new(); first_ratio];
        fields[0] = format!("**{name}**");
        fields.extend(RATIOS.map(|(_, of)| {
            let values: Vec<f64> = cells.iter().filter_map(of).collect();
            ratio(summary(&values))
        }));
        fields.extend(has_plan.then(String::new));
        write_row(out, &fields)?;
    }
    writeln!(out)?;
    write_kinds(out, &cells, &threads)
}

/// Returns the plan that estoc reported.
fn plan(row: Option<&RaysRow>) -> &str {
    row.map_or("", |row| &row.plan)
}

fn write_kinds(out: &mut String, cells: &[Cell<'_>], threads: &str) -> fmt::Result {
    writeln!(
        out,
        "### By kind of rays, {threads}: geometric mean, least to greatest\n"
    )?;
    let titles: Vec<&str> = ["rays"]
        .into_iter()
        .chain(RATIOS.map(|(title, _)| title))
        .collect();
    write_head(out, &titles, 1)?;
    for kind in distinct(cells.iter().map(|cell| cell.rays)) {
        let mut fields = vec![kind.to_owned()];
        fields.extend(RATIOS.map(|(_, of)| {
            let here = cells.iter().filter(|cell| cell.rays == kind);
            range(&here.filter_map(of).collect::<Vec<f64>>())
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

/// Formats the geometric mean and the range of the values.
fn range(values: &[f64]) -> String {
    let mean = geometric_mean(values.iter().copied());
    let (Some(mean), Some(least), Some(greatest)) = (mean, least(values), greatest(values)) else {
        return String::new();
    };
    format!("{mean:.2} ({least:.2} to {greatest:.2})")
}

#[cfg(test)]
mod tests {
    use super::super::cell::setups;
    use super::*;

    #[test]
    fn the_best_of_all_ways_counts() {
        let lines = [
            "rays,hall,ao,single,estoc,1,6,1,9,0,",
            "rays,hall,ao,batch,estoc,1,12,1,9,0,packets 90% interleaved 10%",
            "rays,hall,ao,batch,estoc-packets,1,99,1,9,0,",
            "rays,hall,ao,batch,embree-low-avx2-8-coherent,1,6,1,9,0,",
            "rays,hall,ao,single,embree-high,1,8,1,9,0,",
            "rays,hall,ao,batch,embree-robust-16-incoherent,1,4,1,9,0,",
            "rays,hall,ao,single,parry,1,2,1,9,0,",
            "rays,soup,ao,batch,estoc,1,27,1,9,0,",
            "rays,soup,ao,batch,embree-low-4-coherent,1,2,1,9,0,",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let rows = lines.map(row);
        let batch = setups(&rows)
            .into_iter()
            .find(|setup| setup.mode == "batch");
        let mut text = String::new();
        write_table(&mut text, &rows, batch.expect("a batch")).expect("a string");
        for line in [
            "| hall | ao | 12.00 ±0% | 6.00 ±0% | 8.00 high single | 4.00 robust-16-incoherent \
             | 2.00 parry single | 2.00 | 1.50 | 3.00 | 6.00 | packets 90% interleaved 10% |",
            "| soup | ao | 27.00 ±0% |  | 2.00 low-4-coherent |  |  |  | 13.50 |  |  |  |",
            "| **geometric mean** |  |  |  |  |  |  | 2.00 | 4.50 | 3.00 | 6.00 |  |",
            "| ao | 2.00 (2.00 to 2.00) | 4.50 (1.50 to 13.50) | 3.00 (3.00 to 3.00) \
             | 6.00 (6.00 to 6.00) |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
