//! A hall of columns: a vaulted nave between two aisles, lit through arched windows and a
//! round one, with steps and a sphere on a plinth at its end.
//!
//! In metres, y up. The nave extends from z = 0 to z = -28 around x = 0.

mod end_wall;
mod matter;

use super::Polygons;
use super::mason::{ArchedBay, Mason, WallPoint, on_circle, refined};
use matter::Matter;
use std::f64::consts::PI;
use std::mem::replace;

const BAYS: usize = 7;
const BAY: f64 = 4.0;
const END: f64 = -(BAYS as f64) * BAY;
/// Distance from the middle to the axes of the columns.
const NAVE: f64 = 4.0;
/// Distance from the middle to the outer walls.
const WIDTH: f64 = 7.5;
const WALL: f64 = 0.7;
/// Distance from the middle to the nave's inner faces, where the vault springs.
const INNER: f64 = NAVE - WALL / 2.0;
const CAPITAL: f64 = 4.6;
const AISLE: f64 = 6.8;
const VAULT: f64 = 9.4;
const ROSE: f64 = 1.9;
const DAIS: f64 = 0.54;

/// Generates the hall at the level of detail whose number of triangles is nearest to `n`.
pub(super) fn hall(n: usize) -> Polygons {
    let distance = |hall: &Polygons| hall.triangle_count().abs_diff(n);
    let is_coarse = |hall: &Polygons| hall.triangle_count() < n;
    let at = |detail| (detail, at_detail(detail));
    let (mut coarse, mut fine) = (None, at(1));
    while is_coarse(&fine.1) {
        let finer = at(2 * fine.0);
        coarse = Some(replace(&mut fine, finer));
    }
    let Some(mut coarse) = coarse else {
        return fine.1;
    };
    while fine.0 - coarse.0 > 1 {
        let middle = at(coarse.0.midpoint(fine.0));
        if is_coarse(&middle.1) {
            coarse = middle;
        } else {
            fine = middle;
        }
    }
    let (coarse, fine) = (coarse.1, fine.1);
    if distance(&coarse) <= distance(&fine) {
        coarse
    } else {
        fine
    }
}

fn at_detail(detail: usize) -> Polygons {
    let mut mason = Mason::default();
    let mut hall = Hall {
        detail,
        mason: &mut mason,
    };
    hall.floor();
    hall.walls();
    hall.columns();
    hall.vault();
    hall.end_wall();
    hall.dais();
    hall.benches();
    mason.polygons
}

struct Hall<'a> {
    detail: usize,
    mason: &'a mut Mason,
}

