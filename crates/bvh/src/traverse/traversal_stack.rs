//! The stack of children that a traversal visits later.

use super::fixed_stack::FixedStack;
use crate::wide::{MAX_WIDE_DEPTH, Tag, WIDTH};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Bytes, Simd, SimdBase, u32x8, u64x4};

/// A step down defers at most all children but one; plus room to write eight.
pub const ROOM: usize = (WIDTH - 1) * MAX_WIDE_DEPTH + WIDTH;

/// A stack of children. The upper half of an item is its key: where the ray enters the box, as the
/// bits of a number that is not negative, with the child's tag in the lowest ones. The lower half
/// is the child's place.
pub struct TraversalStack(FixedStack<ROOM>);

impl TraversalStack {
    #[inline(always)]
    pub fn new() -> Self {
        TraversalStack(FixedStack::new())
    }

    #[inline(always)]
    pub fn push(&mut self, key: u32, place: u32) {
        self.0.push(u64::from(key) << 32 | u64::from(place));
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.0.truncate(0);
    }

    /// Removes all children that are beyond the limit.
    #[inline(always)]
    pub fn cull(&mut self, limit: i32) {
        let mut kept = 0;
        for at in 0..self.0.len() {
            let item = self.0.get(at);
            self.0.set(kept, item);
            kept += usize::from((item >> 32) as i32 <= limit);
        }
        self.0.truncate(kept);
    }

    /// Returns the last child.
    #[inline(always)]
    pub fn top(&self) -> Option<(Tag, u32)> {
        let last = self.0.last()?;
        Some((Tag::of((last >> 32) as u32), last as u32))
    }

    /// Pops the last child, whatever the limit.
    #[inline(always)]
    pub fn pop_any(&mut self) -> Option<(Tag, u32)> {
        let last = self.0.pop()?;
        Some((Tag::of((last >> 32) as u32), last as u32))
    }

    /// Pops the last child that is not beyond the limit, with its whole key.
    #[inline(always)]
    pub fn pop_keyed(&mut self, limit: i32) -> Option<(u32, u32)> {
        loop {
            let last = self.0.pop()?;
            if (last >> 32) as i32 <= limit {
                return Some(((last >> 32) as u32, last as u32));
            }
        }
    }

    /// Inserts a child above all that are farther, but not below `bottom`.
    #[inline(always)]
    pub fn insert(&mut self, key: u32, place: u32, bottom: usize) {
        self.push(key, place);
        let mut at = self.0.len() - 1;
        let item = self.0.get(at);
        while at > bottom && self.0.get(at - 1) < item {
            self.0.set(at, self.0.get(at - 1));
            at -= 1;
        }
        self.0.set(at, item);
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Pushes the first `count` of eight, the last of them on top.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn push_first<S: Simd>(&mut self, count: usize, keys: u32x8<S>, places: u32x8<S>) {
        let low: u64x4<S> = places.zip_low(keys).bitcast();
        let high: u64x4<S> = places.zip_high(keys).bitcast();
        let mut eight = [[0; WIDTH / 2]; 2];
        low.store_array(&mut eight[0]);
        high.store_array(&mut eight[1]);
        self.0.push_first(count, &eight);
    }

    /// Pops the last child that is not beyond the limit, which is compared by its bits.
    #[inline(always)]
    pub fn pop(&mut self, limit: i32) -> Option<(Tag, u32)> {
        let (key, place) = self.pop_keyed(limit)?;
        Some((Tag::of(key), place))
    }
}
