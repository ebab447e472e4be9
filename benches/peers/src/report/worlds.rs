//! Worlds of placed meshes: the time of rays, and answers beside the exact ones.

use super::cell::distinct;
use super::text::{SUMMARIES, count, ratio, write_head, write_row};
use crate::row::{Row, WorldRow};
use std::fmt::{self, Write};

pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    let rows: Vec<&WorldRow> = rows
        .iter()
        .filter_map(|row| match row {
            Row::World(row) => Some(row),
            _ => None,
        })
        .collect();
    for threads in distinct(rows.iter().map(|row| row.threads)) {
        let here = rows.iter().copied().filter(|row| row.threads == threads);
        let here: Vec<&WorldRow> = here.collect();
        let threads = count(threads, "thread");
        let cells = cells(&here);
        write_rays(out, &cells, &threads)?;
        write_flat(out, &cells, &threads)?;
        write_answers(out, &cells)?;
        write_all(out, &here, &threads)?;
    }
    Ok(())
}

/// All rows of one world and kind of rays.
struct Cell<'a> {
    world: &'a str,
    rays: &'a str,
    rows: Vec<&'a WorldRow>,
}

fn cells<'a>(rows: &[&'a WorldRow]) -> Vec<Cell<'a>> {
    let names = distinct(rows.iter().map(|row| (&*row.world, &*row.rays)));
    let cell = |(world, rays_name): (&'a str, &'a str)| Cell {
        world,
        rays: rays_name,
        rows: (rows.iter().copied())
            .filter(|row| (&*row.world, &*row.rays) == (world, rays_name))
            .collect(),
    };
    names.into_iter().map(cell).collect()
}

impl<'a> Cell<'a> {
    fn find(&self, engine: &str, mode: &str) -> Option<&'a WorldRow> {
        let mut rows = self.rows.iter().copied();
        rows.find(|row| row.engine == engine && row.mode == mode)
    }

    /// Returns the fastest row of an engine whose name starts so and contains a word.
    fn best(&self, start: &str, word: &str, mode: Option<&str>) -> Option<&'a WorldRow> {
        let rows = self.rows.iter().copied().filter(|row| {
            row.engine.starts_with(start)
                && row.engine.contains(word)
                && mode.is_none_or(|mode| row.mode == mode)
        });
        rows.min_by(|a, b| a.nanos.total_cmp(&b.nanos))
    }

    fn start(&self) -> Vec<String> {
        vec![self.world.to_owned(), self.rays.to_owned()]
    }
}

fn nanos(row: Option<&WorldRow>) -> String {
    row.map_or(String::new(), |row| format!("{:.0}", row.nanos))
}

/// Formats the time with the engine's name, without the family's.
fn named(row: Option<&WorldRow>) -> String {
    row.map_or(String::new(), |row| {
        let name = row.engine.trim_start_matches("flat-");
        let name = name.strip_prefix("embree-").unwrap_or(name);
        format!("{:.0} {name}", row.nanos)
    })
}

/// Returns how many times as long `b` takes as `a`.
fn over(b: Option<&WorldRow>, a: Option<&WorldRow>) -> Option<f64> {
    Some(b?.nanos / a?.nanos)
}

