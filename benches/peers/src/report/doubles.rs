//! Rays and points in `f64`: estoc beside the others, and beside itself in `f32`.

use super::rays::{all_engines, is_missed, most_wrong};
use super::table::{Group, Key, Table, grouped, named, ratio, with_spread};
use crate::row::Row;

/// The rows that are compared.
const OURS: (&str, &str) = ("estoc-f64", "single");
const NARROW: (&str, &str) = ("estoc-f32", "single");
/// The same in batches.
const OUR_BATCHES: (&str, &str) = ("estoc-f64", "batch");
const NARROW_BATCHES: (&str, &str) = ("estoc-f32", "batch");

/// The others: the title, the title of the ratio, and how the names of their engines begin.
const PEERS: [(&str, &str, &str); 4] = [
    ("best Embree", "to Embree", "embree-"),
    ("tinybvh", "to tinybvh", "tinybvh-"),
    ("best bvh", "to bvh", "bvh-"),
    ("parry", "to parry", "parry-"),
];

/// Returns the tables of rays.
pub(super) fn rays(rows: &Group<'_>) -> String {
    // As in f32, those that miss everything are in no mean.
    let counted = rows.only(|row| !is_missed(row));
    let title = "Rays in f64, one ray per call";
    let mut text = tables(&counted, title, "ray", Key::RAYS);
    let title = "Rays in f64 that miss the root's box, one ray per call";
    text += &tables(&rows.only(is_missed), title, "ray", Key::RAYS);
    text += &batches(&counted);
    text + &answers(rows, "Answers in f64 that differ from the exact ones")
        + &all_engines(rows, with_spread)
}

/// Returns the tables of closest points.
pub(super) fn points(rows: &Group<'_>) -> String {
    let points = Key::new("points", |row| row.rays.clone());
    let title = "Closest points in f64, one point per call";
    let text = tables(rows, title, "point", points);
    text + &answers(rows, "Triangles in f64 that are not the closest ones")
}

/// What a column counts.
type Count = (&'static str, fn(&Row) -> Option<usize>);

/// Returns the wrong answers by engine and by what is wrong, over all cells with the fewest threads.
fn answers(rows: &Group<'_>, title: &str) -> String {
    let fewest = rows.rows().map(|row| row.threads).min();
    let rows = rows.only(|row| Some(row.threads) == fewest);
    let mut table = Table::new(title, rows, &[Key::ENGINE]);
    let columns: [Count; 5] = [
        ("of", |row| row.count),
        ("hits", |row| row.hits),
        ("hits lost", |row| row.lost),
        ("hits invented", |row| row.invented),
        ("another triangle", |row| row.elsewhere),
    ];
    for (title, of) in columns {
        table = table.text(title, move |group| {
            let known = group.rows().filter_map(of);
            known.reduce(|sum, more| sum + more).map(grouped)
        });
    }
    table.text("most at", most_wrong).to_string()
}

fn tables(rows: &Group<'_>, title: &str, unit: &str, what: Key) -> String {
    let keys = [Key::SCENE, what];
    let tables = rows.by(&[Key::THREADS]).into_iter().map(|(threads, here)| {
        let title = format!("{title}, {}: nanoseconds per {unit}", threads[0]);
        let mut table = Table::new(title, here, &keys)
            .result("estoc", OURS, with_spread)
            .result("estoc in f32", NARROW, with_spread);
        for (title, _, start) in PEERS {
            table = table.text(title, move |group| named(group.fastest(of(start))?));
        }
        for (_, title, start) in PEERS {
            table = table.ratio(title, move |group| {
                ratio(group.find(OURS.0, OURS.1), group.fastest(of(start)))
            });
        }
        table.speed("price", NARROW, OURS).to_string()
    });
    tables.collect()
}

/// Returns the tables of batches, whose rays are converted to the layout of estoc in the time that counts.
fn batches(rows: &Group<'_>) -> String {
    let tables = rows.by(&[Key::THREADS]).into_iter().map(|(threads, here)| {
        let title = format!(
            "Batches of rays in f64, {}: nanoseconds per ray",
            threads[0]
        );
        Table::new(title, here, &[Key::SCENE, Key::RAYS])
            .result("estoc", OUR_BATCHES, with_spread)
            .result("estoc in f32", NARROW_BATCHES, with_spread)
            .speed("price", NARROW_BATCHES, OUR_BATCHES)
            .to_string()
    });
    tables.collect()
}

fn of(start: &'static str) -> impl Fn(&Row) -> bool {
    move |row| row.engine.starts_with(start)
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_has;
    use crate::row::{Measured, rows};

    #[test]
    fn doubles_are_compared_with_peers_and_with_floats() {
        let lines = [
            "hall,ao,single,estoc-f64,1,120",
            "hall,ao,single,estoc-f32,1,100",
            "hall,ao,single,embree-f64-medium,1,240",
            "hall,ao,single,embree-f64-robust,1,180",
            "hall,ao,single,tinybvh-1.6.8-f64,1,300",
            "hall,ao,single,bvh-f64-nearest,1,360",
            "hall,ao,single,parry-f64,1,600",
            "hall,ao,batch,estoc-f64,1,60",
            "hall,ao,batch,estoc-f32,1,48",
        ];
        let mut all = rows(Measured::DoubleRays, &lines);
        all[6].lost = Some(2);
        all.extend(rows(Measured::DoublePoints, &lines[..2]));
        assert_has(
            &all,
            &[
                "## Rays in f64, one ray per call, 1 thread: nanoseconds per ray",
                "| hall | ao | 120.0 ±0% | 100.0 ±0% | 180.0 f64-robust | 300.0 tinybvh-1.6.8-f64 \
                 | 360.0 bvh-f64-nearest | 600.0 parry-f64 | 1.50 | 2.50 | 3.00 | 5.00 | 1.20 |",
                "| parry-f64 | 2 | hall ao: 2 |",
                "## Batches of rays in f64, 1 thread: nanoseconds per ray",
                "| hall | ao | 60.0 ±0% | 48.0 ±0% | 1.25 |",
                "## Closest points in f64, one point per call, 1 thread: nanoseconds per point",
                "| hall | ao | 120.0 ±0% | 100.0 ±0% | 1.20 |",
            ],
        );
    }
}
