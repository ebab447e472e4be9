//! The crossings of a line with the planes of an oriented box: exact numbers, rarely computed.

use super::Obb;
use super::f64_line::Quick;
use crate::arithmetic::{
    Bounded, Interval, Ratio, V3, compare, exact, exact_dot, minus, quotient, round, widen,
};
use crate::shapes::{
    Ray,
    span::{End, ExactSpan},
};
use core::cmp::Ordering;

/// A ray and a box, prepared.
#[derive(Clone, Copy)]
pub(super) struct BoxLine<'a> {
    pub(super) obb: &'a Obb,
    pub(super) ray: &'a Ray,
    /// The vector from the box's reference point to the origin, rounded once.
    pub(super) delta: V3,
    pub(super) dir: V3,
}

/// The parameter at which the line crosses the plane of a face, as an interval that contains the
/// exact number.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub(super) axis: usize,
    pub(super) is_max: bool,
    pub(super) range: Interval,
}

/// The part of the line in the closed box.
pub(super) struct Stretch<'a> {
    pub(super) line: BoxLine<'a>,
    /// The entry, on the lowest axis of those that the line enters last.
    pub(super) entry: Crossing,
    pub(super) exit: Crossing,
}

impl<'a> BoxLine<'a> {
    /// Returns `None` for an undefined ray, which hits nothing.
    pub(super) fn new(obb: &'a Obb, ray: &'a Ray) -> Option<Self> {
        ray.check().ok()?;
        Some(BoxLine {
            obb,
            ray,
            delta: minus(widen(ray.origin), widen(obb.frame.reference())),
            dir: widen(ray.dir),
        })
    }

    /// Returns the part of the line in the box, if it overlaps the ray's interval; decided exactly.
    pub(super) fn stretch(&self) -> Option<Stretch<'a>> {
        match self.quick_stretch() {
            Quick::Meets(stretch) => Some(stretch),
            Quick::Misses => None,
            Quick::Open => self.careful_stretch(),
        }
    }

    /// Does the same axis by axis, where `f64` leaves it open.
    #[cold]
    fn careful_stretch(&self) -> Option<Stretch<'a>> {
        let mut both: Option<Stretch<'_>> = None;
        for axis in 0..3 {
            let (slope, slope_sign) = self.slope(axis);
            if slope_sign == 0 {
                if !self.obb.is_between(axis, self.ray.origin) {
                    return None;
                }
                continue;
            }
            let height = self.obb.planes[axis].dot(self.delta);
            let [entry, exit] = [false, true].map(|leaves| {
                // Along the normal the line leaves by the face with the greater bound.
                let is_max = (leaves == (slope_sign > 0)) != self.obb.is_mirrored;
                let gap = self.obb.planes[axis].gap(is_max, height);
                Crossing {
                    axis,
                    is_max,
                    range: parameter(gap, slope),
                }
            });
            both = Some(match both {
                None => Stretch {
                    line: *self,
                    entry,
                    exit,
                },
                Some(old) => Stretch {
                    line: *self,
                    entry: match self.cmp(&old.entry, &entry) {
                        Ordering::Less => entry,
                        _ => old.entry,
                    },
                    exit: match self.cmp(&old.exit, &exit) {
                        Ordering::Greater => exit,
                        _ => old.exit,
                    },
                },
            });
        }
        let stretch = both?; // three independent normals: the line crosses one pair of planes
        let meets = self.cmp(&stretch.entry, &stretch.exit) != Ordering::Greater
            && stretch.overlaps(self.ray);
        meets.then_some(stretch)
    }

    /// Returns `n . dir`, and its exact sign.
    ///
    /// With u = 2^-53 it has four roundings (normal, product, two sums); 6u of the terms cover them
    /// and those of the error.
    fn slope(&self, axis: usize) -> (Bounded, i32) {
        let (value, terms) = self.obb.planes[axis].dot(self.dir);
        let slope = Bounded {
            value,
            error: terms * (3.0 * f64::EPSILON),
        };
        let slope_sign = slope.sign().unwrap_or_else(|| {
            exact_dot(&self.obb.frame.exact_normal(axis), &exact(self.dir)).sign()
        });
        (slope, slope_sign)
    }

    /// Compares two crossings of this line.
    fn cmp(&self, a: &Crossing, b: &Crossing) -> Ordering {
        self.cmp_with(a, self, b)
    }

    /// Compares a crossing of this line with one of the same ray with another box.
    pub(super) fn cmp_with(&self, a: &Crossing, other: &BoxLine<'_>, b: &Crossing) -> Ordering {
        let is_same = || a.axis == b.axis && a.is_max == b.is_max && self.obb == other.obb;
        compare(a.range, b.range, || match is_same() {
            true => Ordering::Equal,
            false => self.exact(a).cmp(&other.exact(b)),
        })
    }

    /// Compares with a number that may be infinite but not NaN.
    pub(super) fn cmp_f32(&self, a: &Crossing, bound: f32) -> Ordering {
        let wide = f64::from(bound);
        compare(a.range, (wide, wide), || self.exact(a).cmp_f64(wide))
    }

    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    pub(super) fn to_f32(self, a: &Crossing) -> f32 {
        round(a.range).unwrap_or_else(|| self.exact(a).to_f32())
    }

    /// Returns the exact parameter: the face's bound minus the origin's height, over the slope.
    pub(super) fn exact(&self, a: &Crossing) -> Ratio {
        let frame = &self.obb.frame;
        let bound = frame.exact_bound(a.axis, a.is_max);
        Ratio::new(
            bound.sub(&frame.exact_height(a.axis, widen(self.ray.origin))),
            exact_dot(&frame.exact_normal(a.axis), &exact(self.dir)),
        )
    }
}

