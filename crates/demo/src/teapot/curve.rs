//! Smooth curves, parametrised by length.

/// A uniform cubic B-spline that starts and ends at its first and last control point, tangent to
/// the control polygon there. The first two coordinates are a point of the plane and define the
/// length; the others are interpolated along with them.
pub(super) struct Curve<const D: usize> {
    controls: Vec<[f64; D]>,
    /// The length from the start to each multiple of `1 / STEPS` of the parameter.
    ways: Vec<f64>,
}

/// The number of segments per span by which the length is measured.
const STEPS: usize = 64;

impl<const D: usize> Curve<D> {
    /// Returns the curve of at least two control points.
    pub(super) fn new(controls: &[[f64; D]]) -> Self {
        let mut curve = Curve {
            controls: controls.to_vec(),
            ways: vec![0.0],
        };
        let mut way = 0.0;
        let mut last = curve.point(0.0);
        for step in 1..=(controls.len() - 1) * STEPS {
            let next = curve.point(step as f64 / STEPS as f64);
            let [x, y] = [next[0] - last[0], next[1] - last[1]];
            way += (x * x + y * y).sqrt();
            curve.ways.push(way);
            last = next;
        }
        curve
    }

    pub(super) fn length(&self) -> f64 {
        self.ways[self.ways.len() - 1]
    }

    /// Returns the point after the fraction `share` of the length, from 0 to 1.
    pub(super) fn at(&self, share: f64) -> [f64; D] {
        self.point(self.parameter(share))
    }

    /// Returns the direction there, of length 1.
    pub(super) fn tangent(&self, share: f64) -> [f64; 2] {
        let (span, t) = self.span(self.parameter(share));
        let weights = [
            -(1.0 - t) * (1.0 - t) / 2.0,
            (3.0 * t - 4.0) * t / 2.0,
            ((2.0 - 3.0 * t) * t + 1.0) / 2.0,
            t * t / 2.0,
        ];
        let along = self.weighted(span, weights);
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        [along[0] / length, along[1] / length]
    }

    fn parameter(&self, share: f64) -> f64 {
        let way = share * self.length();
        let pieces = self.ways.len() - 1;
        let after = self.ways.partition_point(|&w| w <= way).clamp(1, pieces);
        let [from, to] = [self.ways[after - 1], self.ways[after]];
        ((after - 1) as f64 + (way - from) / (to - from)) / STEPS as f64
    }

    fn point(&self, parameter: f64) -> [f64; D] {
        let (span, t) = self.span(parameter);
        let (s, t2) = (1.0 - t, t * t);
        let weights = [
            s * s * s / 6.0,
            (3.0 * t2 * t - 6.0 * t2 + 4.0) / 6.0,
            (3.0 * (t + t2 - t2 * t) + 1.0) / 6.0,
            t2 * t / 6.0,
        ];
        self.weighted(span, weights)
    }

    fn span(&self, parameter: f64) -> (usize, f64) {
        let span = (parameter as usize).min(self.controls.len() - 2);
        (span, parameter - span as f64)
    }

    fn weighted(&self, span: usize, weights: [f64; 4]) -> [f64; D] {
        std::array::from_fn(|k| {
            let sum = |i: usize| weights[i] * self.control(span + i, k);
            sum(0) + sum(1) + sum(2) + sum(3)
        })
    }

    /// Returns coordinate `k` of control point `i - 1`. The additional point at each end mirrors
    /// the second last point at the last one, which makes the curve end there.
    fn control(&self, i: usize, k: usize) -> f64 {
        let last = self.controls.len() - 1;
        let at = |i: usize| self.controls[i][k];
        match i {
            0 => 2.0 * at(0) - at(1),
            i if i - 1 > last => 2.0 * at(last) - at(last - 1),
            i => at(i - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_and_ends_at_its_ends_along_its_legs() {
        let curve = Curve::new(&[[0.0, 0.0, 7.0], [1.0, 0.0, 5.0], [1.0, 2.0, 3.0]]);
        for (share, end) in [(0.0, [0.0, 0.0, 7.0]), (1.0, [1.0, 2.0, 3.0])] {
            let found = curve.at(share);
            for (found, expected) in found.into_iter().zip(end) {
                assert!((found - expected).abs() < 1e-12, "{found} at {share}");
            }
        }
        assert_eq!(curve.tangent(0.0), [1.0, 0.0]);
        let [x, y] = curve.tangent(1.0);
        assert!(x.abs() < 1e-12 && (y - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_shares_are_equal_ways() {
        let curve = Curve::new(&[[0.0, 0.0], [0.1, 2.0], [3.0, 2.5], [3.0, 0.0], [4.0, 0.5]]);
        let step = |i: usize| {
            let [a, b] = [i, i + 1].map(|i| curve.at(i as f64 / 1000.0));
            ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt()
        };
        for i in 0..1000 {
            let off = step(i) * 1000.0 / curve.length() - 1.0;
            assert!(off.abs() < 0.02, "step {i} is off by {off}");
        }
        // The direction is the difference to the next point.
        for i in 0..1000 {
            let [a, b] = [i, i + 1].map(|i| curve.at(i as f64 / 1000.0));
            let [x, y] = curve.tangent((i as f64 + 0.5) / 1000.0);
            let along = (x * (b[0] - a[0]) + y * (b[1] - a[1])) / step(i);
            assert!(along > 0.999, "step {i}: {along}");
        }
    }
}
