//! A scene and a kind of rays: who was fastest there.

use crate::row::{RaysRow, Row};

/// One way to be asked and one number of threads: a table has its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setup<'a> {
    pub(super) mode: &'a str,
    pub(super) threads: usize,
}

/// The rows that are compared with each other.
pub(super) struct Cell<'a> {
    pub(super) scene: &'a str,
    pub(super) rays: &'a str,
    pub(super) ours: Option<&'a RaysRow>,
    /// estoc asked one ray a call.
    pub(super) single: Option<&'a RaysRow>,
    /// The same without exactness, where it was measured.
    pub(super) float: Option<&'a RaysRow>,
    /// Embree's fastest row of all.
    pub(super) embree: Option<&'a RaysRow>,
    /// Embree's fastest row with robust scenes.
    pub(super) robust: Option<&'a RaysRow>,
    /// The fastest row of the Rust crates.
    pub(super) rust: Option<&'a RaysRow>,
}

/// The rows about rays.
pub(super) fn rays_rows(rows: &[Row]) -> impl Iterator<Item = &RaysRow> + Clone {
    rows.iter().filter_map(|row| match row {
        Row::Rays(row) => Some(row),
        _ => None,
    })
}

/// The values in order of first appearance.
pub(super) fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

/// The setups that estoc has rows of.
pub(super) fn setups(rows: &[Row]) -> Vec<Setup<'_>> {
    let ours = rays_rows(rows).filter(|row| row.engine == "estoc");
    let mut setups = distinct(ours.map(|row| Setup {
        mode: &row.mode,
        threads: row.threads,
    }));
    setups.sort_by_key(|setup| (setup.mode != "single", setup.threads));
    setups
}

/// The cells of a setup.
///
/// Single calls are compared with single calls. A batch has to be faster than whatever the
/// others do best, single calls included.
pub(super) fn cells<'a>(rows: &'a [Row], setup: Setup<'a>) -> Vec<Cell<'a>> {
    let places = rays_rows(rows).map(|row| (row.scene.as_str(), row.rays.as_str()));
    let cell = |(scene, rays)| {
        let here = rays_rows(rows).filter(move |row| {
            row.scene == scene && row.rays == rays && row.threads == setup.threads
        });
        let of_mode = |mode: &str, name: &str| {
            let mut here = here.clone();
            here.find(|row| row.mode == mode && row.engine == name)
        };
        let fastest = |is_of_family: fn(&str) -> bool| {
            here.clone()
                .filter(|row| setup.mode != "single" || row.mode == "single")
                .filter(|row| is_of_family(&row.engine))
                .max_by(|a, b| a.mrays.total_cmp(&b.mrays))
        };
        Cell {
            scene,
            rays,
            ours: of_mode(setup.mode, "estoc"),
            single: of_mode("single", "estoc"),
            float: of_mode(setup.mode, "estoc-float"),
            embree: fastest(|name| name.starts_with("embree-")),
            robust: fastest(|name| name.starts_with("embree-robust")),
            rust: fastest(|name| !name.starts_with("estoc") && !name.starts_with("embree-")),
        }
    };
    distinct(places).into_iter().map(cell).collect()
}

impl Cell<'_> {
    /// How many times as fast as another row ours is.
    pub(super) fn ratio_to(&self, other: Option<&RaysRow>) -> Option<f64> {
        Some(self.ours?.mrays / other?.mrays)
    }

    /// How many times as long as the float-only kernel exact answers take.
    pub(super) fn price(&self) -> Option<f64> {
        Some(self.float?.mrays / self.ours?.mrays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lines: &[&str]) -> Vec<Row> {
        let row = |line: &&str| Row::parse(line).expect("a row");
        lines.iter().map(row).collect()
    }

    #[test]
    fn each_is_compared_with_its_like() {
        let rows = rows(&[
            "rays,hall,ao,single,estoc,1,6,1,9,0",
            "rays,hall,ao,batch,estoc,1,12,1,9,0",
            "rays,hall,ao,single,estoc-float,1,9,1,9,0",
            "rays,hall,ao,single,estoc-best,1,99,1,9,0",
            "rays,hall,ao,single,embree-medium,1,4,1,9,0",
            "rays,hall,ao,single,embree-medium-avx2,1,5,1,9,0",
            "rays,hall,ao,batch,embree-medium-8-coherent,1,8,1,9,0",
            "rays,hall,ao,single,embree-robust,1,3,1,9,0",
            "rays,hall,ao,single,parry,1,2,1,9,0",
            "rays,hall,ao,single,parry,2,50,1,9,0",
        ]);
        let [single, batch] = setups(&rows)[..] else {
            panic!("two setups");
        };
        let cell = &cells(&rows, single)[0];
        let embree = cell.embree.expect("Embree");
        assert_eq!(embree.engine, "embree-medium-avx2");
        assert_eq!(cell.ratio_to(cell.embree), Some(1.2));
        assert_eq!(cell.ratio_to(cell.robust), Some(2.0));
        assert_eq!(cell.ratio_to(cell.rust), Some(3.0));
        assert_eq!(cell.price(), Some(1.5));
        let cell = &cells(&rows, batch)[0];
        assert_eq!(cell.ratio_to(cell.embree), Some(1.5));
        assert_eq!(cell.ratio_to(cell.rust), Some(6.0));
        assert_eq!(cell.ratio_to(cell.single), Some(2.0));
        assert_eq!(cell.price(), None);
    }
}
