//! Rays in a mesh: estoc beside the fastest of the others.

use super::choice;
use super::table::{Group, Key, Table, named, nanoseconds, range, ratio, with_spread};
use crate::kind::Kind;
use crate::row::Row;

/// Engines that compete: the fastest one stands for all.
pub(super) struct Family {
    /// The title of its column.
    pub(super) title: &'static str,
    /// The title of the ratio.
    short: &'static str,
    pub(super) has: fn(&Row) -> bool,
}

/// The row that is compared as a choice fixed in advance: single calls, with the usual quality.
pub(super) const FIXED: &str = "embree-medium";

impl Family {
    const fn of(title: &'static str, short: &'static str, has: fn(&Row) -> bool) -> Self {
        Family { title, short, has }
    }
}

/// A family of one row is a choice fixed in advance.
pub(super) static FAMILIES: [Family; 5] = [
    Family::of("best Embree", "to Embree", |row| starts(row, &["embree-"])),
    Family::of("Embree medium", "to medium", |row| row.engine == FIXED),
    Family::of("best robust Embree", "to robust", |row| {
        starts(row, &["embree-robust"])
    }),
    Family::of("best tinybvh", "to tinybvh", |row| {
        starts(row, &["tinybvh-"])
    }),
    Family::of("best Rust crate", "to crate", |row| {
        !starts(row, &["estoc", "embree-", "tinybvh-"])
    }),
];

/// Returns whether the name of an engine starts in one of these ways.
fn starts(row: &Row, starts: &[&str]) -> bool {
    starts.iter().any(|start| row.engine.starts_with(start))
}

/// Returns all tables of these rows.
pub(super) fn tables(rows: &Group<'_>) -> String {
    let mut text = String::new();
    for (threads, here) in rows.by(&[Key::THREADS]) {
        let threads = &threads[0];
        // Single calls are compared with single calls, batches with all rows of the others.
        let singles = here.only(|row| row.mode == "single");
        for (mode, calls, rivals) in [
            ("single", "one ray per call", singles),
            ("batch", "many rays", here),
        ] {
            if !rivals
                .rows()
                .any(|row| row.engine == "estoc" && row.mode == mode)
            {
                continue;
            }
            let title = |what: &str| format!("{what}, {calls}, {threads}: nanoseconds per ray");
            // Rays that miss everything at the root are part of no mean over kinds of rays.
            let counted = rivals.only(|row| !is_missed(row));
            let table = Table::new(title("Rays"), counted.clone(), &[Key::SCENE, Key::RAYS]);
            text += &compared(table, mode).to_string();
            text += &by_kind(&counted, mode, &format!("{calls}, {threads}"));
            text += &choice::table(&counted, mode, &format!("{calls}, {threads}"));
            let table = Table::new(
                title("Rays that miss the root's box"),
                rivals.only(is_missed),
                &[Key::SCENE],
            );
            text += &compared(table, mode).to_string();
        }
    }
    text += &by_threads(rows);
    text += &agreement(rows);
    text + &all_engines(rows, with_spread)
}

pub(super) fn is_missed(row: &Row) -> bool {
    row.rays == Kind::Missed.name()
}

type Ratio<'a> = Box<dyn Fn(&Group<'a>) -> Option<f64> + 'a>;

/// Returns our speed relative to that of others, with titles.
fn ratios<'a>(mode: &'static str) -> Vec<(&'static str, Ratio<'a>)> {
    let of = |ours: &'static str, mode, theirs: &'static str, other| -> Ratio<'a> {
        Box::new(move |group| ratio(group.find(ours, mode), group.find(theirs, other)))
    };
    let single = ("to single", of("estoc", "batch", "estoc", "single"));
    let families = FAMILIES.iter().map(|family| -> (&str, Ratio<'a>) {
        let ratio =
            move |group: &Group<'a>| ratio(group.find("estoc", mode), group.fastest(family.has));
        (family.short, Box::new(ratio))
    });
    // The time of exact answers relative to the same without exactness.
    let price = ("price", of("estoc-float", mode, "estoc", mode));
    let single = (mode == "batch").then_some(single);
    single.into_iter().chain(families).chain([price]).collect()
}

