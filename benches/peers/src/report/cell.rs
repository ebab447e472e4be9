//! A scene and a kind of rays, with the fastest rows there.

use crate::kind::Kind;
use crate::row::{RaysRow, Row};

/// One mode and one number of threads: the cells of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setup<'a> {
    pub(super) mode: &'a str,
    pub(super) threads: usize,
}

impl Setup<'_> {
    /// Returns how rays are given to engines, in words.
    pub(super) fn calls(self) -> &'static str {
        match self.mode {
            "single" => "one ray per call",
            _ => "many rays",
        }
    }
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

/// Rows that compete: the fastest one stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Embree with all kinds of scenes.
    Embree,
    /// Embree with robust scenes.
    Robust,
    /// The Rust crates.
    Rust,
}

impl Family {
    pub(super) const ALL: [Family; 3] = [Family::Embree, Family::Robust, Family::Rust];

    /// Returns the title of its column.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Family::Embree => "best Embree",
            Family::Robust => "best robust Embree",
            Family::Rust => "best Rust crate",
        }
    }

    fn has(self, engine: &str) -> bool {
        match self {
            Family::Embree => engine.starts_with("embree-"),
            Family::Robust => engine.starts_with("embree-robust"),
            Family::Rust => !engine.starts_with("estoc") && !engine.starts_with("embree-"),
        }
    }
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

/// Returns the cells of a setup, without the rays that miss everything at the root: they are part
/// of no mean over kinds of rays.
///
/// Single calls are compared with single calls. A batch is compared with the fastest row of the
/// others, single calls included.
pub(super) fn cells<'a>(rows: &'a [Row], setup: Setup<'a>) -> Vec<Cell<'a>> {
    let all = all_cells(rows, setup).into_iter();
    all.filter(|cell| !is_missed(cell.rays)).collect()
}

/// Returns the cells of the rays that miss everything at the root.
pub(super) fn missed_cells<'a>(rows: &'a [Row], setup: Setup<'a>) -> Vec<Cell<'a>> {
    let all = all_cells(rows, setup).into_iter();
    all.filter(|cell| is_missed(cell.rays)).collect()
}

/// Returns whether rays of this name miss everything at the root.
pub(super) fn is_missed(rays: &str) -> bool {
    rays == Kind::Missed.name()
}

/// Returns the rows of a scene and a kind of rays that a row of this setup is compared with.
pub(super) fn rivals<'a>(
    rows: &'a [Row],
    setup: Setup<'_>,
    scene: &str,
    rays: &str,
) -> impl Iterator<Item = &'a RaysRow> + Clone {
    rays_rows(rows)
        .filter(move |row| row.scene == scene && row.rays == rays && row.threads == setup.threads)
        .filter(move |row| setup.mode != "single" || row.mode == "single")
}

/// Returns the rows of a family.
pub(super) fn candidates<'a>(
    rivals: impl Iterator<Item = &'a RaysRow>,
    family: Family,
) -> impl Iterator<Item = &'a RaysRow> {
    rivals.filter(move |row| family.has(&row.engine))
}

fn all_cells<'a>(rows: &'a [Row], setup: Setup<'a>) -> Vec<Cell<'a>> {
    let places = rays_rows(rows).map(|row| (row.scene.as_str(), row.rays.as_str()));
    let cell = |(scene, rays)| {
        let rivals = rivals(rows, setup, scene, rays);
        let of_mode = |mode: &str, name: &str| {
            let mut rivals = rivals.clone();
            rivals.find(|row| row.mode == mode && row.engine == name)
        };
        let fastest = |family| {
            let candidates = candidates(rivals.clone(), family);
            candidates.max_by(|a, b| a.mrays.total_cmp(&b.mrays))
        };
        Cell {
            scene,
            rays,
            ours: of_mode(setup.mode, "estoc"),
            single: of_mode("single", "estoc"),
            float: of_mode(setup.mode, "estoc-float"),
            embree: fastest(Family::Embree),
            robust: fastest(Family::Robust),
            rust: fastest(Family::Rust),
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
