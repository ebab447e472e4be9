//! A stack with room for a fixed number of items, which is not initialised: a ray rarely needs a
//! tenth of it.
//!
//! `ArrayVec` does the same, but in a program built with `lto = "off"` its methods are calls, and a
//! call in the loop of a traversal keeps vectors in memory: rays reach 0.8 to 0.95 of the speed.

use core::mem::MaybeUninit;

/// At most `ROOM` items, the first of which are in the cache line of their number.
#[repr(C)]
pub(super) struct FixedStack<const ROOM: usize> {
    len: usize,
    /// Those before `len` are initialised.
    items: [MaybeUninit<u64>; ROOM],
}

impl<const ROOM: usize> FixedStack<ROOM> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        FixedStack {
            items: [const { MaybeUninit::uninit() }; ROOM],
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Keeps the first `len` items, if there are more.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// # Panics
    /// Panics if the stack is full.
    #[inline(always)]
    pub(super) fn push(&mut self, item: u64) {
        self.items[self.len].write(item);
        self.len += 1;
    }

    /// Pushes the first `count` of eight items. There must be room for all eight.
    ///
    /// # Panics
    /// Panics if there is not.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "see below")]
    pub(super) fn push_first(&mut self, count: usize, eight: &[[u64; 4]; 2]) {
        let room = &mut self.items[self.len..self.len + 8];
        let [low, high] = eight;
        // Not one loop over eight, which takes many more instructions; and no iterators, whose
        // functions are generic too.
        for at in 0..4 {
            room[at].write(low[at]);
        }
        for at in 0..4 {
            room[4 + at].write(high[at]);
        }
        self.len += count.min(8);
    }

    /// # Panics
    /// Panics if there is no such item.
    #[inline(always)]
    #[allow(unsafe_code, reason = "see the module")]
    pub(super) fn get(&self, at: usize) -> u64 {
        assert!(at < self.len);
        // SAFETY: the item is before `len`. Where `len` grows, in `push` and `push_first`, the
        // items that it passes were written just before; and nothing makes an item uninitialised.
        unsafe { self.items[at].assume_init() }
    }

    /// # Panics
    /// Panics if there is no such item.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, item: u64) {
        assert!(at < self.len);
        self.items[at].write(item);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<u64> {
        let last = self.last()?;
        self.len -= 1;
        Some(last)
    }

    #[inline(always)]
    pub(super) fn last(&self) -> Option<u64> {
        (self.len > 0).then(|| self.get(self.len - 1))
    }
}
