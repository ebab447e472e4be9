//! The reference: boxes as three linear functions with bounds, in exact rational arithmetic. It
//! shares no code with what it checks.

use super::exact::{Dyadic, Fraction, Vector, det, dot, minus, vector};
use estoc_core::Ray;
use estoc_core::glam::{Mat4, Vec3};
use std::cmp::Ordering;

/// The points p with `low_i <= gradient_i . (p - start) <= high_i`.
pub(crate) struct Solid {
    start: Vector,
    gradients: [Vector; 3],
    low: Vector,
    high: Vector,
    corners: [[Fraction; 3]; 8],
}

/// The part of a ray's line that is in a solid.
pub(crate) struct Stretch {
    pub(crate) entry: Fraction,
    pub(crate) exit: Fraction,
    /// The face entered: its axis, the lowest of several, and whether it is the upper one.
    pub(crate) axis: usize,
    pub(crate) is_max: bool,
}

/// Returns x of `columns * x = right * columns' determinant` (Cramer's rule).
fn cramer(columns: &[Vector; 3], right: &Vector) -> Vector {
    std::array::from_fn(|i| {
        let mut replaced = [&columns[0], &columns[1], &columns[2]];
        replaced[i] = right;
        det(replaced)
    })
}

fn corner_bits(place: usize) -> [usize; 3] {
    [place & 1, place >> 1 & 1, place >> 2 & 1]
}

impl Solid {
    pub(crate) fn of_axes(center: Vec3, axes: [Vec3; 3], half: Vec3) -> Self {
        let gradients = axes.map(vector);
        let (start, high) = (vector(center), vector(half));
        let low = high.each_ref().map(|h| -h);
        // The corner solves a_i . p = +-h_i, a system whose rows are the axes.
        let columns: [Vector; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| gradients[j][i].clone()));
        let d = det([&columns[0], &columns[1], &columns[2]]);
        let corners = std::array::from_fn(|place| {
            let bits = corner_bits(place);
            let right = std::array::from_fn(|i| [&low, &high][bits[i]][i].clone());
            let offset = cramer(&columns, &right);
            std::array::from_fn(|i| Fraction::new(&(&start[i] * &d) + &offset[i], d.clone()))
        });
        Solid {
            start,
            gradients,
            low,
            high,
            corners,
        }
    }

    /// Uses local coordinates by Cramer's rule, times the determinant's absolute value.
    pub(crate) fn of_model(min: Vec3, max: Vec3, model: &Mat4) -> Self {
        let columns = [model.x_axis, model.y_axis, model.z_axis].map(|c| vector(c.truncate()));
        let start = vector(model.w_axis.truncate());
        let d = det([&columns[0], &columns[1], &columns[2]]);
        let positive = |x: &Dyadic| if d.sign() < 0 { -x } else { x.clone() };
        let units = [Vec3::X, Vec3::Y, Vec3::Z].map(vector);
        let solved = units.map(|unit| cramer(&columns, &unit));
        let gradients = std::array::from_fn(|i| std::array::from_fn(|k| positive(&solved[k][i])));
        let size = positive(&d);
        let (min, max) = (vector(min), vector(max));
        let corners = std::array::from_fn(|place| {
            let bits = corner_bits(place);
            let q: Vector = std::array::from_fn(|i| [&min, &max][bits[i]][i].clone());
            std::array::from_fn(|k| {
                let row = columns.each_ref().map(|column| column[k].clone());
                Fraction::whole(&start[k] + &dot(&row, &q))
            })
        });
        Solid {
            start,
            gradients,
            low: min.each_ref().map(|x| x * &size),
            high: max.each_ref().map(|x| x * &size),
            corners,
        }
    }

    pub(crate) fn contains(&self, point: Vec3) -> bool {
        let delta = minus(&vector(point), &self.start);
        (0..3).all(|i| {
            let x = dot(&self.gradients[i], &delta);
            (&x - &self.low[i]).sign() >= 0 && (&self.high[i] - &x).sign() >= 0
        })
    }

    pub(crate) fn stretch(&self, ray: &Ray) -> Option<Stretch> {
        ray.check().ok()?;
        let delta = minus(&vector(ray.origin), &self.start);
        let dir = vector(ray.dir);
        let mut entries = Vec::new();
        let mut exits = Vec::new();
        for axis in 0..3 {
            let x = dot(&self.gradients[axis], &delta);
            let step = dot(&self.gradients[axis], &dir);
            let (to_low, to_high) = (&self.low[axis] - &x, &self.high[axis] - &x);
            if step.sign() == 0 {
                if to_low.sign() > 0 || to_high.sign() < 0 {
                    return None;
                }
                continue;
            }
            let [low, high] = [to_low, to_high].map(|gap| Fraction::new(gap, step.clone()));
            let backward = step.sign() < 0;
            let (entry, exit) = if backward { (high, low) } else { (low, high) };
            entries.push((entry, axis, backward));
            exits.push(exit);
        }
        let exit = exits.into_iter().min_by(Fraction::cmp)?;
        let entries = entries.into_iter();
        let (entry, axis, is_max) = entries.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let overlaps = entry.cmp(&exit) != Ordering::Greater
            && exit.cmp_f32(ray.t_min) != Ordering::Less
            && entry.cmp_f32(ray.t_max) != Ordering::Greater;
        overlaps.then_some(Stretch {
            entry,
            exit,
            axis,
            is_max,
        })
    }

    /// Checks a vector of length 1 against the outward normal of a face.
    pub(crate) fn normal_error(
        &self,
        normal: Vec3,
        axis: usize,
        is_max: bool,
        context: &str,
    ) -> f64 {
        let outward = |x: &Dyadic| if is_max { x.clone() } else { -x };
        let outward = self.gradients[axis].each_ref().map(outward);
        unit_error(&outward, normal, context)
    }

    pub(crate) fn corner(&self, place: usize) -> &[Fraction; 3] {
        &self.corners[place]
    }
}

/// Checks that `unit` is `v`, scaled to length 1.
pub(crate) fn unit_error(v: &Vector, unit: Vec3, context: &str) -> f64 {
    let length = dot(v, v);
    let errors = (0..3).map(|k| {
        let x = unit[k];
        assert!(x.to_bits() != (-0.0f32).to_bits(), "{context}");
        let sign = if x == 0.0 { 0 } else { x.signum() as i32 };
        let is_outward = sign == 0 || sign == v[k].sign();
        assert!(is_outward, "{unit} is turned round, {context}");
        Fraction::new(v[k].square(), length.clone()).root_error_of(x, context)
    });
    errors.fold(0.0, f64::max)
}

/// Returns the error of a point of the ray at a parameter.
pub(crate) fn point_error(ray: &Ray, t: &Fraction, point: Vec3, context: &str) -> f64 {
    let (origin, dir) = (vector(ray.origin), vector(ray.dir));
    let errors = (0..3).map(|k| {
        let num = &(&origin[k] * &t.den) + &(&t.num * &dir[k]);
        Fraction::new(num, t.den.clone()).error_of(point[k], context)
    });
    errors.fold(0.0, f64::max)
}
