//! Children that are left for later.

use super::child::Child;
use super::leaf::WIDTH;
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The most nodes on the way to a leaf of a tree that the stack is good for.
pub(super) const DEPTH: usize = 108;

/// At the bottom one for the end, all children but one at each node, and what a push of eight
/// writes too many.
const ROOM: usize = 1 + (WIDTH - 1) * DEPTH + WIDTH;

/// Children with the keys of their boxes. Not initialised where nothing was pushed, which
/// would take longer than most walks.
pub(super) struct Stack {
    keys: [MaybeUninit<i32>; ROOM],
    children: [MaybeUninit<Child>; ROOM],
    /// At least one, and up to `ROOM - WIDTH` as no tree is deeper than `DEPTH`.
    len: usize,
}

impl Stack {
    /// With the end alone, which no limit is too low for.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let mut stack = Stack {
            keys: [const { MaybeUninit::uninit() }; ROOM],
            children: [const { MaybeUninit::uninit() }; ROOM],
            len: 0,
        };
        stack.push(i32::MIN, Child::END);
        stack
    }

    #[inline(always)]
    pub(super) fn push(&mut self, key: i32, child: Child) {
        debug_assert!(self.len < ROOM);
        // SAFETY: below the length that `len` is bound to.
        unsafe {
            self.keys.get_unchecked_mut(self.len).write(key);
            self.children.get_unchecked_mut(self.len).write(child);
        }
        self.len += 1;
    }

    /// Pushes the first so many lanes.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn push_first(&mut self, count: usize, keys: __m256i, children: __m256i) {
        debug_assert!(self.len + WIDTH <= ROOM && count < WIDTH);
        // SAFETY: there is room for eight above the greatest length.
        unsafe {
            _mm256_storeu_si256(self.keys.as_mut_ptr().add(self.len).cast(), keys);
        }
        self.push_first_without_keys(count, children);
    }

    /// The same for walks whose limit never changes.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn push_first_without_keys(&mut self, count: usize, children: __m256i) {
        debug_assert!(self.len + WIDTH <= ROOM && count < WIDTH);
        // SAFETY: there is room for eight above the greatest length.
        unsafe {
            _mm256_storeu_si256(self.children.as_mut_ptr().add(self.len).cast(), children);
        }
        self.len += count;
    }

    /// The last one, which stays.
    #[inline(always)]
    pub(super) fn top(&self) -> Child {
        // SAFETY: all below `len` were written, and the end is always there.
        unsafe { self.children.get_unchecked(self.len - 1).assume_init() }
    }

    /// The last one.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Child {
        let child = self.top();
        self.len -= 1;
        child
    }

    /// The last one whose key is not above the limit; those after it are dropped.
    #[inline(always)]
    pub(super) fn pop_within(&mut self, limit: i32) -> Child {
        loop {
            self.len -= 1;
            // SAFETY: all below the former `len` were written, with keys in walks that come
            // here, and the end has the least key of all.
            let key = unsafe { self.keys.get_unchecked(self.len).assume_init() };
            if key <= limit {
                // SAFETY: as before.
                return unsafe { self.children.get_unchecked(self.len).assume_init() };
            }
        }
    }
}
