//! Closest points: the time of each engine.

use super::rays::FIXED;
use super::table::{Group, Key, Table, ratio};

/// Returns a table for each number of threads.
pub(super) fn tables(rows: &Group<'_>) -> String {
    let points = Key::new("points", |row| row.rays.clone());
    let keys = [Key::SCENE, points];
    let tables = rows.by(&[Key::THREADS]).into_iter().map(|(threads, here)| {
        let title = format!(
            "Closest points, {}: nanoseconds per point, and points with a nearer triangle than the \
             one found",
            threads[0]
        );
        let mut table = Table::new(title, here, &keys).across(&[Key::ENGINE, Key::MODE], |row| {
            let ns = row.ns?;
            Some(match row.wrong() {
                0 => format!("{ns:.0}"),
                wrong => format!("{ns:.0} ({wrong})"),
            })
        });
        for mode in ["single", "batch"] {
            table = table
                .ratio(format!("{mode} to best peer"), move |group| {
                    let peer = group.fastest(|row| !row.engine.starts_with("estoc"));
                    ratio(group.find("estoc", mode), peer)
                })
                .ratio(format!("{mode} to Embree medium"), move |group| {
                    ratio(group.find("estoc", mode), group.find(FIXED, "single"))
                });
        }
        table.to_string()
    });
    tables.collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_has;
    use crate::row::{Measured, rows};

    #[test]
    fn engines_are_compared_with_the_best_peer() {
        let mut rows = rows(
            Measured::Points,
            &[
                "hall,near,single,estoc,1,250",
                "hall,near,batch,estoc,1,125",
                "hall,near,single,parry,1,500",
                "hall,near,single,embree-low,1,1000",
                "hall,near,single,embree-medium,1,750",
            ],
        );
        rows[2].elsewhere = Some(7);
        let line = "| hall | near | 250 | 125 | 500 (7) | 1000 | 750 | 2.00 | 3.00 | 4.00 | 6.00 |";
        assert_has(&rows, &[line]);
    }
}
