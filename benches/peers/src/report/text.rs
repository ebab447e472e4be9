//! Elements of Markdown tables.

use crate::row::RaysRow;
use crate::statistics::geometric_mean;
use std::fmt::{self, Write};

/// Formats a number with its noun in singular or plural.
pub(super) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

pub(super) fn write_row(out: &mut String, fields: &[String]) -> fmt::Result {
    writeln!(out, "| {} |", fields.join(" | "))
}

/// Writes the line of titles and the rule under it; the first `left` columns hold words.
pub(super) fn write_head(out: &mut String, titles: &[&str], left: usize) -> fmt::Result {
    writeln!(out, "| {} |", titles.join(" | "))?;
    let rule = |column| if column < left { "---" } else { "---:" };
    let rules: Vec<&str> = (0..titles.len()).map(rule).collect();
    writeln!(out, "| {} |", rules.join(" | "))
}

pub(super) fn ratio(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.2}"))
}

pub(super) fn speed(row: Option<&RaysRow>) -> String {
    row.map_or(String::new(), |row| {
        format!("{:.2} ±{:.0}%", row.mrays, row.spread / 2.0)
    })
}

/// Formats the speed with the engine's name, without the family's, which the title has.
pub(super) fn named(row: Option<&RaysRow>) -> String {
    row.map_or(String::new(), |row| {
        let name = row.engine.strip_prefix("embree-").unwrap_or(&row.engine);
        format!("{:.2} {name}", row.mrays)
    })
}

/// Formats as [`named`] does, with `single` if the row has one ray per call.
pub(super) fn named_with_mode(row: Option<&RaysRow>) -> String {
    let single = row.is_some_and(|row| row.mode == "single");
    named(row) + if single { " single" } else { "" }
}

/// A summary of many ratios.
type Summary = (&'static str, fn(&[f64]) -> Option<f64>);

pub(super) const SUMMARIES: [Summary; 3] = [
    ("geometric mean", |values| {
        geometric_mean(values.iter().copied())
    }),
    ("smallest", least),
    ("greatest", greatest),
];

pub(super) fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

pub(super) fn greatest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}
