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
use counts::Counts;
use curve::Curve;
use lathe::{Band, Hole, Lathe};
use profiles::{
    HANDLE_ANGLE, LOWER_HOLE, SPOUT_ANGLE, SPOUT_HOLE, SPOUT_HOLE_INSIDE, Shapes, UPPER_HOLE,
};
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
    let distance = |counts: &Counts| counts.triangles().abs_diff(n);
    let counts = if distance(&fewer) < distance(&more) {
        fewer
    } else {
        more
    };
    let mut polygons = Polygons::new();
    let paints = Paints::new(&mut polygons);
    add_pot(&mut polygons, &shapes, &counts, &paints);
    add_lid(&mut polygons, &shapes, &counts, &paints);
    polygons
}

struct Paints {
    celadon: usize,
    bone: usize,
    brass: usize,
}

impl Paints {
    fn new(polygons: &mut Polygons) -> Self {
        let mut glaze = |name: &str, diffuse, specular| {
            polygons.add_material(Material {
                name: name.to_owned(),
                diffuse,
                specular,
            })
        };
        Paints {
            celadon: glaze("celadon", [0.36, 0.54, 0.47], [0.08; 3]),
            bone: glaze("bone", [0.8, 0.77, 0.7], [0.04; 3]),
            brass: glaze("brass", [0.6, 0.44, 0.16], [0.5, 0.4, 0.2]),
        }
    }
}

/// Returns the angles of the columns, starting at the right edge of the spout's hole.
fn pot_angles(counts: &Counts) -> Vec<f64> {
    let mut angles = Vec::with_capacity(counts.columns());
    let mut stretch = |from: f64, to: f64, columns: usize| {
        let step = (to - from) / columns as f64;
        angles.extend((0..columns).map(|i| from + step * i as f64));
    };
    let [spout, handle] = [SPOUT_ANGLE, HANDLE_ANGLE];
    stretch(-spout, spout, counts.spout_columns);
    stretch(spout, PI - handle, counts.side_columns);
    stretch(PI - handle, PI + handle, counts.handle_columns);
    stretch(PI + handle, 2.0 * PI - spout, counts.side_columns);
    angles
}

fn add_pot(polygons: &mut Polygons, shapes: &Shapes, counts: &Counts, paints: &Paints) {
    let band = |curve, [from, to]: [f64; 2], rows| Band {
        curve,
        from,
        to,
        rows,
    };
    let (belly, inside) = (&shapes.belly, &shapes.inside);
    let [top, bottom] = SPOUT_HOLE_INSIDE;
    let bands = [
        band(&shapes.underside, [0.0, 1.0], counts.underside),
        band(&shapes.foot, [0.0, 1.0], counts.foot),
        band(belly, [0.0, LOWER_HOLE[0]], counts.below_holes),
        band(belly, LOWER_HOLE, counts.handle_rows),
        band(belly, SPOUT_HOLE, counts.spout_rows),
        band(belly, [SPOUT_HOLE[1], UPPER_HOLE[0]], counts.between_holes),
        band(belly, UPPER_HOLE, counts.handle_rows),
        band(belly, [UPPER_HOLE[1], 1.0], counts.above_holes),
        band(&shapes.rim, [0.0, 1.0], counts.rim),
        band(inside, [0.0, top], counts.inside_above),
        band(inside, [top, bottom], counts.spout_rows),
        band(inside, [bottom, 1.0], counts.inside_below),
    ];
    let handle_column = counts.spout_columns + counts.side_columns;
    let hole = |curve, angle: f64, [from, to]: [f64; 2], row, rows, size| {
        let (half_angle, column, columns) = if angle == 0.0 {
            (SPOUT_ANGLE, 0, counts.spout_columns)
        } else {
            (HANDLE_ANGLE, handle_column, counts.handle_columns)
        };
        Hole {
            curve,
            angle,
            half_angle,
            from,
            to,
            columns: column..column + columns,
            rows: row..row + rows,
            size,
        }
    };
    let lower_row = counts.underside + counts.foot + counts.below_holes;
    let spout_row = lower_row + counts.handle_rows;
    let upper_row = spout_row + counts.spout_rows + counts.between_holes;
    let inner_row = counts.outside() + counts.inside_above;
    let (handle_rows, spout_rows) = (counts.handle_rows, counts.spout_rows);
    let spout_hole = hole(belly, 0.0, SPOUT_HOLE, spout_row, spout_rows, 1.0);
    let lower_hole = hole(belly, PI, LOWER_HOLE, lower_row, handle_rows, 1.0);
    let upper_hole = hole(belly, PI, UPPER_HOLE, upper_row, handle_rows, 1.0);
    let inner_hole = hole(inside, 0.0, SPOUT_HOLE_INSIDE, inner_row, spout_rows, 0.75);
    let holes = [&spout_hole, &lower_hole, &upper_hole, &inner_hole];

    let angles = pot_angles(counts);
    let pot = Lathe::new(polygons, &angles, &bands, &holes);
    polygons.begin_part("pot", "body", Some(paints.celadon));
    pot.add_faces(polygons, 0..counts.outside(), &holes);
    polygons.begin_part("pot", "inside", Some(paints.bone));
    pot.add_faces(polygons, counts.outside()..counts.pot_rows(), &holes);

    let rings = spout_rings(&shapes.spout, counts);
    let [near, far] = [pot.rim(&spout_hole), pot.far_rim(&inner_hole)];
    let spout = Tube::new(polygons, 1.0, &near, &rings, &far);
    let outer = counts.spout_rings + counts.lip_rings;
    polygons.begin_part("pot", "spout", Some(paints.celadon));
    spout.add_faces(polygons, 0..outer);
    polygons.begin_part("pot", "inside", Some(paints.bone));
    spout.add_faces(polygons, outer..rings.len() - 1);

    let rings = handle_rings(&shapes.handle, counts);
    let [near, far] = [pot.rim(&upper_hole), pot.far_rim(&lower_hole)];
    let handle = Tube::new(polygons, -1.0, &near, &rings, &far);
    polygons.begin_part("pot", "handle", Some(paints.celadon));
    handle.add_faces(polygons, 0..rings.len() - 1);
}

