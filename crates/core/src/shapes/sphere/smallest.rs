//! The smallest ball of at most five points: one step of the search.

use crate::arithmetic::{
    V3,
    vector::{cross, dot, minus},
};

/// A ball and the at most four points on its surface that determine it.
#[derive(Clone, Copy)]
pub(super) struct Support {
    points: [V3; 4],
    count: usize,
    center: V3,
    square: f64,
}

impl Support {
    /// Returns the ball that is one point.
    pub(super) fn of_point(point: V3) -> Self {
        Support {
            points: [point; 4],
            count: 1,
            center: point,
            square: 0.0,
        }
    }

    pub(super) fn center(&self) -> V3 {
        self.center
    }

    /// Returns the squared radius.
    pub(super) fn square(&self) -> f64 {
        self.square
    }

    /// Returns the smallest ball around the support and a point outside, which is then on the
    /// surface.
    ///
    /// All supports are tried that contain the new point and up to three of the old. Each gives a
    /// centre and is rated by the radius that it needs there for all five points: so a centre that
    /// is inaccurate because its points are nearly collinear or coplanar loses to another.
    /// spoilt by rounding, because its points are nearly in a line or a plane, loses to another.
    pub(super) fn with(&self, point: V3) -> Support {
        let old = &self.points[..self.count];
        let mut best = Support {
            square: f64::INFINITY,
            ..*self
        };
        for members in 0..1u32 << old.len() {
            let mut points = [point; 4];
            let mut count = 1;
            for (_, &other) in old
                .iter()
                .enumerate()
                .filter(|(i, _)| members >> i & 1 == 1)
            {
                if count < 4 {
                    points[count] = other;
                }
                count += 1;
            }
            if count > 4 {
                continue;
            }
            let Some(center) = circumcenter(&points[..count]) else {
                continue;
            };
            let square = old.iter().fold(distance(center, point), |most, &other| {
                most.max(distance(center, other))
            });
            if square < best.square {
                best = Support {
                    points,
                    count,
                    center,
                    square,
                };
            }
        }
        best
    }
}

/// Returns the squared distance.
fn distance(a: V3, b: V3) -> f64 {
    let difference = minus(a, b);
    dot(difference, difference)
}

/// Returns the centre of the smallest sphere through all of one to four points; `None` if they are
/// affinely dependent.
///
/// With a, b, c the others relative to the first, and y the centre, `2 a.y = a.a` and so on.
fn circumcenter(points: &[V3]) -> Option<V3> {
    let first = points[0];
    let [a, b, c] =
        core::array::from_fn(|i| points.get(i + 1).map_or([0.0; 3], |p| minus(*p, first)));
    let (numerator, denominator) = match points.len() {
        1 => ([0.0; 3], 1.0),
        2 => (a, 2.0),
        3 => {
            let normal = cross(a, b);
            let (aa, bb) = (dot(a, a), dot(b, b));
            let along = core::array::from_fn(|i| aa * b[i] - bb * a[i]);
            (cross(along, normal), 2.0 * dot(normal, normal))
        }
        _ => {
            let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
            let (aa, bb, cc) = (dot(a, a), dot(b, b), dot(c, c));
            let sum = core::array::from_fn(|i| aa * bc[i] + bb * ca[i] + cc * ab[i]);
            (sum, 2.0 * dot(a, bc))
        }
    };
    let center: V3 = core::array::from_fn(|i| first[i] + numerator[i] / denominator);
    // An inaccurate centre need not be recognised: it only has to survive comparisons.
    center.iter().all(|x| x.is_finite()).then_some(center)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplices_have_their_centers() {
        let corners = [
            [1.0, 1.0, 1.0],
            [3.0, 1.0, 1.0],
            [1.0, 5.0, 1.0],
            [1.0, 1.0, 7.0],
        ];
        assert_eq!(circumcenter(&corners[..1]), Some([1.0, 1.0, 1.0]));
        assert_eq!(circumcenter(&corners[..2]), Some([2.0, 1.0, 1.0]));
        assert_eq!(circumcenter(&corners[..3]), Some([2.0, 3.0, 1.0]));
        assert_eq!(circumcenter(&corners), Some([2.0, 3.0, 4.0]));
        assert_eq!(circumcenter(&[[0.0; 3], [1.0; 3], [2.0; 3]]), None);
        assert_eq!(circumcenter(&[[1.0; 3]; 4]), None);
    }

    #[test]
    fn a_point_inside_the_new_ball_leaves_the_support() {
        let ball = Support::of_point([0.0; 3]).with([2.0, 0.0, 0.0]);
        assert_eq!((ball.center(), ball.square()), ([1.0, 0.0, 0.0], 1.0));
        let ball = ball.with([6.0, 0.0, 0.0]);
        assert_eq!((ball.center(), ball.square()), ([3.0, 0.0, 0.0], 9.0));
        assert_eq!(ball.count, 2);
        let ball = ball.with([3.0, 4.0, 0.0]);
        assert_eq!(ball.count, 3);
        assert!(ball.square() > 9.0 && ball.square() < 16.0);
    }
}
