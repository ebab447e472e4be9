//! A teapot, a sphere and a box that move along closed paths.

use super::city::with_inverse;
use super::{ObjectSource, SceneFile, SceneFileBox, SceneFileShapes};
use estoc_core::{Aabb, Sphere};
use estoc_demo::{Demo, DemoSpec};
use std::f64::consts::TAU;

/// Generates the scene as it is at a time in seconds. The ground is placement 0, then come the teapot,
/// the sphere and the box.
pub(super) fn moving_shapes(name: &str, time: f64) -> SceneFile {
    let mut file = SceneFile::generated(name);
    // Around the middle of the floor, from 0 up to 1.
    let unit = Aabb::try_new([-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]).expect("a box");
    let unit = SceneFileShapes {
        boxes: vec![SceneFileBox::Aligned(unit)],
        ..SceneFileShapes::default()
    };
    let ball = SceneFileShapes {
        spheres: vec![Sphere::try_new([0.0; 3], 1.0).expect("a sphere")],
        ..SceneFileShapes::default()
    };
    let ground = file.add_object("ground", ObjectSource::Shapes(unit.clone()));
    let teapot = DemoSpec::new(Demo::Teapot);
    let teapot = file.add_object("teapot", ObjectSource::DemoMesh(teapot));
    let sphere = file.add_object("sphere", ObjectSource::Shapes(ball));
    let cube = file.add_object("box", ObjectSource::Shapes(unit));
    let slab = [
        [14.0, 0.0, 0.0, 0.0],
        [0.0, 0.5, 0.0, -0.5],
        [0.0, 0.0, 14.0, 0.0],
    ];
    file.add_placement(ground, with_inverse(slab), None);
    // Around a circle, turning about itself twice a round.
    let (sin, cos) = turn(time, 12.0);
    let (spin, level) = turn(time, 6.0);
    let rows = [
        [2.0 * level, 0.0, 2.0 * spin, 4.0 * cos],
        [0.0, 2.0, 0.0, 0.5],
        [-2.0 * spin, 0.0, 2.0 * level, 4.0 * sin],
    ];
    file.add_placement(teapot, with_inverse(rows), Some("teapot"));
    // Up and down near the middle, squeezed where it is lowest.
    let (sin, cos) = turn(time, 4.0);
    let high = 1.0 + 0.25 * sin;
    let rows = [
        [1.0, 0.0, 0.0, 0.5 * cos],
        [0.0, high, 0.0, 2.5 + sin],
        [0.0, 0.0, 1.0, 0.0],
    ];
    file.add_placement(sphere, with_inverse(rows), Some("sphere"));
    // Along a figure of eight, tumbling about its length.
    let (sin, cos) = turn(time, 10.0);
    let (roll, flat) = turn(time, 5.0);
    let rows = [
        [1.5, 0.0, 0.0, 5.0 * sin],
        [0.0, flat, -roll, 2.0],
        [0.0, roll, flat, -4.0 * sin * cos],
    ];
    file.add_placement(cube, with_inverse(rows), Some("box"));
    file
}

/// Returns the sine and the cosine of the angle at a time, for a whole turn in `period` seconds.
fn turn(time: f64, period: f64) -> (f64, f64) {
    let angle = TAU * (time.rem_euclid(period) / period);
    (libm::sin(angle), libm::cos(angle))
}
