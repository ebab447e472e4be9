//! The projection of a face along an axis.

use estoc_core::glam::{DVec2, DVec3};
use estoc_core::orient_in_plane;

/// A projection along one axis. A face whose normal points along the positive axis is projected
/// counter-clockwise.
#[derive(Clone, Copy)]
pub(super) struct AxisView {
    axis: usize,
}

impl AxisView {
    pub(super) const ALL: [AxisView; 3] = [
        AxisView { axis: 0 },
        AxisView { axis: 1 },
        AxisView { axis: 2 },
    ];

    /// Returns the projection along the largest component of a normal, or `None` if all are zero.
    pub(super) fn along(normal: [f64; 3]) -> Option<AxisView> {
        let size = normal.map(f64::abs);
        let mut axis = 0;
        for i in 1..3 {
            if size[i] > size[axis] {
                axis = i;
            }
        }
        (size[axis] > 0.0).then_some(AxisView { axis })
    }

    pub(super) fn project(self, p: DVec3) -> DVec2 {
        let p = p.to_array();
        DVec2::new(p[(self.axis + 1) % 3], p[(self.axis + 2) % 3])
    }

    /// Returns whether a face with this normal is projected counter-clockwise (1) or clockwise
    /// (-1).
    pub(super) fn area_sign(self, normal: [f64; 3]) -> i32 {
        if normal[self.axis] > 0.0 { 1 } else { -1 }
    }
}

/// Returns the exact sign of the area of a triangle: 1 counter-clockwise, 0 none, -1 clockwise.
pub(super) fn turn([a, b, c]: [DVec2; 3]) -> i32 {
    orient_in_plane(a.to_array(), b.to_array(), c.to_array())
}

/// Mirrors an outline that is clockwise.
///
/// The orientation is that at the lowest leftmost corner, which is exact if the outline turns
/// there. Otherwise, for a spike, it is `otherwise`, the rounded orientation of the whole.
pub(super) fn make_counter_clockwise(outline: &mut [DVec2], otherwise: i32) {
    let order = |p: &DVec2| (p.x, p.y);
    let mut extreme = 0;
    for (i, point) in outline.iter().enumerate() {
        if order(point) < order(&outline[extreme]) {
            extreme = i;
        }
    }
    let corner = outline[extreme];
    let next = outline[extreme..].iter().chain(&outline[..extreme]);
    let last = outline[..extreme]
        .iter()
        .rev()
        .chain(outline[extreme..].iter().rev());
    let differs = |p: &&DVec2| **p != corner;
    let sign = match (
        last.copied().find(|p| differs(&p)),
        next.copied().find(|p| differs(&p)),
    ) {
        (Some(before), Some(after)) => turn([before, corner, after]),
        _ => 0,
    };
    let sign = if sign == 0 { otherwise } else { sign };
    if sign < 0 {
        for point in outline {
            core::mem::swap(&mut point.x, &mut point.y);
        }
    }
}
