//! A scene and a kind of rays, with the fastest rows there.

use crate::row::{RaysRow, Row};

/// One mode and one number of threads: the cells of one table.
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
    /// estoc with one ray per call.
    pub(super) single: Option<&'a RaysRow>,
    /// The same without exactness, if measured.
    pub(super) float: Option<&'a RaysRow>,
    /// Embree's fastest row of all.
    pub(super) embree: Option<&'a RaysRow>,
    /// Embree's fastest row with robust scenes.
    pub(super) robust: Option<&'a RaysRow>,
    /// The fastest row of the Rust crates.
    pub(super) rust: Option<&'a RaysRow>,
}

/// Returns the rows about rays.
pub(super) fn rays_rows(rows: &[Row]) -> impl Iterator<Item = &RaysRow> + Clone {
    rows.iter().filter_map(|row| match row {
        Row::Rays(row) => Some(row),
        _ => None,
    })
}

/// Returns the distinct values in order of first appearance.
pub(super) fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

/// Returns the setups for which estoc has rows.
pub(super) fn setups(rows: &[Row]) -> Vec<Setup<'_>> {
    let ours = rays_rows(rows).filter(|row| row.engine == "estoc");
    let mut setups = distinct(ours.map(|row| Setup {
        mode: &row.mode,
        threads: row.threads,
    }));
    setups.sort_by_key(|setup| (setup.mode != "single", setup.threads));
    setups
}

/// Returns the cells of a setup.
///
/// Single calls are compared with single calls. A batch is compared with the fastest row of the
/// others, single calls included.
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
    /// Returns our speed relative to another row.
    pub(super) fn ratio_to(&self, other: Option<&RaysRow>) -> Option<f64> {
        Some(self.ours?.mrays / other?.mrays)
    }

    /// Returns the time of exact answers relative to the float-only kernel.
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
