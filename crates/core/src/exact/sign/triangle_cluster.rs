//! Many triangles as seen from far away.
//!
//! With `r = x - center` for the points x of the triangles, their normals n, `d` from the point to
//! the center and `D = |d|`, the sum of the solid angles is the integral of `n . (d + r) / |d + r|^3`,
//! which is `-n . grad (1 / |d + r|)`. The potential has a series in the solid harmonics of r, as
//! Barill et al. (2018, "Fast Winding Numbers for Soups and Clouds") use it: its gradient begins
//! with the sum of the normals (the dipole), and the terms with one and with two factors r follow.
//! These three are kept.
//!
//! # Bound
//! The term of degree k of the potential is `P_k(cos) |r|^k / D^(k+1)`, with Legendre's polynomials,
//! whose absolute values are at most 1. A homogeneous polynomial of degree k that is at most 1 on the
//! unit sphere has a gradient of at most k there (Banach 1938, for symmetric forms). So the terms
//! from k = 4 on, which are left out, are at most
//!
//! `sum k s^(k-1) / D^2 = (4 - 3s) s^3 / (1 - s)^2 / D^2` with `s = |r| / D`.
//!
//! Apart from `s^3` this grows with s, so the integral is at most that of `|r|^3` over all triangles,
//! times `(4 - 3S) / (1 - S)^2 / D^5` with the largest s.
//!
//! The triangles of a cluster of radius 0 are points, which have no solid angle. Else the corners must be
//! [moderate](crate::arithmetic::are_moderate) and the radius from 2^-160 to 2^160; other clusters are taken apart. Then
//! nothing overflows. D is above 2^-159, so 1/D^3 is below 2^477. The square of an area loses at most 2^-1073 by
//! underflow, so an area at most 2^-536; the integral of `|r|^3` loses at most 2^-1074 of a triangle, and the other terms
//! less. In units of an area this is below 2^-535.

use super::solid_angle::USUAL;
use crate::arithmetic::{Bounded, V, V3, are_moderate, minus, power_of_two, sqrt, vector::dot};
use crate::shapes::Triangle64;
use core::f64::consts::PI;

/// A cluster is taken as a whole where the terms left out are at most this fraction of the solid
/// angle that its area would have if it faced the point.
const SHARE: f64 = 1.0 / 16.0;

/// 2^-490: times the bound of roundings, at least 2^-41, more than what underflows of a triangle.
const LOST: f64 = power_of_two(-490);

/// 2^-500: more than the share of the sphere of triangles so far away that numbers underflow.
const LEAST: f64 = power_of_two(-500);

/// Triangles that [`WindingCollector::offer_cluster`](crate::WindingCollector::offer_cluster) takes
/// as a whole where the point is far enough from them.
#[derive(Clone, Copy, Debug, Default)]
pub struct TriangleCluster {
    center: V3,
    /// No corner is farther from the center; infinite for triangles whose numbers are beyond the bounds.
    radius: f64,
    area: f64,
    /// An upper bound of the integral of `|r|^3`.
    cubes: f64,
    /// The integral of the unit normals.
    normal: V3,
    /// The integral of `n r`: the symmetric part, by pairs of axes xx, yy, zz, yz, zx, xy.
    first: [f64; 6],
    first_trace: f64,
    /// The integral of `n r r`: the symmetric part, times the number of equal entries, by axes xxx,
    /// yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz.
    second: [f64; 10],
    /// The traces of the symmetric part.
    second_traces: V3,
    /// A bound of the rounding errors of each part, in units of its term's greatest size.
    rounded: f64,
}

impl TriangleCluster {
    /// Returns the cluster of these triangles; those that are not finite are left out.
    pub fn of(triangles: &[Triangle64]) -> Self {
        let finite = || {
            let finite = triangles.iter().filter(|triangle| triangle.is_finite());
            finite.map(Triangle64::coordinates)
        };
        let mut cluster = TriangleCluster::default();
        let mut sum = [0.0; 3];
        for corners in finite() {
            let area = length(area_vector(corners));
            cluster.area += area;
            for axis in 0..3 {
                sum[axis] += area * (corners[0][axis] + corners[1][axis] + corners[2][axis]);
            }
        }
        if cluster.area > 0.0 {
            cluster.center = sum.map(|x| x / (3.0 * cluster.area));
        }
        for corners in finite() {
            cluster.add(corners);
        }
        cluster.rounded *= (triangles.len() as f64 + 64.0) * (64.0 * V);
        let is_usual = cluster.radius == 0.0 || USUAL.contains(&cluster.radius);
        if !is_usual || !finite().all(|corners| are_moderate(&corners)) {
            cluster.radius = f64::INFINITY;
        }
        cluster
    }

