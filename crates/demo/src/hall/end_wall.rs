//! The walls at both ends of the nave.

use super::matter::Matter;
use super::{END, Hall, INNER, ROSE, VAULT, WALL, arch_point, around_vault};
use crate::mason::{ArchedBay, WallPoint};
use std::f64::consts::PI;

impl Hall<'_> {
    /// Adds the walls at both ends of the nave; the far one has a round window above three tall
    /// ones.
    pub(super) fn end_wall(&mut self) {
        let steps = 6 * self.detail;
        self.part("end_wall", "entrance", Matter::Limestone);
        let gable = |z: f64| (0..=steps).map(move |i| arch_point(INNER, i, steps, z));
        let mut entrance: Vec<WallPoint> = vec![[INNER, 0.0, 0.0], [-INNER, 0.0, 0.0]];
        entrance.extend(gable(0.0).rev());
        self.mason.face(&entrance);

        self.part("end_wall", "lancets", Matter::Limestone);
        let half = INNER / 3.0;
        let lancet = ArchedBay {
            half_width: half,
            bottom: 0.0,
            top: VAULT - ROSE - 0.4,
            thickness: WALL,
            radius: 0.62,
            sill: 2.3,
            spring: 5.1,
            steps: 4 * self.detail,
        };
        for middle in [-2.0 * half, 0.0, 2.0 * half] {
            let out = END - WALL / 2.0;
            self.mason
                .arched_bay(&lancet, |[x, y, z]| [middle + x, y, out + z]);
        }

        self.part("end_wall", "rose", Matter::Limestone);
        let circle =
            |i: usize, z: f64| around_vault(ROSE, 2.0 * PI * i as f64 / (2 * steps) as f64, z);
        self.mason.patch(steps, 1, |i, j| {
            if j == 0 {
                arch_point(INNER, i, steps, END)
            } else {
                circle(i, END)
            }
        });
        let floor = lancet.top;
        self.mason.patch(steps, 1, |i, j| {
            let [x, y, z] = circle(steps + i, END);
            [x, if j == 0 { floor } else { y }, z]
        });
        for [from, to] in [[-INNER, -ROSE], [ROSE, INNER]] {
            self.mason.face(&[
                [from, floor, END],
                [to, floor, END],
                [to, VAULT, END],
                [from, VAULT, END],
            ]);
        }
        self.mason.patch(2 * steps, 1, |i, j| {
            circle(i % (2 * steps), END - if j == 0 { 0.0 } else { WALL })
        });
        self.tracery(2 * steps);
    }

    /// Adds a hub in the round window, held by eight bars.
    fn tracery(&mut self, sides: usize) {
        self.part("end_wall", "tracery", Matter::Lead);
        let (front, back) = (END - 0.22, END - 0.42);
        let ring = |radius: f64, z: f64| {
            let angle = move |i: usize| 2.0 * PI * (i % sides) as f64 / sides as f64;
            move |i: usize| around_vault(radius, angle(i), z)
        };
        let (inner, outer) = (0.52, 0.66);
        let rings = [
            ring(inner, front),
            ring(outer, front),
            ring(outer, back),
            ring(inner, back),
        ];
        self.mason.patch(sides, 4, |i, j| rings[3 - j % 4](i));
        for bar in 0..8 {
            let angle = PI * (f64::from(bar) + 0.5) / 4.0;
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let at = |along: f64, across: f64, z: f64| {
                [
                    along * cos - across * sin,
                    VAULT + along * sin + across * cos,
                    z,
                ]
            };
            let [near, far] = [front, back].map(|z| {
                [
                    at(0.6, -0.06, z),
                    at(ROSE, -0.06, z),
                    at(ROSE, 0.06, z),
                    at(0.6, 0.06, z),
                ]
            });
            self.mason.face(&near);
            for i in 0..4 {
                let next = (i + 1) % 4;
                self.mason.face(&[far[i], far[next], near[next], near[i]]);
            }
            self.mason.face(&[far[3], far[2], far[1], far[0]]);
        }
    }
}
