//! A hall of two storeys: walls of two triangles, planks and flutes of long thin ones, and
//! small ornaments with thousands. About 300 000 triangles of very uneven size.
//!
//! Up along y; the hall runs along x around the origin.

use super::{Soup, View};
use estoc::glam::Vec3;
use std::f32::consts::PI;

const LENGTH: f32 = 30.0;
const WIDTH: f32 = 12.0;
const HEIGHT: f32 = 11.0;
const PLANKS: u32 = 200;
const RIBS: u32 = 24;
const COLUMNS: u32 = 10;
const BAY: f32 = LENGTH / COLUMNS as f32;
const SIDES: [f32; 2] = [-1.0, 1.0];

pub(super) fn hall() -> (Soup, View) {
    let mut soup = Soup::default();
    floor(&mut soup);
    walls(&mut soup);
    vault(&mut soup);
    for storey in [0.0, 5.2] {
        for side in SIDES {
            for column in 0..COLUMNS {
                let x = -LENGTH / 2.0 + BAY * (column as f32 + 0.5);
                let foot = Vec3::new(x, storey, side * 3.4);
                fluted_column(&mut soup, foot);
                if column < COLUMNS - 1 {
                    arch(&mut soup, foot);
                }
            }
        }
    }
    galleries(&mut soup);
    (0..8).for_each(|cloth| hang_cloth(&mut soup, cloth));
    (0..6).for_each(|vase| put_vase(&mut soup, vase));
    let view = View {
        eye: Vec3::new(-13.2, 3.2, 0.6),
        target: Vec3::new(4.0, 4.2, -0.4),
        angle: 70.0,
        light: Vec3::new(1.0, 10.2, 0.3),
    };
    (soup, view)
}

fn floor(soup: &mut Soup) {
    for plank in 0..PLANKS {
        let edge = -WIDTH / 2.0 + WIDTH * plank as f32 / PLANKS as f32;
        let height = 0.002 * ((plank * 7919) % 5) as f32;
        soup.surface(4, 1, |u, v| {
            let z = edge + v * WIDTH / PLANKS as f32;
            Vec3::new(LENGTH * (u - 0.5), height, z)
        });
    }
}

fn walls(soup: &mut Soup) {
    for side in SIDES {
        soup.surface(1, 1, |u, v| {
            Vec3::new(LENGTH * (u - 0.5), HEIGHT * v, side * WIDTH / 2.0)
        });
    }
    for end in SIDES {
        soup.surface(1, 1, |u, v| {
            Vec3::new(end * LENGTH / 2.0, HEIGHT * v, WIDTH * (u - 0.5))
        });
    }
}

/// A barrel in strips as long as the hall, and its ribs.
fn vault(soup: &mut Soup) {
    soup.surface(2, 160, |u, v| {
        let y = HEIGHT + 2.5 * (PI * v).sin();
        Vec3::new(LENGTH * (u - 0.5), y, WIDTH * (v - 0.5))
    });
    for rib in 0..RIBS {
        let x = -LENGTH / 2.0 + LENGTH * (rib as f32 + 0.5) / RIBS as f32;
        soup.surface(8, 96, |u, v| {
            let (around, along, radius) = (2.0 * PI * u, PI * v, 0.12);
            let out = radius * around.sin();
            Vec3::new(
                x + radius * around.cos(),
                HEIGHT + (2.4 + out) * along.sin(),
                (WIDTH / 2.0 - 0.1 + out) * along.cos(),
            )
        });
    }
}

/// A shaft with 24 flutes and a ring as its capital.
fn fluted_column(soup: &mut Soup, foot: Vec3) {
    soup.surface(96, 3, |u, v| {
        let around = 2.0 * PI * u;
        let radius = 0.33 + 0.02 * (24.0 * around).cos();
        foot + Vec3::new(radius * around.cos(), 3.6 * v, radius * around.sin())
    });
    soup.surface(48, 20, |u, v| {
        let (around, section) = (2.0 * PI * u, 2.0 * PI * v);
        let radius = 0.42 + 0.12 * section.cos();
        let y = 3.7 + 0.12 * section.sin();
        foot + Vec3::new(radius * around.cos(), y, radius * around.sin())
    });
}

/// From one column to the next.
fn arch(soup: &mut Soup, foot: Vec3) {
    soup.surface(12, 48, |u, v| {
        let (around, along) = (2.0 * PI * u, PI * v);
        let out = 0.18 * around.cos();
        foot + Vec3::new(
            BAY / 2.0 - (BAY / 2.0 - 0.2 + out) * along.cos(),
            3.8 + (1.1 + out) * along.sin(),
            0.3 * around.sin(),
        )
    });
}

fn galleries(soup: &mut Soup) {
    for side in SIDES {
        soup.surface(1, 1, |u, v| {
            Vec3::new(LENGTH * (u - 0.5), 5.1, side * (3.0 + 3.0 * v))
        });
    }
}

fn hang_cloth(soup: &mut Soup, cloth: u32) {
    let phase = cloth as f32;
    let x = -12.0 + 3.4 * phase;
    let side = (cloth % 2) as f32 * 2.0 - 1.0;
    soup.surface(64, 84, |u, v| {
        let fold = (14.0 * u + 3.0 * v + phase).sin() * (0.2 + v);
        Vec3::new(
            x + 1.6 * u + 0.1 * (9.0 * v + phase).sin(),
            9.8 - 5.0 * v,
            2.2 * side + 0.25 * fold,
        )
    });
}

/// A bumpy sphere.
fn put_vase(soup: &mut Soup, vase: u32) {
    let z = if vase.is_multiple_of(2) { 1.2 } else { -1.4 };
    let centre = Vec3::new(-11.0 + 4.4 * vase as f32, 0.4, z);
    soup.surface(72, 40, |u, v| {
        let (around, down) = (2.0 * PI * u, PI * v);
        let radius = 0.32 + 0.03 * (13.0 * around).cos() * (9.0 * down).sin();
        let (across, up) = (down.sin(), down.cos());
        centre + radius * Vec3::new(across * around.cos(), up, across * around.sin())
    });
}
