//! How much it favours a side that the fastest of its rows is chosen after the measurement.
//!
//! The rounds are divided into two halves, the first, third and so on, and the second, fourth and
//! so on. The row that is fastest in one half is chosen there and compared in the other half, whose
//! noise did not choose it; then the other way round. The same row compared in the half that chose
//! it looks faster by the favour of the choice. If both halves choose the same row, there is none.

use super::cell::{Family, Setup, candidates, cells, rivals};
use super::text::{count, greatest, ratio, write_head, write_row};
use crate::row::{RaysRow, Row};
use crate::statistics::{geometric_mean, median};
use std::fmt::{self, Write};

/// The choice of a row in one cell.
struct Choice {
    /// The number of rows to choose from.
    rows: usize,
    /// Our speed relative to the chosen row, as in the other tables: all rounds choose and are
    /// compared.
    all: f64,
    /// The same, chosen in one half and compared in the other.
    split: f64,
    /// How much faster the chosen row is in the half that chose it; at least 1.
    favour: f64,
}

/// Writes what each family gains in the cells of a setup; nothing for rows without rounds.
pub(super) fn write_table(out: &mut String, rows: &[Row], setup: Setup<'_>) -> fmt::Result {
    let families = Family::ALL.map(|family| (family, choices(rows, setup, family)));
    if families.iter().all(|(_, choices)| choices.is_empty()) {
        return Ok(());
    }
    let calls = setup.calls();
    let threads = count(setup.threads, "thread");
    writeln!(
        out,
        "### Choosing the fastest of several rows, {calls}, {threads}: geometric means\n"
    )?;
    let titles = [
        "compared with",
        "rows",
        "chosen and compared in all rounds",
        "chosen in one half, compared in the other",
        "favour of the choice",
        "greatest favour",
    ];
    write_head(out, &titles, 1)?;
    for (family, choices) in families.iter().filter(|(_, choices)| !choices.is_empty()) {
        let mean = |of: fn(&Choice) -> f64| geometric_mean(choices.iter().map(of));
        let favours: Vec<f64> = choices.iter().map(|choice| choice.favour).collect();
        let most = choices.iter().map(|choice| choice.rows).max();
        let fields = [
            family.title().to_owned(),
            most.unwrap_or_default().to_string(),
            ratio(mean(|choice| choice.all)),
            ratio(mean(|choice| choice.split)),
            percent(mean(|choice| choice.favour)),
            percent(greatest(&favours)),
        ];
        write_row(out, &fields)?;
    }
    writeln!(out)
}

/// Formats by how much a ratio is above 1.
fn percent(ratio: Option<f64>) -> String {
    ratio.map_or(String::new(), |ratio| {
        format!("{:.1}%", (ratio - 1.0) * 100.0)
    })
}

fn choices(rows: &[Row], setup: Setup<'_>, family: Family) -> Vec<Choice> {
    let cells = cells(rows, setup).into_iter();
    let choice = cells.filter_map(|cell| {
        let rivals = rivals(rows, setup, cell.scene, cell.rays);
        Choice::of(cell.ours?, &candidates(rivals, family).collect::<Vec<_>>())
    });
    choice.collect()
}

impl Choice {
    /// Returns the choice among these rows; `None` if there are none, or one has fewer than two
    /// rounds.
    fn of(ours: &RaysRow, rows: &[&RaysRow]) -> Option<Choice> {
        let [our_even, our_odd] = halves(&ours.rounds)?;
        let both = rows.iter().map(|row| halves(&row.rounds));
        let both: Vec<[f64; 2]> = both.collect::<Option<_>>()?;
        let fastest = |half: usize| {
            let order = |a: &&[f64; 2], b: &&[f64; 2]| a[half].total_cmp(&b[half]);
            both.iter().max_by(order)
        };
        let (even, odd) = (fastest(0)?, fastest(1)?);
        let best = rows.iter().map(|row| row.mrays).reduce(f64::max)?;
        Some(Choice {
            rows: rows.len(),
            all: ours.mrays / best,
            split: (our_odd / even[1] * our_even / odd[0]).sqrt(),
            favour: (even[0] / even[1] * odd[1] / odd[0]).sqrt(),
        })
    }
}