/// Adds the columns that compare estoc with the others.
fn compared<'a>(mut table: Table<'a>, mode: &'static str) -> Table<'a> {
    table = table.result("estoc", ("estoc", mode), with_spread);
    if mode == "batch" {
        table = table.result("estoc single", ("estoc", "single"), with_spread);
    }
    table = table.result("float only", ("estoc-float", mode), with_spread);
    for family in &FAMILIES {
        table = table.text(family.title, move |group| {
            let fastest = group.fastest(family.has)?;
            let is_other = fastest.mode != mode;
            Some(named(fastest)? + if is_other { " single" } else { "" })
        });
    }
    for (title, ratio) in ratios(mode) {
        table = table.ratio(title, ratio);
    }
    table.text("plan", move |group| {
        let plan = &group.find("estoc", mode)?.plan;
        (!plan.is_empty()).then(|| plan.clone())
    })
}

/// Returns the ratios by kind of rays.
fn by_kind(rows: &Group<'_>, mode: &'static str, calls: &str) -> String {
    let title = format!("By kind of rays, {calls}: geometric mean, least to greatest");
    let mut table = Table::new(title, rows.clone(), &[Key::RAYS]);
    for (title, ratio) in ratios(mode) {
        table = table.text(title, move |group| {
            let scenes = group.by(&[Key::SCENE]);
            range(
                &scenes
                    .iter()
                    .filter_map(|(_, group)| ratio(group))
                    .collect::<Vec<f64>>(),
            )
        });
    }
    table.to_string()
}

/// Returns the gain of estoc by more threads.
fn by_threads(rows: &Group<'_>) -> String {
    let mut text = String::new();
    for mode in ["batch", "single"] {
        let ours = rows.only(|row| row.engine == "estoc" && row.mode == mode && !is_missed(row));
        let mut counts: Vec<usize> = ours.rows().map(|row| row.threads).collect();
        counts.sort_unstable();
        counts.dedup();
        let [base, more @ ..] = &counts[..] else {
            continue;
        };
        let title = format!("estoc by threads, {mode}: nanoseconds per ray, and gain");
        let keys = [Key::SCENE, Key::RAYS];
        let mut table = Table::new(title, ours, &keys).across(&[Key::THREADS], nanoseconds);
        for &threads in more {
            let with = |group: &Group<'_>, threads| {
                group
                    .rows()
                    .find(|row| row.threads == threads)
                    .and_then(|row| row.ns)
            };
            let base = *base;
            table = table.ratio(format!("gain by {threads}"), move |group| {
                Some(with(group, base)? / with(group, threads)?)
            });
        }
        if !more.is_empty() {
            text += &table.to_string();
        }
    }
    text
}

/// Returns the wrong answers by engine, over all cells with the fewest threads.
fn agreement(rows: &Group<'_>) -> String {
    let fewest = rows.rows().map(|row| row.threads).min();
    let rows = rows.only(|row| Some(row.threads) == fewest);
    let title = "Answers that differ from the exact ones";
    let sum = |group: &Group<'_>, of: fn(&Row) -> usize| {
        Some(group.rows().map(of).sum::<usize>().to_string())
    };
    Table::new(title, rows, &[Key::ENGINE, Key::MODE])
        .text("disagree", move |group| sum(group, Row::wrong))
        .text("hits", move |group| sum(group, |row| row.hits.unwrap_or(0)))
        .text("most at", most_wrong)
        .to_string()
}

/// Names the cell with the most wrong answers, if any are wrong.
pub(super) fn most_wrong(group: &Group<'_>) -> Option<String> {
    let most = group.rows().max_by_key(|row| row.wrong())?;
    let text = format!("{} {}: {}", most.scene, most.rays, most.wrong());
    (most.wrong() > 0).then_some(text)
}

