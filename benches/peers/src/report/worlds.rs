//! Worlds of placed meshes: the time of rays, answers beside the exact ones, changes and memory.

use super::builds::milliseconds;
use super::rays::{FIXED, all_engines};
use super::table::{Group, Key, Table, named, nanoseconds, ratio, with_spread};
use crate::row::Row;

/// Returns all tables of rays.
pub(super) fn tables(rows: &Group<'_>) -> String {
    let tables = rows.by(&[Key::THREADS]).into_iter().map(|(threads, here)| {
        let threads = &threads[0];
        let text = compared(here.clone(), threads) + &flat(&here, threads);
        text + &answers(&here) + &all_engines(&here, with_spread)
    });
    tables.collect()
}

/// Returns the fastest result in one mode, of engines whose names start so.
fn fastest<'a>(group: &Group<'a>, start: &str, mode: &str) -> Option<&'a Row> {
    group.fastest(|row| row.engine.starts_with(start) && row.mode == mode)
}

fn compared(rows: Group<'_>, threads: &str) -> String {
    let title = format!("Rays in worlds of placed meshes, {threads}: nanoseconds per ray");
    let mut table = Table::new(title, rows, &[Key::WORLD, Key::RAYS])
        .result("estoc", ("estoc", "single"), nanoseconds)
        .result("estoc batch", ("estoc", "batch"), nanoseconds);
    let rivals = [
        ("best Embree, single", "embree", "single"),
        ("best Embree, packets", "embree", "batch"),
        ("best robust Embree, single", "embree-robust", "single"),
        ("best tinybvh", "tinybvh", "single"),
    ];
    for (title, start, mode) in rivals {
        table = table.text(title, move |group| named(fastest(group, start, mode)?));
    }
    table = table.result("Embree medium, single", (FIXED, "single"), nanoseconds);
    let ratios = [
        ("single to single", "single", "embree", "single"),
        ("batch to single", "batch", "embree", "single"),
        ("batch to packets", "batch", "embree", "batch"),
        ("single to robust", "single", "embree-robust", "single"),
        ("single to tinybvh", "single", "tinybvh", "single"),
    ];
    for (title, ours, start, theirs) in ratios {
        table = table.ratio(title, move |group| {
            ratio(group.find("estoc", ours), fastest(group, start, theirs))
        });
    }
    table
        .speed("single to medium", ("estoc", "single"), (FIXED, "single"))
        .to_string()
}

/// Returns what placing costs: the same as one mesh.
fn flat(rows: &Group<'_>, threads: &str) -> String {
    let is_flat = |row: &Row| row.engine.starts_with("flat-");
    let worlds = rows.by(&[Key::WORLD]).into_iter();
    let worlds = worlds.filter(|(_, world)| world.rows().any(is_flat));
    let rows: Vec<&Row> = worlds
        .flat_map(|(_, world)| world.rows().collect::<Vec<_>>())
        .collect();
    let title = format!("Worlds beside the same as one mesh, {threads}: nanoseconds per ray");
    let mut table = Table::new(title, rows.into_iter().collect(), &[Key::WORLD, Key::RAYS]);
    for mode in ["single", "batch"] {
        table = table
            .result(format!("estoc {mode}"), ("estoc", mode), nanoseconds)
            .result("one mesh", ("flat-estoc", mode), nanoseconds)
            .speed("times as long", ("flat-estoc", mode), ("estoc", mode));
    }
    table
        .text("best Embree, single", move |group| {
            named(fastest(group, "embree", "single")?)
        })
        .text("one mesh", move |group| {
            named(fastest(group, "flat-embree", "single")?)
        })
        .ratio("times as long", move |group| {
            let of = |start| fastest(group, start, "single");
            ratio(of("flat-embree"), of("embree"))
        })
        .to_string()
}

fn answers(rows: &Group<'_>) -> String {
    let rows = rows.only(|row| row.mode == "single");
    let title =
        "Answers beside the exact ones: hits, and rays with a hit elsewhere + lost + invented";
    Table::new(title, rows, &[Key::WORLD, Key::RAYS])
        .result("rays", ("estoc", "single"), |row| {
            Some(row.count?.to_string())
        })
        .result("hits", ("estoc", "single"), |row| {
            Some(row.hits?.to_string())
        })
        .across(&[Key::ENGINE], |row| {
            Some(match row.wrong() {
                0 => "0".to_owned(),
                _ => format!("{} + {} + {}", row.elsewhere?, row.lost?, row.invented?),
            })
        })
        .to_string()
}

