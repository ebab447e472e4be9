//! The growth of the cost of a ray with the mesh, on terrains of several sizes.

use super::cell::{Cell, Setup, cells, distinct, rays_rows};
use super::lines::{Line, Lines, Panel, Stroke};
use super::text::{count, named_with_mode, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use crate::scenes::terrain_size;
use std::fmt::{self, Write};

/// Returns the cells of terrains in order of size, with the fewest threads; `None` unless estoc has
/// batches at two sizes.
fn of_terrains(rows: &[Row]) -> Option<(usize, Vec<(usize, Cell<'_>)>)> {
    let ours = rays_rows(rows).filter(|row| row.engine == "estoc" && row.mode == "batch");
    let ours = ours.filter(|row| terrain_size(&row.scene).is_some());
    if distinct(ours.clone().map(|row| &row.scene)).len() < 2 {
        return None;
    }
    let threads = ours.map(|row| row.threads).min()?;
    let mode = "batch";
    let cells = cells(rows, Setup { mode, threads }).into_iter();
    let sized = cells.filter_map(|cell| Some((terrain_size(cell.scene)?, cell)));
    let mut sized: Vec<_> = sized.collect();
    sized.sort_by_key(|(size, _)| *size);
    Some((threads, sized))
}

fn nanoseconds(row: Option<&RaysRow>) -> Option<f64> {
    Some(1e3 / row?.mrays)
}

pub(super) fn write_table(out: &mut String, rows: &[Row]) -> fmt::Result {
    let Some((threads, cells)) = of_terrains(rows) else {
        return Ok(());
    };
    let threads = count(threads, "thread");
    writeln!(
        out,
        "## As a terrain grows, {threads}: nanoseconds per ray\n"
    )?;
    let titles = [
        "rays",
        "triangles",
        "estoc batch",
        "estoc single",
        "best Embree",
        "variant",
        "to Embree",
    ];
    write_head(out, &titles, 1)?;
    let time = |row| nanoseconds(row).map_or(String::new(), |time| format!("{time:.1}"));
    for kind in distinct(cells.iter().map(|(_, cell)| cell.rays)) {
        for (size, cell) in cells.iter().filter(|(_, cell)| cell.rays == kind) {
            let way = named_with_mode(cell.embree);
            let way = way.split_once(' ').map_or("", |(_, name)| name);
            let fields = [
                kind.to_owned(),
                size.to_string(),
                time(cell.ours),
                time(cell.single),
                time(cell.embree),
                way.to_owned(),
                ratio(cell.ratio_to(cell.embree)),
            ];
            write_row(out, &fields)?;
        }
    }
    writeln!(out)
}

/// Draws a chart, one panel per kind of rays; `None` when there is nothing to draw.
pub(crate) fn growth(rows: &[Row]) -> Option<String> {
    let (threads, cells) = of_terrains(rows)?;
    let line = |kind: &str, title, stroke, of: fn(&Cell<'_>) -> Option<f64>| {
        let here = cells.iter().filter(|(_, cell)| cell.rays == kind);
        let point = |(size, cell): &(usize, Cell<'_>)| Some([*size as f64, of(cell)?]);
        Line {
            title,
            stroke,
            points: here.filter_map(point).collect(),
        }
    };
    let panel = |kind: &str| Panel {
        title: format!("{kind} rays"),
        lines: vec![
            line(kind, "Embree's best", Stroke::Other, |cell| {
                nanoseconds(cell.embree)
            }),
            line(kind, "estoc single", Stroke::OursBefore, |cell| {
                nanoseconds(cell.single)
            }),
            line(kind, "estoc batch", Stroke::Ours, |cell| {
                nanoseconds(cell.ours)
            }),
        ],
    };
    let chart = Lines {
        title: "Cost of a ray as a mesh grows",
        note: format!(
            "nanoseconds per ray, {}, lower is better; terrains",
            count(threads, "thread")
        ),
        across: "triangles",
        panels: distinct(cells.iter().map(|(_, cell)| cell.rays))
            .into_iter()
            .map(panel)
            .collect(),
    };
    Some(chart.svg())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 6] = [
        "rays,terrain1m,random,batch,estoc,1,4,1,9,0,",
        "rays,terrain1m,random,single,embree-low,1,2,1,9,0,",
        "rays,terrain30k,random,batch,estoc,1,10,1,9,0,",
        "rays,terrain30k,random,single,estoc,1,5,1,9,0,",
        "rays,terrain30k,random,batch,embree-high-avx2-8-coherent,1,8,1,9,0,",
        "rays,hall,random,batch,estoc,1,8,1,9,0,",
    ];

    #[test]
    fn costs_stand_in_order_of_size() {
        let rows = LINES.map(|line| Row::parse(line).expect("a row"));
        let mut text = String::new();
        write_table(&mut text, &rows).expect("a string");
        let lines = "| random | 30000 | 100.0 | 200.0 | 125.0 | high-avx2-8-coherent | 1.25 |\n\
                     | random | 1000000 | 250.0 |  | 500.0 | low single | 2.00 |\n";
        assert!(text.contains(lines), "{text}");
        assert!(growth(&rows).is_some());
        assert_eq!(growth(&rows[..2]), None, "one size is no curve");
    }
}