impl Hall<'_> {
    fn part(&mut self, object: &str, group: &str, matter: Matter) {
        let polygons = &mut self.mason.polygons;
        polygons.begin_part_of(object, group, matter.material());
    }

    fn floor(&mut self) {
        let pieces = self.detail.div_ceil(3);
        let size = 1.0;
        for (parity, group, matter) in [
            (0, "light_tiles", Matter::LightTiles),
            (1, "dark_tiles", Matter::DarkTiles),
        ] {
            self.part("floor", group, matter);
            for row in 0..28 {
                for column in 0..15 {
                    if (row + column) % 2 != parity {
                        continue;
                    }
                    let (x, z) = (f64::from(column) - WIDTH, -f64::from(row));
                    let step = size / pieces as f64;
                    let at = |i: usize, j: usize| [x + step * i as f64, 0.0, z - step * j as f64];
                    self.mason.patch(pieces, pieces, at);
                }
            }
        }
    }

    /// Adds the arcades with the windows above them, the outer walls, and the aisles' ceilings.
    fn walls(&mut self) {
        let steps = 4 * self.detail;
        let arcade = ArchedBay {
            half_width: BAY / 2.0,
            bottom: CAPITAL,
            top: AISLE,
            thickness: WALL,
            radius: 1.55,
            sill: CAPITAL,
            spring: CAPITAL,
            steps,
        };
        let clerestory = ArchedBay {
            bottom: AISLE,
            top: VAULT,
            thickness: 0.45,
            radius: 0.95,
            sill: 7.15,
            spring: 8.1,
            ..arcade
        };
        let outer = ArchedBay {
            bottom: 0.0,
            top: AISLE,
            thickness: 0.6,
            radius: 0.85,
            sill: 1.5,
            spring: 3.9,
            ..arcade
        };
        for (side, name) in [(-1.0, "left"), (1.0, "right")] {
            for (bay, group, x) in [
                (&arcade, "arcade", NAVE),
                (
                    &clerestory,
                    "clerestory",
                    INNER + clerestory.thickness / 2.0,
                ),
                (&outer, "outer_wall", WIDTH + 0.3),
            ] {
                self.part(&format!("{name}_wall"), group, Matter::Limestone);
                for middle in bay_middles() {
                    // Rotated by a quarter turn, so that the wall's front faces the nave.
                    self.mason.arched_bay(bay, |[along, up, out]| {
                        [side * (x - out), up, middle + side * along]
                    });
                }
            }
            self.part(&format!("{name}_wall"), "ceiling", Matter::Plaster);
            let [from, to] = [INNER + WALL, WIDTH];
            self.mason.patch(1, BAYS, |i, j| {
                let x = if (i == 0) == (side > 0.0) { to } else { from };
                [side * x, AISLE, -BAY * j as f64]
            });
            self.part(&format!("{name}_wall"), "ends", Matter::Limestone);
            for (z, out) in [(0.0, -1.0), (END, 1.0)] {
                self.mason.patch(1, 1, |i, j| {
                    let x = if (i == 0) == (side * out > 0.0) {
                        INNER
                    } else {
                        WIDTH
                    };
                    [side * x, AISLE * j as f64, z]
                });
            }
        }
    }

    fn columns(&mut self) {
        let sides = 8 * self.detail;
        let base = [
            [0.5, 0.0],
            [0.54, 0.06],
            [0.5, 0.12],
            [0.41, 0.15],
            [0.45, 0.22],
            [0.38, 0.28],
        ];
        let shaft = [[0.36, 0.34], [0.36, 1.4], [0.345, 2.3], [0.315, 3.4]];
        let capital = [
            [0.36, 3.42],
            [0.36, 3.5],
            [0.32, 3.52],
            [0.34, 3.7],
            [0.4, 3.88],
            [0.52, 4.0],
        ];
        let profile: Vec<[f64; 2]> = base.into_iter().chain(shaft).chain(capital).collect();
        let profile = refined(&profile, self.detail.div_ceil(4));
        for (side, name) in [(-1.0, "left_columns"), (1.0, "right_columns")] {
            for column in 0..=BAYS {
                let z = -BAY * column as f64;
                self.part(name, "plinths", Matter::Limestone);
                self.mason.block(
                    [side * NAVE - 0.58, 0.0, z - 0.58],
                    [side * NAVE + 0.58, 0.35, z + 0.58],
                );
                self.part(name, "shafts", Matter::Marble);
                self.mason.turned([side * NAVE, 0.35, z], sides, &profile);
                self.part(name, "capitals", Matter::Limestone);
                self.mason.block(
                    [side * NAVE - 0.54, 4.35, z - 0.54],
                    [side * NAVE + 0.54, CAPITAL, z + 0.54],
                );
            }
        }
    }

    /// Adds a half cylinder over the nave, with a rib from each column to the one opposite.
    fn vault(&mut self) {
        let steps = 6 * self.detail;
        let along = self.detail;
        self.part("vault", "shell", Matter::Plaster);
        self.mason.patch(steps, BAYS * along, |i, j| {
            arch_point(INNER, i, steps, -BAY * j as f64 / along as f64)
        });
        self.part("vault", "ribs", Matter::Limestone);
        for side in [-1.0, 1.0] {
            for rib in 0..=BAYS {
                let middle = -BAY * rib as f64;
                let [a, b] = [side * INNER, side * (INNER - 0.22)];
                let low = [a.min(b), VAULT - 0.3, middle - 0.26];
                self.mason.block(low, [a.max(b), VAULT, middle + 0.26]);
            }
        }
        let radius = INNER - 0.22;
        for rib in 0..=BAYS {
            let middle = -BAY * rib as f64;
            let [near, far] = [middle + 0.26, middle - 0.26];
            self.mason.patch(steps, 1, |i, j| {
                arch_point(radius, i, steps, if j == 0 { near } else { far })
            });
            self.mason.patch(steps, 1, |i, j| {
                arch_point(if j == 0 { INNER } else { radius }, i, steps, near)
            });
            self.mason.patch(steps, 1, |i, j| {
                arch_point(if j == 0 { radius } else { INNER }, i, steps, far)
            });
        }
    }

    /// Adds three steps up to an eight-sided plinth with a sphere on it.
    fn dais(&mut self) {
        self.part("dais", "steps", Matter::Marble);
        for step in 0..3 {
            let front = -20.5 - 0.55 * f64::from(step);
            let high = DAIS * f64::from(step + 1) / 3.0;
            self.mason.block([-3.3, 0.0, END], [3.3, high, front]);
        }
        let centre = [0.0, -24.2];
        let outline = |radius: f64| {
            (0..8).map(move |i| {
                let [x, z] = on_circle(2 * i + 1, 16);
                [centre[0] + radius * x, centre[1] + radius * z]
            })
        };
        self.part("dais", "plinth", Matter::Limestone);
        for (radius, low, high) in [(0.85, 0.0, 0.16), (0.66, 0.16, 1.1), (0.8, 1.1, 1.24)] {
            let outline: Vec<[f64; 2]> = outline(radius).collect();
            self.mason.prism(&outline, DAIS + low, DAIS + high);
        }
        self.part("dais", "sphere", Matter::Copper);
        let rows = 8 * self.detail;
        let radius = 0.82;
        let profile: Vec<[f64; 2]> = (0..=rows)
            .map(|i| {
                let angle = PI * i as f64 / rows as f64;
                let around = if i % rows == 0 {
                    0.0
                } else {
                    radius * libm::sin(angle)
                };
                [around, radius - radius * libm::cos(angle)]
            })
            .collect();
        self.mason
            .turned([centre[0], DAIS + 1.22, centre[1]], 2 * rows, &profile);
    }

    fn benches(&mut self) {
        self.part("benches", "", Matter::Oak);
        for row in 0..7 {
            let z = -7.2 - 1.7 * f64::from(row);
            for [from, to] in [[-3.1, -0.85], [0.85, 3.1]] {
                self.mason.block([from, 0.42, z - 0.42], [to, 0.48, z]);
                self.mason
                    .block([from, 0.55, z - 0.01], [to, 0.98, z + 0.04]);
                for x in [from, to - 0.07] {
                    self.mason
                        .block([x, 0.0, z - 0.4], [x + 0.07, 0.42, z - 0.02]);
                    self.mason
                        .block([x, 0.0, z - 0.02], [x + 0.07, 0.98, z + 0.05]);
                }
            }
        }
    }
}

/// Returns the z coordinate of the middle of each bay.
fn bay_middles() -> impl Iterator<Item = f64> {
    (0..BAYS).map(|bay| -BAY * (bay as f64 + 0.5))
}

/// Returns point i of the half circle over the nave, from right to left.
fn arch_point(radius: f64, i: usize, steps: usize, z: f64) -> WallPoint {
    around_vault(radius, PI * i as f64 / steps as f64, z)
}

/// Returns a point of a circle around the middle of the vault.
fn around_vault(radius: f64, angle: f64, z: f64) -> WallPoint {
    [
        radius * libm::cos(angle),
        VAULT + radius * libm::sin(angle),
        z,
    ]
}