impl ExactSpan for Stretch<'_> {
    fn cmp(&self, end: End, bound: f32) -> Ordering {
        self.line.cmp_f32(self.end(end), bound)
    }

    fn to_f32(&self, end: End) -> f32 {
        self.line.to_f32(self.end(end))
    }
}

impl Stretch<'_> {
    fn end(&self, end: End) -> &Crossing {
        match end {
            End::Entry => &self.entry,
            End::Exit => &self.exit,
        }
    }
}

/// Returns an interval that contains the true quotient, like [`quotient`] for triangles. The
/// numbers here have a greater range, down to 2^-53-596-387 for an error, which is subnormal and
/// may be off by half of the least `f64` a few times.
fn parameter(gap: Bounded, slope: Bounded) -> Interval {
    let (low, high) = quotient(gap, slope);
    (low - f64::MIN_POSITIVE, high + f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Dyadic;
    use crate::shapes::Aabb;
    use glam::{Mat4, Vec3};

    /// Random numbers with few to many bits, of one size or of every size.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self, kind: u64) -> f32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            let bits = self.0;
            match kind {
                0 => (bits >> 60) as f32 - 8.0,
                1 => (bits >> 40) as f32 / 16_777_216.0 - 0.5,
                2 => 1.0 + (bits >> 60) as f32 * f32::EPSILON,
                // Exponents from -126 to 64, or subnormal: products of four have a large range.
                _ => f32::from_bits(((bits >> 32) as u32 % (190 << 23)) | ((bits as u32) << 31)),
            }
        }

        fn vector(&mut self, kind: u64) -> Vec3 {
            [(); 3].map(|()| self.next(kind)).into()
        }
    }

    fn holds(line: &BoxLine<'_>, crossing: &Crossing) {
        let (exact, range) = (line.exact(crossing), crossing.range);
        let (obb, ray) = (line.obb, line.ray);
        assert_ne!(exact.cmp_f64(range.0), Ordering::Less, "{obb:?} {ray:?}");
        assert_ne!(exact.cmp_f64(range.1), Ordering::Greater, "{obb:?} {ray:?}");
    }

    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let (mut checked, mut quick, mut worst) = (0, 0, 0.0f64);
        for round in 0..8000u64 {
            let kind = round % 4;
            let [x, y, z, at] = [(); 4].map(|()| numbers.vector(kind));
            let model =
                Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), at.extend(1.0));
            let local = Aabb::of_points([numbers.vector(kind), numbers.vector(kind)]);
            let Ok(obb) = Obb::from_model(&local, &model) else {
                continue;
            };
            let (origin, target) = (numbers.vector(kind), obb.corners()[round as usize % 8]);
            let dir = match round / 4 % 3 {
                0 => target - origin,
                1 => obb.center() - origin,
                _ => numbers.vector(kind),
            };
            let ray = Ray::new(origin, dir);
            let Some(line) = BoxLine::new(&obb, &ray) else {
                continue;
            };
            for (axis, is_max) in [(0, false), (0, true), (1, false), (1, true), (2, true)] {
                let (slope, slope_sign) = line.slope(axis);
                if slope_sign == 0 {
                    continue;
                }
                let gap = obb.planes[axis].gap(is_max, obb.planes[axis].dot(line.delta));
                let range = parameter(gap, slope);
                holds(
                    &line,
                    &Crossing {
                        axis,
                        is_max,
                        range,
                    },
                );
                checked += 1;
                let truth = obb.frame.exact_bound(axis, is_max);
                let truth = truth.sub(&obb.frame.exact_height(axis, widen(ray.origin)));
                let off = truth.sub(&Dyadic::from_f64(gap.value));
                worst = worst.max(off.estimate().abs() / gap.error.max(f64::MIN_POSITIVE));
            }
            let faces = |s: &Stretch<'_>| [&s.entry, &s.exit].map(|c| (c.axis, c.is_max));
            match (line.quick_stretch(), line.careful_stretch()) {
                (Quick::Open, _) | (Quick::Misses, None) => {}
                (Quick::Meets(found), Some(truth)) => {
                    quick += 1;
                    holds(&line, &found.entry);
                    holds(&line, &found.exit);
                    assert_eq!(faces(&found), faces(&truth), "{obb:?} {ray:?}");
                }
                _ => panic!("decided wrongly: {obb:?} {ray:?}"),
            }
        }
        println!("worst error in shares of the bound: {worst:.3} over {checked} crossings");
        assert!(
            worst <= 1.0 && worst > 0.05 && checked > 16_000,
            "{worst} {checked}"
        );
        assert!(quick > 500, "{quick}");
    }
}