/// Writes the summaries of columns of ratios, which are the last ones of a table.
fn write_summaries(out: &mut String, columns: usize, ratios: &[Vec<Option<f64>>]) -> fmt::Result {
    let width = ratios.first().map_or(0, Vec::len);
    for (name, summary) in SUMMARIES {
        let mut fields = vec![format!("**{name}**")];
        fields.resize(columns - width, String::new());
        fields.extend((0..width).map(|at| {
            let values: Vec<f64> = ratios.iter().filter_map(|row| row[at]).collect();
            ratio(summary(&values))
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

fn write_rays(out: &mut String, cells: &[Cell<'_>], threads: &str) -> fmt::Result {
    writeln!(
        out,
        "## Rays in worlds of placed meshes, {threads}: nanoseconds per ray\n"
    )?;
    let titles = [
        "world",
        "rays",
        "estoc",
        "estoc batch",
        "best Embree, single",
        "best Embree, packets",
        "best robust Embree, single",
        "single to single",
        "batch to single",
        "batch to packets",
        "single to robust",
    ];
    write_head(out, &titles, 2)?;
    let mut all = Vec::new();
    for cell in cells {
        let (single, batch) = (cell.find("estoc", "single"), cell.find("estoc", "batch"));
        let theirs = cell.best("embree", "", Some("single"));
        let packets = cell.best("embree", "", Some("batch"));
        let robust = cell.best("embree", "robust", Some("single"));
        let ratios = vec![
            over(theirs, single),
            over(theirs, batch),
            over(packets, batch),
            over(robust, single),
        ];
        let mut fields = cell.start();
        fields.extend([nanos(single), nanos(batch)]);
        fields.extend([theirs, packets, robust].map(named));
        fields.extend(ratios.iter().map(|&value| ratio(value)));
        write_row(out, &fields)?;
        all.push(ratios);
    }
    write_summaries(out, titles.len(), &all)
}

fn write_flat(out: &mut String, cells: &[Cell<'_>], threads: &str) -> fmt::Result {
    let is_flat = |cell: &&Cell<'_>| cell.best("flat-", "", None).is_some();
    let cells: Vec<&Cell<'_>> = cells.iter().filter(is_flat).collect();
    if cells.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "## Worlds beside the same as one mesh, {threads}: nanoseconds per ray\n"
    )?;
    let titles = [
        "world",
        "rays",
        "estoc",
        "one mesh",
        "estoc batch",
        "one mesh, batch",
        "best Embree, single",
        "one mesh, best Embree, single",
        "estoc: times as long",
        "batch: times as long",
        "Embree: times as long",
    ];
    write_head(out, &titles, 2)?;
    let mut all = Vec::new();
    for cell in cells {
        let of = |mode| [cell.find("estoc", mode), cell.find("flat-estoc", mode)];
        let theirs = ["embree", "flat-embree"].map(|start| cell.best(start, "", Some("single")));
        let (single, batch) = (of("single"), of("batch"));
        let ratios = vec![
            over(single[0], single[1]),
            over(batch[0], batch[1]),
            over(theirs[0], theirs[1]),
        ];
        let mut fields = cell.start();
        fields.extend([single, batch].concat().into_iter().map(nanos));
        fields.extend(theirs.map(named));
        fields.extend(ratios.iter().map(|&value| ratio(value)));
        write_row(out, &fields)?;
        all.push(ratios);
    }
    write_summaries(out, titles.len(), &all)
}

fn write_answers(out: &mut String, cells: &[Cell<'_>]) -> fmt::Result {
    writeln!(
        out,
        "## Answers beside the exact ones: rays with a hit elsewhere + lost + invented\n"
    )?;
    let single = |row: &&WorldRow| row.mode == "single" && row.engine != "estoc";
    let rows = cells.iter().flat_map(|cell| cell.rows.iter().copied());
    let engines = distinct(rows.filter(single).map(|row| &*row.engine));
    let mut titles = vec!["world", "rays", "cast", "hits"];
    titles.extend(&engines);
    write_head(out, &titles, 2)?;
    for cell in cells {
        let ours = cell.find("estoc", "single");
        let mut fields = cell.start();
        fields.extend([
            ours.map_or(String::new(), |row| row.count.to_string()),
            ours.map_or(String::new(), |row| row.hits.to_string()),
        ]);
        fields.extend(engines.iter().map(|engine| {
            cell.find(engine, "single").map_or(String::new(), |row| {
                match (row.elsewhere, row.lost, row.invented) {
                    (0, 0, 0) => "0".to_owned(),
                    (elsewhere, lost, invented) => format!("{elsewhere} + {lost} + {invented}"),
                }
            })
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

/// Writes all rows, one table per world.
fn write_all(out: &mut String, rows: &[&WorldRow], threads: &str) -> fmt::Result {
    for world in distinct(rows.iter().map(|row| &row.world)) {
        let here = || rows.iter().copied().filter(|row| row.world == *world);
        let kinds = distinct(here().map(|row| &*row.rays));
        writeln!(
            out,
            "## All engines, {world}, {threads}: nanoseconds per ray\n"
        )?;
        let titles: Vec<&str> = ["engine", "mode"].iter().chain(&kinds).copied().collect();
        write_head(out, &titles, 2)?;
        for (engine, mode) in distinct(here().map(|row| (&row.engine, &row.mode))) {
            let mut fields = vec![engine.clone(), mode.clone()];
            fields.extend(kinds.iter().map(|&kind| {
                let row = here()
                    .find(|row| (&row.engine, &row.mode) == (engine, mode) && row.rays == kind);
                row.map_or(String::new(), |row| {
                    format!("{:.0} ±{:.0}%", row.nanos, row.spread / 2.0)
                })
            }));
            write_row(out, &fields)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    #[test]
    fn the_best_embree_is_compared_with_estoc_and_with_one_mesh() {
        let lines = [
            "world,city1k,street,single,estoc,1,200,1,64,0,0 lost 0 invented,9,200",
            "world,city1k,street,batch,estoc,1,100,1,64,0,0 lost 0 invented,9,100",
            "world,city1k,street,single,flat-estoc,1,160,1,64,0,0 lost 0 invented,9,160",
            "world,city1k,street,single,embree-medium,1,300,1,64,3,2 lost 1 invented,9,300",
            "world,city1k,street,single,embree-robust,1,400,1,64,0,0 lost 0 invented,9,400",
            "world,city1k,street,batch,embree-high-8-coherent,1,50,1,64,3,2 lost 1 invented,9,50",
            "world,city1k,street,single,flat-embree-high,1,150,1,64,0,0 lost 0 invented,9,150",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = markdown(&lines.map(row));
        for line in [
            "| city1k | street | 200 | 100 | 300 medium | 50 high-8-coherent | 400 robust \
             | 1.50 | 3.00 | 0.50 | 2.00 |",
            "| city1k | street | 200 | 160 | 100 |  | 300 medium | 150 high | 1.25 |  | 2.00 |",
            "| city1k | street | 64 | 9 | 0 | 3 + 2 + 1 | 0 | 0 |",
            "| **smallest** |  |  |  |  |  |  | 1.50 | 3.00 | 0.50 | 2.00 |",
            "| estoc | single | 200 ±0% |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
