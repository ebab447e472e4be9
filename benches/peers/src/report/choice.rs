//! How much it favours a side that the fastest of its rows is chosen after the measurement.
//!
//! The rounds are divided into two halves, the first, third and so on, and the second, fourth and
//! so on. The row that is fastest in one half is chosen there and compared in the other half, whose
//! noise did not choose it; then the other way round. The same row compared in the half that chose
//! it looks faster by the favour of the choice. If both halves choose the same row, there is none.

use super::rays::FAMILIES;
use super::table::{Group, Key};
use crate::row::Row;
use crate::statistics::{geometric_mean, median};
use std::fmt::Write;

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

/// Returns a table of what each family gains; nothing for rows with one round.
pub(super) fn table(rows: &Group<'_>, mode: &str, calls: &str) -> String {
    let mut text = String::new();
    for family in &FAMILIES {
        let cells = rows.by(&[Key::SCENE, Key::RAYS]);
        let choices = cells.iter().filter_map(|(_, cell)| {
            let rivals = cell.only(family.has);
            Choice::of(
                cell.find("estoc", mode)?,
                &rivals.rows().collect::<Vec<_>>(),
            )
        });
        let choices: Vec<Choice> = choices.collect();
        let mean =
            |of: fn(&Choice) -> f64| geometric_mean(&choices.iter().map(of).collect::<Vec<f64>>());
        let (Some(all), Some(split), Some(favour)) = (
            mean(|choice| choice.all),
            mean(|choice| choice.split),
            mean(|choice| choice.favour),
        ) else {
            continue;
        };
        let most = choices
            .iter()
            .map(|choice| choice.rows)
            .max()
            .unwrap_or_default();
        let greatest = choices
            .iter()
            .map(|choice| choice.favour)
            .fold(1.0, f64::max);
        let percent = |favour: f64| (favour - 1.0) * 100.0;
        let _ = writeln!(
            text,
            "| {} | {most} | {all:.2} | {split:.2} | {:.1}% | {:.1}% |",
            family.title,
            percent(favour),
            percent(greatest)
        );
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "## Choosing the fastest of several rows, {calls}: geometric means\n\n\
         | compared with | rows | chosen and compared in all rounds \
         | chosen in one half, compared in the other | favour of the choice | greatest favour |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n{text}\n"
    )
}

impl Choice {
    /// Returns the choice among these rows; `None` if there are none, or one has fewer than two
    /// rounds.
    fn of(ours: &Row, rows: &[&Row]) -> Option<Choice> {
        let [our_even, our_odd] = halves(&ours.rounds)?;
        let both = rows.iter().map(|row| halves(&row.rounds));
        let both: Vec<[f64; 2]> = both.collect::<Option<_>>()?;
        let fastest = |half: usize| both.iter().min_by(|a, b| a[half].total_cmp(&b[half]));
        let (even, odd) = (fastest(0)?, fastest(1)?);
        let best = rows.iter().filter_map(|row| row.ns).reduce(f64::min)?;
        Some(Choice {
            rows: rows.len(),
            all: best / ours.ns?,
            split: (even[1] / our_odd * odd[0] / our_even).sqrt(),
            favour: (even[1] / even[0] * odd[0] / odd[1]).sqrt(),
        })
    }
}

/// Returns the median of the first, third, ... round and that of the second, fourth, ...; `None`
/// for fewer than two rounds.
fn halves(rounds: &[f64]) -> Option<[f64; 2]> {
    let half = |first: usize| {
        let half: Vec<f64> = rounds.iter().skip(first).step_by(2).copied().collect();
        median(&half)
    };
    (rounds.len() >= 2).then(|| [half(0), half(1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc_demo::SingleRandom;

    fn row(engine: &str, rounds: &[f64]) -> Row {
        let row = Row {
            scene: "hall".to_owned(),
            rays: "ao".to_owned(),
            mode: "single".to_owned(),
            engine: engine.to_owned(),
            ..Row::default()
        };
        row.timed(rounds)
    }

    #[test]
    fn the_noise_of_one_half_does_not_count_in_the_other() {
        let rows = [
            row("estoc", &[10.0, 10.0, 10.0, 10.0]),
            row("embree-low", &[12.0, 15.0, 12.0, 15.0]),
            row("embree-high", &[15.0, 12.0, 15.0, 12.0]),
            row("embree-robust", &[20.0, 20.0, 20.0, 20.0]),
        ];
        let text = table(&rows.iter().collect(), "single", "calls");
        for line in [
            "| best Embree | 3 | 1.35 | 1.50 | 25.0% | 25.0% |",
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
                    let mut noise = || f64::from(random.unit() - 0.5) * 10.0;
                    row(engine, &[(); 6].map(|()| 100.0 + noise()))
                };
                let ours = noisy("estoc");
                let rows: Vec<Row> = (0..rows).map(|_| noisy("embree-low")).collect();
                let rows: Vec<&Row> = rows.iter().collect();
                Choice::of(&ours, &rows).expect("six rounds")
            });
            let cells: Vec<Choice> = cells.collect();
            let mean = |of: fn(&Choice) -> f64| {
                geometric_mean(&cells.iter().map(of).collect::<Vec<f64>>()).expect("cells")
            };
            let split = mean(|choice| choice.split);
            assert!((split - 1.0).abs() < 0.005, "{rows} rows: {split}");
            means.push(mean(|choice| choice.favour));
        }
        assert_eq!(means[0], 1.0);
        assert!(
            means.is_sorted_by(|a, b| a < b) && means[3] > 1.02,
            "{means:?}"
        );
    }
}
