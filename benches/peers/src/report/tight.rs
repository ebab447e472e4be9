//! Rays at shared corners and edges: how many leak, and how many miscount a surface.

use super::cell::distinct;
use super::text::{write_head, write_row};
use crate::row::{Row, TightRow};
use std::fmt::{self, Write};

/// Returns the rows about closed meshes.
pub(super) fn tight_rows(rows: &[Row]) -> impl Iterator<Item = &TightRow> + Clone {
    rows.iter().filter_map(|row| match row {
        Row::Tight(row) => Some(row),
        _ => None,
    })
}

/// Sums over meshes and places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) rays: usize,
    pub(super) leaks: usize,
    /// `None` where the library lists no hits.
    pub(super) double: Option<usize>,
    pub(super) parity: Option<usize>,
}

impl Total {
    /// Returns the sum of these rows.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a TightRow> + Clone) -> Self {
        let sum = |of: fn(&TightRow) -> Option<usize>| rows.clone().map(of).sum();
        Total {
            rays: rows.clone().map(|row| row.rays).sum(),
            leaks: rows.clone().map(|row| row.leaks).sum(),
            double: sum(|row| row.double),
            parity: sum(|row| row.parity),
        }
    }
}

/// Formats a number with commas between thousands.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of rays, or `no list`.
fn told(number: Option<usize>) -> String {
    number.map_or("no list".to_owned(), grouped)
}

pub(super) fn write_tables(out: &mut String, rows: &[Row]) -> fmt::Result {
    let rows = tight_rows(rows);
    if rows.clone().next().is_none() {
        return Ok(());
    }
    writeln!(
        out,
        "## Rays aimed at shared corners and edges of closed meshes\n"
    )?;
    let titles = [
        "engine",
        "mode",
        "rays",
        "leaks",
        "counted too often",
        "wrong parity",
    ];
    write_head(out, &titles, 2)?;
    let engines = distinct(rows.clone().map(|row| (&row.engine, &row.mode)));
    for (engine, mode) in engines {
        let here = rows
            .clone()
            .filter(|row| (&row.engine, &row.mode) == (engine, mode));
        let total = Total::of(here);
        let mut fields = vec![engine.clone(), mode.clone()];
        fields.extend([grouped(total.rays), grouped(total.leaks)]);
        fields.extend([total.double, total.parity].map(told));
        write_row(out, &fields)?;
    }
    writeln!(out)?;
    write_leaks(out, rows)
}

/// Writes the leaks by mesh and place.
fn write_leaks<'a>(
    out: &mut String,
    rows: impl Iterator<Item = &'a TightRow> + Clone,
) -> fmt::Result {
    writeln!(out, "## Leaks by mesh\n")?;
    let places = distinct(rows.clone().map(|row| (&row.mesh, &row.place)));
    let mut titles = vec!["engine".to_owned(), "mode".to_owned()];
    titles.extend(
        places
            .iter()
            .map(|(mesh, place)| format!("{mesh}, {place}")),
    );
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    write_head(out, &titles, 2)?;
    for (engine, mode) in distinct(rows.clone().map(|row| (&row.engine, &row.mode))) {
        let mut fields = vec![engine.clone(), mode.clone()];
        fields.extend(places.iter().map(|&place| {
            let here = rows
                .clone()
                .filter(|row| (&row.engine, &row.mode) == (engine, mode));
            let mut here = here.filter(|row| (&row.mesh, &row.place) == place);
            here.next().map_or(String::new(), |row| grouped(row.leaks))
        }));
        write_row(out, &fields)?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_are_summed() {
        let lines = [
            "tight,cube,near,single,estoc,1,0,0,123456,0,,",
            "tight,cube,far,single,estoc,1,0,0,1000,0,,",
            "tight,cube,near,single,parry,1,1700,,123456,,,",
            "tight,cube,far,single,parry,1,5,,1000,,,",
        ];
        let rows = lines.map(|line| Row::parse(line).expect("a row"));
        let mut text = String::new();
        write_tables(&mut text, &rows).expect("a string");
        for line in [
            "| estoc | single | 124,456 | 0 | 0 | 0 |\n",
            "| parry | single | 124,456 | 1,705 | no list | no list |\n",
            "| engine | mode | cube, near | cube, far |\n",
            "| parry | single | 1,700 | 5 |\n",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }
}
