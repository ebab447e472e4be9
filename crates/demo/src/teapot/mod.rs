//! A teapot of our own design: a hollow surface of revolution with an open spout and a handle, in
//! one closed surface; and its lid, which rests slightly above the rim.
//!
//! About 2 long and 1 high, y up, standing on y = 0; the spout points along x.

mod counts;
mod curve;
mod lathe;
mod profiles;
#[cfg(all(test, feature = "repository-tests"))]
mod tests;
mod tube;

use super::{Material, Polygons};
use counts::{Counts, INSIDE, LOWER, SPOUT, SPOUT_INSIDE, UPPER};
use curve::Curve;
use lathe::{Hole, Lathe, rows};
use profiles::{HANDLE_ANGLE, SPOUT_ANGLE, Shapes};
use std::f64::consts::PI;
use tube::{Ring, Tube};

/// Generates the teapot with the edge length that gives about `n` triangles, at least the few
/// hundred that define its shape.
pub(super) fn teapot(n: usize) -> Polygons {
    let shapes = Shapes::new();
    let (mut fine, mut coarse) = (1e-5, 1.0);
    // Each step halves the logarithm of the ratio; after 48 the two ends coincide.
    for _ in 0..48 {
        let middle = f64::sqrt(fine * coarse);
        if Counts::new(&shapes, middle).triangles() < n {
            coarse = middle;
        } else {
            fine = middle;
        }
    }
    let [fewer, more] = [coarse, fine].map(|edge| Counts::new(&shapes, edge));
    let distance = |counts: &Counts<'_>| counts.triangles().abs_diff(n);
    let counts = if distance(&fewer) < distance(&more) {
        fewer
    } else {
        more
    };
    let mut polygons = Polygons::new();
    add_pot(&mut polygons, &shapes, &counts);
    add_lid(&mut polygons, &counts);
    polygons
}

fn celadon() -> Material {
    Material::glossy("celadon", [0.36, 0.54, 0.47], [0.08; 3])
}

fn bone() -> Material {
    Material::glossy("bone", [0.8, 0.77, 0.7], [0.04; 3])
}

fn brass() -> Material {
    Material::glossy("brass", [0.6, 0.44, 0.16], [0.5, 0.4, 0.2])
}

/// Returns the angles of the columns, starting at the right edge of the spout's hole.
fn pot_angles(counts: &Counts<'_>) -> Vec<f64> {
    let mut angles = Vec::with_capacity(counts.columns());
    let mut section = |from: f64, to: f64, columns: usize| {
        let step = (to - from) / columns as f64;
        angles.extend((0..columns).map(|i| from + step * i as f64));
    };
    let [spout, handle] = [SPOUT_ANGLE, HANDLE_ANGLE];
    section(-spout, spout, counts.spout_columns);
    section(spout, PI - handle, counts.side_columns);
    section(PI - handle, PI + handle, counts.handle_columns);
    section(PI + handle, 2.0 * PI - spout, counts.side_columns);
    angles
}

fn add_pot(polygons: &mut Polygons, shapes: &Shapes, counts: &Counts<'_>) {
    let handle_column = counts.spout_columns + counts.side_columns;
    let hole = |band: usize, size: f64| {
        let (angle, half_angle, column, columns) = match band {
            SPOUT | SPOUT_INSIDE => (0.0, SPOUT_ANGLE, 0, counts.spout_columns),
            _ => (PI, HANDLE_ANGLE, handle_column, counts.handle_columns),
        };
        let row = rows(&counts.pot[..band]);
        let band = &counts.pot[band];
        Hole {
            band,
            angle,
            half_angle,
            columns: column..column + columns,
            rows: row..row + band.rows,
            size,
        }
    };
    let [spout_hole, lower_hole, upper_hole] = [SPOUT, LOWER, UPPER].map(|band| hole(band, 1.0));
    let inner_hole = hole(SPOUT_INSIDE, 0.75);
    let holes = [&spout_hole, &lower_hole, &upper_hole, &inner_hole];

    let angles = pot_angles(counts);
    let pot = Lathe::new(polygons, &angles, &counts.pot, &holes);
    let (outside, all) = (rows(&counts.pot[..INSIDE]), rows(&counts.pot));
    polygons.begin_part_of("pot", "body", celadon());
    pot.add_faces(polygons, 0..outside, &holes);
    polygons.begin_part_of("pot", "inside", bone());
    pot.add_faces(polygons, outside..all, &holes);

    let rings = spout_rings(&shapes.spout, counts);
    let [near, far] = [pot.rim(&spout_hole), pot.far_rim(&inner_hole)];
    let spout = Tube::new(polygons, 1.0, &near, &rings, &far);
    let outer = counts.spout_rings + counts.lip_rings;
    polygons.begin_part_of("pot", "spout", celadon());
    spout.add_faces(polygons, 0..outer);
    polygons.begin_part_of("pot", "inside", bone());
    spout.add_faces(polygons, outer..rings.len() - 1);

    let rings = handle_rings(&shapes.handle, counts);
    let [near, far] = [pot.rim(&upper_hole), pot.far_rim(&lower_hole)];
    let handle = Tube::new(polygons, -1.0, &near, &rings, &far);
    polygons.begin_part_of("pot", "handle", celadon());
    handle.add_faces(polygons, 0..rings.len() - 1);
}