/// Returns how strongly a ring is deformed towards the hole, given its distance as a fraction of
/// the tube's length.
fn pull(distance: f64, reach: f64) -> f64 {
    let left = (1.0 - distance / reach).max(0.0);
    left * left * left
}

/// Returns the rings out of the pot, around the lip, and back to the hole inside.
fn spout_rings(curve: &Curve<5>, counts: &Counts) -> Vec<Ring> {
    const REACH: f64 = 0.35;
    let out = (0..=counts.spout_rings).map(|i| {
        let share = i as f64 / counts.spout_rings as f64;
        let [x, y, wide, tall, _] = curve.at(share);
        Ring {
            centre: [x, y],
            along: curve.tangent(share),
            wide,
            tall,
            near: pull(share, REACH),
            far: 0.0,
        }
    });
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
    let back = (0..=counts.spout_rings).rev().map(|i| {
        let share = i as f64 / counts.spout_rings as f64;
        let [x, y, wide, tall, wall] = curve.at(share);
        Ring {
            centre: [x, y],
            along: curve.tangent(share),
            wide: wide - wall,
            tall: tall - wall,
            near: 0.0,
            far: pull(share, REACH),
        }
    });
    out.chain(lip).chain(back).collect()
}

fn handle_rings(curve: &Curve<4>, counts: &Counts) -> Vec<Ring> {
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

fn add_lid(polygons: &mut Polygons, shapes: &Shapes, counts: &Counts, paints: &Paints) {
    let band = |curve, rows| Band {
        curve,
        from: 0.0,
        to: 1.0,
        rows,
    };
    let bands = [
        band(&shapes.under_lid, counts.under_lid),
        band(&shapes.cover, counts.cover),
        band(&shapes.knob, counts.knob),
    ];
    let columns = counts.lid_columns;
    let angles: Vec<f64> = (0..columns)
        .map(|i| 2.0 * PI * i as f64 / columns as f64)
        .collect();
    let lid = Lathe::new(polygons, &angles, &bands, &[]);
    let [cover, knob] = [counts.under_lid, counts.under_lid + counts.cover];
    polygons.begin_part("lid", "inside", Some(paints.bone));
    lid.add_faces(polygons, 0..cover, &[]);
    polygons.begin_part("lid", "cover", Some(paints.celadon));
    lid.add_faces(polygons, cover..knob, &[]);
    polygons.begin_part("lid", "knob", Some(paints.brass));
    lid.add_faces(polygons, knob..knob + counts.knob, &[]);
}