    fn add(&mut self, corners: [V3; 3]) {
        let n = area_vector(corners);
        let area = length(n);
        let r = corners.map(|corner| minus(corner, self.center));
        let lengths = r.map(length);
        for corner in lengths {
            self.radius = self.radius.max(corner);
        }
        // A convex function has at most the mean of its values at the corners.
        let cubes = lengths.map(|x| x * x * x);
        // A normal is off by a few roundings of the product of two edges, and so is the area.
        let product = length(minus(corners[1], corners[0])) * length(minus(corners[2], corners[0]));
        self.rounded += product + LOST;
        let area = area + 8.0 * V * product;
        self.cubes += area * (cubes[0] + cubes[1] + cubes[2]) / 3.0;
        let sum: V3 = [0, 1, 2].map(|i| r[0][i] + r[1][i] + r[2][i]);
        let mean = sum.map(|x| x / 3.0);
        let square = |j: usize, k: usize| {
            let corners = r[0][j] * r[0][k] + r[1][j] * r[1][k] + r[2][j] * r[2][k];
            (corners + sum[j] * sum[k]) / 12.0
        };
        for (sum, component) in self.normal.iter_mut().zip(n) {
            *sum += component;
        }
        let pairs = [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)];
        for (entry, (i, j)) in self.first.iter_mut().zip(pairs) {
            *entry += 0.5 * (n[i] * mean[j] + n[j] * mean[i]);
        }
        self.first_trace += dot(n, mean);
        // Three times the symmetric part.
        let triple = |i: usize, j: usize, k: usize| {
            n[i] * square(j, k) + n[j] * square(k, i) + n[k] * square(i, j)
        };
        let triples = [
            (0, 0, 0, 1.0),
            (1, 1, 1, 1.0),
            (2, 2, 2, 1.0),
            (0, 0, 1, 3.0),
            (0, 0, 2, 3.0),
            (1, 1, 0, 3.0),
            (1, 1, 2, 3.0),
            (2, 2, 0, 3.0),
            (2, 2, 1, 3.0),
            (0, 1, 2, 6.0),
        ];
        for (entry, (i, j, k, equal)) in self.second.iter_mut().zip(triples) {
            *entry += triple(i, j, k) / 3.0 * equal;
        }
        for axis in 0..3 {
            let trace = triple(0, 0, axis) + triple(1, 1, axis) + triple(2, 2, axis);
            self.second_traces[axis] += trace / 3.0;
        }
    }

    /// Returns the sum of the solid angles seen from a finite point, divided by 4 pi; `None` where
    /// the point is too close.
    pub(super) fn share_of_sphere(&self, point: V3) -> Option<Bounded> {
        if self.radius == 0.0 {
            return Some(Bounded::exact(0.0));
        }
        let d = minus(self.center, point);
        let distance = length(d);
        let s = self.radius * (1.0 + 16.0 * V) / distance;
        let is_far = s < 0.5;
        if !is_far {
            return None;
        }
        let inverse = 1.0 / distance;
        let left_out = self.cubes * inverse * inverse * inverse;
        let left_out = left_out * ((4.0 - 3.0 * s) / ((1.0 - s) * (1.0 - s)));
        let allowed = SHARE * self.area;
        if left_out > allowed {
            return None;
        }
        let u = d.map(|x| x * inverse);
        let [x, y, z] = u;
        let [nx, ny, nz] = self.normal;
        let zeroth = nx * x + ny * y + nz * z;
        let f = &self.first;
        let squares = f[0] * x * x + f[1] * y * y + f[2] * z * z;
        let squares = squares + 2.0 * (f[3] * y * z + f[4] * z * x + f[5] * x * y);
        let first = self.first_trace - 3.0 * squares;
        let t = &self.second;
        let cubes = t[0] * x * x * x + t[1] * y * y * y + t[2] * z * z * z;
        let cubes = cubes + x * x * (t[3] * y + t[4] * z) + y * y * (t[5] * x + t[6] * z);
        let cubes = cubes + z * z * (t[7] * x + t[8] * y) + t[9] * x * y * z;
        let [tx, ty, tz] = self.second_traces;
        let second = 7.5 * cubes - 4.5 * (tx * x + ty * y + tz * z);
        let value = zeroth + (first + second * inverse) * inverse;
        let scale = inverse * inverse / (4.0 * PI);
        // The three terms are at most 1, 2 and 3 times the area, for s up to one half. Each has some
        // ten roundings, and as many sums as there are triangles.
        Some(Bounded {
            value: value * scale,
            error: (left_out * (1.0 + 1e-6) + self.rounded) * scale * (1.0 + 64.0 * V) + LEAST,
        })
    }
}

/// Returns the normal whose length is the triangle's area.
fn area_vector([a, b, c]: [V3; 3]) -> V3 {
    let (e, f) = (minus(b, a), minus(c, a));
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| 0.5 * (e[j] * f[k] - e[k] * f[j]))
}

fn length(v: V3) -> f64 {
    sqrt(dot(v, v))
}

#[cfg(test)]
mod tests {
    use super::super::solid_angle::share_of_sphere;
    use super::*;
    use crate::arithmetic::{Numbers, usual_or_long};
    use crate::shapes::Triangle;
    use std::vec::Vec;

    /// Returns the clusters' solid angles one by one, with the sum of their bounds.
    fn one_by_one(triangles: &[Triangle64], point: V3) -> Bounded {
        let shares = triangles
            .iter()
            .map(|t| share_of_sphere(point, t.coordinates()));
        shares.fold(Bounded::exact(0.0), |sum, share| Bounded {
            value: sum.value + share.value,
            error: sum.error + share.error + V,
        })
    }