/// Returns the table of building and changing worlds.
pub(super) fn changes(rows: Group<'_>) -> String {
    let step = Key::new("step", |row| row.rays.clone());
    let keys = [Key::WORLD, Key::THREADS, step];
    Table::new("Building and changing worlds: milliseconds", rows, &keys)
        .across(&[Key::ENGINE], milliseconds)
        .ratio("to best Embree", |group| {
            ratio(group.find("estoc", ""), fastest(group, "embree", ""))
        })
        .speed("to Embree medium", ("estoc", ""), (FIXED, ""))
        .to_string()
}

/// Returns the table of memory.
pub(super) fn memory(rows: Group<'_>) -> String {
    let placements = Key::new("placements", |row| {
        row.count.unwrap_or_default().to_string()
    });
    let title = "Memory of worlds, with the trees of their meshes: MB, and bytes per placement";
    Table::new(title, rows, &[Key::WORLD, placements])
        .across(&[Key::ENGINE], |row| {
            let (bytes, count) = (row.bytes? as f64, row.count? as f64);
            Some(format!("{:.1} ({:.0})", bytes / 1e6, bytes / count))
        })
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_has;
    use crate::row::{Measured, Row, rows};

    #[test]
    fn the_best_of_others_are_compared_with_estoc_and_with_one_mesh() {
        let mut rows = rows(
            Measured::World,
            &[
                "city1k,street,single,estoc,1,200",
                "city1k,street,batch,estoc,1,100",
                "city1k,street,single,flat-estoc,1,160",
                "city1k,street,single,embree-medium,1,300",
                "city1k,street,single,embree-robust,1,400",
                "city1k,street,batch,embree-high-8-coherent,1,50",
                "city1k,street,single,flat-embree-high,1,150",
                "city1k,street,single,tinybvh-1-tlas-bvh8,1,500",
                "city1k,street,single,tinybvh-1-tlas-bvh4,1,600",
                "forest1k,street,single,estoc,1,100",
            ],
        );
        for row in &mut rows {
            (row.count, row.hits) = (Some(64), Some(9));
            (row.elsewhere, row.lost, row.invented) = (Some(0), Some(0), Some(0));
        }
        (rows[3].elsewhere, rows[3].lost, rows[3].invented) = (Some(3), Some(2), Some(1));
        assert_has(
            &rows,
            &[
                "| city1k | street | 200.0 | 100.0 | 300.0 medium | 50.0 high-8-coherent \
                 | 400.0 robust | 500.0 tinybvh-1-tlas-bvh8 | 300.0 \
                 | 1.50 | 3.00 | 0.50 | 2.00 | 2.50 | 1.50 |",
                "| world | rays | estoc single | one mesh | times as long | estoc batch \
                 | best Embree, single | one mesh | times as long |",
                "| city1k | street | 200.0 | 160.0 | 1.25 | 100.0 | 300.0 medium | 150.0 high | 2.00 |\n\n",
                "| city1k | street | 64 | 9 | 0 | 0 | 3 + 2 + 1 | 0 | 0 | 0 | 0 |",
                "## All engines, city1k, 1 thread: nanoseconds per ray",
            ],
        );
    }

    #[test]
    fn changes_are_compared_with_the_best_embree() {
        let mut all = rows(
            Measured::Change,
            &[
                "city1k,move ten,,estoc,2,100e3",
                "city1k,move ten,,embree-medium,2,500e3",
                "city1k,move ten,,embree-array,2,400e3",
            ],
        );
        all.push(Row {
            measured: Measured::Memory,
            scene: "city1k".to_owned(),
            engine: "estoc".to_owned(),
            count: Some(1000),
            bytes: Some(2_000_000),
            ..Row::default()
        });
        assert_has(
            &all,
            &[
                "| city1k | 2 threads | move ten | 0.100 | 0.500 | 0.400 | 4.00 | 5.00 |",
                "| city1k | 1000 | 2.0 (2000) |",
            ],
        );
    }
}
