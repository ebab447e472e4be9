//! Nodes over boxes of numbered items, in a frame of their own.

use super::{Measures, Node, Scale};
use estoc_core::InlineMap;
use estoc_system::Arena;

/// A box of `f64`s, by its two corners.
pub type WideBounds = [[f64; 3]; 2];

/// A tree with one item a leaf.
#[derive(Clone, Debug)]
pub(crate) struct ItemTree {
    /// Node 0 is the root; empty if there are no items. In units of the frame.
    pub(crate) nodes: Arena<Node>,
    /// The item of each leaf, by its first slot.
    pub(crate) items: Arena<u32>,
    pub(crate) frame: ItemFrame,
    pub(crate) measures: Measures,
}

/// Maps the space of items to that of the nodes: a point p to `(p - origin) * 2^exponent`.
///
/// Items may lie anywhere that `f64`s reach; in the frame, they are near the origin and of a size that
/// `f32` is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemFrame {
    pub(crate) origin: [f64; 3],
    pub(crate) exponent: i32,
    up: f64,
}

/// Sizes of which `f32` represents boxes well as they are, if they are no farther out than [`NEAR`] times
/// that: 2^-20 to 2^20.
const USUAL: core::ops::RangeInclusive<f64> =
    f64::from_bits((1023 - 20) << 52)..=f64::from_bits((1023 + 20) << 52);
const NEAR: f64 = 8.0;

/// The binary exponent of the size of everything, in units of the frame.
const SIZE: i32 = 10;

impl ItemFrame {
    /// The largest coordinate of items: 2^900.
    pub(crate) const MOST: f64 = f64::from_bits((1023 + 900) << 52);
    /// What everything may grow to in a frame, in its units, before another is needed: 2^24.
    const LARGEST: f64 = (1u64 << 24) as f64;

    /// The space of the items itself.
    const OWN: ItemFrame = ItemFrame {
        origin: [0.0; 3],
        exponent: 0,
        up: 1.0,
    };

    /// Returns whether this is the space of the items itself.
    #[inline(always)]
    pub(crate) fn is_own(&self) -> bool {
        self.exponent == 0 && self.origin == Self::OWN.origin
    }

    /// Returns the power of two of the map.
    pub(crate) fn up(&self) -> f64 {
        self.up
    }

    /// Returns a frame for what is in a box whose coordinates are at most [`MOST`](Self::MOST).
    pub(crate) fn around([min, max]: WideBounds) -> Self {
        let origin = [0, 1, 2].inline_map(|axis| min[axis] * 0.5 + max[axis] * 0.5);
        let half = |axis: usize| max[axis] * 0.5 - min[axis] * 0.5;
        let size = half(0).max(half(1)).max(half(2));
        let corners = min.into_iter().chain(max);
        let farthest = corners.fold(0.0, |far, x| f64::max(far, x.abs()));
        if USUAL.contains(&size) && farthest <= size * NEAR {
            return ItemFrame::OWN;
        }
        let exponent = match size > 0.0 {
            true => SIZE - ((size.to_bits() >> 52) as i32 - 1023),
            false => 0,
        };
        // Powers that are normal numbers; of subnormal sizes also.
        let exponent = exponent.clamp(-1000, 900);
        ItemFrame {
            origin,
            exponent,
            up: f64::from_bits(((1023 + exponent) as u64) << 52),
        }
    }

    /// Returns a box in units of the frame that is no smaller; `None` if it does not fit in.
    pub(crate) fn bounds(&self, of: WideBounds) -> Option<[[f32; 3]; 2]> {
        let [min, max] = of.inline_map(|p: [f64; 3]| {
            [0, 1, 2].inline_map(|axis| (p[axis] - self.origin[axis]) * self.up)
        });
        // In this form NaN does not fit.
        let fits = |p: [f64; 3]| p.into_iter().all(|x| x.abs() <= Self::LARGEST);
        let corners = || [min.inline_map(below), max.inline_map(|x| -below(-x))];
        (fits(min) && fits(max)).then(corners)
    }

    /// Returns a corner of a box in the space of the items.
    pub(crate) fn down(&self, p: [f32; 3]) -> [f64; 3] {
        [0, 1, 2].inline_map(|axis| f64::from(p[axis]) / self.up + self.origin[axis])
    }
}

/// Returns a number below a coordinate, by at least one step of `f32`: more than its two roundings.
///
/// It is never subnormal: such numbers slow box tests down, and a face at exactly 0, as that of a ground,
/// would become one.
fn below(x: f64) -> f32 {
    const LEAST: f32 = 1e-30;
    let x = (x as f32).next_down();
    if x.abs() < LEAST { -LEAST } else { x }
}

impl ItemTree {
    pub(crate) fn new(nodes: Arena<Node>, items: Arena<u32>, frame: ItemFrame) -> Self {
        ItemTree {
            measures: Measures::of(&nodes, Scale::default()),
            nodes,
            items,
            frame,
        }
    }

    /// Updates the measures after boxes have changed.
    pub(crate) fn measure(&mut self) {
        self.measures = Measures::of(&self.nodes, Scale::default());
    }

    /// Returns the item of a leaf.
    #[inline(always)]
    pub(crate) fn item(&self, first: usize) -> u32 {
        self.items[first]
    }
}