    /// Clusters of few triangles and many, flat and not, with outliers and slivers, in `f32` and `f64`, from points at
    /// all distances at which they are taken.
    #[test]
    fn a_search_finds_no_violation_of_the_bound_of_clusters() {
        let rounds = usual_or_long(20_000, 2_000_000);
        let mut numbers = Numbers(0x3c6e_f372_fe94_f82b);
        let (mut taken, mut worst) = (0, 0.0f64);
        for round in 0..rounds {
            let size = [1.0, 1e-30, 1e30, 3e-3, 1e47, 1e-47, 1e-70][round % 7];
            let flat = [1.0, 0.0, 1e-6][round / 7 % 3];
            let is_narrow = round / 21 % 2 == 0 && (1e-38..1e38).contains(&size);
            let count = 1 + (numbers.next() >> 60) as usize;
            let mut vector = || [numbers.float(4), numbers.float(4), numbers.float(4)];
            let offset = vector().map(|x| 3.0 * x);
            let triangles: Vec<Triangle64> = (0..count)
                .map(|place| {
                    let middle = vector();
                    let spread = if round % 5 == 0 || place == 0 {
                        1.0
                    } else {
                        0.1
                    };
                    let [a, b, c] = [(); 3].map(|()| {
                        let corner = vector();
                        let at = |i: usize, by: f64| {
                            let x = middle[i] + spread * corner[i];
                            (offset[i] + x * by) * size
                        };
                        [at(0, 1.0), at(1, 1.0), at(2, flat)]
                    });
                    match is_narrow {
                        true => {
                            let [a, b, c] = [a, b, c].map(|p| p.map(|x| x as f32));
                            Triangle::new(a, b, c).into()
                        }
                        false => Triangle64::new(a, b, c),
                    }
                })
                .collect();
            let cluster = TriangleCluster::of(&triangles);
            let direction = vector();
            let far = 1.0 + 20.0 * vector()[0].abs();
            let point = [0, 1, 2].map(|i| {
                let from = far * direction[i] / length(direction) * cluster.radius;
                cluster.center[i] + from
            });
            if !point.iter().all(|x| x.is_finite()) {
                assert!(size < 1e-60, "{triangles:?}");
                continue;
            }
            let Some(share) = cluster.share_of_sphere(point) else {
                continue;
            };
            taken += 1;
            let truth = one_by_one(&triangles, point);
            let off = (share.value - truth.value).abs();
            let bound = share.error + truth.error;
            assert!(off <= bound, "{off} {bound} {triangles:?} {point:?}");
            worst = worst.max(off / bound);
        }
        println!("{taken} taken, worst error in shares of the bound: {worst:.3}");
        assert!(taken > rounds / 4 && worst > 0.1, "{taken} {worst}");
    }

    #[test]
    fn few_numbers_of_a_cluster_are_known() {
        let triangle = Triangle64::new([0.0; 3], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0]);
        let broken = Triangle64::new([f64::NAN; 3], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0]);
        let cluster = TriangleCluster::of(&[triangle, broken]);
        assert_eq!((cluster.center, cluster.area), ([2.0, 2.0, 0.0], 18.0));
        assert_eq!(cluster.normal, [0.0, 0.0, 18.0]);
        assert_eq!(cluster.radius, 20f64.sqrt());
        // The first moments about the centroid are zero.
        assert!(cluster.first.iter().all(|x| x.abs() < 1e-12));
        let nothing = TriangleCluster::of(&[]);
        let share = nothing.share_of_sphere([1.0; 3]).unwrap();
        assert_eq!((share.value, share.error), (0.0, 0.0));
        let dot = Triangle64::new([0.0; 3], [0.0; 3], [0.0; 3]);
        for distance in [0.0, 1e-300, 1e-160, 1e-154, 1e-100, 1.0, 1e300] {
            let share = TriangleCluster::of(&[dot]).share_of_sphere([distance; 3]);
            assert!(share.is_some_and(|share| (share.value, share.error) == (0.0, 0.0)));
        }
    }

    #[test]
    fn points_as_far_away_as_numbers_go_have_a_bound() {
        let triangle = Triangle64::new([0.0; 3], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0]);
        let cluster = TriangleCluster::of(&[triangle]);
        for power in [400, 500, 1000] {
            let share = cluster.share_of_sphere([power_of_two(power); 3]).unwrap();
            assert!(share.value.abs() <= share.error && share.error < 1e-100);
        }
        // Corners that numbers of a cluster are too small or too great for are taken apart.
        for size in [1e-300, 1e-60, 1e60, 1e300] {
            let [a, b, c] = triangle.corners().map(|corner| corner * size);
            let cluster = TriangleCluster::of(&[Triangle64::new(a, b, c)]);
            for at in [0.0, 1.0, 1e10 * size, 1e307] {
                let share = cluster.share_of_sphere([at; 3]);
                assert!(share.is_none(), "{size} {at}");
            }
        }
    }
}