/// Returns all rows, one table per scene and number of threads.
pub(super) fn all_engines<'a>(
    rows: &Group<'a>,
    show: impl Fn(&'a Row) -> Option<String> + Copy + 'a,
) -> String {
    let tables = rows
        .by(&[Key::SCENE, Key::THREADS])
        .into_iter()
        .map(|(names, here)| {
            let title = format!("All engines, {}: nanoseconds per ray", names.join(", "));
            Table::new(title, here, &[Key::ENGINE, Key::MODE])
                .across(&[Key::RAYS], show)
                .to_string()
        });
    tables.collect()
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::super::tests::assert_has;
    use crate::row::{Measured, rows};

    #[test]
    fn each_is_compared_with_its_like() {
        let mut rows = rows(
            Measured::Rays,
            &[
                "hall,ao,single,estoc,1,100",
                "hall,ao,batch,estoc,1,50",
                "hall,ao,batch,estoc-packets,1,1",
                "hall,ao,single,estoc-float,1,80",
                "hall,ao,single,estoc-best,1,1",
                "hall,ao,single,embree-medium,1,150",
                "hall,ao,single,embree-medium-avx2,1,120",
                "hall,ao,batch,embree-medium-8-coherent,1,75",
                "hall,ao,single,embree-robust,1,200",
                "hall,ao,single,tinybvh-1.6.8-bvh8,1,250",
                "hall,ao,single,tinybvh-1.6.8-soa-hq,1,400",
                "hall,ao,single,parry,1,300",
                "hall,ao,single,parry,2,10",
                "soup,ao,single,estoc,1,10",
                "soup,ao,single,embree-high,1,80",
            ],
        );
        rows[1].plan = "97% packets + 3% interleaved".to_owned();
        rows[5].elsewhere = Some(3);
        rows[5].lost = Some(1);
        rows[5].hits = Some(9);
        assert_has(
            &rows,
            &[
                "## Rays, one ray per call, 1 thread: nanoseconds per ray",
                "| scene | rays | estoc | float only | best Embree | Embree medium \
                 | best robust Embree | best tinybvh | best Rust crate \
                 | to Embree | to medium | to robust | to tinybvh | to crate | price |",
                "| hall | ao | 100.0 ±0% | 80.0 ±0% | 120.0 medium-avx2 | 150.0 medium \
                 | 200.0 robust | 250.0 tinybvh-1.6.8-bvh8 | 300.0 parry \
                 | 1.20 | 1.50 | 2.00 | 2.50 | 3.00 | 1.25 |",
                "| soup | ao | 10.0 ±0% |  | 80.0 high |  |  |  |  | 8.00 |  |  |  |  |  |",
                "| **geometric mean** |  |  |  |  |  |  |  |  | 3.10 | 1.50 | 2.00 | 2.50 | 3.00 | 1.25 |",
                "| **smallest** |  |  |  |  |  |  |  |  | 1.20 |",
                "| ao | 3.10 (1.20 to 8.00) | 1.50 (1.50 to 1.50) | 2.00 (2.00 to 2.00) |",
                "## Rays, many rays, 1 thread: nanoseconds per ray",
                "| hall | ao | 50.0 ±0% | 100.0 ±0% | 75.0 medium-8-coherent | 150.0 medium single \
                 | 200.0 robust single | 250.0 tinybvh-1.6.8-bvh8 single | 300.0 parry single \
                 | 2.00 | 1.50 | 3.00 | 4.00 | 5.00 | 6.00 | 97% packets + 3% interleaved |",
                "| embree-medium | single | 4 | 9 | hall ao: 4 |",
                "## All engines, hall, 1 thread: nanoseconds per ray",
                "| parry | single | 300.0 ±0% |",
            ],
        );
    }

    #[test]
    fn missed_rays_have_a_table_of_their_own() {
        let rows = rows(
            Measured::Rays,
            &[
                "hall,ao,single,estoc,1,6",
                "hall,ao,single,embree-low,1,12",
                "hall,missed,single,estoc,1,20",
                "hall,missed,single,estoc-float,1,10",
                "hall,missed,single,embree-low,1,25",
                "soup,missed,single,estoc,1,20",
            ],
        );
        assert_has(
            &rows,
            &[
                "## Rays that miss the root's box, one ray per call, 1 thread: nanoseconds per ray",
                "| hall | 20.0 ±0% | 10.0 ±0% | 25.0 low | 1.25 | 2.00 |",
                "| hall | ao | 6.0 ±0% | 12.0 low | 2.00 |",
                "| **geometric mean** |  |  |  | 1.25 | 2.00 |",
            ],
        );
    }

    #[test]
    fn gains_are_to_the_fewest_threads() {
        let mut lines = vec![
            "hall,ao,batch,estoc,1,100",
            "hall,ao,batch,estoc,2,50",
            "hall,ao,batch,estoc,16,10",
            "soup,ao,batch,estoc,1,100",
            "soup,ao,batch,estoc,16,50",
            "hall,ao,single,estoc,1,10",
        ];
        assert_has(
            &rows(Measured::Rays, &lines),
            &[
                "## estoc by threads, batch: nanoseconds per ray, and gain",
                "| scene | rays | 1 thread | 2 threads | 16 threads | gain by 2 | gain by 16 |",
                "| hall | ao | 100.0 | 50.0 | 10.0 | 2.00 | 10.00 |",
                "| soup | ao | 100.0 |  | 50.0 |  | 2.00 |",
                "| **geometric mean** |  |  |  |  | 2.00 | 4.47 |",
            ],
        );
        lines.retain(|line| !line.contains("batch"));
        let text = markdown(&rows(Measured::Rays, &lines));
        assert!(
            !text.contains("by threads"),
            "one number of threads: {text}"
        );
    }
}
