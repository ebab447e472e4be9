//! A hall of two storeys with triangles of very uneven size: walls of two triangles, planks and
//! flutes of long thin ones, and small ornaments of thousands.
//!
//! In metres, y up; the hall extends along x around the origin.

use crate::single_sine::{cos, sin};
use crate::triangle_list::TriangleList;
use estoc_core::glam::Vec3;
use std::f32::consts::PI;

const LENGTH: f32 = 30.0;
const WIDTH: f32 = 12.0;
const HEIGHT: f32 = 11.0;
const PLANKS: u32 = 200;
const RIBS: u32 = 24;
const COLUMNS: u32 = 10;
const BAY: f32 = LENGTH / COLUMNS as f32;
const SIDES: [f32; 2] = [-1.0, 1.0];

/// The number of triangles at detail 1.
pub(super) const TRIANGLES: usize = 301_004;

/// Collects surfaces, with a common factor for their resolution.
struct Gallery {
    list: TriangleList,
    /// The factor for the numbers of columns and rows.
    detail: f64,
}

impl Gallery {
    fn surface(&mut self, columns: u32, rows: u32, at: impl Fn(f32, f32) -> Vec3) {
        let scaled = |count: u32| ((f64::from(count) * self.detail).round() as u32).max(1);
        self.list.surface(scaled(columns), scaled(rows), at);
    }
}

/// Generates about `n` triangles, but at least two for each surface, such as a wall or plank.
pub(super) fn gallery(n: usize) -> TriangleList {
    let mut gallery = Gallery {
        list: TriangleList::default(),
        detail: (n as f64 / TRIANGLES as f64).sqrt(),
    };
    floor(&mut gallery);
    walls(&mut gallery);
    vault(&mut gallery);
    for storey in [0.0, 5.2] {
        for side in SIDES {
            for column in 0..COLUMNS {
                let x = -LENGTH / 2.0 + BAY * (column as f32 + 0.5);
                let foot = Vec3::new(x, storey, side * 3.4);
                fluted_column(&mut gallery, foot);
                if column < COLUMNS - 1 {
                    arch(&mut gallery, foot);
                }
            }
        }
    }
    galleries(&mut gallery);
    (0..8).for_each(|cloth| hang_cloth(&mut gallery, cloth));
    (0..6).for_each(|vase| put_vase(&mut gallery, vase));
    gallery.list
}

fn floor(gallery: &mut Gallery) {
    for plank in 0..PLANKS {
        let edge = -WIDTH / 2.0 + WIDTH * plank as f32 / PLANKS as f32;
        let height = 0.002 * ((plank * 7919) % 5) as f32;
        gallery.surface(4, 1, |u, v| {
            let z = edge + v * WIDTH / PLANKS as f32;
            Vec3::new(LENGTH * (u - 0.5), height, z)
        });
    }
}

fn walls(gallery: &mut Gallery) {
    for side in SIDES {
        gallery.surface(1, 1, |u, v| {
            Vec3::new(LENGTH * (u - 0.5), HEIGHT * v, side * WIDTH / 2.0)
        });
    }
    for end in SIDES {
        gallery.surface(1, 1, |u, v| {
            Vec3::new(end * LENGTH / 2.0, HEIGHT * v, WIDTH * (u - 0.5))
        });
    }
}

/// Adds a barrel vault, in strips as long as the hall, and its ribs.
fn vault(gallery: &mut Gallery) {
    gallery.surface(2, 160, |u, v| {
        let y = HEIGHT + 2.5 * sin(PI * v);
        Vec3::new(LENGTH * (u - 0.5), y, WIDTH * (v - 0.5))
    });
    for rib in 0..RIBS {
        let x = -LENGTH / 2.0 + LENGTH * (rib as f32 + 0.5) / RIBS as f32;
        gallery.surface(8, 96, |u, v| {
            let (around, along, radius) = (2.0 * PI * u, PI * v, 0.12);
            let out = radius * sin(around);
            Vec3::new(
                x + radius * cos(around),
                HEIGHT + (2.4 + out) * sin(along),
                (WIDTH / 2.0 - 0.1 + out) * cos(along),
            )
        });
    }
}

/// Adds a shaft with 24 flutes and a ring as its capital.
fn fluted_column(gallery: &mut Gallery, foot: Vec3) {
    gallery.surface(96, 3, |u, v| {
        let around = 2.0 * PI * u;
        let radius = 0.33 + 0.02 * cos(24.0 * around);
        foot + Vec3::new(radius * cos(around), 3.6 * v, radius * sin(around))
    });
    gallery.surface(48, 20, |u, v| {
        let (around, section) = (2.0 * PI * u, 2.0 * PI * v);
        let radius = 0.42 + 0.12 * cos(section);
        let y = 3.7 + 0.12 * sin(section);
        foot + Vec3::new(radius * cos(around), y, radius * sin(around))
    });
}

/// Adds the arch from one column to the next.
fn arch(gallery: &mut Gallery, foot: Vec3) {
    gallery.surface(12, 48, |u, v| {
        let (around, along) = (2.0 * PI * u, PI * v);
        let out = 0.18 * cos(around);
        foot + Vec3::new(
            BAY / 2.0 - (BAY / 2.0 - 0.2 + out) * cos(along),
            3.8 + (1.1 + out) * sin(along),
            0.3 * sin(around),
        )
    });
}

fn galleries(gallery: &mut Gallery) {
    for side in SIDES {
        gallery.surface(1, 1, |u, v| {
            Vec3::new(LENGTH * (u - 0.5), 5.1, side * (3.0 + 3.0 * v))
        });
    }
}

fn hang_cloth(gallery: &mut Gallery, cloth: u32) {
    let phase = cloth as f32;
    let x = -12.0 + 3.4 * phase;
    let side = (cloth % 2) as f32 * 2.0 - 1.0;
    gallery.surface(64, 84, |u, v| {
        let fold = sin(14.0 * u + 3.0 * v + phase) * (0.2 + v);
        Vec3::new(
            x + 1.6 * u + 0.1 * sin(9.0 * v + phase),
            9.8 - 5.0 * v,
            2.2 * side + 0.25 * fold,
        )
    });
}

/// Adds a bumpy sphere.
fn put_vase(gallery: &mut Gallery, vase: u32) {
    let z = if vase.is_multiple_of(2) { 1.2 } else { -1.4 };
    let centre = Vec3::new(-11.0 + 4.4 * vase as f32, 0.4, z);
    gallery.surface(72, 40, |u, v| {
        let (around, down) = (2.0 * PI * u, PI * v);
        let radius = 0.32 + 0.03 * cos(13.0 * around) * sin(9.0 * down);
        let (across, up) = (sin(down), cos(down));
        centre + radius * Vec3::new(across * cos(around), up, across * sin(around))
    });
}