/// Returns the median of the first, third, ... round and that of the second, fourth, ...; `None`
/// for fewer than two rounds.
fn halves(rounds: &[f64]) -> Option<[f64; 2]> {
    let half = |first: usize| {
        let half: Vec<f64> = rounds.iter().skip(first).step_by(2).copied().collect();
        (!half.is_empty()).then(|| median(&half))
    };
    Some([half(0)?, half(1)?])
}

#[cfg(test)]
mod tests {
    use super::super::cell::setups;
    use super::*;
    use estoc_demo::SingleRandom;

    fn row(engine: &str, rounds: &[f64]) -> RaysRow {
        RaysRow {
            scene: "hall".to_owned(),
            rays: "ao".to_owned(),
            mode: "single".to_owned(),
            engine: engine.to_owned(),
            threads: 1,
            mrays: median(rounds),
            spread: 0.0,
            rounds: rounds.to_vec(),
            hits: 9,
            disagree: 0,
            plan: String::new(),
        }
    }

    #[test]
    fn the_noise_of_one_half_does_not_count_in_the_other() {
        let rows = [
            row("estoc", &[6.0, 6.0, 6.0, 6.0]),
            row("embree-low", &[5.0, 4.0, 5.0, 4.0]),
            row("embree-high", &[4.0, 5.0, 4.0, 5.0]),
            row("embree-robust", &[3.0, 3.0, 3.0, 3.0]),
        ];
        let rows = rows.map(Row::Rays);
        let mut text = String::new();
        write_table(&mut text, &rows, setups(&rows)[0]).expect("a string");
        for line in [
            "| best Embree | 3 | 1.33 | 1.50 | 25.0% | 25.0% |",
            "| best robust Embree | 1 | 2.00 | 2.00 | 0.0% | 0.0% |",
        ] {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
        assert!(!text.contains("crate"), "no rows of crates:\n{text}");
    }

    #[test]
    fn rows_without_rounds_have_no_choice() {
        let (ours, other) = (row("estoc", &[6.0]), row("parry", &[5.0, 4.0]));
        assert!(Choice::of(&ours, &[&other]).is_none());
        assert!(Choice::of(&other, &[&ours]).is_none());
        assert!(Choice::of(&other, &[]).is_none());
    }

    /// Of equally fast rows with noise, the fastest of more rows looks faster; compared in the
    /// other half it does not.
    #[test]
    fn more_rows_have_more_favour() {
        let mut random = SingleRandom::new(3);
        let mut means = Vec::new();
        for rows in [1, 2, 14, 56] {
            let cells = (0..400).map(|_| {
                let mut noisy = |engine| {
                    let mut noise = || f64::from(random.unit() - 0.5) * 0.1;
                    row(engine, &[(); 6].map(|()| 1.0 + noise()))
                };
                let ours = noisy("estoc");
                let rows: Vec<RaysRow> = (0..rows).map(|_| noisy("embree-low")).collect();
                let rows: Vec<&RaysRow> = rows.iter().collect();
                Choice::of(&ours, &rows).expect("six rounds")
            });
            let cells: Vec<Choice> = cells.collect();
            let mean = |of: fn(&Choice) -> f64| geometric_mean(cells.iter().map(of));
            let split = mean(|choice| choice.split).expect("cells");
            assert!((split - 1.0).abs() < 0.005, "{rows} rows: {split}");
            means.push(mean(|choice| choice.favour).expect("cells"));
        }
        assert_eq!(means[0], 1.0);
        assert!(
            means.is_sorted_by(|a, b| a < b) && means[3] > 1.02,
            "{means:?}"
        );
    }
}
