//! The profiles of a teapot.

use super::curve::Curve;

/// From the centre of the underside to the circle that it stands on: radius and height.
const UNDERSIDE: [[f64; 2]; 6] = [
    [0.0, 0.03],
    [0.15, 0.03],
    [0.27, 0.03],
    [0.298, 0.022],
    [0.302, 0.0],
    [0.32, 0.0],
];
/// From there around the foot to its narrowest point.
const FOOT: [[f64; 2]; 5] = [
    [0.32, 0.0],
    [0.342, 0.0],
    [0.35, 0.014],
    [0.345, 0.034],
    [0.35, 0.05],
];
/// From there over the belly to the neck.
const BELLY: [[f64; 2]; 7] = [
    [0.35, 0.05],
    [0.375, 0.085],
    [0.56, 0.14],
    [0.67, 0.36],
    [0.575, 0.6],
    [0.345, 0.655],
    [0.31, 0.7],
];
const RIM: [[f64; 2]; 6] = [
    [0.31, 0.7],
    [0.305, 0.715],
    [0.312, 0.735],
    [0.28, 0.737],
    [0.278, 0.715],
    [0.282, 0.695],
];
/// From the rim down to the centre of the floor.
const INSIDE: [[f64; 2]; 7] = [
    [0.282, 0.695],
    [0.31, 0.63],
    [0.545, 0.565],
    [0.63, 0.36],
    [0.53, 0.17],
    [0.3, 0.085],
    [0.0, 0.075],
];
/// The lid, from the centre of its underside over the plug that enters the neck to its edge.
const UNDER_LID: [[f64; 2]; 10] = [
    [0.0, 0.815],
    [0.12, 0.81],
    [0.215, 0.77],
    [0.235, 0.7],
    [0.245, 0.685],
    [0.262, 0.695],
    [0.264, 0.725],
    [0.272, 0.741],
    [0.29, 0.742],
    [0.32, 0.742],
];
const COVER: [[f64; 2]; 7] = [
    [0.32, 0.742],
    [0.345, 0.742],
    [0.338, 0.768],
    [0.3, 0.778],
    [0.19, 0.845],
    [0.06, 0.855],
    [0.04, 0.875],
];
const KNOB: [[f64; 2]; 7] = [
    [0.04, 0.875],
    [0.025, 0.895],
    [0.075, 0.915],
    [0.088, 0.955],
    [0.05, 0.99],
    [0.025, 1.0],
    [0.0, 1.0],
];

/// The sections of `BELLY` and `INSIDE` that have holes, in fractions of their lengths.
pub(super) const LOWER_HOLE: [f64; 2] = [0.25, 0.35];
pub(super) const SPOUT_HOLE: [f64; 2] = [0.35, 0.6];
pub(super) const UPPER_HOLE: [f64; 2] = [0.69, 0.79];
pub(super) const SPOUT_HOLE_INSIDE: [f64; 2] = [0.27, 0.51];
/// Half their widths, as angles around the axis.
pub(super) const SPOUT_ANGLE: f64 = 0.2;
pub(super) const HANDLE_ANGLE: f64 = 0.095;

/// The spout beyond its hole: x and y of its centre line, its half width along z and in the plane
/// of its bend, and the thickness of its wall.
const SPOUT: [[f64; 5]; 6] = [
    [0.69, 0.365, 0.1, 0.11, 0.032],
    [0.77, 0.4, 0.085, 0.096, 0.03],
    [0.845, 0.475, 0.072, 0.082, 0.027],
    [0.9, 0.58, 0.061, 0.066, 0.024],
    [0.955, 0.685, 0.053, 0.055, 0.02],
    [1.03, 0.75, 0.055, 0.057, 0.017],
];
/// The handle from its upper to its lower hole.
const HANDLE: [[f64; 4]; 9] = [
    [-0.6, 0.64, 0.04, 0.032],
    [-0.7, 0.73, 0.036, 0.027],
    [-0.85, 0.77, 0.036, 0.026],
    [-0.97, 0.69, 0.038, 0.026],
    [-0.99, 0.53, 0.039, 0.026],
    [-0.94, 0.38, 0.038, 0.026],
    [-0.85, 0.265, 0.036, 0.026],
    [-0.755, 0.2, 0.036, 0.028],
    [-0.67, 0.19, 0.042, 0.036],
];

/// All curves, with their lengths.
pub(super) struct Shapes {
    pub(super) underside: Curve<2>,
    pub(super) foot: Curve<2>,
    pub(super) belly: Curve<2>,
    pub(super) rim: Curve<2>,
    pub(super) inside: Curve<2>,
    pub(super) under_lid: Curve<2>,
    pub(super) cover: Curve<2>,
    pub(super) knob: Curve<2>,
    pub(super) spout: Curve<5>,
    pub(super) handle: Curve<4>,
}

impl Shapes {
    pub(super) fn new() -> Self {
        let belly = Curve::new(&BELLY);
        let hole = |[from, to]: [f64; 2]| belly.at(f64::midpoint(from, to));
        let [radius, height] = hole(SPOUT_HOLE);
        let half = (SPOUT_HOLE[1] - SPOUT_HOLE[0]) / 2.0 * belly.length();
        let root = [radius, height, radius * SPOUT_ANGLE, half, 0.04];
        let spout: Vec<[f64; 5]> = [root].into_iter().chain(SPOUT).collect();
        let handle_root = |share: [f64; 2]| {
            let [radius, height] = hole(share);
            let half = (share[1] - share[0]) / 2.0 * belly.length();
            [-radius, height, radius * HANDLE_ANGLE, half]
        };
        let [upper, lower] = [handle_root(UPPER_HOLE), handle_root(LOWER_HOLE)];
        let handle: Vec<[f64; 4]> = [upper].into_iter().chain(HANDLE).chain([lower]).collect();
        Shapes {
            underside: Curve::new(&UNDERSIDE),
            foot: Curve::new(&FOOT),
            rim: Curve::new(&RIM),
            inside: Curve::new(&INSIDE),
            under_lid: Curve::new(&UNDER_LID),
            cover: Curve::new(&COVER),
            knob: Curve::new(&KNOB),
            spout: Curve::new(&spout),
            handle: Curve::new(&handle),
            belly,
        }
    }
}
