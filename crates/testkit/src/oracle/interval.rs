//! Intervals of `f64` that contain the exact value.
//!
//! IEEE 754 rounds each operation to a neighbour of the exact result, so the exact result lies
//! between the next number below and the next above the computed one. Every operation here widens
//! its result by one step on each side; it relies on nothing else.

use estoc_core::glam::Vec3;

/// `lo <= x <= hi` for the exact `x`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    lo: f64,
    hi: f64,
}

fn outward(lo: f64, hi: f64) -> Interval {
    Interval {
        lo: lo.next_down(),
        hi: hi.next_up(),
    }
}

impl Interval {
    pub(super) fn exactly(x: f64) -> Self {
        Interval { lo: x, hi: x }
    }

    fn plus(self, other: Interval) -> Interval {
        outward(self.lo + other.lo, self.hi + other.hi)
    }

    pub(super) fn minus(self, other: Interval) -> Interval {
        outward(self.lo - other.hi, self.hi - other.lo)
    }

    fn times(self, other: Interval) -> Interval {
        let ll = self.lo * other.lo;
        let lh = self.lo * other.hi;
        let hl = self.hi * other.lo;
        let hh = self.hi * other.hi;
        outward(ll.min(lh).min(hl.min(hh)), ll.max(lh).max(hl.max(hh)))
    }

    pub(super) fn is_negative(self) -> bool {
        self.hi < 0.0
    }

    pub(super) fn is_positive(self) -> bool {
        self.lo > 0.0
    }
}

/// A vector of intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntervalVector(pub(super) [Interval; 3]);

impl IntervalVector {
    pub(super) fn exactly(v: Vec3) -> Self {
        IntervalVector(v.to_array().map(|x| Interval::exactly(x.into())))
    }

    /// Any vector.
    pub(super) fn unknown() -> Self {
        let (lo, hi) = (f64::NEG_INFINITY, f64::INFINITY);
        IntervalVector([Interval { lo, hi }; 3])
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        IntervalVector(std::array::from_fn(|i| self.0[i].minus(other.0[i])))
    }

    pub(super) fn cross(&self, other: &Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        IntervalVector([
            ay.times(bz).minus(az.times(by)),
            az.times(bx).minus(ax.times(bz)),
            ax.times(by).minus(ay.times(bx)),
        ])
    }

    pub(super) fn dot(&self, other: &Self) -> Interval {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        ax.times(bx).plus(ay.times(by)).plus(az.times(bz))
    }
}