/// Returns how strongly a ring is deformed towards the hole, given its distance as a fraction of
/// the tube's length.
fn pull(distance: f64, reach: f64) -> f64 {
    let left = (1.0 - distance / reach).max(0.0);
    left * left * left
}

/// Returns the rings out of the pot, around the lip, and back to the hole inside.
fn spout_rings(curve: &Curve<5>, counts: &Counts<'_>) -> Vec<Ring> {
    const REACH: f64 = 0.35;
    let wall = |i: usize, is_inside: bool| {
        let share = i as f64 / counts.spout_rings as f64;
        let [x, y, wide, tall, wall] = curve.at(share);
        let drawn = pull(share, REACH);
        let (thickness, near, far) = match is_inside {
            true => (wall, 0.0, drawn),
            false => (0.0, drawn, 0.0),
        };
        Ring {
            centre: [x, y],
            along: curve.tangent(share),
            wide: wide - thickness,
            tall: tall - thickness,
            near,
            far,
        }
    };
    let out = (0..=counts.spout_rings).map(|i| wall(i, false));
    let lip = (1..counts.lip_rings).map(|i| {
        let angle = PI * i as f64 / counts.lip_rings as f64;
        let ([x, y, wide, tall, wall], along) = (curve.at(1.0), curve.tangent(1.0));
        let (inwards, outwards) = (
            wall / 2.0 * (1.0 - libm::cos(angle)),
            wall / 2.0 * libm::sin(angle),
        );
        Ring {
            centre: [x + outwards * along[0], y + outwards * along[1]],
            along,
            wide: wide - inwards,
            tall: tall - inwards,
            near: 0.0,
            far: 0.0,
        }
    });
    let back = (0..=counts.spout_rings).rev().map(|i| wall(i, true));
    out.chain(lip).chain(back).collect()
}

fn handle_rings(curve: &Curve<4>, counts: &Counts<'_>) -> Vec<Ring> {
    const REACH: f64 = 0.2;
    (0..=counts.handle_rings)
        .map(|i| {
            let share = i as f64 / counts.handle_rings as f64;
            let [x, y, wide, tall] = curve.at(share);
            Ring {
                centre: [x, y],
                along: curve.tangent(share),
                wide,
                tall,
                near: pull(share, REACH),
                far: pull(1.0 - share, REACH),
            }
        })
        .collect()
}

fn add_lid(polygons: &mut Polygons, counts: &Counts<'_>) {
    let columns = counts.lid_columns;
    let angles: Vec<f64> = (0..columns)
        .map(|i| 2.0 * PI * i as f64 / columns as f64)
        .collect();
    let lid = Lathe::new(polygons, &angles, &counts.lid, &[]);
    let [cover, knob, end] = [1, 2, 3].map(|bands| rows(&counts.lid[..bands]));
    polygons.begin_part_of("lid", "inside", bone());
    lid.add_faces(polygons, 0..cover, &[]);
    polygons.begin_part_of("lid", "cover", celadon());
    lid.add_faces(polygons, cover..knob, &[]);
    polygons.begin_part_of("lid", "knob", brass());
    lid.add_faces(polygons, knob..end, &[]);
}
