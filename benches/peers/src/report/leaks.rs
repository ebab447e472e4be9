//! Rays at shared corners and edges: how many leak, and how many miscount a surface.

use super::table::{Group, Key, Table, grouped};
use crate::row::Row;

/// Returns the sum over meshes and places; `None` where the library does not tell.
pub(super) fn total(rows: &Group<'_>, of: fn(&Row) -> Option<usize>) -> Option<usize> {
    rows.rows().map(of).sum()
}

/// Returns the table of sums, and that of leaks by mesh and place.
pub(super) fn tables(rows: &Group<'_>) -> String {
    let counted =
        |group: &Group<'_>, of| Some(total(group, of).map_or("no list".to_owned(), grouped));
    let keys = [Key::ENGINE, Key::MODE];
    let title = "Rays aimed at shared corners and edges of closed meshes";
    let sums = Table::new(title, rows.clone(), &keys)
        .text("rays", move |group| counted(group, |row| row.count))
        .text("leaks", move |group| counted(group, |row| row.lost))
        .text("counted too often", move |group| {
            counted(group, |row| row.double)
        })
        .text("wrong parity", move |group| {
            counted(group, |row| row.parity)
        });
    let by_mesh = Table::new("Leaks by mesh", rows.clone(), &keys)
        .across(&[Key::SCENE, Key::RAYS], |row| row.lost.map(grouped));
    format!("{sums}{by_mesh}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_has;
    use crate::row::{Measured, rows};

    #[test]
    fn meshes_are_summed() {
        let lines = [
            ("cube,near,single,estoc,1,0", 0, Some(0), 123_456),
            ("cube,far,single,estoc,1,0", 0, Some(0), 1000),
            ("cube,near,single,parry,1,0", 1700, None, 123_456),
            ("cube,far,single,parry,1,0", 5, None, 1000),
        ];
        let rows = lines.map(|(line, leaks, list, count)| {
            let mut row = rows(Measured::Leaks, &[line]).remove(0);
            (row.lost, row.double, row.parity, row.count) = (Some(leaks), list, list, Some(count));
            row
        });
        let lines = [
            "| estoc | single | 124,456 | 0 | 0 | 0 |\n",
            "| parry | single | 124,456 | 1,705 | no list | no list |\n",
            "| engine | mode | cube near | cube far |\n",
            "| parry | single | 1,700 | 5 |\n",
        ];
        assert_has(&rows, &lines);
    }
}
